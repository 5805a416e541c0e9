//! `recto user`: manages the users of an installation beside a running server, which follows their
//! files. For scripts, and for when nobody can log in.

use std::sync::Arc;

use clap::Subcommand;

use crate::app::people::delegation;
use crate::app::people::new_user::NewUser;
use crate::app::people::passwords;
use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;
use crate::cli::password::PasswordArgs;
use crate::cli::system_records::SystemRecords;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::cli::token::format_table;
use crate::engine::installation::Account;
use crate::engine::installation::Installation;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::people::role;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::id::IdGenerator;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
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
    /// Remove the second factor of a user who has lost it, which ends their sessions
    ResetSecondFactor(SecondFactorResetArgs),
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

/// Arguments of `recto user reset-second-factor`.
#[derive(Debug, clap::Args)]
pub(super) struct SecondFactorResetArgs {
    /// The user name
    username: String,
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
        UserCommand::ResetSecondFactor(args) => reset_second_factor(args, now),
        UserCommand::Delete(args) => delete_user(args),
    }
}

fn create_user(args: UserCreateArgs, now: Timestamp) -> Result<(), CommandError> {
    let mut body = Map::new();
    body.push("username", args.username.as_str());
    body.push("display_name", args.display_name.as_str());
    body.push("email", args.email.as_str());
    let new = NewUser::parse(&body).into_result().map_err(CommandError::usage)?;
    let records = SystemRecords::open_to_change(&args.place)?;
    let role = resolve_role(&records, args.role.as_deref())?;
    let hash = hash_password(&args.password.read_password()?, &new.username)?;
    let user = new.to_record(generate_id(now)?, role, Some(hash), now);
    let key = Key::User(user.id.clone());
    records.change_records(&Permit::for_operator(Action::UsersCreate), |change| {
        if records.load_people()?.find_username(&user.username).is_some() {
            let taken = format!("there is a user `{}` already", user.username);
            return Err(CommandError::failed(taken));
        }
        change.create_record(&key, &user.to_file())
    })?;
    print_note(&format!("created the user {} with the role {}", user.username, user.role));
    Ok(())
}

/// Returns the role of a new user: the named one if it exists; without a name, the first user
/// becomes an admin and every other one is refused.
fn resolve_role(records: &SystemRecords, named: Option<&str>) -> Result<EntryId, CommandError> {
    let installation = records.load_people()?;
    let id = match named {
        Some(id) => id,
        None if installation.is_empty() => role::ADMIN,
        None => {
            return Err(CommandError::usage("name the role of the user, such as --role editor"));
        }
    };
    let unknown = || CommandError::usage(format!("there is no role `{id}`"));
    Ok(installation.role(id).ok_or_else(unknown)?.id.clone())
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
    let installation = SystemRecords::open_folder(&args.place)?.load_people()?;
    let users: Vec<&UserRecord> = installation.users().map(|it| &it.record).collect();
    if args.json {
        let json = serde_json::to_value(&users).map_err(CommandError::failed)?;
        return print_json(&json);
    }
    let rows: Vec<[String; 4]> = users.into_iter().map(format_row).collect();
    print_text(&format_table(&["USERNAME", "ROLE", "LAST LOGIN", "NAME"], &rows))
}

fn format_row(user: &UserRecord) -> [String; 4] {
    let login = user.last_login_at.map_or_else(|| "never".to_string(), Timestamp::date);
    [user.username.clone(), user.role.to_string(), login, user.display_name.clone()]
}

/// Sets a new password. Sessions that began with the old one end.
fn reset_password(args: PasswordResetArgs, now: Timestamp) -> Result<(), CommandError> {
    let records = SystemRecords::open_to_change(&args.place)?;
    let user = require_user(&records.load_people()?, &args.username)?.record.clone();
    let password = args.password.read_password()?;
    let hash = hash_password(&password, &user.username)?;
    let key = Key::User(user.id);
    records.change_records(&Permit::for_operator(Action::UsersUpdate), |change| {
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

/// Removes the second factor. Sessions that began with it end.
fn reset_second_factor(args: SecondFactorResetArgs, now: Timestamp) -> Result<(), CommandError> {
    let records = SystemRecords::open_to_change(&args.place)?;
    let user = require_user(&records.load_people()?, &args.username)?.record.clone();
    let key = Key::User(user.id);
    let had_one = records.change_records(&Permit::for_operator(Action::UsersUpdate), |change| {
        let gone = || CommandError::failed(format!("there is no user `{}`", user.username));
        let mut file = records.read_record(&key)?.ok_or_else(gone)?;
        if file.remove("second_factor").is_none() {
            return Ok(false);
        }
        file.set("updated_at", now.to_string().into());
        change.replace_record(&key, &Json::Object(file))?;
        Ok(true)
    })?;
    print_note(&if had_one {
        format!("user {} has no second factor now; their sessions end", user.username)
    } else {
        format!("user {} had no second factor", user.username)
    });
    Ok(())
}

fn delete_user(args: UserDeleteArgs) -> Result<(), CommandError> {
    let records = SystemRecords::open_to_change(&args.place)?;
    let user = records.change_records(&Permit::for_operator(Action::UsersDelete), |change| {
        let installation = records.load_people()?;
        let account = require_user(&installation, &args.username)?;
        let user = account.record.clone();
        if delegation::is_last_admin(&installation, &account) {
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

/// Finds a user by login name, ignoring case and equivalent spellings.
fn require_user(installation: &Installation, username: &str) -> Result<Arc<Account>, CommandError> {
    let missing = || CommandError::failed(format!("there is no user `{username}`"));
    installation.find_username(username).cloned().ok_or_else(missing)
}
