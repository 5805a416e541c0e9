//! Sessions: the setup of the first user, login, logout, and the current user.

use std::net::IpAddr;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::access::Requester;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::code_check::CodeProof;
use crate::app::people::new_user::NewUser;
use crate::app::people::passwords;
use crate::app::people::passwords::PasswordVerdict;
use crate::app::system::samples;
use crate::app::system::workspaces;
use crate::app::system::workspaces::WorkspaceView;
use crate::engine::error::CommitError;
use crate::engine::installation::Account;
use crate::engine::installation::Installation;
use crate::engine::staging::Staging;
use crate::engine::staging::SystemStaging;
use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Grant;
use crate::model::grant::Permit;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::check_line;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::people::role;
use crate::model::people::second_factor::TypedCode;
use crate::model::people::session::SessionRecord;
use crate::model::people::session::SessionSecret;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::login_name;
use crate::model::workspace::LABEL_CHARS_MAX;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::text_enum::text_enum;
use crate::store::layout::Key;

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
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Me", description = "The current user.")]
pub struct CurrentUser {
    /// The id.
    id: EntryId,
    /// The name used to log in.
    username: String,
    /// The name shown to others.
    display_name: String,
    /// The e-mail address; may be empty.
    email: String,
    /// The id of the role.
    role: EntryId,
    /// True if the user has a picture.
    has_avatar: bool,
    /// True if a second factor is set up.
    has_second_factor: bool,
    /// True if the role requires a second factor and there is none. Then setting it up is all that
    /// the session allows, and permissions and workspaces are not listed.
    must_set_up_second_factor: bool,
    /// The grants of the role.
    permissions: Vec<Grant>,
    /// The slug of the workspace of requests that name none.
    default_workspace: WorkspaceSlug,
    /// The workspaces that the user has access to.
    workspaces: Vec<WorkspaceView>,
    /// The preferences stored by the interface.
    #[schemars(extend("type" = "object"))]
    preferences: serde_json::Value,
    /// The value of `X-CSRF-Token`.
    csrf_token: String,
}

/// Creates the first user, an administrator, and logs them in.
pub fn create_first_user(app: &App, origin: &LoginOrigin, body: &Map) -> Result<StartedSession> {
    if !app.engine.installation().is_empty() {
        return Err(Error::already_set_up());
    }
    let input = FirstUser::parse(body);
    if !origin.is_local && !app.setup_token.matches_text(input.values.setup_token.trim()) {
        return Err(Error::refused(
            "To set up Recto from here, use the `setup_token` of the link that the server printed \
             when it started.",
        ));
    }
    let FirstUser { user, workspace, samples, .. } = input.into_result().map_err(Error::invalid)?;
    let admin = EntryId::parse(role::ADMIN).map_err(|it| Error::internal(it.message()))?;
    let password = app.passwords.hash(user.password.as_deref().unwrap_or_default())?;
    let record = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        if !staging.installation().is_empty() {
            return Err(Error::already_set_up());
        }
        let (id, now) = (staging.new_id(), staging.now());
        let mut record = user.to_record(id, admin.clone(), Some(password.clone()), now);
        record.last_login_at = record.created_at;
        let by = user_actor(&record, origin).into();
        let permit = Permit::for_first_setup(&by, Action::UsersCreate);
        let mut write = staging.write(&permit);
        write.create(&Key::User(record.id.clone()), record.to_file().to_file());
        write.add_event(EventKind::SetUp, user_subject(&record));
        Ok(record)
    })?;
    if let Err(error) = begin_default(app, workspace, user_actor(&record, origin).into()) {
        // The installation can be used anyway.
        tracing::warn!(%error, "the workspace `default` stays as it is");
    }
    let session = start_session(app, origin, &record, SessionKind::OfBrowser)?;
    if !samples {
        let actor = user_actor(&record, origin).into();
        remove_samples(app, Requester { caller: session.caller.clone(), actor });
    }
    Ok(session)
}

fn remove_samples(app: &App, by: Requester) {
    let permit = Permit::for_first_setup(&by.actor, Action::SchemaDelete);
    let removed = WorkspaceSlug::parse("default")
        .map_err(|it| Error::internal(it.message()))
        .and_then(|ws| samples::remove_at_setup(app, &ws, &by, permit));
    if let Err(error) = removed {
        // The installation can be used anyway, and the samples can be removed later.
        tracing::warn!(%error, "the sample content stays");
    }
}

/// The body of the request that creates the first user.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "Setup", transform = remove_role)]
#[schemars(description = "The body of the request that creates the first user.")]
pub struct FirstUser {
    #[schemars(flatten)]
    user: NewUser,
    /// The label of the workspace `default`; empty to keep its own.
    #[schemars(with = "Option<String>", length(max = LABEL_CHARS_MAX))]
    workspace: String,
    /// False to begin without the sample content.
    #[schemars(with = "Option<bool>")]
    samples: bool,
    /// The token in the link that the server prints at start; not required on the machine itself.
    #[schemars(with = "Option<String>")]
    setup_token: String,
}

/// Removes the role from the schema: the first user is an administrator.
fn remove_role(schema: &mut Schema) {
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        members.remove("role");
    }
    if let Some(names) = schema.get_mut("required").and_then(Value::as_array_mut) {
        names.retain(|it| it != "role");
    }
}

impl FirstUser {
    fn parse(body: &Map) -> ParsedBody<FirstUser> {
        let mut input = ObjectReader::new(body);
        let user = NewUser::read(&mut input, role::ADMIN.to_string());
        let workspace = input.lenient_text("workspace").trim().to_string();
        input.accept_checked("workspace", check_line(&workspace, LABEL_CHARS_MAX));
        let samples = input.flag("samples").unwrap_or(true);
        let setup_token = input.lenient_text("setup_token").to_string();
        let password = user.password.as_deref().unwrap_or_default();
        input.accept_checked("password", passwords::check_password(password, &user.username));
        input.finish(FirstUser { user, workspace, samples, setup_token })
    }
}

fn begin_default(app: &App, label: String, by: Arc<Actor>) -> Result<()> {
    let ws = WorkspaceSlug::parse("default").map_err(|it| Error::internal(it.message()))?;
    let work = move |staging: &mut Staging<'_>| -> std::result::Result<(), CommitError> {
        let key = Key::Workspace(staging.workspace().clone());
        let permit = Permit::for_first_setup(&by, Action::WorkspacesManage);
        let now = staging.now().to_string();
        match staging.read_stored(&key)? {
            Some(stored) => {
                let is_new = samples::has_time_of_samples(staging.workspace(), stored.map());
                if label.is_empty() && !is_new {
                    return Ok(());
                }
                let mut map = stored.map().clone();
                if !label.is_empty() {
                    map.set("label", label.clone().into());
                }
                if is_new {
                    map.set("created_at", now.clone().into());
                }
                map.set("updated_at", now.into());
                let bytes = stored.rewrite(map);
                staging.write(&permit).replace(&stored, bytes);
            }
            None if label.is_empty() => {}
            None => {
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

/// The body of a request to log in. The answer does not say what is wrong with the name, the
/// password and the code, so what is no text counts as missing.
#[derive(JsonSchema)]
#[schemars(rename = "Login", description = "The body of a request to log in.")]
pub struct LoginInput<'a> {
    /// The name used to log in. Upper and lower case are the same.
    username: &'a str,
    /// The password.
    password: &'a str,
    /// The code of the second factor, or a recovery code. Users with a second factor get
    /// `second_factor_required` without it.
    #[schemars(with = "Option<String>")]
    code: &'a str,
    /// Keeps the session when the browser is closed.
    #[schemars(with = "Option<bool>")]
    remember: bool,
}

impl<'a> LoginInput<'a> {
    fn parse(body: &'a Map) -> ParsedBody<LoginInput<'a>> {
        let mut input = ObjectReader::new(body);
        let values = LoginInput {
            username: input.lenient_text("username"),
            password: input.lenient_text("password"),
            code: input.lenient_text("code"),
            remember: input.flag("remember").unwrap_or(false),
        };
        input.finish(values)
    }
}

/// Logs a user in. Neither the response nor its time reveals whether the username or the password
/// was wrong.
pub fn log_in(app: &App, origin: &LoginOrigin, body: &Map) -> Result<StartedSession> {
    let installation = app.engine.installation_arc();
    if installation.is_empty() {
        return Err(Error::not_set_up());
    }
    let input = LoginInput::parse(body).into_result().map_err(Error::invalid)?;
    let LoginInput { username, password, code, remember } = input;
    let (name, now) = (login_name(username), app.engine.clock().now());
    // Counted before the password is verified, so that concurrent attempts all count.
    let attempt = app.throttle.begin_attempt(&name, origin.block, now)?;
    let account = installation.find_username(username);
    // A text longer than any password would only cost time.
    let password = if password.len() > passwords::PASSWORD_BYTES_MAX { "" } else { password };
    let hash = account.and_then(|it| it.record.password.as_ref());
    let mut hashes = installation.users().filter_map(|it| it.record.password.as_ref());
    let foreign = hashes.find(|it| it.is_bcrypt());
    let verdict = match app.passwords.verify_among(password, hash, foreign) {
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
    let proof = match app.code_checks.check_code(&account.record, &TypedCode::parse(code), now) {
        Ok(proof) => proof,
        Err(error) => {
            if error.code == Code::InvalidCode {
                emit_refused_login(app, origin, Some(&account.record));
            } else {
                // No code was verified.
                app.throttle.withdraw_attempt(attempt);
            }
            return Err(error);
        }
    };
    let stronger_hash = match verdict {
        PasswordVerdict::RightButWeak => app.passwords.hash(password).ok(),
        _ => None,
    };
    let user = match finish_login(app, origin, &account.record, &proof, stronger_hash.as_ref()) {
        Err(error) if error.code == Code::InvalidCredentials => {
            let current = find_same_user(app, &account.record, password)?;
            finish_login(app, origin, &current, &proof, None)?
        }
        finished => finished?,
    };
    app.throttle.record_success(&name, origin.block);
    let kind = if remember { SessionKind::Remembered } else { SessionKind::OfBrowser };
    start_session(app, origin, &user, kind)
}

/// Logs in the user whom a trusted proxy names, who must exist. The proxy has checked who it is, so
/// neither a password nor a code is asked for.
pub fn log_in_by_proxy(
    app: &App,
    origin: &LoginOrigin,
    name: &str,
    by: ProxyMatch,
) -> Result<StartedSession> {
    let installation = app.engine.installation_arc();
    if installation.is_empty() {
        return Err(Error::not_set_up());
    }
    let Some(account) = find_proxied_user(&installation, name, by) else {
        emit_refused_login(app, origin, None);
        return Err(Error::refused("The proxy names a user who has no account here."));
    };
    let user = finish_login(app, origin, &account.record, &CodeProof::NotNeeded, None)?;
    start_session(app, origin, &user, SessionKind::ByProxy)
}

text_enum! {
    /// The part of a user that a proxy names.
    pub enum ProxyMatch {
        /// The user name.
        Username = "username",
        /// The e-mail address, if it is that of one user alone.
        Email = "email",
    }
}

/// Finds the user whom a proxy names.
pub fn find_proxied_user<'i>(
    installation: &'i Installation,
    name: &str,
    by: ProxyMatch,
) -> Option<&'i Arc<Account>> {
    match by {
        ProxyMatch::Username => installation.find_username(name),
        ProxyMatch::Email => {
            let is_of = |it: &&Arc<Account>| it.record.email.eq_ignore_ascii_case(name);
            let mut found = installation.users().filter(is_of);
            let user = found.next()?;
            found.next().is_none().then_some(user)
        }
    }
}

/// Returns the record of a user that has changed since they proved who they are, if the proofs
/// still hold: another login may have stored a stronger hash of the same password.
fn find_same_user(app: &App, proven: &UserRecord, password: &str) -> Result<UserRecord> {
    let secret = |it: &UserRecord| it.second_factor.as_ref().map(|it| it.secret.clone());
    let installation = app.engine.installation_arc();
    let current = installation.user(proven.id.as_str()).map(|it| &it.record);
    let current = current.filter(|it| secret(it) == secret(proven));
    let current = current.ok_or_else(Error::invalid_credentials)?;
    match app.passwords.verify(password, current.password.as_ref())? {
        PasswordVerdict::Wrong => Err(Error::invalid_credentials()),
        PasswordVerdict::Right | PasswordVerdict::RightButWeak => Ok(current.clone()),
    }
}

/// Records the login of a user who has proven everything. Returns the record that was proven to be
/// theirs.
fn finish_login(
    app: &App,
    origin: &LoginOrigin,
    user: &UserRecord,
    proof: &CodeProof,
    stronger_hash: Option<&PasswordHash>,
) -> Result<UserRecord> {
    let recorded = match stronger_hash {
        Some(hash) => upgrade_hash(app, origin, user, proof, hash),
        None => record_login(app, origin, user, proof, None),
    };
    match recorded {
        Ok(record) => Ok(record),
        Err(error) if proof.must_be_stored() || error.code == Code::InvalidCredentials => {
            Err(error)
        }
        Err(error) => {
            // A user may log in even if the login cannot be recorded.
            tracing::warn!(%error, "a login cannot be recorded");
            Ok(user.clone())
        }
    }
}

/// Emits the event of a refused login. Unknown usernames are not recorded: people type passwords
/// there.
fn emit_refused_login(app: &App, origin: &LoginOrigin, user: Option<&UserRecord>) {
    let subject = match user {
        Some(user) => user_subject(user),
        None => Subject::Only { subject: "somebody unknown".into() },
    };
    let id = user.map(|it| it.id.to_string()).unwrap_or_default();
    let name = user.map(|it| it.shown_name().to_string()).unwrap_or_default();
    let by = Actor { id, name, ..unknown_actor(origin) };
    app.engine.outbox().emit_system(vec![Event::from_actor(&by, EventKind::LoginRefused, subject)]);
}

fn record_login(
    app: &App,
    origin: &LoginOrigin,
    user: &UserRecord,
    proof: &CodeProof,
    stronger_hash: Option<&PasswordHash>,
) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let Some(account) = staging.installation().user(user.id.as_str()) else {
            return Err(Error::invalid_credentials());
        };
        let mut record = account.record.clone();
        if record.session_stamp() != user.session_stamp() {
            // What was proven is no longer what it takes.
            return Err(Error::invalid_credentials());
        }
        proof.apply(&mut record)?;
        record.last_login_at = Some(staging.now());
        record.password = stronger_hash.cloned().or(record.password);
        let permit = Permit::for_own_account(&user_actor(&record, origin).into());
        let mut write = staging.write(&permit);
        write.write_record(&Key::User(record.id.clone()), &record.to_file())?;
        if proof.must_be_stored() {
            write.add_event(EventKind::RecoveryCodeUsed, user_subject(&record));
        }
        write.add_event(EventKind::LoggedIn, user_subject(&record));
        Ok(record)
    })
}

/// Stores a stronger hash of the password of a user who logs in. The password is the same, so the
/// user's other sessions continue.
fn upgrade_hash(
    app: &App,
    origin: &LoginOrigin,
    user: &UserRecord,
    proof: &CodeProof,
    hash: &PasswordHash,
) -> Result<UserRecord> {
    let before = user.session_stamp();
    let after = UserRecord { password: Some(hash.clone()), ..user.clone() }.session_stamp();
    let keep_all = |stamp: &str| {
        let open =
            app.engine.records().sessions().list_user_sessions(&user.id, app.engine.clock().now());
        for (key, _) in open.iter().filter(|(_, it)| it.is_valid_for(&before)) {
            if let Err(error) = app.engine.records().sessions().update_stamp(key, stamp.to_string())
            {
                tracing::warn!(%error, "a session cannot be extended");
            }
        }
    };
    // During the write, sessions are valid with either stamp.
    keep_all(&format!("{before} {after}"));
    let recorded = record_login(app, origin, user, proof, Some(hash));
    keep_all(if recorded.is_ok() { &after } else { &before });
    recorded
}

/// The kind of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SessionKind {
    /// It ends with the browser.
    OfBrowser,
    /// It outlasts the browser.
    Remembered,
    /// It counts while a proxy names the user.
    ByProxy,
}

/// Starts a session of a user. `proven` is the record that the login was checked against: if it has
/// changed since, the session has ended already.
fn start_session(
    app: &App,
    origin: &LoginOrigin,
    proven: &UserRecord,
    kind: SessionKind,
) -> Result<StartedSession> {
    let (user, stamp) = (&proven.id, proven.session_stamp());
    let account = app.engine.installation().user(user.as_str()).cloned();
    let account = account.filter(|it| it.record.session_stamp() == stamp);
    let account: Arc<_> = account.ok_or_else(Error::invalid_credentials)?;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let secret = SessionSecret::new(bytes);
    let now = app.engine.clock().now();
    let record = SessionRecord {
        user: user.clone(),
        stamp,
        created_at: now,
        used_at: now,
        remember: kind == SessionKind::Remembered,
        by_proxy: kind == SessionKind::ByProxy,
        ip: origin.ip.to_string(),
        agent: origin.agent.chars().filter(|it| !it.is_control()).take(AGENT_CHARS_MAX).collect(),
    };
    let (cookie_seconds, by_proxy) = (record.cookie_seconds(), record.by_proxy);
    app.engine.records().sessions().start_session(secret.key(), record)?;
    let (session, csrf_token) = (secret.key(), secret.csrf_token());
    let caller = Caller::User(Arc::new(Login { account, session, csrf_token, by_proxy }));
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
    let (sessions, user) = (app.engine.records().sessions(), &login.account.record.id);
    sessions.update_stamp(&login.session, format!("{before} {after}"))?;
    let changed = change();
    let installation = app.engine.installation_arc();
    let stamp = installation.user(user.as_str()).map(|it| it.record.session_stamp());
    if let Some(stamp) = stamp
        && let Err(error) = sessions.update_stamp(&login.session, stamp)
    {
        // It stays valid at least until the server restarts.
        tracing::warn!(%error, "a session cannot be extended");
    }
    if changed.is_ok() {
        sessions.end_other_sessions(user, Some(&login.session));
    }
    changed
}

/// Ends the session that a browser had before it logged in again.
pub fn end_replaced(app: &App, secret: &SessionSecret) {
    app.engine.records().sessions().end_session(&secret.key());
}

/// Ends the session of the caller.
pub fn log_out(app: &App, caller: &Caller, origin: &LoginOrigin) -> Result<()> {
    let login = caller.require_login()?;
    app.engine.records().sessions().end_session(&login.session);
    let user = &login.account.record;
    let event =
        Event::from_actor(&user_actor(user, origin), EventKind::LoggedOut, user_subject(user));
    app.engine.outbox().emit_system(vec![event]);
    Ok(())
}

/// Returns the caller with the data that the interface needs at its start.
pub fn describe_caller(app: &App, caller: &Caller) -> Result<CurrentUser> {
    let login = caller.require_login()?;
    // The record may have changed within this request.
    let installation = app.engine.installation_arc();
    let account = installation.user(login.account.record.id.as_str()).unwrap_or(&login.account);
    let user = account.record.clone();
    let is_limited = account.lacks_second_factor && !login.by_proxy;
    let permissions = if is_limited { Vec::new() } else { account.grants.list().to_vec() };
    let workspaces = if is_limited { Vec::new() } else { workspaces::list(app, caller, false) };
    Ok(CurrentUser {
        permissions,
        default_workspace: app.engine.registry().default_workspace(),
        workspaces,
        has_second_factor: user.second_factor.is_some(),
        must_set_up_second_factor: is_limited,
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
