//! `recto user`: manages the users of an installation beside a running server, which follows their
//! files. For scripts, and for when nobody can log in.

use clap::Subcommand;

use crate::app::people::passwords;
use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;
use crate::cli::password::PasswordArgs;
use crate::cli::system_records::SystemRecords;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::cli::token::format_table;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::people::role;
use crate::model::people::role::RoleRecord;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::check_person;
use crate::model::people::user::check_username;
use crate::model::people::user::login_name;
use crate::model::problem::FieldProblems;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::id::IdGenerator;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The subcommands of `recto user`.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Create a user; asks for the password
    Create(UserCreateArgs),
    /// List the users
    List(UserListArgs),
    /// Set a new password for a user, which ends their sessions
    ResetPassword(PasswordResetArgs),
    /// Delete a user; their content stays
    Delete(UserDeleteArgs),
}

/// Arguments of `recto user create`.
#[derive(Debug, clap::Args)]
pub(super) struct UserCreateArgs {
    /// The user name
    username: String,
    /// The id of the role: admin, editor, author, viewer, or one of your own; the first user is an
    /// admin
    #[arg(long)]
    role: Option<String>,
    /// The name that others see
    #[arg(long, default_value = "", hide_default_value = true)]
    display_name: String,
    /// The e-mail address
    #[arg(long, default_value = "", hide_default_value = true)]
    email: String,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto user list`.
#[derive(Debug, clap::Args)]
pub(super) struct UserListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto user reset-password`.
#[derive(Debug, clap::Args)]
pub(super) struct PasswordResetArgs {
    /// The user name
    username: String,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto user delete`.
#[derive(Debug, clap::Args)]
pub(super) struct UserDeleteArgs {
    /// The user name
    username: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(command: UserCommand) -> Result<(), CommandError> {
    let now = SystemClock.now();
    match command {
        UserCommand::Create(args) => create_user(args, now),
        UserCommand::List(args) => list_users(args),
        UserCommand::ResetPassword(args) => reset_password(args, now),
        UserCommand::Delete(args) => delete_user(args),
    }
}

fn create_user(args: UserCreateArgs, now: Timestamp) -> Result<(), CommandError> {
    let username = args.username.trim().to_string();
    check_username(&username).map_err(CommandError::usage)?;
    let (display_name, email) = (args.display_name.trim(), args.email.trim());
    let mut problems = FieldProblems::new();
    check_person(display_name, email, &mut problems);
    problems.into_result(()).map_err(CommandError::usage)?;
    let records = SystemRecords::open_folder(&args.place)?;
    let role = resolve_role(&records, args.role.as_deref())?;
    let password = args.password.read_password()?;
    let user = UserRecord {
        id: generate_id(now)?,
        display_name: display_name.to_string(),
        email: email.to_string(),
        role,
        has_avatar: false,
        created_at: Some(now),
        updated_at: Some(now),
        last_login_at: None,
        password: Some(hash_password(&password, &username)?),
        preferences: Map::new(),
        username,
    };
    let key = Key::User(user.id.clone());
    records.change_records(&permit_change(Action::UsersCreate), |change| {
        if find_user(&load_users(&records)?, &user.username).is_some() {
            return Err(CommandError::failed(format!(
                "there is a user `{}` already",
                user.username
            )));
        }
        change.create_record(&key, &user.to_file())
    })?;
    print_note(&format!("created the user {} with the role {}", user.username, user.role));
    Ok(())
}

/// Returns the role of a new user: the named one if it exists; without a name, the first user
/// becomes an admin and every other one is refused.
fn resolve_role(records: &SystemRecords, named: Option<&str>) -> Result<EntryId, CommandError> {
    let id = match named {
        Some(id) => id,
        None if load_users(records)?.is_empty() => role::ADMIN,
        None => {
            return Err(CommandError::usage("name the role of the user, such as --role editor"));
        }
    };
    let unknown = || CommandError::usage(format!("there is no role `{id}`"));
    let id = EntryId::parse(id).map_err(|_| unknown())?;
    if role::built_in_roles().iter().any(|it| it.id == id) {
        return Ok(id);
    }
    // The server ignores roles whose files are invalid, too.
    let file = records.read_record(&Key::Role(id.clone()))?.map(Json::Object);
    let known = file.is_some_and(|it| RoleRecord::parse(&id, &it).is_ok());
    if known { Ok(id) } else { Err(unknown()) }
}

fn permit_change(action: Action) -> Permit {
    Permit::for_operator(action, &Resource::Whole(Area::Users))
}

/// Generates an unused id from the current millisecond and random bits.
fn generate_id(now: Timestamp) -> Result<EntryId, CommandError> {
    let ms = u64::try_from(now.seconds()).unwrap_or_default().saturating_mul(1_000);
    EntryId::parse(&IdGenerator::new().generate_id(ms)).map_err(CommandError::failed)
}

fn hash_password(password: &str, username: &str) -> Result<PasswordHash, CommandError> {
    passwords::check_password(password, username).map_err(CommandError::usage)?;
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|error| {
        CommandError::failed(format!("the system gives no randomness: {error}"))
    })?;
    passwords::hash_password(password, salt).map_err(CommandError::failed)
}

fn list_users(args: UserListArgs) -> Result<(), CommandError> {
    let users = load_users(&SystemRecords::open_folder(&args.place)?)?;
    if args.json {
        let json = serde_json::to_value(&users).map_err(CommandError::failed)?;
        return print_json(&json);
    }
    let rows: Vec<[String; 4]> = users.iter().map(format_row).collect();
    print_text(&format_table(&["USERNAME", "ROLE", "LAST LOGIN", "NAME"], &rows))
}

fn format_row(user: &UserRecord) -> [String; 4] {
    let login = user.last_login_at.map_or_else(|| "never".to_string(), Timestamp::date);
    [user.username.clone(), user.role.to_string(), login, user.display_name.clone()]
}

/// Sets a new password. Sessions that began with the old one end.
fn reset_password(args: PasswordResetArgs, now: Timestamp) -> Result<(), CommandError> {
    let records = SystemRecords::open_folder(&args.place)?;
    let user = require_user(&load_users(&records)?, &args.username)?;
    let password = args.password.read_password()?;
    let hash = hash_password(&password, &user.username)?;
    let key = Key::User(user.id);
    records.change_records(&permit_change(Action::UsersUpdate), |change| {
        let gone = || CommandError::failed(format!("there is no user `{}`", user.username));
        // Other keys of the file are kept.
        let mut file = records.read_record(&key)?.ok_or_else(gone)?;
        file.set("password_hash", hash.reveal().into());
        file.set("updated_at", now.to_string().into());
        change.replace_record(&key, &Json::Object(file))
    })?;
    print_note(&format!("user {} has a new password; their sessions end", user.username));
    Ok(())
}

fn delete_user(args: UserDeleteArgs) -> Result<(), CommandError> {
    let records = SystemRecords::open_folder(&args.place)?;
    let user = records.change_records(&permit_change(Action::UsersDelete), |change| {
        let users = load_users(&records)?;
        let user = require_user(&users, &args.username)?;
        let is_admin = |it: &&UserRecord| it.role.as_str() == role::ADMIN;
        if is_admin(&&user) && users.iter().filter(is_admin).count() == 1 {
            let last = "this is the last user with the role admin: create another one first";
            return Err(CommandError::failed(last));
        }
        change.remove_record(&Key::User(user.id.clone()))?;
        if user.has_avatar {
            // A leftover avatar does no harm.
            let _ = change.remove_record(&Key::Avatar(user.id.clone()));
        }
        Ok(user)
    })?;
    print_note(&format!("user {} is deleted", user.username));
    Ok(())
}

/// Loads all users that can be read, oldest first, and prints a note about the others.
fn load_users(records: &SystemRecords) -> Result<Vec<UserRecord>, CommandError> {
    let mut users = Vec::new();
    for key in records.list_keys(Folder::Users)? {
        let Key::User(id) = &key else { continue };
        let parsed = records.read_record(&key).and_then(|file| {
            let json = file.map_or(Json::Null, Json::Object);
            UserRecord::parse(id, &json).map_err(CommandError::failed)
        });
        match parsed {
            Ok(user) => users.push(user),
            Err(error) => print_note(&format!("{} is no user: {error}", key.path())),
        }
    }
    users.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(users)
}

/// Finds a user by login name, ignoring case and equivalent spellings.
fn find_user<'u>(users: &'u [UserRecord], username: &str) -> Option<&'u UserRecord> {
    let name = login_name(username);
    users.iter().find(|it| it.login_name() == name)
}

fn require_user(users: &[UserRecord], username: &str) -> Result<UserRecord, CommandError> {
    let missing = || CommandError::failed(format!("there is no user `{username}`"));
    find_user(users, username).cloned().ok_or_else(missing)
}
