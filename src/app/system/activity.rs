//! The activity list: the recorded events that the caller may see, latest first.

use std::borrow::Cow;
use std::ops::ControlFlow;

use memchr::memchr;
use memchr::memmem;
use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use serde::Deserialize;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::entries::EffortResult;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::event_visibility::EventTarget;
use crate::app::system::event_visibility::EventVisibility;
use crate::engine::outbox::activity::ActivityRange;
use crate::model::event::EventSource;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::stdx::fold::fold_text;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::time::Timestamp;

/// The default number of rows.
const LIMIT: usize = 50;

/// The most rows of a page.
const LIMIT_MAX: usize = 500;

/// The most bytes of the log that are read where others wait for the thread: some ten milliseconds.
const THOROUGH_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The most bytes of the log that are read for one page.
const SCAN_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// A row of the activity list. Its values are shown as the log has them; those that a line lacks
/// are `null`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(description = "A row of the activity list.")]
pub struct ActivityRow {
    /// The id of the event.
    #[schemars(with = "String")]
    id: Json,
    /// The time of the event.
    #[schemars(with = "Timestamp")]
    time: Json,
    /// The severity.
    #[schemars(schema_with = "level_schema")]
    level: Json,
    /// The kind of the event, such as `content.updated`.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    kind: Json,
    /// A sentence.
    #[schemars(with = "String")]
    message: Json,
    /// The id of the user or token, if there is one.
    #[schemars(with = "Option<String>")]
    user_id: Json,
    /// The name of the user or token at that time.
    #[schemars(with = "Option<String>")]
    user_name: Json,
    /// The slug of the workspace of the event, if it has one.
    #[schemars(with = "Option<String>")]
    workspace: Json,
    /// The origin of the change.
    #[schemars(with = "Option<EventSource>")]
    source: Json,
    /// Visible to callers who may read users, and in the caller's own rows.
    #[schemars(with = "Option<String>")]
    ip: Json,
    /// The id of the request that caused the event.
    #[schemars(with = "Option<String>")]
    request_id: Json,
    /// The id of the change whose publication caused the event; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    in_change: Option<Json>,
    /// The subject of the event.
    #[schemars(with = "Option<serde_json::Value>", extend("type" = ["object", "null"]))]
    details: Json,
}

fn level_schema(_: &mut SchemaGenerator) -> Schema {
    one_of_texts(LEVELS)
}

impl ActivityRow {
    fn from_stored(mut stored: Map) -> ActivityRow {
        let in_change = stored.remove("in_change");
        let mut take = |key| stored.remove(key).unwrap_or(Json::Null);
        ActivityRow {
            id: take("id"),
            time: take("time"),
            level: take("level"),
            kind: take("type"),
            message: take("message"),
            user_id: take("user_id"),
            user_name: take("user_name"),
            workspace: take("workspace"),
            source: take("source"),
            ip: take("ip"),
            request_id: take("request_id"),
            in_change,
            details: take("details"),
        }
    }
}

/// A page of the activity list.
#[derive(Debug)]
pub struct ActivityPage {
    /// The rows.
    pub data: Vec<ActivityRow>,
    /// The metadata of the page.
    pub meta: ActivityPageMeta,
}

/// The `meta` of a page.
#[derive(Debug, Serialize)]
pub struct ActivityPageMeta {
    total: usize,
    limit: usize,
    offset: usize,
    /// True if the whole log was read.
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A text of a line, borrowed unless it contains escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of a line that decide whether it is shown. Only these are parsed, because there are
/// many lines.
#[derive(Deserialize)]
struct ActivityLineFields<'a> {
    #[serde(borrow)]
    time: Cow<'a, str>,
    #[serde(borrow)]
    level: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    user_id: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    user_name: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    workspace: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    details: ActivityLineDetails<'a>,
}

#[derive(Default, Deserialize)]
struct ActivityLineDetails<'a> {
    #[serde(borrow, default, rename = "type")]
    type_name: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    id: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    slug: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    status: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    filename: Option<BorrowedText<'a>>,
    #[serde(borrow, default)]
    change: Option<BorrowedText<'a>>,
}

fn text_or_empty<'t>(text: &'t Option<BorrowedText<'_>>) -> &'t str {
    text.as_ref().map_or("", |it| &it.0)
}

impl ActivityLineFields<'_> {
    fn event_target(&self) -> Option<EventTarget<'_>> {
        let details = &self.details;
        Some(match self.kind.split('.').next()? {
            "content" => EventTarget::Entry {
                type_name: text_or_empty(&details.type_name),
                id: text_or_empty(&details.id),
                slug: text_or_empty(&details.slug),
                status: text_or_empty(&details.status),
            },
            "change" => EventTarget::Change(text_or_empty(&details.change)),
            "media" if details.filename.is_some() => {
                EventTarget::File(text_or_empty(&details.filename))
            }
            "media" => EventTarget::Media,
            "schema" | "view" => EventTarget::Schema(text_or_empty(&details.type_name)),
            "workspace" => EventTarget::Workspace(text_or_empty(&details.slug)),
            _ => return EventTarget::from_kind(&self.kind),
        })
    }
}

/// The query of an activity list.
#[derive(Debug, Default)]
struct ActivityFilter {
    level: Option<String>,
    kinds: Vec<String>,
    workspace: Option<String>,
    user: Option<String>,
    q: String,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

/// The levels of events.
pub const LEVELS: [&str; 3] = ["info", "warning", "error"];

impl ActivityFilter {
    fn parse(params: &QueryParams, problems: &mut FieldProblems) -> ActivityFilter {
        let given = |name: &str| params.get(name).filter(|it| !it.is_empty());
        let mut time = |name: &str| {
            let text = given(name)?;
            let time = Timestamp::parse(text);
            if time.is_none() {
                problems.add(name, wording::NOT_A_TIME);
            }
            // A date without a time includes the whole day.
            let is_day = name == "until" && text.trim().len() == "YYYY-MM-DD".len();
            time.map(|it| if is_day { it.end_of_day() } else { it })
        };
        let (since, until) = (time("since"), time("until"));
        let level = given("level").map(str::to_string);
        if level.as_deref().is_some_and(|it| !LEVELS.contains(&it)) {
            problems.add("level", wording::not_one_of(LEVELS));
        }
        let kinds = given("type").unwrap_or_default().split(',').map(str::trim);
        ActivityFilter {
            level,
            kinds: kinds.filter(|it| !it.is_empty()).map(str::to_string).collect(),
            workspace: given("workspace").map(str::to_string),
            user: given("user").map(|it| fold_text(it).into_owned()),
            q: fold_text(given("q").unwrap_or_default()).into_owned(),
            since,
            until,
        }
    }

    /// Returns false if a line cannot match and need not be parsed: without escapes, it has all
    /// texts as they are.
    fn could_match(&self, line: &[u8]) -> bool {
        let has = |text: &str| memmem::find(line, text.as_bytes()).is_some();
        let mut texts = self.level.iter().chain(&self.workspace);
        let kinds = &self.kinds;
        memchr(b'\\', line).is_some()
            || texts.all(|it| has(it))
                && (kinds.is_empty() || kinds.iter().any(|it| has(kind_group(it))))
    }

    fn matches_line(&self, line: &ActivityLineFields<'_>) -> bool {
        self.level.as_ref().is_none_or(|it| *it == line.level)
            && (self.kinds.is_empty() || self.kinds.iter().any(|it| matches_kind(&line.kind, it)))
            && self.workspace.as_ref().is_none_or(|it| *it == text_or_empty(&line.workspace))
            && self.user.as_ref().is_none_or(|it| matches_user(line, it))
            && self.matches_time(&line.time)
            && (self.q.is_empty() || self.matches_search(line))
    }

    fn matches_time(&self, time: &str) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let time = Timestamp::parse(time);
        time.is_some_and(|it| {
            self.since.is_none_or(|since| since <= it) && self.until.is_none_or(|until| it <= until)
        })
    }

    fn matches_search(&self, line: &ActivityLineFields<'_>) -> bool {
        fold_text(&line.message).contains(&self.q)
            || fold_text(text_or_empty(&line.user_name)).contains(&self.q)
    }
}

/// Returns the group that a wanted kind names; the kind itself if it names none.
fn kind_group(wanted: &str) -> &str {
    wanted.strip_suffix(".*").unwrap_or(wanted)
}

/// Returns true if a kind is the wanted one or in the wanted group: `content` and `content.*`
/// contain all kinds that start with `content.`.
fn matches_kind(kind: &str, wanted: &str) -> bool {
    let group = kind_group(wanted);
    kind == wanted || kind.strip_prefix(group).is_some_and(|it| it.starts_with('.'))
}

/// Returns true if a line belongs to the wanted user, by id or by case-folded name.
fn matches_user(line: &ActivityLineFields<'_>, wanted: &str) -> bool {
    text_or_empty(&line.user_id) == wanted || fold_text(text_or_empty(&line.user_name)) == wanted
}

/// The reader of the list.
struct ActivityReader<'a> {
    visibility: EventVisibility<'a>,
    id: String,
    /// True if the IP addresses of others are shown.
    sees_addresses: bool,
}

impl<'a> ActivityReader<'a> {
    fn new(app: &'a App, caller: &'a Caller) -> Result<ActivityReader<'a>> {
        let whole = Resource::Whole(Area::Activity);
        caller.check_permission("", Action::ActivityRead, &whole, &Facts::default())?;
        let sees_addresses =
            caller.has_any_grant("", Action::UsersRead, &Resource::Whole(Area::Users));
        let (id, _) = caller.author_id_and_name();
        Ok(ActivityReader {
            visibility: EventVisibility::new(&app.engine, caller),
            id,
            sees_addresses,
        })
    }

    /// Returns true if the reader may see a line. Users always see their own actions.
    fn may_see_line(&mut self, line: &ActivityLineFields<'_>) -> bool {
        let workspace = line.workspace.as_ref().map(|it| &*it.0);
        self.is_own(line)
            || line.event_target().is_some_and(|it| self.visibility.may_see_target(workspace, it))
    }

    fn is_own(&self, line: &ActivityLineFields<'_>) -> bool {
        !self.id.is_empty() && text_or_empty(&line.user_id) == self.id
    }

    /// Returns a line in the form that is shown.
    fn render_row(&self, bytes: &[u8], line: &ActivityLineFields<'_>) -> Option<ActivityRow> {
        let Ok(Json::Object(stored)) = Json::parse(bytes) else { return None };
        let mut row = ActivityRow::from_stored(stored);
        if !self.sees_addresses && !self.is_own(line) {
            row.ip = Json::Null;
        }
        Some(row)
    }
}

/// Returns a page of the activity list, as far as `effort` allows.
pub fn list(
    app: &App,
    caller: &Caller,
    query: &str,
    effort: Effort,
) -> Result<EffortResult<ActivityPage>> {
    let mut reader = ActivityReader::new(app, caller)?;
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = parse_window(&params, &mut problems);
    let limit = limit.unwrap_or(LIMIT).min(LIMIT_MAX);
    let wanted = ActivityFilter::parse(&params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let span =
        ActivityRange { since: wanted.since, until: wanted.until, bytes_max: Some(SCAN_BYTES_MAX) };
    let outbox = app.engine.outbox();
    if effort != Effort::Heavy && outbox.measure_activity(span)? > THOROUGH_BYTES_MAX {
        return Ok(EffortResult::NeedsEffort);
    }
    let (mut data, mut total) = (Vec::new(), 0_usize);
    let complete = outbox.read_activity(span, &mut |bytes| {
        if !wanted.could_match(bytes) {
            return ControlFlow::Continue(());
        }
        // What is torn, or was written by something else, is nobody's.
        if let Ok(line) = serde_json::from_slice::<ActivityLineFields<'_>>(bytes)
            && wanted.matches_line(&line)
            && reader.may_see_line(&line)
        {
            if total >= offset && data.len() < limit {
                data.extend(reader.render_row(bytes, &line));
            }
            total += 1;
        }
        ControlFlow::Continue(())
    })?;
    let meta =
        ActivityPageMeta { total, limit, offset, complete, warnings: collect_warnings(&params) };
    Ok(EffortResult::Done(ActivityPage { data, meta }))
}

/// Returns the latest rows that the caller may see, without counting the others.
pub fn list_latest(app: &App, caller: &Caller, most: usize) -> Result<Vec<ActivityRow>> {
    let mut reader = ActivityReader::new(app, caller)?;
    let mut rows = Vec::new();
    // The search is bounded for callers who may see little.
    let span = ActivityRange { bytes_max: Some(LATEST_BYTES_MAX), ..ActivityRange::default() };
    app.engine.outbox().read_activity(span, &mut |bytes| {
        if let Ok(line) = serde_json::from_slice::<ActivityLineFields<'_>>(bytes)
            && reader.may_see_line(&line)
        {
            rows.extend(reader.render_row(bytes, &line));
        }
        if rows.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(rows)
}

/// The most bytes of the log that are read for the latest rows.
const LATEST_BYTES_MAX: u64 = 1024 * 1024;

fn collect_warnings(params: &QueryParams) -> Vec<String> {
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
            assert_eq!(matches_kind(kind, wanted), expect, "{kind} {wanted}");
        };
        check("content.updated", "content.updated", true);
        check("content.updated", "content", true);
        check("content.updated", "content.*", true);
        check("content.updated", "content.deleted", false);
        check("content.updated", "con", false);
        check("content.updated", "*", false);
    }

    #[test]
    fn only_lines_that_could_match_are_parsed() {
        let check = |query: &str, line: &str, expect: bool| {
            let params = QueryParams::parse(query).unwrap();
            let wanted = ActivityFilter::parse(&params, &mut FieldProblems::new());
            assert_eq!(wanted.could_match(line.as_bytes()), expect, "{query} {line}");
        };
        let line = r#"{"level":"info","type":"content.updated","workspace":"shop"}"#;
        check("", line, true);
        check("q=x&user=y&since=2030-01-01", line, true);
        check("level=info&workspace=shop&type=media,content.*", line, true);
        check("level=error", line, false);
        check("workspace=main", line, false);
        check("type=media,content.deleted", line, false);
        // An escape may stand for any letter.
        check("workspace=shop", r#"{"workspace":"\u0073hop"}"#, true);
    }

    #[test]
    fn lines_that_are_none_are_left_out() {
        for text in ["", "{", "{}", "[]", r#"{"time":1}"#, r#"{"id":"1","time":"t","level":"x"}"#] {
            assert!(
                serde_json::from_slice::<ActivityLineFields<'_>>(text.as_bytes()).is_err(),
                "{text}"
            );
        }
        let line = r#"{"time":"t","level":"info","type":"content.updated","message":"\u0041","user_id":null,"details":{"type":"posts","n":1}}"#;
        let line: ActivityLineFields<'_> = serde_json::from_str(line).unwrap();
        assert_eq!((&*line.message, text_or_empty(&line.details.type_name)), ("A", "posts"));
        assert!(matches!(line.time, Cow::Borrowed(_)));
    }
}
