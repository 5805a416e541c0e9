//! The activity list: what happened, as far as its reader may know of it, the latest first.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde::Deserialize;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::witness::About;
use crate::app::witness::Witness;
use crate::engine::activity::Span;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::problem::FieldProblems;
use crate::query::params::Params;
use crate::stdx::fold::fold;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// How many rows are given when nobody says.
const LIMIT: usize = 50;

/// How many rows are given at most.
const LIMIT_MAX: usize = 500;

/// How much of the log is looked at for one list.
const SCAN_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The keys of a row, in order.
const KEYS: [&str; 12] = [
    "id",
    "time",
    "level",
    "type",
    "message",
    "user_id",
    "user_name",
    "workspace",
    "source",
    "ip",
    "request_id",
    "details",
];

/// A page of the list.
#[derive(Debug)]
pub struct Activity {
    /// The rows.
    pub data: Vec<Map>,
    /// Their circumstances.
    pub meta: ActivityMeta,
}

/// The `meta` of the list.
#[derive(Debug, Serialize)]
pub struct ActivityMeta {
    total: usize,
    limit: usize,
    offset: usize,
    /// Whether all of the log was looked at.
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A text of a line, borrowed from it where nothing is escaped.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// What of a line decides whether it is shown. Lines are many: nothing else of them is read.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    time: Cow<'a, str>,
    #[serde(borrow)]
    level: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    user_id: Option<Text<'a>>,
    #[serde(borrow, default)]
    user_name: Option<Text<'a>>,
    #[serde(borrow, default)]
    workspace: Option<Text<'a>>,
    #[serde(borrow, default)]
    details: Details<'a>,
}

#[derive(Default, Deserialize)]
struct Details<'a> {
    #[serde(borrow, default, rename = "type")]
    type_name: Option<Text<'a>>,
    #[serde(borrow, default)]
    id: Option<Text<'a>>,
    #[serde(borrow, default)]
    slug: Option<Text<'a>>,
    #[serde(borrow, default)]
    status: Option<Text<'a>>,
    #[serde(borrow, default)]
    filename: Option<Text<'a>>,
}

fn text<'t>(text: &'t Option<Text<'_>>) -> &'t str {
    text.as_ref().map_or("", |it| &it.0)
}

impl Line<'_> {
    fn about(&self) -> Option<About<'_>> {
        let details = &self.details;
        Some(match self.kind.split('.').next()? {
            "content" => About::Entry {
                type_name: text(&details.type_name),
                id: text(&details.id),
                slug: text(&details.slug),
                status: text(&details.status),
            },
            "media" if details.filename.is_some() => About::File(text(&details.filename)),
            "media" => About::Media,
            "schema" => About::Schema(text(&details.type_name)),
            "workspace" => About::Workspace(text(&details.slug)),
            _ => return About::installation(&self.kind),
        })
    }
}

/// What a list is asked for.
#[derive(Debug, Default)]
struct Wanted {
    level: Option<String>,
    kinds: Vec<String>,
    workspace: Option<String>,
    user: Option<String>,
    q: String,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl Wanted {
    fn parse(params: &Params, problems: &mut FieldProblems) -> Wanted {
        let given = |name: &str| params.get(name).filter(|it| !it.is_empty());
        let mut time = |name: &str| {
            let text = given(name)?;
            let time = Timestamp::parse(text);
            if time.is_none() {
                problems.add(name, "This must be a time, like `2026-05-03T12:00:00Z`.");
            }
            // A day means all of it.
            let is_day = name == "until" && text.trim().len() == "YYYY-MM-DD".len();
            time.map(|it| if is_day { it.end_of_day() } else { it })
        };
        let (since, until) = (time("since"), time("until"));
        let level = given("level").map(str::to_string);
        if level.as_deref().is_some_and(|it| !matches!(it, "info" | "warning" | "error")) {
            problems.add("level", "This must be `info`, `warning` or `error`.");
        }
        let kinds = given("type").unwrap_or_default().split(',').map(str::trim);
        Wanted {
            level,
            kinds: kinds.filter(|it| !it.is_empty()).map(str::to_string).collect(),
            workspace: given("workspace").map(str::to_string),
            user: given("user").map(|it| fold(it).into_owned()),
            q: fold(given("q").unwrap_or_default()).into_owned(),
            since,
            until,
        }
    }

    fn has(&self, line: &Line<'_>) -> bool {
        self.level.as_ref().is_none_or(|it| *it == line.level)
            && (self.kinds.is_empty() || self.kinds.iter().any(|it| is_kind(&line.kind, it)))
            && self.workspace.as_ref().is_none_or(|it| *it == text(&line.workspace))
            && self.user.as_ref().is_none_or(|it| is_user(line, it))
            && self.is_within(&line.time)
            && (self.q.is_empty() || self.is_found_in(line))
    }

    fn is_within(&self, time: &str) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let time = Timestamp::parse(time);
        time.is_some_and(|it| {
            self.since.is_none_or(|since| since <= it) && self.until.is_none_or(|until| it <= until)
        })
    }

    fn is_found_in(&self, line: &Line<'_>) -> bool {
        fold(&line.message).contains(&self.q) || fold(text(&line.user_name)).contains(&self.q)
    }
}

/// `content` and `content.*` are all kinds that begin with it.
fn is_kind(kind: &str, wanted: &str) -> bool {
    let group = wanted.strip_suffix(".*").unwrap_or(wanted);
    kind == wanted || kind.strip_prefix(group).is_some_and(|it| it.starts_with('.'))
}

/// By id, or by name however it is written.
fn is_user(line: &Line<'_>, wanted: &str) -> bool {
    text(&line.user_id) == wanted || fold(text(&line.user_name)) == wanted
}

/// Who reads the list.
struct Reader<'a> {
    witness: Witness<'a>,
    id: String,
    /// Whether addresses of others are shown.
    sees_addresses: bool,
}

impl<'a> Reader<'a> {
    fn new(app: &'a App, caller: &'a Caller) -> Result<Reader<'a>> {
        let whole = Resource::Whole(Area::Activity);
        caller.may("", Action::ActivityRead, &whole, &Facts::default())?;
        let sees_addresses = caller.could("", Action::UsersRead, &Resource::Whole(Area::Users));
        let (id, _) = caller.written_down();
        Ok(Reader { witness: Witness::new(&app.engine, caller), id, sees_addresses })
    }

    /// Everybody may know of what they did themselves.
    fn may_know(&mut self, line: &Line<'_>) -> bool {
        let workspace = line.workspace.as_ref().map(|it| &*it.0);
        self.is_own(line) || line.about().is_some_and(|it| self.witness.may_know(workspace, it))
    }

    fn is_own(&self, line: &Line<'_>) -> bool {
        !self.id.is_empty() && text(&line.user_id) == self.id
    }

    /// A line as it is shown.
    fn row(&self, bytes: &[u8], line: &Line<'_>) -> Option<Map> {
        let Ok(Json::Object(stored)) = Json::parse(bytes) else { return None };
        let mut row = Map::new();
        for key in KEYS {
            let hidden = key == "ip" && !self.sees_addresses && !self.is_own(line);
            let value = stored.get(key).filter(|_| !hidden).cloned().unwrap_or(Json::Null);
            row.push(key, value);
        }
        Some(row)
    }
}

/// A page of what happened.
pub fn list(app: &App, caller: &Caller, query: &str) -> Result<Activity> {
    let mut reader = Reader::new(app, caller)?;
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let limit = number(&params, "limit", 1, LIMIT, &mut problems).min(LIMIT_MAX);
    let offset = number(&params, "offset", 0, 0, &mut problems);
    let wanted = Wanted::parse(&params, &mut problems);
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    let span = Span { since: wanted.since, until: wanted.until, bytes_max: Some(SCAN_BYTES_MAX) };
    let (mut data, mut total) = (Vec::new(), 0_usize);
    let complete = app.engine.read_activity(span, &mut |bytes| {
        // What is torn, or was written by something else, is nobody's.
        if let Ok(line) = serde_json::from_slice::<Line<'_>>(bytes)
            && wanted.has(&line)
            && reader.may_know(&line)
        {
            if total >= offset && data.len() < limit {
                data.extend(reader.row(bytes, &line));
            }
            total += 1;
        }
        ControlFlow::Continue(())
    })?;
    let meta = ActivityMeta { total, limit, offset, complete, warnings: warnings(&params) };
    Ok(Activity { data, meta })
}

/// The last rows that the caller may know of, without counting the others.
pub fn latest(app: &App, caller: &Caller, most: usize) -> Result<Vec<Map>> {
    let mut reader = Reader::new(app, caller)?;
    let mut rows = Vec::new();
    // Whoever may know of little is not looked for through years.
    let span = Span { bytes_max: Some(LATEST_BYTES_MAX), ..Span::default() };
    app.engine.read_activity(span, &mut |bytes| {
        if let Ok(line) = serde_json::from_slice::<Line<'_>>(bytes)
            && reader.may_know(&line)
        {
            rows.extend(reader.row(bytes, &line));
        }
        if rows.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(rows)
}

/// How much of the log is looked at for the last rows.
const LATEST_BYTES_MAX: u64 = 1024 * 1024;

fn number(
    params: &Params,
    name: &str,
    least: usize,
    default: usize,
    problems: &mut FieldProblems,
) -> usize {
    let Some(text) = params.get(name).filter(|it| !it.is_empty()) else { return default };
    let number = text.parse().ok().filter(|it| *it >= least);
    number.unwrap_or_else(|| {
        problems.add(name, format!("This must be a whole number, {least} or more."));
        default
    })
}

fn warnings(params: &Params) -> Vec<String> {
    const KNOWN: &[&str] =
        &["level", "type", "limit", "offset", "workspace", "user", "q", "since", "until", "pretty"];
    let unknown = params.iter().filter(|(name, _)| !KNOWN.contains(name));
    unknown.map(|(name, _)| format!("{name}: This parameter is not known here.")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_their_group() {
        let check = |kind: &str, wanted: &str, expect: bool| {
            assert_eq!(is_kind(kind, wanted), expect, "{kind} {wanted}");
        };
        check("content.updated", "content.updated", true);
        check("content.updated", "content", true);
        check("content.updated", "content.*", true);
        check("content.updated", "content.deleted", false);
        check("content.updated", "con", false);
        check("content.updated", "*", false);
    }

    #[test]
    fn lines_that_are_none_are_left_out() {
        for text in ["", "{", "{}", "[]", r#"{"time":1}"#, r#"{"id":"1","time":"t","level":"x"}"#] {
            assert!(serde_json::from_slice::<Line<'_>>(text.as_bytes()).is_err(), "{text}");
        }
        let line = r#"{"time":"t","level":"info","type":"content.updated","message":"\u0041","user_id":null,"details":{"type":"posts","n":1}}"#;
        let line: Line<'_> = serde_json::from_str(line).unwrap();
        assert_eq!((&*line.message, text(&line.details.type_name)), ("A", "posts"));
        assert!(matches!(line.time, Cow::Borrowed(_)));
    }
}
