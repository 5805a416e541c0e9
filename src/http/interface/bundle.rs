//! The files of the interface as `build.rs` compiled them into the binary: each compressed twice,
//! none as it is, which browsers have no use for.

use std::io::Read as _;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::HeaderValue;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::compress::Coding;

/// The name of the build, and path, brotli, gzip and tag of each file, sorted by path.
type Table = (&'static str, &'static [(&'static str, &'static [u8], &'static [u8], &'static str)]);

static EMBEDDED: Table = include!(concat!(env!("OUT_DIR"), "/interface.rs"));

/// All files of one build.
#[derive(Debug)]
pub(super) struct Bundle {
    build: &'static str,
    files: Vec<File>,
}

/// One file.
#[derive(Debug)]
pub(super) struct File {
    /// Its path in the bundle.
    pub(super) path: &'static str,
    /// Says which bytes it has.
    pub(super) tag: &'static str,
    br: &'static [u8],
    gz: &'static [u8],
    plain: OnceLock<Bytes>,
}

impl Bundle {
    /// Those of the binary.
    pub(super) fn embedded() -> Bundle {
        Bundle::of(EMBEDDED)
    }

    fn of((build, table): Table) -> Bundle {
        let file = |&(path, br, gz, tag)| File { path, tag, br, gz, plain: OnceLock::new() };
        Bundle { build, files: table.iter().map(file).collect() }
    }

    /// The name of the build: another one as soon as any file is another one.
    pub(super) fn build(&self) -> &'static str {
        self.build
    }

    pub(super) fn find(&self, path: &str) -> Option<&File> {
        let at = self.files.binary_search_by(|it| it.path.cmp(path)).ok()?;
        self.files.get(at)
    }
}

impl File {
    /// Its bytes in a coding, if it is stored in that one: not every build has brotli, which takes
    /// its time.
    pub(super) fn stored(&self, coding: Coding) -> Option<Bytes> {
        let bytes = match coding {
            Coding::Br => self.br,
            Coding::Gzip => self.gz,
        };
        (!bytes.is_empty()).then(|| Bytes::from_static(bytes))
    }

    /// Its bytes as they are, made at the first request of a client that wants them so.
    pub(super) fn plain(&self) -> Result<Bytes> {
        if let Some(bytes) = self.plain.get() {
            return Ok(bytes.clone());
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self.gz).read_to_end(&mut bytes).map_err(Error::internal)?;
        Ok(self.plain.get_or_init(|| Bytes::from(bytes)).clone())
    }
}

/// The content type of a file, by its extension.
pub(super) fn kind(path: &str) -> HeaderValue {
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
    use crate::http::compress;

    #[test]
    fn files_are_found_and_unpacked() {
        let packed = compress::whole(Coding::Gzip, b"let x;").unwrap();
        let packed: &'static [u8] = Vec::leak(packed);
        let table = vec![("assets/a.js", &b"br"[..], packed, "t1"), ("b.css", b"", packed, "t2")];
        let bundle = Bundle::of(("b1", Vec::leak(table)));
        let file = bundle.find("assets/a.js").unwrap();
        assert_eq!(file.stored(Coding::Br).unwrap(), "br");
        assert_eq!(file.stored(Coding::Gzip).unwrap(), packed);
        assert_eq!(
            (file.plain().unwrap(), file.plain().unwrap()),
            ("let x;".into(), "let x;".into())
        );
        assert_eq!(bundle.find("b.css").unwrap().stored(Coding::Br), None);
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
        let check = |path: &str, expect: &str| assert_eq!(kind(path), expect, "{path}");
        check("assets/index.js", "text/javascript; charset=utf-8");
        check("favicon.svg", "image/svg+xml; charset=utf-8");
        check("a.b/index", "application/octet-stream");
        check("", "application/octet-stream");
    }
}
