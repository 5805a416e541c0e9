//! The former names of media files: names in old revisions, of files renamed or deleted since.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::media::rename::replace_addresses;
use crate::model::entry::entry_file;
use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::name::Filename;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The former names of the files of a workspace.
pub(crate) struct FormerNames<'s> {
    snapshot: &'s Snapshot,
    base_url: &'s str,
    /// The files that had a name, each with the time until which it had it.
    renamed: HashMap<&'s str, Vec<(Timestamp, &'s Filename)>>,
}

impl<'s> FormerNames<'s> {
    /// Collects the former names of the files of a snapshot.
    pub(crate) fn from_snapshot(snapshot: &'s Snapshot, base_url: &'s str) -> FormerNames<'s> {
        let mut renamed: HashMap<&str, Vec<(Timestamp, &Filename)>> = HashMap::new();
        for item in snapshot.media.iter() {
            for former in &item.renamed {
                let files = renamed.entry(former.name.as_str()).or_default();
                files.push((former.until, &item.filename));
            }
        }
        FormerNames { snapshot, base_url, renamed }
    }

    /// Updates the media references in the file of an entry to current names. `replaced_at` is the
    /// time at which this state was replaced, if known. Returns the names of files that no longer
    /// exist; references to them stay.
    pub(crate) fn update_references(
        &self,
        fields: &Fields,
        file: &mut Map,
        replaced_at: Option<Timestamp>,
    ) -> BTreeSet<String> {
        let mut gone = BTreeSet::new();
        let mut today = |name: &str| match self.current_name(name, replaced_at) {
            Some(now) => (now.as_str() != name).then(|| now.to_string()),
            None => {
                gone.insert(name.to_string());
                None
            }
        };
        entry_file::redirect_references(fields, file, &mut |reference| match reference {
            Reference::Media(name) => today(name),
            Reference::Entry { .. } => None,
        });
        let search = MediaUrlFinder::for_workspace(&self.snapshot.workspace);
        entry_file::rewrite_texts(file, &mut |text| {
            replace_addresses(&search, text, self.base_url, &mut today)
        });
        gone
    }

    /// Returns the file that had a name when the state was replaced: the one that was renamed first
    /// after that time. Otherwise returns the file that has the name now, or the last one that had
    /// it.
    fn current_name(&self, name: &str, replaced_at: Option<Timestamp>) -> Option<&'s Filename> {
        let renamed = self.renamed.get(name).map(Vec::as_slice).unwrap_or_default();
        let then = renamed.iter().filter(|it| replaced_at.is_some_and(|at| it.0 >= at));
        let then = then.min_by_key(|it| it.0).map(|it| it.1);
        let now = || self.snapshot.media.get(name).map(|it| &it.filename);
        let last = || renamed.iter().max_by_key(|it| it.0).map(|it| it.1);
        let in_other_case = || {
            let mut files = self.snapshot.media.iter().map(|it| &it.filename);
            files.find(|it| it.eq_ignore_ascii_case(name))
        };
        then.or_else(now).or_else(last).or_else(in_other_case)
    }
}

/// Returns the warnings about missing files that restored content refers to.
pub(crate) fn missing_file_warnings(gone: BTreeSet<String>) -> Vec<String> {
    let warning = |name: String| format!("{name}: This media file no longer exists.");
    gone.into_iter().map(warning).collect()
}
