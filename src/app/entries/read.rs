//! Entries as they are read: one as the public API shows it, or a list for either API.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::admin::AdminRows;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::model::entry::Api;
use crate::model::grant::Action;
use crate::model::grant::Resource;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::query::answer::Writer;
use crate::query::doc::BODY_HEAD;
use crate::query::doc::BODY_TAIL;
use crate::query::include::IncludeLimits;
use crate::query::include::TooMuch;
use crate::query::list_query;
use crate::query::list_query::ListQuery;
use crate::query::list_query::Shape;
use crate::query::params::Params;
use crate::query::run;
use crate::query::run::Effort;
use crate::query::run::Found;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::view::Eyes;
use crate::query::view::View;
use crate::query::walk::Walk;
use crate::stdx::indent;
use crate::stdx::indent::Indenter;
use crate::stdx::json::write_string;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// Lists of more entries are streamed.
const JOINED_MAX: usize = 200;

/// And so are answers in which more entries are expanded.
const JOINED_EXPANDED_MAX: usize = 2_000;

/// And so are those of about so many bytes: whoever reads slowly holds no more than a few frames.
const JOINED_BYTES_MAX: u64 = 512 * 1024;

/// How many entries are looked at together before they are written (see [`Writer::bytes`]).
const LOOKED_AT: usize = 16;

/// About how many bytes a frame of a streamed answer has. Entries are cut where it ends.
const FRAME_BYTES: usize = 64 * 1024;

/// What may be written past the end of a frame: the last id, the tail.
const FRAME_SLACK_BYTES: usize = 1024;

/// What is indented at once: every byte of it may become a line of its own.
const PIECE_BYTES: usize = 1024;

/// The parameter that requests of the admin API may name their workspace with.
pub(super) const NAMES_WORKSPACE: &str = "workspace";

/// One entry, finished.
#[derive(Clone)]
pub struct Shown {
    /// The whole body.
    pub body: Bytes,
    /// The sum of the file's content.
    pub rev: Sum,
    /// The sum of the body.
    pub variant: Sum,
}

/// An entry as it is asked for.
pub struct Seen {
    /// The whole answer.
    pub body: AnswerBody,
    /// The sum of the file's content.
    pub rev: Sum,
    /// The sum of the body.
    pub variant: Sum,
}

/// A list of entries.
pub struct Listed {
    /// What changes when the answer does.
    pub etag: Sum,
    /// The answer.
    pub body: AnswerBody,
}

/// The body of an answer.
pub enum AnswerBody {
    /// All of it.
    Whole(Bytes),
    /// Made while it is sent.
    Streamed(Box<AnswerStream>),
}

impl AnswerBody {
    /// All of it at once, however long it is.
    pub fn into_bytes(self) -> Bytes {
        match self {
            AnswerBody::Whole(bytes) => bytes,
            AnswerBody::Streamed(stream) => stream.flatten().collect(),
        }
    }
}

/// What an answer comes to when only a certain effort is allowed.
pub enum Attempt<T> {
    /// An answer.
    Done(T),
    /// It takes longer than the caller can wait where it is.
    NeedsEffort,
}

/// One entry by id or slug, as far as `effort` allows.
pub fn show(
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &Params,
    limits: &IncludeLimits,
    effort: Effort,
) -> Result<Attempt<Seen>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    may_read_something(snapshot, caller, type_name)?;
    let ty = &index.content_type;
    let view = View::new(snapshot, caller.eyes(), list_query::locale(params));
    let (shape, warnings) = Shape::parse(&view, ty, params).map_err(Error::invalid)?;
    let missing = || Error::not_found("entry", identifier);
    let ordinal = seen(&view, caller, place, identifier)?;
    let rev = index.doc(ordinal).ok_or_else(missing)?.rev;
    let writer = Writer::new(&view, &shape, place).ok_or_else(missing)?;
    if warnings.is_empty()
        && !shape.pretty
        && let Some(variant) = writer.finished(ordinal)
    {
        let body = AnswerBody::Whole(variant.body.clone());
        return Ok(Attempt::Done(Seen { body, rev, variant: variant.sum }));
    }
    let page = [ordinal];
    if effort == Effort::Quick && writer.is_costly_to_count(&page) {
        return Ok(Attempt::NeedsEffort);
    }
    let expanded = writer.expanded(&page, limits).map_err(too_much_included)?;
    let long = expanded.bytes.saturating_add(writer.bytes(&page) as u64) > JOINED_BYTES_MAX;
    if effort == Effort::Quick && long {
        return Ok(Attempt::NeedsEffort);
    }
    let mut tail = Vec::new();
    if !warnings.is_empty() {
        tail.extend_from_slice(b",\"meta\":{");
        write_warnings(&warnings, &mut tail);
        tail.push(b'}');
    }
    tail.extend_from_slice(BODY_TAIL);
    let stream = || {
        let page = page.to_vec();
        AnswerStream::new(snapshot, caller, shape.clone(), place, BODY_HEAD, page, tail.clone())
    };
    if long {
        // Made twice, so that it is never there as a whole.
        let variant = Sum::of_pieces(stream());
        let body = AnswerBody::Streamed(Box::new(stream()));
        return Ok(Attempt::Done(Seen { body, rev, variant }));
    }
    let body: Vec<u8> = stream().flatten().collect();
    let (variant, body) = (Sum::of(&body), AnswerBody::Whole(body.into()));
    Ok(Attempt::Done(Seen { body, rev, variant }))
}

/// The entry of this id or slug that the caller sees. One that everybody sees is refused, any other
/// is as good as missing.
pub(in crate::app) fn seen(
    view: &View<'_>,
    caller: &Caller,
    place: usize,
    identifier: &str,
) -> Result<Ordinal> {
    if let Some(ordinal) = view.find(place, identifier) {
        return Ok(ordinal);
    }
    let everybody = View::new(view.snapshot, Eyes::Anyone, None);
    let public = everybody.find(place, identifier).is_some();
    let index = view.snapshot.types().get(place);
    let name = index.map_or("", |it| it.content_type.name.as_str());
    Err(if public && !caller.is_anonymous() {
        Error::forbidden(Action::ContentRead, &format!("`content:{name}:{identifier}`"))
    } else {
        Error::not_found("entry", identifier)
    })
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
) -> Result<Attempt<Listed>> {
    app.lists.are_of(app.settings().list_limit_max);
    if caller.is_anonymous()
        && let Some(kept) = app.lists.get(snapshot, type_name, query)
    {
        let body = AnswerBody::Whole(kept.body);
        return Ok(Attempt::Done(Listed { etag: kept.etag, body }));
    }
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    may_read_something(snapshot, caller, type_name)?;
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let view = View::new(snapshot, caller.eyes(), list_query::locale(&params));
    let limit_max = app.settings().list_limit_max;
    let mut asked =
        ListQuery::parse(&view, &index.content_type, &params, limit_max).map_err(Error::invalid)?;
    let files = (api == Api::Admin).then(|| app.engine.clone());
    if files.is_some() {
        asked.warnings.retain(|it| *it != list_query::unknown(NAMES_WORKSPACE));
    }
    let touched = touched(snapshot, place, &asked);
    // The tag sums up what the caller sees of each.
    let mut places = touched.iter().filter_map(|it| snapshot.place(it.as_str()));
    if effort == Effort::Quick && places.any(|it| view.is_costly(it)) {
        return Ok(Attempt::NeedsEffort);
    }
    let Ok(found) = run::run(&view, place, &asked, effort) else {
        return Ok(Attempt::NeedsEffort);
    };
    let Some(writer) = Writer::new(&view, &asked.shape, place) else {
        return Err(Error::not_found("content type", type_name));
    };
    if effort == Effort::Quick && writer.is_costly_to_count(&found.page) {
        return Ok(Attempt::NeedsEffort);
    }
    let limits = app.settings().include;
    let expanded = writer.expanded(&found.page, &limits).map_err(too_much_included)?;
    let etag = etag(&view, &touched, query, app.engine.base_url(), limit_max);
    let meta = meta(&asked, &found);
    let long =
        || expanded.bytes.saturating_add(writer.bytes(&found.page) as u64) > JOINED_BYTES_MAX;
    if found.page.len() > JOINED_MAX || expanded.entries > JOINED_EXPANDED_MAX || long() {
        let mut tail = b"]".to_vec();
        close(&mut tail, &meta);
        let (shape, head) = (asked.shape, b"{\"data\":[");
        let stream = AnswerStream::new(snapshot, caller, shape, place, head, found.page, tail);
        let stream = Box::new(stream.of_files(files));
        return Ok(Attempt::Done(Listed { etag, body: AnswerBody::Streamed(stream) }));
    }
    let rows = Rows::new(&view, caller, &asked.shape, place, files.as_deref());
    let rows = rows.ok_or_else(|| Error::not_found("content type", type_name))?;
    let body = joined(&rows, &found.page, &meta);
    let body = Bytes::from(if asked.shape.pretty { pretty(&body) } else { body });
    if caller.is_anonymous() && limit_max == app.settings().list_limit_max {
        app.lists.put(snapshot, type_name, query, &touched, etag, &body);
    }
    Ok(Attempt::Done(Listed { etag, body: AnswerBody::Whole(body) }))
}

/// A caller with a credential is refused where none of its grants could ever let it read.
fn may_read_something(snapshot: &Snapshot, caller: &Caller, type_name: &str) -> Result<()> {
    let workspace = snapshot.workspace.as_str();
    let resource = Resource::Collection(type_name);
    if caller.is_anonymous() || caller.could(workspace, Action::ContentRead, &resource) {
        return Ok(());
    }
    Err(Error::forbidden(Action::ContentRead, &format!("`content:{type_name}:*`")))
}

pub(super) fn too_much_included(limit: TooMuch) -> Error {
    let message = match limit {
        TooMuch::DeepEntries(most) => format!("This would expand more than {most} entries."),
        TooMuch::Entries(most) => format!(
            "This would expand more than {most} entries, the limit `include.max_entries`. Ask for fewer at a time."
        ),
        TooMuch::Bytes(most) => format!(
            "This would expand more than {most} bytes, the limit `include.max_bytes`. Ask for fewer at a time."
        ),
    };
    Error::invalid(FieldProblems::one("include", message))
}

/// The types that an answer shows something of: the listed one, what its relations point to, and
/// what included entries' relations point to.
fn touched(snapshot: &Snapshot, place: usize, query: &ListQuery) -> Vec<TypeName> {
    let mut places = vec![place];
    query.shape.include.targets(&mut |it| places.push(it));
    let mut names: Vec<TypeName> = Vec::new();
    for index in places.into_iter().filter_map(|it| snapshot.types().get(it)) {
        let ty = &index.content_type;
        for name in std::iter::once(&ty.name).chain(&ty.relation_targets) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Changes when anything changes that the caller could see in the answer, and never otherwise.
fn etag(
    view: &View<'_>,
    touched: &[TypeName],
    query: &str,
    base_url: &str,
    limit_max: usize,
) -> Sum {
    let mut summer = Summer::new();
    summer
        .part(base_url.as_bytes())
        .part(view.snapshot.workspace.as_bytes())
        .part(query.as_bytes());
    summer.number(u64::from(view.is_anonymous()));
    if limit_max > 0 {
        summer.number(limit_max as u64);
    }
    for name in touched {
        summer.part(name.as_bytes());
        let known = view.index(name.as_str()).filter(|(_, index)| view.knows(index));
        if let Some((place, index)) = known {
            summer.number(index.content_type.sum.0).number(view.sum(place).0);
        }
    }
    summer.finish()
}

/// The `meta` of a list without braces.
fn meta(query: &ListQuery, found: &Found) -> Vec<u8> {
    let limit = query.limit.unwrap_or(found.page.len());
    let direction = if query.descends() { "desc" } else { "asc" };
    let mut out = format!(
        "\"total\":{},\"limit\":{limit},\"offset\":{},\"sort\":",
        found.total, query.offset
    )
    .into_bytes();
    write_string(&query.sort, &mut out);
    out.extend_from_slice(format!(",\"order\":\"{direction}\"").as_bytes());
    if let Some(counts) = &found.by_status {
        out.extend_from_slice(b",\"counts\":{");
        for (place, status) in crate::model::entry::Status::ALL.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            let count = counts.get(place).copied().unwrap_or_default();
            out.extend_from_slice(format!("{comma}\"{}\":{count}", status.as_str()).as_bytes());
        }
        out.push(b'}');
    }
    if !query.warnings.is_empty() {
        out.push(b',');
        write_warnings(&query.warnings, &mut out);
    }
    out
}

pub(super) fn write_warnings(warnings: &[String], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"warnings\":");
    crate::model::field::write_list(out, warnings.iter(), |out, it| write_string(it, out));
}

/// Writes entries in the shape of one of the APIs.
enum Rows<'a> {
    Public(Writer<'a>),
    Admin(AdminRows<'a>, &'a Engine),
}

impl<'a> Rows<'a> {
    /// With files, in the shape of the admin API.
    fn new(
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
        place: usize,
        files: Option<&'a Engine>,
    ) -> Option<Rows<'a>> {
        let Some(engine) = files else {
            return Writer::new(view, shape, place).map(Rows::Public);
        };
        let rows = AdminRows::new(view, caller, shape, place, engine.clock().now())?;
        Some(Rows::Admin(rows, engine))
    }

    fn bytes(&self, page: &[Ordinal]) -> usize {
        match self {
            Rows::Public(writer) => writer.bytes(page),
            Rows::Admin(..) => 0,
        }
    }

    fn entry(&self, ordinal: Ordinal, out: &mut Vec<u8>) {
        match self {
            Rows::Public(writer) => writer.entry(ordinal, out),
            Rows::Admin(rows, engine) => _ = rows.active(engine, ordinal, out),
        }
    }
}

fn joined(rows: &Rows<'_>, page: &[Ordinal], meta: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(rows.bytes(page) + meta.len() + 32);
    body.extend_from_slice(b"{\"data\":");
    crate::model::field::write_list(&mut body, page.iter(), |out, it| rows.entry(*it, out));
    close(&mut body, meta);
    body
}

fn close(out: &mut Vec<u8>, meta: &[u8]) {
    out.extend_from_slice(b",\"meta\":{");
    out.extend_from_slice(meta);
    out.extend_from_slice(b"}}");
}

/// The same JSON, indented.
pub fn pretty(body: &[u8]) -> Vec<u8> {
    indent::indented(body)
}

/// A long answer, written piece by piece while it is sent. It holds its own view of one moment, and
/// nothing of what it has written.
pub struct AnswerStream {
    snapshot: Arc<Snapshot>,
    caller: Caller,
    shape: Shape,
    place: usize,
    /// Where entries are read from, for the admin API.
    files: Option<Arc<Engine>>,
    head: &'static [u8],
    page: std::vec::IntoIter<Ordinal>,
    tail: Vec<u8>,
    written: usize,
    /// The entry under way, …
    walk: Walk<'static>,
    /// … or, where it was made at once, the rest of it.
    made: Bytes,
    indenter: Option<Indenter>,
    ended: bool,
}

impl AnswerStream {
    /// These entries between two texts.
    fn new(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        shape: Shape,
        place: usize,
        head: &'static [u8],
        page: Vec<Ordinal>,
        tail: Vec<u8>,
    ) -> AnswerStream {
        AnswerStream {
            snapshot: snapshot.clone(),
            caller: caller.clone(),
            indenter: shape.pretty.then(Indenter::default),
            shape,
            place,
            files: None,
            head,
            page: page.into_iter(),
            tail,
            written: 0,
            walk: Walk::default(),
            made: Bytes::new(),
            ended: false,
        }
    }

    /// In the shape of the admin API, with files.
    fn of_files(self, files: Option<Arc<Engine>>) -> AnswerStream {
        AnswerStream { files, ..self }
    }

    /// Appends what comes next, until `out` is about so long.
    fn fill(&mut self, view: &View<'_>, rows: &Rows<'_>, out: &mut Vec<u8>, bytes_max: usize) {
        while out.len() < bytes_max && !self.ended {
            if !self.made.is_empty() {
                let room = self.made.len().min(bytes_max - out.len());
                out.extend_from_slice(&self.made.split_to(room));
            } else if !self.walk.is_done() {
                self.walk.run(view, out, bytes_max);
            } else {
                self.next_entry(rows, out);
            }
        }
    }

    fn next_entry(&mut self, rows: &Rows<'_>, out: &mut Vec<u8>) {
        if self.written.is_multiple_of(LOOKED_AT) {
            let near = self.page.as_slice();
            rows.bytes(near.get(..LOOKED_AT).unwrap_or(near));
        }
        let next = self.page.next();
        out.extend_from_slice(match next {
            _ if self.written == 0 => self.head,
            Some(_) => b",",
            None => b"",
        });
        self.written += 1;
        let Some(ordinal) = next else {
            out.extend_from_slice(&self.tail);
            self.ended = true;
            return;
        };
        match rows {
            Rows::Public(writer) => writer.begin(ordinal, &mut self.walk),
            Rows::Admin(..) => {
                let mut made = Vec::new();
                rows.entry(ordinal, &mut made);
                self.made = made.into();
            }
        }
    }
}

impl Iterator for AnswerStream {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        // What the writer looks through while `self` moves on.
        let (snapshot, caller) = (self.snapshot.clone(), self.caller.clone());
        let shape = self.shape.clone();
        let view = View::new(&snapshot, caller.eyes(), shape.locale.as_deref());
        let files = self.files.clone();
        let rows = Rows::new(&view, &caller, &shape, self.place, files.as_deref())?;
        let mut frame = Vec::with_capacity(FRAME_BYTES + FRAME_SLACK_BYTES);
        let Some(mut indenter) = self.indenter.take() else {
            self.fill(&view, &rows, &mut frame, FRAME_BYTES);
            return Some(frame.into());
        };
        let mut piece = Vec::with_capacity(PIECE_BYTES + FRAME_SLACK_BYTES);
        while frame.len() < FRAME_BYTES && !self.ended {
            piece.clear();
            self.fill(&view, &rows, &mut piece, PIECE_BYTES);
            indenter.push(&piece, &mut frame);
        }
        if self.ended {
            indenter.end(&mut frame);
        } else {
            self.indenter = Some(indenter);
        }
        Some(frame.into())
    }
}
