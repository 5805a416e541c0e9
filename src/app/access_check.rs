//! Why somebody may do something, or may not: for whoever puts roles together.

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::roles;
use crate::app::sent::Sent;
use crate::app::tokens;
use crate::app::users;
use crate::engine::installation::Installation;
use crate::model::category::CategoryPath;
use crate::model::entry::Status;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Grants;
use crate::model::grant::Resource;
use crate::model::media::MediaItem;
use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// What grants say of a question.
#[derive(Debug, Serialize)]
pub struct Answer {
    allowed: bool,
    by: Option<Deciding>,
    workspace: WorkspaceSlug,
    resource: String,
    note: Option<&'static str>,
}

/// What people may not expect of the right to change entries alone.
const WORDS_OF_PUBLIC: &str = "This right alone also changes the words of entries that are public, at once. \
    What it does not do is to make an entry public or to change its dates: that takes `content.publish`.";

/// The grant that decided.
#[derive(Debug, Serialize)]
pub struct Deciding {
    index: usize,
    grant: Grant,
}

/// Whether somebody may take an action on something:
/// `{user | token | role, action, resource, status?, new_status?, locales?, fields?, own?}`. Without
/// somebody it is about the caller. What an entry or a file is like is looked up, unless the caller
/// may not see it: then, as where nothing is there, `status` and `own` say what it is like.
pub fn check(app: &App, caller: &Caller, snapshot: &Snapshot, body: &Map) -> Result<Answer> {
    let mut sent = Sent::new(body);
    let grants = subject(&app.engine.installation_now(), caller, &mut sent)?;
    let action = sent.required("action", usize::MAX);
    let action = Action::parse(&action).or_else(|| {
        let message = format!("There is no action `{action}`.");
        if !action.is_empty() {
            sent.problems.add("action", message);
        }
        None
    });
    let text = sent.required("resource", usize::MAX);
    let elsewhere = of_workspace(app, caller, &text);
    let (text, snapshot) = match &elsewhere {
        Some((rest, found)) => (rest.as_str(), &**found),
        None => (text.as_str(), snapshot),
    };
    let asked = Asked::read(&mut sent, grants.as_ref());
    let found = Found::parse(caller, snapshot, text);
    if found.is_none() && !text.is_empty() {
        sent.problems.add("resource", "This is no resource: write `content:posts:*`, say.");
    }
    sent.problems.or(()).map_err(Error::invalid)?;
    let (Some(grants), Some(action), Some(found)) = (grants, action, found) else {
        return Err(Error::internal("a question without a problem and without a part"));
    };
    Ok(decided(&grants, action, &found, &asked, snapshot))
}

fn decided(
    grants: &Grants,
    action: Action,
    found: &Found<'_>,
    asked: &Asked,
    snapshot: &Snapshot,
) -> Answer {
    let locales: Vec<&str> = asked.locales.iter().map(String::as_str).collect();
    let changed: Vec<&str> = asked.fields.iter().map(String::as_str).collect();
    let facts = Facts {
        status: found.status().or(asked.status),
        new_status: asked.new_status,
        author_id: found.author_id().or(asked.author_id.as_deref()),
        locales: &locales,
        changed: &changed,
    };
    let resource = found.resource();
    let decision = grants.decide(&snapshot.workspace, action, &resource, &facts);
    let grant = |index: usize| grants.list().get(index).cloned();
    let publishes =
        || grants.decide(&snapshot.workspace, Action::ContentPublish, &resource, &facts);
    let is_partial = decision.allowed && action == Action::ContentUpdate && !publishes().allowed;
    Answer {
        allowed: decision.allowed,
        by: decision.by.and_then(|index| Some(Deciding { index, grant: grant(index)? })),
        workspace: snapshot.workspace.clone(),
        resource: resource.to_string(),
        note: is_partial.then_some(WORDS_OF_PUBLIC),
    }
}

/// The grants of whom it is about, and by which name entries know them. About themself everybody may
/// ask, about others whoever may read about them.
fn subject(
    installation: &Installation,
    caller: &Caller,
    sent: &mut Sent<'_>,
) -> Result<Option<Grants>> {
    let named: Vec<&str> =
        ["user", "token", "role"].into_iter().filter(|it| sent.value(it).is_some()).collect();
    let (kind, id) = match named.as_slice() {
        [] => return Ok(caller.grants().cloned()),
        [kind] => (*kind, sent.required(kind, usize::MAX)),
        [_, second, ..] => {
            sent.problems.add(*second, "Ask about a user, a token or a role: one of them.");
            return Ok(None);
        }
    };
    let own = caller.login()?.account.record.id.clone();
    let found = match kind {
        _ if id.is_empty() => return Ok(None),
        "user" if own == *id => caller.grants().cloned(),
        "user" => {
            users::may_read(caller, &id)?;
            let account = installation.user(&id);
            if let Some(account) = account {
                roles::may_read(caller, &account.record.role)?;
            }
            account.map(|it| it.grants.clone())
        }
        "token" => {
            tokens::may_read(caller, &id)?;
            installation.tokens().find(|it| it.record.id == *id).map(|it| it.grants.clone())
        }
        _ => {
            roles::may_read(caller, &id)?;
            installation.role(&id).map(|it| Grants::new("", it.permissions.clone()))
        }
    };
    if found.is_none() {
        sent.problems.add(kind, format!("There is no {kind} `{id}`."));
    }
    Ok(found)
}

/// What is asked beside action and resource.
#[derive(Default)]
struct Asked {
    status: Option<Status>,
    new_status: Option<Status>,
    author_id: Option<String>,
    locales: Vec<String>,
    fields: Vec<String>,
}

impl Asked {
    fn read(sent: &mut Sent<'_>, grants: Option<&Grants>) -> Asked {
        let own = sent.value("own").and_then(Json::as_bool) == Some(true);
        Asked {
            status: status(sent, "status"),
            new_status: status(sent, "new_status"),
            author_id: grants.filter(|_| own).map(|it| it.caller_id().to_string()),
            locales: texts(sent, "locales"),
            fields: texts(sent, "fields"),
        }
    }
}

fn status(sent: &mut Sent<'_>, key: &str) -> Option<Status> {
    let text = sent.text(key).filter(|it| !it.is_empty())?;
    let status = Status::parse(&text);
    if status.is_none() {
        sent.problems.add(key, format!("There is no status `{text}`."));
    }
    status
}

fn texts(sent: &mut Sent<'_>, key: &str) -> Vec<String> {
    match sent.value(key) {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::String(text)) => vec![text.to_string()],
        Some(json) => {
            let items = json.as_array().unwrap_or_default();
            let texts: Vec<_> = items.iter().filter_map(Json::as_str).map(str::to_string).collect();
            if texts.len() != items.len() || json.as_array().is_none() {
                sent.problems.add(key, "This should be a list of texts.");
            }
            texts
        }
    }
}

/// `workspace:<slug>:rest` → the rest, and the workspace, if it is there.
fn of_workspace(
    app: &App,
    caller: &Caller,
    text: &str,
) -> Option<(String, std::sync::Arc<Snapshot>)> {
    let (slug, rest) = text.strip_prefix("workspace:")?.split_once(':')?;
    let snapshot = app.engine.snapshot(slug).filter(|it| !it.meta.archived)?;
    crate::app::workspaces::may_see(caller, &snapshot.workspace)
        .then(|| (rest.to_string(), snapshot))
}

/// What a resource that was written down stands for.
enum Found<'a> {
    Plain(Resource<'a>),
    Category(CategoryPath),
    Entry(&'a str, &'a Doc),
    File(std::sync::Arc<MediaItem>),
}

impl<'a> Found<'a> {
    fn parse(caller: &Caller, snapshot: &'a Snapshot, text: &'a str) -> Option<Found<'a>> {
        let (kind, name) = text.split_once(':').filter(|(_, name)| !name.is_empty())?;
        if let Some(area) = Area::ALL.iter().copied().find(|it| it.as_str() == kind) {
            let whole = name == "*";
            let resource = if whole { Resource::Whole(area) } else { Resource::One(area, name) };
            return Some(Found::Plain(resource));
        }
        Some(match kind {
            "schema" if name == "*" => Found::Plain(Resource::Schemas),
            "schema" => Found::Plain(Resource::Schema(name)),
            "media" if name == "*" => Found::Plain(Resource::Media),
            "media" => match name.strip_prefix("category:") {
                Some(path) => Found::Category(CategoryPath::parse(path).ok()?),
                None => file(caller, snapshot, name),
            },
            "content" => match name.split_once(':')? {
                (type_name, "*") => Found::Plain(Resource::Collection(type_name)),
                (_, "") => return None,
                (type_name, id) => entry(caller, snapshot, type_name, id),
            },
            _ => return None,
        })
    }

    fn resource(&self) -> Resource<'_> {
        match self {
            Found::Plain(resource) => *resource,
            Found::Category(path) => Resource::Category(path),
            Found::Entry(type_name, doc) => {
                Resource::Entry { type_name, id: &doc.id, slug: &doc.slug }
            }
            Found::File(item) => {
                Resource::File { name: &item.filename, category: item.category.as_ref() }
            }
        }
    }

    fn status(&self) -> Option<Status> {
        if let Found::Entry(_, doc) = self { Some(doc.status) } else { None }
    }

    fn author_id(&self) -> Option<&str> {
        match self {
            Found::Entry(_, doc) => doc.author_id.as_deref(),
            Found::File(item) => item.uploaded_by.as_deref(),
            Found::Plain(_) | Found::Category(_) => None,
        }
    }
}

fn entry<'a>(
    caller: &Caller,
    snapshot: &'a Snapshot,
    type_name: &'a str,
    id: &'a str,
) -> Found<'a> {
    let view = View::new(snapshot, caller.eyes(), None);
    let found = content_types::find(snapshot, caller, type_name).ok();
    let doc = found.and_then(|(place, index)| index.doc(view.find(place, id)?));
    match doc {
        Some(doc) => Found::Entry(type_name, doc),
        None => Found::Plain(Resource::Entry { type_name, id, slug: id }),
    }
}

fn file<'a>(caller: &Caller, snapshot: &'a Snapshot, name: &'a str) -> Found<'a> {
    match crate::app::files::find(snapshot, caller, name) {
        Ok(item) => Found::File(item),
        Err(_) => Found::Plain(Resource::File { name, category: None }),
    }
}
