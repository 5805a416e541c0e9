//! What all workspaces share, as far as reading needs it: the tokens.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::grant::Grants;
use crate::model::name::TokenId;
use crate::model::token::TokenRecord;

/// A token and what it may do.
pub struct Holder {
    /// What is kept of the token.
    pub record: TokenRecord,
    /// Its grants, compiled.
    pub grants: Grants,
}

impl Holder {
    /// Compiles the grants of a record.
    pub fn new(record: TokenRecord) -> Holder {
        let grants = Grants::new(&record.author_id(), record.permissions.clone());
        Holder { record, grants }
    }
}

/// What all workspaces share, at one moment.
#[derive(Clone, Default)]
pub struct Installation {
    tokens: HashMap<TokenId, Arc<Holder>>,
}

impl Installation {
    /// The token of this id.
    pub fn token(&self, id: &TokenId) -> Option<&Arc<Holder>> {
        self.tokens.get(id)
    }

    /// All tokens.
    pub fn tokens(&self) -> impl Iterator<Item = &Arc<Holder>> {
        self.tokens.values()
    }

    pub(crate) fn set_token(&mut self, id: &TokenId, record: Option<TokenRecord>) {
        match record {
            Some(record) => _ = self.tokens.insert(id.clone(), Arc::new(Holder::new(record))),
            None => _ = self.tokens.remove(id),
        }
    }
}
