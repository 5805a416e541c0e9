//! `recto token`: API tokens, made and revoked beside a running server, which follows their files.

use std::path::PathBuf;

use clap::Subcommand;

use crate::cli::error::Error;
use crate::cli::records::Records;
use crate::model::grant::Grant;
use crate::model::grant::grants_defect;
use crate::model::name::TokenId;
use crate::model::problem::FieldProblems;
use crate::model::token::Token;
use crate::model::token::TokenRecord;
use crate::model::token::check_token;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Folder;
use crate::store::layout::Key;

const SECONDS_PER_DAY: i64 = 86_400;

/// What can be done with tokens.
#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Make a token and print it: it is shown this once
    Create(CreateArgs),
    /// List the tokens, without what makes them secret
    List(ListArgs),
    /// End a token; its record stays
    Revoke(RevokeArgs),
}

/// Arguments of `recto token create`.
#[derive(Debug, clap::Args)]
pub(super) struct CreateArgs {
    /// What people call it
    #[arg(long)]
    name: String,
    /// What it may do: actions@resources[@workspace], like content.read@content:* (repeatable)
    #[arg(long = "grant", value_name = "GRANT", required = true)]
    grants: Vec<String>,
    /// What it is for
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
    /// When it ends: a date like 2027-01-01, or a number of days like 90d; never unless given
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Arguments of `recto token list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// Arguments of `recto token revoke`.
#[derive(Debug, clap::Args)]
pub(super) struct RevokeArgs {
    /// The id, as listed; what stands between the two _ of the token
    id: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, clap::Args)]
struct Place {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

pub(super) fn run(command: TokenCommand) -> Result<(), Error> {
    let now = SystemClock.now();
    match command {
        TokenCommand::Create(args) => create(args, now),
        TokenCommand::List(args) => list(args, now),
        TokenCommand::Revoke(args) => revoke(args, now),
    }
}

fn create(args: CreateArgs, now: Timestamp) -> Result<(), Error> {
    let (name, description) = (args.name.trim(), args.description.trim());
    let permissions: Vec<Grant> =
        args.grants.iter().map(|line| grant(line)).collect::<Result<_, _>>()?;
    let mut problems = FieldProblems::new();
    check_token(name, description, &mut problems);
    let grants: Vec<Json> = permissions.iter().map(Grant::to_json).collect();
    if let Some(defect) = grants_defect(&grants.into()) {
        problems.add("grant", defect);
    }
    problems.or(()).map_err(Error::usage)?;
    let expires_at = args.expires.as_deref().map(|text| expiry(text, now)).transpose()?;
    let records = Records::open(args.place.data)?;
    let token = new_token()?;
    let record = TokenRecord {
        id: token.id().clone(),
        name: name.to_owned(),
        description: description.to_owned(),
        permissions,
        created_at: Some(now),
        created_by: None,
        expires_at,
        last_used_at: None,
        revoked_at: None,
        fingerprint: token.fingerprint(),
    };
    let key = Key::Token(record.id.clone());
    records.change(|change| change.create(&key, &record.to_file()))?;
    let until = expires_at.map_or("never expires".to_owned(), |it| format!("expires {it}"));
    super::note(&format!("token {} for {name} {until}; it is not shown again:", record.id));
    super::print(&format!("{}\n", token.reveal()))
}

fn grant(line: &str) -> Result<Grant, Error> {
    Grant::parse_line(line).map_err(|problems| Error::usage(format!("grant `{line}`: {problems}")))
}

fn new_token() -> Result<Token, Error> {
    let (mut id, mut secret) = ([0; 10], [0; 32]);
    let filled = getrandom::fill(&mut id).and_then(|()| getrandom::fill(&mut secret));
    filled.map_err(|error| Error::failed(format!("the system gives no randomness: {error}")))?;
    Ok(Token::issue(id, secret))
}

/// `90d` or a date; it has to lie ahead.
fn expiry(text: &str, now: Timestamp) -> Result<Timestamp, Error> {
    let in_days = |days: &str| {
        let seconds = days.parse::<i64>().ok()?.checked_mul(SECONDS_PER_DAY)?;
        Some(Timestamp::from_seconds(now.seconds().checked_add(seconds)?))
    };
    let time = match text.strip_suffix('d') {
        Some(days) => in_days(days),
        None => Timestamp::parse(text),
    };
    time.filter(|time| *time > now).ok_or_else(|| {
        let problem = "write a date to come, like 2027-01-01, or days, like 90d";
        Error::usage(format!("`{text}` is no time at which a token can end: {problem}"))
    })
}

fn list(args: ListArgs, now: Timestamp) -> Result<(), Error> {
    let records = all(&Records::open(args.place.data)?)?;
    if args.json {
        let json = serde_json::to_value(&records).map_err(Error::failed)?;
        return super::print_json(&json);
    }
    let rows: Vec<[String; 4]> = records.iter().map(|it| row(it, now)).collect();
    super::print(&table(&["ID", "STATE", "NAME", "MAY"], &rows))
}

fn row(record: &TokenRecord, now: Timestamp) -> [String; 4] {
    let state = match (record.revoked_at, record.expires_at) {
        (Some(at), _) => format!("revoked {}", at.date()),
        (None, Some(at)) if at <= now => format!("expired {}", at.date()),
        (None, Some(at)) => format!("until {}", at.date()),
        (None, None) => "active".to_owned(),
    };
    let grants: Vec<String> = record.permissions.iter().map(|it| short(&it.to_json())).collect();
    [record.id.to_string(), state, record.name.clone(), grants.join(" ")]
}

/// A grant as it is written on the command line, as far as it can be.
fn short(grant: &Json) -> String {
    let texts = |key: &str| {
        let items = grant.as_object().and_then(|it| it.get(key)).and_then(Json::as_array);
        let texts: Vec<&str> = items.into_iter().flatten().filter_map(Json::as_str).collect();
        texts.join(",")
    };
    let limited = grant.as_object().is_some_and(|it| {
        it.contains("fields")
            || it.contains("conditions")
            || it.get("effect").and_then(Json::as_str) == Some("deny")
    });
    let more = if limited { "(with limits)" } else { "" };
    format!("{}@{}{more}", texts("actions"), texts("resources"))
}

/// Columns, each as wide as its widest cell.
pub(super) fn table(head: &[&str; 4], rows: &[[String; 4]]) -> String {
    let head = head.map(str::to_owned);
    let all = || std::iter::once(&head).chain(rows);
    let width = |place: usize| {
        all().filter_map(|row| row.get(place)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let (id, state, name) = (width(0), width(1), width(2));
    all()
        .map(|[a, b, c, d]| format!("{a:id$}  {b:state$}  {c:name$}  {d}").trim_end().to_owned())
        .map(|line| line + "\n")
        .collect()
}

fn revoke(args: RevokeArgs, now: Timestamp) -> Result<(), Error> {
    let unreadable = |_| {
        let problem =
            "write what stands between the two _ of the token, as `recto token list` does";
        Error::usage(format!("`{}` is no id of a token: {problem}", args.id))
    };
    let id = TokenId::parse(&args.id).map_err(unreadable)?;
    if end(&Records::open(args.place.data)?, &id, now)? {
        super::note(&format!("token {id} is revoked"));
    } else {
        super::note(&format!("token {id} was revoked before"));
    }
    Ok(())
}

/// All that can be read, oldest first; about the others there is a note.
fn all(records: &Records) -> Result<Vec<TokenRecord>, Error> {
    let mut tokens = Vec::new();
    for key in records.keys(Folder::Tokens)? {
        let Key::Token(id) = &key else { continue };
        let parsed = read(records, id)
            .and_then(|map| TokenRecord::parse(id, &Json::Object(map)).map_err(Error::failed));
        match parsed {
            Ok(token) => tokens.push(token),
            Err(error) => super::note(&format!("{} is no token: {error}", key.path())),
        }
    }
    tokens.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    Ok(tokens)
}

/// Whether it counted until now. What else its file says is kept.
fn end(records: &Records, id: &TokenId, now: Timestamp) -> Result<bool, Error> {
    records.change(|change| {
        let mut file = read(records, id)?;
        if file.get("revoked_at").is_some_and(|it| *it != Json::Null) {
            return Ok(false);
        }
        file.set("revoked_at", now.to_string().into());
        change.replace(&Key::Token(id.clone()), &Json::Object(file))?;
        Ok(true)
    })
}

fn read(records: &Records, id: &TokenId) -> Result<Map, Error> {
    let missing = || Error::failed(format!("there is no token {id}"));
    records.read(&Key::Token(id.clone()))?.ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_end_at_a_time_to_come() {
        let now = Timestamp::parse("2026-05-03T12:00:00Z").unwrap();
        let check = |text: &str, expect: Option<&str>| {
            let found = expiry(text, now).ok().map(|it| it.to_string());
            assert_eq!(found.as_deref(), expect, "{text}");
        };
        check("90d", Some("2026-08-01T12:00:00Z"));
        check("2027-01-01", Some("2027-01-01T00:00:00Z"));
        check("2027-01-01T10:00:00+02:00", Some("2027-01-01T08:00:00Z"));
        check("0d", None);
        check("-1d", None);
        check("9223372036854775807d", None);
        check("2026-05-03", None);
        check("soon", None);
    }

    #[test]
    fn grants_are_shown_as_they_are_written() {
        let check = |line: &str, expect: &str| {
            assert_eq!(short(&grant(line).unwrap().to_json()), expect);
        };
        check("content.read@content:*", "content.read@content:*");
        check("content.*,media.read@*", "content.*,media.read@*");
        check("content.read@content:posts:*@shop", "content.read@workspace:shop:content:posts:*");
        assert!(grant("content.read").is_err());
    }
}
