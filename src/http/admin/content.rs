//! `/admin/api/content/{collection}`: entries with all that is stored of them, one or many.

use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::entries;
use crate::app::entries::AnswerBody;
use crate::app::entries::Attempt;
use crate::app::entries::Bulk;
use crate::app::entries::Shown;
use crate::app::entries::Written;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::right_on;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::repeats;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Body;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::patch;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::routes::ENTRIES_QUERY;
use crate::http::routes::ENTRY_QUERY;
use crate::http::routes::LIMIT;
use crate::http::routes::OFFSET;
use crate::http::routes::WRITTEN_QUERY;
use crate::model::entry::Api;
use crate::model::grant::Action;
use crate::model::problem::FieldProblems;
use crate::query::list_query;
use crate::query::params::Params;
use crate::stdx::sum::Sum;

/// How large the body of a request about many entries may be: its values are worked on for each.
const BULK_BYTES_MAX: u64 = 256 * 1024;

const WINDOW: &[Query] = &[LIMIT, OFFSET, PRETTY];

const fn of_many(takes: &'static str) -> Body {
    Body::Json { bytes_max: BULK_BYTES_MAX, takes: Takes::Admin(takes) }
}

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let list_read = right_on(Action::ContentRead, On::Collection);
    let read = right_on(Action::ContentRead, On::Entry);
    let create = right_on(Action::ContentCreate, On::Collection);
    let update = right_on(Action::ContentUpdate, On::Entry);
    let update_many = right_on(Action::ContentUpdate, On::Collection);
    let remove = right_on(Action::ContentDelete, On::Entry);
    let remove_many = right_on(Action::ContentDelete, On::Collection);
    vec![
        get("admin.content.list", "/admin/api/content/{collection}", list_read, list)
            .query(ENTRIES_QUERY).gives(Gives::AdminList("AdminEntry")).runs(Run::Blocking).scoped().about("Entries of a content type, drafts too."),
        post("admin.content.create", "/admin/api/content/{collection}", create, make)
            .takes(Takes::Admin("AdminEntryInput")).query(WRITTEN_QUERY).creates(Gives::Admin("AdminEntry")).scoped().about("Creates an entry."),
        Route { body: of_many("BulkUpdate"), ..patch("admin.content.bulk_update", "/admin/api/content/{collection}/bulk", update_many, bulk_update) }
            .gives(Gives::Admin("BulkUpdated")).scoped().about("Changes many entries in the same way, each as far as there is a right to it."),
        Route { body: of_many("BulkDelete"), ..delete("admin.content.bulk_delete", "/admin/api/content/{collection}/bulk", remove_many, bulk_delete) }
            .gives(Gives::Admin("BulkDeleted")).scoped().about("Puts many entries into the trash, each as far as there is a right to it."),
        get("admin.content.show", "/admin/api/content/{collection}/{identifier}", read, show)
            .query(ENTRY_QUERY).gives(Gives::Admin("AdminEntry")).runs(Run::Blocking).scoped().about("One entry, by id or slug."),
        put("admin.content.update", "/admin/api/content/{collection}/{identifier}", update, change)
            .takes(Takes::Admin("AdminEntryInput")).query(WRITTEN_QUERY).gives(Gives::Admin("AdminEntry")).scoped().about("Changes an entry: what is not sent stays."),
        patch("admin.content.patch", "/admin/api/content/{collection}/{identifier}", update, change)
            .takes(Takes::Admin("AdminEntryInput")).query(WRITTEN_QUERY).gives(Gives::Admin("AdminEntry")).scoped().about("The same as `PUT`."),
        delete("admin.content.delete", "/admin/api/content/{collection}/{identifier}", remove, put_away)
            .gives(Gives::Done).scoped().about("Puts an entry into the trash."),
        post("admin.content.duplicate", "/admin/api/content/{collection}/{identifier}/duplicate", create, duplicate)
            .query(WRITTEN_QUERY).creates(Gives::Admin("AdminEntry")).scoped().about("Makes a draft with the values of an entry."),
        delete("admin.content.delete_translation", "/admin/api/content/{collection}/{identifier}/translations/{locale}", update, delete_translation)
            .query(WRITTEN_QUERY).gives(Gives::Admin("AdminEntry")).scoped().about("Deletes what an entry says in one locale."),
        get("admin.content.usages", "/admin/api/content/{collection}/{identifier}/usages", read, usages)
            .query(WINDOW).gives(Gives::AdminList("Usage")).runs(Run::Blocking).scoped().about("The relations of other entries that lead to an entry."),
    ]
}

/// A list, streamed when it is long.
pub fn list(call: &Call) -> Result<Outcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("collection")?);
    let (app, caller, api) = (call.app(), &call.caller, Api::Admin);
    let attempt = entries::list(app, snapshot, caller, name, call.query(), call.effort, api)?;
    let Attempt::Done(listed) = attempt else { return Ok(Outcome::NeedsEffort) };
    let body = match listed.body {
        AnswerBody::Whole(bytes) => ReplyBody::from(bytes),
        AnswerBody::Streamed(stream) => ReplyBody::pull(stream.map(Ok)),
    };
    let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON);
    Ok(reply.with_body(body).into())
}

/// One entry.
pub fn show(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let shown = entries::show_whole(app, snapshot, &call.caller, name, identifier, &params)?;
    Ok(one(shown).into())
}

/// Makes an entry.
pub fn make(call: &Call) -> Result<Outcome> {
    let (name, body) = (call.param("collection")?, call.json()?);
    let written = entries::create(call.app(), call.workspace()?, &call.by(), name, body)?;
    Ok(created(answer(call, written)?).into())
}

/// Changes an entry.
pub fn change(call: &Call) -> Result<Outcome> {
    let (app, ws, by) = (call.app(), call.workspace()?, call.by());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (body, precondition) = (call.json()?, call.precondition());
    let written = entries::update(app, ws, &by, name, identifier, body, precondition)?;
    Ok(answer(call, written)?.into())
}

/// Puts an entry into the trash.
pub fn put_away(call: &Call) -> Result<Outcome> {
    let (ws, by, precondition) = (call.workspace()?, call.by(), call.precondition());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    entries::delete(call.app(), ws, &by, name, identifier, precondition)?;
    Ok(done(call)?.into())
}

/// Changes many entries.
pub fn bulk_update(call: &Call) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Updated {
        updated: usize,
        failed: usize,
        errors: std::collections::BTreeMap<String, FieldProblems>,
    }
    let (ws, by, name) = (call.workspace()?, call.by(), call.param("collection")?);
    let Bulk { done: updated, errors } =
        entries::update_many(call.app(), ws, &by, name, &call.json()?)?;
    Ok(envelope(call, Updated { updated, failed: errors.len(), errors })?.into())
}

/// Puts many entries into the trash.
pub fn bulk_delete(call: &Call) -> Result<Outcome> {
    #[derive(Serialize)]
    struct Deleted {
        deleted: usize,
        failed: usize,
        errors: std::collections::BTreeMap<String, FieldProblems>,
    }
    let (ws, by, name) = (call.workspace()?, call.by(), call.param("collection")?);
    let Bulk { done: deleted, errors } =
        entries::delete_many(call.app(), ws, &by, name, &call.json()?)?;
    Ok(envelope(call, Deleted { deleted, failed: errors.len(), errors })?.into())
}

/// Makes a second entry with the same values.
pub fn duplicate(call: &Call) -> Result<Outcome> {
    let (ws, by) = (call.workspace()?, call.by());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let written = entries::duplicate(call.app(), ws, &by, name, identifier)?;
    Ok(created(answer(call, written)?).into())
}

/// Deletes a translation.
pub fn delete_translation(call: &Call) -> Result<Outcome> {
    let (app, ws, by) = (call.app(), call.workspace()?, call.by());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (locale, precondition) = (call.param("locale")?, call.precondition());
    let written =
        entries::delete_translation(app, ws, &by, name, identifier, locale, precondition)?;
    Ok(answer(call, written)?.into())
}

/// Which entries point to an entry.
pub fn usages(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::window(&params, &mut problems);
    problems.or(()).map_err(Error::invalid)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let all = entries::usages(call.snapshot()?, &call.caller, name, identifier)?;
    let total = all.len();
    let page: Vec<_> = all.into_iter().skip(offset).take(limit.unwrap_or(total)).collect();
    let limit = limit.unwrap_or(page.len());
    let meta = Window { total, limit, offset, sort: "type", order: "asc" };
    Ok(with_meta(call, page, Some(meta))?.into())
}

/// The `meta` of a list that has an order of its own.
#[derive(Serialize)]
pub(super) struct Window {
    pub(super) total: usize,
    pub(super) limit: usize,
    pub(super) offset: usize,
    pub(super) sort: &'static str,
    pub(super) order: &'static str,
}

/// The entry that was written, in the locale that the request asks for, else that of its body.
pub(super) fn answer(call: &Call, written: Written) -> Result<Reply> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let mut shown = match list_query::locale(&params) {
        Some(locale) => written.shown_in(locale)?,
        None => written.shown,
    };
    let told = repeats::told(shown.body.to_vec(), &params);
    let body = if params.flag("pretty") { entries::pretty(&told) } else { told };
    if body != shown.body {
        shown.variant = Sum::of(&body);
        shown.body = body.into();
    }
    Ok(one(shown))
}

fn one(shown: Shown) -> Reply {
    let tag = headers::etag_of_entry(shown.rev, shown.variant);
    let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON);
    let mut reply = reply.with_body(shown.body);
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    reply
}
