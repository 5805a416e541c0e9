//! The certificate of the server and its account with the authority that issues it, in
//! `system/tls`.

use std::sync::Arc;

use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;

const CERTIFICATE: &str = "system/tls/certificate.json";
const ACCOUNT: &str = "system/tls/account.json";

/// The files of the certificate. Like all of `system`, they are readable only by the server's user.
pub struct CertificateFiles(Arc<dyn Disk>);

impl CertificateFiles {
    /// Returns the files of a data folder.
    pub fn new(disk: Arc<dyn Disk>) -> CertificateFiles {
        CertificateFiles(disk)
    }

    /// Reads the certificate with its key.
    pub fn read_certificate(&self) -> Option<Vec<u8>> {
        self.read(CERTIFICATE)
    }

    /// Writes the certificate with its key, in one file so that they always belong together.
    pub fn write_certificate(&self, bytes: &[u8]) -> Result<(), StoreError> {
        disk::replace_file(&*self.0, CERTIFICATE, bytes).map(|_| ())
    }

    /// Reads the account with the authority.
    pub fn read_account(&self) -> Option<Vec<u8>> {
        self.read(ACCOUNT)
    }

    /// Writes the account with the authority.
    pub fn write_account(&self, bytes: &[u8]) -> Result<(), StoreError> {
        disk::replace_file(&*self.0, ACCOUNT, bytes).map(|_| ())
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.read(path, &mut bytes).ok().map(|_| bytes)
    }
}
