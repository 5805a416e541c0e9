//! Sessions: the setup of the first user, login, logout, and the current user.

use std::net::IpAddr;
use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::passwords;
use crate::app::people::passwords::PasswordVerdict;
use crate::app::system::workspaces;
use crate::app::system::workspaces::WorkspaceView;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::SystemStaging;
use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Grant;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::people::role;
use crate::model::people::session::SessionRecord;
use crate::model::people::session::SessionSecret;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::check_person;
use crate::model::people::user::check_username;
use crate::model::people::user::login_name;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The longest label of a workspace, in characters.
const LABEL_CHARS_MAX: usize = 100;
/// The most characters kept of a browser's user agent.
const AGENT_CHARS_MAX: usize = 200;

/// The origin of a request to log in.
#[derive(Clone, Debug)]
pub struct LoginOrigin {
    /// The client's address.
    pub ip: IpAddr,
    /// The block of addresses that counts as one client.
    pub block: IpAddr,
    /// The user agent of the browser.
    pub agent: String,
    /// The id of the request.
    pub request_id: String,
    /// True if it comes from this machine, and nobody else can reach the server.
    pub is_local: bool,
}

/// A new session.
pub struct StartedSession {
    /// The user who logged in.
    pub caller: Caller,
    /// The secret that the browser keeps.
    pub secret: SessionSecret,
    /// The lifetime of the cookie in seconds; `None` for one that ends with the browser session.
    pub cookie_seconds: Option<i64>,
}

/// The current user in the form of the interface.
#[derive(Serialize)]
pub struct CurrentUser {
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

/// Creates the first user, an administrator, and logs them in.
pub fn create_first_user(app: &App, origin: &LoginOrigin, body: &Map) -> Result<StartedSession> {
    if !app.engine.installation().is_empty() {
        return Err(Error::already_set_up());
    }
    let text = |key: &str| body.get(key).and_then(Json::as_str).unwrap_or_default();
    if !origin.is_local && !app.setup_token.matches_text(text("setup_token").trim()) {
        return Err(Error::refused(
            "Setting up from here needs the `setup_token` of the link that the server printed at its start.",
        ));
    }
    let label = text("workspace").trim().to_string();
    let mut record = parse_first_user(body)?;
    if label.chars().count() > LABEL_CHARS_MAX {
        let message = format!("A label has {LABEL_CHARS_MAX} characters at most.");
        return Err(Error::invalid(FieldProblems::from_problem("workspace", message)));
    }
    record.password = Some(app.passwords.hash(text("password"))?);
    let actor = user_actor(&record, origin);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        if !staging.installation().is_empty() {
            return Err(Error::already_set_up());
        }
        record.id = staging.new_id();
        record.created_at = Some(staging.now());
        record.updated_at = record.created_at;
        record.last_login_at = record.created_at;
        let users = Resource::Whole(Area::Users);
        let by = Actor { id: record.id.to_string(), ..actor.clone() };
        let permit = Permit::for_first_setup(&by.into(), Action::UsersCreate, &users);
        let mut write = staging.write(&permit);
        write.create(&Key::User(record.id.clone()), record.to_file().to_file());
        write.add_event(EventKind::SetUp, user_subject(&record));
        Ok(())
    })?;
    if !label.is_empty()
        && let Err(error) = label_default(app, label, user_actor(&record, origin).into())
    {
        // The installation can be used anyway.
        tracing::warn!(%error, "the workspace `default` keeps its label");
    }
    start_session(app, origin, &record.id, true)
}

fn parse_first_user(body: &Map) -> Result<UserRecord> {
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
    if let Err(message) = check_username(&username) {
        problems.add("username", message);
    }
    if let Err(message) = passwords::check_password(&password, &username) {
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
    problems.into_result(record).map_err(Error::invalid)
}

fn label_default(app: &App, label: String, by: Arc<Actor>) -> Result<()> {
    let ws = WorkspaceSlug::parse("default").map_err(|it| Error::internal(it.message()))?;
    let work = move |staging: &mut Staging<'_>| -> std::result::Result<(), CommitError> {
        let key = Key::Workspace(staging.workspace().clone());
        let workspace = Resource::One(Area::Workspaces, staging.workspace());
        let permit = Permit::for_first_setup(&by, Action::WorkspacesManage, &workspace);
        match staging.read_stored(&key)? {
            Some(stored) => {
                let mut map = stored.map().clone();
                map.set("label", label.clone().into());
                map.set("updated_at", staging.now().to_string().into());
                let bytes = stored.rewrite(map);
                staging.write(&permit).replace(&stored, bytes);
            }
            None => {
                let now = staging.now().to_string();
                let mut map = Map::new();
                map.push("format", i64::try_from(crate::model::workspace::FORMAT).unwrap_or(1));
                map.push("label", label.clone());
                map.push("created_at", now.clone());
                map.push("updated_at", now);
                staging.write(&permit).create(&key, Json::Object(map).to_file());
            }
        }
        Ok(())
    };
    app.engine.commit(&ws, work).map(drop).map_err(Error::from)
}

/// Logs a user in: `{username, password, remember?}`. Neither the response nor its time reveals
/// whether the username or the password was wrong.
pub fn log_in(app: &App, origin: &LoginOrigin, body: &Map) -> Result<StartedSession> {
    let installation = app.engine.installation_arc();
    if installation.is_empty() {
        return Err(Error::not_set_up());
    }
    let text = |key: &str| body.get(key).and_then(Json::as_str).unwrap_or_default();
    let (username, password) = (text("username"), text("password"));
    let remember = body.get("remember").and_then(Json::as_bool).unwrap_or_default();
    let (name, now) = (login_name(username), app.engine.clock().now());
    // Counted before the password is verified, so that concurrent attempts all count.
    let attempt = app.throttle.begin_attempt(&name, origin.block, now)?;
    let account = installation.find_username(username);
    // A text longer than any password would only cost time.
    let password = if password.len() > passwords::PASSWORD_BYTES_MAX { "" } else { password };
    let hash = account.and_then(|it| it.record.password.as_ref());
    let verdict = match app.passwords.verify(password, hash) {
        Ok(verdict) => verdict,
        Err(error) => {
            app.throttle.withdraw_attempt(attempt);
            return Err(error);
        }
    };
    let Some(account) = account.filter(|_| verdict != PasswordVerdict::Wrong) else {
        emit_refused_login(app, origin, account.map(|it| &it.record));
        return Err(Error::invalid_credentials());
    };
    app.throttle.record_success(&name, origin.block);
    let stronger_hash = match verdict {
        PasswordVerdict::RightButWeak => app.passwords.hash(password).ok(),
        _ => None,
    };
    if let Some(hash) = &stronger_hash {
        upgrade_hash(app, origin, &account.record, hash);
    } else if let Err(error) = record_login(app, origin, &account.record, None) {
        // A user may log in even if the login cannot be recorded.
        tracing::warn!(%error, "a login cannot be written down");
    }
    start_session(app, origin, &account.record.id, remember)
}

/// Emits the event of a refused login. Unknown usernames are not recorded: people type passwords
/// there.
fn emit_refused_login(app: &App, origin: &LoginOrigin, user: Option<&UserRecord>) {
    let subject = match user {
        Some(user) => user_subject(user),
        None => Subject::Only { subject: "somebody unknown" },
    };
    let id = user.map(|it| it.id.to_string()).unwrap_or_default();
    let name = user.map(|it| it.shown_name().to_string()).unwrap_or_default();
    let by = Actor { id, name, ..unknown_actor(origin) };
    app.engine.emit_system(vec![Event::from_actor(&by, EventKind::LoginRefused, subject)]);
}

fn record_login(
    app: &App,
    origin: &LoginOrigin,
    user: &UserRecord,
    stronger_hash: Option<&PasswordHash>,
) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let Some(account) = staging.installation().user(user.id.as_str()) else {
            return Err(Error::invalid_credentials());
        };
        let mut record = account.record.clone();
        record.last_login_at = Some(staging.now());
        if record.password == user.password {
            record.password = stronger_hash.cloned().or(record.password);
        }
        let own = Resource::One(Area::Users, record.id.as_str());
        let permit = Permit::for_own_account(&user_actor(&record, origin).into(), &own);
        let mut write = staging.write(&permit);
        write.write_record(&Key::User(record.id.clone()), &record.to_file())?;
        write.add_event(EventKind::LoggedIn, user_subject(&record));
        Ok(())
    })
}

/// Stores a stronger_hash hash of the password of a user who logs in. The password is the same, so the
/// user's other sessions continue.
fn upgrade_hash(app: &App, origin: &LoginOrigin, user: &UserRecord, hash: &PasswordHash) {
    let before = user.session_stamp();
    let after = UserRecord { password: Some(hash.clone()), ..user.clone() }.session_stamp();
    let keep_all = |stamp: &str| {
        let open = app.engine.sessions().list_user_sessions(&user.id, app.engine.clock().now());
        for (key, _) in open.iter().filter(|(_, it)| it.is_valid_for(&before)) {
            if let Err(error) = app.engine.sessions().update_stamp(key, stamp.to_string()) {
                tracing::warn!(%error, "that a session lasts cannot be written down");
            }
        }
    };
    // During the write, sessions are valid with either stamp.
    keep_all(&format!("{before} {after}"));
    match record_login(app, origin, user, Some(hash)) {
        Ok(()) => keep_all(&after),
        Err(error) => {
            tracing::warn!(%error, "a login cannot be written down");
            keep_all(&before);
        }
    }
}

fn start_session(
    app: &App,
    origin: &LoginOrigin,
    user: &EntryId,
    remember: bool,
) -> Result<StartedSession> {
    let account = app.engine.installation().user(user.as_str()).cloned();
    let account: Arc<_> = account.ok_or_else(Error::invalid_credentials)?;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let secret = SessionSecret::new(bytes);
    let now = app.engine.clock().now();
    let record = SessionRecord {
        user: user.clone(),
        stamp: account.record.session_stamp(),
        created_at: now,
        used_at: now,
        remember,
        ip: origin.ip.to_string(),
        agent: origin.agent.chars().filter(|it| !it.is_control()).take(AGENT_CHARS_MAX).collect(),
    };
    let cookie_seconds = record.cookie_seconds();
    app.engine.sessions().start_session(secret.key(), record)?;
    let (session, csrf_token) = (secret.key(), secret.csrf_token());
    let caller = Caller::User(Arc::new(Login { account, session, csrf_token }));
    Ok(StartedSession { caller, secret, cookie_seconds })
}

/// Keeps the caller's session across a change of their own password or role, which ends all their
/// other sessions. `next` is the new record. During the change, the session is valid with the old
/// and the new stamp: the page may send other requests at the same time.
pub(super) fn keep_own_session<T>(
    app: &App,
    login: &Login,
    next: &UserRecord,
    change: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let (before, after) = (login.account.record.session_stamp(), next.session_stamp());
    if before == after {
        return change();
    }
    let (sessions, user) = (app.engine.sessions(), &login.account.record.id);
    sessions.update_stamp(&login.session, format!("{before} {after}"))?;
    let changed = change();
    let installation = app.engine.installation_arc();
    let stamp = installation.user(user.as_str()).map(|it| it.record.session_stamp());
    if let Some(stamp) = stamp
        && let Err(error) = sessions.update_stamp(&login.session, stamp)
    {
        // It stays valid at least until the server restarts.
        tracing::warn!(%error, "that a session lasts cannot be written down");
    }
    if changed.is_ok() {
        sessions.end_other_sessions(user, Some(&login.session));
    }
    changed
}

/// Ends the session of the caller.
pub fn log_out(app: &App, caller: &Caller, origin: &LoginOrigin) -> Result<()> {
    let login = caller.require_login()?;
    app.engine.sessions().end_session(&login.session);
    let user = &login.account.record;
    let event =
        Event::from_actor(&user_actor(user, origin), EventKind::LoggedOut, user_subject(user));
    app.engine.emit_system(vec![event]);
    Ok(())
}

/// Returns the caller with the data that the interface needs at its start.
pub fn describe_caller(app: &App, caller: &Caller) -> Result<CurrentUser> {
    let login = caller.require_login()?;
    // The record may have changed within this request.
    let installation = app.engine.installation_arc();
    let account = installation.user(login.account.record.id.as_str()).unwrap_or(&login.account);
    let user = account.record.clone();
    Ok(CurrentUser {
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

/// Returns a user as the subject of events.
pub fn user_subject(user: &UserRecord) -> Subject {
    Subject::User { user: user.id.to_string(), username: user.username.clone() }
}

fn user_actor(user: &UserRecord, origin: &LoginOrigin) -> Actor {
    Actor { id: user.id.to_string(), name: user.shown_name().to_string(), ..unknown_actor(origin) }
}

fn unknown_actor(origin: &LoginOrigin) -> Actor {
    Actor {
        id: String::new(),
        name: String::new(),
        ip: Some(origin.ip),
        request_id: origin.request_id.clone(),
        source: EventSource::Admin,
    }
}
