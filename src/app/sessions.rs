//! Logging in and out, the first user, and who somebody is.

use std::net::IpAddr;
use std::sync::Arc;

use serde::Serialize;
use subtle::ConstantTimeEq as _;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::passwords;
use crate::app::passwords::Verdict;
use crate::app::workspaces;
use crate::app::workspaces::WorkspaceView;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::engine::system::SystemStaging;
use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::grant::Grant;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::role;
use crate::model::session::SessionRecord;
use crate::model::session::SessionSecret;
use crate::model::user::PasswordHash;
use crate::model::user::UserRecord;
use crate::model::user::check_person;
use crate::model::user::checked_username;
use crate::model::user::login_name;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::store::layout::Key;

/// The longest label of a workspace, in characters.
const LABEL_CHARS_MAX: usize = 100;
/// How much is kept of what a browser calls itself, in characters.
const AGENT_CHARS_MAX: usize = 200;

/// What proves, while there is no user, that somebody runs the server: it is in the link that the
/// server prints at its start.
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
    /// The token, for the link.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn is(&self, text: &str) -> bool {
        !self.0.is_empty() && bool::from(self.0.as_bytes().ct_eq(text.as_bytes()))
    }
}

/// Where a request to log in comes from.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The client's address.
    pub ip: IpAddr,
    /// The block of addresses that counts as one client.
    pub block: IpAddr,
    /// What the browser calls itself.
    pub agent: String,
    /// The request's id.
    pub request_id: String,
    /// Whether it comes from the machine itself, where nobody else can reach the server.
    pub is_local: bool,
}

/// A session that has just begun.
pub struct Begun {
    /// Who logged in.
    pub caller: Caller,
    /// What their browser keeps.
    pub secret: SessionSecret,
    /// For how long, in seconds; until it is closed without.
    pub cookie_seconds: Option<i64>,
}

/// Who is logged in, as the interface is told.
#[derive(Serialize)]
pub struct Me {
    id: EntryId,
    username: String,
    display_name: String,
    email: String,
    role: EntryId,
    has_avatar: bool,
    permissions: Vec<Grant>,
    default_workspace: WorkspaceSlug,
    workspaces: Vec<WorkspaceView>,
    preferences: serde_json::Value,
    csrf_token: String,
}

/// Makes the first user, who may do everything, and logs them in.
pub fn setup(app: &App, visit: &Visit, body: &Map) -> Result<Begun> {
    if !app.engine.installation().is_empty() {
        return Err(Error::already_set_up());
    }
    let text = |key: &str| body.get(key).and_then(Json::as_str).unwrap_or_default();
    if !visit.is_local && !app.setup_token.is(text("setup_token").trim()) {
        return Err(Error::refused(
            "Setting up from here needs the `setup_token` of the link that the server printed at its start.",
        ));
    }
    let label = text("workspace").trim().to_string();
    let mut record = checked_first_user(body)?;
    if label.chars().count() > LABEL_CHARS_MAX {
        let message = format!("A label has {LABEL_CHARS_MAX} characters at most.");
        return Err(Error::invalid(FieldProblems::one("workspace", message)));
    }
    record.password = Some(app.passwords.hash(text("password"))?);
    let actor = actor_of(&record, visit);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        if !staging.installation().is_empty() {
            return Err(Error::already_set_up());
        }
        record.id = staging.new_id();
        record.created_at = Some(staging.now());
        record.updated_at = record.created_at;
        record.last_login_at = record.created_at;
        staging.create(&Key::User(record.id.clone()), record.to_file().to_file());
        let actor = Actor { id: record.id.to_string(), ..actor.clone() };
        staging.tell(Event::by(&actor, EventKind::SetUp, subject(&record)));
        Ok(())
    })?;
    if !label.is_empty()
        && let Err(error) = label_default(app, label)
    {
        // The installation can be used all the same.
        tracing::warn!(%error, "the workspace `default` keeps its label");
    }
    begin(app, visit, &record.id, true)
}

fn checked_first_user(body: &Map) -> Result<UserRecord> {
    let mut problems = FieldProblems::new();
    let mut text = |key: &str| match body.get(key) {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.to_string(),
        Some(_) => {
            problems.add(key, "This should be a text.");
            String::new()
        }
    };
    let (username, password) = (text("username").trim().to_string(), text("password"));
    let (display_name, email) = (text("display_name").trim().to_string(), text("email"));
    if let Err(message) = checked_username(&username) {
        problems.add("username", message);
    }
    if let Err(message) = passwords::checked(&password, &username) {
        problems.add("password", message);
    }
    let email = email.trim().to_string();
    check_person(&display_name, &email, &mut problems);
    let record = UserRecord {
        id: EntryId::parse("new").map_err(|it| Error::internal(it.message()))?,
        username,
        display_name,
        email,
        role: EntryId::parse(role::ADMIN).map_err(|it| Error::internal(it.message()))?,
        has_avatar: false,
        created_at: None,
        updated_at: None,
        last_login_at: None,
        password: None,
        preferences: Map::new(),
    };
    problems.or(record).map_err(Error::invalid)
}

fn label_default(app: &App, label: String) -> Result<()> {
    let ws = WorkspaceSlug::parse("default").map_err(|it| Error::internal(it.message()))?;
    let work = move |staging: &mut Staging<'_>| -> std::result::Result<(), CommitError> {
        let key = Key::Workspace(staging.workspace().clone());
        match staging.stored(&key)? {
            Some(stored) => {
                let mut map = stored.map.clone();
                map.set("label", label.clone().into());
                map.set("updated_at", staging.now().to_string().into());
                staging.replace(&stored, json_edit::rewrite(&stored.bytes, &Json::Object(map)));
            }
            None => {
                let now = staging.now().to_string();
                let mut map = Map::new();
                map.push("format", i64::try_from(crate::model::workspace::FORMAT).unwrap_or(1));
                map.push("label", label.clone());
                map.push("created_at", now.clone());
                map.push("updated_at", now);
                staging.create(&key, Json::Object(map).to_file());
            }
        }
        Ok(())
    };
    app.engine.commit(&ws, work).map(drop).map_err(Error::from)
}

/// Logs somebody in: `{username, password, remember?}`. Whether the name or the password was wrong
/// shows neither in the answer nor in its time.
pub fn log_in(app: &App, visit: &Visit, body: &Map) -> Result<Begun> {
    let installation = app.engine.installation_now();
    if installation.is_empty() {
        return Err(Error::not_set_up());
    }
    let text = |key: &str| body.get(key).and_then(Json::as_str).unwrap_or_default();
    let (username, password) = (text("username"), text("password"));
    let remember = body.get("remember").and_then(Json::as_bool).unwrap_or_default();
    let (name, now) = (login_name(username), app.engine.clock().now());
    // Counted before it is judged: of many tries at once all count.
    let attempt = app.throttle.attempt(&name, visit.block, now)?;
    let account = installation.user_named(username);
    // Longer than any password can be: it would only cost time.
    let password = if password.len() > passwords::PASSWORD_BYTES_MAX { "" } else { password };
    let hash = account.and_then(|it| it.record.password.as_ref());
    let verdict = match app.passwords.verify(password, hash) {
        Ok(verdict) => verdict,
        Err(error) => {
            app.throttle.withdraw(attempt);
            return Err(error);
        }
    };
    let Some(account) = account.filter(|_| verdict != Verdict::Wrong) else {
        tell_refused(app, visit, account.map(|it| &it.record));
        return Err(Error::invalid_credentials());
    };
    app.throttle.succeeded(&name, visit.block);
    let stronger = match verdict {
        Verdict::RightButWeak => app.passwords.hash(password).ok(),
        _ => None,
    };
    if let Some(hash) = &stronger {
        rehash(app, visit, &account.record, hash);
    } else if let Err(error) = note_login(app, visit, &account.record, None) {
        // Who may come in comes in, whether or not it can be written down.
        tracing::warn!(%error, "a login cannot be written down");
    }
    begin(app, visit, &account.record.id, remember)
}

/// Names that nobody has are not written down: people type their passwords there.
fn tell_refused(app: &App, visit: &Visit, user: Option<&UserRecord>) {
    let subject = match user {
        Some(user) => subject(user),
        None => Subject::Only { subject: "somebody unknown" },
    };
    let id = user.map(|it| it.id.to_string()).unwrap_or_default();
    let name = user.map(|it| it.shown_name().to_string()).unwrap_or_default();
    let by = Actor { id, name, ..actor(visit) };
    app.engine.tell_system(vec![Event::by(&by, EventKind::LoginRefused, subject)]);
}

fn note_login(
    app: &App,
    visit: &Visit,
    user: &UserRecord,
    stronger: Option<&PasswordHash>,
) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let Some(account) = staging.installation().user(user.id.as_str()) else {
            return Err(Error::invalid_credentials());
        };
        let mut record = account.record.clone();
        record.last_login_at = Some(staging.now());
        if record.password == user.password {
            record.password = stronger.cloned().or(record.password);
        }
        staging.write(&Key::User(record.id.clone()), &record.to_file())?;
        staging.tell(Event::by(&actor_of(&record, visit), EventKind::LoggedIn, subject(&record)));
        Ok(())
    })
}

/// Keeps the password of whoever logs in with more effort from now on. It is the same password, so
/// their other sessions go on.
fn rehash(app: &App, visit: &Visit, user: &UserRecord, hash: &PasswordHash) {
    let before = user.stamp();
    let after = UserRecord { password: Some(hash.clone()), ..user.clone() }.stamp();
    let keep_all = |stamp: &str| {
        let open = app.engine.sessions().of(&user.id, app.engine.clock().now());
        for (key, _) in open.iter().filter(|(_, it)| it.counts_for(&before)) {
            if let Err(error) = app.engine.sessions().keep(key, stamp.to_string()) {
                tracing::warn!(%error, "that a session lasts cannot be written down");
            }
        }
    };
    // While it is written they last with either.
    keep_all(&format!("{before} {after}"));
    match note_login(app, visit, user, Some(hash)) {
        Ok(()) => keep_all(&after),
        Err(error) => {
            tracing::warn!(%error, "a login cannot be written down");
            keep_all(&before);
        }
    }
}

fn begin(app: &App, visit: &Visit, user: &EntryId, remember: bool) -> Result<Begun> {
    let account = app.engine.installation().user(user.as_str()).cloned();
    let account: Arc<_> = account.ok_or_else(Error::invalid_credentials)?;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let secret = SessionSecret::new(bytes);
    let now = app.engine.clock().now();
    let record = SessionRecord {
        user: user.clone(),
        stamp: account.record.stamp(),
        created_at: now,
        used_at: now,
        remember,
        ip: visit.ip.to_string(),
        agent: visit.agent.chars().filter(|it| !it.is_control()).take(AGENT_CHARS_MAX).collect(),
    };
    let cookie_seconds = record.cookie_seconds();
    app.engine.sessions().begin(secret.key(), record)?;
    let (session, csrf_token) = (secret.key(), secret.csrf_token());
    let caller = Caller::User(Arc::new(Login { account, session, csrf_token }));
    Ok(Begun { caller, secret, cookie_seconds })
}

/// Lets the session of whoever asks outlive a change of their own password or role, which ends all
/// their other ones. `next` is what they will be. While the change is made the session lasts with
/// what was and with what will be: their page may ask for something else at the same time.
pub(super) fn outliving<T>(
    app: &App,
    login: &Login,
    next: &UserRecord,
    change: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let (before, after) = (login.account.record.stamp(), next.stamp());
    if before == after {
        return change();
    }
    let (sessions, user) = (app.engine.sessions(), &login.account.record.id);
    sessions.keep(&login.session, format!("{before} {after}"))?;
    let changed = change();
    let installation = app.engine.installation_now();
    let stamp = installation.user(user.as_str()).map(|it| it.record.stamp());
    if let Some(stamp) = stamp
        && let Err(error) = sessions.keep(&login.session, stamp)
    {
        // It lasts until the server restarts at least.
        tracing::warn!(%error, "that a session lasts cannot be written down");
    }
    if changed.is_ok() {
        sessions.end_all_of(user, Some(&login.session));
    }
    changed
}

/// Ends the session of whoever asks.
pub fn log_out(app: &App, caller: &Caller, visit: &Visit) -> Result<()> {
    let login = caller.login()?;
    app.engine.sessions().end(&login.session);
    let user = &login.account.record;
    let event = Event::by(&actor_of(user, visit), EventKind::LoggedOut, subject(user));
    app.engine.tell_system(vec![event]);
    Ok(())
}

/// Who asks, with what the interface needs to begin.
pub fn me(app: &App, caller: &Caller) -> Result<Me> {
    let login = caller.login()?;
    // What is kept of them may have changed within this very request.
    let installation = app.engine.installation_now();
    let account = installation.user(login.account.record.id.as_str()).unwrap_or(&login.account);
    let user = account.record.clone();
    Ok(Me {
        permissions: account.grants.list().to_vec(),
        default_workspace: app.engine.default_workspace(),
        workspaces: workspaces::list(app, caller, false),
        preferences: (&Json::Object(user.preferences)).into(),
        csrf_token: login.csrf_token.clone(),
        id: user.id,
        username: user.username,
        display_name: user.display_name,
        email: user.email,
        role: user.role,
        has_avatar: user.has_avatar,
    })
}

/// A user as events name them.
pub fn subject(user: &UserRecord) -> Subject {
    Subject::User { user: user.id.to_string(), username: user.username.clone() }
}

fn actor_of(user: &UserRecord, visit: &Visit) -> Actor {
    Actor { id: user.id.to_string(), name: user.shown_name().to_string(), ..actor(visit) }
}

fn actor(visit: &Visit) -> Actor {
    Actor {
        id: String::new(),
        name: String::new(),
        ip: Some(visit.ip),
        request_id: visit.request_id.clone(),
        source: Source::Admin,
    }
}
