//! The codes of authenticator apps, by RFC 6238, as an app computes them.

use ring::hmac;

/// Returns the code of a base32 secret at a time in seconds.
pub(crate) fn code(secret: &str, seconds: i64) -> String {
    let digit = |it: u8| match it {
        b'A'..=b'Z' => it - b'A',
        b'2'..=b'7' => it - b'2' + 26,
        _ => panic!("{secret:?} is not base32"),
    };
    let bits: Vec<u8> =
        secret.bytes().flat_map(|it| (0..5).rev().map(move |bit| digit(it) >> bit & 1)).collect();
    let byte = |bits: &[u8]| bits.iter().fold(0, |byte, bit| byte << 1 | bit);
    let key: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &key);
    let tag = hmac::sign(&key, &(seconds / 30).to_be_bytes());
    let at = usize::from(tag.as_ref()[19] & 15);
    let number = u32::from_be_bytes(tag.as_ref()[at..at + 4].try_into().unwrap());
    format!("{:06}", number % (1 << 31) % 1_000_000)
}
