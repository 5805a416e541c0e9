//! The setup token: it proves, while there is no user, that somebody runs the server.

use sha2::Digest;
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The proof, while there is no user, that somebody runs the server: it is in the link that the
/// server prints when it starts.
pub struct SetupToken(String);

impl Default for SetupToken {
    fn default() -> Self {
        let mut bytes = [0; 16];
        // Without randomness nobody can prove anything, which is safe.
        let filled = getrandom::fill(&mut bytes).is_ok();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        SetupToken(if filled { hex } else { String::new() })
    }
}

impl SetupToken {
    /// Returns the token of servers that share a database, which has this id: a link that one of
    /// them printed works at the others.
    pub(crate) fn of_database(id: &str) -> SetupToken {
        let hash = Sha256::new().chain_update("setup of ").chain_update(id).finalize();
        SetupToken(hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The token, for the link.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(super) fn matches_text(&self, text: &str) -> bool {
        !self.0.is_empty() && bool::from(self.0.as_bytes().ct_eq(text.as_bytes()))
    }
}
