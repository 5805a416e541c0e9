//! The routes of `/admin/api/content/{collection}`: entries with all their stored values, one or
//! many.

use crate::query::render::admin_render::AdminEntry;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use serde_json::Value;
use std::collections::BTreeMap;

use crate::app::content::entries;
use crate::app::content::entries::BulkDelete;
use crate::app::content::entries::BulkResult;
use crate::app::content::entries::BulkUpdate;
use crate::app::content::entries::EffortResult;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::app::remarks::Remarks;
use crate::app::usage::Usage;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::entry_changes::delete_entry;
use crate::http::api::entry_changes::update_entry;
use crate::http::api::entry_reply::reply_entries;
use crate::http::api::entry_reply::reply_entry;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::query_params::ADMIN_ENTRIES_QUERY;
use crate::http::api::query_params::ADMIN_ENTRY_QUERY;
use crate::http::api::query_params::DELETED_LIVE_QUERY;
use crate::http::api::query_params::DELETED_QUERY;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::OFFSET;
use crate::http::api::query_params::WRITTEN_LIVE_QUERY;
use crate::http::api::query_params::WRITTEN_QUERY;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::patch;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::model::entry::Api;
use crate::model::grant::Action;
use crate::model::problem::FieldProblems;
use crate::model::sentence::SentenceTemplate;
use crate::query::request::list_query;

/// The largest body of a bulk request: its values are processed for each entry.
const BULK_BYTES_MAX: u64 = 256 * 1024;

const WINDOW: &[QueryParam] = &[LIMIT, OFFSET, PRETTY];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let list_read = require_action_on(Action::ContentRead, ActionTarget::Collection);
    let read = require_action_on(Action::ContentRead, ActionTarget::Entry);
    let create = require_action_on(Action::ContentCreate, ActionTarget::Collection);
    let update = require_action_on(Action::ContentUpdate, ActionTarget::Entry);
    let update_many = require_action_on(Action::ContentUpdate, ActionTarget::Collection);
    let remove = require_action_on(Action::ContentDelete, ActionTarget::Entry);
    let remove_many = require_action_on(Action::ContentDelete, ActionTarget::Collection);
    vec![
        get("admin.content.list", "/admin/api/content/{collection}", list_read, list_entries)
            .query(ADMIN_ENTRIES_QUERY).gives(ReplyKind::list_of::<AdminEntry>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the entries of a content type, including drafts."),
        post("admin.content.create", "/admin/api/content/{collection}", create, create_entry)
            .takes_json(JsonInputKind::AdminEntry).query(WRITTEN_QUERY).gives_created(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Creates an entry."),
        patch("admin.content.bulk_update", "/admin/api/content/{collection}/bulk", update_many, bulk_update)
            .takes_json_within(JsonInputKind::of::<BulkUpdate>(), BULK_BYTES_MAX)
            .gives(ReplyKind::of::<BulkUpdated>()).in_workspace().with_summary("Updates many entries in the same way, each if the caller may update it."),
        delete("admin.content.bulk_delete", "/admin/api/content/{collection}/bulk", remove_many, bulk_delete)
            .takes_json_within(JsonInputKind::of::<BulkDelete>(), BULK_BYTES_MAX)
            .query(DELETED_LIVE_QUERY).gives(ReplyKind::of::<BulkDeleted>()).in_workspace().with_summary("Moves many entries to the trash, each if the caller may delete it."),
        get("admin.content.show", "/admin/api/content/{collection}/{identifier}", read, show_entry)
            .query(ADMIN_ENTRY_QUERY).gives(ReplyKind::of::<AdminEntry>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns an entry, by id or slug."),
        put("admin.content.update", "/admin/api/content/{collection}/{identifier}", update, update_entry)
            .takes_json(JsonInputKind::AdminEntry).query(WRITTEN_QUERY).gives(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Updates an entry. Keys that are not sent stay as they are."),
        patch("admin.content.patch", "/admin/api/content/{collection}/{identifier}", update, update_entry)
            .takes_json(JsonInputKind::AdminEntry).query(WRITTEN_QUERY).gives(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Does the same as `PUT`."),
        delete("admin.content.delete", "/admin/api/content/{collection}/{identifier}", remove, delete_entry)
            .query(DELETED_QUERY).gives(ReplyKind::Done).in_workspace().with_summary("Moves an entry to the trash."),
        post("admin.content.duplicate", "/admin/api/content/{collection}/{identifier}/duplicate", create, duplicate_entry)
            .query(WRITTEN_LIVE_QUERY).gives_created(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Creates a draft with the values of an entry."),
        delete("admin.content.delete_translation", "/admin/api/content/{collection}/{identifier}/translations/{locale}", update, delete_translation)
            .query(WRITTEN_LIVE_QUERY).gives(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Deletes the translation of an entry into a locale."),
        get("admin.content.usages", "/admin/api/content/{collection}/{identifier}/usages", read, list_usages)
            .query(WINDOW).gives(ReplyKind::list_of::<Usage>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the relations of other entries to an entry."),
    ]
}

/// Lists entries; a long list is streamed.
pub fn list_entries(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("collection")?);
    let (app, caller, api) = (call.app(), &call.caller, Api::Admin);
    let attempt = entries::list(app, snapshot, caller, name, call.query(), call.effort, api)?;
    let EffortResult::Done(listed) = attempt else { return Ok(HandlerOutcome::NeedsEffort) };
    Ok(reply_entries(listed.body).into())
}

/// Shows one entry.
pub fn show_entry(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let shown = entries::show_full_entry(app, snapshot, &call.caller, name, identifier, &params)?;
    Ok(reply_entry(shown).into())
}

/// Creates an entry.
pub fn create_entry(call: &Call) -> Result<HandlerOutcome> {
    let (name, body) = (call.param("collection")?, call.parse_json()?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    let written = entries::create(app, ws, &by, &call.write_target()?, name, body)?;
    Ok(mark_created(reply_written(call, written)?).into())
}

/// Errors by the id that was sent; errors that concern no field are under `id`.
#[derive(Serialize, JsonSchema)]
struct BulkErrors(BTreeMap<String, FieldProblems>);

/// Templates by the id that was sent, and then by path.
type BulkTemplates = BTreeMap<String, BTreeMap<String, SentenceTemplate>>;

fn collect_templates(errors: &BTreeMap<String, FieldProblems>) -> BulkTemplates {
    let mut collected = BulkTemplates::new();
    for (id, problems) in errors {
        let templates = problems.templates().map(|(path, it)| (path.to_string(), it.clone()));
        let templates: BTreeMap<String, SentenceTemplate> = templates.collect();
        if !templates.is_empty() {
            collected.insert(id.clone(), templates);
        }
    }
    collected
}

/// The result of updating many entries.
#[derive(Serialize, JsonSchema)]
struct BulkUpdated {
    /// The number of entries that were updated.
    updated: usize,
    /// The number of the others.
    failed: usize,
    /// The reasons, by the id that was sent.
    errors: BulkErrors,
    /// The templates of those reasons that have parameters, by id and then like those of an error.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Map<String, Value>")]
    templates: BulkTemplates,
}

/// The result of deleting many entries.
#[derive(Serialize, JsonSchema)]
struct BulkDeleted {
    /// The number of entries that were deleted.
    deleted: usize,
    /// The number of the others.
    failed: usize,
    /// The reasons, by the id that was sent.
    errors: BulkErrors,
    /// The templates of those reasons that have parameters, by id and then like those of an error.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Map<String, Value>")]
    templates: BulkTemplates,
}

/// Updates many entries.
pub fn bulk_update(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, name) = (call.workspace()?, call.requester(), call.param("collection")?);
    let BulkResult { done: updated, errors, warnings } =
        entries::update_many(call.app(), ws, &by, name, &call.parse_json()?)?;
    let (failed, templates) = (errors.len(), collect_templates(&errors));
    let data = BulkUpdated { updated, failed, errors: BulkErrors(errors), templates };
    Ok(reply_with_meta(call, data, Remarks::from_warnings(warnings))?.into())
}

/// Moves many entries to the trash.
pub fn bulk_delete(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, name) = (call.workspace()?, call.requester(), call.param("collection")?);
    let BulkResult { done: deleted, errors, .. } =
        entries::delete_many(call.app(), ws, &by, name, &call.parse_json()?, call.parse_guard()?)?;
    let (failed, templates) = (errors.len(), collect_templates(&errors));
    let data = BulkDeleted { deleted, failed, errors: BulkErrors(errors), templates };
    Ok(reply_data(call, data)?.into())
}

/// Duplicates an entry.
pub fn duplicate_entry(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let written = entries::duplicate(call.app(), ws, &by, name, identifier)?;
    Ok(mark_created(reply_written(call, written)?).into())
}

/// Deletes a translation.
pub fn delete_translation(call: &Call) -> Result<HandlerOutcome> {
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (locale, precondition) = (call.param("locale")?, call.precondition());
    let written =
        entries::delete_translation(app, ws, &by, name, identifier, locale, precondition)?;
    Ok(reply_written(call, written)?.into())
}

/// Lists the usages of an entry.
pub fn list_usages(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(&params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let all = entries::list_usages(call.snapshot()?, &call.caller, name, identifier)?;
    let total = all.len();
    let page: Vec<_> = all.into_iter().skip(offset).take(limit.unwrap_or(total)).collect();
    let limit = limit.unwrap_or(page.len());
    let meta = ListWindow { total, limit, offset, sort: "type", order: "asc" };
    Ok(reply_with_meta(call, page, Some(meta))?.into())
}
