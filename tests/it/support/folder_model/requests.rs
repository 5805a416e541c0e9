//! What the model of hand edits asks of the API in between: entries are made, changed and deleted
//! beside everything that happens to their files. What is answered with a yes is in the file, with
//! all that was in it by hand, and is told once.

use recto::app::access::Requester;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::model::name::WorkspaceSlug;
use recto::stdx::checksum::Checksum;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::store::codec;
use recto::store::layout::Key;

use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder_model::Model;
use crate::support::folder_model::random_files::entry;
use crate::support::requester::requester_of;

/// An entry as its path names it.
struct Named {
    path: String,
    ws: WorkspaceSlug,
    ty: String,
    id: String,
}

impl Named {
    fn of(path: &str) -> Option<Named> {
        let Some(Key::Entry(ws, ty, id)) = Key::parse(path) else { return None };
        Some(Named { path: path.to_string(), ws, ty: ty.to_string(), id: id.to_string() })
    }
}

fn by() -> Requester {
    requester_of(folder::holder("*@*"))
}

fn object(bytes: &[u8]) -> Option<Map> {
    codec::parse_document("a.json", bytes).ok().map(|it| it.map)
}

impl Model {
    pub(crate) fn request(&mut self) {
        match self.random.below(6) {
            0 => self.request_new(),
            1 => self.request_end(),
            2 => self.request_in_silence(),
            _ => {
                let Some(named) = self.some_named() else { return };
                self.request_change(&named);
            }
        }
    }

    fn some_named(&mut self) -> Option<Named> {
        self.some_entry().as_deref().and_then(Named::of)
    }

    /// Makes an entry.
    fn request_new(&mut self) {
        let ty = *self.random.pick(&["posts", "posts", "topics", "authors", "strays"]).unwrap();
        let ws = if self.random.one_in(8) { "press" } else { "default" };
        let slug = WorkspaceSlug::parse(ws).unwrap();
        // Where somebody has put a link in the place of the folder, nothing is written.
        let folder = self.data.at(&format!("workspaces/{ws}/content/{ty}"));
        if folder.symlink_metadata().is_ok_and(|it| !it.is_dir()) {
            return;
        }
        let body = self.body();
        let text = title(&body);
        let made = entries::create(&self.app, &slug, &by(), &WriteTarget::Live, ty, body);
        self.note_request();
        let answer = self.answer(ws, &made);
        self.log.push(format!("request a new {ws} {ty}: {answer:?}"));
        let Ok(made) = made else { return };
        let path = format!("workspaces/{ws}/content/{ty}/{}.json", made.id);
        assert!(self.says(&path, &text), "SEED={}: {path} was made", self.seed);
        self.learn_one(&path);
    }

    /// Changes an entry, now and then only when it is as it was read.
    fn request_change(&mut self, named: &Named) {
        let known = self.known_rev(named);
        let precondition = match self.random.below(3) {
            0 => Precondition::Revs(known.into_iter().collect()),
            1 => Precondition::Any,
            _ => Precondition::None,
        };
        let (before, body) = (self.data.read(&named.path), self.body());
        let Named { path, ws, ty, id } = named;
        let conditional = matches!(precondition, Precondition::Revs(_));
        let changed = entries::update(
            &self.app,
            ws,
            &by(),
            &WriteTarget::Live,
            (ty, id),
            body.clone(),
            precondition,
        );
        self.note_request();
        let answer = self.answer(ws.as_str(), &changed);
        self.log.push(format!("request to change {path}: {answer:?}"));
        self.took_in(named, known, &before);
        let edited =
            object(&before).is_some_and(|it| known != Some(Json::Object(it).compute_checksum()));
        if changed.is_err() {
            assert!(self.data.read(path) == before, "SEED={}: {path} was refused", self.seed);
            return;
        }
        assert!(!(conditional && edited), "SEED={}: {path} was edited by hand", self.seed);
        assert!(self.says(path, &title(&body)), "SEED={}: {path} was changed", self.seed);
        let after = object(&self.data.read(path)).unwrap();
        let is_kept = object(&before).is_some_and(|it| keeps(&it, &after, &body));
        assert!(is_kept, "SEED={}: {path} was\n{}", self.seed, String::from_utf8_lossy(&before));
        self.learn_one(path);
    }

    /// Deletes an entry.
    fn request_end(&mut self) {
        let Some(named) = self.some_named() else { return };
        let (known, before) = (self.known_rev(&named), self.data.read(&named.path));
        let Named { path, ws, ty, id } = &named;
        let any = Precondition::None;
        let deleted = entries::delete(
            &self.app,
            ws,
            &by(),
            &WriteTarget::Live,
            (ty, id),
            any,
            UsageGuard::Off,
        );
        self.note_request();
        let answer = self.answer(ws.as_str(), &deleted);
        self.log.push(format!("request to delete {path}: {answer:?}"));
        self.took_in(&named, known, &before);
        if deleted.is_ok() {
            assert!(!self.data.at(path).exists(), "SEED={}: {path} was deleted", self.seed);
            self.good.remove(path);
        }
    }

    /// When nothing else happens, a change is told once: where it was found by hand, that as well.
    fn request_in_silence(&mut self) {
        let Some(named) = self.some_named() else { return };
        self.settle();
        let n_before = self.told().len();
        if self.random.one_in(2) && self.data.at(&named.path).is_file() {
            let text = entry(&mut self.random);
            self.log.push(format!("write {}", named.path));
            self.write_over(&named.path, &text);
        }
        if !self.data.at(&named.path).is_file() {
            return;
        }
        self.request_change(&named);
        let told = self.told();
        let new = &told[n_before.min(told.len())..];
        let distinct: std::collections::BTreeSet<&String> = new.iter().collect();
        assert_eq!(distinct.len(), new.len(), "SEED={}: {new:?}", self.seed);
        self.settle();
        // What was not known to the engine when it was written by hand is told by now.
        if self.log.last().is_some_and(|it| it.ends_with("Ok(())")) {
            assert_eq!(self.told(), told, "SEED={}: told twice\n{:#?}", self.seed, self.log);
        }
    }

    /// Everything that was told, as far as it is remembered.
    fn told(&self) -> Vec<String> {
        let told = list_events(&self.app.engine);
        told.iter().map(|it| format!("{:?}", it.event)).collect()
    }

    fn body(&mut self) -> Map {
        self.next += 1;
        let mut body = Map::new();
        body.set("title", format!("Written {} {}", self.random.word(), self.next).as_str().into());
        if self.random.one_in(2) {
            body.set("featured", Json::Bool(self.random.one_in(2)));
        }
        if self.random.one_in(2) {
            body.set("body", self.random.word().into());
        }
        body
    }

    /// What the engine knows of an entry.
    fn known_rev(&self, named: &Named) -> Option<Checksum> {
        let snapshot = self.app.engine.snapshot(&named.ws)?;
        let index = snapshot.get(&named.ty)?;
        index.entry_at(index.find_ordinal(&named.id)?).map(|it| it.rev)
    }

    /// A file that does not say what is known of it was read when somebody wanted to change it.
    fn took_in(&mut self, named: &Named, known: Option<Checksum>, before: &[u8]) {
        let is_other =
            object(before).is_some_and(|it| known != Some(Json::Object(it).compute_checksum()));
        let is_other = is_other && !self.is_left_alone(&named.path);
        if known.is_some() && is_other && self.data.at(&named.path).is_file() {
            self.learn_one(&named.path);
        }
    }

    /// How a request went. Whatever it was, it was not the server's fault: nothing but that nobody
    /// writes into a workspace of an unknown format.
    fn answer<T>(&self, ws: &str, result: &Result<T, Error>) -> Result<(), Code> {
        let code = result.as_ref().map(|_| ()).map_err(|it| it.code);
        let ours = [
            Ok(()),
            Err(Code::NotFound),
            Err(Code::Conflict),
            Err(Code::PreconditionFailed),
            Err(Code::ValidationFailed),
        ];
        if self.is_left_alone(&format!("workspaces/{ws}")) {
            let refused = result.as_ref().err().expect("a workspace of an unknown format is kept");
            assert_eq!(refused.code, Code::StorageUnavailable, "{refused:?}");
            assert!(refused.message.starts_with("This workspace is in format 99"), "{refused:?}");
        } else if code == Err(Code::StorageUnavailable) {
            // Nothing is written where the folder of entries that are served went aside.
            let refused = result.as_ref().err().and_then(|it| it.source.as_deref());
            let folder = refused.and_then(|it| it.strip_prefix("the folder "));
            let folder = folder.and_then(|it| it.strip_suffix(" is not there"));
            assert!(folder.is_some_and(|it| !self.data.at(it).is_dir()), "{refused:?}");
        } else {
            assert!(ours.contains(&code), "{:?}", result.as_ref().err());
        }
        code
    }

    fn says(&self, path: &str, text: &str) -> bool {
        String::from_utf8(self.data.read(path)).is_ok_and(|it| it.contains(text))
    }
}

fn title(body: &Map) -> String {
    body.get("title").and_then(Json::as_str).unwrap().to_string()
}

/// All that was in a file by hand is still in it, but for what was sent.
fn keeps(old: &Map, new: &Map, body: &Map) -> bool {
    let data = |map: &Map| map.get("data").and_then(Json::as_object).cloned().unwrap_or_default();
    let (new_data, own) = (data(new), ["unknown", "author_id", "slug", "created_at"]);
    own.iter().all(|it| old.get(it).is_none() || old.get(it) == new.get(it))
        && data(old).iter().all(|(key, it)| body.contains(key) || new_data.get(key) == Some(it))
}
