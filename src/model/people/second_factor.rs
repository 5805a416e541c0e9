//! The second factor of a user: codes by time (RFC 6238), as authenticator apps show them, and
//! recovery codes for when the app is gone.

use ring::hmac;
use sha2::Digest as _;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::model::input::ObjectReader;
use crate::model::people::token::Fingerprint;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::stdx::url_encoding;

/// The number of recovery codes that a user gets.
pub const RECOVERY_CODES: usize = 10;

/// The bytes of a new secret: the length of the hash, as RFC 4226 recommends.
pub const SECRET_BYTES: usize = 20;

/// The fewest bytes of a secret: 128 bits, which RFC 4226 demands.
const SECRET_BYTES_MIN: usize = 16;

/// The seconds for which a code is shown.
const STEP_SECONDS: i64 = 30;

/// The steps before and after the current one whose codes count, for clocks that differ.
const STEPS_AROUND: i64 = 1;

/// The digits of a code.
const CODE_DIGITS: usize = 6;
const CODES: u32 = 1_000_000;

/// The random bytes of a recovery code.
pub const RECOVERY_BYTES: usize = 10;

/// The characters of recovery codes: no two look alike.
const RECOVERY_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The characters of secrets, by RFC 4648.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// The secret that the server and an authenticator app share. It has neither `Debug` nor
/// `Serialize`: it is shown once, and written to the user's file.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret(Box<[u8]>);

impl TotpSecret {
    /// Creates a secret from random bytes.
    pub fn new(bytes: [u8; SECRET_BYTES]) -> TotpSecret {
        TotpSecret(bytes.into())
    }

    /// Parses base32. Spaces, case and padding do not matter.
    pub fn parse(text: &str) -> Option<TotpSecret> {
        let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
        for byte in text.bytes().filter(|it| !matches!(it, b' ' | b'=')) {
            let digit = BASE32.iter().position(|it| *it == byte.to_ascii_uppercase())?;
            bits = bits << 5 | digit as u32;
            held += 5;
            if held >= 8 {
                held -= 8;
                bytes.push((bits >> held & 0xff) as u8);
                bits &= (1 << held) - 1;
            }
        }
        (bytes.len() >= SECRET_BYTES_MIN).then(|| TotpSecret(bytes.into()))
    }

    /// Returns the secret in base32, to show or store it.
    pub fn reveal(&self) -> String {
        let (mut text, mut bits, mut held) = (String::new(), 0_u32, 0);
        for byte in &self.0 {
            bits = bits << 8 | u32::from(*byte);
            held += 8;
            while held >= 5 {
                held -= 5;
                text.push(char::from(BASE32[(bits >> held & 31) as usize]));
            }
            bits &= (1 << held) - 1;
        }
        if held > 0 {
            text.push(char::from(BASE32[(bits << (5 - held) & 31) as usize]));
        }
        text
    }

    /// Returns the address that authenticator apps read from a QR code.
    pub fn to_uri(&self, issuer: &str, username: &str) -> String {
        // Apps split the label at its colon.
        let issuer = issuer.replace(':', " ");
        let (issuer, user) =
            (url_encoding::encode_segment(&issuer), url_encoding::encode_segment(username));
        format!("otpauth://totp/{issuer}:{user}?secret={}&issuer={issuer}", self.reveal())
    }

    /// Finds the step whose code this is, near a time and later than `after`: a code counts once.
    pub fn find_step(&self, code: &str, now: Timestamp, after: i64) -> Option<i64> {
        let current = now.seconds().div_euclid(STEP_SECONDS);
        let mut found = None;
        // All are compared, so that the time tells nothing.
        for step in current - STEPS_AROUND..=current + STEPS_AROUND {
            let is_code: bool = self.code_at(step).as_bytes().ct_eq(code.as_bytes()).into();
            if is_code && step > after && found.is_none() {
                found = Some(step);
            }
        }
        found
    }

    /// Returns the code of a step.
    fn code_at(&self, step: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let tag = tag.as_ref();
        let offset = tag.last().map_or(0, |it| usize::from(it & 0xf));
        let bytes = tag.iter().skip(offset).take(4);
        let number = bytes.fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        format!("{:0width$}", (number & 0x7fff_ffff) % CODES, width = CODE_DIGITS)
    }
}

/// A code that somebody typed.
#[derive(Clone, PartialEq, Eq)]
pub enum TypedCode {
    /// None.
    Missing,
    /// The digits of an authenticator app.
    Totp(String),
    /// A recovery code.
    Recovery(RecoveryCode),
    /// Anything else.
    Other,
}

impl TypedCode {
    /// Parses what was typed. Spaces and dashes do not matter.
    pub fn parse(text: &str) -> TypedCode {
        let is_sign = |it: &char| !it.is_whitespace() && *it != '-';
        let signs: String = text.chars().filter(is_sign).take(2 * RECOVERY_CHARS).collect();
        if signs.is_empty() {
            return TypedCode::Missing;
        }
        if signs.len() == CODE_DIGITS && signs.bytes().all(|it| it.is_ascii_digit()) {
            return TypedCode::Totp(signs);
        }
        RecoveryCode::parse(&signs).map_or(TypedCode::Other, TypedCode::Recovery)
    }
}

/// The characters of a recovery code without its dashes.
const RECOVERY_CHARS: usize = RECOVERY_BYTES * 8 / 5;

/// A code that replaces the authenticator app once: 80 random bits, of which the server stores only
/// a hash.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// Creates a code from random bytes.
    pub fn new(bytes: [u8; RECOVERY_BYTES]) -> RecoveryCode {
        let number = bytes.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        let digit =
            |place: usize| char::from(RECOVERY_ALPHABET[(number >> (5 * place) & 31) as usize]);
        RecoveryCode((0..RECOVERY_CHARS).rev().map(digit).collect())
    }

    /// Parses a code without its dashes; letters that look like digits count as these.
    fn parse(signs: &str) -> Option<RecoveryCode> {
        let signs = signs.to_ascii_lowercase().replace('o', "0").replace(['i', 'l'], "1");
        let is_code = signs.len() == RECOVERY_CHARS
            && signs.bytes().all(|it| RECOVERY_ALPHABET.contains(&it));
        is_code.then_some(RecoveryCode(signs))
    }

    /// Returns the code as it is shown, in groups of four.
    pub fn reveal(&self) -> String {
        let signs: Vec<char> = self.0.chars().collect();
        let groups: Vec<String> = signs.chunks(4).map(|it| it.iter().collect()).collect();
        groups.join("-")
    }

    /// Returns the hash that is stored.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_bytes(Sha256::digest(self.0.as_bytes()).into())
    }
}

/// The second factor of a user, as their file has it.
#[derive(Clone)]
pub struct SecondFactor {
    /// The secret that the authenticator app has, too.
    pub secret: TotpSecret,
    /// The time when it was set up.
    pub created_at: Option<Timestamp>,
    /// The step of the last code that was accepted.
    pub last_step: i64,
    /// The hashes of the recovery codes that were not used.
    pub recovery_codes: Vec<Fingerprint>,
}

impl SecondFactor {
    /// Reads the factor in a user's file. Anything unreadable in it is a problem: without it the
    /// user could log in with less.
    pub(super) fn read(file: &mut ObjectReader<'_>) -> Option<SecondFactor> {
        let stored = file.value("second_factor").filter(|it| **it != Json::Null)?;
        let parsed = SecondFactor::parse(stored);
        if parsed.is_none() {
            file.add_problem("second_factor", "This cannot be read.");
        }
        parsed
    }

    fn parse(json: &Json) -> Option<SecondFactor> {
        let object = json.as_object()?;
        let created_at = match object.get("created_at") {
            None | Some(Json::Null) => None,
            Some(time) => Some(Timestamp::parse(time.as_str()?)?),
        };
        let last_step = match object.get("last_step") {
            None | Some(Json::Null) => 0,
            Some(step) => step.as_f64().filter(|it| it.fract() == 0.0)? as i64,
        };
        let codes = match object.get("recovery_codes_sha256") {
            None | Some(Json::Null) => &[],
            Some(codes) => codes.as_array()?,
        };
        let codes = codes.iter().map(|it| Fingerprint::parse(it.as_str()?));
        Some(SecondFactor {
            secret: TotpSecret::parse(object.get("secret")?.as_str()?)?,
            created_at,
            last_step,
            recovery_codes: codes.collect::<Option<Vec<_>>>()?,
        })
    }

    /// Returns the content of the key in the user's file.
    pub(super) fn to_json(&self) -> Json {
        let mut file = Map::new();
        file.push("secret", self.secret.reveal());
        file.push("created_at", self.created_at);
        file.push("last_step", self.last_step);
        let codes: Vec<Json> = self.recovery_codes.iter().map(|it| it.to_hex().into()).collect();
        file.push("recovery_codes_sha256", codes);
        Json::Object(file)
    }

    /// Returns true if this is one of the recovery codes. All are compared.
    pub fn has_recovery_code(&self, code: &RecoveryCode) -> bool {
        let hash = code.fingerprint();
        self.recovery_codes.iter().fold(false, |found, it| found | it.matches(&hash))
    }

    /// Removes a recovery code. Returns false if it was not there.
    pub fn use_recovery_code(&mut self, code: &RecoveryCode) -> bool {
        let (before, hash) = (self.recovery_codes.len(), code.fingerprint());
        self.recovery_codes.retain(|it| !it.matches(&hash));
        self.recovery_codes.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> TotpSecret {
        TotpSecret::new(*b"12345678901234567890")
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, for SHA-1; six digits are the last six of eight.
        let check = |seconds: i64, expect: &str| {
            let step = seconds / STEP_SECONDS;
            assert_eq!(secret().code_at(step), expect, "{seconds}");
            let now = Timestamp::from_seconds(seconds);
            assert_eq!(secret().find_step(expect, now, 0), Some(step), "{seconds}");
        };
        check(59, "287082");
        check(1_111_111_109, "081804");
        check(1_111_111_111, "050471");
        check(1_234_567_890, "005924");
        check(2_000_000_000, "279037");
        check(20_000_000_000, "353130");
    }

    #[test]
    fn codes_are_those_of_rfc_4226() {
        let expect = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583",
            "399871", "520489",
        ];
        for (step, code) in (0..).zip(expect) {
            assert_eq!(secret().code_at(step), code);
        }
    }

    #[test]
    fn clocks_may_differ_by_a_step_and_a_code_counts_once() {
        let check = |step: i64, after: i64, expect: Option<i64>| {
            let now = Timestamp::from_seconds(1_000 * STEP_SECONDS + 7);
            assert_eq!(secret().find_step(&secret().code_at(step), now, after), expect, "{step}");
        };
        check(998, 0, None);
        check(999, 0, Some(999));
        check(1_000, 0, Some(1_000));
        check(1_001, 0, Some(1_001));
        check(1_002, 0, None);
        check(1_000, 1_000, None);
        check(999, 1_000, None);
        check(1_001, 1_000, Some(1_001));
    }

    #[test]
    fn secrets_read_back() {
        let text = secret().reveal();
        assert_eq!(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(TotpSecret::parse(&text) == Some(secret()));
        assert!(TotpSecret::parse("gezd gnbv gy3t qojq gezd gnbv gy3t qojq") == Some(secret()));
        for wrong in ["", "GEZDGNBVGY3TQOJQ", "1EZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"] {
            assert!(TotpSecret::parse(wrong).is_none(), "{wrong}");
        }
        let odd = TotpSecret::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAA7").unwrap();
        assert_eq!(odd.reveal(), "AAAAAAAAAAAAAAAAAAAAAAAAAAA7".replace('7', "Q"));
    }

    #[test]
    fn the_address_for_apps() {
        assert_eq!(
            secret().to_uri("My: site", "anna@x"),
            "otpauth://totp/My%20%20site:anna%40x?\
             secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=My%20%20site"
        );
    }

    #[test]
    fn typed_codes() {
        let code = RecoveryCode::new([7; RECOVERY_BYTES]);
        let shown = code.reveal();
        assert_eq!(shown, "0w3g-e1r7-0w3g-e1r7");
        let recovery = TypedCode::Recovery(code.clone());
        assert!(TypedCode::parse(&shown) == recovery);
        assert!(TypedCode::parse(" OW3G EIR7-0w3gelr7") == recovery);
        assert!(TypedCode::parse(" 123 456") == TypedCode::Totp("123456".to_string()));
        assert!(TypedCode::parse(" - ") == TypedCode::Missing);
        for other in ["12345", "1234567", "١٢٣٤٥٦", "0w3g-e1r7-0w3g-e1r", "u".repeat(16).as_str()]
        {
            assert!(TypedCode::parse(other) == TypedCode::Other, "{other}");
        }
        let mut factor = SecondFactor {
            secret: secret(),
            created_at: None,
            last_step: 5,
            recovery_codes: vec![code.fingerprint()],
        };
        let again = SecondFactor::parse(&factor.to_json()).unwrap();
        assert!(again.has_recovery_code(&code) && again.last_step == 5);
        assert!(!factor.has_recovery_code(&RecoveryCode::new([8; RECOVERY_BYTES])));
        assert!(factor.use_recovery_code(&code) && !factor.use_recovery_code(&code));
    }

    #[test]
    fn what_cannot_be_read_is_no_factor() {
        for wrong in [
            "7",
            "{}",
            r#"{"secret":"short"}"#,
            r#"{"secret":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ","last_step":"x"}"#,
            r#"{"secret":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ","recovery_codes_sha256":["x"]}"#,
        ] {
            assert!(SecondFactor::parse(&Json::parse(wrong.as_bytes()).unwrap()).is_none());
        }
    }
}
