//! The tokens that were verified, by a keyed sum of their text: whoever sends the same token again
//! is known without parsing it and without a cryptographic hash.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::hash::RandomState;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use siphasher::sip128::SipHasher24;

use crate::engine::installation::ApiToken;
use crate::engine::installation::Installation;

/// The most tokens that are remembered. Others are verified each time.
const TOKENS_MAX: usize = 1_024;

/// The verified tokens of one state of the installation.
pub(super) struct VerifiedTokens {
    /// A hasher with a secret key: nobody outside can compute its sums of 128 bits, or find a
    /// second text for one. No token is kept as text.
    hasher: SipHasher24,
    current: ArcSwapOption<VerifiedSet>,
}

struct VerifiedSet {
    /// Any change of the installation, such as a removed token, makes the set worthless.
    installation: Arc<Installation>,
    holders: BTreeMap<u128, Arc<ApiToken>>,
}

impl Default for VerifiedTokens {
    fn default() -> Self {
        // The standard library's hasher has a random key; what it makes of two numbers is one, too.
        let random = RandomState::new();
        let hasher = SipHasher24::new_with_keys(random.hash_one(0), random.hash_one(1));
        VerifiedTokens { hasher, current: ArcSwapOption::empty() }
    }
}

impl VerifiedTokens {
    /// Returns the holder of a token, if its text was verified in this state of the installation.
    pub(super) fn find(
        &self,
        installation: &Arc<Installation>,
        text: &[u8],
    ) -> Option<Arc<ApiToken>> {
        let current = self.current.load();
        let set = current.as_ref().filter(|it| Arc::ptr_eq(&it.installation, installation))?;
        set.holders.get(&self.hash_text(text)).cloned()
    }

    /// Remembers a text that was verified as the token of `holder`, if the installation has that
    /// holder.
    pub(super) fn insert(
        &self,
        installation: &Arc<Installation>,
        text: &[u8],
        holder: &Arc<ApiToken>,
    ) {
        let known = installation.token(&holder.record.id);
        if !known.is_some_and(|it| Arc::ptr_eq(it, holder)) {
            return;
        }
        let current = self.current.load();
        let kept = current.as_ref().filter(|it| Arc::ptr_eq(&it.installation, installation));
        let mut holders = kept.map(|it| it.holders.clone()).unwrap_or_default();
        if holders.len() >= TOKENS_MAX {
            return;
        }
        holders.insert(self.hash_text(text), holder.clone());
        // Of two that are added at once, one may be lost, and is verified again.
        let installation = installation.clone();
        self.current.store(Some(Arc::new(VerifiedSet { installation, holders })));
    }

    fn hash_text(&self, text: &[u8]) -> u128 {
        self.hasher.hash(text).as_u128()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::installation::SystemFile;
    use crate::model::name::TokenId;
    use crate::model::people::token::Token;
    use crate::model::people::token::TokenRecord;
    use crate::stdx::json::Json;

    fn installation_with(token: &Token) -> Arc<Installation> {
        let fingerprint = token.fingerprint().to_hex();
        let json = format!(r#"{{"permissions": [], "secret_sha256": "{fingerprint}"}}"#);
        let record = TokenRecord::parse(token.id(), &Json::parse(json.as_bytes()).unwrap());
        let file = SystemFile::Token(TokenId::clone(token.id()), Some(record.unwrap()));
        let mut installation = Installation::default();
        installation.apply_files([file]);
        Arc::new(installation)
    }

    #[test]
    fn a_token_is_known_while_nothing_changes() {
        let (token, verified) = (Token::issue([1; 10], [2; 32]), VerifiedTokens::default());
        let (before, after) = (installation_with(&token), installation_with(&token));
        let holder = before.token(token.id()).unwrap();
        assert!(verified.find(&before, token.reveal().as_bytes()).is_none());
        verified.insert(&before, token.reveal().as_bytes(), holder);
        assert!(Arc::ptr_eq(&verified.find(&before, token.reveal().as_bytes()).unwrap(), holder));
        assert!(
            verified.find(&before, Token::issue([1; 10], [3; 32]).reveal().as_bytes()).is_none()
        );
        assert!(verified.find(&after, token.reveal().as_bytes()).is_none());
        // A holder that has been replaced meanwhile is not remembered for the new state.
        verified.insert(&after, token.reveal().as_bytes(), holder);
        assert!(verified.find(&after, token.reveal().as_bytes()).is_none());
    }
}
