//! Signatures that prove the origin and the integrity of a message, as specified by "Standard
//! Webhooks", and in an older form that existing receivers know.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use crate::stdx::time::Timestamp;

const PREFIX: &str = "whsec_";
const BYTES_MIN: usize = 24;
const BYTES_MAX: usize = 64;
const CHARS_MIN: usize = 16;
const CHARS_MAX: usize = 256;

/// The secret shared with the receiver of a webhook. It has no `Debug`, so it cannot be printed by
/// accident: only [`WebhookSecret::reveal`] returns it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret {
    /// The text shown to the user.
    text: String,
    key: Vec<u8>,
}

impl WebhookSecret {
    /// Creates a secret from random bytes.
    pub fn issue(random: [u8; 32]) -> WebhookSecret {
        let text = format!("{PREFIX}{}", STANDARD.encode(random));
        WebhookSecret { text, key: random.to_vec() }
    }

    /// Parses `whsec_` and 24 to 64 bytes of base64, which are the key; or any other text of 16 to
    /// 256 characters, whose own bytes are the key.
    pub fn parse(text: &str) -> Option<WebhookSecret> {
        let is_long_enough = |key: &Vec<u8>| (BYTES_MIN..=BYTES_MAX).contains(&key.len());
        let key = match text.strip_prefix(PREFIX) {
            Some(encoded) => STANDARD.decode(encoded).ok().filter(is_long_enough)?,
            None if (CHARS_MIN..=CHARS_MAX).contains(&text.chars().count()) => text.into(),
            None => return None,
        };
        Some(WebhookSecret { text: text.to_string(), key })
    }

    /// Returns the text of the secret.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// Returns the value of `webhook-signature` for a message sent at `at`.
    pub fn sign(&self, message_id: &str, at: Timestamp, body: &str) -> String {
        let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &self.key));
        context.update(format!("{message_id}.{}.", at.seconds()).as_bytes());
        context.update(body.as_bytes());
        format!("v1,{}", STANDARD.encode(context.sign()))
    }

    /// Returns the value of `X-Recto-Signature`, which covers only the body.
    pub fn sign_body(&self, body: &str) -> String {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &self.key), body.as_bytes());
        let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("sha256={hex}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_specification() {
        // The test vector shared by implementations of the specification.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let (id, body) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", r#"{"test": 2432232314}"#);
        let at = Timestamp::from_seconds(1_614_265_330);
        let expect = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(secret.sign(id, at, body), expect);
    }

    #[test]
    fn the_body_is_signed_in_hexadecimal_digits() {
        // Computed with another program.
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let expect = "sha256=e2cb4f5251572539d458bfb8a7adb533b08801e6a794467e06f771debbb0818b";
        assert_eq!(secret.sign_body(r#"{"test": 2432232314}"#), expect);
    }

    #[test]
    fn the_form_of_a_secret() {
        let issued = WebhookSecret::issue([7; 32]);
        assert!(WebhookSecret::parse(issued.reveal()).is_some_and(|it| it == issued));
        let check = |bytes: usize, expect: bool| {
            let text = format!("whsec_{}", STANDARD.encode(vec![1; bytes]));
            assert_eq!(WebhookSecret::parse(&text).is_some(), expect, "{bytes}");
        };
        check(23, false);
        check(24, true);
        check(64, true);
        check(65, false);
        for text in ["", "whsec_", "whsec_!!!!!!!!!!!!!!!!!!!!!!!!!", "whsec_ MfKQ"] {
            assert!(WebhookSecret::parse(text).is_none(), "{text}");
        }
        let check = |text: &str, expect: bool| {
            let secret = WebhookSecret::parse(text);
            assert_eq!(
                secret.as_ref().map(WebhookSecret::reveal),
                expect.then_some(text),
                "{text}"
            );
        };
        check(&"ü".repeat(15), false);
        check(&"ü".repeat(16), true);
        check(&" a\u{0}".repeat(85), true);
        check(&"x".repeat(256), true);
        check(&"x".repeat(257), false);
    }

    #[test]
    fn a_secret_of_any_kind_signs_with_its_own_bytes() {
        // Computed with another program.
        let secret = WebhookSecret::parse("correct horse battery").unwrap();
        let expect = "sha256=bdc45891bd59b43db96669ee875527736e5623562f781788daac5f4a5ae24739";
        assert_eq!(secret.sign_body("what do ya want for nothing?"), expect);
    }
}
