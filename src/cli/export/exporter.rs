//! Asks the service in this process for every address, as a reader without a token does, and puts
//! the answers into files. What an earlier export wrote is asked about by its entity tag.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::sync::Arc;

use http::HeaderMap;
use http::Request;
use http::Response;
use http::StatusCode;
use http::header;
use http_body_util::BodyExt;

use crate::cli::export::addresses::Address;
use crate::cli::export::addresses::ExportSubject;
use crate::cli::export::manifest::ExportedFile;
use crate::cli::export::manifest::Head;
use crate::cli::export::manifest::Manifest;
use crate::cli::export::target_folder::PlacedFile;
use crate::cli::export::target_folder::TargetFolder;
use crate::http::request::common_headers::policy_of_settings;
use crate::http::request::common_headers::render_cache_control;
use crate::http::service::Service;
use crate::http::wire::reply::ReplyBody;
use crate::http::wire::request_body::RequestBody;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::sync::Mutex;

/// Longer answers go through a file, however long they are.
const JOINED_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The header fields that a host of files sets itself, or that are about one answer alone.
const NOT_KEPT: &[&str] = &[
    "etag",
    "last-modified",
    "content-length",
    "content-encoding",
    "accept-ranges",
    "vary",
    "x-request-id",
    "location",
];

/// A service whose answers become files.
pub(super) struct Exporter {
    pub(super) service: Arc<Service>,
    pub(super) base_path: String,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) target: TargetFolder,
    /// The manifest of the export before, if its tags can be compared.
    pub(super) before: Option<Manifest>,
}

/// The result of exporting an address.
pub(super) enum ExportOutcome {
    /// A file with the answer.
    Exported {
        file: ExportedFile,
        /// False if the file was there with these bytes.
        is_new: bool,
    },
    /// There is no answer, live as well.
    Absent,
    /// The answer could not be exported.
    Failed(String),
}

impl Exporter {
    /// Exports addresses on several threads.
    pub(super) async fn export_all(
        self: &Arc<Self>,
        addresses: Vec<Address>,
        workers: usize,
    ) -> BTreeMap<String, ExportOutcome> {
        let waiting = Arc::new(Mutex::new(addresses.into_iter()));
        let work = |waiting: Arc<Mutex<std::vec::IntoIter<Address>>>, exporter: Arc<Exporter>| async move {
            let mut done = Vec::new();
            loop {
                let next = waiting.lock().next();
                let Some(address) = next else { return done };
                let outcome = exporter.export(&address).await;
                done.push((address.target(), outcome));
            }
        };
        let workers: Vec<_> =
            (0..workers).map(|_| tokio::spawn(work(waiting.clone(), self.clone()))).collect();
        let mut outcomes = BTreeMap::new();
        for worker in workers {
            match worker.await {
                Ok(done) => outcomes.extend(done),
                Err(error) => {
                    outcomes.insert("/".to_string(), ExportOutcome::Failed(error.to_string()));
                }
            }
        }
        outcomes
    }

    async fn export(&self, address: &Address) -> ExportOutcome {
        let before = self.before.as_ref().and_then(|it| it.get(&address.target()));
        let path = address.file_path(&self.base_path).unwrap_or_default();
        let before = before.filter(|it| {
            name_by_kind(address, path, &it.head) == it.path && self.target.is_untouched(it)
        });
        let response = self.request(&address.target(), before.as_ref().map(|it| &*it.etag)).await;
        match (response.status(), before) {
            (StatusCode::NOT_MODIFIED, Some(before)) => {
                let mut head = self.keep_head(address, response.headers());
                let kind = before.head.get(header::CONTENT_TYPE.as_str()).cloned();
                head.extend(kind.map(|it| (header::CONTENT_TYPE.to_string(), it)));
                ExportOutcome::Exported { file: ExportedFile { head, ..before }, is_new: false }
            }
            (StatusCode::OK, _) => match self.place_answer(address, response).await {
                Ok(outcome) => outcome,
                Err(error) => ExportOutcome::Failed(error.to_string()),
            },
            (StatusCode::NOT_FOUND, _) => ExportOutcome::Absent,
            (status, _) => {
                let body = response.into_body().collect().await.map(|it| it.to_bytes());
                let body = body.unwrap_or_default();
                let error: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
                let message = error["error"]["message"].as_str().unwrap_or_default();
                ExportOutcome::Failed(format!("the answer is {status}: {message}"))
            }
        }
    }

    /// Requests an address below the base path.
    pub(super) async fn request(&self, target: &str, etag: Option<&str>) -> Response<ReplyBody> {
        let mut request = Request::new(RequestBody::default());
        let uri = format!("{}{target}", self.base_path);
        match uri.parse() {
            Ok(uri) => *request.uri_mut() = uri,
            // Nothing is there.
            Err(_) => return status_alone(StatusCode::NOT_FOUND),
        }
        let etag = etag.filter(|it| !it.is_empty()).and_then(|it| it.parse().ok());
        request.headers_mut().extend(etag.map(|it| (header::IF_NONE_MATCH, it)));
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        self.service.answer_request(request, peer).await
    }

    async fn place_answer(
        &self,
        address: &Address,
        response: Response<ReplyBody>,
    ) -> io::Result<ExportOutcome> {
        let head = self.keep_head(address, response.headers());
        let etag = response.headers().get(header::ETAG).and_then(|it| it.to_str().ok());
        let etag = etag.unwrap_or_default().to_string();
        let path = address.file_path(&self.base_path).unwrap_or_default();
        let path = name_by_kind(address, path, &head);
        if !self.may_write(&path) {
            let message = format!("{path} was not written by an export, and is left as it is");
            return Ok(ExportOutcome::Failed(message));
        }
        let placed = self.place_body(&path, response.into_body()).await?;
        let PlacedFile { bytes, modified, is_new } = placed;
        let file = ExportedFile { path, etag, bytes, modified, head };
        Ok(ExportOutcome::Exported { file, is_new })
    }

    /// Returns true if a file is not there or was written by an export.
    fn may_write(&self, path: &str) -> bool {
        !self.target.has(path) || self.target.owns(path)
    }

    async fn place_body(&self, path: &str, mut body: ReplyBody) -> io::Result<PlacedFile> {
        if body.len_bytes().is_some_and(|it| it <= JOINED_BYTES_MAX) {
            let bytes = body.collect().await?.to_bytes();
            return self.target.write(path, &bytes);
        }
        let mut draft = self.target.begin_file()?;
        while let Some(frame) = body.frame().await {
            if let Ok(bytes) = frame?.into_data() {
                draft.add(&bytes)?;
            }
        }
        self.target.place(draft, path)
    }

    /// Returns the header fields that files have.
    fn keep_head(&self, address: &Address, headers: &HeaderMap) -> Head {
        let kept = headers.iter().filter(|(name, _)| !NOT_KEPT.contains(&name.as_str()));
        let mut head: Head = kept
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_string())))
            .collect();
        // A file changes with the next export, not at the moment at which something becomes public.
        if address.subject != ExportSubject::File && self.snapshot.next_public_due().is_some() {
            let settings = policy_of_settings(&self.service.app().settings());
            let policy = match &address.subject {
                ExportSubject::Entry(name) => {
                    self.snapshot.find_cache_policy(name, false, settings)
                }
                ExportSubject::List(name, expands) => {
                    self.snapshot.find_cache_policy(name, *expands, settings)
                }
                ExportSubject::File | ExportSubject::Other => settings,
            };
            let value = render_cache_control(policy, None);
            let value = value.to_str().unwrap_or_default().to_string();
            head.insert(header::CACHE_CONTROL.to_string(), value);
        }
        head
    }
}

/// Returns the path of a variant of a picture with the ending of its own kind, which need not be
/// that of the picture.
fn name_by_kind(address: &Address, path: String, head: &Head) -> String {
    let kind = head.get(header::CONTENT_TYPE.as_str()).map(String::as_str).unwrap_or_default();
    let guessed = mime_guess::from_path(&path).first_raw().unwrap_or_default();
    if address.query.is_none() || !kind.starts_with("image/") || kind == guessed {
        return path;
    }
    let ending = OTHER_ENDINGS.iter().find(|it| mime_guess::from_ext(it).first_raw() == Some(kind));
    ending.map_or(path.clone(), |it| format!("{path}.{it}"))
}

/// The endings of variants that are of another kind than their picture.
pub(super) const OTHER_ENDINGS: [&str; 4] = ["jpg", "png", "webp", "gif"];

fn status_alone(status: StatusCode) -> Response<ReplyBody> {
    let mut response = Response::new(ReplyBody::Empty);
    *response.status_mut() = status;
    response
}
