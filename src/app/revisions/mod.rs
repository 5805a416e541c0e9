//! Earlier states of entries: looked at, and brought back.

mod restore;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::AdminRows;
use crate::app::entries::seen;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people;
use crate::engine::commit::CommitError;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::Finding;
use crate::model::entry::Status;
use crate::model::field::same;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::grant::Row;
use crate::model::problem::FieldProblems;
use crate::model::renames::Renames;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::doc::Doc;
use crate::query::list_query;
use crate::query::list_query::Shape;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

pub use restore::restore;

/// An earlier state of an entry, as far as its reader sees it.
#[derive(Debug, Serialize)]
pub struct Revision {
    /// Its name.
    pub id: String,
    /// When the state was replaced.
    pub created_at: Timestamp,
    /// Who replaced it: the id of a user or a token.
    pub created_by: Option<String>,
    /// What people call them.
    pub created_by_name: Option<String>,
    /// What replaced it.
    pub event: Option<&'static str>,
    /// The title it had.
    pub title: String,
    /// The slug it had.
    pub slug: String,
    /// The status it had.
    pub status: &'static str,
    /// What was another in the state that came next: keys of the entry and names of fields.
    pub changed: Vec<String>,
    /// The entry as it was, read by the definition of today.
    pub entry: Json,
}

/// Some of the earlier states of an entry.
pub struct RevisionPage {
    /// The newest first.
    pub revisions: Vec<Revision>,
    /// How many there are.
    pub total: usize,
    /// How many were asked for.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
}

/// The earlier states of an entry that the caller may read, the newest first.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &Params,
) -> Result<RevisionPage> {
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::window(params, &mut problems);
    problems.or(()).map_err(Error::invalid)?;
    let view = View::new(snapshot, caller.eyes(), list_query::locale(params));
    let past = Past::of(app, &view, caller, type_name, identifier)?;
    let states = past.states(app)?;
    let shape = Shape::default();
    let rows = past.rows(app, &view, caller, &shape)?;
    let end = limit.map_or(states.len(), |it| offset.saturating_add(it)).min(states.len());
    let page = offset.min(end)..end;
    let mut newer = match page.start.checked_sub(1).and_then(|it| states.get(it)) {
        Some(state) => state.shown(&rows),
        None => past.current(app, &rows),
    };
    let mut revisions = Vec::with_capacity(page.len());
    for state in states.get(page).unwrap_or_default() {
        let shown = state.shown(&rows);
        revisions.push(state.revision(app, past.ty(), shown.clone(), &newer));
        newer = shown;
    }
    let limit = limit.unwrap_or(revisions.len());
    Ok(RevisionPage { total: states.len(), limit, offset, revisions })
}

/// One earlier state of an entry.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    (type_name, identifier, revision): (&str, &str, &str),
    params: &Params,
) -> Result<Revision> {
    let view = View::new(snapshot, caller.eyes(), list_query::locale(params));
    let past = Past::of(app, &view, caller, type_name, identifier)?;
    let states = past.states(app)?;
    let shape = Shape::default();
    let rows = past.rows(app, &view, caller, &shape)?;
    let place = states.iter().position(|it| it.name.id.as_str() == revision);
    let place = place.ok_or_else(|| Error::not_found("revision", revision))?;
    let newer = match place.checked_sub(1).and_then(|it| states.get(it)) {
        Some(state) => state.shown(&rows),
        None => past.current(app, &rows),
    };
    let state = states.get(place).ok_or_else(|| Error::not_found("revision", revision))?;
    Ok(state.revision(app, past.ty(), state.shown(&rows), &newer))
}

/// An entry whose earlier states somebody looks at.
struct Past<'a> {
    view: &'a View<'a>,
    caller: &'a Caller,
    index: &'a TypeIndex,
    place: usize,
    ordinal: Ordinal,
    doc: &'a Doc,
    now: Timestamp,
}

impl<'a> Past<'a> {
    /// The entry must be one that the caller sees, with the right to its past.
    fn of(
        app: &App,
        view: &'a View<'a>,
        caller: &'a Caller,
        type_name: &str,
        identifier: &str,
    ) -> Result<Past<'a>> {
        let (place, index) = content_types::find(view.snapshot, caller, type_name)?;
        let ordinal = seen(view, caller, place, identifier)?;
        let doc = index.doc(ordinal).ok_or_else(|| Error::not_found("entry", identifier))?;
        let now = app.engine.clock().now();
        let past = Past { view, caller, index, place, ordinal, doc, now };
        past.may(doc.status)?;
        Ok(past)
    }

    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    /// Whether the caller may read the past in which the entry had a status.
    fn may(&self, status: Status) -> Result<()> {
        let (id, slug) = (self.doc.id.as_str(), &*self.doc.slug);
        let on = Resource::Entry { type_name: self.ty().name.as_str(), id, slug };
        let author_id = self.doc.author_id.as_deref();
        // Which locales of it are shown beside this one is decided for each.
        let asked = self.view.locale(self.ty()).and_then(|it| self.ty().locales.get(it));
        let locales: Vec<&str> =
            asked.or(self.ty().default_locale.as_ref()).map(|it| it.as_str()).into_iter().collect();
        let facts =
            Facts { status: Some(status), author_id, locales: &locales, ..Facts::default() };
        let workspace = self.view.snapshot.workspace.as_str();
        self.caller.may(workspace, Action::ContentRevisionsRead, &on, &facts).map(drop)
    }

    fn rows(
        &self,
        app: &App,
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
    ) -> Result<AdminRows<'a>> {
        let rows = AdminRows::new(view, caller, shape, self.place, app.engine.clock().now());
        rows.ok_or_else(|| Error::not_found("content type", &self.ty().name))
    }

    /// All states that the caller may read, the newest first. What cannot be read is passed over.
    fn states(&self, app: &App) -> Result<Vec<State>> {
        let ws = self.view.snapshot.workspace.clone();
        let copy = Copy::first(self.doc.id.clone());
        let folder = Folder::Revisions(ws, self.ty().name.clone(), copy);
        let renames = Renames::of(self.ty());
        let mut states = Vec::new();
        app.engine.finish_revisions();
        for key in app.engine.keys_in(&folder)? {
            let Key::Revision(_, _, _, stem) = &key else { continue };
            let content = match app.engine.content(&key) {
                Ok(Some(content)) => content,
                Ok(None) | Err(CommitError::Broken(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            let mut map = content.map;
            renames.apply(&mut map);
            let name = RevisionName::parse(stem);
            let state = State::read(self.ty(), self.doc, name, map, content.modified, self.now);
            if self.is_seen(&state) {
                states.push(state);
            }
        }
        states.sort_by(|one, other| other.order().cmp(&one.order()));
        Ok(states)
    }

    /// Who wrote the entry is known today; whether it was a draft then counts for what it was then.
    fn is_seen(&self, state: &State) -> bool {
        let row = Row {
            id: self.doc.id.as_str(),
            slug: &self.doc.slug,
            status: state.entry.status,
            author_id: self.doc.author_id.as_deref(),
        };
        self.view.admits(self.place, &row) && self.may(state.entry.status).is_ok()
    }

    fn current(&self, app: &App, rows: &AdminRows<'_>) -> Json {
        let mut out = Vec::new();
        rows.active(&app.engine, self.ordinal, &mut out);
        Json::parse(&out).unwrap_or_default()
    }
}

/// A state of an entry.
struct State {
    name: RevisionName,
    replaced_at: Timestamp,
    entry: Entry,
    findings: Vec<Finding>,
}

impl State {
    fn read(
        ty: &ContentType,
        doc: &Doc,
        name: RevisionName,
        file: Map,
        modified: Timestamp,
        now: Timestamp,
    ) -> State {
        let mut findings = Vec::new();
        let facts = crate::model::entry::FileFacts { modified, now };
        let entry = Entry::read(doc.id.clone(), ty, file.into(), facts, &mut findings);
        entry.check(ty, &mut findings);
        State { replaced_at: name.time().unwrap_or(modified), name, entry, findings }
    }

    fn order(&self) -> (Timestamp, &str) {
        (self.replaced_at, self.name.id.as_str())
    }

    fn shown(&self, rows: &AdminRows<'_>) -> Json {
        let mut out = Vec::new();
        rows.state(&self.entry, &self.findings, &mut out);
        Json::parse(&out).unwrap_or_default()
    }

    fn revision(&self, app: &App, ty: &ContentType, shown: Json, newer: &Json) -> Revision {
        let created_by = self.name.by.clone();
        let created_by_name = created_by.as_deref().and_then(|it| people::name_of(app, it));
        Revision {
            id: self.name.id.to_string(),
            created_at: self.replaced_at,
            created_by,
            created_by_name,
            event: self.name.event.map(RevisionEvent::as_str),
            title: text_of(&shown, "title"),
            slug: self.entry.slug.clone(),
            status: self.entry.status.as_str(),
            changed: changed(ty, &shown, newer),
            entry: shown,
        }
    }
}

/// A text of an entry as it is shown: in a locale that its reader reads.
fn text_of(shown: &Json, key: &str) -> String {
    let text = shown.as_object().and_then(|it| it.get(key)).and_then(Json::as_str);
    text.unwrap_or_default().to_string()
}

/// What differs between two states of an entry as they are shown.
fn changed(ty: &ContentType, one: &Json, other: &Json) -> Vec<String> {
    let member = |json: &Json, path: &[&str]| -> Json {
        let mut value = Some(json);
        for step in path {
            value = value.and_then(Json::as_object).and_then(|it| it.get(step));
        }
        value.cloned().unwrap_or_default()
    };
    let differs = |path: &[&str]| !same(&member(one, path), &member(other, path));
    let mut locales: Vec<String> = Vec::new();
    for json in [one, other] {
        let translations = member(json, &["translations"]);
        let codes = translations.as_object().into_iter().flat_map(Map::iter);
        locales.extend(codes.map(|(code, _)| code.to_string()));
    }
    let translated = |rest: &[&str]| {
        locales.iter().any(|it| differs(&[&["translations", it.as_str()], rest].concat()))
    };
    let mut names = Vec::new();
    for key in ["title", "slug", "status", "published_at", "author_id"] {
        if differs(&[key]) || key == "title" && translated(&["title"]) {
            names.push(key.to_string());
        }
    }
    for field in ty.data_fields().map(|it| it.name.as_str()) {
        if differs(&["data", field]) || translated(&["data", field]) {
            names.push(field.to_string());
        }
    }
    names
}
