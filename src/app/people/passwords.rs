//! Passwords: validation, hashing and verification. Each hash takes 19 MiB and some twenty
//! milliseconds, so only few run at once, and not many may wait. The memory is reused: allocators
//! would otherwise keep it once for each thread.

use argon2::Algorithm;
use argon2::Argon2;
use argon2::Block;
use argon2::Params;
use argon2::Version;
use argon2::password_hash::phc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::common_passwords::is_common;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::login_name;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;

/// The shortest password, in bytes.
pub const PASSWORD_BYTES_MIN: usize = 8;
/// The longest one, in bytes.
pub const PASSWORD_BYTES_MAX: usize = 256;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The most hashes computed at once.
const AT_ONCE_MAX: usize = 2;
/// The most callers that may wait for one.
const WAITING_MAX: usize = 32;
/// The seconds after which to try again if too many wait.
const RETRY_SECONDS: u32 = 2;

/// The hash that is verified for a missing user, so that it takes the same time: of an unknown
/// password, with the current parameters.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$cmVjdG8gbm9ib2R5IQ$\
                       /jXqKIkT7Hr3V1nDHXhLzcm/Ki8NQI3BVNRZ2j5pjpY";

/// A hasher of passwords with limited concurrency.
#[derive(Default)]
pub struct Passwords {
    state: Mutex<HashQueue>,
    freed: Condvar,
}

#[derive(Default)]
struct HashQueue {
    running: usize,
    waiting: usize,
    /// The memory of finished hashes, for reuse.
    memory: Vec<Vec<Block>>,
}

/// The result of verifying a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordVerdict {
    /// The password is wrong.
    Wrong,
    /// The password is right.
    Right,
    /// The password is right, and its hash is weaker than those made today.
    RightButWeak,
}

impl Passwords {
    /// Hashes a password.
    ///
    /// # Errors
    ///
    /// Fails with `rate_limited` if too many callers wait.
    pub fn hash(&self, password: &str) -> Result<PasswordHash> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(Error::internal)?;
        let mut turn = self.acquire_turn()?;
        hash_in_memory(&mut turn.memory, password, salt).map_err(Error::internal)
    }

    /// Checks whether a password is the one that was hashed. Without a hash the result is `Wrong`,
    /// after the same time.
    ///
    /// # Errors
    ///
    /// Fails with `rate_limited` if too many callers wait.
    pub fn verify(&self, password: &str, hash: Option<&PasswordHash>) -> Result<PasswordVerdict> {
        self.verify_among(password, hash, None)
    }

    /// Like [`Passwords::verify`]. While some user still has a hash of bcrypt, which is `foreign`,
    /// everybody's password is verified in both ways: the time tells nothing about a user.
    pub fn verify_among(
        &self,
        password: &str,
        hash: Option<&PasswordHash>,
        foreign: Option<&PasswordHash>,
    ) -> Result<PasswordVerdict> {
        let mut turn = self.acquire_turn()?;
        let is_foreign = hash.is_some_and(PasswordHash::is_bcrypt);
        let (own, other) = if is_foreign { (None, hash) } else { (hash, foreign) };
        let phc = own.map_or(DUMMY_HASH, PasswordHash::reveal);
        let fits = matches_phc(&mut turn.memory, password, phc).unwrap_or(false);
        let fits_other = other.is_some_and(|it| matches_bcrypt(password, it));
        let right = if is_foreign { fits_other } else { fits };
        Ok(match hash {
            Some(hash) if right && is_weak(hash) => PasswordVerdict::RightButWeak,
            Some(_) if right => PasswordVerdict::Right,
            _ => PasswordVerdict::Wrong,
        })
    }

    fn acquire_turn(&self) -> Result<HashTurn<'_>> {
        let mut state = self.state.lock();
        if state.running >= AT_ONCE_MAX && state.waiting >= WAITING_MAX {
            return Err(Error::rate_limited(
                "Too many people are logging in right now.",
                RETRY_SECONDS,
            ));
        }
        state.waiting += 1;
        while state.running >= AT_ONCE_MAX {
            state = self.freed.wait(state);
        }
        state.waiting -= 1;
        state.running += 1;
        Ok(HashTurn { passwords: self, memory: state.memory.pop().unwrap_or_default() })
    }
}

/// A permit to hash, released when dropped, also by a panic.
struct HashTurn<'a> {
    passwords: &'a Passwords,
    memory: Vec<Block>,
}

impl Drop for HashTurn<'_> {
    fn drop(&mut self) {
        let mut memory = std::mem::take(&mut self.memory);
        if memory.len() > MEMORY_KIB as usize {
            // A hash edited into a file asks for more memory than usual.
            memory = Vec::new();
        }
        let mut state = self.passwords.state.lock();
        state.running -= 1;
        state.memory.push(memory);
        drop(state);
        self.passwords.freed.notify_one();
    }
}

/// Hashes a password without waiting for other callers, for the command line.
pub fn hash_password(
    password: &str,
    salt: [u8; 16],
) -> std::result::Result<PasswordHash, argon2::password_hash::Error> {
    hash_in_memory(&mut Vec::new(), password, salt)
}

fn hash_in_memory(
    memory: &mut Vec<Block>,
    password: &str,
    salt: [u8; 16],
) -> std::result::Result<PasswordHash, argon2::password_hash::Error> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let salt = phc::Salt::new(&salt)?;
    let hash = derive_key(memory, &argon2, password, &salt)?;
    let phc = phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: phc::ParamsString::try_from(argon2.params())?,
        salt: Some(salt),
        hash: Some(hash),
    };
    Ok(PasswordHash::new(phc.to_string()))
}

/// Derives the output of a password.
fn derive_key(
    memory: &mut Vec<Block>,
    argon2: &Argon2<'_>,
    password: &str,
    salt: &phc::Salt,
) -> std::result::Result<phc::Output, argon2::password_hash::Error> {
    let params = argon2.params();
    let mut out = vec![0; params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN)];
    memory.resize(params.block_count(), Block::new());
    let bytes = password.as_bytes();
    argon2.hash_password_into_with_memory(bytes, salt, &mut out, memory.as_mut_slice())?;
    Ok(phc::Output::new(&out)?)
}

/// Returns true if a password is that of a PHC string, compared in constant time.
fn matches_phc(
    memory: &mut Vec<Block>,
    password: &str,
    phc: &str,
) -> std::result::Result<bool, argon2::password_hash::Error> {
    let kept = phc::PasswordHash::new(phc)?;
    let algorithm = Algorithm::try_from(kept.algorithm.as_str())?;
    let version = kept.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&kept)?);
    let (Some(salt), Some(hash)) = (kept.salt, kept.hash) else { return Ok(false) };
    Ok(derive_key(memory, &argon2, password, &salt)? == hash)
}

/// Returns true if a password is that of a hash of bcrypt.
fn matches_bcrypt(password: &str, hash: &PasswordHash) -> bool {
    bcrypt::verify(password, hash.reveal()).unwrap_or(false)
}

/// Returns true if the hash was made with weaker parameters than today's.
fn is_weak(hash: &PasswordHash) -> bool {
    if hash.is_bcrypt() {
        return true;
    }
    let made = phc::PasswordHash::new(hash.reveal()).ok();
    let made = made.and_then(|it| Params::try_from(&it).ok());
    made.is_none_or(|it| it.m_cost() < MEMORY_KIB || it.t_cost() < PASSES)
}

/// Checks whether a password may be used. The error says why not.
pub fn check_password(password: &str, username: &str) -> std::result::Result<(), Sentence> {
    if !(PASSWORD_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&password.len()) {
        return Err(sentence!(
            "A password must have {least} to {most} bytes.",
            least = PASSWORD_BYTES_MIN,
            most = PASSWORD_BYTES_MAX,
        ));
    }
    if login_name(password) == login_name(username) {
        return Err("The password must not be the user name.".into());
    }
    if is_common(password) {
        let message = "This is one of the most common passwords, or one with digits or signs \
                       around it. Choose another one.";
        return Err(message.into());
    }
    Ok(())
}

/// Checks the password of a request.
pub(super) fn check_input(password: &str, username: &str, problems: &mut FieldProblems) {
    if let Err(message) = check_password(password, username) {
        problems.add("password", message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::PasswordHasher as _;
    use argon2::PasswordVerifier as _;

    #[test]
    fn what_is_kept_is_what_others_make_and_read() {
        let kept = hash_password("correct horse", [3; 16]).unwrap();
        let theirs = phc::PasswordHash::new(kept.reveal()).unwrap();
        assert!(Argon2::default().verify_password(b"correct horse", &theirs).is_ok());
        let argon2 = Argon2::default();
        let made: phc::PasswordHash =
            argon2.hash_password_with_salt(b"correct horse", &[3; 16]).unwrap();
        assert_eq!(made.to_string(), kept.reveal());
    }

    #[test]
    fn memory_is_used_again_and_keeps_nothing() {
        let passwords = Passwords::default();
        let params = Params::new(8, 1, 1, None).unwrap();
        let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let weak: phc::PasswordHash = weak.hash_password_with_salt(b"other", &[1; 16]).unwrap();
        let weak = PasswordHash::new(weak.to_string());
        let kept = passwords.hash("correct horse").unwrap();
        for _ in 0..3 {
            assert_eq!(
                passwords.verify("correct horse", Some(&kept)).unwrap(),
                PasswordVerdict::Right
            );
            assert_eq!(
                passwords.verify("other", Some(&weak)).unwrap(),
                PasswordVerdict::RightButWeak
            );
            assert_eq!(
                passwords.verify("correct horse", Some(&weak)).unwrap(),
                PasswordVerdict::Wrong
            );
        }
        assert_eq!(passwords.state.lock().memory.len(), 1);
    }

    #[test]
    fn the_right_password_is_right() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse").unwrap();
        assert!(kept.reveal().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", kept.reveal());
        assert_eq!(passwords.verify("correct horse", Some(&kept)).unwrap(), PasswordVerdict::Right);
        assert_eq!(
            passwords.verify("correct horse ", Some(&kept)).unwrap(),
            PasswordVerdict::Wrong
        );
        assert_eq!(passwords.verify("", Some(&kept)).unwrap(), PasswordVerdict::Wrong);
        let broken = PasswordHash::new("not a hash");
        assert_eq!(passwords.verify("x", Some(&broken)).unwrap(), PasswordVerdict::Wrong);
        assert_eq!(passwords.verify("x", None).unwrap(), PasswordVerdict::Wrong);
    }

    #[test]
    fn nobody_costs_what_somebody_costs() {
        // A hash that cannot be parsed would not be computed.
        let nobody = phc::PasswordHash::new(DUMMY_HASH).unwrap();
        let params = Params::try_from(&nobody).unwrap();
        assert_eq!((params.m_cost(), params.t_cost()), (MEMORY_KIB, PASSES));
        assert_eq!(nobody.hash.map(|it| it.len()), Some(32));
    }

    #[test]
    fn weak_hashes_are_told() {
        let params = Params::new(8, 1, 1, None).unwrap();
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let weak: phc::PasswordHash =
            argon2.hash_password_with_salt(b"correct horse", &[1; 16]).unwrap();
        let weak = PasswordHash::new(weak.to_string());
        let passwords = Passwords::default();
        assert_eq!(
            passwords.verify("correct horse", Some(&weak)).unwrap(),
            PasswordVerdict::RightButWeak
        );
    }

    #[test]
    fn hashes_of_bcrypt_are_verified_and_weak() {
        // From the manual of PHP.
        let hash = "$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq";
        let (hash, passwords) = (PasswordHash::new(hash), Passwords::default());
        let verify = |password: &str| passwords.verify(password, Some(&hash)).unwrap();
        assert_eq!(verify("rasmuslerdorf"), PasswordVerdict::RightButWeak);
        assert_eq!(verify("Rasmuslerdorf"), PasswordVerdict::Wrong);
        // The hash of another one lets nobody in.
        let nobody = passwords.verify_among("rasmuslerdorf", None, Some(&hash)).unwrap();
        assert_eq!(nobody, PasswordVerdict::Wrong);
        let kept = passwords.hash("correct horse").unwrap();
        let verify = |it| passwords.verify_among(it, Some(&kept), Some(&hash)).unwrap();
        assert_eq!(verify("rasmuslerdorf"), PasswordVerdict::Wrong);
        assert_eq!(verify("correct horse"), PasswordVerdict::Right);
        for wrong in ["$2y$31$", "$2x$10$", "$2y$10$short", "$2y$-1$"] {
            let hash = PasswordHash::new(format!("{wrong}{}", "a".repeat(53)));
            assert_eq!(passwords.verify("a", Some(&hash)).unwrap(), PasswordVerdict::Wrong);
        }
    }

    #[test]
    fn what_may_be_a_password() {
        let check = |password: &str, expect: bool| {
            assert_eq!(check_password(password, "Constance").is_ok(), expect, "{password:?}");
        };
        check("1234567", false);
        check("12345679x", true);
        check("12345678", false);
        check("Password1234!", false);
        check("öööö", true);
        check(&"x".repeat(256), true);
        check(&"x".repeat(257), false);
        check("constance", false);
        check(" \t\n \t\n  ", true);
    }
}
