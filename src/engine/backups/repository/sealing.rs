//! The key of a target whose backups are sealed. A passphrase seals the key alone, which costs time
//! and memory on purpose; the key seals the objects, which costs nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ring::hmac;
use sha2::Digest;
use sha2::Sha256;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::format_hex;
use crate::stdx::age_file;
use crate::stdx::age_file::AgeError;
use crate::stdx::age_file::AgeRandom;

/// The cost of opening the key with a passphrase: 128 MiB of memory.
const PASSPHRASE_LOG_N: u8 = 17;

/// The highest cost that is paid for a key: 1 GiB. The program `age` writes keys of 256 MiB.
const PASSPHRASE_LOG_N_MAX: u8 = 20;

/// The cost of opening an object. Its key is random, so there is nothing to guess.
const OBJECT_LOG_N: u8 = 1;

const LABEL: &[u8] = b"recto: names of objects";

/// The way in which the objects of a target are sealed and named.
pub(super) enum Sealing {
    /// They are not sealed. Names are the SHA-256 of the content.
    Open,
    /// They are sealed with a key. Names are a keyed hash of the content, so that they tell nothing
    /// about it.
    Sealed { key: String, names: hmac::Key },
}

impl Sealing {
    /// Returns a new key, and its file, sealed with the passphrase.
    pub(super) fn generate(passphrase: &str) -> Result<(Sealing, Vec<u8>), TargetError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(no_randomness)?;
        let key = STANDARD_NO_PAD.encode(bytes);
        let random = AgeRandom::generate().map_err(no_randomness)?;
        let file = age_file::seal(passphrase, PASSPHRASE_LOG_N, &random, key.as_bytes());
        Ok((Sealing::with_key(key), file))
    }

    /// Opens the file of a key.
    pub(super) fn open_key(passphrase: &str, file: &[u8]) -> Result<Sealing, TargetError> {
        let opened = age_file::open(passphrase, PASSPHRASE_LOG_N_MAX, file);
        let key = opened.map_err(|error| match error {
            AgeError::Passphrase => TargetError::Passphrase("the passphrase is wrong"),
            error => {
                TargetError::Unusable(format!("the key of the target cannot be read: {error}"))
            }
        })?;
        let key = String::from_utf8(key).ok().map(|it| it.trim_end().to_string());
        let key = key.filter(|it| STANDARD_NO_PAD.decode(it).is_ok_and(|it| it.len() == 32));
        let wrong = || TargetError::Unusable("the key of the target is not a key".to_string());
        key.map(Sealing::with_key).ok_or_else(wrong)
    }

    fn with_key(key: String) -> Sealing {
        let secret = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
        let derived = hmac::sign(&secret, LABEL);
        Sealing::Sealed { names: hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref()), key }
    }

    /// Returns the ending of the names of what is sealed.
    pub(super) fn ending(&self) -> &'static str {
        if matches!(self, Sealing::Open) { "" } else { ".age" }
    }

    /// Returns the hash that names an object with this content.
    pub(super) fn name_content(&self, content: &[u8]) -> String {
        match self {
            Sealing::Open => format_hex(Sha256::digest(content)),
            Sealing::Sealed { names, .. } => format_hex(hmac::sign(names, content)),
        }
    }

    /// Seals bytes.
    pub(super) fn seal(&self, plain: Vec<u8>) -> Result<Vec<u8>, TargetError> {
        let Sealing::Sealed { key, .. } = self else { return Ok(plain) };
        let random = AgeRandom::generate().map_err(no_randomness)?;
        Ok(age_file::seal(key, OBJECT_LOG_N, &random, &plain))
    }

    /// Opens sealed bytes.
    pub(super) fn open(&self, sealed: Vec<u8>) -> Result<Vec<u8>, String> {
        let Sealing::Sealed { key, .. } = self else { return Ok(sealed) };
        age_file::open(key, OBJECT_LOG_N, &sealed).map_err(|error| match error {
            AgeError::Passphrase => "it is sealed with another key".to_string(),
            error => error.to_string(),
        })
    }
}

fn no_randomness(error: getrandom::Error) -> TargetError {
    TargetError::Unusable(format!("the system gives no random bytes: {error}"))
}
