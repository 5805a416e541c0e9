//! What all workspaces share: users, roles, tokens, settings, webhooks.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use crate::engine::Engine;
use crate::engine::load;
use crate::engine::read;
use crate::model::grant::Grants;
use crate::model::name::EntryId;
use crate::model::name::TokenId;
use crate::model::role;
use crate::model::role::RoleRecord;
use crate::model::settings::SettingsRecord;
use crate::model::token::TokenRecord;
use crate::model::user::UserRecord;
use crate::model::user::login_name;
use crate::model::webhook::Webhook;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::ReadError;
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

    /// The record with its latest use, be it written down or not.
    pub fn shown(&self) -> TokenRecord {
        let used = Some(self.used.load(Relaxed)).filter(|it| *it != 0);
        let last_used_at = self.record.last_used_at.max(used.map(Timestamp::from_seconds));
        TokenRecord { last_used_at, ..self.record.clone() }
    }

    /// When it was used last, if that is not written down yet.
    fn unwritten_use(&self) -> Option<Timestamp> {
        let used = Some(self.used.load(Relaxed)).filter(|it| *it != 0);
        let used = used.map(Timestamp::from_seconds)?;
        let written = self.record.last_used_at;
        written.is_none_or(|it| it.seconds() + USE_SECONDS <= used.seconds()).then_some(used)
    }
}

/// A user and what they may do.
pub struct Account {
    /// What is kept of the user.
    pub record: UserRecord,
    /// The grants of their role, compiled; none when there is no such role.
    pub grants: Grants,
}

/// What all workspaces share, at one moment.
#[derive(Clone)]
pub struct Installation {
    tokens: HashMap<TokenId, Arc<Holder>>,
    users: BTreeMap<EntryId, Arc<Account>>,
    /// Users whose files cannot be read: they cannot log in, and yet there is somebody.
    unreadable: BTreeSet<EntryId>,
    /// Who logs in by which name.
    logins: HashMap<String, EntryId>,
    roles: BTreeMap<EntryId, Arc<RoleRecord>>,
    settings: Arc<SettingsRecord>,
    webhooks: Arc<[Arc<Webhook>]>,
}

impl Default for Installation {
    fn default() -> Self {
        let built_in = role::built_in().iter();
        Installation {
            tokens: HashMap::new(),
            users: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            logins: HashMap::new(),
            roles: built_in.map(|it| (it.id.clone(), Arc::new(it.clone()))).collect(),
            settings: Arc::default(),
            webhooks: Arc::from([]),
        }
    }
}

/// A file of the installation, read.
#[derive(Clone)]
pub(crate) enum SystemFile {
    Token(TokenId, Option<TokenRecord>),
    User(EntryId, Option<UserRecord>),
    UnreadableUser(EntryId),
    Role(EntryId, Option<RoleRecord>),
    Settings(Map),
    Webhooks(Vec<Webhook>),
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

    /// The user of this id.
    pub fn user(&self, id: &str) -> Option<&Arc<Account>> {
        self.users.get(id)
    }

    /// Whether there is a user whose file cannot be read.
    pub fn is_unreadable(&self, user: &EntryId) -> bool {
        self.unreadable.contains(user)
    }

    /// Who logs in by this name, however it is written.
    pub fn user_named(&self, username: &str) -> Option<&Arc<Account>> {
        self.users.get(self.logins.get(&login_name(username))?)
    }

    /// All users, by id: the oldest first.
    pub fn users(&self) -> impl Iterator<Item = &Arc<Account>> {
        self.users.values()
    }

    /// Whether there is nobody yet.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty() && self.unreadable.is_empty()
    }

    /// The role of this id.
    pub fn role(&self, id: &str) -> Option<&Arc<RoleRecord>> {
        self.roles.get(id)
    }

    /// All roles: those built in first, in their order, then by id.
    pub fn roles(&self) -> impl Iterator<Item = &Arc<RoleRecord>> {
        let built_in = role::built_in().iter().filter_map(|it| self.roles.get(&it.id));
        built_in.chain(self.roles.values().filter(|it| !it.system))
    }

    /// How many users have a role.
    pub fn users_of_role(&self, id: &str) -> usize {
        self.users.values().filter(|it| it.record.role.as_str() == id).count()
    }

    /// What the interface lets people decide.
    pub fn settings(&self) -> &Arc<SettingsRecord> {
        &self.settings
    }

    /// All webhooks, in the order in which people put them.
    pub fn webhooks(&self) -> &Arc<[Arc<Webhook>]> {
        &self.webhooks
    }

    /// Takes over what files say.
    pub(crate) fn apply(&mut self, files: impl IntoIterator<Item = SystemFile>) {
        let mut people = false;
        for file in files {
            people |= !matches!(file, SystemFile::Token(..));
            self.set(file);
        }
        if people {
            self.compile();
        }
    }

    fn set(&mut self, file: SystemFile) {
        match file {
            SystemFile::Token(id, Some(record)) => {
                _ = self.tokens.insert(id, Arc::new(Holder::new(record)));
            }
            SystemFile::Token(id, None) => _ = self.tokens.remove(&id),
            SystemFile::User(id, Some(record)) => {
                self.unreadable.remove(&id);
                let grants = Grants::new(id.as_str(), Vec::new());
                _ = self.users.insert(id, Arc::new(Account { record, grants }));
            }
            SystemFile::User(id, None) => {
                self.unreadable.remove(&id);
                self.users.remove(&id);
            }
            SystemFile::UnreadableUser(id) => {
                self.users.remove(&id);
                self.unreadable.insert(id);
            }
            // Nobody is locked out, or let in, by a file.
            SystemFile::Role(id, _) if id.as_str() == role::ADMIN => {}
            SystemFile::Role(id, Some(record)) => _ = self.roles.insert(id, Arc::new(record)),
            SystemFile::Role(id, None) => {
                match role::built_in().iter().find(|it| it.id == id) {
                    Some(original) => _ = self.roles.insert(id, Arc::new(original.clone())),
                    None => _ = self.roles.remove(&id),
                };
            }
            SystemFile::Settings(map) => self.settings = Arc::new(SettingsRecord::new(map)),
            SystemFile::Webhooks(webhooks) => {
                self.webhooks = webhooks.into_iter().map(Arc::new).collect();
            }
        }
    }

    /// Gives every user the grants of their role, and every name one user: of several with the same
    /// name the oldest.
    fn compile(&mut self) {
        self.logins.clear();
        for (id, account) in &mut self.users {
            self.logins.entry(account.record.login_name()).or_insert_with(|| id.clone());
            let role = self.roles.get(&account.record.role);
            let grants = role.map(|it| it.permissions.clone()).unwrap_or_default();
            let (record, grants) = (account.record.clone(), Grants::new(id.as_str(), grants));
            *account = Arc::new(Account { record, grants });
        }
    }
}

impl Engine {
    /// The token of this id. One that was made a moment ago, by a tool beside the server, counts
    /// before the folder is looked at again: whoever made it is about to use it.
    /// An error says that it cannot be known now whether there is one.
    pub fn token(&self, id: &TokenId) -> Result<Option<Arc<Holder>>, StoreError> {
        if let Some(holder) = self.installation().token(id) {
            return Ok(Some(holder.clone()));
        }
        let path = Key::Token(id.clone()).path();
        let bytes = match self.read_body(&path) {
            Ok((bytes, _)) => bytes,
            Err(ReadError::Unreadable(error)) => return Err(StoreError::io("read", path)(error)),
            Err(_) => return Ok(None),
        };
        let record = load::token(id, &path, &bytes).value;
        Ok(record.map(|it| Arc::new(Holder::new(it))))
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
