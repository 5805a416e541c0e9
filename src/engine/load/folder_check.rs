//! The check of a whole data folder: everything that loading finds, and what only shows when values
//! are judged by their fields and references are followed.

use std::collections::HashSet;

use crate::engine::folder::OpenFolder;
use crate::engine::load::broken_files::BrokenFiles;
use crate::engine::load::change_check::check_changes;
use crate::engine::load::kept_files_check::check_kept_files;
use crate::engine::load::loader::Loader;
use crate::engine::load::loader::entry_id;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files::missing_default_problem;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::field::Reference;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::time::Timestamp;
use crate::store::data_folder::DataFolder;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;
use crate::store::read::media_sketches::MediaSketches;
use crate::store::read::media_sums::MediaSums;
use crate::store::write::orphaned_revisions;

/// Everything that is wrong in a data folder, by path and place.
pub fn check_folder(places: &DataFolder, now: Timestamp) -> Result<Vec<Problem>, StoreError> {
    let disk = OsDisk::open_places(places)?;
    let (sums, sketches) = (MediaSums::in_memory(), MediaSketches::in_memory());
    let loader = Loader {
        disk: &disk,
        pack: None,
        rendered: None,
        sums: &sums,
        sketches: &sketches,
        base_url: "",
        now,
    };
    let loaded = loader.load_folder()?;
    let mut problems = loaded.problems;
    problems.extend(loaded.known.list_problems());
    let broken = BrokenFiles::from_problems(&problems);
    problems.retain(|it| !broken.explains(it));
    let is_active = |slug: &WorkspaceSlug| {
        loaded.snapshots.iter().any(|it| it.workspace == *slug && !it.meta.archived)
    };
    problems.extend(missing_default_problem(loaded.installation.settings(), is_active));
    let mut found = Vec::new();
    for snapshot in &loaded.snapshots {
        found.extend(check_workspace(&loader, snapshot, &broken));
        // Nothing is known of the files of a format that is not.
        if snapshot.meta.unsupported.is_none() {
            found.extend(check_kept_files(&loader, &snapshot.workspace));
        }
    }
    match find_orphan_revisions(&disk) {
        Ok(orphans) => found.extend(orphans),
        Err(StoreError::Io { path, source, .. }) => {
            found.push(load::unreadable_folder(path, &source));
        }
        Err(error) => return Err(error),
    }
    add_problems(&mut problems, found);
    problems.sort_by(|a, b| {
        (&a.path, a.line, a.column, &a.message).cmp(&(&b.path, b.line, b.column, &b.message))
    });
    problems.dedup();
    Ok(problems)
}

/// Checks the values and references of a workspace: what only shows when every entry is read once
/// more, which takes a while.
pub(crate) fn check_values(folder: &OpenFolder, snapshot: &Snapshot) -> Vec<Problem> {
    let broken = BrokenFiles::from_paths(folder.problems.list_blocked());
    check_workspace(&Loader::of_folder(folder), snapshot, &broken)
}

fn check_workspace(loader: &Loader<'_>, snapshot: &Snapshot, broken: &BrokenFiles) -> Vec<Problem> {
    let mut problems = validate_entries(loader, snapshot, broken);
    problems.extend(find_slug_conflicts(loader, snapshot));
    problems.extend(check_changes(snapshot, broken));
    problems
}

/// Adds problems, but not those of files in a folder that is known to be unreadable.
fn add_problems(problems: &mut Vec<Problem>, found: Vec<Problem>) {
    let unreadable = problems.iter().filter(|it| it.kind == ProblemKind::Unreadable);
    let hidden: Vec<String> = unreadable.map(|it| format!("{}/", it.path)).collect();
    let is_hidden = |it: &Problem| {
        let is_inside = hidden.iter().any(|folder| it.path.starts_with(folder.as_str()));
        is_inside && it.kind == ProblemKind::Unreadable
    };
    problems.extend(found.into_iter().filter(|it| !is_hidden(it)));
}

/// Revisions that no entry or media file has any more.
fn find_orphan_revisions(disk: &OsDisk) -> Result<Vec<Problem>, StoreError> {
    let problem = |folder: Folder| {
        let message = match folder {
            Folder::MediaRevisions(..) => "There is no such media file: these are its revisions.",
            _ => "There is no such entry, nor is it in the trash: these are its revisions.",
        };
        let message = format!("{message} `recto check --remove-orphans` removes them for good.");
        Problem::new(ProblemKind::OrphanRevisions, folder.path(), message)
    };
    Ok(orphaned_revisions::find_orphans(disk)?.into_iter().map(problem).collect())
}

/// Reads every entry once more and judges its values. Loading has told which folders cannot be
/// listed.
fn validate_entries(
    loader: &Loader<'_>,
    snapshot: &Snapshot,
    broken: &BrokenFiles,
) -> Vec<Problem> {
    let ws = &snapshot.workspace;
    let media_base = file_parser::media_base("", ws);
    let media: HashSet<&str> = snapshot.media.iter().map(|it| it.filename.as_str()).collect();
    let there = KnownTargets { snapshot, media: &media, broken };
    let mut problems = Vec::new();
    for index in snapshot.types() {
        let ty = &index.content_type;
        let reader = EntryReader { ty, media_base: &media_base, now: loader.now };
        let folder = Folder::Entries(ws.clone(), ty.name.clone());
        let files: Vec<_> = load::scan_listable(loader.disk, &[folder]).into_files().collect();
        let found = loader.read_files(&files, |file, bytes, stat| {
            let Some(id) = entry_id(file) else {
                return ReadFile { value: None, problems: Vec::new() };
            };
            let read = reader.parse_entry(id, &file.path(), bytes, stat, |entry, findings| {
                entry.check_values(ty, findings);
                find_dangling_references(&there, ty, entry, findings);
            });
            ReadFile { value: Some(()), problems: read.problems }
        });
        problems.extend(found.into_iter().flat_map(|(_, it)| it.problems));
    }
    problems
}

/// The places that references may lead to.
struct KnownTargets<'a> {
    snapshot: &'a Snapshot,
    media: &'a HashSet<&'a str>,
    broken: &'a BrokenFiles,
}

/// References to entries and files that are not there.
fn find_dangling_references(
    there: &KnownTargets<'_>,
    ty: &ContentType,
    entry: &Entry,
    findings: &mut Vec<EntryFinding>,
) {
    entry.visit_references(ty, &mut |path, reference| {
        let (kind, message) = match reference {
            Reference::Entry { target, id, .. }
                if there.broken.knows_entry(there.snapshot, target, id) =>
            {
                return;
            }
            Reference::Entry { target, id, .. } => {
                (ProblemKind::DanglingRelation, format!("There is no entry `{id}` in `{target}`."))
            }
            Reference::Media(name) if there.media.contains(name) => return,
            Reference::Media(name) => {
                (ProblemKind::MissingMedia, format!("There is no media file `{name}`."))
            }
        };
        findings.push(EntryFinding { kind, path: path.to_string(), message });
    });
}

/// Slugs that several entries of a type claim.
fn find_slug_conflicts(loader: &Loader<'_>, snapshot: &Snapshot) -> Vec<Problem> {
    let mut problems = Vec::new();
    for index in snapshot.types() {
        let ty = &index.content_type.name;
        for (slug, claimants) in index.contested_slugs() {
            let Some((owner, others)) = claimants.split_first() else { continue };
            for other in others {
                let key = Key::Entry(snapshot.workspace.clone(), ty.clone(), other.to_id());
                let message = format!(
                    "The slug `{slug}` belongs to `{}`; this entry can be found by its id only.",
                    owner.id()
                );
                let (path, mut bytes) = (key.path(), Vec::new());
                // A file that cannot be read now has no place to show; that is told elsewhere.
                let _ = loader.disk.read(&path, &mut bytes);
                let found = FieldProblems::from_problem("slug", message);
                problems.extend(file_parser::locate_defects(
                    &path,
                    &bytes,
                    ProblemKind::DuplicateSlug,
                    &found,
                ));
            }
        }
    }
    problems
}
