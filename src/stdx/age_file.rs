//! Files sealed with a passphrase, in version 1 of the format of
//! [age](https://age-encryption.org/v1). What is sealed here the program `age` opens with the
//! passphrase, and the other way round.
//!
//! Only the recipient type `scrypt` is supported: the crate `age` brings sixty others for the rest.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ring::aead;
use ring::hkdf;
use ring::hmac;
use scrypt::Params;

const VERSION_LINE: &str = "age-encryption.org/v1\n";
const SALT_LABEL: &[u8] = b"age-encryption.org/v1/scrypt";
const SALT_BYTES: usize = 16;
const FILE_KEY_BYTES: usize = 16;
const NONCE_BYTES: usize = 16;
const TAG_BYTES: usize = 16;

/// The plaintext of one chunk.
const CHUNK_BYTES: usize = 64 * 1024;

/// The longest header: three lines.
const HEADER_BYTES_MAX: usize = 512;

/// The reason why a file cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgeError {
    /// It is not sealed with a passphrase in this format, or it is cut off.
    #[error("it is not sealed with a passphrase in the format of age")]
    Format,
    /// The cost of opening it is above the limit.
    #[error("opening it would take too much memory")]
    Cost,
    /// The passphrase is another one.
    #[error("the passphrase is wrong")]
    Passphrase,
    /// It was changed after it was sealed.
    #[error("it is damaged")]
    Damaged,
}

/// The random bytes that sealing a file takes; never used twice.
#[derive(Clone, Copy)]
pub struct AgeRandom {
    salt: [u8; SALT_BYTES],
    file_key: [u8; FILE_KEY_BYTES],
    nonce: [u8; NONCE_BYTES],
}

impl AgeRandom {
    /// Returns bytes of the system.
    pub fn generate() -> Result<AgeRandom, getrandom::Error> {
        let mut random =
            AgeRandom { salt: [0; SALT_BYTES], file_key: [0; FILE_KEY_BYTES], nonce: [0; 16] };
        getrandom::fill(&mut random.salt)?;
        getrandom::fill(&mut random.file_key)?;
        getrandom::fill(&mut random.nonce)?;
        Ok(random)
    }
}

/// Seals bytes with a passphrase. Opening takes `2^log_n` KiB of memory and time in proportion:
/// what makes guessing expensive.
pub fn seal(passphrase: &str, log_n: u8, random: &AgeRandom, plain: &[u8]) -> Vec<u8> {
    let wrapping = derive_wrapping_key(passphrase, &random.salt, log_n);
    let mut wrapped = random.file_key.to_vec();
    seal_chunk(&wrapping, [0; 12], &mut wrapped);
    let encode = |bytes: &[u8]| STANDARD_NO_PAD.encode(bytes);
    let header = format!(
        "{VERSION_LINE}-> scrypt {} {log_n}\n{}\n---",
        encode(&random.salt),
        encode(&wrapped)
    );
    let mac = hmac::sign(&header_key(&random.file_key), header.as_bytes());
    let n_chunks = plain.len().div_ceil(CHUNK_BYTES).max(1);
    let mut sealed = Vec::with_capacity(HEADER_BYTES_MAX + plain.len() + n_chunks * TAG_BYTES);
    sealed.extend_from_slice(format!("{header} {}\n", encode(mac.as_ref())).as_bytes());
    sealed.extend_from_slice(&random.nonce);
    let key = payload_key(&random.file_key, &random.nonce);
    for number in 0..n_chunks {
        let from = number * CHUNK_BYTES;
        let until = plain.len().min(from + CHUNK_BYTES);
        let mut chunk = plain.get(from..until).unwrap_or_default().to_vec();
        seal_chunk(&key, chunk_nonce(number, number + 1 == n_chunks), &mut chunk);
        sealed.append(&mut chunk);
    }
    sealed
}

/// Opens a sealed file. Refuses one whose cost is above `2^log_n_max` KiB of memory.
pub fn open(passphrase: &str, log_n_max: u8, sealed: &[u8]) -> Result<Vec<u8>, AgeError> {
    let header = parse_header(sealed).ok_or(AgeError::Format)?;
    if header.log_n > log_n_max {
        return Err(AgeError::Cost);
    }
    let wrapping = derive_wrapping_key(passphrase, &header.salt, header.log_n);
    let mut wrapped = header.wrapped;
    let file_key = open_chunk(&wrapping, [0; 12], &mut wrapped).ok_or(AgeError::Passphrase)?;
    let file_key: [u8; FILE_KEY_BYTES] = file_key.try_into().map_err(|_| AgeError::Format)?;
    hmac::verify(&header_key(&file_key), header.signed, &header.mac)
        .map_err(|_| AgeError::Damaged)?;
    let (nonce, payload) = header.rest.split_at_checked(NONCE_BYTES).ok_or(AgeError::Format)?;
    let key = payload_key(&file_key, nonce);
    let chunks: Vec<&[u8]> = payload.chunks(CHUNK_BYTES + TAG_BYTES).collect();
    let mut plain = Vec::with_capacity(payload.len());
    let mut buffer = Vec::with_capacity(CHUNK_BYTES + TAG_BYTES);
    for (number, chunk) in chunks.iter().enumerate() {
        buffer.clear();
        buffer.extend_from_slice(chunk);
        let nonce = chunk_nonce(number, number + 1 == chunks.len());
        let opened = open_chunk(&key, nonce, &mut buffer).ok_or(AgeError::Damaged)?;
        // Only an empty file ends with an empty chunk.
        if opened.is_empty() && number > 0 {
            return Err(AgeError::Damaged);
        }
        plain.extend_from_slice(opened);
    }
    // Without any chunk, its end is missing.
    if chunks.is_empty() { Err(AgeError::Damaged) } else { Ok(plain) }
}

/// The parts of a header.
struct AgeHeader<'a> {
    salt: [u8; SALT_BYTES],
    log_n: u8,
    wrapped: Vec<u8>,
    /// The bytes that the checksum is of.
    signed: &'a [u8],
    mac: Vec<u8>,
    rest: &'a [u8],
}

fn parse_header(sealed: &[u8]) -> Option<AgeHeader<'_>> {
    let beginning = sealed.get(..sealed.len().min(HEADER_BYTES_MAX))?;
    let mut ends = beginning.iter().enumerate().filter(|(_, it)| **it == b'\n').map(|(at, _)| at);
    let [_, _, third, fourth] = [ends.next()?, ends.next()?, ends.next()?, ends.next()?];
    let text = str::from_utf8(beginning.get(..=fourth)?).ok()?;
    let mut lines = text.strip_prefix(VERSION_LINE)?.lines();
    let (salt, log_n) = lines.next()?.strip_prefix("-> scrypt ")?.split_once(' ')?;
    let decode = |text: &str| STANDARD_NO_PAD.decode(text).ok();
    let is_number = !log_n.starts_with(['0', '+']);
    let wrapped = decode(lines.next()?)?;
    let mac = decode(lines.next()?.strip_prefix("--- ")?)?;
    (wrapped.len() == FILE_KEY_BYTES + TAG_BYTES).then_some(())?;
    Some(AgeHeader {
        salt: decode(salt)?.try_into().ok()?,
        log_n: log_n.parse().ok().filter(|it| is_number && (1..=63).contains(it))?,
        wrapped,
        signed: sealed.get(..third + 1 + "---".len())?,
        mac,
        rest: sealed.get(fourth + 1..)?,
    })
}

fn derive_wrapping_key(passphrase: &str, salt: &[u8], log_n: u8) -> aead::LessSafeKey {
    let salt = [SALT_LABEL, salt].concat();
    let mut key = [0; 32];
    let params = Params::new(log_n, 8, 1).expect("costs from 1 to 63 are valid");
    scrypt::scrypt(passphrase.as_bytes(), &salt, &params, &mut key)
        .expect("32 bytes are a valid length");
    cipher_key(&key)
}

fn cipher_key(key: &[u8; 32]) -> aead::LessSafeKey {
    let key = aead::UnboundKey::new(&aead::CHACHA20_POLY1305, key);
    aead::LessSafeKey::new(key.expect("the length of the key is right"))
}

fn derive_key(file_key: &[u8], salt: &[u8], info: &[u8]) -> [u8; 32] {
    let secret = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(file_key);
    let mut key = [0; 32];
    let info = [info];
    let derived = secret.expand(&info, hkdf::HKDF_SHA256).expect("one block is not too long");
    derived.fill(&mut key).expect("the length is that of the hash");
    key
}

fn header_key(file_key: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &derive_key(file_key, &[], b"header"))
}

fn payload_key(file_key: &[u8], nonce: &[u8]) -> aead::LessSafeKey {
    cipher_key(&derive_key(file_key, nonce, b"payload"))
}

/// Returns the nonce of a chunk: its number in 11 bytes, then 1 for the last one.
fn chunk_nonce(number: usize, is_last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&(number as u64).to_be_bytes());
    nonce[11] = u8::from(is_last);
    nonce
}

fn seal_chunk(key: &aead::LessSafeKey, nonce: [u8; 12], chunk: &mut Vec<u8>) {
    let nonce = aead::Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce, aead::Aad::empty(), chunk)
        .expect("a chunk is shorter than the cipher allows");
}

fn open_chunk<'a>(
    key: &aead::LessSafeKey,
    nonce: [u8; 12],
    chunk: &'a mut [u8],
) -> Option<&'a [u8]> {
    let nonce = aead::Nonce::assume_unique_for_key(nonce);
    key.open_in_place(nonce, aead::Aad::empty(), chunk).ok().map(|it| &*it)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> AgeRandom {
        AgeRandom::generate().unwrap()
    }

    #[test]
    fn what_is_sealed_can_be_opened() {
        for length in [0, 1, 100, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, CHUNK_BYTES * 2] {
            let plain: Vec<u8> = (0..length).map(|it| (it % 251) as u8).collect();
            let sealed = seal("secret", 2, &random(), &plain);
            assert!(open("secret", 2, &sealed) == Ok(plain), "{length}");
            assert_eq!(open("other", 2, &sealed), Err(AgeError::Passphrase), "{length}");
            assert_eq!(open("secret", 1, &sealed), Err(AgeError::Cost), "{length}");
        }
    }

    /// Files made by the crate `age` 0.12 with the passphrase `correct horse`.
    #[test]
    fn files_of_the_other_program_are_opened() {
        let check = |sealed: &[u8], expect: &[u8]| {
            assert!(open("correct horse", 10, sealed).as_deref() == Ok(expect));
        };
        check(include_bytes!("../../tests/data/age/short.age"), b"Hello, age!\n");
        check(include_bytes!("../../tests/data/age/empty.age"), b"");
        let long: Vec<u8> = (0..CHUNK_BYTES + 5).map(|it| (it % 251) as u8).collect();
        check(include_bytes!("../../tests/data/age/long.age"), &long);
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let sealed = seal("secret", 1, &random(), b"some bytes");
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(open("secret", 1, &changed).is_err(), "{at}");
            assert!(open("secret", 1, &sealed[..at]).is_err(), "{at}");
        }
        let mut longer = sealed;
        longer.push(0);
        assert!(open("secret", 1, &longer).is_err());
    }

    #[test]
    fn chunks_are_neither_swapped_nor_left_out() {
        let plain = vec![7; CHUNK_BYTES * 3];
        let sealed = seal("secret", 1, &random(), &plain);
        let payload = sealed.len() - 3 * (CHUNK_BYTES + TAG_BYTES);
        let chunk = |number: usize| {
            let from = payload + number * (CHUNK_BYTES + TAG_BYTES);
            &sealed[from..from + CHUNK_BYTES + TAG_BYTES]
        };
        let joined = |order: &[usize]| {
            let mut file = sealed[..payload].to_vec();
            order.iter().for_each(|it| file.extend_from_slice(chunk(*it)));
            open("secret", 1, &file)
        };
        assert!(joined(&[0, 1, 2]).is_ok());
        for order in [&[1, 0, 2][..], &[0, 2], &[0, 1], &[0, 1, 2, 2], &[]] {
            assert_eq!(joined(order), Err(AgeError::Damaged), "{order:?}");
        }
    }
}
