//! Making and changing entries.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::admin;
use crate::app::entries::admin::AdminRows;
use crate::app::entries::around::Around;
use crate::app::entries::around::media_base;
use crate::app::entries::clean_html::CleanHtml;
use crate::app::entries::clean_html::write_clean;
use crate::app::entries::read::Shown;
use crate::app::entries::read::write_warnings;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry::Api;
use crate::model::entry::Current;
use crate::model::entry::Merged;
use crate::model::entry::Write;
use crate::model::entry::merge;
use crate::model::entry::write_locale;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::query::answer::seen_by_writer;
use crate::query::doc::BODY_HEAD;
use crate::query::doc::Doc;
use crate::query::list_query::Shape;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Eyes;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// An entry that was made or changed.
pub struct Written {
    /// Its id.
    pub id: EntryId,
    /// The entry as the caller's read in the locale of the write shows it, with warnings.
    pub shown: Shown,
    snapshot: Arc<Snapshot>,
    reader: Reader,
    type_name: String,
    outcome: Outcome,
}

impl Written {
    /// The entry in another locale, as far as the caller reads that; else in that of the write.
    pub fn shown_in(&self, locale: &str) -> Result<Shown> {
        let view = View::new(&self.snapshot, self.reader.caller.eyes(), Some(locale));
        let place = self.snapshot.place(&self.type_name).unwrap_or_default();
        if view.target(place, self.id.as_str()).is_none() {
            return Ok(self.shown.clone());
        }
        self.reader.shown(&view, &self.type_name, &self.outcome)
    }
}

/// Who is answered, and in which shape.
struct Reader {
    caller: Caller,
    /// Where the values of files are, which the admin API shows.
    files: Option<Arc<Engine>>,
}

/// What a commit leaves behind for the answer.
pub(in crate::app) struct Outcome {
    id: EntryId,
    locale: Option<LocaleCode>,
    warnings: Vec<String>,
    /// What the file says since, where the answer is made of that and the file may be gone by then.
    file: Option<Map>,
}

impl Outcome {
    /// Of a change in no locale.
    pub(in crate::app) fn of(id: EntryId, warnings: Vec<String>) -> Outcome {
        Outcome { id, locale: None, warnings, file: None }
    }

    /// The answer is that of a read without a locale.
    pub(super) fn forget_locale(&mut self) {
        self.locale = None;
    }

    /// The entry as whoever changed it is shown it.
    pub(in crate::app) fn told(
        self,
        app: &App,
        snapshot: Arc<Snapshot>,
        by: &By,
        type_name: &str,
    ) -> Result<Written> {
        let is_admin = by.actor.source == Source::Admin;
        let files = is_admin.then(|| app.engine.clone());
        let reader = Reader { caller: by.caller.clone(), files };
        let view = View::new(&snapshot, by.caller.eyes(), self.locale.as_deref());
        let shown = reader.shown(&view, type_name, &self)?;
        let (id, type_name) = (self.id.clone(), type_name.to_string());
        Ok(Written { id, shown, snapshot, reader, type_name, outcome: self })
    }
}

/// Makes an entry.
pub fn create(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    body: Map,
) -> Result<Written> {
    let body = Arc::new(body);
    let clean_html = CleanHtml::of_body(app, ws, type_name, &body);
    let committed = write_clean(clean_html, |clean_html| {
        let (asker, name, body) = (by.clone(), type_name.to_string(), body.clone());
        app.engine.commit(ws, move |staging| {
            let snapshot = staging.snapshot();
            let (_, index) = content_types::find(snapshot, &asker.caller, &name)?;
            let id = new_id(staging, &index.content_type)?;
            let request = Request {
                by: &asker,
                index,
                id: &id,
                body: &body,
                clean_html: &clean_html,
                existing: None,
                event: RevisionEvent::Update,
            };
            let (merged, allowed) = request.judged(staging, Action::ContentCreate)?;
            let merged = request.only_one_page(merged);
            let outcome = request.outcome(&merged);
            stage_create(&allowed, staging, &request, merged)?;
            Ok::<_, Error>(outcome)
        })
    })?;
    committed.value.told(app, committed.snapshot, by, type_name)
}

/// Changes an entry: keys that are not in the body keep their value.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    identifier: &str,
    body: Map,
    precondition: Precondition,
) -> Result<Written> {
    let body = Arc::new(body);
    let clean_html = CleanHtml::of_body(app, ws, type_name, &body);
    let committed = write_clean(clean_html, |clean_html| {
        let edit = Edit {
            type_name: type_name.to_string(),
            identifier: identifier.to_string(),
            body: body.clone(),
            clean_html,
            precondition: precondition.clone(),
            event: RevisionEvent::Update,
        };
        let asker = by.clone();
        app.engine.commit(ws, move |staging| edit.stage(staging, &asker))
    })?;
    committed.value.told(app, committed.snapshot, by, type_name)
}

/// A change of an entry.
pub(super) struct Edit {
    pub(super) type_name: String,
    pub(super) identifier: String,
    pub(super) body: Arc<Map>,
    /// The HTML in the body, made harmless.
    pub(super) clean_html: Arc<CleanHtml>,
    pub(super) precondition: Precondition,
    /// How the revision of what it replaces is labelled.
    pub(super) event: RevisionEvent,
}

impl Edit {
    /// Stages the change, once the caller is known to have every right that takes.
    pub(super) fn stage(&self, staging: &mut Staging<'_>, by: &By) -> Result<Outcome> {
        let (action, body) = (Action::ContentUpdate, &*self.body);
        let (name, identifier) = (&self.type_name, &self.identifier);
        let found = Found::of(staging.snapshot(), by, action, name, identifier, Some(body))?;
        let stored = found.stored(staging)?;
        let request = Request {
            by,
            index: found.index,
            id: &found.doc.id,
            body,
            clean_html: &self.clean_html,
            existing: Some((&found, &stored)),
            event: self.event,
        };
        let (merged, allowed) = request.judged(staging, action)?;
        found.expect(staging, &self.precondition, by)?;
        let outcome = request.outcome(&merged);
        stage_update(&allowed, staging, &request, merged)?;
        Ok(outcome)
    }
}

/// The id of a new entry: of a single page the name of its type.
fn new_id(staging: &Staging<'_>, ty: &ContentType) -> Result<EntryId> {
    if ty.singleton {
        EntryId::parse(&ty.name).map_err(Error::internal)
    } else {
        Ok(staging.new_id())
    }
}

/// An entry that a caller acts on.
pub(in crate::app) struct Found<'a> {
    pub(in crate::app) snapshot: &'a Snapshot,
    pub(in crate::app) index: &'a Arc<TypeIndex>,
    pub(in crate::app) place: usize,
    pub(in crate::app) ordinal: Ordinal,
    pub(in crate::app) doc: &'a Doc,
    /// The locale that is written.
    locale: Option<LocaleCode>,
    /// Whether the caller may read it in that locale.
    pub(in crate::app) is_seen: bool,
}

impl<'a> Found<'a> {
    /// The entry by id or slug. One that the caller may not read, in the locale that `body` writes,
    /// is as good as missing, unless a grant for the action holds for the whole type or everybody
    /// may read it.
    pub(in crate::app) fn of(
        snapshot: &'a Snapshot,
        by: &'a By,
        action: Action,
        type_name: &'a str,
        identifier: &str,
        body: Option<&Map>,
    ) -> Result<Found<'a>> {
        let (place, index) = content_types::find(snapshot, &by.caller, type_name)?;
        let locale = body.and_then(|it| write_locale(&index.content_type, it).ok().flatten());
        let view = View::new(snapshot, by.caller.eyes(), locale.as_deref());
        let seen = view.find(place, identifier);
        let everywhere = || {
            let whole = Resource::Collection(type_name);
            let workspace = snapshot.workspace.as_str();
            by.caller.may(workspace, action, &whole, &Facts::default()).ok()?;
            index.find(identifier)
        };
        let everybody = View::new(snapshot, Eyes::Anyone, None);
        let public = || everybody.find(place, identifier);
        let missing = || Error::not_found("entry", identifier);
        let found = seen.or_else(everywhere).or_else(public);
        let ordinal = found.ok_or_else(missing)?;
        let doc = index.doc(ordinal).ok_or_else(missing)?;
        Ok(Found { snapshot, index, place, ordinal, doc, locale, is_seen: seen.is_some() })
    }

    pub(in crate::app) fn key(&self) -> Key {
        let name = self.index.content_type.name.clone();
        Key::Entry(self.snapshot.workspace.clone(), name, self.doc.id.clone())
    }

    /// Its file.
    pub(in crate::app) fn stored(&self, staging: &mut Staging<'_>) -> Result<Stored> {
        let stored = staging.stored(&self.key())?;
        stored.ok_or_else(|| Error::not_found("entry", self.doc.id.as_str()))
    }

    pub(in crate::app) fn resource(&self) -> Resource<'a> {
        let (id, slug) = (self.doc.id.as_str(), &*self.doc.slug);
        Resource::Entry { type_name: self.index.content_type.name.as_str(), id, slug }
    }

    /// Whether the change is meant for what is there.
    pub(in crate::app) fn expect(
        &self,
        staging: &mut Staging<'_>,
        precondition: &Precondition,
        by: &By,
    ) -> Result<()> {
        if precondition.holds_for(self.doc.rev) {
            return Ok(());
        }
        if !self.is_seen {
            return Err(Error::precondition_failed(None));
        }
        let stored = self.stored(staging)?;
        let current = self.shown(by, &stored, staging.now(), true);
        Err(Error::precondition_failed(Some(current.into())))
    }

    /// The JSON object of the entry as whoever changes it is shown it, judged or not.
    fn shown(&self, by: &By, stored: &Stored, now: Timestamp, judged: bool) -> Vec<u8> {
        let view = View::new(self.snapshot, by.caller.eyes(), self.locale.as_deref());
        let shape = Shape::default();
        if by.actor.source == Source::Admin
            && let Some(rows) = AdminRows::new(&view, &by.caller, &shape, self.place, now)
        {
            let mut out = Vec::new();
            rows.stored(&self.doc.id, stored, judged, &mut out);
            return out;
        }
        seen_by_writer(&view, self.place, self.ordinal)
    }

    /// What it is called in events, as it is.
    pub(in crate::app) fn subject(&self) -> Subject {
        let (ty, doc) = (&self.index.content_type, self.doc);
        let title = Json::parse(doc.variant(None).title()).unwrap_or_default();
        Subject::Entry {
            type_name: ty.name.to_string(),
            id: doc.id.to_string(),
            slug: doc.slug.to_string(),
            status: doc.status.as_str().to_string(),
            title: title.as_str().unwrap_or_default().to_string(),
        }
    }
}

/// A request to write an entry, with what it is about.
struct Request<'a> {
    by: &'a By,
    index: &'a Arc<TypeIndex>,
    id: &'a EntryId,
    body: &'a Map,
    clean_html: &'a CleanHtml,
    existing: Option<(&'a Found<'a>, &'a Stored)>,
    event: RevisionEvent,
}

impl<'a> Request<'a> {
    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    fn locale(&self) -> Option<LocaleCode> {
        write_locale(self.ty(), self.body).ok().flatten()
    }

    /// What the request comes to, once the caller is known to have every right that takes. What is
    /// wrong with the request is not told before.
    fn judged(&self, staging: &Staging<'_>, action: Action) -> Result<(Merged, Allowed<'a>)> {
        let mut merged = self.merged(staging, true);
        if self.sent_author() && self.may(staging, Action::ContentPublish, &merged).is_err() {
            merged = self.merged(staging, false);
        }
        let allowed = self.may(staging, action, &merged)?;
        if merged.needs_publish() {
            self.may(staging, Action::ContentPublish, &merged)?;
        }
        Ok((merged, allowed))
    }

    fn sent_author(&self) -> bool {
        let inner = self.body.get("data").and_then(Json::as_object);
        self.body.contains("author_id") || inner.is_some_and(|it| it.contains("author_id"))
    }

    fn merged(&self, staging: &Staging<'_>, sets_author: bool) -> Merged {
        let snapshot = staging.snapshot();
        let locale = self.locale();
        let view = View::new(snapshot, self.by.caller.eyes(), locale.as_deref());
        let shown = self.existing.map(|(found, stored)| {
            // A rendering is a JSON object.
            match Json::parse(&found.shown(self.by, stored, staging.now(), false)) {
                Ok(Json::Object(map)) => map,
                _ => Map::new(),
            }
        });
        let current = self.existing.zip(shown.as_ref()).map(|((_, stored), shown)| Current {
            file: &stored.map,
            shown,
            modified: stored.modified,
        });
        let new_id = || staging.new_id();
        let around = Around {
            view: &view,
            caller: &self.by.caller,
            index: self.index,
            this: self.existing.map(|(found, _)| found.ordinal),
            media_base: media_base(staging.base_url(), snapshot.workspace.as_str()),
            new_id: &new_id,
            clean_html: self.clean_html,
        };
        let is_admin = self.by.actor.source == Source::Admin;
        merge(&Write {
            ty: self.ty(),
            id: self.id,
            current,
            body: self.body,
            api: if is_admin { Api::Admin } else { Api::Public },
            by: &self.by.actor.id,
            sets_author,
            now: staging.now(),
            world: &around,
            others: &around,
        })
    }

    /// A new entry is judged as what it would be: to make one is a right on the whole type.
    fn may(&self, staging: &Staging<'_>, action: Action, merged: &Merged) -> Result<Allowed<'a>> {
        let changed: Vec<&str> = merged.changed.iter().map(String::as_str).collect();
        let locales: Vec<&str> = merged.locales.iter().map(|it| it.as_str()).collect();
        let author = match self.existing {
            Some((found, _)) => found.doc.author_id.as_deref(),
            None => merged.author_id.as_deref(),
        };
        let facts = Facts {
            status: merged.old.map(|it| it.status),
            new_status: Some(merged.new.status),
            author_id: author,
            locales: &locales,
            changed: &changed,
        };
        let type_name = self.ty().name.as_str();
        let resource = match self.existing {
            Some((found, _)) => found.resource(),
            None if action == Action::ContentCreate => Resource::Collection(type_name),
            None => Resource::Entry { type_name, id: self.id.as_str(), slug: &merged.slug },
        };
        self.by.caller.may(staging.workspace(), action, &resource, &facts)
    }

    /// A single page is made once.
    fn only_one_page(&self, mut merged: Merged) -> Merged {
        if self.ty().singleton && !self.index.is_empty() {
            let name = &self.ty().name;
            merged.problems.add("slug", format!("The page `{name}` is there already."));
        }
        merged
    }

    fn outcome(&self, merged: &Merged) -> Outcome {
        let warnings = merged.warnings.clone();
        let is_admin = self.by.actor.source == Source::Admin;
        let file = is_admin.then(|| merged.file.clone());
        Outcome { id: self.id.clone(), locale: self.locale(), warnings, file }
    }

    /// Tells what happened to the entry.
    fn tell(&self, staging: &mut Staging<'_>, merged: &Merged) {
        let now = staging.now();
        let before = self.existing.map(|(found, _)| found.doc.is_public(now));
        let after = merged.new.status.is_public(merged.new.published_at, now);
        let title = merged.file.get("title").and_then(Json::as_str).unwrap_or_default();
        let subject = Subject::Entry {
            type_name: self.ty().name.to_string(),
            id: self.id.to_string(),
            slug: merged.slug.clone(),
            status: merged.new.status.as_str().to_string(),
            title: title.to_string(),
        };
        for kind in EventKind::of_entry(before, Some(after)) {
            staging.tell(Event::by(&self.by.actor, kind, subject.clone()));
        }
    }
}

fn stage_create(
    allowed: &Allowed<'_>,
    staging: &mut Staging<'_>,
    request: &Request<'_>,
    merged: Merged,
) -> Result<()> {
    debug_assert_eq!(allowed.action(), Action::ContentCreate);
    refuse_problems(&merged.problems)?;
    let (of, id) = (&request.ty().name, request.id);
    let key = Key::Entry(staging.workspace().clone(), of.clone(), id.clone());
    if staging.exists(&key) {
        return Err(Error::conflict("A file that cannot be read is in the place of this entry."));
    }
    make_way(staging, of, id)?;
    request.tell(staging, &merged);
    staging.create(&key, Json::Object(merged.file).to_file());
    Ok(())
}

fn stage_update(
    allowed: &Allowed<'_>,
    staging: &mut Staging<'_>,
    request: &Request<'_>,
    merged: Merged,
) -> Result<()> {
    debug_assert_eq!(allowed.action(), Action::ContentUpdate);
    refuse_problems(&merged.problems)?;
    let Some((_, stored)) = request.existing.filter(|_| merged.is_change()) else { return Ok(()) };
    request.tell(staging, &merged);
    staging.revision(request.event, &request.by.actor.id);
    let bytes = rewrite(&stored.bytes, &Json::Object(merged.file));
    staging.replace(stored, bytes);
    Ok(())
}

fn refuse_problems(problems: &FieldProblems) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Error::invalid(problems.clone())) }
}

/// An id that is used again: what was deleted under it, and what that was before, get a number.
pub(in crate::app) fn make_way(
    staging: &mut Staging<'_>,
    of: &TypeName,
    id: &EntryId,
) -> Result<()> {
    let trashed = Key::Trash(staging.workspace().clone(), of.clone(), Copy::first(id.clone()));
    if staging.exists(&trashed) {
        let copy = free_copy(staging, of, id);
        let to = Key::Trash(staging.workspace().clone(), of.clone(), copy.clone());
        staging.rename(&trashed, &to);
        move_revisions(staging, of, &Copy::first(id.clone()), &copy)?;
    }
    Ok(())
}

/// The first name under which nothing was deleted yet.
pub(super) fn free_copy(staging: &Staging<'_>, of: &TypeName, id: &EntryId) -> Copy {
    let copy = |number| Copy { id: id.clone(), number };
    let key = |it: &Copy| Key::Trash(staging.workspace().clone(), of.clone(), it.clone());
    let free = (0..u32::MAX).map(copy).find(|it| !staging.exists(&key(it)));
    free.unwrap_or_else(|| copy(u32::MAX))
}

/// Moves the revisions of an entry along with it.
pub(in crate::app) fn move_revisions(
    staging: &mut Staging<'_>,
    of: &TypeName,
    from: &Copy,
    to: &Copy,
) -> Result<()> {
    let folder = Folder::Revisions(staging.workspace().clone(), of.clone(), from.clone());
    for file in staging.list(&folder)? {
        if let Key::Revision(ws, of, _, revision) = &file.key {
            let to = Key::Revision(ws.clone(), of.clone(), to.clone(), revision.clone());
            staging.rename(&file.key, &to);
        }
    }
    Ok(())
}

impl Reader {
    /// An entry as the view's caller reads it, whether or not there is a right to read it.
    fn shown(&self, view: &View<'_>, type_name: &str, outcome: &Outcome) -> Result<Shown> {
        let Outcome { id, warnings, file, .. } = outcome;
        // It was written, so that it is missing says nothing of what became of it.
        let missing = || Error::storage_unavailable(format!("{id} vanished as it was changed"));
        let (place, index) = view.index(type_name).ok_or_else(missing)?;
        let ordinal = index.ordinal(id.as_str()).ok_or_else(missing)?;
        if let Some(files) = &self.files {
            let (shape, at) = (Shape::default(), (place, ordinal));
            return admin::whole(files, view, &self.caller, &shape, at, warnings, file.as_ref());
        }
        let rev = index.doc(ordinal).ok_or_else(missing)?.rev;
        let mut body = BODY_HEAD.to_vec();
        body.extend_from_slice(&seen_by_writer(view, place, ordinal));
        if !warnings.is_empty() {
            body.extend_from_slice(b",\"meta\":{");
            write_warnings(warnings, &mut body);
            body.push(b'}');
        }
        body.push(b'}');
        let variant = Sum::of(&body);
        Ok(Shown { body: Bytes::from(body), rev, variant })
    }
}
