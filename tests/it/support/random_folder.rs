//! A data folder with random content in it, and the use cases over it.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::time::SystemTime;

use recto::app::App;
use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::app::content::entries;
use recto::app::content::entries::EntryResponse;
use recto::app::content::entries::WrittenEntry;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::model::event::Actor;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::query::request::params::QueryParams;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;
use crate::support::json_layout::Layout;
use crate::support::random_content::Draw;
use crate::support::random_content::NOW;
use crate::support::random_content::World;
use crate::support::random_content::time;
use crate::support::random_content::token;
use crate::support::test_database::write_pending_files;

pub(crate) const WS: &str = "workspaces/main";

/// Somebody who sees and may do everything with entries.
pub(crate) fn everybody() -> Caller {
    token(&[r#"{"actions":["content.*"],"resources":["content:*"]}"#.to_string()])
}

pub(crate) fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

pub(crate) fn object(json: Json) -> Map {
    if let Json::Object(map) = json { map } else { panic!("{json:?}") }
}

/// A member of an object, itself an object.
pub(crate) fn member<'m>(map: &'m Map, key: &str) -> Option<&'m Map> {
    map.get(key)?.as_object()
}

/// The entry inside an answer.
pub(crate) fn entry(shown: &EntryResponse) -> Map {
    let mut body = object(Json::parse(&shown.body).unwrap());
    object(body.remove("data").unwrap())
}

pub(crate) struct Scene {
    pub(crate) data: Data,
    pub(crate) app: App,
    pub(crate) clock: Arc<TestClock>,
}

/// A file's bytes, and what it would be if it were written again.
pub(crate) type Files = BTreeMap<String, (Vec<u8>, SystemTime)>;

impl Scene {
    /// A folder with a random world in it, in which people have written down more than Recto knows.
    pub(crate) fn new(world: &World, draw: &mut Draw<'_>) -> Scene {
        let data = Data::empty();
        for ty in &world.types {
            let schema = Layout::draw(draw).text(&ty.schema);
            data.write(&format!("{WS}/schemas/{}.json", ty.name), schema);
            for (id, entry) in &ty.entries {
                let mut file = object(entry.clone());
                if draw.chance(50) {
                    file.push("note", Json::parse(br#"{"by hand":[1.50,null]}"#).unwrap());
                }
                let text = Layout::draw(draw).text(&Json::Object(file));
                data.write(&format!("{WS}/content/{}/{id}.json", ty.name), text);
            }
        }
        let clock = Arc::new(TestClock::at(time(NOW)));
        let ticking: Arc<dyn Clock> = clock.clone();
        let engine = Engine::open(folder::options(data.root(), &ticking)).unwrap();
        write_pending_files(&engine);
        Scene { data, app: folder::app(&engine), clock }
    }

    pub(crate) fn show(
        &self,
        caller: &Caller,
        ty: &str,
        id: &str,
        query: &str,
    ) -> Option<EntryResponse> {
        let snapshot = self.app.engine.snapshot("main").unwrap();
        crate::support::reads::shown(&snapshot, caller, ty, id, &QueryParams::parse(query).unwrap())
            .ok()
    }

    pub(crate) fn by(&self, caller: &Caller) -> Requester {
        let (id, name) = caller.author_id_and_name();
        let (ip, request_id, source) = (None, "r".to_string(), EventSource::Api);
        Requester {
            caller: caller.clone(),
            actor: Actor { id, name, ip, request_id, source }.into(),
        }
    }

    pub(crate) fn put(
        &self,
        caller: &Caller,
        ty: &str,
        id: &str,
        body: Map,
        precondition: Precondition,
    ) -> Result<WrittenEntry, Error> {
        entries::update(
            &self.app,
            &ws(),
            &self.by(caller),
            &WriteTarget::Live,
            (ty, id),
            body,
            precondition,
        )
    }

    pub(crate) fn file(&self, ty: &str, id: &str) -> Vec<u8> {
        self.data.read(&format!("{WS}/content/{ty}/{id}.json"))
    }

    /// Everything in the folder but caches and locks.
    pub(crate) fn files(&self) -> Files {
        let mut paths = BTreeSet::new();
        for folder in ["workspaces", "system"] {
            if self.data.at(folder).exists() {
                folder::files_below(self.data.root(), folder, &mut paths);
            }
        }
        let read = |path: String| {
            let place = self.data.at(&path);
            let file = (fs::read(&place).unwrap(), folder::modified(&place));
            (path, file)
        };
        paths.into_iter().map(read).collect()
    }

    /// Nothing was written since.
    pub(crate) fn is_as_before(
        &self,
        (files, events): &(Files, usize),
        context: &dyn Fn() -> String,
    ) {
        let now = self.files();
        let all: BTreeSet<&String> = files.keys().chain(now.keys()).collect();
        if let Some(path) = all.into_iter().find(|it| files.get(*it) != now.get(*it)) {
            let text = |it: &Files| {
                it.get(path).map(|(bytes, _)| String::from_utf8_lossy(bytes).into_owned())
            };
            let [old, new] = [text(files), text(&now)].map(Option::unwrap_or_default);
            panic!("{}\n{path} was\n{old}\nand is\n{new}", context());
        }
        assert_eq!(self.events(), *events, "{}", context());
    }

    pub(crate) fn state(&self) -> (Files, usize) {
        (self.files(), self.events())
    }

    pub(crate) fn events(&self) -> usize {
        list_events(&self.app.engine).len()
    }
}

pub(crate) fn some_locale(draw: &mut Draw<'_>) -> &'static str {
    draw.pick(&["", "locale=en", "locale=de", "locale=fr"])
}
