//! Entries as the admin API shows them: made from what their files say, which is not in memory.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::read::NAMES_WORKSPACE;
use crate::app::entries::read::Shown;
use crate::app::entries::read::pretty;
use crate::app::entries::read::seen;
use crate::app::entries::read::too_much_included;
use crate::app::entries::read::write_warnings;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Finding;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::grant::Row;
use crate::model::name::EntryId;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::admin::AdminWriter;
use crate::query::answer::Writer;
use crate::query::doc::BODY_HEAD;
use crate::query::doc::BODY_TAIL;
use crate::query::doc::Doc;
use crate::query::doc::Whole;
use crate::query::list_query;
use crate::query::list_query::Shape;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Sight;
use crate::query::view::View;
use crate::query::view::row;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// How the entries of one type are shown to one caller.
pub(in crate::app) struct AdminRows<'a> {
    view: &'a View<'a>,
    place: usize,
    index: &'a Arc<TypeIndex>,
    writer: AdminWriter<'a>,
    now: Timestamp,
    /// Whether the caller may know which files are not there.
    knows_media: bool,
}

impl<'a> AdminRows<'a> {
    /// For the type at `place`; nothing when there is none.
    pub(in crate::app) fn new(
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
        place: usize,
        now: Timestamp,
    ) -> Option<AdminRows<'a>> {
        let index = view.snapshot.types().get(place)?;
        let writer = AdminWriter::new(view, caller.eyes(), shape, place)?;
        let (workspace, action) = (view.snapshot.workspace.as_str(), Action::MediaRead);
        let seen = caller.may(workspace, action, &Resource::Media, &Facts::default());
        Some(AdminRows { view, place, index, writer, now, knows_media: seen.is_ok() })
    }

    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    /// Whether the caller reads entries with these facts in a locale of the type.
    pub(in crate::app) fn reads(&self, locale: usize, row: &Row<'_>) -> bool {
        self.writer.reads(locale, row)
    }

    /// Appends an active entry; whether its file could be read. Of one that could not it is only told
    /// what is in memory.
    pub(in crate::app) fn active(
        &self,
        engine: &Engine,
        ordinal: Ordinal,
        out: &mut Vec<u8>,
    ) -> bool {
        let Some(doc) = self.index.doc(ordinal) else { return false };
        let workspace = self.view.snapshot.workspace.clone();
        let key = Key::Entry(workspace, self.ty().name.clone(), doc.id.clone());
        let Some(content) = engine.served_content(&key, doc.rev) else {
            self.writer.bare(doc, out);
            return false;
        };
        let mut findings: Vec<Finding> = content.problems.into_iter().map(finding).collect();
        findings.extend(self.contested(ordinal));
        let entry = self.read(&doc.id, content.map, content.modified, &mut findings);
        self.writer.entry(&self.whole(&entry), &row(doc), &findings, entry.sum, out);
        true
    }

    /// Appends a state of an entry: what its file says, or once said.
    pub(in crate::app) fn state(&self, entry: &Entry, findings: &[Finding], out: &mut Vec<u8>) {
        self.writer.entry(&self.whole(entry), &row_of(entry), findings, entry.sum, out);
    }

    /// Appends what the file of an entry says, with a look at what is wrong with it or without.
    pub(in crate::app) fn stored(
        &self,
        id: &EntryId,
        stored: &Stored,
        judged: bool,
        out: &mut Vec<u8>,
    ) {
        let (file, modified) = (stored.map.clone(), stored.modified);
        let mut findings = Vec::new();
        if judged {
            let entry = self.read(id, file, modified, &mut findings);
            return self.state(&entry, &findings, out);
        }
        let facts = FileFacts { modified, now: self.now };
        let entry = Entry::read(id.clone(), self.ty(), file.into(), facts, &mut findings);
        self.state(&entry, &[], out);
    }

    /// Reads what a file says, with everything that is wrong with it.
    pub(in crate::app) fn read(
        &self,
        id: &EntryId,
        file: Map,
        modified: Timestamp,
        findings: &mut Vec<Finding>,
    ) -> Entry {
        let facts = FileFacts { modified, now: self.now };
        let entry = Entry::read(id.clone(), self.ty(), file.into(), facts, findings);
        entry.check(self.ty(), findings);
        self.check_references(&entry, findings);
        entry
    }

    fn whole(&self, entry: &Entry) -> Whole {
        Whole::render(self.ty(), entry, self.writer.locale())
    }

    /// Another entry goes by the slug. That is for those who see all of them.
    fn contested(&self, ordinal: Ordinal) -> Option<Finding> {
        let doc = self.index.doc(ordinal)?;
        let owner = *self.index.claimants(&doc.slug).first()?;
        let told = owner != ordinal && matches!(self.view.sight(self.place), Sight::Everything);
        let message =
            format!("An older entry has the slug `{}`: this one is found by its id.", doc.slug);
        told.then(|| Finding {
            kind: ProblemKind::DuplicateSlug,
            path: "slug".to_string(),
            message,
        })
    }

    /// What leads nowhere, as far as the caller would see what was there.
    fn check_references(&self, entry: &Entry, findings: &mut Vec<Finding>) {
        entry.references(self.ty(), &mut |path, reference| {
            let (kind, message) = match reference {
                Reference::Entry(target, id) => {
                    let Some((place, index)) = self.view.index(target.as_str()) else { return };
                    let sees_all = matches!(self.view.sight(place), Sight::Everything);
                    if !sees_all || index.ordinal(id).is_some() {
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
            findings.push(Finding { kind, path: path.to_string(), message });
        });
    }
}

/// What rules decide a state of an entry by.
pub(in crate::app) fn row_of(entry: &Entry) -> Row<'_> {
    Row {
        id: entry.id.as_str(),
        slug: &entry.slug,
        status: entry.status,
        author_id: entry.author_id.as_deref(),
    }
}

fn finding(problem: Problem) -> Finding {
    let place = match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    let message = format!("{}{place}", problem.message);
    Finding { kind: problem.kind, path: problem.field.unwrap_or_default(), message }
}

/// One entry by id or slug, as the admin API shows it.
pub fn show_whole(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &Params,
) -> Result<Shown> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.eyes(), list_query::locale(params));
    let (mut shape, mut warnings) =
        Shape::parse(&view, &index.content_type, params).map_err(Error::invalid)?;
    warnings.retain(|it| *it != list_query::unknown(NAMES_WORKSPACE));
    let ordinal = seen(&view, caller, place, identifier)?;
    if let Some(writer) = Writer::new(&view, &shape, place) {
        writer.expanded(&[ordinal], &app.settings().include).map_err(too_much_included)?;
    }
    let indents = std::mem::take(&mut shape.pretty);
    let shown = whole(&app.engine, &view, caller, &shape, (place, ordinal), &warnings, None)?;
    Ok(if indents { indented(shown) } else { shown })
}

fn indented(shown: Shown) -> Shown {
    let body = Bytes::from(pretty(&shown.body));
    Shown { variant: Sum::of(&body), body, ..shown }
}

/// The body of an answer with one entry, whether or not there is a right to read it. `written` is what
/// was written into its file just now, which others may have changed or deleted since.
pub(super) fn whole(
    engine: &Engine,
    view: &View<'_>,
    caller: &Caller,
    shape: &Shape,
    (place, ordinal): (usize, Ordinal),
    warnings: &[String],
    written: Option<&Map>,
) -> Result<Shown> {
    let missing = || Error::not_found("entry", "?");
    let doc = view.snapshot.types().get(place).and_then(|it| it.doc(ordinal));
    let doc = doc.ok_or_else(missing)?;
    let rev = doc.rev;
    let now = engine.clock().now();
    let rows = AdminRows::new(view, caller, shape, place, now).ok_or_else(missing)?;
    let mut body = BODY_HEAD.to_vec();
    let begun = body.len();
    if !rows.active(engine, ordinal, &mut body) {
        let Some(file) = written.filter(|it| Json::Object((*it).clone()).sum() == rev) else {
            return Err(vanished(engine, view, place, doc));
        };
        body.truncate(begun);
        let mut findings = Vec::from_iter(rows.contested(ordinal));
        let entry = rows.read(&doc.id, file.clone(), now, &mut findings);
        rows.state(&entry, &findings, &mut body);
    }
    if !warnings.is_empty() {
        body.extend_from_slice(b",\"meta\":{");
        write_warnings(warnings, &mut body);
        body.push(b'}');
    }
    body.extend_from_slice(BODY_TAIL);
    let variant = Sum::of(&body);
    Ok(Shown { body: body.into(), rev, variant })
}

/// Why what an entry's file says cannot be told: somebody deleted it meanwhile, or the disk fails.
fn vanished(engine: &Engine, view: &View<'_>, place: usize, doc: &Doc) -> Error {
    let workspace = view.snapshot.workspace.as_str();
    let name = view.snapshot.types().get(place).map(|it| it.content_type.name.as_str());
    let is_served = engine.snapshot(workspace).is_some_and(|it| {
        let index = name.and_then(|name| it.get(name));
        index.is_some_and(|index| index.ordinal(doc.id.as_str()).is_some())
    });
    if is_served {
        Error::storage_unavailable("the file of an entry cannot be read")
    } else {
        Error::not_found("entry", doc.id.as_str())
    }
}
