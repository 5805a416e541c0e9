//! Entries read through the use cases, as the public API reads them.

use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Caller;
use recto::app::content::entries;
use recto::app::content::entries::AnswerBody;
use recto::app::content::entries::EffortResult;
use recto::app::content::entries::EntryResponse;
use recto::app::content::entries::ReadSettings;
use recto::app::content::sync;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::entry::Api;
use recto::query::execute::executor::Effort;
use recto::query::index::snapshot::Snapshot;
use recto::query::request::include::IncludeLimits;
use recto::query::request::params::QueryParams;
use recto::stdx::clock::TestClock;

use crate::support::random_content::NOW;
use crate::support::random_content::time;

/// What an answer comes to: the body with its tag, or the status.
pub(crate) type Got = Result<(Vec<u8>, String), Code>;

/// An engine over an empty folder; the folder goes with the second part.
pub(crate) fn engine() -> (Arc<Engine>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions {
        base_url: "https://cms.example".to_string(),
        read_only: true,
        ..EngineOptions::new(folder.path().to_path_buf(), Arc::new(TestClock::at(time(NOW))))
    };
    (Engine::open(options).unwrap(), folder)
}

pub(crate) fn app(engine: &Arc<Engine>) -> App {
    App::new(engine.clone(), Settings::default())
}

pub(crate) fn refused<T>(error: Error) -> Result<T, Code> {
    assert!(matches!(error.code, Code::NotFound | Code::Forbidden), "{error:?}");
    Err(error.code)
}

pub(crate) fn list(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    ty: &str,
    query: &str,
) -> Got {
    let ask = |effort| entries::list(app, snapshot, caller, ty, query, effort, Api::Public);
    let attempt = match ask(Effort::Quick) {
        Ok(EffortResult::NeedsEffort) => ask(Effort::Thorough),
        done => done,
    };
    match attempt.or_else(refused)? {
        EffortResult::Done(listed) => Ok((collect_body(listed.body), listed.etag.to_string())),
        EffortResult::NeedsEffort => panic!("more effort than there is"),
    }
}

pub(crate) fn show(
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    ty: &str,
    name: &str,
    query: &str,
) -> Got {
    let params = QueryParams::parse(query).unwrap();
    let shown = shown(snapshot, caller, ty, name, &params).or_else(refused)?;
    Ok((shown.body.to_vec(), format!("{}-{}", shown.rev, shown.variant)))
}

/// The lines of everything that the caller sees, with the cursor; nothing if it may not ask for it.
pub(crate) fn bundle(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    query: &str,
) -> Option<String> {
    let params = QueryParams::parse(query).unwrap();
    let mut lines = sync::open_bundle(app, snapshot, caller, &params).ok()?.lines;
    let frames: Vec<u8> = std::iter::from_fn(|| lines.next_frame(app)).flatten().collect();
    Some(String::from_utf8(frames).unwrap())
}

/// All of an answer at once, however long it is.
pub(crate) fn collect_body(body: AnswerBody) -> Vec<u8> {
    match body {
        AnswerBody::Whole(bytes) => bytes.to_vec(),
        AnswerBody::Streamed(stream) => stream.flatten().collect(),
    }
}

/// One entry, all of it.
pub(crate) fn shown(
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    ty: &str,
    name: &str,
    params: &QueryParams,
) -> Result<EntryResponse, Error> {
    let settings = ReadSettings { base_url: "", limits: &IncludeLimits::default };
    match entries::show(settings, snapshot, caller, ty, name, params, Effort::Thorough)? {
        EffortResult::Done(it) => Ok(EntryResponse {
            body: collect_body(it.body).into(),
            rev: it.rev,
            variant: it.variant,
        }),
        EffortResult::NeedsEffort => panic!("more effort than there is"),
    }
}
