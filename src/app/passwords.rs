//! Passwords: what may be one, how it is kept, whether it is the right one. Hashing costs 19 MiB and
//! some twenty milliseconds each, so few are made at once, and not many may wait.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::PoisonError;

use argon2::Algorithm;
use argon2::Argon2;
use argon2::Params;
use argon2::PasswordHasher as _;
use argon2::PasswordVerifier as _;
use argon2::Version;
use argon2::password_hash::phc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::user::PasswordHash;
use crate::model::user::login_name;

/// The shortest password, in bytes.
pub const PASSWORD_BYTES_MIN: usize = 8;
/// The longest one, in bytes.
pub const PASSWORD_BYTES_MAX: usize = 256;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How many are hashed at once.
const AT_ONCE_MAX: usize = 2;
/// How many may wait for that.
const WAITING_MAX: usize = 32;
/// When to come back if too many do, in seconds.
const RETRY_SECONDS: u32 = 2;

/// What is verified for a user who is not there, so that it takes the same time: the hash of
/// nobody's password, with the parameters of today.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$cmVjdG8gbm9ib2R5IQ$\
                       /jXqKIkT7Hr3V1nDHXhLzcm/Ki8NQI3BVNRZ2j5pjpY";

/// Hashes passwords, few at once.
#[derive(Default)]
pub struct Passwords {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: usize,
}

/// Whether a password is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not.
    Wrong,
    /// It is.
    Right,
    /// It is, and its hash is weaker than those made today.
    RightButWeak,
}

impl Passwords {
    /// Hashes a password.
    ///
    /// # Errors
    /// `rate_limited` when too many wait for the same.
    pub fn hash(&self, password: &str) -> Result<PasswordHash> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(Error::internal)?;
        let _turn = self.turn()?;
        hash(password, salt).map_err(Error::internal)
    }

    /// Whether a password is the one that was hashed. Without a hash it is not, after the same time.
    ///
    /// # Errors
    /// `rate_limited` when too many wait for the same.
    pub fn verify(&self, password: &str, hash: Option<&PasswordHash>) -> Result<Verdict> {
        let _turn = self.turn()?;
        let right = matches(password, hash.map_or(NOBODYS, PasswordHash::reveal));
        Ok(match hash {
            Some(hash) if right && is_weak(hash) => Verdict::RightButWeak,
            Some(_) if right => Verdict::Right,
            _ => Verdict::Wrong,
        })
    }

    fn turn(&self) -> Result<Turn<'_>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.running >= AT_ONCE_MAX && state.waiting >= WAITING_MAX {
            return Err(Error::rate_limited("Too many people log in right now.", RETRY_SECONDS));
        }
        state.waiting += 1;
        while state.running >= AT_ONCE_MAX {
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting -= 1;
        state.running += 1;
        Ok(Turn(self))
    }
}

/// The right to hash; over when dropped, also by a panic.
struct Turn<'a>(&'a Passwords);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).running -= 1;
        self.0.freed.notify_one();
    }
}

/// Hashes a password without waiting for anybody: for the command line.
pub fn hash(
    password: &str,
    salt: [u8; 16],
) -> std::result::Result<PasswordHash, argon2::password_hash::Error> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params()?);
    let hash: phc::PasswordHash = argon2.hash_password_with_salt(password.as_bytes(), &salt)?;
    Ok(PasswordHash::new(hash.to_string()))
}

fn params() -> std::result::Result<Params, argon2::Error> {
    Params::new(MEMORY_KIB, PASSES, LANES, None)
}

fn matches(password: &str, phc: &str) -> bool {
    let Ok(hash) = phc::PasswordHash::new(phc) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}

/// Whether it was made with less effort than today's are.
fn is_weak(hash: &PasswordHash) -> bool {
    let made = phc::PasswordHash::new(hash.reveal()).ok();
    let made = made.and_then(|it| Params::try_from(&it).ok());
    made.is_none_or(|it| it.m_cost() < MEMORY_KIB || it.t_cost() < PASSES)
}

/// Whether this may be a user's password; if not, why.
pub fn checked(password: &str, username: &str) -> std::result::Result<(), String> {
    if !(PASSWORD_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&password.len()) {
        return Err(format!("A password has {PASSWORD_BYTES_MIN} to {PASSWORD_BYTES_MAX} bytes."));
    }
    if login_name(password) == login_name(username) {
        return Err("The password must not be the user name.".to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_password_is_right() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse").unwrap();
        assert!(kept.reveal().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", kept.reveal());
        assert_eq!(passwords.verify("correct horse", Some(&kept)).unwrap(), Verdict::Right);
        assert_eq!(passwords.verify("correct horse ", Some(&kept)).unwrap(), Verdict::Wrong);
        assert_eq!(passwords.verify("", Some(&kept)).unwrap(), Verdict::Wrong);
        let broken = PasswordHash::new("not a hash");
        assert_eq!(passwords.verify("x", Some(&broken)).unwrap(), Verdict::Wrong);
        assert_eq!(passwords.verify("x", None).unwrap(), Verdict::Wrong);
    }

    #[test]
    fn nobody_costs_what_somebody_costs() {
        // If it could not be read, nothing would be computed.
        let nobody = phc::PasswordHash::new(NOBODYS).unwrap();
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
        assert_eq!(passwords.verify("correct horse", Some(&weak)).unwrap(), Verdict::RightButWeak);
    }

    #[test]
    fn what_may_be_a_password() {
        let check = |password: &str, expect: bool| {
            assert_eq!(checked(password, "Constance").is_ok(), expect, "{password:?}");
        };
        check("1234567", false);
        check("12345678", true);
        check("öööö", true);
        check(&"x".repeat(256), true);
        check(&"x".repeat(257), false);
        check("constance", false);
        check(" \t\n \t\n  ", true);
    }
}
