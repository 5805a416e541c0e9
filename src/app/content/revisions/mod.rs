//! The revisions of entries: listing, reading and restoring earlier states.

mod restore;

use crate::query::render::admin_render::AdminEntry;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::content_types;
use crate::app::content::entries::AdminRenderer;
use crate::app::content::entries::find_visible;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::FormerNames;
use crate::app::people::display_names;
use crate::app::revision_page::RevisionPage;
use crate::engine::error::CommitError;
use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::EntryStatus;
use crate::model::entry::FileFacts;
use crate::model::field::is_equivalent;
use crate::model::grant::Action;
use crate::model::grant::EntryRow;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::execute::view::View;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::list_query;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

pub use restore::restore;

/// An earlier state of an entry, as far as its reader sees it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Revision {
    /// The id.
    pub id: String,
    /// The time at which the state was replaced.
    pub created_at: Timestamp,
    /// The id of the user or token that replaced it.
    pub created_by: Option<String>,
    /// The display name of that user or token.
    pub created_by_name: Option<String>,
    /// The event that replaced it.
    #[schemars(with = "Option<RevisionEvent>")]
    pub event: Option<&'static str>,
    /// The id of the change whose publication replaced it, if the caller may read that change.
    pub change: Option<EntryId>,
    /// The title at that time.
    pub title: String,
    /// The slug at that time.
    pub slug: String,
    /// The status at that time.
    #[schemars(with = "EntryStatus")]
    pub status: &'static str,
    /// The differences to the next state: keys of the entry and names of fields.
    pub changed: Vec<String>,
    /// The entry at that time, parsed by the current definition of its type.
    #[schemars(with = "AdminEntry")]
    pub entry: Json,
}

/// Lists the earlier states of an entry that the caller may read, newest first.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &QueryParams,
) -> Result<RevisionPage<Revision>> {
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let history = EntryHistory::find_history(app, &view, caller, type_name, identifier)?;
    let states = history.load_states(app)?;
    let shape = Shape::default();
    let rows = history.build_renderer(app, &view, caller, &shape)?;
    let end = limit.map_or(states.len(), |it| offset.saturating_add(it)).min(states.len());
    let page = offset.min(end)..end;
    let mut newer = match page.start.checked_sub(1).and_then(|it| states.get(it)) {
        Some(state) => state.render_state(&rows),
        None => history.render_current(app, &rows),
    };
    let mut revisions = Vec::with_capacity(page.len());
    for state in states.get(page).unwrap_or_default() {
        let shown = state.render_state(&rows);
        revisions.push(state.to_revision(app, history.ty(), shown.clone(), &newer));
        newer = shown;
    }
    let limit = limit.unwrap_or(revisions.len());
    Ok(RevisionPage { total: states.len(), limit, offset, revisions })
}

/// Returns one earlier state of an entry.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    (type_name, identifier, revision): (&str, &str, &str),
    params: &QueryParams,
) -> Result<Revision> {
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let history = EntryHistory::find_history(app, &view, caller, type_name, identifier)?;
    let states = history.load_states(app)?;
    let shape = Shape::default();
    let rows = history.build_renderer(app, &view, caller, &shape)?;
    let place = states.iter().position(|it| it.name.id.as_str() == revision);
    let Some(place) = place else {
        history.check_not_broken(app, revision)?;
        return Err(Error::not_found("revision", revision));
    };
    let newer = match place.checked_sub(1).and_then(|it| states.get(it)) {
        Some(state) => state.render_state(&rows),
        None => history.render_current(app, &rows),
    };
    let state = states.get(place).ok_or_else(|| Error::not_found("revision", revision))?;
    Ok(state.to_revision(app, history.ty(), state.render_state(&rows), &newer))
}

/// An entry with its earlier states.
struct EntryHistory<'a> {
    view: &'a View<'a>,
    caller: &'a Caller,
    index: &'a TypeIndex,
    place: usize,
    ordinal: Ordinal,
    doc: &'a RenderedEntry,
    now: Timestamp,
}

impl<'a> EntryHistory<'a> {
    /// Finds the history of an entry that the caller sees and whose revisions it may read.
    fn find_history(
        app: &App,
        view: &'a View<'a>,
        caller: &'a Caller,
        type_name: &str,
        identifier: &str,
    ) -> Result<EntryHistory<'a>> {
        let (place, index) = content_types::find(view.snapshot, caller, type_name)?;
        let ordinal = find_visible(view, caller, place, identifier)?;
        let doc = index.entry_at(ordinal).ok_or_else(|| Error::not_found("entry", identifier))?;
        let now = app.engine.clock().now();
        let history = EntryHistory { view, caller, index, place, ordinal, doc, now };
        history.check_permission(doc.status)?;
        Ok(history)
    }

    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    /// Checks that the caller may read states in which the entry had a status.
    fn check_permission(&self, status: EntryStatus) -> Result<()> {
        let (id, slug) = (self.doc.id(), self.doc.slug());
        let on = Resource::Entry { type_name: self.ty().name.as_str(), id, slug };
        let author_id = self.doc.author_id();
        // The visibility of its other locales is decided for each.
        let asked = self.view.resolve_locale(self.ty()).and_then(|it| self.ty().locales.get(it));
        let locales: Vec<&str> =
            asked.or(self.ty().default_locale.as_ref()).map(|it| it.as_str()).into_iter().collect();
        let facts =
            Facts { status: Some(status), author_id, locales: &locales, ..Facts::default() };
        let workspace = self.view.snapshot.workspace.as_str();
        self.caller.check_permission(workspace, Action::ContentRevisionsRead, &on, &facts)
    }

    fn build_renderer(
        &self,
        app: &App,
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
    ) -> Result<AdminRenderer<'a>> {
        let rows = AdminRenderer::new(view, caller, shape, self.place, app.engine.clock().now());
        rows.ok_or_else(|| Error::not_found("content type", &self.ty().name))
    }

    fn folder(&self) -> Folder {
        let ws = self.view.snapshot.workspace.clone();
        Folder::Revisions(ws, self.ty().name.clone(), EntryCopy::first(self.doc.to_id()))
    }

    /// Fails if the file of a revision cannot be used, as restoring it does.
    fn check_not_broken(&self, app: &App, revision: &str) -> Result<()> {
        for key in app.engine.follower().list_revisions(&self.folder())? {
            let Key::Revision(_, _, _, stem) = &key else { continue };
            if RevisionName::parse(stem).id.as_str() == revision {
                app.engine.folder().read_content(&key)?;
            }
        }
        Ok(())
    }

    /// Loads all states that the caller may read, newest first. Unreadable files are skipped.
    fn load_states(&self, app: &App) -> Result<Vec<HistoryState>> {
        let renames = Renames::from_type(self.ty());
        let names = FormerNames::from_snapshot(self.view.snapshot, app.engine.base_url());
        let mut states = Vec::new();
        app.engine.follower().finish_revisions();
        for key in app.engine.follower().list_revisions(&self.folder())? {
            let Key::Revision(_, _, _, stem) = &key else { continue };
            let content = match app.engine.folder().read_content(&key) {
                Ok(Some(content)) => content,
                Ok(None) | Err(CommitError::Broken(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            let name = RevisionName::parse(stem);
            let mut map = content.map;
            let replaced_at = name.replaced_at().unwrap_or(content.modified);
            let change = self.find_change(&name, replaced_at, &map).cloned();
            renames.apply_to_file(&mut map);
            // The state in the form in which it would be restored.
            names.update_references(&self.ty().fields, &mut map, name.replaced_at());
            let facts = FileFacts { modified: content.modified, now: self.now };
            let (entry, findings) = self.parse_state(map, facts);
            let state = HistoryState { name, replaced_at, change, entry, findings };
            if self.is_visible(&state) {
                states.push(state);
            }
        }
        states.sort_by(|one, other| other.sort_key().cmp(&one.sort_key()));
        Ok(states)
    }

    /// Returns true if the caller may see a state. Its author is the current one; its status is
    /// that of the state.
    fn is_visible(&self, state: &HistoryState) -> bool {
        let row = EntryRow {
            id: self.doc.id(),
            slug: self.doc.slug(),
            status: state.entry.status,
            author_id: self.doc.author_id(),
        };
        self.view.admits_row(self.place, &row) && self.check_permission(state.entry.status).is_ok()
    }

    fn parse_state(&self, file: Map, facts: FileFacts) -> (Entry, Vec<EntryFinding>) {
        let mut findings = Vec::new();
        let entry = Entry::read(self.doc.to_id(), self.ty(), file.into(), facts, &mut findings);
        entry.check_values(self.ty(), &mut findings);
        (entry, findings)
    }

    /// Finds the change whose publication replaced a state: it keeps what it replaced, and of those
    /// that replaced the same it was published at about that moment. Returns it if the caller may
    /// read it.
    fn find_change(
        &self,
        name: &RevisionName,
        replaced_at: Timestamp,
        file: &Map,
    ) -> Option<&'a EntryId> {
        if name.event != Some(RevisionEvent::Change) {
            return None;
        }
        let (snapshot, file) = (self.view.snapshot, Json::Object(file.clone()));
        let place = (self.ty().name.clone(), self.doc.to_id());
        let distance = |change: &Change| {
            let published_at = change.record.as_ref()?.published_at?;
            let base = change.bases.get(&place)?.json.as_deref()?;
            let seconds = published_at.seconds().abs_diff(replaced_at.seconds());
            is_equivalent(&file, base).then_some(seconds)
        };
        let published = snapshot.changes.iter().filter_map(|it| Some((distance(it.1)?, it)));
        let (_, (id, change)) = published.min_by_key(|it| it.0)?;
        change_access::may_read(snapshot, self.caller, change).then_some(id)
    }

    fn render_current(&self, app: &App, rows: &AdminRenderer<'_>) -> Json {
        let mut out = Vec::new();
        rows.write_active(&app.engine, self.ordinal, &mut out);
        Json::parse(&out).unwrap_or_default()
    }
}

/// An earlier state of an entry.
struct HistoryState {
    name: RevisionName,
    replaced_at: Timestamp,
    /// The change that replaced it, if the caller may read that.
    change: Option<EntryId>,
    entry: Entry,
    findings: Vec<EntryFinding>,
}

impl HistoryState {
    fn sort_key(&self) -> (Timestamp, &str) {
        (self.replaced_at, self.name.id.as_str())
    }

    fn render_state(&self, rows: &AdminRenderer<'_>) -> Json {
        let mut out = Vec::new();
        rows.write_entry(&self.entry, &self.findings, &mut out);
        Json::parse(&out).unwrap_or_default()
    }

    fn to_revision(&self, app: &App, ty: &ContentType, shown: Json, newer: &Json) -> Revision {
        let created_by = self.name.by.clone();
        let created_by_name =
            created_by.as_deref().and_then(|it| display_names::find_display_name(app, it));
        Revision {
            id: self.name.id.to_string(),
            created_at: self.replaced_at,
            created_by,
            created_by_name,
            event: self.name.event.map(RevisionEvent::as_str),
            change: self.change.clone(),
            title: text_of(&shown, "title"),
            slug: self.entry.slug.clone(),
            status: self.entry.status.as_str(),
            changed: list_changed_fields(ty, &shown, newer),
            entry: shown,
        }
    }
}

/// Returns a text of a rendered entry, in the locale of its reader.
fn text_of(shown: &Json, key: &str) -> String {
    let text = shown.as_object().and_then(|it| it.get(key)).and_then(Json::as_str);
    text.unwrap_or_default().to_string()
}

/// Lists the differences between two rendered states of an entry.
fn list_changed_fields(ty: &ContentType, one: &Json, other: &Json) -> Vec<String> {
    let member = |json: &Json, path: &[&str]| -> Json {
        let mut value = Some(json);
        for step in path {
            value = value.and_then(Json::as_object).and_then(|it| it.get(step));
        }
        value.cloned().unwrap_or_default()
    };
    let differs = |path: &[&str]| !is_equivalent(&member(one, path), &member(other, path));
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
    for key in ["title", "slug", "status", "published_at", "unpublish_at", "author_id"] {
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
