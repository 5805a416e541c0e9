//! Answers as text: what matters is shown, what differs from run to run gets a name.

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::header;
use recto::stdx::id;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;

use crate::support::totp;

/// Headers that are always shown.
const USUAL: &[HeaderName] = &[
    header::ALLOW,
    header::CONTENT_ENCODING,
    header::CONTENT_RANGE,
    header::LOCATION,
    header::WWW_AUTHENTICATE,
];

const JSON: &str = "application/json; charset=utf-8";

/// What of an answer is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Show {
    /// Places in the JSON, `data[].slug`; all of it without.
    pub paths: Vec<String>,
    /// Further headers; `all` for all.
    pub headers: Vec<String>,
    /// The lines of a text that contain one of these; all without.
    pub only: Vec<String>,
    /// Whether JSON is shown as it came.
    pub raw: bool,
}

/// Entity tags, new ids and secrets by the order in which they were seen.
#[derive(Debug, Default)]
pub(crate) struct Names {
    tags: Vec<String>,
    ids: Vec<String>,
    secrets: Vec<String>,
    others: Vec<(String, String)>,
    /// The time of the scenario, for the codes of second factors.
    pub now: i64,
}

/// What stands before a secret in an answer that shows one.
const BEFORE_SECRETS: &[&str] = &[
    "recto_session=",
    "\"csrf_token\": \"",
    "\"token\": \"recto_",
    "\"secret\": \"whsec_",
    "x-csrf-token: ",
    "\"secret\": \"",
    "data.secret: ",
];

/// When scenarios play: ids from then are new ones.
const PLAYED: [&str; 2] = ["2026-01-01T00:00:00Z", "2029-01-01T00:00:00Z"];

impl Names {
    /// Names every entity tag of the headers or the JSON that is shown.
    pub(crate) fn learn(&mut self, headers: &HeaderMap, body: &[u8], shown: &str) {
        let mut known = std::mem::take(self);
        self.add_all(headers, body);
        let new = std::mem::take(&mut self.tags).into_iter();
        new.filter(|it| shown.contains(it.as_str())).for_each(|it| known.add(&it));
        known.learn_ids(shown);
        known.learn_secrets(shown);
        known.learn_recovery_codes(shown);
        *self = known;
    }

    /// Names every secret that is shown, so that later steps can use it.
    fn learn_secrets(&mut self, shown: &str) {
        for before in BEFORE_SECRETS {
            for (at, _) in shown.match_indices(before) {
                let ended = |it: char| it == '"' || it == ';' || it.is_whitespace();
                let secret = shown[at + before.len()..].split(ended).next().unwrap();
                if secret.len() >= 32
                    && !secret.starts_with("whsec_")
                    && !self.secrets.iter().any(|it| it == secret)
                {
                    self.secrets.push(secret.to_string());
                    let id = secret.split_once('_').filter(|_| before.ends_with("recto_"));
                    self.ids.extend(id.map(|(id, _)| id.to_string()));
                }
            }
        }
    }

    /// Names every recovery code that is shown.
    fn learn_recovery_codes(&mut self, shown: &str) {
        let is_group = |it: &str| it.len() == 4 && it.bytes().all(|it| it.is_ascii_alphanumeric());
        for word in shown.split(|it: char| !it.is_ascii_alphanumeric() && it != '-') {
            let is_code = word.split('-').count() == 4 && word.split('-').all(is_group);
            if is_code && !self.secrets.iter().any(|it| it == word) {
                self.secrets.push(word.to_string());
            }
        }
    }

    /// Names every id that was made while the scenario played.
    pub(crate) fn learn_ids(&mut self, shown: &str) {
        let [from, to] = PLAYED.map(|it| Timestamp::parse(it).unwrap().seconds());
        for word in shown.split(|it: char| !it.is_ascii_alphanumeric()) {
            let made = id::time_ms(word).and_then(|it| i64::try_from(it / 1000).ok());
            let is_new = made.is_some_and(|it| (from..to).contains(&it));
            if is_new && !self.ids.iter().any(|it| it == word) {
                self.ids.push(word.to_string());
            }
        }
    }

    /// Every text that has a name, with the name.
    fn all(&self) -> impl Iterator<Item = (&str, String)> {
        let tags = self.tags.iter().zip(1..).map(|(it, n)| (it.as_str(), format!("<etag {n}>")));
        let ids = self.ids.iter().zip(1..).map(|(it, n)| (it.as_str(), format!("<new {n}>")));
        let secrets = self.secrets.iter().zip(1..);
        let secrets = secrets.map(|(it, n)| (it.as_str(), format!("<secret {n}>")));
        let others = self.others.iter().map(|(it, name)| (it.as_str(), name.clone()));
        // The id of a token stands in its text too.
        secrets.chain(tags).chain(ids).chain(others)
    }

    /// Gives a text a name.
    pub(crate) fn call(&mut self, text: &str, name: &str) {
        self.others.push((text.to_string(), name.to_string()));
    }

    fn add_all(&mut self, headers: &HeaderMap, body: &[u8]) {
        if let Some(tag) = headers.get(header::ETAG).and_then(|it| it.to_str().ok()) {
            let tag = tag.trim_start_matches("W/").trim_matches('"');
            let coded = ["-br", "-gzip", "-thumb"];
            self.add(coded.iter().find_map(|it| tag.strip_suffix(it)).unwrap_or(tag));
        }
        let Ok(text) = std::str::from_utf8(body) else { return };
        for (at, key) in text.match_indices("\"etag\":\"") {
            self.add(text[at + key.len()..].split('"').next().unwrap());
        }
    }

    fn add(&mut self, tag: &str) {
        if tag.len() >= 8 && !self.tags.iter().any(|it| it == tag) {
            self.tags.push(tag.to_string());
        }
    }

    /// Puts names in place of what has one, and `<time>` in place of the present.
    pub(crate) fn mask(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (named, name) in self.all() {
            text = text.replace(named, &name);
        }
        mask_now(&text)
    }

    /// Puts back what names stand for.
    pub(crate) fn unmask(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (named, name) in self.all() {
            text = text.replace(&name, named);
        }
        with_codes(&text, self.now)
    }
}

/// Puts the code of a second factor in place of `<code SECRET>`, or of `<code SECRET +1>` for that
/// of a step later.
fn with_codes(text: &str, now: i64) -> String {
    let Some((before, rest)) = text.split_once("<code ") else { return text.to_string() };
    let (secret, after) = rest.split_once('>').unwrap();
    let (secret, steps) = secret.split_once(' ').unwrap_or((secret, "0"));
    let code = totp::code(secret, now + 30 * steps.parse::<i64>().unwrap());
    format!("{before}{code}{}", with_codes(after, now))
}

/// Files that a scenario writes are as new as the test.
fn mask_now(text: &str) -> String {
    use recto::stdx::clock::Clock as _;
    let now = recto::stdx::clock::SystemClock.now().seconds();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("20") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let stamp = from.get(..20).filter(|it| it.ends_with('Z')).and_then(Timestamp::parse);
        let recent = stamp.is_some_and(|it| (it.seconds() - now).abs() < 24 * 60 * 60);
        let taken = if recent { 20 } else { 2 };
        out.push_str(if recent { "<time>" } else { "20" });
        rest = &from[taken..];
    }
    out + rest
}

impl Show {
    /// The answer as it is recorded.
    pub(crate) fn answer(&self, status: u16, headers: &HeaderMap, body: &Bytes) -> String {
        let mut out = format!("{status}\n");
        // Neither the order of headers nor that of the names in `Vary` means anything.
        let mut lines: Vec<String> = headers
            .iter()
            .map(|(name, value)| (name, value.to_str().unwrap()))
            .filter(|(name, value)| self.shows(name, value))
            .map(|(name, value)| format!("{name}: {}\n", plain(name, value)))
            .collect();
        lines.sort();
        out.push_str(&lines.concat());
        if !body.is_empty() {
            out.push('\n');
            out.push_str(&self.body(headers, body));
        }
        out
    }

    fn shows(&self, name: &HeaderName, value: &str) -> bool {
        let kind = *name == header::CONTENT_TYPE && value != JSON;
        let asked = self.headers.iter().any(|it| it == "all" || it == name.as_str());
        kind || asked || USUAL.contains(name)
    }

    fn body(&self, headers: &HeaderMap, body: &Bytes) -> String {
        let body = decoded(headers, body);
        let kind = headers.get(header::CONTENT_TYPE).map_or("", |it| it.to_str().unwrap());
        if let Ok(json) = Json::parse(&body)
            && kind == JSON
            && !self.raw
        {
            return self.json(&json);
        }
        if let Some((_, boundary)) = kind.split_once("boundary=") {
            return parts(&body, boundary);
        }
        match std::str::from_utf8(&body) {
            Ok(text) if self.only.is_empty() => text.to_string(),
            Ok(text) => {
                let wanted = |it: &&str| self.only.iter().any(|part| it.contains(part.as_str()));
                text.lines().filter(wanted).map(|it| format!("{it}\n")).collect()
            }
            Err(_) => describe(&body),
        }
    }

    fn json(&self, json: &Json) -> String {
        let failed = json.as_object().is_some_and(|it| it.contains("error"));
        if self.paths.is_empty() || failed {
            return String::from_utf8(json.to_file()).unwrap();
        }
        let line = |path: &String| format!("{path}: {}\n", values(json, path).join("  "));
        self.paths.iter().map(line).collect()
    }

    /// The answer in one line.
    pub(crate) fn row(&self, status: u16, headers: &HeaderMap, body: &Bytes) -> String {
        let mut parts = vec![status.to_string()];
        for name in &self.headers {
            let value = headers.get(name).map_or("-", |it| it.to_str().unwrap());
            parts.push(format!("[{value}]"));
        }
        let body = decoded(headers, body);
        match Json::parse(&body) {
            Ok(json) if json.as_object().is_some_and(|it| it.contains("error")) => {
                parts.push(values(&json, "error.code").concat());
                let fields = json.as_object().unwrap().get("error").unwrap().as_object().unwrap();
                match fields.get("fields").and_then(Json::as_object) {
                    Some(fields) => parts.extend(
                        fields.iter().map(|(name, it)| format!("{name}: {}", it.as_str().unwrap())),
                    ),
                    None => parts.push(values(&json, "error.message").concat()),
                }
            }
            Ok(json) => {
                parts.extend(self.paths.iter().map(|path| values(&json, path).join("  ")));
                let warnings = values(&json, "meta.warnings[]");
                if warnings.iter().any(|it| it != "-") {
                    parts.push(format!("warns {}", warnings.join(" / ")));
                }
            }
            Err(_) if !body.is_empty() => parts.push(describe(&body)),
            Err(_) => {}
        }
        parts.retain(|it| !it.is_empty());
        parts.join(" | ")
    }
}

/// The values at a place: `data[].author.slug`; a dash for none.
fn values(json: &Json, path: &str) -> Vec<String> {
    let mut found = vec![json];
    for part in path.split('.') {
        let (name, list) = part.strip_suffix("[]").map_or((part, false), |it| (it, true));
        let inner = found.iter().map(|it| it.as_object().and_then(|it| it.get(name)));
        let inner = inner.map(|it| it.unwrap_or(&Json::Null));
        found = if list {
            inner.flat_map(|it| it.as_array().unwrap_or_default()).collect()
        } else {
            inner.collect()
        };
    }
    let text = |json: &Json| match json {
        Json::String(text) => text.clone(),
        other => {
            let mut out = Vec::new();
            other.write_compact(&mut out);
            String::from_utf8(out).unwrap()
        }
    };
    if found.is_empty() { vec!["-".to_string()] } else { found.into_iter().map(text).collect() }
}

/// A header's value without what differs from run to run.
fn plain(name: &HeaderName, value: &str) -> String {
    if *name == header::VARY {
        let mut names: Vec<String> = value.split(',').map(|it| it.trim().to_lowercase()).collect();
        names.sort();
        return names.join(", ");
    }
    value.split_once(" boundary=").map_or(value, |(kind, _)| kind).to_string()
}

fn decoded(headers: &HeaderMap, body: &Bytes) -> Bytes {
    use std::io::Read as _;
    let mut out = Vec::new();
    match headers.get(header::CONTENT_ENCODING).map(|it| it.to_str().unwrap()) {
        Some("gzip") if !body.is_empty() => {
            flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut out).unwrap();
        }
        Some("br") if !body.is_empty() => {
            brotli::Decompressor::new(&body[..], 4096).read_to_end(&mut out).unwrap();
        }
        _ => return body.clone(),
    }
    out.into()
}

/// The heads of a body of several parts.
fn parts(body: &[u8], boundary: &str) -> String {
    let text = String::from_utf8_lossy(body).replace(boundary, "<boundary>");
    let heads = |it: &&str| it.starts_with("--") || it.contains(": ");
    text.lines().filter(heads).map(|it| format!("{it}\n")).collect()
}

/// What a picture looks like, or how long other bytes are.
fn describe(bytes: &[u8]) -> String {
    let Ok(picture) = image::load_from_memory(bytes) else {
        return format!("<{} bytes>", bytes.len());
    };
    let kind = image::guess_format(bytes).unwrap().to_mime_type();
    let (width, height) = (picture.width(), picture.height());
    let colours = picture.to_rgba8();
    let colour = |x: u32, y: u32| {
        let [red, green, blue, alpha] = colours.get_pixel(x, y).0;
        match (alpha > 127, red > 127, green > 127, blue > 127) {
            (false, ..) => "clear",
            (_, true, false, false) => "red",
            (_, false, true, false) => "green",
            (_, false, false, true) => "blue",
            (_, true, true, false) => "yellow",
            (_, true, true, true) => "white",
            (_, false, false, false) => "black",
            _ => "other",
        }
    };
    let (right, bottom) = (width - 1, height - 1);
    let corners = [colour(0, 0), colour(right, 0), colour(0, bottom), colour(right, bottom)];
    format!("<{kind} {width}×{height}, corners {}>", corners.join(" "))
}
