//! `recto token`: creates, lists, rotates and revokes API tokens beside a running server, which
//! follows their files.

use clap::Subcommand;

use crate::app::people::tokens;
use crate::app::people::tokens::NewToken;
use crate::app::people::tokens::OVERLAP_SECONDS_MAX;
use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;
use crate::cli::system_records::SystemRecords;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::model::grant::Action;
use crate::model::grant::Grant;
use crate::model::grant::Permit;
use crate::model::name::TokenId;
use crate::model::people::token::TokenRecord;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

const SECONDS_PER_DAY: i64 = 86_400;

/// The subcommands of `recto token`.
#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Create a token and print it; it is shown only once
    Create(TokenCreateArgs),
    /// List the tokens, without their secrets
    List(TokenListArgs),
    /// Give a token another secret and print it; the one before still works for a while
    Rotate(TokenRotateArgs),
    /// Revoke a token; its record stays
    Revoke(TokenRevokeArgs),
}

/// Arguments of `recto token create`.
#[derive(Debug, clap::Args)]
pub(super) struct TokenCreateArgs {
    /// A name that people recognize
    #[arg(long)]
    name: String,
    /// A grant, actions@resources[@workspace], such as content.read@content:* (repeatable)
    #[arg(long = "grant", value_name = "GRANT", required = true)]
    grants: Vec<String>,
    /// A description of its purpose
    #[arg(long, default_value = "", hide_default_value = true)]
    description: String,
    /// The date on which it expires, such as 2027-01-01, or a number of days, such as 90d; never by
    /// default
    #[arg(long, value_name = "WHEN")]
    expires: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto token list`.
#[derive(Debug, clap::Args)]
pub(super) struct TokenListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto token rotate`.
#[derive(Debug, clap::Args)]
pub(super) struct TokenRotateArgs {
    /// The id, as listed: the part of the token between the two _
    id: String,
    /// The time for which the secret before still works: 30m, 24h, 7d; 0 to end it at once
    #[arg(long, value_name = "TIME", default_value = "24h")]
    overlap: String,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto token revoke`.
#[derive(Debug, clap::Args)]
pub(super) struct TokenRevokeArgs {
    /// The id, as listed: the part of the token between the two _
    id: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(super) fn run(command: TokenCommand) -> Result<(), CommandError> {
    let now = SystemClock.now();
    match command {
        TokenCommand::Create(args) => create_token(args, now),
        TokenCommand::List(args) => list_tokens(args, now),
        TokenCommand::Rotate(args) => rotate_token(args, now),
        TokenCommand::Revoke(args) => revoke_token(args, now),
    }
}

fn create_token(args: TokenCreateArgs, now: Timestamp) -> Result<(), CommandError> {
    let grants: Vec<Json> = args
        .grants
        .iter()
        .map(|line| parse_grant(line).map(|it| it.to_json()))
        .collect::<Result<_, _>>()?;
    let expires_at = args.expires.as_deref().map(|text| parse_expiry(text, now)).transpose()?;
    let mut body = Map::new();
    body.push("name", args.name.as_str());
    body.push("description", args.description.as_str());
    body.push("permissions", grants);
    body.push("expires_at", expires_at);
    let new = NewToken::parse(&body, now).into_result().map_err(CommandError::usage)?;
    let records = SystemRecords::open_to_change(&args.place)?;
    let token = tokens::generate_token().map_err(CommandError::failed)?;
    let record = new.to_record(&token, None, now);
    let key = Key::Token(record.id.clone());
    let permit = Permit::for_operator(Action::TokensCreate);
    records.change_records(&permit, |change| change.create_record(&key, &record.to_file()))?;
    let until = expires_at.map_or("never expires".to_owned(), |it| format!("expires {it}"));
    print_note(&format!("token {} for {} {until}; it is not shown again:", record.id, record.name));
    print_text(&format!("{}\n", token.reveal()))
}

fn parse_grant(line: &str) -> Result<Grant, CommandError> {
    Grant::parse_line(line)
        .map_err(|problems| CommandError::usage(format!("grant `{line}`: {problems}")))
}

/// Parses an expiry: `90d` or a date.
fn parse_expiry(text: &str, now: Timestamp) -> Result<Timestamp, CommandError> {
    let in_days = |days: &str| {
        let seconds = days.parse::<i64>().ok()?.checked_mul(SECONDS_PER_DAY)?;
        Some(Timestamp::from_seconds(now.seconds().checked_add(seconds)?))
    };
    let time = match text.strip_suffix('d') {
        Some(days) => in_days(days),
        None => Timestamp::parse(text),
    };
    time.ok_or_else(|| {
        let problem = "write a date, like 2027-01-01, or days, like 90d";
        CommandError::usage(format!(
            "`{text}` is not a time at which a token can expire: {problem}"
        ))
    })
}

fn list_tokens(args: TokenListArgs, now: Timestamp) -> Result<(), CommandError> {
    let installation = SystemRecords::open_folder(&args.place)?.load_people()?;
    let mut records: Vec<&TokenRecord> = installation.tokens().map(|it| &it.record).collect();
    records.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    if args.json {
        let json = serde_json::to_value(&records).map_err(CommandError::failed)?;
        return print_json(&json);
    }
    let rows: Vec<[String; 4]> = records.iter().map(|it| format_row(it, now)).collect();
    print_text(&format_table(&["ID", "STATE", "NAME", "MAY"], &rows))
}

fn format_row(record: &TokenRecord, now: Timestamp) -> [String; 4] {
    let state = match (record.revoked_at, record.expires_at) {
        (Some(at), _) => format!("revoked {}", at.date()),
        (None, Some(at)) if at <= now => format!("expired {}", at.date()),
        (None, Some(at)) => format!("until {}", at.date()),
        (None, None) => "active".to_owned(),
    };
    let grants: Vec<String> =
        record.permissions.iter().map(|it| format_grant(&it.to_json())).collect();
    [record.id.to_string(), state, record.name.clone(), grants.join(" ")]
}

/// Formats a grant like on the command line, as far as it can be written there.
fn format_grant(grant: &Json) -> String {
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

/// Formats a table; each column is as wide as its widest cell.
pub(super) fn format_table(head: &[&str; 4], rows: &[[String; 4]]) -> String {
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

fn parse_id(text: &str) -> Result<TokenId, CommandError> {
    TokenId::parse(text).map_err(|_| {
        let problem = "write the part between the two _ of the token, as `recto token list` does";
        CommandError::usage(format!("`{text}` is not the id of a token: {problem}"))
    })
}

/// Parses an overlap in seconds: `30m`, `24h`, `7d` or `0`.
fn parse_overlap(text: &str) -> Result<i64, CommandError> {
    let in_seconds = |unit: char, seconds: i64| {
        text.strip_suffix(unit)?.parse::<i64>().ok()?.checked_mul(seconds)
    };
    let zero = (text == "0").then_some(0);
    let found = zero
        .or_else(|| in_seconds('m', 60))
        .or_else(|| in_seconds('h', 3_600))
        .or_else(|| in_seconds('d', SECONDS_PER_DAY));
    found.filter(|it| (0..=OVERLAP_SECONDS_MAX).contains(it)).ok_or_else(|| {
        let problem = "write minutes, hours or days, like 30m, 24h or 7d, of at most 30 days";
        CommandError::usage(format!("`{text}` is not an overlap: {problem}"))
    })
}

/// Gives a token another secret; other keys of its file are kept.
fn rotate_token(args: TokenRotateArgs, now: Timestamp) -> Result<(), CommandError> {
    let (id, seconds) = (parse_id(&args.id)?, parse_overlap(&args.overlap)?);
    let records = SystemRecords::open_to_change(&args.place)?;
    let token = tokens::renew_token(&id).map_err(CommandError::failed)?;
    let until = tokens::overlap_end(seconds, now);
    records.change_records(&Permit::for_operator(Action::TokensCreate), |change| {
        let mut file = read_token(&records, &id)?;
        let record = TokenRecord::parse(&id, &Json::Object(file.clone()));
        let mut record = record.map_err(CommandError::failed)?;
        if !record.is_active(now) {
            return Err(CommandError::failed(format!("token {id} is revoked or has expired")));
        }
        record.rotate(&token, until);
        if let Json::Object(next) = record.to_file() {
            next.iter().for_each(|(name, value)| file.set(name, value.clone()));
        }
        change.replace_record(&Key::Token(id.clone()), &Json::Object(file))
    })?;
    let ends = until.map_or("no longer works".to_owned(), |it| format!("works until {it}"));
    print_note(&format!("token {id} has another secret, and the one before {ends}:"));
    print_text(&format!("{}\n", token.reveal()))
}

fn revoke_token(args: TokenRevokeArgs, now: Timestamp) -> Result<(), CommandError> {
    let id = parse_id(&args.id)?;
    if end_token(&SystemRecords::open_to_change(&args.place)?, &id, now)? {
        print_note(&format!("token {id} is revoked"));
    } else {
        print_note(&format!("token {id} was already revoked"));
    }
    Ok(())
}

/// Revokes a token; other keys of its file are kept. Returns false if it was revoked before.
fn end_token(records: &SystemRecords, id: &TokenId, now: Timestamp) -> Result<bool, CommandError> {
    let permit = Permit::for_operator(Action::TokensRevoke);
    records.change_records(&permit, |change| {
        let mut file = read_token(records, id)?;
        if file.get("revoked_at").is_some_and(|it| *it != Json::Null) {
            return Ok(false);
        }
        file.set("revoked_at", now.to_string().into());
        change.replace_record(&Key::Token(id.clone()), &Json::Object(file))?;
        Ok(true)
    })
}

fn read_token(records: &SystemRecords, id: &TokenId) -> Result<Map, CommandError> {
    let missing = || CommandError::failed(format!("there is no token {id}"));
    records.read_record(&Key::Token(id.clone()))?.ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiries_are_dates_or_days() {
        let now = Timestamp::parse("2026-05-03T12:00:00Z").unwrap();
        let check = |text: &str, expect: Option<&str>| {
            let found = parse_expiry(text, now).ok().map(|it| it.to_string());
            assert_eq!(found.as_deref(), expect, "{text}");
        };
        check("90d", Some("2026-08-01T12:00:00Z"));
        check("2027-01-01", Some("2027-01-01T00:00:00Z"));
        check("2027-01-01T10:00:00+02:00", Some("2027-01-01T08:00:00Z"));
        check("0d", Some("2026-05-03T12:00:00Z"));
        check("9223372036854775807d", None);
        check("soon", None);
    }

    #[test]
    fn overlaps_have_a_unit() {
        let check = |text: &str, expect: Option<i64>| {
            assert_eq!(parse_overlap(text).ok(), expect, "{text}");
        };
        check("0", Some(0));
        check("30m", Some(1_800));
        check("24h", Some(86_400));
        check("30d", Some(2_592_000));
        for wrong in ["31d", "-1h", "24", "h", "9223372036854775807d"] {
            check(wrong, None);
        }
    }

    #[test]
    fn grants_are_shown_as_they_are_written() {
        let check = |line: &str, expect: &str| {
            assert_eq!(format_grant(&parse_grant(line).unwrap().to_json()), expect);
        };
        check("content.read@content:*", "content.read@content:*");
        check("content.*,media.read@*", "content.*,media.read@*");
        check("content.read@content:posts:*@shop", "content.read@workspace:shop:content:posts:*");
        assert!(parse_grant("content.read").is_err());
    }
}
