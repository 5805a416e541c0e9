//! Files with a secret: a token, a passphrase, the keys of a bucket.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads at most `bytes_max` bytes of a file with a secret.
///
/// # Errors
///
/// Fails with a sentence that names the file, and nothing of its content.
pub(super) fn read_secret(path: &Path, bytes_max: u64) -> Result<String, String> {
    let mut text = String::new();
    let file = File::open(path);
    let read = file.and_then(|it| it.take(bytes_max).read_to_string(&mut text));
    read.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(text)
}
