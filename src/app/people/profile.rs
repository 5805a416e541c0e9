//! The profile of the caller: names, password, preferences and sessions.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Login;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::password_check::verify_password;
use crate::app::people::passwords;
use crate::app::people::passwords::PASSWORD_BYTES_MIN;
use crate::app::people::sessions;
use crate::app::people::sessions::CurrentUser;
use crate::app::people::users;
use crate::engine::installation::Installation;
use crate::engine::staging::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::people::user::DISPLAY_NAME_CHARS_MAX;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::read_person;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// The largest preferences as JSON, in bytes.
const PREFERENCES_BYTES_MAX: usize = 64 * 1024;

/// The body of a request that changes the caller.
#[derive(Clone, Debug, JsonSchema)]
pub struct ProfileChange {
    /// The name shown to others.
    #[schemars(length(max = DISPLAY_NAME_CHARS_MAX))]
    display_name: Option<String>,
    /// The e-mail address; may be empty.
    email: Option<String>,
    /// 8 to 256 bytes. All other sessions end.
    // A character has at most four bytes.
    #[schemars(length(min = PASSWORD_BYTES_MIN / 4))]
    password: Option<String>,
    /// Required with `password`.
    #[schemars(with = "Option<String>")]
    old_password: String,
    /// Preferences of the interface; replaced as a whole, at most 64 KiB.
    #[schemars(with = "Option<serde_json::Value>")]
    #[schemars(extend("type" = ["object", "null"], "nullable" = true))]
    preferences: Option<Map>,
}

impl ProfileChange {
    fn parse(body: &Map) -> ParsedBody<ProfileChange> {
        let mut input = ObjectReader::new(body);
        let (display_name, email) = read_person(&mut input);
        let password = input.clearable_text("password").map(str::to_string);
        let old_password = input.lenient_text("old_password").to_string();
        let preferences = read_preferences(&mut input);
        input.finish(ProfileChange { display_name, email, password, old_password, preferences })
    }
}

/// Reads the preferences; `null` removes all of them.
fn read_preferences(input: &mut ObjectReader<'_>) -> Option<Map> {
    if let Some(json) = input.value("preferences") {
        input.check_size("preferences", json, PREFERENCES_BYTES_MAX);
        return input.object("preferences").cloned();
    }
    input.contains("preferences").then(Map::new)
}

/// Updates the caller: `{display_name?, email?, password? and old_password, preferences?}`. `block`
/// is the client's address, for counting wrong passwords. A new password ends all other sessions.
pub fn update(app: &App, by: &Requester, body: &Map, block: IpAddr) -> Result<CurrentUser> {
    let change = ProfileChange::parse(body);
    let (mut next, _) = apply_change(&app.engine.installation_arc(), by, &change)?;
    let mut verified_hash = None;
    if change.values.password.is_some() {
        let old_password = &change.values.old_password;
        verified_hash = Some(verify_password(app, &next, "old_password", old_password, block)?);
    }
    let password =
        change.values.password.as_deref().map(|it| app.passwords.hash(it)).transpose()?;
    next.password = password.clone().or(next.password);
    sessions::keep_own_session(app, by.caller.require_login()?, &next, || {
        commit_change(app, by, &change, password.as_ref(), verified_hash.as_ref())
    })?;
    sessions::describe_caller(app, &by.caller)
}

fn commit_change(
    app: &App,
    by: &Requester,
    change: &ParsedBody<ProfileChange>,
    password: Option<&PasswordHash>,
    verified_hash: Option<&PasswordHash>,
) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut next, permit) = apply_change(staging.installation(), by, change)?;
        if verified_hash.is_some() && verified_hash != next.password.as_ref() {
            return Err(Error::invalid_password("old_password"));
        }
        next.password = password.cloned().or(next.password);
        let Some(before) = staging.installation().user(next.id.as_str()) else {
            return Err(Error::unauthenticated());
        };
        let before = before.record.clone();
        if before.to_file() == next.to_file() {
            return Ok(next);
        }
        // A change of the preferences alone is not an event.
        let without_preferences =
            UserRecord { preferences: before.preferences.clone(), ..next.clone() };
        if before.to_file() != without_preferences.to_file() {
            next.updated_at = Some(staging.now());
            users::emit_event(staging, &permit, EventKind::UserUpdated, &next);
        }
        staging.write(&permit).write_record(&Key::User(next.id.clone()), &next.to_file())?;
        Ok(next)
    })
}

/// Returns the updated record of the caller, except for the password, and the permit to store it.
fn apply_change(
    installation: &Installation,
    by: &Requester,
    change: &ParsedBody<ProfileChange>,
) -> Result<(UserRecord, Permit)> {
    let (caller, permit) = resolve_caller(installation, by, Action::ProfileUpdate)?;
    let mut next = caller.require_login()?.account.record.clone();
    let ParsedBody { values: change, mut problems } = change.clone();
    next.display_name = change.display_name.unwrap_or(next.display_name);
    next.email = change.email.unwrap_or(next.email);
    next.preferences = change.preferences.unwrap_or(next.preferences);
    if let Some(password) = &change.password {
        passwords::check_input(password, &next.username, &mut problems);
    }
    problems.into_result((next, permit)).map_err(Error::invalid)
}

/// Returns the caller with the current grants, if they allow an action on their own profile, and
/// the permit.
pub(super) fn resolve_caller(
    installation: &Installation,
    by: &Requester,
    action: Action,
) -> Result<(Caller, Permit)> {
    delegation::resolve_caller(installation, by, action, &Resource::Whole(Area::Profile))
}

/// A session as its user is told of it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Session", description = "A session of a user.", deny_unknown_fields)]
pub struct SessionView {
    /// The id.
    id: String,
    /// The time of the login.
    created_at: Timestamp,
    /// The approximate time of the last request.
    used_at: Timestamp,
    /// The address of the client.
    ip: String,
    /// The browser's user agent.
    agent: String,
    /// True if the request belongs to this session.
    current: bool,
    /// True if it outlasts the browser being closed.
    remember: bool,
}

/// Lists the caller's sessions, last used first.
pub fn list_sessions(app: &App, caller: &Caller) -> Result<Vec<SessionView>> {
    let login = caller.require_login()?;
    let found = app
        .engine
        .records()
        .sessions()
        .list_user_sessions(&login.account.record.id, app.engine.clock().now());
    let stamp = login.account.record.session_stamp();
    let counts = found.into_iter().filter(|(_, record)| record.is_valid_for(&stamp));
    let view = counts.map(|(key, record)| SessionView {
        id: key.id().to_string(),
        created_at: record.created_at,
        used_at: record.used_at,
        ip: record.ip,
        agent: record.agent,
        current: key == login.session,
        remember: record.remember,
    });
    Ok(view.collect())
}

/// Ends one of the caller's sessions.
pub fn end_session(app: &App, by: &Requester, id: &str) -> Result<()> {
    let login = by.caller.require_login()?;
    let sessions = app.engine.records().sessions();
    let found = sessions.list_user_sessions(&login.account.record.id, app.engine.clock().now());
    let found = found.into_iter().find(|(key, _)| key.id() == id);
    let (key, _) = found.ok_or_else(|| Error::not_found("session", id))?;
    sessions.end_session(&key);
    emit_ended(app, by, login);
    Ok(())
}

/// Ends all of the caller's sessions except the current one.
pub fn end_other_sessions(app: &App, by: &Requester) -> Result<()> {
    let login = by.caller.require_login()?;
    let (sessions, user) = (app.engine.records().sessions(), &login.account.record.id);
    if sessions.end_other_sessions(user, Some(&login.session)) {
        emit_ended(app, by, login);
    }
    Ok(())
}

fn emit_ended(app: &App, by: &Requester, login: &Login) {
    let subject = sessions::user_subject(&login.account.record);
    let event = Event::from_actor(&by.actor, EventKind::SessionsEnded, subject);
    app.engine.outbox().emit_system(vec![event]);
}
