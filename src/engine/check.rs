//! Looks a whole data folder over: everything that loading finds, and what only shows when values
//! are judged by their fields and references are followed.

use std::collections::HashSet;
use std::path::Path;

use crate::engine::Engine;
use crate::engine::load::Loader;
use crate::engine::load::entry_id;
use crate::engine::read;
use crate::engine::read::EntryReader;
use crate::engine::read::ReadFile;
use crate::engine::workspaces::missing_default;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::Finding;
use crate::model::field::Reference;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::snapshot::Snapshot;
use crate::stdx::time::Timestamp;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::media_sums::MediaSums;
use crate::store::orphans;

/// Everything that is wrong in a data folder, by path and place.
pub fn check(root: &Path, now: Timestamp) -> Result<Vec<Problem>, StoreError> {
    let disk = OsDisk::open(root).map_err(StoreError::io("open", root.display().to_string()))?;
    let sums = MediaSums::in_memory();
    let loader = Loader { disk: &disk, pack: None, sums: &sums, base_url: "", now };
    let loaded = loader.load()?;
    let mut problems = loaded.problems;
    problems.extend(loaded.known.problems());
    let is_active = |slug: &WorkspaceSlug| {
        loaded.snapshots.iter().any(|it| it.workspace == *slug && !it.meta.archived)
    };
    problems.extend(missing_default(loaded.installation.settings(), is_active));
    for snapshot in &loaded.snapshots {
        problems.extend(judge(&loader, snapshot)?);
        problems.extend(contested(&loader, snapshot));
    }
    problems.extend(orphan_revisions(&disk)?);
    problems.sort_by(|a, b| {
        (&a.path, a.line, a.column, &a.message).cmp(&(&b.path, b.line, b.column, &b.message))
    });
    problems.dedup();
    Ok(problems)
}

impl Engine {
    /// What is wrong with the values and references of a workspace: what only shows when every entry
    /// is read once more, which takes a while.
    pub fn check_values(&self, snapshot: &Snapshot) -> Result<Vec<Problem>, StoreError> {
        let loader = self.loader();
        let mut problems = judge(&loader, snapshot)?;
        problems.extend(contested(&loader, snapshot));
        Ok(problems)
    }
}

/// Revisions that no entry has any more.
fn orphan_revisions(disk: &OsDisk) -> Result<Vec<Problem>, StoreError> {
    let problem = |folder: Folder| {
        let message = "There is no such entry, nor is it in the trash: these are its revisions. \
                       `recto check --remove-orphans` removes them for good.";
        Problem::new(ProblemKind::OrphanRevisions, folder.path(), message)
    };
    Ok(orphans::find(disk)?.into_iter().map(problem).collect())
}

/// Reads every entry once more and judges its values.
fn judge(loader: &Loader<'_>, snapshot: &Snapshot) -> Result<Vec<Problem>, StoreError> {
    let ws = &snapshot.workspace;
    let media_base = read::media_base("", ws);
    let media: HashSet<&str> = snapshot.media.iter().map(|it| it.filename.as_str()).collect();
    let mut problems = Vec::new();
    for index in snapshot.types() {
        let ty = &index.content_type;
        let reader = EntryReader { ty, media_base: &media_base, now: loader.now };
        let folder = Folder::Entries(ws.clone(), ty.name.clone());
        let files = load::scan(loader.disk, &[folder])?.files;
        let found = loader.read(&files, |file, bytes, stat| {
            let Some(id) = entry_id(file) else {
                return ReadFile { value: None, problems: Vec::new() };
            };
            let read = reader.entry(id, &file.path(), bytes, stat, |entry, findings| {
                entry.check(ty, findings);
                dangling(snapshot, &media, ty, entry, findings);
            });
            ReadFile { value: Some(()), problems: read.problems }
        });
        problems.extend(found.into_iter().flat_map(|(_, it)| it.problems));
    }
    Ok(problems)
}

/// References to entries and files that are not there.
fn dangling(
    snapshot: &Snapshot,
    media: &HashSet<&str>,
    ty: &ContentType,
    entry: &Entry,
    findings: &mut Vec<Finding>,
) {
    entry.references(ty, &mut |path, reference| {
        let (kind, message) = match reference {
            Reference::Entry(target, id) => {
                let index = snapshot.get(target.as_str());
                if index.is_some_and(|it| it.ordinal(id).is_some()) {
                    return;
                }
                (ProblemKind::DanglingRelation, format!("There is no entry `{id}` in `{target}`."))
            }
            Reference::Media(name) if media.contains(name) => return,
            Reference::Media(name) => {
                (ProblemKind::MissingMedia, format!("There is no media file `{name}`."))
            }
        };
        findings.push(Finding { kind, path: path.to_string(), message });
    });
}

/// Slugs that several entries of a type claim.
fn contested(loader: &Loader<'_>, snapshot: &Snapshot) -> Vec<Problem> {
    let mut problems = Vec::new();
    for index in snapshot.types() {
        let ty = &index.content_type.name;
        for (slug, claimants) in index.contested_slugs() {
            let Some((owner, others)) = claimants.split_first() else { continue };
            for other in others {
                let key = Key::Entry(snapshot.workspace.clone(), ty.clone(), other.id.clone());
                let message = format!(
                    "The slug `{slug}` belongs to `{}`; this entry is reached by its id.",
                    owner.id
                );
                let (path, mut bytes) = (key.path(), Vec::new());
                // A file that cannot be read now has no place to show; that is told elsewhere.
                let _ = loader.disk.read(&path, &mut bytes);
                let found = FieldProblems::one("slug", message);
                problems.extend(read::located(&path, &bytes, ProblemKind::DuplicateSlug, &found));
            }
        }
    }
    problems
}
