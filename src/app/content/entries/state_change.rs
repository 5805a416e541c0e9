//! Whole states that take the place of entries: what a change proposes when it is published, and
//! files that another server sends.

use crate::app::access::Requester;
use crate::app::content::entries::whole_state::StateScope;
use crate::app::content::entries::whole_state::list_changed_fields;
use crate::app::content::entries::whole_state::list_changed_unknown_keys;
use crate::app::content::entries::write::rename_trashed;
use crate::app::content::entries::write_scope::media_base;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::needs_publish;
use crate::model::entry::set_key;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::field::REQUIRED;
use crate::model::field::is_equivalent;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryPlace;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;

/// An entry as it will be.
pub(crate) struct StateChange {
    /// The entry.
    pub(crate) place: EntryPlace,
    /// The file that it replaces; nothing if it is created.
    pub(crate) live: Option<StoredFile>,
    file: Map,
    old: Option<Entry>,
    new: Entry,
    /// The changed fields, as grants name them.
    changed: Vec<String>,
    /// The reasons for which it cannot be written.
    pub(crate) problems: FieldProblems,
}

impl StateChange {
    /// `index` has the entries of the type as they are afterwards: each is judged among what the
    /// others become.
    pub(crate) fn new(
        staging: &Staging<'_>,
        index: &TypeIndex,
        place: &EntryPlace,
        live: Option<StoredFile>,
        file: Map,
    ) -> StateChange {
        let now = staging.now();
        let ty = &index.content_type;
        let read = |file: &Map, findings: &mut Vec<EntryFinding>| {
            let modified = live.as_ref().map_or(now, |it| it.modified);
            let facts = FileFacts { modified, now };
            Entry::read(place.1.clone(), ty, file.clone().into(), facts, findings)
        };
        let mut old_findings = Vec::new();
        let old = live.as_ref().map(|it| read(it.map(), &mut old_findings));
        let mut findings = Vec::new();
        let new = read(&file, &mut findings);
        let nobody = read(&Map::new(), &mut Vec::new());
        let mut changed = list_changed_fields(ty, old.as_ref().unwrap_or(&nobody), &new);
        let nothing = Map::new();
        let before = live.as_ref().map_or(&nothing, StoredFile::map);
        changed.extend(list_changed_unknown_keys(ty, before, &file));
        let mut problems = find_misshapen(&file, &old_findings, &findings);
        let this = index.find_ordinal(place.1.as_str());
        let media_base = media_base(staging.base_url(), staging.workspace().as_str());
        let scope = StateScope { index, this, media_base: &media_base };
        problems.extend(scope.check_changed(&new, &changed, findings));
        if !ty.singleton && index.has_name(&new.slug, this) {
            problems.add("slug", "Another entry has this slug.");
        }
        // It would take over the address of the other entry: ids are looked up first.
        if !ty.singleton && live.is_none() && index.has_name(place.1.as_str(), this) {
            problems.add("id", "Another entry has this id as its slug.");
        }
        StateChange { place: place.clone(), live, file, old, new, changed, problems }
    }

    /// Adds the required values that a new entry lacks. One that is there may go on without them,
    /// as with any write that does not touch them.
    pub(crate) fn refuse_missing_values(&mut self, ty: &ContentType) {
        if self.live.is_some() {
            return;
        }
        let data = &self.new.data;
        let is_missing = |name: &str| data.get(name).is_none_or(Json::is_empty);
        let required = ty.data_fields().filter(|it| it.required && it.is_visible(data));
        let names = required.map(|it| it.name.as_str()).filter(|it| is_missing(it));
        let title = self.new.title.is_empty().then_some("title");
        for name in title.into_iter().chain(names) {
            if self.problems.get(name).is_none() {
                self.problems.add(name, REQUIRED);
            }
        }
    }

    /// Checks all permissions that writing it takes.
    pub(crate) fn check_rights(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        overlay: &Snapshot,
    ) -> Result<Permit> {
        let permit = self.check_may_propose(staging, by, overlay)?;
        let ty = overlay.get(self.place.0.as_str()).map(|it| &it.content_type);
        let before = self.old.as_ref().map(Publication::of_entry);
        let after = Publication::of_entry(&self.new);
        let is_public = before.is_some_and(Publication::is_for_public);
        // Whoever may not publish shall not change what is public by way of a change, either.
        let is_drafted = is_public && ty.is_some_and(|it| it.drafts);
        if is_drafted || self.sets_author(by) || needs_publish(before, after) {
            self.check_permission(staging, by, overlay, Action::ContentPublish)?;
        }
        Ok(permit)
    }

    /// Checks the permission to propose it, which does not include that to publish it.
    pub(crate) fn check_may_propose(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        overlay: &Snapshot,
    ) -> Result<Permit> {
        let is_new = self.old.is_none();
        let action = if is_new { Action::ContentCreate } else { Action::ContentUpdate };
        self.check_permission(staging, by, overlay, action)
    }

    fn check_permission(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        overlay: &Snapshot,
        action: Action,
    ) -> Result<Permit> {
        let ty = overlay.get(self.place.0.as_str()).map(|it| &it.content_type);
        let locales: Vec<&str> =
            ty.into_iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let author = self.old.as_ref().unwrap_or(&self.new).author_id.as_deref();
        let facts = Facts {
            status: self.old.as_ref().map(|it| it.status),
            new_status: Some(self.new.status),
            author_id: author,
            locales: &locales,
            changed: &changed,
        };
        let (type_name, id) = (self.place.0.as_str(), self.place.1.as_str());
        let slug = self.old.as_ref().map_or(self.new.slug.as_str(), |it| it.slug.as_str());
        let on = match action {
            Action::ContentCreate => Resource::Collection(type_name),
            _ => Resource::Entry { type_name, id, slug },
        };
        by.check_permission(staging.workspace(), action, &on, &facts)
    }

    /// Returns true if the entry gets another author than whoever writes it.
    fn sets_author(&self, by: &Requester) -> bool {
        let is_other = self.new.author_id.as_deref().is_some_and(|it| it != by.actor.id);
        match self.old {
            Some(_) => self.changed.iter().any(|it| it == "author_id"),
            None => is_other,
        }
    }

    /// Returns true if the state says what is live already, but for the time and the author of the
    /// change.
    pub(crate) fn is_same(&self) -> bool {
        let Some(live) = &self.live else { return false };
        let mut same = self.file.clone();
        for key in ["updated_at", "updated_by"] {
            match live.map().get(key) {
                Some(value) => set_key(&mut same, key, value.clone()),
                None => _ = same.remove(key),
            }
        }
        is_equivalent(&Json::Object(same), &live.json)
    }

    /// Stages the state. `event` labels the revision of the one that it replaces. Returns the bytes
    /// of the file.
    pub(crate) fn stage(
        self,
        staging: &mut Staging<'_>,
        permit: &Permit,
        (event, by): (RevisionEvent, &str),
    ) -> Result<Vec<u8>> {
        let is_same = self.is_same();
        let now = staging.now();
        let before = self.old.as_ref().map(|it| Publication::of_entry(it).is_public(now));
        let after = Publication::of_entry(&self.new).is_public(now);
        let subject = Subject::Entry {
            type_name: self.place.0.to_string(),
            id: self.place.1.to_string(),
            slug: self.new.slug.clone(),
            status: self.new.status.as_str().to_string(),
            title: self.new.title.clone(),
        };
        let bytes = match &self.live {
            Some(live) if is_same => return Ok(live.bytes.clone()),
            Some(live) => {
                let mut write = staging.write(permit);
                write.label_revisions(event, by);
                let bytes = live.rewrite(self.file);
                write.replace(live, bytes.clone());
                bytes
            }
            None => {
                rename_trashed(staging, permit, &self.place.0, &self.place.1)?;
                let key = Key::of_entry(staging.workspace(), &self.place);
                let content = SummedContent::from_json(Json::Object(self.file));
                let bytes = content.to_vec();
                staging.write(permit).create(&key, content);
                bytes
            }
        };
        for kind in EventKind::for_entry_change(before, Some(after)) {
            staging.write(permit).add_event(kind, subject.clone());
        }
        Ok(bytes)
    }
}

/// Returns the problems of the members of a file that cannot be read as what they should be.
/// Missing ones, and those that were there before, are not judged.
fn find_misshapen(file: &Map, before: &[EntryFinding], findings: &[EntryFinding]) -> FieldProblems {
    let mut problems = FieldProblems::new();
    for finding in findings {
        let key = finding.path.split(['.', '[']).next().unwrap_or_default();
        let is_there = file.get(key).is_some_and(|it| *it != Json::Null);
        let is_same = |it: &EntryFinding| it.path == finding.path && it.message == finding.message;
        if is_there && !before.iter().any(is_same) {
            problems.add(finding.path.as_str(), finding.message.as_str());
        }
    }
    problems
}
