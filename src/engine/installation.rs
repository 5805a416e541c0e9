//! The installation: what all workspaces share, as users, roles, tokens, settings and webhooks.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use crate::model::grant::Grants;
use crate::model::name::EntryId;
use crate::model::name::TokenId;
use crate::model::people::role;
use crate::model::people::role::RoleRecord;
use crate::model::people::token::TokenRecord;
use crate::model::people::user::UserRecord;
use crate::model::people::user::login_name;
use crate::model::settings::SettingsRecord;
use crate::model::webhook::Webhook;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::Key;

/// Uses of a token within so many seconds are one.
const USE_SECONDS: i64 = 60;

/// A token and what it may do.
pub struct ApiToken {
    /// The record of the token.
    pub record: TokenRecord,
    /// Its grants, compiled.
    pub grants: Grants,
    /// The second of its last use; 0 until it is used.
    used: AtomicI64,
}

impl ApiToken {
    /// Compiles the grants of a record.
    pub fn new(record: TokenRecord) -> ApiToken {
        let grants = Grants::new(&record.author_id(), record.permissions.clone());
        ApiToken { record, grants, used: AtomicI64::new(0) }
    }

    /// Records a use of the token, which is written down some time later.
    pub fn mark_used(&self, now: Timestamp) {
        // Many threads may be here at once: they write only what is another second.
        if self.used.load(Relaxed) != now.seconds() {
            self.used.store(now.seconds(), Relaxed);
        }
    }

    /// The record with its latest use, be it written down or not.
    pub fn to_record(&self) -> TokenRecord {
        let used = Some(self.used.load(Relaxed)).filter(|it| *it != 0);
        let last_used_at = self.record.last_used_at.max(used.map(Timestamp::from_seconds));
        TokenRecord { last_used_at, ..self.record.clone() }
    }

    /// Returns the time of its last use, if that is not written down yet.
    pub(crate) fn unwritten_use(&self) -> Option<Timestamp> {
        let used = Some(self.used.load(Relaxed)).filter(|it| *it != 0);
        let used = used.map(Timestamp::from_seconds)?;
        let written = self.record.last_used_at;
        written.is_none_or(|it| it.seconds() + USE_SECONDS <= used.seconds()).then_some(used)
    }
}

/// A user and what they may do.
pub struct Account {
    /// The stored part of the user.
    pub record: UserRecord,
    /// The grants of their role, compiled; none when there is no such role.
    pub grants: Grants,
    /// True if their role requires a second factor, and they have none.
    pub lacks_second_factor: bool,
}

/// The installation at one moment.
#[derive(Clone)]
pub struct Installation {
    tokens: HashMap<TokenId, Arc<ApiToken>>,
    users: BTreeMap<EntryId, Arc<Account>>,
    /// Users whose files cannot be read: they cannot log in, and yet there is somebody.
    unreadable: BTreeSet<EntryId>,
    /// No if the folder of users could not be listed: there may be some.
    users_are_whole: Completeness,
    /// The users by the name they log in with.
    logins: HashMap<String, EntryId>,
    roles: BTreeMap<EntryId, Arc<RoleRecord>>,
    /// The roles whose files were read.
    read_roles: BTreeSet<EntryId>,
    /// No if the folder of roles could not be listed: any of them may have a file.
    roles_are_whole: Completeness,
    settings: Arc<SettingsRecord>,
    webhooks: Arc<[Arc<Webhook>]>,
    /// No if there may be more of them than could be read.
    webhooks_are_whole: Completeness,
    /// The stats of files as they were read or written last. Those that nobody has touched since
    /// the start are not among them.
    read_files: HashMap<Key, Stat>,
}

impl Default for Installation {
    fn default() -> Self {
        let built_in = role::built_in_roles().iter();
        Installation {
            tokens: HashMap::new(),
            users: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            users_are_whole: Completeness::Yes,
            logins: HashMap::new(),
            roles: built_in.map(|it| (it.id.clone(), Arc::new(it.clone()))).collect(),
            read_roles: BTreeSet::new(),
            roles_are_whole: Completeness::Yes,
            settings: Arc::default(),
            webhooks: Arc::from([]),
            webhooks_are_whole: Completeness::Yes,
            read_files: HashMap::new(),
        }
    }
}

/// A file of the installation, read.
#[derive(Clone)]
pub(crate) enum SystemFile {
    Token(TokenId, Option<TokenRecord>),
    User(EntryId, Option<UserRecord>),
    UnreadableUser(EntryId),
    /// The completeness of the users, as far as their folder could be listed.
    Users(Completeness),
    /// The completeness of the roles, as far as their folder could be listed.
    Roles(Completeness),
    Role(EntryId, Option<RoleRecord>),
    UnreadableRole(EntryId),
    Settings(Map),
    UnreadableSettings,
    /// Those that can be read, and whether these are all.
    Webhooks(Vec<Webhook>, Completeness),
    UnreadableWebhooks,
}

/// Completeness of a list that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completeness {
    Yes,
    No,
}

impl Installation {
    /// The token of this id.
    pub fn token(&self, id: &TokenId) -> Option<&Arc<ApiToken>> {
        self.tokens.get(id)
    }

    /// All tokens.
    pub fn tokens(&self) -> impl Iterator<Item = &Arc<ApiToken>> {
        self.tokens.values()
    }

    /// The user of this id.
    pub fn user(&self, id: &str) -> Option<&Arc<Account>> {
        self.users.get(id)
    }

    /// Returns true if this is a user whose file cannot be read.
    pub fn is_unreadable(&self, user: &EntryId) -> bool {
        self.unreadable.contains(user)
    }

    /// Finds the user who logs in by this name, in any spelling of upper and lower case.
    pub fn find_username(&self, username: &str) -> Option<&Arc<Account>> {
        self.users.get(self.logins.get(&login_name(username))?)
    }

    /// All users, by id: the oldest first.
    pub fn users(&self) -> impl Iterator<Item = &Arc<Account>> {
        self.users.values()
    }

    /// Returns true if there is no user yet. While their folder cannot be listed, there may be
    /// some.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty() && self.knows_all_usernames()
    }

    /// Returns true if a user name that is not found is free. Those of users whose files cannot be
    /// read are not known.
    pub fn knows_all_usernames(&self) -> bool {
        self.unreadable.is_empty() && self.knows_all_users()
    }

    /// Returns true if the folder of users could be listed.
    pub(crate) fn knows_all_users(&self) -> bool {
        self.users_are_whole == Completeness::Yes
    }

    /// Returns true if the folder of roles could be listed.
    pub(crate) fn knows_all_roles(&self) -> bool {
        self.roles_are_whole == Completeness::Yes
    }

    /// Returns true if something is known of a user or a role that goes on counting while the file
    /// cannot be read. Other files may as well be missing.
    pub(crate) fn has_record(&self, key: &Key) -> bool {
        match key {
            Key::User(id) => self.users.contains_key(id) || self.unreadable.contains(id),
            Key::Role(id) => self.read_roles.contains(id),
            _ => true,
        }
    }

    /// The role of this id.
    pub fn role(&self, id: &str) -> Option<&Arc<RoleRecord>> {
        self.roles.get(id)
    }

    /// All roles: those built in first, in their order, then by id.
    pub fn roles(&self) -> impl Iterator<Item = &Arc<RoleRecord>> {
        let built_in = role::built_in_roles().iter().filter_map(|it| self.roles.get(&it.id));
        built_in.chain(self.roles.values().filter(|it| !it.system))
    }

    /// Counts the users of a role.
    pub fn count_role_users(&self, id: &str) -> usize {
        self.users.values().filter(|it| it.record.role.as_str() == id).count()
    }

    /// The settings that people change in the interface.
    pub fn settings(&self) -> &Arc<SettingsRecord> {
        &self.settings
    }

    /// Returns true if a webhook that is not among these is gone. While the file, or a part of it,
    /// cannot be read, nobody knows.
    pub fn knows_all_webhooks(&self) -> bool {
        self.webhooks_are_whole == Completeness::Yes
    }

    /// All webhooks, in the order in which people put them.
    pub fn webhooks(&self) -> &Arc<[Arc<Webhook>]> {
        &self.webhooks
    }

    /// Returns true if a file with this stat has not changed since it was read or written here.
    pub(crate) fn has_read(&self, key: &Key, stat: &Stat) -> bool {
        self.read_files.get(key) == Some(stat)
    }

    /// Records the stat of a file that is known as it is.
    pub(crate) fn record_read(&mut self, key: &Key, stat: Option<Stat>) {
        match stat {
            Some(stat) => _ = self.read_files.insert(key.clone(), stat),
            None => _ = self.read_files.remove(key),
        }
    }

    /// Applies the content of files.
    pub(crate) fn apply_files(&mut self, files: impl IntoIterator<Item = SystemFile>) {
        let mut people = false;
        for file in files {
            people |= !matches!(file, SystemFile::Token(..));
            self.apply_file(file);
        }
        if people {
            self.compile_grants();
        }
    }

    fn apply_file(&mut self, file: SystemFile) {
        match file {
            SystemFile::Token(id, Some(record)) => {
                let token = ApiToken::new(record);
                if let Some(known) = self.tokens.get(&id) {
                    // Its last use may not be written down yet.
                    token.used.store(known.used.load(Relaxed), Relaxed);
                }
                _ = self.tokens.insert(id, Arc::new(token));
            }
            SystemFile::Token(id, None) => _ = self.tokens.remove(&id),
            SystemFile::User(id, Some(record)) => {
                self.unreadable.remove(&id);
                let grants = Grants::new(id.as_str(), Vec::new());
                let account = Account { record, grants, lacks_second_factor: false };
                _ = self.users.insert(id, Arc::new(account));
            }
            SystemFile::User(id, None) => {
                self.unreadable.remove(&id);
                self.users.remove(&id);
            }
            SystemFile::UnreadableUser(id) => {
                self.users.remove(&id);
                self.unreadable.insert(id);
            }
            SystemFile::Users(whole) => self.users_are_whole = whole,
            SystemFile::Roles(whole) => self.roles_are_whole = whole,
            SystemFile::Role(id, Some(record)) => {
                self.read_roles.insert(id.clone());
                if id.as_str() == role::ADMIN {
                    // Nobody gets less, or more, by a file: of this role only one choice is free.
                    self.reset_role(id, record.requires_second_factor);
                } else {
                    self.roles.insert(id, Arc::new(record));
                }
            }
            SystemFile::Role(id, None) => {
                self.read_roles.remove(&id);
                self.reset_role(id, false);
            }
            SystemFile::UnreadableRole(id) => {
                // Nobody gets in with less, or may do more, because of a broken file: what was read
                // last goes on counting.
                if !self.read_roles.contains(&id) {
                    self.withhold_role(&id);
                }
            }
            SystemFile::Settings(map) => self.settings = Arc::new(SettingsRecord::new(map)),
            SystemFile::Webhooks(webhooks, whole) => {
                self.webhooks = webhooks.into_iter().map(Arc::new).collect();
                self.webhooks_are_whole = whole;
            }
            // What is known stays.
            SystemFile::UnreadableSettings => {}
            SystemFile::UnreadableWebhooks => self.webhooks_are_whole = Completeness::No,
        }
    }

    /// Returns a built-in role to its original permissions, and removes any other.
    fn reset_role(&mut self, id: EntryId, requires_second_factor: bool) {
        match role::built_in_roles().iter().find(|it| it.id == id) {
            Some(original) => {
                let role = RoleRecord { requires_second_factor, ..original.clone() };
                _ = self.roles.insert(id, Arc::new(role));
            }
            None => _ = self.roles.remove(&id),
        }
    }

    /// Lets a role grant nothing and require a second factor, since nobody knows what its file
    /// says. An administrator may do everything in any case.
    fn withhold_role(&mut self, id: &EntryId) {
        let is_narrowed = id.as_str() != role::ADMIN;
        self.reset_role(id.clone(), true);
        if let Some(role) = self.roles.get_mut(id).filter(|_| is_narrowed) {
            Arc::make_mut(role).permissions.clear();
        }
    }

    /// Gives every user the grants of their role, and every name one user: of several with the same
    /// name the oldest.
    fn compile_grants(&mut self) {
        self.logins.clear();
        for (id, account) in &mut self.users {
            self.logins.entry(account.record.login_name()).or_insert_with(|| id.clone());
            let role = self.roles.get(&account.record.role);
            let grants = role.map(|it| it.permissions.clone()).unwrap_or_default();
            let (record, grants) = (account.record.clone(), Grants::new(id.as_str(), grants));
            let lacks_second_factor =
                record.second_factor.is_none() && role.is_some_and(|it| it.requires_second_factor);
            *account = Arc::new(Account { record, grants, lacks_second_factor });
        }
    }
}
