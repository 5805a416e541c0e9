//! API tokens: made by people, for programs. The secret is shown to whoever makes one, once.

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::delegation;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::record_list;
use crate::app::record_list::Key as SortKey;
use crate::app::record_list::Listed;
use crate::app::record_list::Rank;
use crate::app::sent::Sent;
use crate::engine::system::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::token::DESCRIPTION_CHARS_MAX;
use crate::model::token::NAME_CHARS_MAX;
use crate::model::token::Token;
use crate::model::token::TokenRecord;
use crate::query::params::Params;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// A token that was just made, with what its holder needs.
#[derive(Serialize)]
pub struct Issued {
    token: String,
    #[serde(flatten)]
    record: TokenRecord,
}

const SORTED_BY: &[SortKey<TokenRecord>] = &[
    ("created_at", |it| Rank::time(it.created_at)),
    ("name", |it| Rank::text(&it.name)),
    ("expires_at", |it| Rank::time(it.expires_at)),
    ("last_used_at", |it| Rank::time(it.last_used_at)),
    ("revoked_at", |it| Rank::time(it.revoked_at)),
];

/// The tokens that the caller may read about: `q sort order limit offset`.
pub fn list(app: &App, caller: &Caller, params: &Params) -> Result<Listed<TokenRecord>> {
    let installation = app.engine.installation_now();
    let seen = installation.tokens().filter(|it| may_read(caller, &it.record.id).is_ok());
    let mut records: Vec<TokenRecord> = seen.map(|it| it.shown()).collect();
    // They are kept in no order.
    records.sort_by(|a, b| a.id.cmp(&b.id));
    record_list::list(params, records, SORTED_BY, "-created_at", |it| {
        vec![&it.name, &it.description, it.id.as_str()]
    })
}

/// One token.
pub fn show(app: &App, caller: &Caller, id: &str) -> Result<TokenRecord> {
    may_read(caller, id)?;
    let installation = app.engine.installation_now();
    let holder = installation.tokens().find(|it| it.record.id == *id);
    holder.map(|it| it.shown()).ok_or_else(|| Error::not_found("token", id))
}

/// Fails unless the caller may read about a token.
pub(super) fn may_read(caller: &Caller, id: &str) -> Result<()> {
    let on = Resource::One(Area::Tokens, id);
    caller.may("", Action::TokensRead, &on, &Facts::default()).map(drop)
}

/// Makes a token: `{name, permissions, description?, expires_at?}`.
pub fn create(app: &App, by: &By, body: &Map) -> Result<Issued> {
    let mut sent = Sent::new(body);
    let name = sent.required("name", NAME_CHARS_MAX);
    let description = sent.text("description").unwrap_or_default();
    sent.check_length("description", &description, DESCRIPTION_CHARS_MAX);
    let expires_at = sent.time_ahead("expires_at", app.engine.clock().now());
    let permissions = sent.grants("permissions");
    if permissions.as_ref().map_or(sent.value("permissions").is_none(), Vec::is_empty) {
        sent.problems.add("permissions", "Grant it something, or it opens nothing.");
    }
    let permissions = permissions.unwrap_or_default();
    let problems = sent.problems;
    let (mut id, mut secret) = ([0; 10], [0; 32]);
    getrandom::fill(&mut id)
        .and_then(|()| getrandom::fill(&mut secret))
        .map_err(Error::internal)?;
    let token = Token::issue(id, secret);
    let record = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let whole = Resource::Whole(Area::Tokens);
        let caller = delegation::asker(staging.installation(), by, Action::TokensCreate, &whole)?;
        delegation::may_hand_out(&caller, &permissions, Some("permissions"))?;
        problems.clone().or(()).map_err(Error::invalid)?;
        let record = TokenRecord {
            id: token.id().clone(),
            name: name.clone(),
            description: description.clone(),
            permissions: permissions.clone(),
            created_at: Some(staging.now()),
            created_by: Some(by.actor.id.clone()),
            expires_at,
            last_used_at: None,
            revoked_at: None,
            fingerprint: token.fingerprint(),
        };
        staging.create(&Key::Token(record.id.clone()), record.to_file().to_file());
        tell(staging, by, EventKind::TokenCreated, &record);
        Ok::<_, Error>(record)
    })?;
    Ok(Issued { token: token.reveal(), record })
}

/// Says something else of a token: `{name?, description?}`. What it may do stays: another is made
/// for something else.
pub fn update(app: &App, by: &By, id: &str, body: &Map) -> Result<TokenRecord> {
    let mut sent = Sent::new(body);
    let name = sent.value("name").map(|_| sent.required("name", NAME_CHARS_MAX));
    let description = sent.text("description");
    sent.check_length(
        "description",
        description.as_deref().unwrap_or_default(),
        DESCRIPTION_CHARS_MAX,
    );
    let problems = sent.problems;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut record = changeable(staging, by, Action::TokensCreate, id)?;
        problems.clone().or(()).map_err(Error::invalid)?;
        let mut changes = Map::new();
        if let Some(name) = name.clone().filter(|it| *it != record.name) {
            changes.push("name", name.clone());
            record.name = name;
        }
        if let Some(description) = description.clone().filter(|it| *it != record.description) {
            changes.push("description", description.clone());
            record.description = description;
        }
        if !changes.is_empty() {
            staging.write(&Key::Token(record.id.clone()), &Json::Object(changes))?;
            tell(staging, by, EventKind::TokenUpdated, &record);
        }
        Ok(record)
    })
}

/// Ends a token; one that was ended before is forgotten.
pub fn delete(app: &App, by: &By, id: &str) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let record = changeable(staging, by, Action::TokensRevoke, id)?;
        let key = Key::Token(record.id.clone());
        if record.revoked_at.is_some() {
            staging.remove(&key);
            tell(staging, by, EventKind::TokenDeleted, &record);
            return Ok(());
        }
        let mut changes = Map::new();
        changes.push("revoked_at", staging.now().to_string());
        // Nobody will write it down later.
        let used = record.last_used_at.map(|it| it.to_string());
        changes.push("last_used_at", used.map_or(Json::Null, Json::from));
        staging.write(&key, &Json::Object(changes))?;
        tell(staging, by, EventKind::TokenRevoked, &record);
        Ok(())
    })
}

/// A token that the caller may change.
fn changeable(
    staging: &SystemStaging<'_>,
    by: &By,
    action: Action,
    id: &str,
) -> Result<TokenRecord> {
    let installation = staging.installation();
    let on = Resource::One(Area::Tokens, id);
    let caller = delegation::asker(installation, by, action, &on)?;
    let holder = installation.tokens().find(|it| it.record.id == *id);
    let holder = holder.ok_or_else(|| Error::not_found("token", id))?;
    delegation::may_change(&caller, &holder.record.permissions, "This token")?;
    Ok(holder.shown())
}

fn tell(staging: &mut SystemStaging<'_>, by: &By, kind: EventKind, token: &TokenRecord) {
    let subject = Subject::Token { token: token.id.to_string(), name: token.name.clone() };
    staging.tell(Event::by(&by.actor, kind, subject));
}
