//! What the model of hand edits expects to see: what a new engine sees, with what was in order once
//! in the place of what is broken.

use std::fs;
use std::path::Path;

use recto::model::content_type::ContentType;
use recto::model::problem::ProblemKind;
use recto::model::workspace::WorkspaceMeta;
use recto::stdx::json::Json;
use recto::store::codec;
use recto::store::layout::Key;

use crate::folder;
use crate::folder::Picture;
use crate::model::Model;
use crate::writing::queries;

impl Model {
    /// What a new engine sees and tells. It knows nothing of what was in order once, so that is put
    /// in the place of what is broken: first definitions, by which entries are read, then entries.
    pub(crate) fn expected(&self) -> (Picture, Vec<(String, ProblemKind)>) {
        let clock = self.clock();
        let fresh = folder::fresh(self.data.root(), &clock);
        let told = folder::problems(&fresh);
        let broken: Vec<&String> = self.good.keys().filter(|it| !self.is_good(it)).collect();
        if broken.is_empty() {
            return (folder::picture(&folder::app(&fresh), &queries), told);
        }
        let (entries, others): (Vec<&String>, Vec<&String>) =
            broken.into_iter().partition(|it| it.contains("/content/"));
        let copy = tempfile::tempdir().unwrap();
        folder::copy(self.data.root(), copy.path());
        others.into_iter().for_each(|it| self.stand_in(copy.path(), it));
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
        let Ok(document) = codec::parse(path, &fs::read(place).unwrap()) else { return false };
        let json = Json::Object(document.map);
        match Key::parse(path).unwrap() {
            Key::Schema(_, name) => ContentType::parse(name, &json).0.is_some(),
            Key::Workspace(ws) => WorkspaceMeta::parse(&ws, &json).is_ok(),
            _ => true,
        }
    }
}
