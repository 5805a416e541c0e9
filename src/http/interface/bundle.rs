//! The files of the interface that `build.rs` compiled into the binary: compressed with brotli in
//! release builds, as they are in others. What a client wants in another coding is made at its
//! first request: browsers ask for gzip where the connection is not encrypted.

use std::io::Read as _;
use std::sync::OnceLock;

use bytes::Bytes;
use http::HeaderValue;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::wire::compress;
use crate::http::wire::compress::Coding;

/// The name of the build, true if its files are compressed, and for each file its path, bytes and
/// tag, sorted by path.
type BundleTable = (&'static str, bool, &'static [(&'static str, &'static [u8], &'static str)]);

/// The size of the pieces in which files are decompressed.
const CHUNK_BYTES: usize = 64 * 1024;

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
    stored: &'static [u8],
    /// True if `stored` is compressed with brotli.
    is_packed: bool,
    plain: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl Bundle {
    /// Those of the binary.
    pub(crate) fn embedded() -> Bundle {
        Bundle::from_table(EMBEDDED)
    }

    fn from_table((build, is_packed, table): BundleTable) -> Bundle {
        let file = |&(path, stored, tag)| BundledFile {
            path,
            tag,
            stored,
            is_packed,
            plain: OnceLock::new(),
            gzip: OnceLock::new(),
        };
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
    /// Returns true if its bytes in this coding are there, so that nobody has to wait for them.
    pub(crate) fn is_ready(&self, coding: Option<Coding>) -> bool {
        match coding {
            Some(Coding::Br) => true,
            Some(Coding::Gzip) => self.gzip.get().is_some(),
            None => !self.is_packed || self.plain.get().is_some(),
        }
    }

    /// Returns the coding in which it is sent to a client that prefers this one: not every build
    /// has brotli.
    pub(crate) fn choose_coding(&self, preferred: Option<Coding>) -> Option<Coding> {
        preferred.filter(|it| *it != Coding::Br || self.is_packed)
    }

    /// Returns its bytes in a coding that was chosen.
    pub(crate) fn encoded_bytes(&self, coding: Option<Coding>) -> Result<Bytes> {
        match coding {
            Some(Coding::Br) => Ok(Bytes::from_static(self.stored)),
            Some(Coding::Gzip) => self.gzip_bytes(),
            None => self.plain_bytes(),
        }
    }

    fn gzip_bytes(&self) -> Result<Bytes> {
        if let Some(bytes) = self.gzip.get() {
            return Ok(bytes.clone());
        }
        let plain = self.unpack()?;
        let bytes = compress::compress_whole(Coding::Gzip, &plain).map_err(Error::internal)?;
        Ok(self.gzip.get_or_init(|| Bytes::from(bytes)).clone())
    }

    /// Returns its bytes as they are.
    pub(crate) fn plain_bytes(&self) -> Result<Bytes> {
        if let Some(bytes) = self.plain.get() {
            return Ok(bytes.clone());
        }
        let bytes = self.unpack()?;
        Ok(self.plain.get_or_init(|| bytes).clone())
    }

    fn unpack(&self) -> Result<Bytes> {
        if !self.is_packed {
            return Ok(Bytes::from_static(self.stored));
        }
        let mut bytes = Vec::new();
        brotli::Decompressor::new(self.stored, CHUNK_BYTES)
            .read_to_end(&mut bytes)
            .map_err(Error::internal)?;
        Ok(Bytes::from(bytes))
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

    #[test]
    fn files_are_found_and_given_in_every_coding() {
        let packed = compress::compress_whole(Coding::Br, b"let x;").unwrap();
        for (is_packed, stored) in [(true, packed), (false, b"let x;".to_vec())] {
            let stored: &'static [u8] = Vec::leak(stored);
            let table = vec![("assets/a.js", stored, "t1"), ("b.css", stored, "t2")];
            let bundle = Bundle::from_table(("b1", is_packed, Vec::leak(table)));
            let file = bundle.find("assets/a.js").unwrap();
            let chosen = is_packed.then_some(Coding::Br);
            assert_eq!(file.choose_coding(Some(Coding::Br)), chosen);
            assert!(file.is_ready(chosen) && !file.is_ready(Some(Coding::Gzip)));
            assert_eq!(file.encoded_bytes(chosen).unwrap(), stored);
            let plain = [(); 2].map(|()| file.encoded_bytes(None).unwrap());
            assert_eq!(plain, ["let x;", "let x;"]);
            let gzip = file.encoded_bytes(Some(Coding::Gzip)).unwrap();
            let mut unpacked = String::new();
            flate2::read::GzDecoder::new(&*gzip).read_to_string(&mut unpacked).unwrap();
            assert_eq!(unpacked, "let x;");
            assert!(file.is_ready(None) && file.is_ready(Some(Coding::Gzip)));
            for path in ["", "assets", "assets/", "assets/a.js/", "/b.css", "B.css"] {
                assert!(bundle.find(path).is_none(), "{path}");
            }
        }
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(EMBEDDED.2.is_sorted_by(|one, other| one.0 < other.0));
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
