//! A workspace in which tests write entries through the use cases.

use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::app::content::entries;
use recto::app::content::entries::WrittenEntry;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::model::event::Actor;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::events::list_event_kinds;
use crate::support::random_content::NOW;
use crate::support::random_content::time;
use crate::support::random_content::token;
use crate::support::test_database::write_pending_files;

pub(crate) struct Scene {
    pub(crate) data: tempfile::TempDir,
    pub(crate) app: App,
    pub(crate) source: EventSource,
}

pub(crate) const POSTS: &str = r#"{"fields":{"body":{"type":"textarea"},"code":{"unique":true},
    "link":{"type":"relation","target":"posts"}}}"#;

pub(crate) fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

pub(crate) fn map(text: &str) -> Map {
    match Json::parse(text.as_bytes()) {
        Ok(Json::Object(map)) => map,
        other => panic!("{other:?}: {text}"),
    }
}

pub(crate) fn grant(actions: &str, resource: &str, more: &str) -> String {
    let actions: Vec<String> = actions.split(' ').map(|it| format!("\"content.{it}\"")).collect();
    format!(r#"{{"actions":[{}],"resources":["{resource}"]{more}}}"#, actions.join(","))
}

pub(crate) fn all() -> Caller {
    token(&[grant("*", "content:*", "")])
}

pub(crate) fn code<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "ok".to_string(),
        Err(error) => {
            let paths: Vec<&str> = error.fields.iter().map(|(path, _)| path).collect();
            format!("{} {}", error.code.as_str(), paths.join(" ")).trim_end().to_string()
        }
    }
}

pub(crate) fn data(written: &WrittenEntry) -> Map {
    let Some(Json::Object(data)) =
        map(std::str::from_utf8(&written.shown.body).unwrap()).remove("data")
    else {
        panic!("{:?}", written.shown.body)
    };
    data
}

pub(crate) fn text(map: &Map, key: &str) -> String {
    map.get(key).and_then(Json::as_str).unwrap_or("-").to_string()
}

impl Scene {
    pub(crate) fn new(files: &[(&str, &str)]) -> Scene {
        let data = tempfile::tempdir().unwrap();
        let scene_files =
            [("schemas/posts.json", POSTS), ("schemas/page.json", r#"{"singleton":true}"#)];
        for (path, text) in scene_files.iter().chain(files) {
            let path = data.path().join("workspaces/main").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let clock: Arc<dyn Clock> = Arc::new(TestClock::at(time(NOW)));
        let engine =
            recto::engine::Engine::open(crate::support::folder::options(data.path(), &clock))
                .unwrap();
        write_pending_files(&engine);
        Scene { data, app: App::new(engine, Settings::default()), source: EventSource::Api }
    }

    pub(crate) fn by(&self, caller: &Caller) -> Requester {
        let (id, name) = caller.author_id_and_name();
        let (ip, request_id) = (None, "r1".to_string());
        Requester {
            caller: caller.clone(),
            actor: Actor { id, name, ip, request_id, source: self.source }.into(),
        }
    }

    pub(crate) fn create(
        &self,
        caller: &Caller,
        ty: &str,
        body: &str,
    ) -> Result<WrittenEntry, Error> {
        entries::create(&self.app, &ws(), &self.by(caller), &WriteTarget::Live, ty, map(body))
    }

    pub(crate) fn update_if(
        &self,
        caller: &Caller,
        name: &str,
        body: &str,
        precondition: Precondition,
    ) -> Result<WrittenEntry, Error> {
        entries::update(
            &self.app,
            &ws(),
            &self.by(caller),
            &WriteTarget::Live,
            ("posts", name),
            map(body),
            precondition,
        )
    }

    pub(crate) fn update(
        &self,
        caller: &Caller,
        name: &str,
        body: &str,
    ) -> Result<WrittenEntry, Error> {
        self.update_if(caller, name, body, Precondition::None)
    }

    pub(crate) fn delete(&self, caller: &Caller, ty: &str, name: &str) -> Result<(), Error> {
        let (by, any) = (self.by(caller), Precondition::None);
        let (live, entry) = (&WriteTarget::Live, (ty, name));
        entries::delete(&self.app, &ws(), &by, live, entry, any, UsageGuard::Off).map(drop)
    }

    /// The names of the files in a folder of the workspace.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let folder = self.data.path().join("workspaces/main").join(folder);
        let Ok(listing) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> =
            listing.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn file(&self, path: &str) -> String {
        std::fs::read_to_string(self.data.path().join("workspaces/main").join(path)).unwrap()
    }

    pub(crate) fn told(&self) -> Vec<EventKind> {
        list_event_kinds(&self.app.engine)
    }
}
