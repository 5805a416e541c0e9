//! Users: who they are, and what others may make of them.

use std::net::IpAddr;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::input::BodyInput;
use crate::app::people::password_check::verify_password;
use crate::app::people::passwords;
use crate::app::people::record_list;
use crate::app::people::record_list::RecordList;
use crate::app::people::record_list::RecordSortKey as SortKey;
use crate::app::people::record_list::SortRank;
use crate::app::people::sessions;
use crate::engine::installation::Account;
use crate::engine::installation::Installation;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::check_person;
use crate::model::people::user::check_username;
use crate::model::problem::FieldProblems;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Map;
use crate::store::layout::Key;

const SORTED_BY: &[SortKey<UserRecord>] = &[
    ("username", |it| SortRank::from_text(&it.username)),
    ("display_name", |it| SortRank::from_text(it.shown_name())),
    ("email", |it| SortRank::from_text(&it.email)),
    ("role", |it| SortRank::from_text(it.role.as_str())),
    ("created_at", |it| SortRank::from_time(it.created_at)),
    ("updated_at", |it| SortRank::from_time(it.updated_at)),
    ("last_login_at", |it| SortRank::from_time(it.last_login_at)),
];

/// The users whom the caller may read about: `q role sort order limit offset`.
pub fn list(app: &App, caller: &Caller, params: &QueryParams) -> Result<RecordList<UserRecord>> {
    let installation = app.engine.installation_arc();
    let may_read = |it: &UserRecord| check_may_read(caller, it.id.as_str()).is_ok();
    let has_role = |it: &UserRecord| params.get("role").is_none_or(|role| it.role == *role);
    let users = installation.users().map(|it| &it.record);
    let users = users.filter(|it| may_read(it) && has_role(it)).cloned().collect();
    record_list::list_records(params, users, SORTED_BY, "username", |it| {
        vec![&it.username, &it.display_name, &it.email]
    })
}

/// One user.
pub fn show(app: &App, caller: &Caller, id: &str) -> Result<UserRecord> {
    check_may_read(caller, id)?;
    let installation = app.engine.installation_arc();
    let found = installation.user(id).map(|it| it.record.clone());
    found.ok_or_else(|| Error::not_found("user", id))
}

/// Fails unless the caller may read about a user.
pub(super) fn check_may_read(caller: &Caller, id: &str) -> Result<()> {
    let on = delegation::user_resource(id);
    caller.check_permission("", Action::UsersRead, &on, &Facts::default())
}

/// The sent values of a user.
#[derive(Default)]
struct UserInput {
    username: Option<String>,
    display_name: Option<String>,
    email: Option<String>,
    role: Option<String>,
    password: Option<String>,
    problems: FieldProblems,
}

impl UserInput {
    fn parse(body: &Map) -> UserInput {
        let mut sent = BodyInput::new(body);
        UserInput {
            username: sent.trimmed_text("username"),
            display_name: sent.trimmed_text("display_name"),
            email: sent.trimmed_text("email"),
            role: sent.trimmed_text("role"),
            password: sent.exact_text("password"),
            problems: sent.problems,
        }
    }
}

/// Makes a user: `{username, password, role, display_name?, email?}`.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<UserRecord> {
    let asked = UserInput::parse(body);
    build_user(&app.engine.installation_arc(), by, &asked)?;
    let password = app.passwords.hash(asked.password.as_deref().unwrap_or_default())?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut record, permit) = build_user(staging.installation(), by, &asked)?;
        record.id = staging.new_id();
        record.created_at = Some(staging.now());
        record.updated_at = record.created_at;
        record.password = Some(password.clone());
        staging.write(&permit).create(&Key::User(record.id.clone()), record.to_file().to_file());
        emit_event(staging, &permit, EventKind::UserCreated, &record);
        Ok(record)
    })
}

/// The user that is asked for, all but id, times and password, and the permit to create it.
fn build_user(
    installation: &Installation,
    by: &Requester,
    asked: &UserInput,
) -> Result<(UserRecord, Permit)> {
    let whole = Resource::Whole(Area::Users);
    let (caller, permit) =
        delegation::resolve_caller(installation, by, Action::UsersCreate, &whole)?;
    let mut problems = asked.problems.clone();
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let (username, password) = (text(&asked.username), text(&asked.password));
    let role = text(&asked.role);
    let role = match installation.role(&role) {
        Some(role) => {
            delegation::check_may_grant(&caller, &role.permissions, None)?;
            Some(role.id.clone())
        }
        None => {
            report_unknown_role(&role, &mut problems);
            None
        }
    };
    if let Err(message) = check_username(&username) {
        problems.add("username", message);
    } else if installation.find_username(&username).is_some() {
        problems.add("username", "Somebody has this user name already.");
    }
    if asked.password.is_none() {
        problems.add("password", "This field is required.");
    } else if let Err(message) = passwords::check_password(&password, &username) {
        problems.add("password", message);
    }
    let (display_name, email) = (text(&asked.display_name), text(&asked.email));
    check_person(&display_name, &email, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let record = UserRecord {
        id: EntryId::parse("new").map_err(|it| Error::internal(it.message()))?,
        username,
        display_name,
        email,
        role: role.ok_or_else(|| Error::internal("a user without a role"))?,
        has_avatar: false,
        created_at: None,
        updated_at: None,
        last_login_at: None,
        password: None,
        preferences: Map::new(),
    };
    Ok((record, permit))
}

fn report_unknown_role(role: &str, problems: &mut FieldProblems) {
    let message = match role {
        "" => "This field is required.".to_string(),
        role => format!("There is no role `{role}`."),
    };
    problems.add("role", message);
}

/// Changes a user: `{display_name?, email?, role?, password?}`; whoever changes their own password
/// here gives the old one too, as in their profile. `block` is the client, for counting guesses.
pub fn update(
    app: &App,
    by: &Requester,
    id: &str,
    body: &Map,
    block: IpAddr,
) -> Result<UserRecord> {
    let asked = UserInput::parse(body);
    let installation = app.engine.installation_arc();
    let (planned, _) = apply_change(&installation, by, id, &asked)?;
    let mut proven = None;
    if asked.password.is_some() && is_caller(by, id) {
        proven = Some(verify_password(app, &planned, body, block)?);
    }
    let password = asked.password.as_deref().map(|it| app.passwords.hash(it)).transpose()?;
    let commit = || commit_change(app, by, id, &asked, password.as_ref(), proven.as_ref());
    if !is_caller(by, id) {
        return commit();
    }
    let mut next = planned;
    next.password = password.clone().or(next.password);
    sessions::keep_own_session(app, by.caller.require_login()?, &next, commit)
}

fn is_caller(by: &Requester, id: &str) -> bool {
    by.caller.require_login().is_ok_and(|it| it.account.record.id == *id)
}

fn commit_change(
    app: &App,
    by: &Requester,
    id: &str,
    asked: &UserInput,
    password: Option<&PasswordHash>,
    proven: Option<&PasswordHash>,
) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut next, permit) = apply_change(staging.installation(), by, id, asked)?;
        if proven.is_some() && proven != next.password.as_ref() {
            return Err(Error::invalid_password("old_password"));
        }
        next.password = password.cloned().or(next.password);
        let before = staging.installation().user(id).map(|it| it.record.to_file());
        if before.as_ref() == Some(&next.to_file()) {
            return Ok(next);
        }
        next.updated_at = Some(staging.now());
        staging.write(&permit).write_record(&Key::User(next.id.clone()), &next.to_file())?;
        emit_event(staging, &permit, EventKind::UserUpdated, &next);
        Ok(next)
    })
}

/// The user as they shall be, all but the password, and the permit to store it.
fn apply_change(
    installation: &Installation,
    by: &Requester,
    id: &str,
    asked: &UserInput,
) -> Result<(UserRecord, Permit)> {
    let on = delegation::user_resource(id);
    let (caller, permit) = delegation::resolve_caller(installation, by, Action::UsersUpdate, &on)?;
    let account = delegation::find_changeable(installation, &caller, id)?;
    if asked.password.is_some() && !delegation::is_self(&caller, &account) {
        delegation::check_may_impersonate(&caller, &account)?;
    }
    let mut problems = asked.problems.clone();
    let mut next = account.record.clone();
    if let Some(role) = asked.role.as_ref().filter(|it| **it != *next.role) {
        next.role = resolve_role(installation, &caller, &account, role, &mut problems)?;
    }
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    // What is kept and was not sent is nobody's fault now.
    check_person(&text(&asked.display_name), &text(&asked.email), &mut problems);
    next.display_name = asked.display_name.clone().unwrap_or(next.display_name);
    next.email = asked.email.clone().unwrap_or(next.email);
    if let Some(password) = &asked.password
        && let Err(message) = passwords::check_password(password, &next.username)
    {
        problems.add("password", message);
    }
    problems.into_result((next, permit)).map_err(Error::invalid)
}

fn resolve_role(
    installation: &Installation,
    caller: &Caller,
    account: &Account,
    role: &str,
    problems: &mut FieldProblems,
) -> Result<EntryId> {
    let Some(role) = installation.role(role) else {
        report_unknown_role(role, problems);
        return Ok(account.record.role.clone());
    };
    delegation::check_may_grant(caller, &role.permissions, None)?;
    if delegation::is_last_admin(installation, account) {
        problems.add("role", "This is the last user who may do everything.");
    }
    Ok(role.id.clone())
}

/// Removes a user with their picture and their sessions.
pub fn delete(app: &App, by: &Requester, id: &str) -> Result<()> {
    let user = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let installation = staging.installation();
        let on = delegation::user_resource(id);
        let (caller, permit) =
            delegation::resolve_caller(installation, by, Action::UsersDelete, &on)?;
        let account = delegation::find_changeable(installation, &caller, id)?;
        if delegation::is_self(&caller, &account) {
            return Err(Error::refused("Nobody can delete themself."));
        }
        if delegation::is_last_admin(installation, &account) {
            let message = "This is the last user who may do everything.";
            return Err(Error::invalid(FieldProblems::from_problem("role", message)));
        }
        let user = account.record.id.clone();
        staging.write(&permit).remove(&Key::User(user.clone()));
        if staging.exists(&Key::Avatar(user.clone())) {
            staging.write(&permit).remove(&Key::Avatar(user.clone()));
        }
        emit_event(staging, &permit, EventKind::UserDeleted, &account.record);
        Ok(user)
    })?;
    app.engine.sessions().end_other_sessions(&user, None);
    Ok(())
}

/// Tells what became of a user.
pub(super) fn emit_event(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    kind: EventKind,
    user: &UserRecord,
) {
    staging.write(permit).add_event(kind, sessions::user_subject(user));
}
