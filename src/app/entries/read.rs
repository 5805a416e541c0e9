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
use crate::query::include::INCLUDE_NODES_MAX;
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
use crate::stdx::json::Json;
use crate::stdx::json::write_string;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// Lists of more entries are streamed.
const JOINED_MAX: usize = 200;

/// How many entries are looked at together before they are written (see [`Writer::bytes`]).
const LOOKED_AT: usize = 16;

/// And so are lists in which more entries are expanded.
const JOINED_EXPANDED_MAX: usize = 2_000;

/// About how many bytes a frame of a streamed list has.
const FRAME_BYTES: usize = 64 * 1024;

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

/// A list of entries.
pub struct Listed {
    /// What changes when the answer does.
    pub etag: Sum,
    /// The answer.
    pub body: ListBody,
}

/// The body of a list.
pub enum ListBody {
    /// All of it.
    Whole(Bytes),
    /// Made while it is sent.
    Streamed(Box<ListStream>),
}

/// What a list comes to when only a certain effort is allowed.
pub enum Attempt {
    /// An answer.
    Done(Listed),
    /// It takes longer than the caller can wait where it is.
    NeedsEffort,
}

/// One entry by id or slug.
pub fn show(
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
    params: &Params,
) -> Result<Shown> {
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
        return Ok(Shown { body: variant.body.clone(), rev, variant: variant.sum });
    }
    writer.expanded(&[ordinal]).ok_or_else(too_much_included)?;
    let mut body = Vec::with_capacity(4096);
    writer.body(ordinal, &mut body);
    if !warnings.is_empty() {
        body.pop();
        body.extend_from_slice(b",\"meta\":{");
        write_warnings(&warnings, &mut body);
        body.extend_from_slice(b"}}");
    }
    let body = if shape.pretty { pretty(&body) } else { body };
    let variant = Sum::of(&body);
    Ok(Shown { body: body.into(), rev, variant })
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
) -> Result<Attempt> {
    app.lists.are_of(app.settings().list_limit_max);
    if caller.is_anonymous()
        && let Some(kept) = app.lists.get(snapshot, type_name, query)
    {
        let body = ListBody::Whole(kept.body);
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
    let expanded = writer.expanded(&found.page).ok_or_else(too_much_included)?;
    let etag = etag(&view, &touched, query, app.engine.base_url(), limit_max);
    let meta = meta(&asked, &found);
    if found.page.len() > JOINED_MAX || expanded > JOINED_EXPANDED_MAX {
        let (shape, page) = (asked.shape, found.page);
        let stream = ListStream::new(snapshot, caller, shape, place, page, meta, files);
        return Ok(Attempt::Done(Listed { etag, body: ListBody::Streamed(Box::new(stream)) }));
    }
    let rows = Rows::new(&view, caller, &asked.shape, place, files.as_deref());
    let rows = rows.ok_or_else(|| Error::not_found("content type", type_name))?;
    let body = joined(&rows, &found.page, &meta);
    let body = Bytes::from(if asked.shape.pretty { pretty(&body) } else { body });
    if caller.is_anonymous() && limit_max == app.settings().list_limit_max {
        app.lists.put(snapshot, type_name, query, &touched, etag, &body);
    }
    Ok(Attempt::Done(Listed { etag, body: ListBody::Whole(body) }))
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

fn too_much_included() -> Error {
    let message = format!("This would expand more than {INCLUDE_NODES_MAX} entries.");
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
            Rows::Admin(rows, engine) => rows.active(engine, ordinal, out),
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
    // What was just written is JSON; if not, it is sent as it is.
    Json::parse(body).map_or_else(|_| body.to_vec(), |it| it.to_file())
}

/// A long list, written piece by piece while it is sent. It holds its own view of one moment.
pub struct ListStream {
    snapshot: Arc<Snapshot>,
    caller: Caller,
    shape: Shape,
    place: usize,
    page: std::vec::IntoIter<Ordinal>,
    meta: Vec<u8>,
    files: Option<Arc<Engine>>,
    begun: bool,
    ended: bool,
}

impl ListStream {
    fn new(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        shape: Shape,
        place: usize,
        page: Vec<Ordinal>,
        meta: Vec<u8>,
        files: Option<Arc<Engine>>,
    ) -> ListStream {
        ListStream {
            snapshot: snapshot.clone(),
            caller: caller.clone(),
            shape,
            place,
            page: page.into_iter(),
            meta,
            files,
            begun: false,
            ended: false,
        }
    }
}

impl ListStream {
    fn entry(&mut self, rows: &Rows<'_>, ordinal: Ordinal, frame: &mut Vec<u8>) {
        let pretty = self.shape.pretty;
        frame.extend_from_slice(match (self.begun, pretty) {
            (true, false) => b",",
            (true, true) => b",\n    ",
            (false, false) => b"{\"data\":[",
            (false, true) => b"{\n  \"data\": [\n    ",
        });
        self.begun = true;
        if pretty {
            let mut entry = Vec::new();
            rows.entry(ordinal, &mut entry);
            indent(&entry, b"    ", frame);
        } else {
            rows.entry(ordinal, frame);
        }
    }

    fn end(&mut self, frame: &mut Vec<u8>) {
        self.ended = true;
        let meta = [b"{", self.meta.as_slice(), b"}"].concat();
        if !self.shape.pretty {
            frame.extend_from_slice(if self.begun { b"]" } else { b"{\"data\":[]" });
            frame.extend_from_slice(b",\"meta\":");
            frame.extend_from_slice(&meta);
            frame.push(b'}');
            return;
        }
        frame.extend_from_slice(if self.begun { b"\n  ]" } else { b"{\n  \"data\": []" });
        frame.extend_from_slice(b",\n  \"meta\": ");
        indent(&meta, b"  ", frame);
        frame.extend_from_slice(b"\n}\n");
    }
}

/// Appends the JSON indented, with `margin` before each line but the first. Texts in JSON have no
/// line feeds of their own.
fn indent(json: &[u8], margin: &[u8], out: &mut Vec<u8>) {
    for (number, line) in pretty(json).trim_ascii_end().split(|it| *it == b'\n').enumerate() {
        if number > 0 {
            out.push(b'\n');
            out.extend_from_slice(margin);
        }
        out.extend_from_slice(line);
    }
}

impl Iterator for ListStream {
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
        let mut frame = Vec::with_capacity(FRAME_BYTES + 8192);
        // What is expanded in one entry can be much already.
        let at_once = if shape.include.is_empty() { LOOKED_AT } else { 1 };
        while frame.len() < FRAME_BYTES && !self.ended {
            let some: Vec<Ordinal> = self.page.by_ref().take(at_once).collect();
            if some.is_empty() {
                self.end(&mut frame);
            }
            frame.reserve(rows.bytes(&some));
            for ordinal in some {
                self.entry(&rows, ordinal, &mut frame);
            }
        }
        Some(frame.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indents_parts_like_the_whole() {
        let check = |part: &str| {
            let mut whole = b"{\n  \"data\": [\n    ".to_vec();
            indent(part.as_bytes(), b"    ", &mut whole);
            whole.extend_from_slice(b"\n  ]\n}\n");
            let expect = pretty(format!("{{\"data\":[{part}]}}").as_bytes());
            assert_eq!(String::from_utf8(whole).unwrap(), String::from_utf8(expect).unwrap());
        };
        check("{}");
        check(r#"{"a":[1,{"b":"x\n y"}],"c":[]}"#);
    }
}
