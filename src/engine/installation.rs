//! What all workspaces share, as far as reading needs it: the tokens.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use crate::engine::Engine;
use crate::engine::load;
use crate::engine::read;
use crate::model::grant::Grants;
use crate::model::name::TokenId;
use crate::model::token::TokenRecord;
use crate::stdx::json::Json;
use crate::stdx::json_edit;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::layout::Key;

/// Uses of a token within so many seconds are one.
const USE_SECONDS: i64 = 60;

/// A token and what it may do.
pub struct Holder {
    /// What is kept of the token.
    pub record: TokenRecord,
    /// Its grants, compiled.
    pub grants: Grants,
    /// The second in which it was used last; 0 until it is.
    used: AtomicI64,
}

impl Holder {
    /// Compiles the grants of a record.
    pub fn new(record: TokenRecord) -> Holder {
        let grants = Grants::new(&record.author_id(), record.permissions.clone());
        Holder { record, grants, used: AtomicI64::new(0) }
    }

    /// The token was used. It is written down some time later.
    pub fn used(&self, now: Timestamp) {
        // Many threads may be here at once: they write only what is another second.
        if self.used.load(Relaxed) != now.seconds() {
            self.used.store(now.seconds(), Relaxed);
        }
    }

    /// When it was used last, if that is not written down yet.
    fn unwritten_use(&self) -> Option<Timestamp> {
        let used = Some(self.used.load(Relaxed)).filter(|it| *it != 0);
        let used = used.map(Timestamp::from_seconds)?;
        let written = self.record.last_used_at;
        written.is_none_or(|it| it.seconds() + USE_SECONDS <= used.seconds()).then_some(used)
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

impl Engine {
    /// The token of this id. One that was made a moment ago, by a tool beside the server, counts
    /// before the folder is looked at again: whoever made it is about to use it.
    pub fn token(&self, id: &TokenId) -> Option<Arc<Holder>> {
        if let Some(holder) = self.installation().token(id) {
            return Some(holder.clone());
        }
        let path = Key::Token(id.clone()).path();
        let (bytes, _) = self.read_body(&path).ok()?;
        let record = load::token(id, &path, &bytes).value?;
        Some(Arc::new(Holder::new(record)))
    }

    /// Writes down when tokens were used last, where that is known to a minute no longer.
    pub(super) fn write_uses_down(&self) {
        let Some(lock) = self.write_lock.as_ref().filter(|_| !self.is_outage()) else { return };
        let installation = self.installation();
        let uses =
            installation.tokens().filter_map(|it| Some((&it.record.id, it.unwritten_use()?)));
        for (id, used) in uses {
            let path = Key::Token(id.clone()).path();
            let write = || -> Result<(), StoreError> {
                let _turn = lock.take()?;
                let Ok((bytes, _)) = self.read_body(&path) else { return Ok(()) };
                let Some(Json::Object(mut record)) = read::json(&path, &bytes).value else {
                    return Ok(());
                };
                record.set("last_used_at", used.to_string().into());
                let bytes = json_edit::rewrite(&bytes, &Json::Object(record));
                disk::replace(&*self.disk, &path, &bytes).map(|_| ())
            };
            if let Err(error) = write() {
                tracing::warn!(%error, "when a token was used is not written down");
            }
        }
    }
}
