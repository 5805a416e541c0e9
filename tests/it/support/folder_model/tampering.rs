//! What the model of hand edits does to media and to workspaces.

use std::fs;

use crate::support::folder_model::Model;
use crate::support::folder_model::WS;
use crate::support::folder_model::random_files::entry;
use crate::support::folder_model::random_files::picture;
use crate::support::folder_model::random_files::schema;

impl Model {
    pub(crate) fn edit_media(&mut self) {
        let name = *self.random.pick(&["a.png", "b.png", "c.txt", "d.bin", "e.jpg"]).unwrap();
        let (path, meta) = (format!("{WS}/media/{name}"), format!("{WS}/media-meta/{name}.json"));
        let is_else = self.data.at(&path).symlink_metadata().is_ok_and(|it| !it.is_file());
        match self.random.below(11) {
            0 => {
                self.log.push(format!("remove {path}"));
                self.data.remove(&path);
            }
            1 => {
                self.log.push(format!("directory {path}"));
                self.data.remove(&path);
                self.data.write(&format!("{path}/x"), "");
            }
            2 => {
                self.log.push(format!("link {path}"));
                self.data.remove(&path);
                self.data.link_outside("file.json", &path);
            }
            3 => {
                self.log.push(format!("break {meta}"));
                self.data.write(&meta, "{\"alt\": ");
            }
            4 => {
                self.log.push(format!("remove {meta}"));
                self.data.remove(&meta);
            }
            5 if self.data.at(&meta).is_file() => {
                self.log.push(format!("unlink, look, create the same {meta}"));
                let bytes = self.data.read(&meta);
                self.data.remove(&meta);
                self.data.write(&format!("{WS}/media/d.bin"), format!("{}", self.random.next()));
                self.look();
                self.data.write(&meta, bytes);
            }
            6 | 7 => {
                let visibility = if self.random.one_in(2) { "private" } else { "public" };
                let (word, other) = (self.random.word(), self.random.word());
                self.log.push(format!("write {meta}"));
                let text = format!(
                    r#"{{"alt": "{word}", "category": "Press / {other}", "visibility": "{visibility}"}}"#
                );
                self.data.write(&meta, text);
            }
            _ => {
                self.log.push(format!("write {path}"));
                if is_else {
                    self.data.remove(&path);
                }
                let (width, height) = (1 + self.random.below(9), 1 + self.random.below(9));
                self.data.write(&path, picture(width as u32, height as u32));
            }
        }
    }

    pub(crate) fn edit_workspace(&mut self) {
        let (about, categories) =
            (format!("{WS}/workspace.json"), format!("{WS}/media-categories.json"));
        let word = self.random.word();
        match self.random.below(8) {
            0 => {
                self.log.push("break workspace.json".to_string());
                self.write_over(&about, "{\"label\": \"");
            }
            1 => {
                self.log.push("newer format".to_string());
                self.write_over(&about, "{\"format\": 99}");
            }
            2 => {
                self.log.push("remove workspace.json".to_string());
                self.data.remove(&about);
            }
            3 => {
                self.log.push("break categories".to_string());
                self.write_over(&categories, "[\"x\"");
            }
            4 => {
                self.log.push("remove categories".to_string());
                self.data.remove(&categories);
            }
            5 => {
                self.log.push("categories".to_string());
                let text = format!("{{\"categories\": [\"Press / Logos\", \"{word}\", 7]}}");
                self.write_over(&categories, &text);
            }
            _ => {
                let archived = self.random.one_in(2);
                let first = self.random.pick(&["topics", "posts", "nothing"]).unwrap();
                self.log.push("write workspace.json".to_string());
                let text = format!(
                    r#"{{"label": "{word}", "archived": {archived}, "types": ["{first}", "authors", 3]}}"#
                );
                self.write_over(&about, &text);
            }
        }
    }

    pub(crate) fn edit_whole_workspace(&mut self) {
        let names = ["workspaces/extra", "workspaces/extra-2", "workspaces/Extra"];
        let path = *self.random.pick(&names).unwrap();
        if self.data.at(path).exists() {
            let to = *self.random.pick(&names).unwrap();
            if self.random.one_in(2) && !self.data.at(to).exists() {
                self.log.push(format!("rename {path} {to}"));
                return self.data.rename(path, to);
            }
            self.log.push(format!("remove {path}"));
            return self.data.remove(path);
        }
        self.log.push(format!("drop in {path}"));
        if self.random.one_in(3) {
            fs::create_dir_all(self.data.at(path)).unwrap();
            self.look();
        }
        let text = schema("topics", &mut self.random);
        self.data.write(&format!("{path}/schemas/topics.json"), text);
        for number in 0..self.random.below(8) {
            let text = entry(&mut self.random);
            self.data.write(&format!("{path}/content/topics/t{number}.json"), text);
        }
        self.data.write(&format!("{path}/media/x.png"), picture(3, 3));
        self.data.write(&format!("{path}/media-meta/x.png.json"), "{\"visibility\": \"private\"}");
    }
}
