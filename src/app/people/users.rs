//! Users: who they are, and what others may make of them.

use std::net::IpAddr;

use schemars::JsonSchema;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::new_user::NewUser;
use crate::app::people::password_check::verify_password;
use crate::app::people::passwords;
use crate::app::people::passwords::PASSWORD_BYTES_MIN;
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
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::people::user::DISPLAY_NAME_CHARS_MAX;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::read_person;
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

/// The body of a request that changes a user.
#[derive(Clone, Debug, JsonSchema)]
pub struct UserChange {
    /// The name shown to others.
    #[schemars(length(max = DISPLAY_NAME_CHARS_MAX))]
    display_name: Option<String>,
    /// The e-mail address; may be empty.
    email: Option<String>,
    /// The id of a role whose grants the caller has too.
    role: Option<String>,
    /// 8 to 256 bytes. All sessions of the user end.
    // A character has at most four bytes.
    #[schemars(length(min = PASSWORD_BYTES_MIN / 4))]
    password: Option<String>,
    /// Required to change one's own password.
    #[schemars(with = "Option<String>")]
    old_password: String,
}

impl UserChange {
    fn parse(body: &Map) -> ParsedBody<UserChange> {
        let mut input = ObjectReader::new(body);
        let (display_name, email) = read_person(&mut input);
        let role = input.trimmed_text("role");
        let password = input.clearable_text("password").map(str::to_string);
        let old_password = input.lenient_text("old_password").to_string();
        input.finish(UserChange { display_name, email, role, password, old_password })
    }
}

/// Creates a user: `{username, password, role, display_name?, email?}`.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<UserRecord> {
    let input = NewUser::parse(body);
    check_new_user(&app.engine.installation_arc(), by, &input)?;
    let password = app.passwords.hash(input.values.password.as_deref().unwrap_or_default())?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (role, permit) = check_new_user(staging.installation(), by, &input)?;
        let (id, now) = (staging.new_id(), staging.now());
        let record = input.values.to_record(id, role, Some(password.clone()), now);
        staging.write(&permit).create(&Key::User(record.id.clone()), record.to_file().to_file());
        emit_event(staging, &permit, EventKind::UserCreated, &record);
        Ok(record)
    })
}

/// Checks a new user. Returns the id of the role and the permit to create the user.
fn check_new_user(
    installation: &Installation,
    by: &Requester,
    input: &ParsedBody<NewUser>,
) -> Result<(EntryId, Permit)> {
    let whole = Resource::Whole(Area::Users);
    let (caller, permit) =
        delegation::resolve_caller(installation, by, Action::UsersCreate, &whole)?;
    let ParsedBody { values: user, mut problems } = input.clone();
    let role = installation.role(&user.role);
    match role {
        Some(role) => delegation::check_may_grant(&caller, &role.permissions, None)?,
        None => report_unknown_role(&user.role, &mut problems),
    }
    if problems.get("username").is_none() && installation.find_username(&user.username).is_some() {
        problems.add("username", "This user name is already taken.");
    }
    match &user.password {
        None if problems.get("password").is_none() => problems.add("password", wording::REQUIRED),
        None => {}
        Some(password) => passwords::check_input(password, &user.username, &mut problems),
    }
    problems.into_result(()).map_err(Error::invalid)?;
    if !installation.knows_all_usernames() {
        return Err(Error::conflict(
            "A user's file cannot be read, so this user name may be taken. Repair or remove the \
             file first.",
        ));
    }
    let role = role.ok_or_else(|| Error::internal("a user without a role"))?;
    Ok((role.id.clone(), permit))
}

fn report_unknown_role(role: &str, problems: &mut FieldProblems) {
    let message = match role {
        "" => wording::REQUIRED.to_string(),
        role => wording::unknown("role", role),
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
    let input = UserChange::parse(body);
    let asked = &input.values;
    let installation = app.engine.installation_arc();
    let (planned, _) = apply_change(&installation, by, id, &input)?;
    let mut proven = None;
    if asked.password.is_some() && is_caller(by, id) {
        let old = &asked.old_password;
        proven = Some(verify_password(app, &planned, "old_password", old, block)?);
    }
    let password = asked.password.as_deref().map(|it| app.passwords.hash(it)).transpose()?;
    let commit = || commit_change(app, by, id, &input, password.as_ref(), proven.as_ref());
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
    input: &ParsedBody<UserChange>,
    password: Option<&PasswordHash>,
    proven: Option<&PasswordHash>,
) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut next, permit) = apply_change(staging.installation(), by, id, input)?;
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
    input: &ParsedBody<UserChange>,
) -> Result<(UserRecord, Permit)> {
    let on = delegation::user_resource(id);
    let (caller, permit) = delegation::resolve_caller(installation, by, Action::UsersUpdate, &on)?;
    let account = delegation::find_changeable(installation, &caller, id)?;
    let ParsedBody { values: asked, mut problems } = input.clone();
    if asked.password.is_some() && !delegation::is_self(&caller, &account) {
        delegation::check_may_impersonate(&caller, &account)?;
    }
    let mut next = account.record.clone();
    if let Some(role) = asked.role.as_ref().filter(|it| **it != *next.role) {
        next.role = resolve_role(installation, &caller, &account, role, &mut problems)?;
    }
    next.display_name = asked.display_name.unwrap_or(next.display_name);
    next.email = asked.email.unwrap_or(next.email);
    if let Some(password) = &asked.password {
        passwords::check_input(password, &next.username, &mut problems);
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
        problems.add("role", "This is the last administrator who can log in.");
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
            return Err(Error::refused("You cannot delete yourself."));
        }
        if delegation::is_last_admin(installation, &account) {
            let message = "This is the last administrator who can log in.";
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
    app.engine.records().sessions().end_other_sessions(&user, None);
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
