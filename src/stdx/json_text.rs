//! JSON values as text: compact, and in the form of files.

use std::iter::repeat_n;

use crate::stdx::json::Json;
use crate::stdx::json::write_number;

/// The number of bytes of a string that are checked for escapes at once.
const CHUNK_BYTES: usize = 32;

/// The number of spaces per level in a file.
const INDENT: usize = 2;

impl Json {
    /// Appends the value without white space.
    pub fn write_compact(&self, out: &mut Vec<u8>) {
        self.write(None, out);
    }

    /// Returns the canonical form of a file: 2 spaces of indentation, keys in order, a line feed at
    /// the end.
    pub fn to_file(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(512);
        self.write(Some(0), &mut out);
        out.push(b'\n');
        out
    }

    /// Appends the value, on lines of its own below `depth` if there is one.
    fn write(&self, depth: Option<usize>, out: &mut Vec<u8>) {
        let below = depth.map(|it| it + 1);
        match self {
            Json::Null => out.extend_from_slice(b"null"),
            Json::Bool(true) => out.extend_from_slice(b"true"),
            Json::Bool(false) => out.extend_from_slice(b"false"),
            Json::Number(number) => write_number(number, out),
            Json::String(text) => write_string(text, out),
            Json::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    begin_item(index, below, out);
                    item.write(below, out);
                }
                end_items(items.is_empty(), depth, out);
                out.push(b']');
            }
            Json::Object(map) => {
                out.push(b'{');
                for (index, (key, value)) in map.iter().enumerate() {
                    begin_item(index, below, out);
                    write_string(key, out);
                    out.extend_from_slice(if depth.is_some() { b": " } else { b":" });
                    value.write(below, out);
                }
                end_items(map.is_empty(), depth, out);
                out.push(b'}');
            }
        }
    }
}

fn begin_item(index: usize, depth: Option<usize>, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
    break_line(depth, out);
}

fn end_items(are_none: bool, depth: Option<usize>, out: &mut Vec<u8>) {
    if !are_none {
        break_line(depth, out);
    }
}

fn break_line(depth: Option<usize>, out: &mut Vec<u8>) {
    if let Some(depth) = depth {
        out.push(b'\n');
        out.extend(repeat_n(b' ', depth * INDENT));
    }
}

/// Appends a JSON string. Escapes as little as JSON allows.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (clean, behind) = rest.split_at(clean_length(rest));
        out.extend_from_slice(clean);
        let Some((escaped, behind)) = behind.split_first() else { break };
        write_escape(*escaped, out);
        rest = behind;
    }
    out.push(b'"');
}

/// Returns the number of bytes before the first that must be escaped. Nearly all text is clean, so
/// it is checked in chunks, for which the compiler uses vector instructions.
fn clean_length(text: &[u8]) -> usize {
    let is_clean = |chunk: &&[u8]| !chunk.iter().fold(false, |any, it| any | needs_escape(*it));
    let checked = text.chunks_exact(CHUNK_BYTES).take_while(is_clean).count() * CHUNK_BYTES;
    let rest = text.get(checked..).unwrap_or_default();
    checked + rest.iter().position(|it| needs_escape(*it)).unwrap_or(rest.len())
}

fn needs_escape(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        other => {
            let digit = |place: u8| DIGITS[usize::from(place & 0xf)];
            return out.extend_from_slice(&[
                b'\\',
                b'u',
                b'0',
                b'0',
                digit(other >> 4),
                digit(other),
            ]);
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn check(value: &Json) {
        let mut compact = Vec::new();
        value.write_compact(&mut compact);
        assert_eq!(compact, serde_json::to_vec(value).unwrap());
        let pretty = serde_json::to_vec_pretty(value).unwrap();
        assert_eq!(value.to_file(), [&*pretty, b"\n"].concat());
    }

    #[test]
    fn values_are_written_as_serde_does() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"[true,false,null,-1.5,1e300,18446744073709551615]"#,
            r#"{"a":{},"b":[[]],"c":{"d":[1,{"e":2}]},"":""}"#,
        ] {
            check(&Json::parse(text.as_bytes()).unwrap());
        }
    }

    #[test]
    fn every_byte_is_escaped_as_serde_does() {
        for length in [0, 1, 31, 32, 33, 64, 100] {
            for byte in 0..128_u8 {
                let text = "x".repeat(length) + &char::from(byte).to_string() + "ü𝄞";
                check(&Json::String(text));
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_does(
            pieces in vec(prop_oneof!["[a-zé]{0,40}", "[\\x00-\\x7f]{0,3}", ".{0,5}"], 0..9),
        ) {
            check(&Json::String(pieces.concat()));
        }
    }
}
