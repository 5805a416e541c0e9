//! Content that an export cannot show: its file is broken, and no good version of it is known. What
//! an earlier export wrote of it stays until the file is mended.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::App;
use crate::cli::export::addresses::Address;
use crate::cli::export::addresses::ExportSubject;
use crate::model::content_type::ContentType;
use crate::model::problem::Problem;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::url_encoding::encode_segment;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The content of a workspace that is there and cannot be read.
#[derive(Debug, Default)]
pub(super) struct UnreadContent {
    /// The reasons, by the path of the file or folder.
    pub(super) reasons: BTreeMap<String, String>,
    /// True if anything in the workspace may be missing.
    is_anything: bool,
    /// The types of which everything is missing.
    types: BTreeSet<String>,
    /// The ids of the entries that are missing, by their type.
    entries: BTreeMap<String, BTreeSet<String>>,
    /// The paths of the media files of which nobody knows who may see them.
    media: BTreeSet<String>,
    /// The types with relations to missing entries.
    referrers: BTreeSet<String>,
}

impl UnreadContent {
    /// Finds what a reader without a token may miss in a workspace.
    pub(super) fn find(app: &App, snapshot: &Snapshot) -> UnreadContent {
        let mut unread = UnreadContent::default();
        for known in app.engine.problems().list() {
            let problem = known.problem;
            if problem.kind.blocks_loading() && unread.add(snapshot, &problem.path) {
                let reason = describe(&problem);
                unread.reasons.insert(problem.path, reason);
            }
        }
        let types = snapshot.types().iter().map(|it| &*it.content_type);
        let refers = |it: &&ContentType| {
            it.relation_targets.iter().any(|target| unread.lacks_entries(target.as_str()))
        };
        unread.referrers = types.filter(refers).map(|it| it.name.to_string()).collect();
        unread
    }

    /// Adds what is in a file or folder that cannot be read. Returns false if nothing is missing
    /// because of it.
    fn add(&mut self, snapshot: &Snapshot, path: &str) -> bool {
        let ws = &snapshot.workspace;
        match Key::parse(path) {
            Some(Key::Entry(of, name, id)) if of == *ws => {
                let index = snapshot.get(name.as_str()).filter(|it| !it.content_type.private);
                let is_missing = index.is_some_and(|it| it.find_ordinal(id.as_str()).is_none());
                if is_missing {
                    self.entries.entry(name.to_string()).or_default().insert(id.to_string());
                }
                is_missing
            }
            Some(Key::Schema(of, name)) if of == *ws => {
                snapshot.get(name.as_str()).is_none() && self.types.insert(name.to_string())
            }
            Some(Key::MediaMeta(of, name)) if of == *ws => {
                let name = encode_segment(&name);
                self.media
                    .extend([format!("/media/{ws}/{name}"), format!("/media-thumbs/{ws}/{name}")]);
                true
            }
            Some(Key::Workspace(of)) if of == *ws => {
                self.is_anything |= snapshot.meta.unsupported.is_some();
                snapshot.meta.unsupported.is_some()
            }
            Some(_) => false,
            None => self.add_folder(snapshot, path),
        }
    }

    fn add_folder(&mut self, snapshot: &Snapshot, path: &str) -> bool {
        let ws = &snapshot.workspace;
        match Folder::parse(path) {
            Some(Folder::Entries(of, name)) if of == *ws => {
                let index = snapshot.get(name.as_str()).filter(|it| !it.content_type.private);
                index.is_some() && self.types.insert(name.to_string())
            }
            Some(
                Folder::Workspace(of)
                | Folder::Schemas(of)
                | Folder::Contents(of)
                | Folder::Media(of)
                | Folder::MediaMeta(of),
            ) if of == *ws => {
                self.is_anything = true;
                true
            }
            _ => false,
        }
    }

    /// Returns true if nothing is missing.
    pub(super) fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Returns true if entries of a type are missing.
    fn lacks_entries(&self, name: &str) -> bool {
        self.types.contains(name) || self.entries.contains_key(name)
    }

    /// Returns true if something is missing in what is found at an address.
    pub(super) fn is_missing_in(&self, address: &Address) -> bool {
        if self.is_empty() || self.is_anything {
            return self.is_anything;
        }
        match &address.subject {
            ExportSubject::Entry(name) => self.referrers.contains(name),
            ExportSubject::List(name, expands) => {
                *expands || self.lacks_entries(name) || self.referrers.contains(name)
            }
            ExportSubject::File => false,
            ExportSubject::Other => true,
        }
    }

    /// Returns true if missing content was at an address of an earlier export, whose file `read`
    /// returns.
    pub(super) fn was_at(
        &self,
        workspace: &str,
        target: &str,
        read: impl FnOnce() -> Option<Vec<u8>>,
    ) -> bool {
        if self.is_empty() || self.is_anything {
            return self.is_anything;
        }
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        if self.media.contains(path) {
            return true;
        }
        let root = format!("/api/v1/workspaces/{workspace}/");
        let mut names = path.strip_prefix(&root).unwrap_or_default().split('/');
        let (Some(kind), Some(name)) = (names.next(), names.next()) else { return false };
        if self.types.contains(name) {
            return matches!(kind, "content" | "content-types" | "feeds" | "views");
        }
        if kind == "views" && self.lacks_entries(name) {
            // A page that is empty without the missing entries.
            return true;
        }
        let ids = self.entries.get(name).filter(|_| kind == "content" && names.next().is_some());
        ids.is_some_and(|ids| {
            let answer = read().and_then(|it| serde_json::from_slice(&it).ok());
            let answer: serde_json::Value = answer.unwrap_or_default();
            answer["data"]["id"].as_str().is_some_and(|it| ids.contains(it))
        })
    }

    /// Returns true if a former address of an entry may be one of a missing entry.
    pub(super) fn may_have_moved(&self, workspace: &str, path: &str) -> bool {
        let root = format!("/api/v1/workspaces/{workspace}/content/");
        let name = path.strip_prefix(&root).and_then(|it| it.split('/').next());
        self.is_anything || name.is_some_and(|it| self.lacks_entries(it))
    }
}

fn describe(problem: &Problem) -> String {
    let line = problem.line.map(|it| format!("line {it}: ")).unwrap_or_default();
    format!("{line}{}", problem.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_was_at_an_address() {
        let mut unread = UnreadContent::default();
        unread.reasons.insert("a.json".to_string(), "broken".to_string());
        unread.types.insert("pages".to_string());
        unread.entries.entry("posts".to_string()).or_default().insert("a".to_string());
        unread.media.insert("/media/default/a%20b.jpg".to_string());
        let check = |target: &str, id: &str, expect: bool| {
            let answer = serde_json::json!({ "data": { "id": id } }).to_string();
            let found = unread.was_at("default", target, || Some(answer.into_bytes()));
            assert_eq!(found, expect, "{target} with {id}");
        };
        let at = |path: &str| format!("/api/v1/workspaces/default/{path}");
        for path in
            ["content/pages", "content/pages/x?locale=de", "views/pages/new", "content-types/pages"]
        {
            check(&at(path), "x", true);
        }
        check(&at("content/posts/some-slug"), "a", true);
        check(&at("content/posts/some-slug?locale=de"), "a", true);
        check(&at("content/posts/b"), "b", false);
        check(&at("content/posts"), "a", false);
        check(&at("views/posts/new?page=2"), "", true);
        check(&at("views/others/new?page=2"), "", false);
        check(&at("content/others/a"), "a", false);
        check(&at("bundle"), "a", false);
        check("/media/default/a%20b.jpg?w=64", "", true);
        check("/media/default/a.jpg", "", false);
        check("/api/v1/workspaces/shop/content/pages/x", "x", false);
        assert!(!UnreadContent::default().was_at("default", &at("content/pages"), || None));
    }
}
