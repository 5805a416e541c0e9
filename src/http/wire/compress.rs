//! The compression of responses by `Accept-Encoding`, for text and JSON: brotli and gzip, for
//! finished and for streamed bodies.
//!
//! Anything longer than a frame is compressed on blocking threads. Finished bodies are compressed
//! in one go. Streamed bodies are compressed frame by frame, with gzip only: its frames are
//! independent, so that a client that does not read occupies no encoder; one of brotli takes
//! megabytes.

use std::io;
use std::io::Write as _;

use brotli::CompressorWriter;
use bytes::Bytes;
use flate2::Compression;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use flate2::write::GzEncoder;
use http::HeaderMap;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use super::headers::add_vary;
use super::pulled_body::Frames;
use super::reply::Reply;
use super::reply::ReplyBody;

/// The fewest bytes of a body that is compressed.
pub const BYTES_MIN: u64 = 1_024;
/// The most bytes compressed at once; larger bodies are cut into frames of this size.
const FRAME_BYTES_MAX: usize = 64 * 1_024;
/// The most bytes of a body that is compressed in one go.
const WHOLE_BYTES_MAX: u64 = 1_024 * 1_024;
/// The quality of brotli that is as fast as gzip, and denser.
const BROTLI_QUALITY: u32 = 4;
/// The largest window: 512 KiB, so that an encoder takes about 2 MiB, however long the body is.
const BROTLI_WINDOW_BITS_MAX: u32 = 19;
const BROTLI_WINDOW_BITS_MIN: u32 = 10;
const BROTLI_BUFFER_BYTES: usize = 16 * 1_024;
const GZIP_LEVEL: u32 = 5;
/// The head of a gzip stream without name, time and system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// An empty last block.
const DEFLATE_END: &[u8] = &[3, 0];

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// Brotli.
    Br,
    /// Gzip.
    Gzip,
}

impl Coding {
    /// Returns the name in header values.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Coding::Br => "br",
            Coding::Gzip => "gzip",
        }
    }
}

/// The codings that a client accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptedCodings {
    /// The preferred coding; `None` for no coding.
    best: Option<Coding>,
    /// True if gzip is accepted and not ranked below no coding.
    gzip: bool,
}

impl AcceptedCodings {
    /// Parses the codings that a request accepts. Brotli is preferred to gzip at equal weight. No
    /// coding is used even if the client refuses it (RFC 9110 leaves that to the server).
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> AcceptedCodings {
        let mut weights = CodingWeights::default();
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            let Ok(text) = value.to_str() else { return AcceptedCodings::default() };
            text.split(',').for_each(|it| weights.add_item(it));
        }
        let any = weights.any.unwrap_or(0);
        let (br, gzip) = (weights.br.unwrap_or(any), weights.gzip.unwrap_or(any));
        let (weight, coding) = if br >= gzip { (br, Coding::Br) } else { (gzip, Coding::Gzip) };
        let is_wanted = |weight: u16| weight > 0 && weight >= weights.identity.unwrap_or(0);
        AcceptedCodings { best: is_wanted(weight).then_some(coding), gzip: is_wanted(gzip) }
    }

    /// Returns the coding for this body.
    #[must_use]
    pub fn coding_of(self, body: &ReplyBody) -> Option<Coding> {
        match body.len_bytes() {
            Some(length) if length <= WHOLE_BYTES_MAX => self.best,
            _ => self.gzip.then_some(Coding::Gzip),
        }
    }
}

/// Returns the coding that a client prefers.
#[must_use]
pub fn negotiate_coding(headers: &HeaderMap) -> Option<Coding> {
    AcceptedCodings::from_headers(headers).best
}

/// Weights in thousandths.
#[derive(Default)]
struct CodingWeights {
    br: Option<u16>,
    gzip: Option<u16>,
    identity: Option<u16>,
    any: Option<u16>,
}

impl CodingWeights {
    fn add_item(&mut self, item: &str) {
        let (coding, parameter) = item.split_once(';').unwrap_or((item, ""));
        let Some(weight) = parse_weight(parameter.trim()) else { return };
        let slot = match coding.trim().to_ascii_lowercase().as_str() {
            "br" => &mut self.br,
            "gzip" | "x-gzip" => &mut self.gzip,
            "identity" => &mut self.identity,
            "*" => &mut self.any,
            _ => return,
        };
        *slot = Some(weight);
    }
}

/// Parses a weight: `q=0.5` as 500. An absent weight is 1,000. Returns `None` if it is malformed.
fn parse_weight(parameter: &str) -> Option<u16> {
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

/// Returns true if a media type is worth compressing. Event streams are not: each event must be
/// sent on its own.
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

/// Compresses a reply if that is worth it, and adds `Accept-Encoding` to `Vary`. Its strong `ETag`
/// must already depend on the coding. Files and parts of files stay uncompressed.
#[must_use]
pub fn compress_reply(mut reply: Reply, accepted: AcceptedCodings) -> Reply {
    let settled = reply.header(&header::CONTENT_ENCODING).is_some()
        || reply.status == StatusCode::PARTIAL_CONTENT
        || !reply.header(&header::CONTENT_TYPE).is_some_and(is_compressible);
    if settled {
        return reply;
    }
    add_vary(&mut reply.headers, &[header::ACCEPT_ENCODING]);
    let long = reply.body.len_bytes().is_none_or(|it| it >= BYTES_MIN);
    let coding = accepted.coding_of(&reply.body);
    let Some(coding) = coding.filter(|_| long) else { return reply };
    let (body, coded) = compress_body(reply.body, coding);
    reply.body = body;
    if coded {
        reply.set_header(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    }
    reply
}

fn compress_body(body: ReplyBody, coding: Coding) -> (ReplyBody, bool) {
    let frames: Frames = match body {
        ReplyBody::Empty | ReplyBody::File(_) | ReplyBody::Live(_) => return (body, false),
        ReplyBody::Cached(body) => return compress_body(ReplyBody::Full(body.bytes), coding),
        ReplyBody::Full(bytes) if bytes.len() <= FRAME_BYTES_MAX => {
            return match compress_whole(coding, &bytes) {
                Ok(coded) => (ReplyBody::from(coded), true),
                Err(_) => (ReplyBody::Full(bytes), false),
            };
        }
        ReplyBody::Full(bytes) if bytes.len() as u64 <= WHOLE_BYTES_MAX => {
            return (ReplyBody::from_frames(compress_frames(coding, move || bytes)), true);
        }
        ReplyBody::Parts(parts) if parts.left_bytes() <= WHOLE_BYTES_MAX => {
            let join = move || Bytes::from(parts.collect::<Vec<_>>().concat());
            return (ReplyBody::from_frames(compress_frames(coding, join)), true);
        }
        ReplyBody::Full(bytes) => Box::new(split_frames(bytes).map(Ok)),
        ReplyBody::Parts(parts) => Box::new(parts.flat_map(split_frames).map(Ok)),
        ReplyBody::Pull(pull) => pull.into_frames(),
    };
    (ReplyBody::from_frames(gzip_frames(frames)), true)
}

/// Returns the frames of a body that is compressed in one go on demand.
fn compress_frames(
    coding: Coding,
    bytes: impl FnOnce() -> Bytes + Send,
) -> impl Iterator<Item = io::Result<Bytes>> + Send {
    std::iter::once_with(move || compress_whole(coding, &bytes())).flat_map(|coded| {
        let (coded, error) = coded.map_or_else(|it| (Vec::new(), Some(it)), |it| (it, None));
        split_frames(Bytes::from(coded)).map(Ok).chain(error.map(Err))
    })
}

fn split_frames(mut bytes: Bytes) -> impl Iterator<Item = Bytes> + Send {
    std::iter::from_fn(move || {
        let n = bytes.len().min(FRAME_BYTES_MAX);
        (n > 0).then(|| bytes.split_to(n))
    })
}

/// Compresses in one go. Takes about a millisecond for 64 KiB, so longer bodies belong on a
/// blocking thread.
///
/// # Errors
///
/// Fails if the encoder fails; send the uncompressed body then.
pub fn compress_whole(coding: Coding, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(coding, bytes.len());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Compresses each frame independently, so that the client can use it at once and no encoder has to
/// be kept between frames.
fn gzip_frames(
    mut frames: impl Iterator<Item = io::Result<Bytes>> + Send,
) -> impl Iterator<Item = io::Result<Bytes>> + Send {
    let mut check = Some(Crc::new());
    let mut head = GZIP_HEAD.to_vec();
    std::iter::from_fn(move || {
        let mut sum = check.take()?;
        let mut out = std::mem::take(&mut head);
        match frames.next() {
            Some(Ok(frame)) => {
                sum.update(&frame);
                out = match deflate_block(&frame, out) {
                    Ok(out) => out,
                    Err(error) => return Some(Err(error)),
                };
                check = Some(sum);
            }
            Some(Err(error)) => return Some(Err(error)),
            None => {
                out.extend_from_slice(DEFLATE_END);
                out.extend_from_slice(&sum.sum().to_le_bytes());
                out.extend_from_slice(&sum.amount().to_le_bytes());
            }
        }
        Some(Ok(Bytes::from(out)))
    })
}

/// Appends blocks that do not refer to earlier bytes and end on a byte boundary.
fn deflate_block(bytes: &[u8], out: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(out, Compression::new(GZIP_LEVEL));
    encoder.write_all(bytes)?;
    encoder.flush()?;
    Ok(std::mem::take(encoder.get_mut()))
}

enum Encoder {
    Br(Box<CompressorWriter<Vec<u8>>>),
    Gzip(Box<GzEncoder<Vec<u8>>>),
}

impl Encoder {
    /// Returns an encoder for about `len_bytes` bytes: brotli allocates memory for its window.
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

    fn accepted(accept: &str) -> AcceptedCodings {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::try_from(accept).unwrap());
        assert_eq!(negotiate_coding(&headers), AcceptedCodings::from_headers(&headers).best);
        AcceptedCodings::from_headers(&headers)
    }

    #[test]
    fn the_best_coding_is_chosen() {
        assert_eq!(AcceptedCodings::from_headers(&HeaderMap::new()), AcceptedCodings::default());
        let (br, gzip) = (Some(Coding::Br), Some(Coding::Gzip));
        // Finished bodies and streamed ones.
        let check = |accept: &str, whole: Option<Coding>, made: Option<Coding>| {
            let accepted = accepted(accept);
            assert_eq!(accepted.coding_of(&Bytes::from("x").into()), whole, "{accept:?}");
            let stream = ReplyBody::from_frames(std::iter::empty());
            assert_eq!(accepted.coding_of(&stream), made, "{accept:?}");
        };
        check("", None, None);
        check("gzip, deflate, br, zstd", br, gzip);
        check("gzip", gzip, gzip);
        check("br", br, None);
        check("X-GZIP ; q=1.000", gzip, gzip);
        check("br;q=0.5, gzip;q=0.8", gzip, gzip);
        check("br;q=0, *", gzip, gzip);
        check("*", br, gzip);
        check("*;q=0", None, None);
        check("gzip;q=0.5, identity", None, None);
        check("br, gzip;q=0.5, identity;q=0.7", br, None);
        check("gzip;q=0.5, identity;q=0.5", gzip, gzip);
        check("identity;q=0", None, None);
        check("identity;q=0, gzip;q=0.001", gzip, gzip);
        check("br;q=2, gzip;q=x, *;q=0.1234", None, None);
        check("br;level=4, deflate", None, None);
        check("br;q=1.1", None, None);
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

    fn applied(body: ReplyBody, accept: &str) -> (Option<HeaderValue>, Vec<u8>) {
        let json = HeaderValue::from_static("application/json");
        let reply =
            Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, json).with_body(body);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let _inside = runtime.enter();
        let reply = compress_reply(reply, accepted(accept));
        assert_eq!(reply.header(&header::VARY).unwrap(), "accept-encoding");
        let coded = reply.header(&header::CONTENT_ENCODING).cloned();
        (coded, runtime.block_on(reply.body.collect()).unwrap().to_bytes().to_vec())
    }

    #[test]
    fn bodies_come_back() {
        let plain = Bytes::from(text(1_200_000));
        let check = |body: ReplyBody, accept: &str, expect: Coding, bytes: &[u8]| {
            let (name, coded) = applied(body, accept);
            assert_eq!(name.unwrap(), expect.name());
            assert!(coded.len() * 2 < bytes.len(), "{} of {}", coded.len(), bytes.len());
            assert_eq!(decode(expect, &coded), bytes);
        };
        for (coding, accept) in [(Coding::Br, "br, gzip"), (Coding::Gzip, "gzip")] {
            for length in [2_000, 300_000] {
                let bytes = plain.slice(..length);
                check(bytes.clone().into(), accept, coding, &bytes);
                let parts = vec![bytes.slice(..7), bytes.slice(7..)];
                check(ReplyBody::from_parts(parts), accept, coding, &bytes);
            }
            let parts = vec![plain.slice(..7), plain.slice(7..)];
            for long in [
                ReplyBody::Full(plain.clone()),
                ReplyBody::from_parts(parts),
                ReplyBody::from_frames(split_frames(plain.clone()).map(Ok)),
            ] {
                check(long, accept, Coding::Gzip, &plain);
            }
        }
        let (name, coded) = applied(ReplyBody::from_frames(std::iter::empty()), "gzip");
        assert_eq!(
            (name.unwrap(), decode(Coding::Gzip, &coded)),
            ("gzip".parse().unwrap(), vec![])
        );
        let made = ReplyBody::from_frames(split_frames(plain.clone()).map(Ok));
        assert_eq!(applied(made, "br"), (None, plain.to_vec()));
    }

    #[test]
    fn small_bodies_stay() {
        let small = Bytes::from(text(1_023));
        assert_eq!(applied(small.clone().into(), "br"), (None, small.to_vec()));
        let large = Bytes::from(text(5_000));
        assert_eq!(applied(large.clone().into(), ""), (None, large.to_vec()));
    }

    #[test]
    fn each_frame_can_be_read_at_once() {
        let frames = [text(3_000), text(2_000)].map(|it| Ok(Bytes::from(it)));
        let first = gzip_frames(frames.into_iter()).next().unwrap().unwrap();
        let mut start = vec![0; 3_000];
        flate2::read::GzDecoder::new(&first[..]).read_exact(&mut start).unwrap();
        assert_eq!(start, text(3_000));
    }

    #[test]
    fn an_error_ends_the_frames() {
        let frames = [Ok(Bytes::from("x")), Err(io::ErrorKind::Other.into()), Ok(Bytes::from("y"))];
        let ends: Vec<bool> = gzip_frames(frames.into_iter()).map(|it| it.is_ok()).collect();
        assert_eq!(ends, [true, false]);
    }
}
