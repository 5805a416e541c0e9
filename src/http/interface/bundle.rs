//! The files of the interface that `build.rs` compiled into the binary: each is stored compressed
//! in two codings, and not uncompressed, which browsers do not need.

use std::io::Read as _;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::HeaderValue;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::wire::compress::Coding;

/// The name of the build, and for each file its path, brotli bytes, gzip bytes and tag, sorted by
/// path.
type BundleTable =
    (&'static str, &'static [(&'static str, &'static [u8], &'static [u8], &'static str)]);

static EMBEDDED: BundleTable = include!(concat!(env!("OUT_DIR"), "/interface.rs"));

/// All files of a build.
#[derive(Debug)]
pub(crate) struct Bundle {
    build: &'static str,
    files: Vec<BundledFile>,
}

/// A file of a build.
#[derive(Debug)]
pub(crate) struct BundledFile {
    /// Its path in the bundle.
    pub(crate) path: &'static str,
    /// Says which bytes it has.
    pub(crate) tag: &'static str,
    br: &'static [u8],
    gz: &'static [u8],
    plain: OnceLock<Bytes>,
}

impl Bundle {
    /// Those of the binary.
    pub(crate) fn embedded() -> Bundle {
        Bundle::from_table(EMBEDDED)
    }

    fn from_table((build, table): BundleTable) -> Bundle {
        let file = |&(path, br, gz, tag)| BundledFile { path, tag, br, gz, plain: OnceLock::new() };
        Bundle { build, files: table.iter().map(file).collect() }
    }

    /// The name of the build: another one as soon as any file is another one.
    pub(crate) fn build_name(&self) -> &'static str {
        self.build
    }

    pub(crate) fn find(&self, path: &str) -> Option<&BundledFile> {
        let at = self.files.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.files.get(at)
    }
}

impl BundledFile {
    /// Its bytes in a coding, if it is stored in that one: not every build has brotli, which takes
    /// its time.
    pub(crate) fn encoded_bytes(&self, coding: Coding) -> Option<Bytes> {
        let bytes = match coding {
            Coding::Br => self.br,
            Coding::Gzip => self.gz,
        };
        (!bytes.is_empty()).then(|| Bytes::from_static(bytes))
    }

    /// Its bytes as they are, made at the first request of a client that wants them so.
    pub(crate) fn plain_bytes(&self) -> Result<Bytes> {
        if let Some(bytes) = self.plain.get() {
            return Ok(bytes.clone());
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self.gz).read_to_end(&mut bytes).map_err(Error::internal)?;
        Ok(self.plain.get_or_init(|| Bytes::from(bytes)).clone())
    }
}

/// The content type of a file, by its extension.
pub(crate) fn content_type_of(path: &str) -> HeaderValue {
    let name = path.rsplit('/').next().unwrap_or_default();
    HeaderValue::from_static(match name.rsplit_once('.').map_or("", |(_, it)| it) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "txt" | "md" | "sha256" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::wire::compress;

    #[test]
    fn files_are_found_and_unpacked() {
        let packed = compress::compress_whole(Coding::Gzip, b"let x;").unwrap();
        let packed: &'static [u8] = Vec::leak(packed);
        let table = vec![("assets/a.js", &b"br"[..], packed, "t1"), ("b.css", b"", packed, "t2")];
        let bundle = Bundle::from_table(("b1", Vec::leak(table)));
        let file = bundle.find("assets/a.js").unwrap();
        assert_eq!(file.encoded_bytes(Coding::Br).unwrap(), "br");
        assert_eq!(file.encoded_bytes(Coding::Gzip).unwrap(), packed);
        assert_eq!(
            (file.plain_bytes().unwrap(), file.plain_bytes().unwrap()),
            ("let x;".into(), "let x;".into())
        );
        assert_eq!(bundle.find("b.css").unwrap().encoded_bytes(Coding::Br), None);
        for path in ["", "assets", "assets/", "assets/a.js/", "/b.css", "B.css"] {
            assert!(bundle.find(path).is_none(), "{path}");
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(EMBEDDED.1.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn kinds_follow_extensions() {
        let check = |path: &str, expect: &str| assert_eq!(content_type_of(path), expect, "{path}");
        check("assets/index.js", "text/javascript; charset=utf-8");
        check("favicon.svg", "image/svg+xml; charset=utf-8");
        check("a.b/index", "application/octet-stream");
        check("", "application/octet-stream");
    }
}
