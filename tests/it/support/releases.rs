//! Signed releases, and the folders that they are installed into.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use recto::app::error::Error;
use recto::model::release::ReleaseKey;
use recto::stdx::platform::TARGET;
use ring::rand::SystemRandom;
use ring::signature::Ed25519KeyPair;
use ring::signature::KeyPair;
use serde_json::Value;
use serde_json::json;
use sha2::Digest;
use sha2::Sha256;

/// Who publishes.
pub(crate) struct Publisher(Ed25519KeyPair);

impl Publisher {
    pub(crate) fn new() -> Publisher {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Publisher(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap())
    }

    pub(crate) fn key(&self) -> ReleaseKey {
        ReleaseKey::parse(&STANDARD.encode(self.0.public_key())).unwrap()
    }

    pub(crate) fn sign(&self, version: &str, target: &str, program: &[u8]) -> String {
        let statement = format!("recto-release-v1\n{version}\n{target}\n{}\n", sum(program));
        STANDARD.encode(self.0.sign(statement.as_bytes()))
    }

    pub(crate) fn manifest(&self, version: &str, program: &[u8]) -> Value {
        self.manifest_at(&program_url(version), version, program)
    }

    pub(crate) fn manifest_at(&self, url: &str, version: &str, program: &[u8]) -> Value {
        json!({
            "version": version,
            "released_at": "2026-05-03T12:00:00Z",
            "notes": format!("What is new in {version}"),
            "targets": {
                TARGET: {
                    "url": url,
                    "sha256": sum(program),
                    "signature": self.sign(version, TARGET, program),
                    "size": program.len(),
                },
            },
        })
    }
}

pub(crate) fn program_url(version: &str) -> String {
    format!("https://releases.test/recto-{version}")
}

pub(crate) fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn runnable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

pub(crate) fn refused<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "fine".to_string(),
        Err(error) => format!("{error}"),
    }
}

pub(crate) fn expect_refused<T>(result: Result<T, Error>, begin: &str) {
    let found = refused(result);
    assert!(found.starts_with(begin), "{found}");
}
