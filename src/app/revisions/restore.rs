//! Earlier states are brought back: what is there becomes a revision itself.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::entries::Found;
use crate::app::entries::Outcome;
use crate::app::entries::Written;
use crate::app::entries::media_base;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::FormerNames;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Finding;
use crate::model::entry::Standing;
use crate::model::entry::Translation;
use crate::model::entry::needs_publish;
use crate::model::entry::set_key;
use crate::model::entry::unused_slug;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::field::Field;
use crate::model::field::same;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::renames::Renames;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::stdx::id;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite;
use crate::stdx::time::Timestamp;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Brings an earlier state back, with its status and all its locales. Its id stays; a slug that was
/// taken meanwhile gets a number.
pub fn restore(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    (type_name, identifier, revision): (&str, &str, &str),
    precondition: Precondition,
) -> Result<Written> {
    let (asker, name) = (by.clone(), type_name.to_string());
    let (identifier, revision) = (identifier.to_string(), revision.to_string());
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let action = Action::ContentRevisionsRestore;
        let found = Found::of(staging.snapshot(), &asker, action, &name, &identifier, None)?;
        let stored = found.stored(staging)?;
        // Whoever may bring nothing back is not told what there is.
        let locales = all_locales(&found);
        let facts = Facts {
            status: Some(found.doc.status),
            author_id: found.doc.author_id.as_deref(),
            locales: &locales,
            ..Facts::default()
        };
        may(staging, &asker, &found, action, &facts)?;
        let mut past = past(staging, &found, &revision)?;
        let gone = follow_media(staging, &found, &mut past);
        let restored = Restored::of(staging, &asker, &found, &stored, past.file);
        let allowed = restored.judged(staging, &asker, &found)?;
        found.expect(staging, &precondition, &asker)?;
        restored.stage(&allowed, staging, &asker, &found, &stored)?;
        Ok::<_, Error>((found.doc.id.clone(), gone))
    })?;
    let (id, gone) = committed.value;
    let warning = |name: String| format!("{name}: This media file is not there any more.");
    let warnings = gone.into_iter().map(warning).collect();
    Outcome::of(id, warnings).told(app, committed.snapshot, by, type_name)
}

/// Points what the state refers to to media files by their names of today; the names of those that
/// are not there any more.
fn follow_media(staging: &Staging<'_>, found: &Found<'_>, past: &mut Past) -> BTreeSet<String> {
    let names = FormerNames::of(found.snapshot, staging.base_url(), past.replaced_at);
    names.follow(&found.index.content_type.fields, &mut past.file.map)
}

/// A state that comes back concerns all locales.
fn all_locales<'f>(found: &'f Found<'_>) -> Vec<&'f str> {
    found.index.content_type.locales.iter().map(|it| it.as_str()).collect()
}

fn may<'b>(
    staging: &Staging<'_>,
    by: &'b By,
    found: &Found<'_>,
    action: Action,
    facts: &Facts<'_>,
) -> Result<Allowed<'b>> {
    by.caller.may(staging.workspace(), action, &found.resource(), facts)
}

/// An earlier state of an entry.
struct Past {
    /// What the file of the revision says, with fields under their names of today.
    file: Stored,
    /// When it was replaced; none when the name of the revision does not tell.
    replaced_at: Option<Timestamp>,
}

fn past(staging: &mut Staging<'_>, found: &Found<'_>, revision: &str) -> Result<Past> {
    let missing = || Error::not_found("revision", revision);
    let ty = &found.index.content_type;
    let copy = Copy::first(found.doc.id.clone());
    let folder = Folder::Revisions(staging.workspace().clone(), ty.name.clone(), copy);
    let is_it = |key: &Key| match key {
        Key::Revision(_, _, _, stem) => RevisionName::parse(stem).id.as_str() == revision,
        _ => false,
    };
    let file = staging.list(&folder)?.into_iter().find(|it| is_it(&it.key)).ok_or_else(missing)?;
    let mut past = staging.stored(&file.key)?.ok_or_else(missing)?;
    Renames::of(ty).apply(&mut past.map);
    Ok(Past { file: past, replaced_at: replaced_at(revision) })
}

/// When a state was replaced, by the id of its revision.
fn replaced_at(revision: &str) -> Option<Timestamp> {
    let seconds = id::time_ms(revision)? / 1_000;
    i64::try_from(seconds).ok().map(Timestamp::from_seconds)
}

/// An entry as it will be.
struct Restored {
    file: Map,
    old: Entry,
    new: Entry,
    /// What changes by that, as grants name it.
    changed: Vec<String>,
    problems: FieldProblems,
}

impl Restored {
    fn of(
        staging: &Staging<'_>,
        by: &By,
        found: &Found<'_>,
        stored: &Stored,
        past: Stored,
    ) -> Restored {
        let index = found.index;
        let ty = &index.content_type;
        let read = |file: &Map, findings: &mut Vec<Finding>| {
            let facts = FileFacts { modified: stored.modified, now: staging.now() };
            Entry::read(found.doc.id.clone(), ty, file.clone().into(), facts, findings)
        };
        let old = read(&stored.map, &mut Vec::new());
        let mut file = past.map;
        keep(&mut file, &stored.map, "created_at");
        keep_required(ty, &mut file, &stored.map);
        let wanted = read(&file, &mut Vec::new());
        if !ty.singleton {
            let slug = unused_slug(&wanted.slug, |it| index.has_name(it, Some(found.ordinal)));
            if slug != wanted.slug || !file.contains("slug") {
                set_key(&mut file, "slug", slug.into());
            }
        }
        if wanted.author_id != old.author_id {
            let facts = Facts {
                status: Some(old.status),
                new_status: Some(wanted.status),
                author_id: old.author_id.as_deref(),
                changed: &["author_id"],
                ..Facts::default()
            };
            if may(staging, by, found, Action::ContentPublish, &facts).is_err() {
                keep(&mut file, &stored.map, "author_id");
            }
        }
        let mut findings = Vec::new();
        let new = read(&file, &mut findings);
        new.check(ty, &mut findings);
        let changed = changed(ty, &old, &new);
        let mut problems = FieldProblems::new();
        for finding in findings.iter().filter(|it| changed.iter().any(|name| *name == field_of(it)))
        {
            let path = finding.path.strip_prefix("data.").unwrap_or(&finding.path);
            problems.add(path, finding.message.as_str());
        }
        let base = media_base(staging.base_url(), found.snapshot.workspace.as_str());
        let is_taken = |field: &Field, value: Option<&Json>| {
            let value = value.filter(|it| !it.is_empty());
            value.is_some_and(|it| index.has_value(field, it, Some(found.ordinal), &base))
        };
        for field in ty.data_fields().filter(|it| it.unique) {
            let name = field.name.as_str();
            let layers =
                std::iter::once(&new.data).chain(new.translations.iter().map(|(_, it)| &it.data));
            let taken = changed.iter().any(|it| it == name)
                && layers.into_iter().any(|it| is_taken(field, it.get(name)));
            if taken {
                problems.add(name, "Another entry has this value already.");
            }
        }
        Restored { file, old, new, changed, problems }
    }

    /// All rights that it takes.
    fn judged<'b>(
        &self,
        staging: &Staging<'_>,
        by: &'b By,
        found: &Found<'_>,
    ) -> Result<Allowed<'b>> {
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let locales = all_locales(found);
        let facts = Facts {
            status: Some(self.old.status),
            new_status: Some(self.new.status),
            author_id: self.old.author_id.as_deref(),
            locales: &locales,
            changed: &changed,
        };
        let allowed = may(staging, by, found, Action::ContentRevisionsRestore, &facts)?;
        if needs_publish(Some(Standing::of(&self.old)), Standing::of(&self.new)) {
            may(staging, by, found, Action::ContentPublish, &facts)?;
        }
        Ok(allowed)
    }

    fn stage(
        mut self,
        allowed: &Allowed<'_>,
        staging: &mut Staging<'_>,
        by: &By,
        found: &Found<'_>,
        stored: &Stored,
    ) -> Result<()> {
        debug_assert_eq!(allowed.action(), Action::ContentRevisionsRestore);
        self.problems.or(()).map_err(Error::invalid)?;
        keep(&mut self.file, &stored.map, "updated_at");
        keep(&mut self.file, &stored.map, "updated_by");
        let (file, today) = (Json::Object(self.file.clone()), Json::Object(stored.map.clone()));
        if same(&file, &today) {
            return Ok(());
        }
        set_key(&mut self.file, "updated_at", staging.now().to_string().into());
        set_key(&mut self.file, "updated_by", by.actor.id.as_str().into());
        let now = staging.now();
        let (before, after) = (&self.old, &self.new);
        let before = before.status.is_public(before.published_at, now);
        let public = after.status.is_public(after.published_at, now);
        let subject = Subject::Entry {
            type_name: found.index.content_type.name.to_string(),
            id: after.id.to_string(),
            slug: after.slug.clone(),
            status: after.status.as_str().to_string(),
            title: after.title.clone(),
        };
        for kind in EventKind::of_entry(Some(before), Some(public)) {
            staging.tell(Event::by(&by.actor, kind, subject.clone()));
        }
        staging.revision(RevisionEvent::Restore, &by.actor.id);
        staging.replace(stored, rewrite(&stored.bytes, &Json::Object(self.file)));
        Ok(())
    }
}

/// Leaves a key as it is today.
fn keep(file: &mut Map, today: &Map, key: &str) {
    match today.get(key) {
        Some(value) => set_key(file, key, value.clone()),
        None => _ = file.remove(key),
    }
}

/// A field that is required today and did not exist then keeps its value.
fn keep_required(ty: &ContentType, file: &mut Map, today: &Map) {
    let Some(today) = today.get("data").and_then(Json::as_object) else { return };
    let Some(Json::Object(data)) = file.get_mut("data") else { return };
    for field in ty.data_fields().filter(|it| it.required) {
        let name = field.name.as_str();
        if let Some(value) = today.get(name).filter(|_| !data.contains(name)) {
            data.set(name, value.clone());
        }
    }
}

/// The field that a finding is about.
fn field_of(finding: &Finding) -> &str {
    let inside = finding.path.split_once("data.").map(|(_, rest)| rest);
    let inside = inside.or_else(|| finding.path.rsplit_once('.').map(|(_, last)| last));
    inside.unwrap_or(&finding.path).split(['.', '[']).next().unwrap_or_default()
}

fn changed(ty: &ContentType, old: &Entry, new: &Entry) -> Vec<String> {
    let translated = |entry: &Entry, of: &dyn Fn(&Translation) -> Json| {
        let mut all: Vec<(String, Json)> =
            entry.translations.iter().map(|(code, it)| (code.to_string(), of(it))).collect();
        all.retain(|(_, it)| !it.is_empty());
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    };
    let title = |it: &Translation| it.title.as_deref().map_or(Json::Null, Json::from);
    let own = [
        ("title", old.title != new.title || translated(old, &title) != translated(new, &title)),
        ("slug", old.slug != new.slug),
        ("status", old.status != new.status),
        ("published_at", old.published_at != new.published_at),
        ("author_id", old.author_id != new.author_id),
    ];
    let differs = |name: &str| {
        let value = |it: &Translation| it.data.get(name).cloned().unwrap_or_default();
        let root = |entry: &Entry| entry.data.get(name).cloned().unwrap_or_default();
        root(old) != root(new) || translated(old, &value) != translated(new, &value)
    };
    let fields = ty.data_fields().map(|it| it.name.as_str()).filter(|it| differs(it));
    let own = own.into_iter().filter(|it| it.1).map(|it| it.0);
    own.chain(fields).map(str::to_string).collect()
}
