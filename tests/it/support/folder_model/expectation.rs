//! What the model of hand edits expects to see: what a new engine sees, with what was in order once
//! in the place of what is broken.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use recto::model::content_type::ContentType;
use recto::model::problem::ProblemKind;
use recto::model::workspace::WorkspaceMeta;
use recto::stdx::json::Json;
use recto::store::codec;
use recto::store::layout::Key;

use crate::support::folder;
use crate::support::folder::Picture;
use crate::support::folder_model::Model;
use crate::support::folder_model::WS;
use crate::support::folder_model::random_files::queries;

impl Model {
    /// What a new engine sees and tells. It knows nothing of what was in order once, so that is put
    /// in the place of what is broken: first definitions, by which entries are read, then entries.
    pub(crate) fn expected(&self) -> (Picture, Vec<(String, ProblemKind)>) {
        let clock = self.clock();
        let fresh = folder::fresh(self.data.root(), &clock);
        let told = folder::problems(&fresh);
        let broken: Vec<&String> = self.good.keys().filter(|it| !self.is_good(it)).collect();
        let about = format!("{WS}/workspace.json");
        let is_hidden = self.was_without_file
            && !self.good.contains_key(&about)
            && self.data.at(&about).symlink_metadata().is_ok()
            && !self.is_good(&about);
        if broken.is_empty() && !is_hidden {
            return (folder::picture(&folder::app(&fresh), &queries), told);
        }
        let (entries, others): (Vec<&String>, Vec<&String>) =
            broken.into_iter().partition(|it| it.contains("/content/"));
        let copy = tempfile::tempdir().unwrap();
        folder::copy(self.data.root(), copy.path());
        others.into_iter().for_each(|it| self.stand_in(copy.path(), it));
        if is_hidden {
            // A workspace without such a file was served: a broken one takes nothing offline.
            fs::remove_file(copy.path().join(&about)).unwrap();
        }
        let fresh = folder::fresh(copy.path(), &clock);
        let is_entry = |path: &str| path.contains("/content/");
        let mut told: Vec<_> = told.into_iter().filter(|(path, _)| !is_entry(path)).collect();
        told.extend(folder::problems(&fresh).into_iter().filter(|(path, _)| is_entry(path)));
        told.sort();
        entries.into_iter().for_each(|it| self.stand_in(copy.path(), it));
        let fresh = folder::fresh(copy.path(), &clock);
        (folder::picture(&folder::app(&fresh), &queries), told)
    }

    fn stand_in(&self, root: &Path, path: &str) {
        let (good, place) = (&self.good[path], root.join(path));
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(&place).unwrap(),
            Ok(_) => fs::remove_file(&place).unwrap(),
            Err(_) => {}
        }
        fs::write(&place, &good.bytes).unwrap();
        folder::set_modified(&place, good.modified);
    }

    /// Whether there is a definition, now or from before, by which an entry is read.
    pub(crate) fn is_read(&self, path: &str) -> bool {
        let Some(Key::Entry(ws, ty, id)) = Key::parse(path) else { return true };
        let Some(good) = self.good.get(&Key::Schema(ws, ty.clone()).path()) else { return false };
        let schema = Json::parse(&good.bytes).unwrap();
        let singleton = ContentType::parse(ty.clone(), &schema).0.unwrap().singleton;
        !singleton || id.as_str() == ty.as_str()
    }

    /// Whether something can be read from a file.
    pub(crate) fn is_good(&self, path: &str) -> bool {
        let place = self.data.at(path);
        if !place.symlink_metadata().is_ok_and(|it| it.is_file()) {
            return false;
        }
        let Ok(document) = codec::parse_document(path, &fs::read(place).unwrap()) else {
            return false;
        };
        let json = Json::Object(document.map);
        match Key::parse(path).unwrap() {
            Key::Schema(_, name) => ContentType::parse(name, &json).0.is_some(),
            Key::Workspace(ws) => WorkspaceMeta::parse(&ws, &json).is_ok(),
            _ => true,
        }
    }

    /// Whether a file belongs to a workspace of an unknown format, of which none is read.
    pub(crate) fn is_left_alone(&self, path: &str) -> bool {
        path.split('/').nth(1).is_some_and(|it| self.left_alone.contains_key(it))
    }

    /// Notes which workspaces the engine leaves alone now. What it serves of those that it left
    /// alone before stays. Returns those that it does not leave alone any more: all of them was
    /// read anew, by the definitions that are there now.
    pub(crate) fn note_left_alone(&mut self) -> BTreeSet<String> {
        let mut now = BTreeMap::new();
        for (slug, workspace) in self.app.engine.workspaces().iter() {
            let snapshot = workspace.current_snapshot();
            if snapshot.meta.unsupported.is_none() {
                continue;
            }
            let entries = snapshot.types().iter().flat_map(|index| {
                let name = &index.content_type.name;
                index.iter().map(move |(_, it)| format!("{name}/{} {:?}", it.id(), it.rev))
            });
            let mut served: Vec<String> = entries.collect();
            served.sort();
            if let Some(before) = self.left_alone.get(slug.as_str()) {
                assert_eq!(*before, served, "SEED={}: {slug} was left alone", self.seed);
            }
            now.insert(slug.to_string(), served);
        }
        if now.contains_key("default") {
            self.was_without_file = false;
        }
        let reread = self.left_alone.keys().filter(|it| !now.contains_key(*it)).cloned().collect();
        self.left_alone = now;
        reread
    }

    /// A request may have found that the format of a workspace is known again, and read all of it.
    pub(crate) fn note_request(&mut self) {
        let reread = self.note_left_alone();
        if !reread.is_empty() {
            let there = self.files();
            self.learn(&there, &reread);
        }
    }
}
