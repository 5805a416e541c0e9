//! Entries as they are read: one as the public API shows it, or a list for either API.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::LazyLock;

use bytes::Bytes;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::entry_response::WORKSPACE_PARAM;
use crate::app::content::entries::entry_response::count_expanded;
use crate::app::content::entries::entry_response::find_visible;
use crate::app::content::entries::entry_response::indent_json;
use crate::app::content::entries::entry_response::write_warnings;
use crate::app::content::entries::entry_rewriter::EntryRewriter;
use crate::app::content::entries::entry_rewriter::REWRITTEN_GROWTH;
use crate::app::content::entries::entry_stream::AnswerBody;
use crate::app::content::entries::entry_stream::EntryListWriter;
use crate::app::content::entries::entry_stream::EntryStream;
use crate::app::content::entries::list_meta::EntryListMeta;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::content_type::ContentType;
use crate::model::entry::Api;
use crate::model::grant::Action;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::executor::ListResult;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::render::rendered_entry::BODY_HEAD;
use crate::query::render::rendered_entry::BODY_TAIL;
use crate::query::request::include::ExpansionCount;
use crate::query::request::include::IncludeLimits;
use crate::query::request::list_query;
use crate::query::request::list_query::ListQuery;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// Lists of more entries are streamed.
const JOINED_MAX: usize = 200;

/// And so are answers in which more entries are expanded.
const JOINED_EXPANDED_MAX: usize = 2_000;

/// And so are those of about so many bytes: whoever reads slowly holds no more than a few frames.
const JOINED_BYTES_MAX: usize = 512 * 1024;

/// The usual bytes after the entries of a list.
const META_BYTES_USUAL: usize = 256;

/// The most entries whose Markdown is rendered at once.
const RENDERED_MAX: usize = 500;

/// The bytes before the entries of a list.
const LIST_HEAD: &[u8] = b"{\"data\":[";

/// The shape of an answer to a request without parameters.
static PLAIN_SHAPE: LazyLock<Shape> = LazyLock::new(Shape::default);

/// An entry as it is asked for.
pub struct EntryReadResponse {
    /// The whole answer.
    pub body: AnswerBody,
    /// The sum of the file's content.
    pub rev: Checksum,
    /// The sum of the body.
    pub variant: Checksum,
}

/// A list of entries.
pub struct EntryListResponse {
    /// The entity tag, which changes when the answer does.
    pub etag: Checksum,
    /// The answer.
    pub body: AnswerBody,
}

/// The settings that the answer to a reader of one entry depends on.
#[derive(Clone, Copy)]
pub struct ReadSettings<'a> {
    /// The base URL of addresses in HTML.
    pub base_url: &'a str,
    /// Returns the limits of what is expanded. Few readers need them.
    pub limits: &'a dyn Fn() -> IncludeLimits,
}

/// The result of an answer for which only a certain effort is allowed.
pub enum EffortResult<T> {
    /// An answer.
    Done(T),
    /// It takes longer than the caller can wait where it is.
    NeedsEffort,
}

/// One entry by id or slug, as far as `effort` allows.
pub fn show(
    settings: ReadSettings<'_>,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &QueryParams,
    effort: Effort,
) -> Result<EffortResult<EntryReadResponse>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    // Whoever sees entries of the type may read some.
    if matches!(view.resolve_visibility(place), EntryVisibility::Nothing) {
        check_may_read(snapshot, caller, type_name)?;
    }
    let (shape, warnings) = parse_shape(&view, &index.content_type, params)?;
    let missing = || Error::not_found("entry", identifier);
    let ordinal = find_visible(&view, caller, place, identifier)?;
    let rev = index.entry_at(ordinal).ok_or_else(missing)?.rev;
    let writer = EntryWriter::new(&view, &shape, place).ok_or_else(missing)?;
    if warnings.is_empty()
        && !shape.pretty
        && let Some(variant) = writer.get_unmodified(ordinal)
    {
        let body = AnswerBody::Whole(variant.share_body());
        return Ok(EffortResult::Done(EntryReadResponse { body, rev, variant: variant.sum }));
    }
    let page = [ordinal];
    let limits = (settings.limits)();
    let Some(expanded) = count_shown(&writer, &shape, &page, &limits, effort)? else {
        return Ok(EffortResult::NeedsEffort);
    };
    let bytes = estimate_answer_bytes(&writer, &shape, &page, expanded);
    let long = bytes > JOINED_BYTES_MAX;
    if effort == Effort::Quick && (long || shape.is_rewritten()) {
        return Ok(EffortResult::NeedsEffort);
    }
    let tail = write_tail(&warnings);
    if long {
        let stream = || {
            let page = page.to_vec();
            let shape = shape.clone().into_owned();
            let stream =
                EntryStream::new(snapshot, caller, shape, place, BODY_HEAD, page, tail.clone());
            stream.with_base_url(settings.base_url)
        };
        // Made twice, so that it is never there as a whole.
        let variant = Checksum::of_pieces(stream());
        let body = AnswerBody::Streamed(Box::new(stream()));
        return Ok(EffortResult::Done(EntryReadResponse { body, rev, variant }));
    }
    let rows = EntryListWriter::new(&view, caller, &shape, place, None, settings.base_url);
    let body = join_rows(&rows.ok_or_else(missing)?, BODY_HEAD, &page, bytes, &tail);
    let body = Bytes::from(if shape.pretty { indent_json(&body) } else { body });
    let variant = Checksum::of_bytes(&body);
    Ok(EffortResult::Done(EntryReadResponse { body: AnswerBody::Whole(body), rev, variant }))
}

/// Returns what follows an entry.
fn write_tail(warnings: &[String]) -> Vec<u8> {
    let mut tail = Vec::new();
    if !warnings.is_empty() {
        tail.extend_from_slice(b",\"meta\":{");
        write_warnings(warnings, &mut tail);
        tail.push(b'}');
    }
    tail.extend_from_slice(BODY_TAIL);
    tail
}

/// An entry that a slug led to formerly.
#[derive(Serialize)]
pub struct MovedEntry {
    /// The id.
    pub id: String,
    /// The slug that it has now.
    pub slug: String,
}

/// Returns the entry that had this slug formerly, if the caller sees it.
pub fn find_moved(
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    type_name: &str,
    former_slug: &str,
    params: &QueryParams,
) -> Option<MovedEntry> {
    let (place, index) = content_types::find(snapshot, caller, type_name).ok()?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let entry = index.entry_at(view.find_moved(place, former_slug)?)?;
    Some(MovedEntry { id: entry.id().to_string(), slug: entry.slug().to_string() })
}

/// Parses the shape that a reader of one entry asks for. Returns warnings with it.
fn parse_shape(
    view: &View<'_>,
    ty: &ContentType,
    params: &QueryParams,
) -> Result<(Cow<'static, Shape>, Vec<String>)> {
    if params.is_empty() {
        return Ok((Cow::Borrowed(&PLAIN_SHAPE), Vec::new()));
    }
    let (shape, warnings) = Shape::parse(view, ty, params).map_err(Error::invalid)?;
    Ok((Cow::Owned(shape), warnings))
}

/// A list of entries as one of the APIs shows them, as far as `effort` allows.
pub fn list(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    type_name: &str,
    query: &str,
    effort: Effort,
    api: Api,
) -> Result<EffortResult<EntryListResponse>> {
    app.lists.set_limit_max(app.settings().editable.list_limit_max);
    if let Some(kept) = get_kept_list(app, snapshot, caller, type_name, query) {
        return Ok(EffortResult::Done(kept));
    }
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    check_may_read(snapshot, caller, type_name)?;
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(&params));
    let limit_max = app.settings().editable.list_limit_max;
    let asked = parse_list_query(&view, &index.content_type, &params, limit_max, api)?;
    let files = (api == Api::Admin).then(|| app.engine.clone());
    let touched = list_touched_types(snapshot, place, &asked);
    if effort == Effort::Quick && is_list_costly(&view, &asked, &touched) {
        return Ok(EffortResult::NeedsEffort);
    }
    let Ok(found) = executor::run_query(&view, place, &asked, effort) else {
        return Ok(EffortResult::NeedsEffort);
    };
    let missing = || Error::not_found("content type", type_name);
    let writer = EntryWriter::new(&view, &asked.shape, place).ok_or_else(missing)?;
    let limits = app.settings().include;
    let Some(expanded) = count_shown(&writer, &asked.shape, &found.page, &limits, effort)? else {
        return Ok(EffortResult::NeedsEffort);
    };
    let base_url = app.engine.base_url();
    let etag = compute_etag(&view, &touched, (&params, &asked.warnings), base_url, limit_max);
    let rewriter = EntryRewriter::new(&view, caller, &asked.shape, base_url);
    let etag = rewriter.map_or(etag, |it| etag.plus(it.sum_sources(caller.is_anonymous())));
    let tail = write_list_tail(&asked, &found);
    let is_joined = found.page.len() <= JOINED_MAX && expanded.entries <= JOINED_EXPANDED_MAX;
    let bytes =
        is_joined.then(|| estimate_answer_bytes(&writer, &asked.shape, &found.page, expanded));
    let Some(bytes) = bytes.filter(|it| *it <= JOINED_BYTES_MAX) else {
        let (shape, page) = (asked.shape, found.page);
        let stream = EntryStream::new(snapshot, caller, shape, place, LIST_HEAD, page, tail);
        let stream = stream.with_files(files).with_base_url(base_url);
        let stream = stream.with_large_frames(&app.large_frames);
        let body = AnswerBody::Streamed(Box::new(stream));
        return Ok(EffortResult::Done(EntryListResponse { etag, body }));
    };
    let rows = EntryListWriter::new(&view, caller, &asked.shape, place, files.as_deref(), base_url);
    let rows = rows.ok_or_else(missing)?;
    let body = join_rows(&rows, LIST_HEAD, &found.page, bytes, &tail);
    let body = Bytes::from(if asked.shape.pretty { indent_json(&body) } else { body });
    let is_kept = is_kept_for(snapshot, caller) && !asked.shape.is_rewritten();
    if is_kept && limit_max == app.settings().editable.list_limit_max {
        app.lists.put(snapshot, type_name, query, &touched, etag, &body);
    }
    Ok(EffortResult::Done(EntryListResponse { etag, body: AnswerBody::Whole(body) }))
}

/// Returns true if it may take long to compute the entity tag, which sums up what the caller sees
/// of each type, or to rewrite the entries.
fn is_list_costly(view: &View<'_>, asked: &ListQuery, touched: &[TypeName]) -> bool {
    let mut places = touched.iter().filter_map(|it| view.snapshot.type_position(it.as_str()));
    asked.shape.is_rewritten() || places.any(|it| view.is_costly(it))
}

/// Returns what follows the entries of a list.
fn write_list_tail(asked: &ListQuery, found: &ListResult) -> Vec<u8> {
    let mut tail = Vec::with_capacity(META_BYTES_USUAL);
    tail.extend_from_slice(b"],\"meta\":");
    EntryListMeta::from_result(asked, found).write_json(&mut tail);
    tail.push(b'}');
    tail
}

/// Returns the approximate size of these entries with what is expanded in them.
fn estimate_answer_bytes(
    writer: &EntryWriter<'_>,
    shape: &Shape,
    page: &[Ordinal],
    expanded: ExpansionCount,
) -> usize {
    let growth = if shape.is_rewritten() { REWRITTEN_GROWTH } else { 1 };
    let expanded = usize::try_from(expanded.bytes).unwrap_or(usize::MAX);
    writer.estimate_bytes(page).saturating_add(expanded).saturating_mul(growth)
}

/// Returns true if lists are kept: what anonymous callers see of what is live.
fn is_kept_for(snapshot: &Snapshot, caller: &Caller) -> bool {
    caller.is_anonymous() && snapshot.overlay.is_none()
}

/// The list that is kept for anonymous callers.
fn get_kept_list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    query: &str,
) -> Option<EntryListResponse> {
    if !is_kept_for(snapshot, caller) {
        return None;
    }
    let kept = app.lists.get(snapshot, type_name, query)?;
    Some(EntryListResponse { etag: kept.etag, body: AnswerBody::Whole(kept.body) })
}

/// Parses the query of a list. The admin API has a parameter more.
fn parse_list_query(
    view: &View<'_>,
    ty: &ContentType,
    params: &QueryParams,
    limit_max: usize,
    api: Api,
) -> Result<ListQuery> {
    let mut asked = ListQuery::parse(view, ty, params, limit_max).map_err(Error::invalid)?;
    if api == Api::Admin {
        asked.warnings.retain(|it| *it != list_query::describe_unknown(WORKSPACE_PARAM));
    }
    Ok(asked)
}

/// A caller with a credential is refused where none of its grants could ever let it read.
fn check_may_read(snapshot: &Snapshot, caller: &Caller, type_name: &str) -> Result<()> {
    let workspace = snapshot.workspace.as_str();
    let Some(grants) = caller.grants() else { return Ok(()) };
    if grants.could_read_type(workspace, type_name) {
        return Ok(());
    }
    Err(Error::forbidden(Action::ContentRead, &format!("`content:{type_name}:*`")))
}

/// The types that an answer shows something of: the listed one, what its relations point to, and
/// what included entries' relations point to. The listed one is the first, which tells lists apart
/// that show something of the same types.
fn list_touched_types(snapshot: &Snapshot, place: usize, query: &ListQuery) -> Vec<TypeName> {
    let mut places = vec![place];
    query.shape.include.visit_targets(&mut |it| places.push(it));
    let mut names: Vec<TypeName> = Vec::new();
    let mut add_name = |name: &TypeName| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    for index in places.into_iter().filter_map(|it| snapshot.types().get(it)) {
        let ty = &index.content_type;
        std::iter::once(&ty.name).chain(&ty.relation_targets).for_each(&mut add_name);
    }
    if query.shape.html {
        // Texts may link to entries of any type whose entries have pages.
        let types = snapshot.types().iter().map(|it| &it.content_type);
        types.filter(|it| it.feed.is_some()).for_each(|it| add_name(&it.name));
    }
    names
}

/// Changes when anything changes that the caller could see in the answer, and never otherwise.
fn compute_etag(
    view: &View<'_>,
    touched: &[TypeName],
    (params, warnings): (&QueryParams, &[String]),
    base_url: &str,
    limit_max: usize,
) -> Checksum {
    let mut summer = ChecksumBuilder::new();
    summer.add_part(base_url.as_bytes()).add_part(view.snapshot.workspace.as_bytes());
    params.add_to_checksum(warnings, &mut summer);
    summer.add_number(u64::from(view.is_anonymous()));
    if limit_max > 0 {
        summer.add_number(limit_max as u64);
    }
    for name in touched {
        summer.add_part(name.as_bytes());
        let known = view.find_type(name.as_str()).filter(|(_, index)| view.knows_type(index));
        if let Some((place, index)) = known {
            summer.add_number(index.content_type.sum.0).add_number(view.compute_sum(place).0);
        }
    }
    summer.finish()
}

/// Returns the size of what is expanded in these entries; nothing if counting takes more effort
/// than is allowed. Refuses to render more Markdown than one request may ask for.
fn count_shown(
    writer: &EntryWriter<'_>,
    shape: &Shape,
    page: &[Ordinal],
    limits: &IncludeLimits,
    effort: Effort,
) -> Result<Option<ExpansionCount>> {
    let expanded = count_expanded(writer, page, limits, effort)?;
    let entries = expanded.map_or(0, |it| it.entries).saturating_add(page.len());
    if !shape.html || entries <= RENDERED_MAX {
        return Ok(expanded);
    }
    let message = format!(
        "`render` works for at most {RENDERED_MAX} entries at once, and these are {entries}. Set a \
         smaller `limit`."
    );
    Err(Error::invalid(FieldProblems::from_problem("render", message)))
}

/// Writes entries of about so many bytes between two texts.
fn join_rows(
    rows: &EntryListWriter<'_>,
    head: &[u8],
    page: &[Ordinal],
    bytes: usize,
    tail: &[u8],
) -> Vec<u8> {
    // All of it, since growing later would copy all that is written by then.
    let mut body = Vec::with_capacity(bytes + head.len() + page.len() + tail.len());
    body.extend_from_slice(head);
    let mut cursor = RenderCursor::default();
    for (position, ordinal) in page.iter().enumerate() {
        if position > 0 {
            body.push(b',');
        }
        rows.write_entry(*ordinal, &mut cursor, &mut body);
    }
    body.extend_from_slice(tail);
    body
}
