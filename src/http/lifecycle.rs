//! The life of a request on its route: identify → scope → admit → read the body → run.
//!
//! The order is part of the interface: whoever may not know of something learns nothing of it, and
//! no body is read of a caller who may not send one.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use tokio::task::JoinError;

use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::call::PathParams;
use crate::http::headers::Client;
use crate::http::identify;
use crate::http::input;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::service::Shared;
use crate::query::params::Params;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;

/// How long a handler on a blocking thread may take before the client is told to come back.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// When to come back if too many wait to log in, in seconds.
const DOOR_RETRY_SECONDS: u32 = 2;

/// A request that has found its route.
pub(super) struct Incoming {
    pub(super) route: &'static Route,
    pub(super) params: PathParams,
    pub(super) head: Parts,
    pub(super) body: RequestBody,
    pub(super) client: Client,
}

/// A reply with the head of the request it answers, or an error.
pub(super) type Answered = std::result::Result<(Reply, Parts, Answer), (Error, Parts)>;

/// What else shapes a reply.
pub(super) struct Answer {
    pub(super) caller: Caller,
    pub(super) snapshot: Option<Arc<Snapshot>>,
}

/// Runs a request. `id` is what logs know it by.
pub(super) async fn answered(shared: &Arc<Shared>, incoming: Incoming, id: &str) -> Answered {
    let Incoming { route, params, head, body, client } = incoming;
    let caller = match identify::identified(shared, route, &head, client) {
        Ok(caller) => caller,
        Err(error) => return Err((error, head)),
    };
    let snapshot = match scoped(shared, route, &head, &params) {
        Ok(snapshot) => snapshot,
        Err(error) => return Err((error, head)),
    };
    let mut call = Call {
        shared: shared.clone(),
        route,
        head,
        params,
        caller,
        client,
        snapshot,
        effort: Effort::Quick,
        input: None,
    };
    if route.changes() || route.is_admin() {
        // Boxed: the many requests that only read carry nothing of this around.
        let input = match admitted(&call) {
            Ok(()) => Box::pin(input::read(&call, body, id)).await,
            Err(error) => Err(error),
        };
        match input {
            Ok(input) => call.input = Some(Box::new(input)),
            Err(error) => return Err((error, call.head)),
        }
    } else {
        // Nobody looks at what came with a request to read.
        drop(body);
    }
    let (result, call) = run(call).await;
    match result {
        Ok(reply) => {
            Ok((reply, call.head, Answer { caller: call.caller, snapshot: call.snapshot }))
        }
        Err(error) => Err((error, call.head)),
    }
}

/// The workspace of a route at this moment. Archived ones are not there.
fn scoped(
    shared: &Shared,
    route: &Route,
    head: &Parts,
    params: &PathParams,
) -> Result<Option<Arc<Snapshot>>> {
    let engine = &shared.app.engine;
    let of_path = params.get(head.uri.path(), "workspace").filter(|_| !route.is_admin());
    let slug = match of_path {
        Some(slug) => slug.to_string(),
        None if route.scoped => {
            named(head)?.unwrap_or_else(|| engine.default_workspace().to_string())
        }
        None => return Ok(None),
    };
    let snapshot = engine.snapshot(&slug).filter(|it| !it.meta.archived);
    let snapshot = snapshot.ok_or_else(|| Error::not_found("workspace", &slug))?;
    match &snapshot.meta.unsupported {
        // Served since before the format was an unknown one, or not at all.
        Some(reason) if snapshot.types().is_empty() => Err(Error::unsupported_format(reason)),
        _ => Ok(Some(snapshot)),
    }
}

/// The workspace that a request of the admin API names: in a header, or, where a browser cannot send
/// one, in the query.
fn named(head: &Parts) -> Result<Option<String>> {
    if let Some(value) = head.headers.get(X_SERVICE_WORKSPACE) {
        let slug = value.to_str().map_err(|_| Error::not_found("workspace", "?"))?;
        return Ok(Some(slug.to_string()));
    }
    let params = Params::parse(head.uri.query().unwrap_or_default()).map_err(Error::bad_request)?;
    Ok(params.get("workspace").map(str::to_string))
}

/// Names the workspace of a request of the admin API.
const X_SERVICE_WORKSPACE: &str = "x-service-workspace";

/// Whether the caller has any business with a body here: the type exists for it, and some grant
/// could allow the action on something there. What exactly may be done is decided on what is found.
fn admitted(call: &Call) -> Result<()> {
    if let Some(snapshot) = &call.snapshot
        && let Ok(name) = call.param("collection")
    {
        content_types::find(snapshot, &call.caller, name)?;
    }
    if call.caller.is_anonymous() && call.route.access != Access::Visitor {
        return Err(Error::unauthorized("This needs a token."));
    }
    if let Some((action, on)) = call.route.needs()
        && !on.could(call, action)?
    {
        return Err(Error::forbidden(action, &format!("`{}`", on.name(call))));
    }
    // Looked at again for the answer: what cannot be read must not be found out after the change.
    Params::parse(call.query()).map(drop).map_err(Error::bad_request)
}

/// Runs the handler where its route says, and further on where it asks for more.
async fn run(mut call: Call) -> (Result<Reply>, Call) {
    let mut place = match call.route.run {
        Run::Inline | Run::Adaptive => Place::Here,
        Run::Blocking => Place::Thread,
        Run::Door => Place::Door,
        Run::Lane => Place::Lane,
    };
    loop {
        call.effort = place.effort();
        let (answered, same) = place.run(call).await;
        call = same;
        match answered {
            Ok(Outcome::Reply(reply)) => return (Ok(reply), call),
            Ok(Outcome::NeedsEffort) if place == Place::Here => place = Place::Thread,
            Ok(Outcome::NeedsEffort) if place == Place::Thread => place = Place::Lane,
            Ok(Outcome::NeedsLane) if place != Place::Lane => place = Place::Lane,
            Ok(Outcome::NeedsEffort | Outcome::NeedsLane) => {
                return (Err(Error::internal("no effort suffices")), call);
            }
            Err(error) => return (Err(error), call),
        }
    }
}

/// Where a handler runs at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Here,
    Thread,
    Door,
    Lane,
}

impl Place {
    fn effort(self) -> Effort {
        match self {
            Place::Here => Effort::Quick,
            Place::Thread | Place::Door => Effort::Thorough,
            Place::Lane => Effort::Heavy,
        }
    }

    async fn run(self, call: Call) -> (Result<Outcome>, Call) {
        if self == Place::Here {
            return (caught(&call), call);
        }
        let call = Arc::new(call);
        let result = self.run_on_thread(&call).await;
        // The blocking thread has let go of the call, unless the time was up.
        match Arc::try_unwrap(call) {
            Ok(call) => (result, call),
            Err(shared) => (result, shared.copy()),
        }
    }

    async fn run_on_thread(self, call: &Arc<Call>) -> Result<Outcome> {
        let (shared, on_thread) = (&call.shared, call.clone());
        let work = move || caught(&on_thread);
        match self {
            Place::Here | Place::Thread => in_time(call, shared.turns.run(work)).await,
            Place::Door => {
                let _place = shared.door.place().ok_or_else(crowded)?;
                in_time(call, shared.door.turns().run(work)).await
            }
            Place::Lane => {
                let place = shared.lane.place(&call.who()).ok_or_else(busy)?;
                in_time(call, place.run(work)).await
            }
        }
    }
}

/// Waits for work on a blocking thread, but not for ever.
async fn in_time(
    call: &Call,
    work: impl Future<Output = std::result::Result<Result<Outcome>, JoinError>>,
) -> Result<Outcome> {
    // What changes something runs to its end whatever is said meanwhile, so nothing is said before.
    let ended = match call.route.changes() {
        true => work.await,
        false => tokio::time::timeout(ANSWER_MAX, work)
            .await
            .map_err(|_| Error::storage_unavailable("the answer takes too long"))?,
    };
    ended.map_err(Error::internal)?
}

fn busy() -> Error {
    Error::busy("Too many pictures and previews are asked for right now.")
}

fn crowded() -> Error {
    Error::rate_limited("Too many people log in right now.", DOOR_RETRY_SECONDS)
}

/// A panic costs this request alone.
fn caught(call: &Call) -> Result<Outcome> {
    let handler = call.route.handler;
    catch_unwind(AssertUnwindSafe(|| handler(call))).unwrap_or_else(|panic| {
        call.shared.metrics.panicked();
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Error::internal(format!("panic: {}", text.unwrap_or_default())))
    })
}

impl Call {
    /// A second one, for the rare case that a thread still holds the first.
    fn copy(&self) -> Call {
        let mut head = http::Request::new(()).into_parts().0;
        head.method = self.head.method.clone();
        head.uri = self.head.uri.clone();
        head.headers = self.head.headers.clone();
        Call {
            shared: self.shared.clone(),
            route: self.route,
            head,
            params: self.params.clone(),
            caller: self.caller.clone(),
            client: self.client,
            snapshot: self.snapshot.clone(),
            effort: self.effort,
            input: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use bytes::Bytes;
    use http::Method;
    use http::Request;
    use http_body_util::BodyExt as _;
    use tokio::io::AsyncReadExt as _;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::TcpListener;
    use tokio::net::TcpStream;

    use super::*;
    use crate::app::App;
    use crate::app::Settings;
    use crate::engine;
    use crate::engine::Engine;
    use crate::http::conn::ConnLimits;
    use crate::http::conn::Counters;
    use crate::http::listen;
    use crate::http::route::Body;
    use crate::http::route::Form;
    use crate::http::route::Gives;
    use crate::http::route::Handler;
    use crate::http::route::On;
    use crate::http::route::Takes;
    use crate::http::service::Options;
    use crate::http::service::Service;
    use crate::model::grant::Action;
    use crate::model::grant::Grant;
    use crate::model::media::UploadRules;
    use crate::model::token::Token;
    use crate::model::token::TokenRecord;
    use crate::stdx::clock::SystemClock;
    use crate::store::layout;

    const JSON: (&str, &str) = ("content-type", "application/json");
    const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");
    const BYTES_MAX: u64 = 40;

    fn route(path: &'static str, on: On, body: Body, handler: Handler) -> Route {
        Route {
            index: 0,
            name: path,
            method: Method::POST,
            path,
            access: Access::Token { action: Action::ContentUpdate, on },
            body,
            scoped: false,
            query: &[],
            gives: Gives::Plain,
            creates: false,
            run: Run::Blocking,
            summary: "",
            handler,
        }
    }

    fn said(text: String) -> Result<Outcome> {
        Ok(Reply::new(http::StatusCode::OK).with_body(text).into())
    }

    /// Routes that say what they were sent.
    fn table() -> Vec<Route> {
        let json = Body::Json { bytes_max: BYTES_MAX, takes: Takes::Entry };
        let keys: Handler = |call| {
            let keys: Vec<String> = call.json()?.into_iter().map(|(key, _)| key).collect();
            said(format!("keys {}", keys.join(",")))
        };
        let files: Handler = |call| {
            let upload = call.upload()?;
            let show = |it: &crate::store::spool::Spooled| {
                let path = call.app().engine.root().join(&it.path);
                assert_eq!(fs::metadata(path).unwrap().len(), it.size);
                format!("{}:{}", it.name, it.size)
            };
            let files: Vec<String> = upload.files.iter().map(show).collect();
            said(format!("files {} in {:?}", files.join(","), upload.category))
        };
        let rest: Handler = |call| said(format!("rest {}", call.param("category")?));
        let table = [
            route("/w/{workspace}/{collection}", On::Collection, json, keys),
            route("/w/{workspace}/{collection}/none", On::Collection, Body::None, |_| {
                said("none".to_string())
            }),
            route("/files/{workspace}", On::Collection, Body::Upload(Form::Media), files),
            route("/w/{workspace}/all/of/{*category}", On::Media, Body::None, rest),
        ];
        let media = Access::Token { action: Action::MediaUpload, on: On::Media };
        let opened = table.into_iter().enumerate().map(|(index, it)| match index {
            2 | 3 => Route { index, access: media, ..it },
            _ => Route { index, ..it },
        });
        opened.collect()
    }

    struct Stage {
        folder: tempfile::TempDir,
        service: Service,
        tokens: Vec<String>,
    }

    /// A folder with two types, the second private, and tokens with these grants.
    fn stage(grants: &[&str]) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &[u8]| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("workspaces/main/schemas/posts.json", b"{\"fields\":{}}");
        write("workspaces/main/schemas/notes.json", b"{\"fields\":{},\"visibility\":\"private\"}");
        let tokens = grants.iter().zip(1..).map(|(grant, number)| {
            let token = Token::issue([number; 10], [number; 32]);
            let record = TokenRecord {
                id: token.id().clone(),
                name: "writer".to_string(),
                description: String::new(),
                permissions: vec![Grant::parse_line(grant).unwrap()],
                created_at: None,
                created_by: None,
                expires_at: None,
                last_used_at: None,
                revoked_at: None,
                fingerprint: token.fingerprint(),
            };
            let path = format!("system/tokens/{}.json", token.id());
            write(&path, &record.to_file().to_file());
            token.reveal()
        });
        let tokens = tokens.collect();
        let options = engine::Options {
            base_url: "https://cms.test".to_string(),
            ..engine::Options::new(folder.path().to_path_buf(), Arc::new(SystemClock))
        };
        let uploads = UploadRules { file_bytes_max: 1_000_000, ..UploadRules::default() };
        let settings = Settings { uploads, ..Settings::default() };
        let app = App::new(Engine::open(options).unwrap(), settings);
        let counters = Arc::new(Counters::default());
        let service = Service::with_routes(app, Options::default(), counters, table()).unwrap();
        Stage { folder, service, tokens }
    }

    impl Stage {
        /// Sends a request with one of the tokens; shows the status and what was said.
        async fn ask(
            &self,
            path: &str,
            token: Option<usize>,
            headers: &[(&str, &str)],
            body: &str,
        ) -> String {
            let mut request = Request::post(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            if let Some(token) = token {
                let token = self.tokens.get(token).map_or("no token", String::as_str);
                request = request.header("authorization", format!("Bearer {token}"));
            }
            let body = RequestBody::from(Bytes::copy_from_slice(body.as_bytes()));
            let request = request.body(body).unwrap();
            let response = self.service.answer(request, ([127, 0, 0, 1], 1).into()).await;
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let said = match serde_json::from_slice::<serde_json::Value>(&body) {
                Ok(json) => format!(
                    "{} {}",
                    json["error"]["code"].as_str().unwrap(),
                    json["error"]["message"].as_str().unwrap()
                ),
                Err(_) => String::from_utf8_lossy(&body).into_owned(),
            };
            format!("{status} {said}")
        }

        fn unfinished(&self) -> usize {
            unfinished(self.folder.path())
        }
    }

    fn unfinished(root: &Path) -> usize {
        fs::read_dir(root.join(layout::TMP)).map_or(0, |it| it.count())
    }

    #[tokio::test]
    async fn checks_come_in_their_order() {
        let stage = stage(&["content.update@content:posts:a", "content.read@content:*"]);
        let check = async |path: &str, token: Option<usize>, body: &str, expect: &str| {
            let answer = stage.ask(path, token, &[("content-type", "text/plain")], body).await;
            assert!(answer.starts_with(expect), "{path} {token:?}: {answer}");
        };
        let (writer, reader, invalid) = (Some(0), Some(1), Some(9));
        // Each of these has all the mistakes of those that follow.
        check("/nowhere", invalid, "x", "404 ").await;
        check("/w/%00/x", invalid, "x", "404 ").await;
        check("/w/nowhere/x", invalid, "x", "401 ").await;
        check("/w/nowhere/x", None, "x", "404 not_found There is no workspace").await;
        check("/w/main/nothing", None, "x", "404 not_found There is no content type").await;
        check("/w/main/notes", None, "x", "404 ").await;
        check("/w/main/notes", writer, "x", "404 ").await;
        check("/w/main/notes", reader, "x", "403 ").await;
        check("/w/main/posts", None, "x", "401 unauthorized This needs a token.").await;
        let missing = "403 forbidden This needs the right `content.update` on `content:posts:*`.";
        check("/w/main/posts", reader, "x", missing).await;
        check("/w/main/posts?a=%FF", writer, "x", "400 bad_request ").await;
        check("/w/main/posts", writer, "x", "415 ").await;
    }

    #[tokio::test]
    async fn json_is_read_to_its_limit() {
        let stage = stage(&["content.update@content:*"]);
        let check = async |headers: &[(&str, &str)], body: &str, expect: &str| {
            let answer = stage.ask("/w/main/posts", Some(0), headers, body).await;
            assert_eq!(answer, expect, "{body}");
        };
        check(&[], "", "200 keys ").await;
        check(&[("content-type", "text/plain")], "", "200 keys ").await;
        check(&[JSON], r#"{"b":1,"a":2}"#, "200 keys b,a").await;
        let other = "415 unsupported_media_type The body must be JSON in UTF-8: application/json.";
        check(&[], "{}", other).await;
        check(&[("content-type", "text/plain")], "{}", other).await;
        let twice = "415 unsupported_media_type There is more than one Content-Type.";
        check(&[JSON, JSON], "{}", twice).await;
        let longest = format!("{{{}}}", " ".repeat(38));
        check(&[JSON], &longest, "200 keys ").await;
        let long = "413 payload_too_large The request body is larger than 40 bytes.";
        check(&[JSON], &format!("{longest} "), long).await;
        let list = "400 invalid_json The body must be a JSON object; this is an array at line 1, column 1.";
        check(&[JSON], "[]", list).await;
        for bad in ["{", "\n {\"a\": 1, \"a\": 2}", "{} {}", " "] {
            let answer = stage.ask("/w/main/posts", Some(0), &[JSON], bad).await;
            assert!(answer.starts_with("400 invalid_json "), "{bad}: {answer}");
            assert!(answer.contains(" at line ") && answer.contains(", column "), "{answer}");
        }
        let unread = stage.ask("/w/main/posts/none", Some(0), &[], "whatever").await;
        assert_eq!(unread, "200 none");
    }

    #[tokio::test]
    async fn the_rest_of_a_path_is_a_parameter() {
        let stage = stage(&["media.upload@media:*"]);
        for (path, expect) in [
            ("a", "200 rest a"),
            ("a%20%2F%20b", "200 rest a / b"),
            ("a/b%C3%A4/", "200 rest a/bä"),
            ("a/../b", "404 not_found There is nothing at this address."),
        ] {
            let path = format!("/w/main/all/of/{path}");
            assert_eq!(stage.ask(&path, Some(0), &[], "").await, expect, "{path}");
        }
    }

    fn part(disposition: &str, data: &str) -> String {
        format!("--b\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{data}\r\n")
    }

    #[tokio::test]
    async fn files_are_spooled_and_swept_away() {
        let stage = stage(&["media.upload@media:*"]);
        let check = async |parts: &[String], expect: &str| {
            let body = parts.concat() + "--b--\r\n";
            let answer = stage.ask("/files/main", Some(0), &[FORM], &body).await;
            assert_eq!(answer, expect);
            while stage.unfinished() > 0 {
                tokio::task::yield_now().await;
            }
        };
        let one = part("name=\"media[]\"; filename=a.png", "12345");
        let most = part("name=media; filename=b", &"x".repeat(1_000_000));
        let more = part("name=media; filename=b", &"x".repeat(1_000_001));
        let category = part("name=category", "Photos / Ä");
        let other = part("name=other", &"x".repeat(100_000));
        let nothing = part("name=\"media[]\"; filename=\"\"", "");
        check(std::slice::from_ref(&one), "200 files a.png:5 in None").await;
        check(
            &[category, other, nothing.clone(), most, one.clone()],
            "200 files b:1000000,a.png:5 in Some(\"Photos / Ä\")",
        )
        .await;
        // Whether that is enough is for those to say who know what the caller may do.
        check(&[nothing], "200 files  in None").await;
        check(
            &[one.clone(), more],
            "422 file_too_large This file is too large: 1000000 bytes are the most.",
        )
        .await;
        let long = part("name=category", &"x".repeat(70_000));
        check(
            &[one.clone(), long],
            "413 payload_too_large A text in the form has more than 64 KiB.",
        )
        .await;
        let answer = stage.ask("/files/main", Some(0), &[FORM], &one).await;
        assert_eq!(answer, "400 bad_request The form breaks off.");
        let answer = stage.ask("/files/main", Some(0), &[JSON], "{}").await;
        assert!(answer.starts_with("415 unsupported_media_type "), "{answer}");
        let unbound = ("content-type", "multipart/form-data");
        let answer = stage.ask("/files/main", Some(0), &[unbound], "{}").await;
        assert!(answer.starts_with("400 bad_request "), "{answer}");
    }

    #[tokio::test]
    async fn who_leaves_leaves_nothing_behind() {
        let stage = stage(&["media.upload@media:*"]);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let counters = Arc::new(Counters::default());
        let service = Arc::new(stage.service.clone());
        let limits = ConnLimits::default();
        let server = tokio::spawn(listen::serve(
            listener,
            limits,
            counters,
            service,
            std::future::pending(),
        ));
        let mut client = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /files/main HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\
             Content-Type: {}\r\nContent-Length: 1000000\r\n\r\n",
            stage.tokens[0], FORM.1
        );
        let begun = part("name=media; filename=a", &"x".repeat(600_000));
        client.write_all((head + &begun).as_bytes()).await.unwrap();
        while stage.unfinished() == 0 {
            tokio::task::yield_now().await;
        }
        client.shutdown().await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        while stage.unfinished() > 0 {
            tokio::task::yield_now().await;
        }
        server.abort();
    }
}
