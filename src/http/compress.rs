//! Compression by `Accept-Encoding`, for text and JSON: brotli and gzip, of whole bodies and of
//! bodies made while they are sent.
//!
//! Large bodies are compressed piece by piece between writes, so none keeps the event loop for
//! longer than a frame takes (about a millisecond). A caller that keeps compressed variants makes
//! them with [`whole`] on a blocking thread.

use std::io;
use std::io::Write as _;

use brotli::CompressorWriter;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use super::headers::add_vary;
use super::reply::Frames;
use super::reply::Reply;
use super::reply::ReplyBody;

/// Smaller bodies are sent as they are.
pub const BYTES_MIN: u64 = 1_024;
/// What is compressed at once; larger bodies are cut into frames of this size.
const FRAME_BYTES_MAX: usize = 64 * 1_024;
/// As fast as gzip, and denser.
const BROTLI_QUALITY: u32 = 4;
/// 512 KiB at most: an encoder then needs about 2 MiB, however long the body is.
const BROTLI_WINDOW_BITS_MAX: u32 = 19;
const BROTLI_WINDOW_BITS_MIN: u32 = 10;
const BROTLI_BUFFER_BYTES: usize = 16 * 1_024;
const GZIP_LEVEL: u32 = 5;

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// Brotli.
    Br,
    /// Gzip.
    Gzip,
}

impl Coding {
    /// Its name, as a header value.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Coding::Br => "br",
            Coding::Gzip => "gzip",
        }
    }
}

/// The coding a client likes best, brotli before gzip where it likes both alike; `None` for no
/// coding, also when the client refuses that too (RFC 9110 leaves it to the server).
#[must_use]
pub fn negotiate(headers: &HeaderMap) -> Option<Coding> {
    let mut wishes = Wishes::default();
    for value in headers.get_all(header::ACCEPT_ENCODING) {
        value.to_str().ok()?.split(',').for_each(|it| wishes.add(it));
    }
    let any = wishes.any.unwrap_or(0);
    let (br, gzip) = (wishes.br.unwrap_or(any), wishes.gzip.unwrap_or(any));
    let (best, coding) = if br >= gzip { (br, Coding::Br) } else { (gzip, Coding::Gzip) };
    (best > 0 && best >= wishes.identity.unwrap_or(0)).then_some(coding)
}

/// Weights in thousandths.
#[derive(Default)]
struct Wishes {
    br: Option<u16>,
    gzip: Option<u16>,
    identity: Option<u16>,
    any: Option<u16>,
}

impl Wishes {
    fn add(&mut self, item: &str) {
        let (coding, parameter) = item.split_once(';').unwrap_or((item, ""));
        let Some(weight) = weight(parameter.trim()) else { return };
        let wish = match coding.trim().to_ascii_lowercase().as_str() {
            "br" => &mut self.br,
            "gzip" | "x-gzip" => &mut self.gzip,
            "identity" => &mut self.identity,
            "*" => &mut self.any,
            _ => return,
        };
        *wish = Some(weight);
    }
}

/// `q=0.5` as 500; absent is 1; `None` when malformed.
fn weight(parameter: &str) -> Option<u16> {
    if parameter.is_empty() {
        return Some(1_000);
    }
    let (name, value) = parameter.split_once('=')?;
    let (ones, fraction) = value.trim().split_once('.').unwrap_or((value.trim(), ""));
    let digits = fraction.len() <= 3 && fraction.bytes().all(|it| it.is_ascii_digit());
    if !name.trim().eq_ignore_ascii_case("q") || !digits {
        return None;
    }
    let thousandths: u16 = format!("{fraction:0<3}").parse().ok()?;
    match ones {
        "0" => Some(thousandths),
        "1" => (thousandths == 0).then_some(1_000),
        _ => None,
    }
}

/// Whether a media type is worth compressing. Event streams are not: each event must go out alone.
#[must_use]
pub fn is_compressible(content_type: &HeaderValue) -> bool {
    let Ok(text) = content_type.to_str() else { return false };
    let essence = text.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match essence.split_once('/') {
        Some(("text", subtype)) => subtype != "event-stream",
        Some(("image", subtype)) => subtype == "svg+xml" || subtype == "bmp",
        Some(("application", subtype)) => {
            matches!(subtype, "json" | "javascript" | "xml" | "yaml" | "x-ndjson" | "wasm")
                || subtype.ends_with("+json")
                || subtype.ends_with("+xml")
        }
        _ => false,
    }
}

/// Compresses a reply that is worth it, and says in `Vary` that it might have been. Its strong
/// `ETag` must already tell the coding. Files and parts of files stay as they are.
#[must_use]
pub fn apply(mut reply: Reply, coding: Option<Coding>) -> Reply {
    let settled = reply.header(&header::CONTENT_ENCODING).is_some()
        || reply.status == StatusCode::PARTIAL_CONTENT
        || !reply.header(&header::CONTENT_TYPE).is_some_and(is_compressible);
    if settled {
        return reply;
    }
    add_vary(&mut reply.headers, &[header::ACCEPT_ENCODING]);
    let long = reply.body.len_bytes().is_none_or(|it| it >= BYTES_MIN);
    let Some(coding) = coding.filter(|_| long) else { return reply };
    let (body, coded) = apply_to_body(reply.body, coding);
    reply.body = body;
    if coded {
        reply.set(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    }
    reply
}

fn apply_to_body(body: ReplyBody, coding: Coding) -> (ReplyBody, bool) {
    let frames: Frames = match body {
        ReplyBody::Empty | ReplyBody::File(_) => return (body, false),
        ReplyBody::Full(bytes) if bytes.len() <= FRAME_BYTES_MAX => {
            return match whole(coding, &bytes) {
                Ok(coded) => (ReplyBody::from(coded), true),
                Err(_) => (ReplyBody::Full(bytes), false),
            };
        }
        ReplyBody::Full(bytes) => Box::new(cut(bytes).map(Ok)),
        ReplyBody::Parts(parts) => Box::new(parts.flat_map(cut).map(Ok)),
        ReplyBody::Pull(pull) => pull.into_frames(),
    };
    (ReplyBody::pull_heavy(coded_frames(coding, frames)), true)
}

fn cut(mut bytes: Bytes) -> impl Iterator<Item = Bytes> + Send {
    std::iter::from_fn(move || {
        let n = bytes.len().min(FRAME_BYTES_MAX);
        (n > 0).then(|| bytes.split_to(n))
    })
}

/// Compresses in one go: about a millisecond for 64 KiB, so longer bodies belong on a blocking
/// thread.
///
/// # Errors
/// The encoder failed; send the body as it is.
pub fn whole(coding: Coding, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(coding, bytes.len());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Compresses pieces as they come, each flushed so that the client can use it at once. Needs the
/// same memory whatever the length.
pub fn coded_frames(
    coding: Coding,
    mut frames: impl Iterator<Item = io::Result<Bytes>> + Send,
) -> impl Iterator<Item = io::Result<Bytes>> + Send {
    let mut encoder = Some(Encoder::new(coding, usize::MAX));
    std::iter::from_fn(move || {
        let frame = if encoder.is_some() { frames.next() } else { None };
        let coded = match (encoder.as_mut(), frame) {
            (None, _) => return None,
            (Some(encoder), Some(Ok(frame))) => encoder.push(&frame),
            (Some(_), Some(Err(error))) => Err(error),
            (Some(_), None) => encoder.take()?.finish(),
        };
        if coded.is_err() {
            encoder = None;
        }
        Some(coded.map(Bytes::from))
    })
}

enum Encoder {
    Br(Box<CompressorWriter<Vec<u8>>>),
    Gzip(Box<GzEncoder<Vec<u8>>>),
}

impl Encoder {
    /// For about this many bytes: brotli sets aside memory for its window.
    fn new(coding: Coding, len_bytes: usize) -> Self {
        let out = Vec::new();
        match coding {
            Coding::Br => {
                let bits = (usize::BITS - len_bytes.leading_zeros())
                    .clamp(BROTLI_WINDOW_BITS_MIN, BROTLI_WINDOW_BITS_MAX);
                let writer = CompressorWriter::new(out, BROTLI_BUFFER_BYTES, BROTLI_QUALITY, bits);
                Encoder::Br(Box::new(writer))
            }
            Coding::Gzip => {
                Encoder::Gzip(Box::new(GzEncoder::new(out, Compression::new(GZIP_LEVEL))))
            }
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Encoder::Br(it) => it.write_all(bytes),
            Encoder::Gzip(it) => it.write_all(bytes),
        }
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.write_all(bytes)?;
        match self {
            Encoder::Br(it) => {
                it.flush()?;
                Ok(std::mem::take(it.get_mut()))
            }
            Encoder::Gzip(it) => {
                it.flush()?;
                Ok(std::mem::take(it.get_mut()))
            }
        }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Br(it) => Ok(it.into_inner()),
            Encoder::Gzip(it) => it.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;
    use std::io::Read as _;

    fn check(accept: &str, expect: Option<Coding>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::try_from(accept).unwrap());
        assert_eq!(negotiate(&headers), expect, "{accept:?}");
    }

    #[test]
    fn the_best_coding_is_chosen() {
        assert_eq!(negotiate(&HeaderMap::new()), None);
        check("", None);
        check("gzip, deflate, br, zstd", Some(Coding::Br));
        check("gzip", Some(Coding::Gzip));
        check("X-GZIP ; q=1.000", Some(Coding::Gzip));
        check("br;q=0.5, gzip;q=0.8", Some(Coding::Gzip));
        check("br;q=0, *", Some(Coding::Gzip));
        check("*", Some(Coding::Br));
        check("*;q=0", None);
        check("gzip;q=0.5, identity", None);
        check("gzip;q=0.5, identity;q=0.5", Some(Coding::Gzip));
        check("identity;q=0", None);
        check("identity;q=0, gzip;q=0.001", Some(Coding::Gzip));
        check("br;q=2, gzip;q=x, *;q=0.1234", None);
        check("br;level=4, deflate", None);
        check("br;q=1.1", None);
    }

    #[test]
    fn text_is_worth_it() {
        for (media_type, expect) in [
            ("application/json; charset=utf-8", true),
            ("Text/HTML", true),
            ("application/vnd.api+json", true),
            ("image/svg+xml", true),
            ("text/event-stream", false),
            ("image/png", false),
            ("application/zip", false),
            ("video/mp4", false),
            ("json", false),
        ] {
            assert_eq!(
                is_compressible(&HeaderValue::from_static(media_type)),
                expect,
                "{media_type}"
            );
        }
    }

    fn decode(coding: Coding, coded: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        match coding {
            Coding::Br => brotli::Decompressor::new(coded, 4_096).read_to_end(&mut plain).unwrap(),
            Coding::Gzip => flate2::read::GzDecoder::new(coded).read_to_end(&mut plain).unwrap(),
        };
        plain
    }

    fn text(len_bytes: usize) -> Vec<u8> {
        let words = (0_u32..).flat_map(|n| {
            format!("{{\"id\":{},\"title\":\"entry\"}},", n * 7919 % 9_973).into_bytes()
        });
        words.take(len_bytes).collect()
    }

    fn applied(body: ReplyBody, coding: Option<Coding>) -> (Option<HeaderValue>, Vec<u8>) {
        let json = HeaderValue::from_static("application/json");
        let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, json).with_body(body);
        let reply = apply(reply, coding);
        assert_eq!(reply.header(&header::VARY).unwrap(), "accept-encoding");
        let coded = reply.header(&header::CONTENT_ENCODING).cloned();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        (coded, runtime.block_on(reply.body.collect()).unwrap().to_bytes().to_vec())
    }

    #[test]
    fn bodies_come_back() {
        let plain = text(300_000);
        for coding in [Coding::Br, Coding::Gzip] {
            let bytes = Bytes::from(plain.clone());
            for body in [
                ReplyBody::Full(bytes.slice(..2_000)),
                ReplyBody::Full(bytes.clone()),
                ReplyBody::parts(vec![bytes.slice(..7), bytes.slice(7..200_000)]),
                ReplyBody::pull(cut(bytes.clone())),
            ] {
                let expect = body.len_bytes().map_or(plain.len(), |it| it as usize);
                let (name, coded) = applied(body, Some(coding));
                assert_eq!(name.unwrap(), coding.name());
                assert!(coded.len() * 2 < expect, "{} of {expect}", coded.len());
                assert_eq!(decode(coding, &coded), plain[..expect]);
            }
            assert_eq!(
                applied(ReplyBody::pull(std::iter::empty()), Some(coding)).0.unwrap(),
                coding.name()
            );
        }
    }

    #[test]
    fn small_bodies_stay() {
        let small = Bytes::from(text(1_023));
        assert_eq!(applied(small.clone().into(), Some(Coding::Br)), (None, small.to_vec()));
        let large = Bytes::from(text(5_000));
        assert_eq!(applied(large.clone().into(), None), (None, large.to_vec()));
    }

    #[test]
    fn each_frame_can_be_read_at_once() {
        for coding in [Coding::Br, Coding::Gzip] {
            let frames = [text(3_000), text(2_000)].map(|it| Ok(Bytes::from(it)));
            let first = coded_frames(coding, frames.into_iter()).next().unwrap().unwrap();
            let mut start = vec![0; 3_000];
            match coding {
                Coding::Br => {
                    brotli::Decompressor::new(&first[..], 4_096).read_exact(&mut start).unwrap()
                }
                Coding::Gzip => {
                    flate2::read::GzDecoder::new(&first[..]).read_exact(&mut start).unwrap()
                }
            }
            assert_eq!(start, text(3_000));
        }
    }

    #[test]
    fn an_error_ends_the_frames() {
        let frames = [Ok(Bytes::from("x")), Err(io::ErrorKind::Other.into()), Ok(Bytes::from("y"))];
        let ends: Vec<bool> =
            coded_frames(Coding::Br, frames.into_iter()).map(|it| it.is_ok()).collect();
        assert_eq!(ends, [true, false]);
    }
}
