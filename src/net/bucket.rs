//! A store of objects in a bucket of Amazon S3, or of a server that speaks its protocol.
//!
//! Requests are signed by `rusty-s3` and sent by our own client. The operator names the server, so
//! it may be in a private network.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use quick_xml::reader::Reader;
use rusty_s3::Bucket;
use rusty_s3::Credentials;
use rusty_s3::S3Action;
use rusty_s3::UrlStyle;
use sha2::Digest;
use sha2::Sha256;
use tokio::runtime::Handle;
use tokio::time::sleep;

use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingError;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::net::http_client::OutgoingResponse;
use crate::store::objects::OBJECT_BYTES_MAX;
use crate::store::objects::ObjectStore;
use crate::store::objects::ObjectStoreError;
use crate::store::objects::StoredObject;

/// The time in which the server must take or give an object.
const EXCHANGE_MAX: Duration = Duration::from_secs(600);

/// The time for which a signature is valid.
const SIGNATURE_TIME: Duration = Duration::from_secs(900);

/// The pauses before a request that failed is sent again.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(2), Duration::from_secs(10)];

/// The interval of looks whether to give up.
const STOP_POLL: Duration = Duration::from_millis(200);

/// The header with the checksum of an object, which the server compares and returns.
const CHECKSUM: &str = "x-amz-checksum-sha256";

/// The most pages of a list: each has 1,000 objects.
const PAGES_MAX: usize = 100_000;

/// The keys with which requests are signed.
#[derive(Clone)]
pub struct BucketKeys(Credentials);

impl BucketKeys {
    /// Parses a file of keys as the tools of AWS write it: lines such as
    /// `aws_access_key_id = …`. Sections are not told apart.
    pub fn parse_file(text: &str) -> Result<BucketKeys, &'static str> {
        let lines = text.lines().filter_map(|it| it.split_once('='));
        let values: BTreeMap<String, &str> =
            lines.map(|(key, value)| (key.trim().to_ascii_lowercase(), value.trim())).collect();
        BucketKeys::find(|name| values.get(name).map(|it| it.to_string()))
            .ok_or("it needs the lines `aws_access_key_id = …` and `aws_secret_access_key = …`")
    }

    /// Finds the keys among values with the names of AWS, in lower case. Returns `None` if there
    /// are none.
    pub fn find(value: impl Fn(&str) -> Option<String>) -> Option<BucketKeys> {
        let value = |name: &str| value(name).filter(|it| !it.trim().is_empty());
        let key = value("aws_access_key_id")?;
        let secret = value("aws_secret_access_key")?;
        Some(BucketKeys(match value("aws_session_token") {
            Some(token) => Credentials::new_with_token(key, secret, token),
            None => Credentials::new(key, secret),
        }))
    }
}

/// The place of a store in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketPlace {
    /// The URL of the server; that of Amazon unless given.
    pub endpoint: Option<String>,
    /// The region.
    pub region: String,
    /// The name of the bucket.
    pub bucket: String,
    /// The beginning of the names of objects; empty, or with `/` at its end.
    pub prefix: String,
}

/// Asked again and again while a request is under way: true to give it up.
pub type StopSign = Arc<dyn Fn() -> bool + Send + Sync>;

/// A store of objects in a bucket, for threads that may block.
pub struct BucketStore {
    bucket: Bucket,
    prefix: String,
    keys: BucketKeys,
    outgoing: Outgoing,
    runtime: Handle,
    is_stopped: StopSign,
}

impl BucketStore {
    /// Returns the store at a place, which sends its requests on a runtime of other threads.
    pub fn new(
        place: &BucketPlace,
        keys: BucketKeys,
        runtime: Handle,
        is_stopped: StopSign,
    ) -> Result<BucketStore, String> {
        let region = place.region.clone();
        let of_amazon = format!("https://s3.{region}.amazonaws.com");
        let endpoint = place.endpoint.as_deref().unwrap_or(&of_amazon);
        let endpoint = endpoint.parse().map_err(|error| format!("`{endpoint}`: {error}"))?;
        // The certificates of Amazon do not match a bucket with a dot before its host.
        let style = match place.endpoint {
            None if !place.bucket.contains('.') => UrlStyle::VirtualHost,
            _ => UrlStyle::Path,
        };
        let bucket = Bucket::new(endpoint, style, place.bucket.clone(), region);
        let bucket = bucket.map_err(|error| format!("the endpoint is not valid: {error}"))?;
        let outgoing = Outgoing::new(OutgoingPolicy::new(true));
        Ok(BucketStore {
            bucket,
            prefix: place.prefix.clone(),
            keys,
            outgoing,
            runtime,
            is_stopped,
        })
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Signs a request.
    fn sign<'a>(&self, method: Method, action: &impl S3Action<'a>) -> OutgoingRequest {
        let url = action.sign(SIGNATURE_TIME).into();
        OutgoingRequest { method, url, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// Sends a request, which `build` makes anew for each try, until it succeeds or is refused.
    fn send(
        &self,
        what: &str,
        build: impl Fn() -> OutgoingRequest,
    ) -> Result<OutgoingResponse, ObjectStoreError> {
        let limits = OutgoingLimits { timeout: EXCHANGE_MAX, body_bytes_max: OBJECT_BYTES_MAX + 1 };
        let exchange = async {
            let mut pauses = PAUSES.iter();
            loop {
                let sent = self.outgoing.send(build(), limits).await;
                if !may_succeed_later(&sent) {
                    return judge(what, sent);
                }
                match pauses.next() {
                    Some(pause) => sleep(*pause).await,
                    None => return judge(what, sent),
                }
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                answer = exchange => answer,
                () = self.wait_for_stop() => {
                    Err(ObjectStoreError(format!("cannot {what}: the server stops")))
                }
            }
        })
    }

    async fn wait_for_stop(&self) {
        while !(self.is_stopped)() {
            sleep(STOP_POLL).await;
        }
    }
}

/// Returns true if the same request may have another answer in a moment.
fn may_succeed_later(sent: &Result<OutgoingResponse, OutgoingError>) -> bool {
    match sent {
        Ok(answer) => {
            answer.status.is_server_error() || answer.status == StatusCode::TOO_MANY_REQUESTS
        }
        Err(OutgoingError::Url(_) | OutgoingError::Refused(_) | OutgoingError::Sink(_)) => false,
        Err(_) => true,
    }
}

/// Makes an error of every answer but success and 404. It never tells the URL, which is signed.
fn judge(
    what: &str,
    sent: Result<OutgoingResponse, OutgoingError>,
) -> Result<OutgoingResponse, ObjectStoreError> {
    let answer = sent.map_err(|error| ObjectStoreError(format!("cannot {what}: {error}")))?;
    if answer.status.is_success() || answer.status == StatusCode::NOT_FOUND {
        return Ok(answer);
    }
    Err(refusal(what, &answer))
}

fn refusal(what: &str, answer: &OutgoingResponse) -> ObjectStoreError {
    let code = error_code(&answer.body).map(|it| format!(" ({it})")).unwrap_or_default();
    ObjectStoreError(format!("cannot {what}: the server answers {}{code}", answer.status))
}

/// Returns the code in the answer of a server that refuses a request, such as `NoSuchBucket`.
fn error_code(body: &[u8]) -> Option<&str> {
    let text = str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once("<Code>")?;
    let (code, _) = rest.split_once("</Code>")?;
    let is_plain = code.len() <= 64 && code.bytes().all(|it| it.is_ascii_alphanumeric());
    is_plain.then_some(code)
}

impl ObjectStore for BucketStore {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectStoreError> {
        let (key, what) = (self.key(name), format!("write {name}"));
        let sum = STANDARD.encode(Sha256::digest(bytes));
        let header = HeaderValue::try_from(&sum)
            .map_err(|_| ObjectStoreError(format!("cannot {what}: no checksum")))?;
        let body = Bytes::copy_from_slice(bytes);
        let answer = self.send(&what, || {
            let mut action = self.bucket.put_object(Some(&self.keys.0), &key);
            action.headers_mut().insert(CHECKSUM, sum.as_str());
            let mut request = self.sign(Method::PUT, &action);
            request.headers.insert(HeaderName::from_static(CHECKSUM), header.clone());
            request.body = body.clone();
            request
        })?;
        if !answer.status.is_success() {
            return Err(refusal(&what, &answer));
        }
        // A server that knows the header has compared it with what it stored. Others are asked.
        if answer.headers.get(CHECKSUM) == Some(&header) {
            return Ok(());
        }
        match self.get(name)? {
            Some(read) if read == bytes => Ok(()),
            _ => Err(ObjectStoreError(format!("{name} was not read back as it was written"))),
        }
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ObjectStoreError> {
        let (key, what) = (self.key(name), format!("read {name}"));
        let answer = self.send(&what, || {
            let action = self.bucket.get_object(Some(&self.keys.0), &key);
            self.sign(Method::GET, &action)
        })?;
        if answer.status == StatusCode::NOT_FOUND {
            // A missing bucket is not a missing object.
            return match error_code(&answer.body) {
                Some("NoSuchBucket") => Err(refusal(&what, &answer)),
                _ => Ok(None),
            };
        }
        if answer.body.len() as u64 > OBJECT_BYTES_MAX {
            return Err(ObjectStoreError(format!("{name} is too large")));
        }
        Ok(Some(answer.body.into()))
    }

    fn list(&self, prefix: &str) -> Result<Vec<StoredObject>, ObjectStoreError> {
        let (prefix, what) = (self.key(prefix), "list the bucket");
        let mut objects = Vec::new();
        let mut token: Option<String> = None;
        for _ in 0..PAGES_MAX {
            let answer = self.send(what, || {
                // The object without a name is the bucket.
                let mut action = self.bucket.get_object(Some(&self.keys.0), "");
                action.query_mut().insert("list-type", "2");
                action.query_mut().insert("prefix", prefix.as_str());
                if let Some(token) = &token {
                    action.query_mut().insert("continuation-token", token.as_str());
                }
                self.sign(Method::GET, &action)
            })?;
            if !answer.status.is_success() {
                return Err(refusal(what, &answer));
            }
            let page = ObjectPage::parse(&answer.body)
                .map_err(|why| ObjectStoreError(format!("cannot {what}: {why}")))?;
            let named = page.objects.into_iter().filter_map(|object| {
                let name = object.name.strip_prefix(&self.prefix)?.to_string();
                Some(StoredObject { name, ..object })
            });
            objects.extend(named);
            token = page.next;
            if token.is_none() {
                objects.sort();
                return Ok(objects);
            }
        }
        Err(ObjectStoreError(format!("cannot {what}: the list does not end")))
    }

    fn delete(&self, name: &str) -> Result<(), ObjectStoreError> {
        let key = self.key(name);
        self.send(&format!("delete {name}"), || {
            let action = self.bucket.delete_object(Some(&self.keys.0), &key);
            self.sign(Method::DELETE, &action)
        })
        .map(|_| ())
    }

    fn place(&self) -> String {
        format!("s3://{}/{}", self.bucket.name(), self.prefix.trim_end_matches('/'))
    }
}

/// A page of a list of objects.
#[derive(Debug, Default, PartialEq, Eq)]
struct ObjectPage {
    objects: Vec<StoredObject>,
    /// The token of the next page, if there is one.
    next: Option<String>,
}

impl ObjectPage {
    /// Parses the answer to a list: `ListBucketResult` with `Contents`.
    fn parse(body: &[u8]) -> Result<ObjectPage, String> {
        const UNREADABLE: &str = "the answer is not a list of objects";
        let text = str::from_utf8(body).map_err(|_| UNREADABLE)?;
        let mut parser = Reader::from_str(text);
        let (mut page, mut path, mut value) = (ObjectPage::default(), Vec::new(), String::new());
        let (mut is_list, mut is_truncated) = (false, false);
        loop {
            match parser.read_event().map_err(|_| UNREADABLE)? {
                Event::Start(start) => {
                    path.push(start.local_name().as_ref().to_string());
                    value.clear();
                }
                Event::Text(text) => value.push_str(&text),
                Event::GeneralRef(name) => {
                    value.push_str(resolve_predefined_entity(&name).ok_or(UNREADABLE)?);
                }
                Event::End(_) => {
                    let names: Vec<&str> = path.iter().map(String::as_str).collect();
                    match names.as_slice() {
                        ["ListBucketResult"] => is_list = true,
                        ["ListBucketResult", "IsTruncated"] => is_truncated = value == "true",
                        ["ListBucketResult", "NextContinuationToken"] => {
                            page.next = Some(value.clone());
                        }
                        ["ListBucketResult", "Contents", "Key"] => {
                            page.objects.push(StoredObject { name: value.clone(), size: 0 });
                        }
                        ["ListBucketResult", "Contents", "Size"] => {
                            let size = value.parse().map_err(|_| UNREADABLE)?;
                            page.objects.last_mut().ok_or(UNREADABLE)?.size = size;
                        }
                        _ => {}
                    }
                    path.pop();
                    value.clear();
                }
                Event::Eof => break,
                _ => {}
            }
        }
        page.next = page.next.filter(|_| is_truncated);
        match (is_list, is_truncated, &page.next) {
            (true, true, None) | (false, ..) => Err(UNREADABLE.to_string()),
            _ => Ok(page),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Name>b</Name><IsTruncated>true</IsTruncated>
              <NextContinuationToken>a+b/c=&amp;d</NextContinuationToken>
              <Contents><Key>p/x</Key><ETag>&quot;00&quot;</ETag><Size>7</Size>
                <Owner><ID>1</ID></Owner></Contents>
              <Contents><Key>p/y&amp;z</Key><Size>0</Size></Contents>
            </ListBucketResult>"#;
        let page = ObjectPage::parse(text.as_bytes()).unwrap();
        let object = |name: &str, size| StoredObject { name: name.to_string(), size };
        assert_eq!(page.objects, [object("p/x", 7), object("p/y&z", 0)]);
        assert_eq!(page.next.as_deref(), Some("a+b/c=&d"));
        let last = text.replace(">true<", ">false<");
        assert_eq!(ObjectPage::parse(last.as_bytes()).unwrap().next, None);
    }

    #[test]
    fn what_is_no_list() {
        for text in [
            "",
            "<html></html>",
            "<ListBucketResult>",
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>",
        ] {
            assert!(ObjectPage::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_are_read_from_files() {
        let text = "[default]\naws_access_key_id = AK\naws_secret_access_key=S/=x\n";
        let keys = BucketKeys::parse_file(text).unwrap().0;
        assert_eq!((keys.key(), keys.secret(), keys.token()), ("AK", "S/=x", None));
        let text = format!("{text}aws_session_token = T\n");
        assert_eq!(BucketKeys::parse_file(&text).unwrap().0.token(), Some("T"));
        for text in ["", "[default]", "aws_access_key_id = AK", "aws_secret_access_key = S"] {
            assert!(BucketKeys::parse_file(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_have_codes() {
        let code = |text: &str| error_code(text.as_bytes()).map(str::to_string);
        let text = "<Error><Code>NoSuchBucket</Code><Message>x</Message></Error>";
        assert_eq!(code(text).as_deref(), Some("NoSuchBucket"));
        assert_eq!(code("<Error><Code>a b</Code></Error>"), None);
        assert_eq!(code("no"), None);
    }
}
