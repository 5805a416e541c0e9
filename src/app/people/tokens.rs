//! API tokens: listing, issuing, updating and revoking them. A secret is shown once, to the caller
//! who issues the token.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::record_list;
use crate::app::people::record_list::RecordList;
use crate::app::people::record_list::RecordSortKey as SortKey;
use crate::app::people::record_list::SortRank;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::GRANTS_MAX;
use crate::model::grant::Grant;
use crate::model::grant::GrantInput;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::TokenId;
use crate::model::people::token::DESCRIPTION_CHARS_MAX;
use crate::model::people::token::NAME_CHARS_MAX;
use crate::model::people::token::Token;
use crate::model::people::token::TokenRecord;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// A new token with its secret.
#[derive(Serialize, JsonSchema)]
pub struct IssuedToken {
    /// The value for `Authorization: Bearer`. Only this answer shows it.
    token: String,
    #[serde(flatten)]
    record: TokenRecord,
}

/// The seconds for which the secret before a rotation counts unless something else is asked for.
pub const OVERLAP_SECONDS: i64 = 24 * 60 * 60;
/// The longest overlap: 30 days.
pub const OVERLAP_SECONDS_MAX: i64 = 30 * 24 * 60 * 60;

const SORTED_BY: &[SortKey<TokenRecord>] = &[
    ("created_at", |it| SortRank::from_time(it.created_at)),
    ("name", |it| SortRank::from_text(&it.name)),
    ("expires_at", |it| SortRank::from_time(it.expires_at)),
    ("last_used_at", |it| SortRank::from_time(it.last_used_at)),
    ("revoked_at", |it| SortRank::from_time(it.revoked_at)),
];

/// Lists the tokens that the caller may read: `q sort order limit offset`.
pub fn list(app: &App, caller: &Caller, params: &QueryParams) -> Result<RecordList<TokenRecord>> {
    let installation = app.engine.installation_arc();
    let seen = installation.tokens().filter(|it| check_may_read(caller, &it.record.id).is_ok());
    let mut records: Vec<TokenRecord> = seen.map(|it| it.to_record()).collect();
    // The installation keeps them in no order.
    records.sort_by(|a, b| a.id.cmp(&b.id));
    record_list::list_records(params, records, SORTED_BY, "-created_at", |it| {
        vec![&it.name, &it.description, it.id.as_str()]
    })
}

/// Returns one token.
pub fn show(app: &App, caller: &Caller, id: &str) -> Result<TokenRecord> {
    check_may_read(caller, id)?;
    let installation = app.engine.installation_arc();
    let holder = installation.tokens().find(|it| it.record.id == *id);
    holder.map(|it| it.to_record()).ok_or_else(|| Error::not_found("token", id))
}

/// Checks that the caller may read a token.
pub(super) fn check_may_read(caller: &Caller, id: &str) -> Result<()> {
    let on = Resource::One(Area::Tokens, id);
    caller.check_permission("", Action::TokensRead, &on, &Facts::default())
}

/// The body of a request that issues a token.
#[derive(Clone, Debug, JsonSchema)]
pub struct NewToken {
    /// The display name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    pub name: String,
    /// The purpose of the token.
    #[schemars(with = "Option<String>", length(max = DESCRIPTION_CHARS_MAX))]
    pub description: String,
    /// The grants of the token.
    #[schemars(with = "Vec<GrantInput>", length(min = 1, max = GRANTS_MAX))]
    pub permissions: Vec<Grant>,
    /// A future time; by default, the token never expires.
    #[schemars(with = "Option<String>", extend("nullable" = true))]
    pub expires_at: Option<Timestamp>,
}

impl NewToken {
    /// Parses a body.
    pub fn parse(body: &Map, now: Timestamp) -> ParsedBody<NewToken> {
        let mut input = ObjectReader::new(body);
        let name = input.filled_line("name", NAME_CHARS_MAX);
        let description = input.long_text("description", DESCRIPTION_CHARS_MAX).unwrap_or_default();
        let expires_at = input.future_time("expires_at", now);
        let permissions = Grant::read_list(&mut input, "permissions");
        if permissions.as_ref().map_or(!input.contains("permissions"), Vec::is_empty) {
            input.add_problem("permissions", "A token needs at least one permission.");
        }
        let permissions = permissions.unwrap_or_default();
        input.finish(NewToken { name, description, permissions, expires_at })
    }

    /// Returns the record of the token.
    pub fn to_record(
        &self,
        token: &Token,
        created_by: Option<&str>,
        now: Timestamp,
    ) -> TokenRecord {
        TokenRecord {
            id: token.id().clone(),
            name: self.name.clone(),
            description: self.description.clone(),
            permissions: self.permissions.clone(),
            created_at: Some(now),
            created_by: created_by.map(str::to_string),
            expires_at: self.expires_at,
            last_used_at: None,
            revoked_at: None,
            previous_ends_at: None,
            fingerprint: token.fingerprint(),
            previous: None,
        }
    }
}

/// Generates a token.
pub fn generate_token() -> Result<Token> {
    let (mut id, mut secret) = ([0; 10], [0; 32]);
    getrandom::fill(&mut id)
        .and_then(|()| getrandom::fill(&mut secret))
        .map_err(Error::internal)?;
    Ok(Token::issue(id, secret))
}

/// Issues a token: `{name, permissions, description?, expires_at?}`.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<IssuedToken> {
    let input = NewToken::parse(body, app.engine.clock().now());
    let token = generate_token()?;
    let record = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let whole = Resource::Whole(Area::Tokens);
        let (caller, permit) =
            delegation::resolve_caller(staging.installation(), by, Action::TokensCreate, &whole)?;
        let new = &input.values;
        delegation::check_may_grant(&caller, &new.permissions, Some("permissions"))?;
        input.check().map_err(Error::invalid)?;
        let record = new.to_record(&token, Some(&by.actor.id), staging.now());
        staging.write(&permit).create(&Key::Token(record.id.clone()), record.to_file().to_file());
        emit_event(staging, &permit, EventKind::TokenCreated, &record);
        Ok::<_, Error>(record)
    })?;
    Ok(IssuedToken { token: token.reveal(), record })
}

/// The body of a request that changes a token.
#[derive(Clone, Debug, JsonSchema)]
pub struct TokenChange {
    /// The display name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    name: Option<String>,
    /// The purpose of the token.
    #[schemars(length(max = DESCRIPTION_CHARS_MAX))]
    description: Option<String>,
}

impl TokenChange {
    fn parse(body: &Map) -> ParsedBody<TokenChange> {
        let mut input = ObjectReader::new(body);
        let is_named = input.contains("name");
        let name = is_named.then(|| input.filled_line("name", NAME_CHARS_MAX));
        let description = input.long_text("description", DESCRIPTION_CHARS_MAX);
        input.finish(TokenChange { name, description })
    }
}

/// Updates the description of a token: `{name?, description?}`. Its permissions cannot change:
/// issue another token instead.
pub fn update(app: &App, by: &Requester, id: &str, body: &Map) -> Result<TokenRecord> {
    let input = TokenChange::parse(body);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut record, permit) = find_changeable(staging, by, Action::TokensCreate, id)?;
        let TokenChange { name, description } =
            input.clone().into_result().map_err(Error::invalid)?;
        let mut changes = Map::new();
        if let Some(name) = name.filter(|it| *it != record.name) {
            changes.push("name", name.clone());
            record.name = name;
        }
        if let Some(description) = description.filter(|it| *it != record.description) {
            changes.push("description", description.clone());
            record.description = description;
        }
        if !changes.is_empty() {
            staging
                .write(&permit)
                .write_record(&Key::Token(record.id.clone()), &Json::Object(changes))?;
            emit_event(staging, &permit, EventKind::TokenUpdated, &record);
        }
        Ok(record)
    })
}

/// The body of a request that rotates a token.
#[derive(Clone, Debug, JsonSchema)]
pub struct TokenRotation {
    /// The seconds for which the secret before still counts: a day by default, 0 to end it at once.
    #[schemars(with = "Option<i64>", range(min = 0, max = OVERLAP_SECONDS_MAX))]
    overlap_seconds: i64,
}

impl TokenRotation {
    fn parse(body: &Map) -> ParsedBody<TokenRotation> {
        let mut input = ObjectReader::new(body);
        let overlap = input.value("overlap_seconds").map(parse_overlap);
        let overlap_seconds = match overlap {
            None => OVERLAP_SECONDS,
            Some(Some(seconds)) => seconds,
            Some(None) => {
                let message = wording::not_whole_within(0, OVERLAP_SECONDS_MAX as u32);
                input.add_problem("overlap_seconds", message);
                0
            }
        };
        input.finish(TokenRotation { overlap_seconds })
    }
}

fn parse_overlap(json: &Json) -> Option<i64> {
    let seconds = json.as_f64().filter(|it| it.fract() == 0.0)? as i64;
    (0..=OVERLAP_SECONDS_MAX).contains(&seconds).then_some(seconds)
}

/// Returns the time until which the secret before a rotation still counts, if it does.
pub fn overlap_end(seconds: i64, now: Timestamp) -> Option<Timestamp> {
    (seconds > 0).then(|| Timestamp::from_seconds(now.seconds().saturating_add(seconds)))
}

/// Generates a token of the same id with another secret.
pub fn renew_token(id: &TokenId) -> Result<Token> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(Error::internal)?;
    Ok(Token::renew(id.clone(), secret))
}

/// Gives a token another secret: `{overlap_seconds?}`. It takes as much as making the token, and
/// taking its place: whoever sees the secret acts as the token.
pub fn rotate(app: &App, by: &Requester, id: &str, body: &Map) -> Result<IssuedToken> {
    let input = TokenRotation::parse(body);
    let (token, record) = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut record, permit) = find_changeable(staging, by, Action::TokensCreate, id)?;
        let caller = by.caller.with_current_grants(staging.installation())?;
        delegation::check_may_hold(&caller, &record.permissions)?;
        let now = staging.now();
        if !record.is_active(now) {
            return Err(Error::conflict("This token is revoked or has expired."));
        }
        let input = input.clone().into_result().map_err(Error::invalid)?;
        let token = renew_token(&record.id)?;
        record.rotate(&token, overlap_end(input.overlap_seconds, now));
        staging.write(&permit).write_record(&Key::Token(record.id.clone()), &record.to_file())?;
        emit_event(staging, &permit, EventKind::TokenRotated, &record);
        Ok::<_, Error>((token, record))
    })?;
    Ok(IssuedToken { token: token.reveal(), record })
}

/// Revokes a token; deletes one that is revoked already.
pub fn delete(app: &App, by: &Requester, id: &str) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (record, permit) = find_changeable(staging, by, Action::TokensRevoke, id)?;
        let key = Key::Token(record.id.clone());
        if record.revoked_at.is_some() {
            staging.write(&permit).remove(&key);
            emit_event(staging, &permit, EventKind::TokenDeleted, &record);
            return Ok(());
        }
        let mut changes = Map::new();
        changes.push("revoked_at", staging.now().to_string());
        // A revoked token is not written again later.
        let used = record.last_used_at.map(|it| it.to_string());
        changes.push("last_used_at", used);
        staging.write(&permit).write_record(&key, &Json::Object(changes))?;
        emit_event(staging, &permit, EventKind::TokenRevoked, &record);
        Ok(())
    })
}

/// Returns a token that the caller may update or revoke, and the permit.
fn find_changeable(
    staging: &SystemStaging<'_>,
    by: &Requester,
    action: Action,
    id: &str,
) -> Result<(TokenRecord, Permit)> {
    let installation = staging.installation();
    let on = Resource::One(Area::Tokens, id);
    let (caller, permit) = delegation::resolve_caller(installation, by, action, &on)?;
    let holder = installation.tokens().find(|it| it.record.id == *id);
    let holder = holder.ok_or_else(|| Error::not_found("token", id))?;
    delegation::check_may_change(&caller, &holder.record.permissions, "This token")?;
    Ok((holder.to_record(), permit))
}

fn emit_event(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    kind: EventKind,
    token: &TokenRecord,
) {
    let subject = Subject::Token { token: token.id.to_string(), name: token.name.clone() };
    staging.write(permit).add_event(kind, subject);
}
