//! The entries of the admin API. They are built from their files, whose values are not in memory.

use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::entry_response::EntryResponse;
use crate::app::content::entries::entry_response::WORKSPACE_PARAM;
use crate::app::content::entries::entry_response::WriteRemarks;
use crate::app::content::entries::entry_response::count_expanded;
use crate::app::content::entries::entry_response::find_visible;
use crate::app::content::entries::entry_response::indent_json;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::folder::content_files::FileContent;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::FileFacts;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::grant::EntryRow;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::execute::view::build_row;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::admin_render::AdminWriter;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::rendered_entry::AdminRendering;
use crate::query::render::rendered_entry::BODY_HEAD;
use crate::query::render::rendered_entry::BODY_TAIL;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::list_query;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// A renderer of the entries of one type for one caller.
pub(crate) struct AdminRenderer<'a> {
    view: &'a View<'a>,
    place: usize,
    index: &'a Arc<TypeIndex>,
    writer: AdminWriter<'a>,
    now: Timestamp,
    /// True if the caller may know that media files are missing.
    knows_media: bool,
}

impl<'a> AdminRenderer<'a> {
    /// Returns the renderer of the type at `place`, or `None` if there is none.
    pub(crate) fn new(
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
        place: usize,
        now: Timestamp,
    ) -> Option<AdminRenderer<'a>> {
        let index = view.snapshot.types().get(place)?;
        let writer = AdminWriter::new(view, caller.viewer(), shape, place)?;
        let (workspace, action) = (view.snapshot.workspace.as_str(), Action::MediaRead);
        let seen = caller.check_permission(workspace, action, &Resource::Media, &Facts::default());
        Some(AdminRenderer { view, place, index, writer, now, knows_media: seen.is_ok() })
    }

    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    /// Returns true if the caller may read entries with this row in a locale of the type.
    pub(crate) fn may_read(&self, locale: usize, row: &EntryRow<'_>) -> bool {
        self.writer.reads_locale(locale, row)
    }

    /// Appends an active entry. Returns false if its file could not be read; then only the data in
    /// memory is written.
    pub(crate) fn write_active(
        &self,
        engine: &Engine,
        ordinal: Ordinal,
        out: &mut Vec<u8>,
    ) -> bool {
        let Some(doc) = self.index.entry_at(ordinal) else { return false };
        let (workspace, id) = (self.view.snapshot.workspace.clone(), doc.to_id());
        let key = Key::Entry(workspace, self.ty().name.clone(), id.clone());
        let Some(content) = self.read_content(engine, &key, doc) else {
            self.writer.write_without_file(doc, out);
            return false;
        };
        let mut findings: Vec<EntryFinding> =
            content.problems.into_iter().map(to_finding).collect();
        findings.extend(self.find_slug_conflict(ordinal));
        let entry = self.parse_file(&id, content.map, content.modified, &mut findings);
        self.writer.write_entry(
            &self.render_values(&entry),
            &build_row(doc),
            &findings,
            entry.sum,
            out,
        );
        true
    }

    /// Reads the content of an entry's file: as the overlay has it, else as it is served.
    fn read_content(&self, engine: &Engine, key: &Key, doc: &RenderedEntry) -> Option<FileContent> {
        let overlay = self.view.snapshot.overlay.as_ref();
        let place = (self.ty().name.clone(), doc.to_id());
        let Some(file) = overlay.and_then(|it| it.files.get(&place)) else {
            return engine.folder().read_served_content(key, doc.rev);
        };
        let map = file.content.as_ref()?.as_object()?.clone();
        Some(FileContent { map, modified: file.modified, problems: Vec::new() })
    }

    /// Appends a current or former state of an entry.
    pub(crate) fn write_entry(&self, entry: &Entry, findings: &[EntryFinding], out: &mut Vec<u8>) {
        self.writer.write_entry(
            &self.render_values(entry),
            &row_of(entry),
            findings,
            entry.sum,
            out,
        );
    }

    /// Appends the content of the file of an entry, with or without its problems.
    pub(crate) fn write_stored(
        &self,
        id: &EntryId,
        stored: &StoredFile,
        with_problems: bool,
        out: &mut Vec<u8>,
    ) {
        let (file, modified) = (stored.map().clone(), stored.modified);
        let mut findings = Vec::new();
        if with_problems {
            let entry = self.parse_file(id, file, modified, &mut findings);
            return self.write_entry(&entry, &findings, out);
        }
        let facts = FileFacts { modified, now: self.now };
        let entry = Entry::read(id.clone(), self.ty(), file.into(), facts, &mut findings);
        self.write_entry(&entry, &[], out);
    }

    /// Parses a file and collects all its problems.
    pub(crate) fn parse_file(
        &self,
        id: &EntryId,
        file: Map,
        modified: Timestamp,
        findings: &mut Vec<EntryFinding>,
    ) -> Entry {
        let facts = FileFacts { modified, now: self.now };
        let entry = Entry::read(id.clone(), self.ty(), file.into(), facts, findings);
        entry.check_values(self.ty(), findings);
        self.check_references(&entry, findings);
        entry
    }

    fn render_values(&self, entry: &Entry) -> AdminRendering {
        AdminRendering::render(self.ty(), entry, self.writer.shown_locale())
    }

    /// Returns the problem of a slug that another entry owns, for callers who see all entries.
    fn find_slug_conflict(&self, ordinal: Ordinal) -> Option<EntryFinding> {
        let doc = self.index.entry_at(ordinal)?;
        let owner = *self.index.list_claimants(doc.slug()).first()?;
        let is_shown = owner != ordinal
            && matches!(self.view.resolve_visibility(self.place), EntryVisibility::Everything);
        let message = format!(
            "An older entry has the slug `{}`. This entry can be reached by its id only.",
            doc.slug()
        );
        is_shown.then(|| EntryFinding {
            kind: ProblemKind::DuplicateSlug,
            path: "slug".to_string(),
            message,
        })
    }

    /// Collects dangling references, as far as the caller would see their targets.
    fn check_references(&self, entry: &Entry, findings: &mut Vec<EntryFinding>) {
        entry.visit_references(self.ty(), &mut |path, reference| {
            let (kind, message) = match reference {
                Reference::Entry { target, id, .. } => {
                    let found = self.view.find_type(target.as_str());
                    let is_there = found.is_some_and(|(_, it)| it.find_ordinal(id).is_some());
                    if is_there || !self.view.sees_all_of(target.as_str()) {
                        return;
                    }
                    let message = format!("There is no entry `{id}` in `{target}`.");
                    (ProblemKind::DanglingRelation, message)
                }
                Reference::Media(name) => {
                    if !self.knows_media || self.view.snapshot.media.get(name).is_some() {
                        return;
                    }
                    (ProblemKind::MissingMedia, format!("There is no file `{name}`."))
                }
            };
            findings.push(EntryFinding { kind, path: path.to_string(), message });
        });
    }
}

/// Returns the row by which rules decide about a state of an entry.
pub(crate) fn row_of(entry: &Entry) -> EntryRow<'_> {
    EntryRow {
        id: entry.id.as_str(),
        slug: &entry.slug,
        status: entry.status,
        author_id: entry.author_id.as_deref(),
    }
}

fn to_finding(problem: Problem) -> EntryFinding {
    let place = match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    let message = format!("{}{place}", problem.message);
    EntryFinding { kind: problem.kind, path: problem.field.unwrap_or_default(), message }
}

/// The time for which a reader waits for a change that is in the file of an entry, but not yet
/// served.
const CHANGE_WAIT: Duration = Duration::from_secs(2);

/// The interval at which it looks whether the change is served.
const CHANGE_POLL: Duration = Duration::from_millis(5);

/// Returns one entry by id or slug for the admin API.
///
/// A change reaches the file a moment before it is served: it is synced in between. Whoever reads
/// the entry in that moment waits for the change, as the file no longer has what is served.
pub fn show_full_entry(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &QueryParams,
) -> Result<EntryResponse> {
    let deadline = Instant::now() + CHANGE_WAIT;
    let mut version = snapshot.version;
    let mut shown = show_entry_in(app, snapshot, caller, type_name, identifier, params)?;
    while shown.is_none() && Instant::now() < deadline && !app.engine.scheduler().is_closed() {
        app.engine.scheduler().wait_unless_closed(CHANGE_POLL);
        let Some(newer) = app.engine.snapshot(snapshot.workspace.as_str()) else { break };
        if newer.version != version {
            version = newer.version;
            shown = show_entry_in(app, &newer, caller, type_name, identifier, params)?;
        }
    }
    shown.ok_or_else(|| Error::storage_unavailable("a change of the entry is not published yet"))
}

/// Returns the entry in one snapshot, or `None` if its file holds a change that the snapshot lacks.
fn show_entry_in(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &QueryParams,
) -> Result<Option<EntryResponse>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let (mut shape, mut warnings) =
        Shape::parse(&view, &index.content_type, params).map_err(Error::invalid)?;
    warnings.retain(|it| *it != list_query::describe_unknown(WORKSPACE_PARAM));
    let ordinal = find_visible(&view, caller, place, identifier)?;
    if let Some(writer) = EntryWriter::new(&view, &shape, place) {
        let limits = app.settings().include;
        count_expanded(&writer, &[ordinal], &limits, Effort::Thorough)?;
    }
    let indents = std::mem::take(&mut shape.pretty);
    let remarks = WriteRemarks { warnings: &warnings, change: None };
    match render_entry(&app.engine, &view, caller, &shape, (place, ordinal), &remarks, None) {
        Ok(shown) => Ok(Some(if indents { indent_body(shown) } else { shown })),
        Err(error) if error.code == Code::StorageUnavailable => {
            let doc = index.entry_at(ordinal);
            let is_pending =
                doc.is_some_and(|it| has_pending_change(&app.engine, &view, index, it));
            if is_pending { Ok(None) } else { Err(error) }
        }
        Err(error) => Err(error),
    }
}

/// Returns true if the file of an entry can be read and does not hold what is served.
fn has_pending_change(
    engine: &Engine,
    view: &View<'_>,
    index: &TypeIndex,
    doc: &RenderedEntry,
) -> bool {
    let workspace = view.snapshot.workspace.clone();
    let key = Key::Entry(workspace, index.content_type.name.clone(), doc.to_id());
    let content = engine.folder().read_content(&key).ok().flatten();
    content.is_some_and(|it| Json::Object(it.map).compute_checksum() != doc.rev)
}

fn indent_body(shown: EntryResponse) -> EntryResponse {
    let body = Bytes::from(indent_json(&shown.body));
    EntryResponse { variant: Checksum::of_bytes(&body), body, ..shown }
}

/// Returns the response body for one entry, without checking the permission to read it. `written`
/// is the content just written to its file, which others may have changed or deleted since.
pub(super) fn render_entry(
    engine: &Engine,
    view: &View<'_>,
    caller: &Caller,
    shape: &Shape,
    (place, ordinal): (usize, Ordinal),
    remarks: &WriteRemarks<'_>,
    written: Option<&Map>,
) -> Result<EntryResponse> {
    let missing = || Error::not_found("entry", "?");
    let doc = view.snapshot.types().get(place).and_then(|it| it.entry_at(ordinal));
    let doc = doc.ok_or_else(missing)?;
    let rev = doc.rev;
    let now = engine.clock().now();
    let rows = AdminRenderer::new(view, caller, shape, place, now).ok_or_else(missing)?;
    let mut body = BODY_HEAD.to_vec();
    let entry_start = body.len();
    if !rows.write_active(engine, ordinal, &mut body) {
        let Some(file) = written.filter(|it| Json::Object((*it).clone()).compute_checksum() == rev)
        else {
            return Err(missing_entry_error(engine, view, place, doc));
        };
        body.truncate(entry_start);
        let mut findings = Vec::from_iter(rows.find_slug_conflict(ordinal));
        let entry = rows.parse_file(&doc.to_id(), file.clone(), now, &mut findings);
        rows.write_entry(&entry, &findings, &mut body);
    }
    remarks.write_meta(&mut body);
    body.extend_from_slice(BODY_TAIL);
    let variant = Checksum::of_bytes(&body);
    Ok(EntryResponse { body: body.into(), rev, variant })
}

/// Returns the error for an entry whose file cannot be read: it was deleted meanwhile, or the disk
/// fails.
fn missing_entry_error(
    engine: &Engine,
    view: &View<'_>,
    place: usize,
    doc: &RenderedEntry,
) -> Error {
    let workspace = view.snapshot.workspace.as_str();
    let name = view.snapshot.types().get(place).map(|it| it.content_type.name.as_str());
    let is_served = engine.snapshot(workspace).is_some_and(|it| {
        let index = name.and_then(|name| it.get(name));
        index.is_some_and(|index| index.find_ordinal(doc.id()).is_some())
    });
    if is_served {
        Error::storage_unavailable("the file of an entry cannot be read")
    } else {
        Error::not_found("entry", doc.id())
    }
}
