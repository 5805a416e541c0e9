//! The plan of a replication: what one side has to write so that it has the changes of the other.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
pub use crate::app::replication::merge::ConflictWinner;
use crate::app::replication::merge::MergedValue;
use crate::app::replication::merge::merge_file;
use crate::app::replication::shared_names::find_shared_names;
use crate::model::name::TypeName;

/// The path of the folder of schemas below a workspace.
const SCHEMAS: &str = "schemas/";

/// The reason for which a type cannot be removed.
const HAS_ENTRIES: &str = "removed on one side, and has entries of the other";

/// The reason for which a media file cannot be removed.
const HAS_TEXTS: &str = "removed on one side, and has texts of the other";

/// The reason for which an entry cannot be written, whichever side is chosen.
const SAME_NAME: &str = "two entries would have the same slug, or one the id of the other as its \
                         slug";

/// The values of files.
pub type FileValues = BTreeMap<ReplicatedFile, ReplicatedValue>;

/// The direction of a replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The data folder here is written.
    Pull,
    /// The other server is written.
    Push,
}

/// The files of the other server, as far as they are seen.
#[derive(Clone, Debug, Default)]
pub struct RemoteFiles {
    /// The values.
    pub values: FileValues,
    /// The paths below the workspace of what the token may not see: folders, which end with a
    /// slash, and files.
    pub unseen: BTreeSet<String>,
    /// The files that the server sanitized when they were sent, and that nobody changed since.
    pub sanitized: BTreeSet<ReplicatedFile>,
}

impl RemoteFiles {
    /// Returns true if a file that is missing here may be there, for another reader.
    fn may_hide(&self, file: &ReplicatedFile) -> bool {
        let path = file.path();
        let covers = |it: &String| *it == path || it.ends_with('/') && path.starts_with(it);
        if self.unseen.iter().any(covers) {
            return true;
        }
        let ReplicatedFile::Entry(of, _) = file else { return false };
        self.unseen.contains(SCHEMAS)
            && !self.values.contains_key(&ReplicatedFile::Schema(of.clone()))
    }
}

/// A file that is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicationStep {
    /// The file.
    pub file: ReplicatedFile,
    /// The value that it has.
    pub before: Option<ReplicatedValue>,
    /// The value that it gets; `None` if it is removed.
    pub after: Option<ReplicatedValue>,
}

/// A value that both sides changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicationConflict {
    /// The file.
    pub file: ReplicatedFile,
    /// The path of the value in the file; empty if all of the file is in conflict.
    pub field: String,
    /// The reason.
    pub reason: &'static str,
}

impl ReplicationConflict {
    /// Returns true if it is settled by choosing one of the sides.
    pub fn can_be_chosen(&self) -> bool {
        self.reason != SAME_NAME
    }
}

/// The plan of a replication.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationPlan {
    /// The files to write, in order.
    pub steps: Vec<ReplicationStep>,
    /// The conflicts that nobody decided.
    pub conflicts: Vec<ReplicationConflict>,
    /// The files that both sides had and that the token no longer sees. They are left alone.
    pub unseen: Vec<ReplicatedFile>,
}

/// Plans a replication from what both sides had in common, and from what each has.
pub fn plan_replication(
    base: &FileValues,
    local: &FileValues,
    remote: &RemoteFiles,
    direction: Direction,
    winner: Option<ConflictWinner>,
) -> ReplicationPlan {
    let mut plan = ReplicationPlan::default();
    let known = base.keys().chain(local.keys()).chain(remote.values.keys());
    let mut merged: BTreeMap<&ReplicatedFile, MergedValue> = BTreeMap::new();
    for file in known.collect::<BTreeSet<_>>() {
        let (before, ours, theirs) = (base.get(file), local.get(file), remote.values.get(file));
        // What is missing there may only be hidden. A new file is refused if it is there already.
        if theirs.is_none() && before.is_some() && remote.may_hide(file) {
            plan.unseen.push(file.clone());
            continue;
        }
        let is_ours = remote.sanitized.contains(file) && !file.is_same(before, ours);
        let value = match is_ours {
            true => MergedValue::agreed(ours),
            false => merge_file(file, before, ours, theirs),
        };
        merged.insert(file, value);
    }
    settle_removed_groups(&mut merged, [local, &remote.values], winner);
    for (file, value) in &merged {
        if winner.is_none() && !value.conflicts.is_empty() {
            plan.conflicts.extend(value.conflicts.iter().map(|(field, reason)| {
                ReplicationConflict { file: (*file).clone(), field: field.clone(), reason }
            }));
            continue;
        }
        let target = if direction == Direction::Pull { local } else { &remote.values };
        let before = target.get(*file);
        let after = value.choose(winner.unwrap_or(ConflictWinner::Ours));
        if !file.is_same(before, after) {
            let (before, after) = (before.cloned(), after.cloned());
            plan.steps.push(ReplicationStep { file: (*file).clone(), before, after });
        }
    }
    let (source, target) = match direction {
        Direction::Pull => (&remote.values, local),
        Direction::Push => (local, &remote.values),
    };
    refuse_shared_names(&mut plan, source, target);
    plan
}

/// Adds a conflict for each entry that would share its slug with another one.
fn refuse_shared_names(plan: &mut ReplicationPlan, source: &FileValues, target: &FileValues) {
    let written = plan.steps.iter().filter(|it| it.after.is_some());
    let written = written.filter_map(|it| it.file.entry_type());
    let written: BTreeSet<&TypeName> = written.collect();
    let is_judged = |file: &ReplicatedFile| match file {
        ReplicatedFile::Entry(of, _) | ReplicatedFile::Schema(of) => written.contains(of),
        ReplicatedFile::Media(_) | ReplicatedFile::MediaMeta(_) => false,
    };
    let mut files: BTreeMap<&ReplicatedFile, &ReplicatedValue> =
        target.iter().filter(|(file, _)| is_judged(file)).collect();
    for step in plan.steps.iter().filter(|it| is_judged(&it.file)) {
        match &step.after {
            Some(value) => _ = files.insert(&step.file, value),
            None => _ = files.remove(&step.file),
        }
    }
    let shared = find_shared_names(&files, [source, target]).into_iter();
    let conflicts = shared.map(|file| ReplicationConflict {
        file: file.clone(),
        field: "slug".to_string(),
        reason: SAME_NAME,
    });
    plan.conflicts.extend(conflicts);
}

/// Settles that a type goes with all of its entries, and a media file with its metadata. What one
/// side removed and the other changed in part or added to is in conflict as a whole: it becomes
/// what one of the `sides` has, ours or theirs. Without a winner, parts without a conflict are left
/// out.
fn settle_removed_groups(
    merged: &mut BTreeMap<&ReplicatedFile, MergedValue>,
    sides: [&FileValues; 2],
    winner: Option<ConflictWinner>,
) {
    let is_gone = |it: &MergedValue| it.ours.is_none() || it.theirs.is_none();
    let is_left = |file: &ReplicatedFile, it: &MergedValue| {
        !file.is_same(it.ours.as_ref(), None) || !file.is_same(it.theirs.as_ref(), None)
    };
    let gone = merged.iter().filter(|(_, value)| is_gone(value));
    let gone: BTreeSet<&ReplicatedFile> = gone.map(|(file, _)| *file).collect();
    let left = merged.iter().filter(|(file, value)| is_left(file, value));
    let owners = left.map(|(file, _)| file.owner());
    let contested: BTreeSet<ReplicatedFile> = owners.filter(|it| gone.contains(it)).collect();
    for (file, value) in merged.iter_mut().filter(|(file, _)| contested.contains(&file.owner())) {
        let [ours, theirs] = sides.map(|it| it.get(*file).cloned());
        (value.ours, value.theirs) = (ours, theirs);
        let reason = match file {
            ReplicatedFile::Schema(_) => HAS_ENTRIES,
            ReplicatedFile::Media(_) => HAS_TEXTS,
            ReplicatedFile::Entry(..) | ReplicatedFile::MediaMeta(_) => continue,
        };
        if value.conflicts.is_empty() {
            value.conflicts.push((String::new(), reason));
        }
    }
    if winner.is_none() {
        merged.retain(|file, value| {
            !value.conflicts.is_empty() || !contested.contains(&file.owner())
        });
    }
}
