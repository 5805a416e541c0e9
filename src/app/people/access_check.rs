//! The explanation of permissions, for administrators who write roles.

use schemars::JsonSchema;
use schemars::Schema;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::roles;
use crate::app::people::tokens;
use crate::app::people::users;
use crate::engine::installation::Installation;
use crate::model::entry::EntryStatus;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Grants;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::media::MediaItem;
use crate::model::media::category::CategoryPath;
use crate::model::name::WorkspaceSlug;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The result of an access question.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AccessAnswer {
    /// True if the action is allowed.
    allowed: bool,
    /// The deciding grant; null if no grant applies.
    by: Option<DecidingGrant>,
    /// The workspace of the resource.
    workspace: WorkspaceSlug,
    /// The resource in its full form.
    resource: String,
    /// A consequence of the permission that may be surprising, if there is one.
    note: Option<&'static str>,
}

/// The note about the permission to update entries alone.
const PUBLIC_ENTRIES_NOTE: &str = "This permission also allows changing the words of public \
                                   entries, with immediate effect. Making an entry public, or \
                                   changing its dates, needs `content.publish`.";

/// The grant that decided the result.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct DecidingGrant {
    /// The position of the grant in the list of the subject.
    index: usize,
    /// The grant.
    grant: Grant,
}

/// Explains whether a subject may take an action on a resource. Without a subject the question is
/// about the caller. The attributes of the entry or file are looked up. If it is missing, or if the
/// caller may not see it, `status` and `own` give them.
pub fn explain_access(
    app: &App,
    caller: &Caller,
    snapshot: &Snapshot,
    body: &Map,
) -> Result<AccessAnswer> {
    let mut input = ObjectReader::new(body);
    let grants = find_subject_grants(&app.engine.installation_arc(), caller, &mut input)?;
    let asked = AccessQuestion::read(&mut input);
    let elsewhere = split_workspace(app, caller, &asked.resource);
    let (text, snapshot) = match &elsewhere {
        Some((rest, found)) => (rest.as_str(), &**found),
        None => (asked.resource.as_str(), snapshot),
    };
    let found = CheckedResource::parse(caller, snapshot, text);
    if found.is_none() && !text.is_empty() {
        input.add_problem("resource", "This is not a resource, such as `content:posts:*`.");
    }
    input.into_result(()).map_err(Error::invalid)?;
    let (Some(grants), Some(action), Some(found)) = (grants, asked.action, found) else {
        return Err(Error::internal("a question without a problem and without a part"));
    };
    Ok(evaluate_grants(&grants, action, &found, &asked, snapshot))
}

fn evaluate_grants(
    grants: &Grants,
    action: Action,
    found: &CheckedResource<'_>,
    asked: &AccessQuestion,
    snapshot: &Snapshot,
) -> AccessAnswer {
    let locales: Vec<&str> = asked.locales.iter().map(String::as_str).collect();
    let changed: Vec<&str> = asked.fields.iter().map(String::as_str).collect();
    let facts = Facts {
        status: found.status().or(asked.status),
        new_status: asked.new_status,
        author_id: found.author_id().or(asked.own.then(|| grants.caller_id())),
        locales: &locales,
        changed: &changed,
    };
    let resource = found.as_resource();
    let decision = grants.decide_access(&snapshot.workspace, action, &resource, &facts);
    let grant = |index: usize| grants.list().get(index).cloned();
    let publishes =
        || grants.decide_access(&snapshot.workspace, Action::ContentPublish, &resource, &facts);
    let is_partial = decision.allowed && action == Action::ContentUpdate && !publishes().allowed;
    AccessAnswer {
        allowed: decision.allowed,
        by: decision.by.and_then(|index| Some(DecidingGrant { index, grant: grant(index)? })),
        workspace: snapshot.workspace.clone(),
        resource: resource.to_string(),
        note: is_partial.then_some(PUBLIC_ENTRIES_NOTE),
    }
}

/// Returns the grants of the subject. Everyone may ask about themselves; asking about others takes
/// the permission to read them.
fn find_subject_grants(
    installation: &Installation,
    caller: &Caller,
    input: &mut ObjectReader<'_>,
) -> Result<Option<Grants>> {
    let named: Vec<&str> = SUBJECTS.into_iter().filter(|it| input.contains(it)).collect();
    let (kind, id) = match named.as_slice() {
        [] => return Ok(caller.grants().cloned()),
        [kind] => (*kind, input.filled_text(kind)),
        [_, second, ..] => {
            input.add_problem(*second, "Name only one of `user`, `token` and `role`.");
            return Ok(None);
        }
    };
    let own = caller.require_login()?.account.record.id.clone();
    let found = match kind {
        _ if id.is_empty() => return Ok(None),
        "user" if own == *id => caller.grants().cloned(),
        "user" => {
            users::check_may_read(caller, &id)?;
            let account = installation.user(&id);
            if let Some(account) = account {
                roles::check_may_read(caller, &account.record.role)?;
            }
            account.map(|it| it.grants.clone())
        }
        "token" => {
            tokens::check_may_read(caller, &id)?;
            installation.tokens().find(|it| it.record.id == *id).map(|it| it.grants.clone())
        }
        _ => {
            roles::check_may_read(caller, &id)?;
            installation.role(&id).map(|it| Grants::new("", it.permissions.clone()))
        }
    };
    if found.is_none() {
        input.add_problem(kind, wording::unknown(kind, &id));
    }
    Ok(found)
}

/// A question about a permission. The subject is read on its own, by `find_subject_grants`.
#[derive(JsonSchema)]
#[schemars(
    description = "At most one of `user`, `token` and `role` names the subject; by default \
                          it is the caller."
)]
#[schemars(transform = add_subjects)]
pub struct AccessQuestion {
    /// The action, such as `content.update`.
    #[schemars(with = "String")]
    action: Option<Action>,
    /// `content:posts:hello`, with `workspace:<slug>:` before it for another workspace.
    resource: String,
    /// The status of an entry that does not exist or that the caller cannot see.
    #[schemars(with = "Option<String>")]
    status: Option<EntryStatus>,
    /// The status that the change would set.
    #[schemars(with = "Option<String>")]
    new_status: Option<EntryStatus>,
    /// The locales that would be read or changed.
    #[schemars(with = "Option<Vec<String>>", extend("type" = ["array", "string"]))]
    locales: Vec<String>,
    /// The fields that the change would modify.
    #[schemars(with = "Option<Vec<String>>", extend("type" = ["array", "string"]))]
    fields: Vec<String>,
    /// True if the caller in question would be the author of the entry.
    #[schemars(with = "Option<bool>")]
    own: bool,
}

/// The members that name a subject.
const SUBJECTS: [&str; 3] = ["user", "token", "role"];

fn add_subjects(schema: &mut Schema) {
    if let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let id =
            |kind: &str| json!({ "type": "string", "description": format!("The id of a {kind}.") });
        members.extend(SUBJECTS.map(|it| (it.to_string(), id(it))));
    }
}

impl AccessQuestion {
    fn read(input: &mut ObjectReader<'_>) -> AccessQuestion {
        let (action, resource) = (read_action(input), input.filled_text("resource"));
        AccessQuestion {
            action,
            resource,
            own: input.flag("own").unwrap_or(false),
            status: parse_status(input, "status"),
            new_status: parse_status(input, "new_status"),
            locales: parse_texts(input, "locales"),
            fields: parse_texts(input, "fields"),
        }
    }
}

fn read_action(input: &mut ObjectReader<'_>) -> Option<Action> {
    let text = Some(input.filled_text("action")).filter(|it| !it.is_empty())?;
    input.accept("action", Action::parse(&text).ok_or_else(|| wording::unknown("action", &text)))
}

fn parse_status(input: &mut ObjectReader<'_>, key: &str) -> Option<EntryStatus> {
    let text = input.trimmed_text(key).filter(|it| !it.is_empty())?;
    let status = EntryStatus::parse(&text).ok_or_else(|| wording::unknown("status", &text));
    input.accept(key, status)
}

/// Reads a list of strings, or a single one.
fn parse_texts(input: &mut ObjectReader<'_>, key: &str) -> Vec<String> {
    if let Some(Json::String(text)) = input.value(key) {
        return vec![text.clone()];
    }
    let texts = input.texts(key).unwrap_or_default();
    texts.into_iter().map(str::to_string).collect()
}

/// Splits `workspace:<slug>:rest` into the rest and the workspace, if it exists.
fn split_workspace(
    app: &App,
    caller: &Caller,
    text: &str,
) -> Option<(String, std::sync::Arc<Snapshot>)> {
    let (slug, rest) = text.strip_prefix("workspace:")?.split_once(':')?;
    let snapshot = app.engine.snapshot(slug).filter(|it| !it.meta.archived)?;
    crate::app::system::workspaces::may_see(caller, &snapshot.workspace)
        .then(|| (rest.to_string(), snapshot))
}

/// The target of a resource in text form.
enum CheckedResource<'a> {
    Plain(Resource<'a>),
    Category(CategoryPath),
    Entry(&'a str, &'a RenderedEntry),
    File(std::sync::Arc<MediaItem>),
}

impl<'a> CheckedResource<'a> {
    fn parse(
        caller: &Caller,
        snapshot: &'a Snapshot,
        text: &'a str,
    ) -> Option<CheckedResource<'a>> {
        let (kind, name) = text.split_once(':').filter(|(_, name)| !name.is_empty())?;
        if let Some(area) = Area::ALL.iter().copied().find(|it| it.as_str() == kind) {
            let whole = name == "*";
            let resource = if whole { Resource::Whole(area) } else { Resource::One(area, name) };
            return Some(CheckedResource::Plain(resource));
        }
        Some(match kind {
            "schema" if name == "*" => CheckedResource::Plain(Resource::Schemas),
            "schema" => CheckedResource::Plain(Resource::Schema(name)),
            "media" if name == "*" => CheckedResource::Plain(Resource::Media),
            "media" => match name.strip_prefix("category:") {
                Some(path) => CheckedResource::Category(CategoryPath::parse(path).ok()?),
                None => find_file(caller, snapshot, name),
            },
            "content" => match name.split_once(':')? {
                (type_name, "*") => CheckedResource::Plain(Resource::Collection(type_name)),
                (_, "") => return None,
                (type_name, id) => find_entry(caller, snapshot, type_name, id),
            },
            _ => return None,
        })
    }

    fn as_resource(&self) -> Resource<'_> {
        match self {
            CheckedResource::Plain(resource) => *resource,
            CheckedResource::Category(path) => Resource::Category(path),
            CheckedResource::Entry(type_name, doc) => {
                Resource::Entry { type_name, id: doc.id(), slug: doc.slug() }
            }
            CheckedResource::File(item) => {
                Resource::File { name: &item.filename, category: item.category.as_ref() }
            }
        }
    }

    fn status(&self) -> Option<EntryStatus> {
        if let CheckedResource::Entry(_, doc) = self { Some(doc.status) } else { None }
    }

    fn author_id(&self) -> Option<&str> {
        match self {
            CheckedResource::Entry(_, doc) => doc.author_id(),
            CheckedResource::File(item) => item.uploaded_by.as_deref(),
            CheckedResource::Plain(_) | CheckedResource::Category(_) => None,
        }
    }
}

fn find_entry<'a>(
    caller: &Caller,
    snapshot: &'a Snapshot,
    type_name: &'a str,
    id: &'a str,
) -> CheckedResource<'a> {
    let view = View::new(snapshot, caller.viewer(), None);
    let found = content_types::find(snapshot, caller, type_name).ok();
    let doc = found.and_then(|(place, index)| index.entry_at(view.find_entry(place, id)?));
    match doc {
        Some(doc) => CheckedResource::Entry(type_name, doc),
        None => CheckedResource::Plain(Resource::Entry { type_name, id, slug: id }),
    }
}

fn find_file<'a>(caller: &Caller, snapshot: &'a Snapshot, name: &'a str) -> CheckedResource<'a> {
    match crate::app::media::media_files::find(snapshot, caller, name) {
        Ok(item) => CheckedResource::File(item),
        Err(_) => CheckedResource::Plain(Resource::File { name, category: None }),
    }
}
