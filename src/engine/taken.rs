//! What becomes of files that changed: those that were written here, and those that somebody else
//! wrote, which are taken over with a revision of what they replaced and an event for everybody.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::PoisonError;

use crate::engine::Engine;
use crate::engine::activity;
use crate::engine::read;
use crate::engine::read::EntryReader;
use crate::engine::refresh::SchemaChange;
use crate::engine::workspace::Workspace;
use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::event::Told;
use crate::model::media::MediaItem;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Change as EntryChange;
use crate::stdx::json::Json;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::commit;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::known::Moment;
use crate::store::lastgood;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load::is_absence;
use crate::store::pack::Withdrawn;
use crate::store::sweep::FileChange;
use crate::store::sweep::Now;
use crate::store::sweep::Reconciler;

/// A file that was written or removed here.
pub(super) enum Learned {
    Wrote(Key, Stat, Sum, Moment),
    Removed(Key),
}

impl Learned {
    /// The path of a file that somebody edited since it was written.
    fn edited_since(&self) -> Option<String> {
        match self {
            Learned::Wrote(key, stat, ..) => (*stat == Stat::default()).then(|| key.path()),
            Learned::Removed(_) => None,
        }
    }
}

/// What the edits of others come to, gathered while they are taken over.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) events: Vec<Event>,
    /// Bodies of entries that were replaced.
    pub(super) replaced: Vec<(Key, Withdrawn)>,
    /// Entries under ids that nobody had, each with the sum of its file.
    pub(super) returned: Vec<(Key, Sum)>,
}

impl Taken {
    /// An entry of which another version was found.
    pub(super) fn entry(
        &mut self,
        ty: &TypeName,
        before: Option<&Doc>,
        after: Option<&Doc>,
        now: Timestamp,
    ) {
        let Some(doc) = after.or(before) else { return };
        let subject = subject(ty, doc);
        let is_public = |doc: Option<&Doc>| doc.map(|it| it.is_public(now));
        for kind in EventKind::of_entry(is_public(before), is_public(after)) {
            self.events.push(Event::on_disk(kind, subject.clone()));
        }
    }
}

impl Taken {
    /// A schema file that was found changed.
    pub(super) fn schema(&mut self, before: Option<&ContentType>, change: &SchemaChange) {
        let (kind, ty) = match (before, change) {
            (_, SchemaChange::None) | (None, SchemaChange::Gone) => return,
            (Some(ty), SchemaChange::Gone) => (EventKind::SchemaDeleted, ty),
            (None, SchemaChange::Now(ty)) => (EventKind::SchemaCreated, &**ty),
            (Some(before), SchemaChange::Now(ty)) if before.sum == ty.sum => return,
            (Some(_), SchemaChange::Now(ty)) => (EventKind::SchemaUpdated, &**ty),
        };
        let subject = Subject::Schema { type_name: ty.name.to_string(), label: ty.label.clone() };
        self.events.push(Event::on_disk(kind, subject));
    }

    /// A media file of which another version was found.
    pub(super) fn media(
        &mut self,
        before: Option<&Arc<MediaItem>>,
        after: Option<&Arc<MediaItem>>,
    ) {
        let (kind, item) = match (before, after) {
            (None, None) => return,
            (None, Some(item)) => (EventKind::MediaUploaded, item),
            (Some(item), None) => (EventKind::MediaDeleted, item),
            (Some(before), Some(item)) if before.is_as_known(item) => return,
            (Some(_), Some(item)) => (EventKind::MediaUpdated, item),
        };
        let subject = Subject::Media { filename: item.filename.to_string() };
        self.events.push(Event::on_disk(kind, subject));
    }
}

/// An entry as events name it.
pub(super) fn subject(ty: &TypeName, doc: &Doc) -> Subject {
    let title = Json::parse(doc.variant(None).title()).ok();
    Subject::Entry {
        type_name: ty.to_string(),
        id: doc.id.to_string(),
        slug: doc.slug.to_string(),
        status: Status::as_str(doc.status).to_string(),
        title: title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string(),
    }
}

impl Engine {
    /// Remembers what a change of ours did to the files, so that it is not found as news.
    pub(super) fn learn(&self, base: Option<&Snapshot>, change: &Change) {
        let mut learned = Vec::new();
        let mut returned = Vec::new();
        let now = Moment::now();
        let ops = change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
        for op in ops {
            match op {
                Op::Create { path, bytes } | Op::Replace { path, bytes, .. } => {
                    self.learn_written(path, bytes, now, &mut learned);
                    match (op, Key::parse(path)) {
                        (Op::Replace { keep: Some(kept), .. }, _) => self.overfull(kept),
                        (Op::Create { .. }, Some(key @ Key::Entry(..))) => {
                            returned.push((key, Sum::of(bytes)));
                        }
                        _ => {}
                    }
                }
                Op::Remove { path } => self.learn_removed(path, &mut learned),
                Op::Rename { from, .. } => self.learn_removed(from, &mut learned),
                Op::RemoveFolder { folder } => {
                    if let Some(Folder::Entries(ws, of)) = Folder::parse(folder)
                        && let Some(index) = base.and_then(|it| it.get(of.as_str()))
                    {
                        for (_, doc) in index.iter() {
                            let key = Key::Entry(ws.clone(), of.clone(), doc.id.clone());
                            self.learn_removed(&key.path(), &mut learned);
                        }
                    }
                }
            }
        }
        let edited: Vec<String> = learned.iter().filter_map(Learned::edited_since).collect();
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).append(&mut learned);
        // Once it is known what was written, so that the edit is seen to differ from it.
        edited.iter().for_each(|path| self.watcher.touch(path));
        self.keep_returned(returned);
    }

    fn learn_written(&self, path: &str, bytes: &[u8], now: Moment, learned: &mut Vec<Learned>) {
        let Some(key) = Key::parse(path).filter(|it| it.folder().is_watched()) else { return };
        let stat = if key.is_json() {
            let read = self.read_body(path).ok().filter(|(found, _)| found == bytes);
            // Written over or removed already: known by a stat that no file has, what is there, or
            // is not, is the edit of somebody else.
            read.map(|(_, stat)| stat).unwrap_or_default()
        } else {
            let Ok(found) = self.disk.stat(path) else { return };
            found.stat
        };
        let sum = Sum::of(bytes);
        if matches!(key, Key::Entry(..) | Key::Schema(..) | Key::Workspace(_) | Key::Categories(_))
        {
            self.keep_body(path, bytes, &stat, sum);
        }
        learned.push(Learned::Wrote(key, stat, sum, now));
    }

    /// A file as it was written just now.
    pub(super) fn as_written(&self, bytes: &[u8]) -> Now {
        let modified_ns = self.clock.now().seconds().saturating_mul(1_000_000_000);
        let stat = Stat { modified_ns, ..Stat::default() };
        Now::Read { sum: Sum::of(bytes), bytes: bytes.to_vec(), stat }
    }

    /// Tells what is wrong with a changed file as far as that shows without its content.
    pub(super) fn note(&self, change: &FileChange) {
        let problems = match &change.now {
            Now::Unreadable(problem) => vec![problem.clone()],
            Now::Seen(_) | Now::Missing => Vec::new(),
            // Whoever makes something of the content tells what is wrong with it.
            Now::Read { .. } => return,
        };
        self.problems.set(&change.path, problems, self.clock.now());
    }

    /// Remembers which of these files are there no longer.
    pub(super) fn learn_gone<'p>(&self, paths: impl Iterator<Item = &'p str>) {
        let mut learned = Vec::new();
        let is_gone = |it: &&str| self.disk.stat(it).is_err_and(|error| is_absence(&error));
        for path in paths.filter(is_gone) {
            self.learn_removed(path, &mut learned);
        }
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).append(&mut learned);
    }

    fn learn_removed(&self, path: &str, learned: &mut Vec<Learned>) {
        let Some(key) = Key::parse(path).filter(|it| it.folder().is_watched()) else { return };
        if let Some(pack) = &self.pack {
            pack.remove(path);
        }
        self.problems.set(path, Vec::new(), self.clock.now());
        learned.push(Learned::Removed(key));
    }

    /// Tells the reconciler what was written here since it was told last.
    pub(super) fn hand_over(&self, reconciler: &mut Reconciler) {
        let learned =
            std::mem::take(&mut *self.learned.lock().unwrap_or_else(PoisonError::into_inner));
        for one in learned {
            match one {
                Learned::Wrote(key, stat, sum, now) => reconciler.wrote(&key, stat, sum, now),
                Learned::Removed(key) => reconciler.removed(&key),
            }
        }
    }

    /// The snapshot after a change of one entry; nothing, when it changes nothing that is served.
    pub(super) fn with_plain(&self, base: &Snapshot, change: &Change) -> Option<Arc<Snapshot>> {
        let op = change.steps.first()?;
        let (path, bytes) = match op {
            Op::Create { path, bytes } | Op::Replace { path, bytes, .. } => (path, Some(bytes)),
            Op::Rename { from: path, .. } | Op::Remove { path } => (path, None),
            Op::RemoveFolder { .. } => return None,
        };
        let Some(Key::Entry(ws, of, id)) = Key::parse(path) else { return None };
        let index = base.get(of.as_str())?;
        let now = self.clock.now();
        let media_base = read::media_base(&self.base_url, &ws);
        let reader = EntryReader { ty: &index.content_type, media_base: &media_base, now };
        let doc = match bytes {
            // What is written here says its times itself.
            Some(bytes) => {
                let stat = Stat {
                    modified_ns: now.seconds().saturating_mul(1_000_000_000),
                    ..Stat::default()
                };
                let read = reader.doc(&id, path, bytes, &stat);
                self.problems.set(path, read.problems, now);
                Some(read.value?)
            }
            None => None,
        };
        let next = index.with(&[EntryChange { id, doc }], now);
        Some(Arc::new(base.with_types(vec![next], self.next_version())))
    }

    /// Takes a file over as it is now: somebody edited it, and that comes first. For whoever has the
    /// workspace's turn.
    pub(super) fn take_in(&self, workspace: &Workspace, path: &str) {
        let Some(key) = Key::parse(path) else { return };
        if let Some(change) = self.look_at(key, path) {
            self.take_over_outside(workspace, vec![change], &Default::default());
        }
    }

    /// Gives what happened its place and time, and tells it.
    pub(super) fn tell(&self, ws: &WorkspaceSlug, events: Vec<Event>) {
        self.tell_all(Some(ws), events);
    }

    /// The same for what concerns no workspace.
    pub fn tell_system(&self, events: Vec<Event>) {
        self.tell_all(None, events);
    }

    fn tell_all(&self, ws: Option<&WorkspaceSlug>, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let at = self.clock.now();
        let told = |event| {
            Arc::new(Told { id: self.new_id().to_string(), at, workspace: ws.cloned(), event })
        };
        let told: Vec<Arc<Told>> = events.into_iter().map(told).collect();
        if !self.read_only
            && let Err(error) = activity::append(&*self.disk, &told)
        {
            tracing::warn!(%error, "the activity log cannot be written");
        }
        self.post(&told);
        self.feed.push(told);
    }

    /// Keeps replaced bodies of edits by hand as revisions, where nobody waits for it.
    pub(super) fn keep_replaced(self: &Engine, replaced: Vec<(Key, Withdrawn)>) {
        if replaced.is_empty() || self.revisions_kept_max() == 0 || self.read_only {
            return;
        }
        let mut changes = Vec::with_capacity(replaced.len());
        for (key, body) in replaced {
            changes.extend(self.disk_revision(&key).map(|path| (path, body)));
        }
        let disk = self.disk.clone();
        self.errands.add(move || {
            for some in changes.chunks(512) {
                write_revisions(&*disk, some);
            }
        });
    }

    /// Ids that are used again: what is kept of the entries that had them, which somebody deleted by
    /// hand, becomes a revision of those that have them now, where nobody waits for it.
    pub(super) fn keep_returned(&self, returned: Vec<(Key, Sum)>) {
        if returned.is_empty() || self.revisions_kept_max() == 0 || self.read_only {
            return;
        }
        let revisions: Vec<(String, Sum, String)> = returned
            .into_iter()
            .filter_map(|(key, sum)| {
                let path = key.path();
                let is_awaited =
                    self.errands.is_busy() || lastgood::find(&*self.disk, &path).is_some();
                Some((path, sum, self.disk_revision(&key)?)).filter(|_| is_awaited)
            })
            .collect();
        if revisions.is_empty() {
            return;
        }
        let disk = self.disk.clone();
        self.errands.add(move || {
            for (path, sum, revision) in revisions {
                keep_last(&*disk, &path, sum, &revision);
            }
        });
    }

    /// Where the body of an entry that was edited by hand is kept.
    fn disk_revision(&self, key: &Key) -> Option<String> {
        let Key::Entry(ws, of, id) = key else { return None };
        let name = RevisionName { id: self.new_id(), event: Some(RevisionEvent::Disk), by: None };
        let copy = Copy::first(id.clone());
        let path = Key::Revision(ws.clone(), of.clone(), copy, name.to_id()).path();
        self.overfull(&path);
        Some(path)
    }

    fn overfull(&self, revision: &str) {
        if self.revisions_kept_max() > 0 {
            let folder = crate::store::disk::parent(revision).to_string();
            self.overfull.lock().unwrap_or_else(PoisonError::into_inner).insert(folder);
        }
    }

    /// Removes the oldest revisions of entries that have too many.
    pub(super) fn prune_revisions(&self) {
        let folders: BTreeSet<String> =
            std::mem::take(&mut *self.overfull.lock().unwrap_or_else(PoisonError::into_inner));
        let Ok(most) = usize::try_from(self.revisions_kept_max()) else { return };
        for folder in folders {
            let Some(place) = Folder::parse(&folder) else { continue };
            let Ok(listing) = self.disk.list(&folder) else { continue };
            // Their names sort by time. What is not ours is left alone.
            let ours = listing.items.iter().filter(|it| place.file(&it.name).ours().is_some());
            let too_many = ours.clone().count().saturating_sub(most);
            for item in ours.take(too_many) {
                if let Err(error) = self.disk.remove(&format!("{folder}/{}", item.name)) {
                    tracing::warn!(%error, folder, "an old revision cannot be removed");
                    break;
                }
            }
        }
    }
}

/// The bytes that a change leaves at a path.
pub(super) fn written<'c>(change: &'c Change, path: &str) -> Option<&'c [u8]> {
    let ops = change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
    ops.rev().find_map(|op| match op {
        Op::Create { path: it, bytes } | Op::Replace { path: it, bytes, .. } if it == path => {
            Some(bytes.as_slice())
        }
        _ => None,
    })
}

/// Moves the last body of a deleted file to a revision, unless the file says the same again.
fn keep_last(disk: &dyn Disk, path: &str, sum: Sum, revision: &str) {
    let Some(kept) = lastgood::find(disk, path) else { return };
    let mut bytes = Vec::new();
    if disk.read(&kept, &mut bytes).is_err() || Sum::of(&bytes) == sum {
        return;
    }
    let rename = Op::Rename { from: kept, to: revision.to_string() };
    let change = Change { steps: vec![rename], ..Change::default() };
    if let Err(outcome) = commit::write(disk, &[change]) {
        tracing::warn!(?outcome, "what was deleted by hand is no revision of what has its id now");
    }
}

fn write_revisions(disk: &dyn Disk, revisions: &[(String, Withdrawn)]) {
    let change = |(path, body): &(String, Withdrawn)| {
        let create = Op::Create { path: path.clone(), bytes: body.read()? };
        Some(Change { steps: vec![create], ..Change::default() })
    };
    let changes: Vec<Change> = revisions.iter().filter_map(change).collect();
    if let Err(outcome) = commit::write(disk, &changes) {
        tracing::warn!(?outcome, "what was edited by hand is not kept as it was");
    }
}
