//! `recto user`: the users of an installation, made and changed beside a running server, which
//! follows their files. For when nobody can log in, and for scripts.

use std::path::PathBuf;

use clap::Subcommand;

use crate::app::passwords;
use crate::cli::error::Error;
use crate::cli::password::PasswordArgs;
use crate::cli::records::Records;
use crate::cli::token::table;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::model::role;
use crate::model::role::RoleRecord;
use crate::model::user::PasswordHash;
use crate::model::user::UserRecord;
use crate::model::user::check_person;
use crate::model::user::checked_username;
use crate::model::user::login_name;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::id::Ids;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// What can be done with users.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Make a user; the password is asked for
    Create(CreateArgs),
    /// List the users
    List(ListArgs),
    /// Give a user a new password, which ends their sessions
    ResetPassword(ResetArgs),
    /// Remove a user; what they wrote stays
    Delete(DeleteArgs),
}

/// Arguments of `recto user create`.
#[derive(Debug, clap::Args)]
pub(super) struct CreateArgs {
    /// What they log in with
    username: String,
    /// The id of their role: admin, editor, author, viewer, or one of your own; the first user is
    /// an admin
    #[arg(long)]
    role: Option<String>,
    /// What others see
    #[arg(long, default_value = "", hide_default_value = true)]
    display_name: String,
    /// Where to reach them
    #[arg(long, default_value = "", hide_default_value = true)]
    email: String,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    place: Place,
}

/// Arguments of `recto user list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Arguments of `recto user reset-password`.
#[derive(Debug, clap::Args)]
pub(super) struct ResetArgs {
    /// What they log in with
    username: String,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    place: Place,
}

/// Arguments of `recto user delete`.
#[derive(Debug, clap::Args)]
pub(super) struct DeleteArgs {
    /// What they log in with
    username: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct Place {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

pub(super) fn run(command: UserCommand) -> Result<(), Error> {
    let now = SystemClock.now();
    match command {
        UserCommand::Create(args) => create(args, now),
        UserCommand::List(args) => list(args),
        UserCommand::ResetPassword(args) => reset_password(args, now),
        UserCommand::Delete(args) => delete(args),
    }
}

fn create(args: CreateArgs, now: Timestamp) -> Result<(), Error> {
    let username = args.username.trim().to_string();
    checked_username(&username).map_err(Error::usage)?;
    let (display_name, email) = (args.display_name.trim(), args.email.trim());
    let mut problems = FieldProblems::new();
    check_person(display_name, email, &mut problems);
    problems.or(()).map_err(Error::usage)?;
    let records = Records::open(args.place.data)?;
    let role = role_of(&records, args.role.as_deref())?;
    let password = args.password.read()?;
    let user = UserRecord {
        id: new_id(now)?,
        display_name: display_name.to_string(),
        email: email.to_string(),
        role,
        has_avatar: false,
        created_at: Some(now),
        updated_at: Some(now),
        last_login_at: None,
        password: Some(hashed(&password, &username)?),
        preferences: Map::new(),
        username,
    };
    let key = Key::User(user.id.clone());
    records.change(|change| {
        if find(&all(&records)?, &user.username).is_some() {
            return Err(Error::failed(format!("there is a user `{}` already", user.username)));
        }
        change.create(&key, &user.to_file())
    })?;
    super::note(&format!("user {} is made, with the role {}", user.username, user.role));
    Ok(())
}

/// The first user has to be one who may do everything.
fn role_of(records: &Records, named: Option<&str>) -> Result<EntryId, Error> {
    let id = match named {
        Some(id) => id,
        None if all(records)?.is_empty() => role::ADMIN,
        None => return Err(Error::usage("say which role they have: --role editor")),
    };
    let unknown = || Error::usage(format!("there is no role `{id}`"));
    let id = EntryId::parse(id).map_err(|_| unknown())?;
    if role::built_in().iter().any(|it| it.id == id) {
        return Ok(id);
    }
    // A role whose file makes no sense is none to the server either.
    let file = records.read(&Key::Role(id.clone()))?.map(Json::Object);
    let known = file.is_some_and(|it| RoleRecord::parse(&id, &it).is_ok());
    if known { Ok(id) } else { Err(unknown()) }
}

/// An id that nobody has: of this millisecond, and random.
fn new_id(now: Timestamp) -> Result<EntryId, Error> {
    let ms = u64::try_from(now.seconds()).unwrap_or_default().saturating_mul(1_000);
    EntryId::parse(&Ids::new().fresh(ms)).map_err(Error::failed)
}

fn hashed(password: &str, username: &str) -> Result<PasswordHash, Error> {
    passwords::checked(password, username).map_err(Error::usage)?;
    let mut salt = [0; 16];
    getrandom::fill(&mut salt)
        .map_err(|error| Error::failed(format!("the system gives no randomness: {error}")))?;
    passwords::hash(password, salt).map_err(Error::failed)
}

fn list(args: ListArgs) -> Result<(), Error> {
    let users = all(&Records::open(args.place.data)?)?;
    if args.json {
        let json = serde_json::to_value(&users).map_err(Error::failed)?;
        return super::print_json(&json);
    }
    let rows: Vec<[String; 4]> = users.iter().map(row).collect();
    super::print(&table(&["USERNAME", "ROLE", "LAST LOGIN", "NAME"], &rows))
}

fn row(user: &UserRecord) -> [String; 4] {
    let login = user.last_login_at.map_or_else(|| "never".to_string(), Timestamp::date);
    [user.username.clone(), user.role.to_string(), login, user.display_name.clone()]
}

/// Sessions end with the password that they began with.
fn reset_password(args: ResetArgs, now: Timestamp) -> Result<(), Error> {
    let records = Records::open(args.place.data)?;
    let user = named(&all(&records)?, &args.username)?;
    let password = args.password.read()?;
    let hash = hashed(&password, &user.username)?;
    let key = Key::User(user.id);
    records.change(|change| {
        let gone = || Error::failed(format!("there is no user `{}`", user.username));
        // What else the file says is kept.
        let mut file = records.read(&key)?.ok_or_else(gone)?;
        file.set("password_hash", hash.reveal().into());
        file.set("updated_at", now.to_string().into());
        change.replace(&key, &Json::Object(file))
    })?;
    super::note(&format!("user {} has a new password; their sessions end", user.username));
    Ok(())
}

fn delete(args: DeleteArgs) -> Result<(), Error> {
    let records = Records::open(args.place.data)?;
    let user = records.change(|change| {
        let users = all(&records)?;
        let user = named(&users, &args.username)?;
        let is_admin = |it: &&UserRecord| it.role.as_str() == role::ADMIN;
        if is_admin(&&user) && users.iter().filter(is_admin).count() == 1 {
            let last = "this is the last user with the role admin: make another one first";
            return Err(Error::failed(last));
        }
        change.remove(&Key::User(user.id.clone()))?;
        if user.has_avatar {
            // A picture of nobody is in nobody's way.
            let _ = change.remove(&Key::Avatar(user.id.clone()));
        }
        Ok(user)
    })?;
    super::note(&format!("user {} is deleted", user.username));
    Ok(())
}

/// All that can be read, oldest first; about the others there is a note.
fn all(records: &Records) -> Result<Vec<UserRecord>, Error> {
    let mut users = Vec::new();
    for key in records.keys(Folder::Users)? {
        let Key::User(id) = &key else { continue };
        let parsed = records.read(&key).and_then(|file| {
            let json = file.map_or(Json::Null, Json::Object);
            UserRecord::parse(id, &json).map_err(Error::failed)
        });
        match parsed {
            Ok(user) => users.push(user),
            Err(error) => super::note(&format!("{} is no user: {error}", key.path())),
        }
    }
    users.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(users)
}

/// Who logs in by this name, however it is written.
fn find<'u>(users: &'u [UserRecord], username: &str) -> Option<&'u UserRecord> {
    let name = login_name(username);
    users.iter().find(|it| it.login_name() == name)
}

fn named(users: &[UserRecord], username: &str) -> Result<UserRecord, Error> {
    let missing = || Error::failed(format!("there is no user `{username}`"));
    find(users, username).cloned().ok_or_else(missing)
}
