//! What people change of themselves: their name, their password, what the interface keeps for them,
//! and where they are logged in.

use std::net::IpAddr;

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::delegation;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::passwords;
use crate::app::passwords::Verdict;
use crate::app::sent::Sent;
use crate::app::sessions;
use crate::app::sessions::Me;
use crate::app::users;
use crate::engine::installation::Installation;
use crate::engine::system::SystemStaging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::model::problem::FieldProblems;
use crate::model::user::PasswordHash;
use crate::model::user::UserRecord;
use crate::model::user::check_person;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// How much the interface can keep for somebody, as JSON in bytes.
const PREFERENCES_BYTES_MAX: usize = 64 * 1024;

/// What was sent.
struct Asked {
    display_name: Option<String>,
    email: Option<String>,
    password: Option<String>,
    preferences: Option<Map>,
    problems: FieldProblems,
}

impl Asked {
    fn read(body: &Map) -> Asked {
        let mut sent = Sent::new(body);
        Asked {
            display_name: sent.text("display_name"),
            email: sent.text("email"),
            password: sent.exact("password"),
            preferences: preferences(&mut sent),
            problems: sent.problems,
        }
    }
}

fn preferences(sent: &mut Sent<'_>) -> Option<Map> {
    let json = sent.value("preferences")?;
    let mut written = Vec::new();
    json.write_compact(&mut written);
    if written.len() > PREFERENCES_BYTES_MAX {
        let message = format!("This has {} KiB at most.", PREFERENCES_BYTES_MAX / 1024);
        sent.problems.add("preferences", message);
    }
    match json {
        Json::Null => Some(Map::new()),
        Json::Object(map) => Some(map.clone()),
        other => {
            let message = format!("This should be an object, not {}.", other.kind());
            sent.problems.add("preferences", message);
            None
        }
    }
}

/// Changes the caller: `{display_name?, email?, password? and old_password, preferences?}`. `block`
/// is the client, for counting guesses. All other sessions end with a new password.
pub fn update(app: &App, by: &By, body: &Map, block: IpAddr) -> Result<Me> {
    let asked = Asked::read(body);
    let mut next = changed(&app.engine.installation_now(), by, &asked)?;
    let mut proven = None;
    if asked.password.is_some() {
        proven = Some(prove(app, &next, body, block)?);
    }
    let password = asked.password.as_deref().map(|it| app.passwords.hash(it)).transpose()?;
    next.password = password.clone().or(next.password);
    sessions::outliving(app, by.caller.login()?, &next, || {
        commit_change(app, by, &asked, password.as_ref(), proven.as_ref())
    })?;
    sessions::me(app, &by.caller)
}

fn commit_change(
    app: &App,
    by: &By,
    asked: &Asked,
    password: Option<&PasswordHash>,
    proven: Option<&PasswordHash>,
) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut next = changed(staging.installation(), by, asked)?;
        if proven.is_some() && proven != next.password.as_ref() {
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
        // What the interface keeps for itself is no news.
        let unseen = UserRecord { preferences: before.preferences.clone(), ..next.clone() };
        if before.to_file() != unseen.to_file() {
            next.updated_at = Some(staging.now());
            users::tell(staging, by, EventKind::UserUpdated, &next);
        }
        staging.write(&Key::User(next.id.clone()), &next.to_file())?;
        Ok(next)
    })
}

/// The caller as they shall be, all but the password.
fn changed(installation: &Installation, by: &By, asked: &Asked) -> Result<UserRecord> {
    let caller = asker(installation, by, Action::ProfileUpdate)?;
    let mut next = caller.login()?.account.record.clone();
    let mut problems = asked.problems.clone();
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    check_person(&text(&asked.display_name), &text(&asked.email), &mut problems);
    next.display_name = asked.display_name.clone().unwrap_or(next.display_name);
    next.email = asked.email.clone().unwrap_or(next.email);
    next.preferences = asked.preferences.clone().unwrap_or(next.preferences);
    if let Some(password) = &asked.password
        && let Err(message) = passwords::checked(password, &next.username)
    {
        problems.add("password", message);
    }
    problems.or(next).map_err(Error::invalid)
}

/// The caller with what they are granted now, when they may take an action on their own profile.
pub(super) fn asker(installation: &Installation, by: &By, action: Action) -> Result<Caller> {
    delegation::asker(installation, by, action, &Resource::Whole(Area::Profile))
}

/// Makes sure that whoever changes their password knows the one they have, and gives that one's
/// hash: a session left open is not enough. Guesses count like those at login.
pub(super) fn prove(
    app: &App,
    user: &UserRecord,
    body: &Map,
    block: IpAddr,
) -> Result<PasswordHash> {
    let wrong = || Error::invalid_password("old_password");
    let old = body.get("old_password").and_then(Json::as_str).unwrap_or_default();
    let kept = user.password.clone().ok_or_else(wrong)?;
    if old.is_empty() || old.len() > passwords::PASSWORD_BYTES_MAX {
        return Err(wrong());
    }
    let name = user.login_name();
    let attempt = app.throttle.attempt(&name, block, app.engine.clock().now())?;
    let verdict = match app.passwords.verify(old, Some(&kept)) {
        Ok(verdict) => verdict,
        Err(error) => {
            app.throttle.withdraw(attempt);
            return Err(error);
        }
    };
    if verdict == Verdict::Wrong {
        return Err(wrong());
    }
    app.throttle.succeeded(&name, block);
    Ok(kept)
}

/// A session as its user is told of it.
#[derive(Debug, Serialize)]
pub struct SessionView {
    id: String,
    created_at: Timestamp,
    used_at: Timestamp,
    ip: String,
    agent: String,
    current: bool,
    remember: bool,
}

/// Where the caller is logged in, the latest used first.
pub fn sessions_of(app: &App, caller: &Caller) -> Result<Vec<SessionView>> {
    let login = caller.login()?;
    let found = app.engine.sessions().of(&login.account.record.id, app.engine.clock().now());
    let stamp = login.account.record.stamp();
    let counts = found.into_iter().filter(|(_, record)| record.counts_for(&stamp));
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
pub fn end_session(app: &App, caller: &Caller, id: &str) -> Result<()> {
    let login = caller.login()?;
    let sessions = app.engine.sessions();
    let found = sessions.of(&login.account.record.id, app.engine.clock().now());
    let found = found.into_iter().find(|(key, _)| key.id() == id);
    let (key, _) = found.ok_or_else(|| Error::not_found("session", id))?;
    sessions.end(&key);
    Ok(())
}

/// Ends all of the caller's sessions but this one.
pub fn end_other_sessions(app: &App, caller: &Caller) -> Result<()> {
    let login = caller.login()?;
    app.engine.sessions().end_all_of(&login.account.record.id, Some(&login.session));
    Ok(())
}
