//! Files by the names that they had when a revision was made: renamed since, or gone.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::media::rename::with_addresses;
use crate::model::entry_file;
use crate::model::field::Fields;
use crate::model::field::Reference;
use crate::model::name::Filename;
use crate::query::media_uses::Search;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The names that the files of a workspace had at a time.
pub(in crate::app) struct FormerNames<'s> {
    snapshot: &'s Snapshot,
    base_url: &'s str,
    /// When the state was replaced that is looked at; none, when nobody knows.
    replaced_at: Option<Timestamp>,
    /// Files by names they had, with the time until when.
    renamed: HashMap<&'s str, Vec<(Timestamp, &'s Filename)>>,
}

impl<'s> FormerNames<'s> {
    /// The names at the time of a state that was replaced at `replaced_at`.
    pub(in crate::app) fn of(
        snapshot: &'s Snapshot,
        base_url: &'s str,
        replaced_at: Option<Timestamp>,
    ) -> FormerNames<'s> {
        let mut renamed: HashMap<&str, Vec<(Timestamp, &Filename)>> = HashMap::new();
        for item in snapshot.media.iter() {
            for former in &item.renamed {
                let files = renamed.entry(former.name.as_str()).or_default();
                files.push((former.until, &item.filename));
            }
        }
        FormerNames { snapshot, base_url, replaced_at, renamed }
    }

    /// Points what the file of an entry refers to to the names of today. Gives the names of files
    /// that are not there any more; what refers to them stays.
    pub(in crate::app) fn follow(&self, fields: &Fields, file: &mut Map) -> BTreeSet<String> {
        let mut gone = BTreeSet::new();
        let mut today = |name: &str| match self.today(name) {
            Some(now) => (now.as_str() != name).then(|| now.to_string()),
            None => {
                gone.insert(name.to_string());
                None
            }
        };
        entry_file::redirect(fields, file, &mut |reference| match reference {
            Reference::Media(name) => today(name),
            Reference::Entry(..) => None,
        });
        let search = Search::of(&self.snapshot.workspace);
        entry_file::rewrite_texts(file, &mut |text| {
            with_addresses(&search, text, self.base_url, &mut today)
        });
        gone
    }

    /// The file that had a name: the one that had it until a time after the state was replaced, the
    /// first such. Else the one that has it now, or was the last to have it.
    fn today(&self, name: &str) -> Option<&'s Filename> {
        let renamed = self.renamed.get(name).map(Vec::as_slice).unwrap_or_default();
        let then = renamed.iter().filter(|it| self.replaced_at.is_some_and(|at| it.0 >= at));
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
