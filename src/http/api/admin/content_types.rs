//! The routes of `/admin/api/content-types` and of the saved views of lists.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;

use crate::app::content::content_types;
use crate::app::content::content_types::change;
use crate::app::content::content_types::order;
use crate::app::content::content_types::order::ContentTypeOrder;
use crate::app::content::content_types::preview;
use crate::app::content::content_types::preview::DeletePreview;
use crate::app::content::content_types::preview::UpdatePreview;
use crate::app::content::saved_views;
use crate::app::content::saved_views::SavedViews;
use crate::app::content::saved_views::ViewsInput;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::app::remarks::Remarks;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::query_params::DRY_RUN_QUERY;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::api::reply::with_entry_tag;
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
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::wire::reply::Reply;
use crate::model::content_type::cache_policy::CachePolicy;
use crate::model::content_type::declared_view::DeclaredViews;
use crate::model::content_type::preview_target::PreviewTarget;
use crate::model::field::KINDS;
use crate::model::grant::Action;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Map;
use crate::stdx::json_schema::reference_schema;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let create = require_action_on(Action::SchemaCreate, ActionTarget::NewSchema);
    let update = require_action_on(Action::SchemaUpdate, ActionTarget::Schema);
    let order = require_action_on(Action::SchemaUpdate, ActionTarget::Schemas);
    let remove = require_action_on(Action::SchemaDelete, ActionTarget::Schema);
    vec![
        get("admin.content_types.list", "/admin/api/content-types", ANY, list_types)
            .query(&[PRETTY]).gives(ReplyKind::list_of::<AdminContentType>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the content types that the caller may read, or whose entries they may read."),
        post("admin.content_types.create", "/admin/api/content-types", create, create_type)
            .takes_json(JsonInputKind::NewContentType).gives_created(ReplyKind::of::<AdminContentType>()).in_workspace().with_summary("Creates a content type."),
        patch("admin.content_types.order", "/admin/api/content-types/order", order, reorder_types)
            .takes_json(JsonInputKind::of::<ContentTypeOrder>()).gives(ReplyKind::list_of::<AdminContentType>()).in_workspace().with_summary("Reorders the content types."),
        get("admin.content_types.show", "/admin/api/content-types/{collection}", ANY, show_type)
            .query(&[PRETTY]).gives(ReplyKind::of::<AdminContentType>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns a content type."),
        put("admin.content_types.update", "/admin/api/content-types/{collection}", update, update_type)
            .takes_json(JsonInputKind::ContentType).query(DRY_RUN_QUERY).gives(ReplyKind::of::<ContentTypeOrEffects>()).in_workspace().with_summary("Updates a content type, or reports what the update would do."),
        delete("admin.content_types.delete", "/admin/api/content-types/{collection}", remove, remove_type)
            .query(DRY_RUN_QUERY).gives(ReplyKind::of::<DoneOrLoss>()).in_workspace().with_summary("Deletes a content type and all its entries, or reports what would be lost."),
        get("admin.views.show", "/admin/api/views/{collection}", ANY, show_views)
            .query(&[PRETTY]).gives(ReplyKind::of::<SavedViews>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns the saved views of a list: the caller's own and the shared ones."),
        put("admin.views.save", "/admin/api/views/{collection}", ANY, save_views)
            .takes_json(JsonInputKind::of::<ViewsInput>()).gives(ReplyKind::of::<SavedViews>()).in_workspace().with_summary("Replaces the caller's own views of a list, or the shared ones."),
    ]
}

/// A content type with the members that only the admin API shows.
#[derive(Serialize, JsonSchema)]
struct AdminContentType {
    #[serde(flatten)]
    #[schemars(schema_with = "content_type_schema")]
    content_type: Map,
    /// The pages of a site that show an entry before it is public. Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    preview: Vec<PreviewTarget>,
    /// The time for which caches may keep anonymous answers with entries of the type. Left out if
    /// it is that of the settings.
    #[serde(default, skip_serializing_if = "CachePolicy::is_empty")]
    cache: CachePolicy,
    /// The lists of entries with names, by name. Left out if there are none.
    #[serde(default, skip_serializing_if = "DeclaredViews::is_empty")]
    views: DeclaredViews,
    /// The locale of the top-level values of an entry's file; empty if the type is not localized.
    root_locale: String,
    /// The number of entries that the caller may read.
    entries: usize,
}

fn content_type_schema(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "allOf": [reference_schema(generator, "ContentType")] })
}

/// The name of the schema of an update's answer.
enum ContentTypeOrEffects {}

impl JsonSchema for ContentTypeOrEffects {
    fn schema_name() -> Cow<'static, str> {
        "ContentTypeOrEffects".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "With `dry_run` the effects of the change, else the content type.",
            "oneOf": [
                generator.subschema_for::<AdminContentType>(),
                generator.subschema_for::<UpdatePreview>(),
            ],
        })
    }
}

/// The name of the schema of a deletion's answer.
enum DoneOrLoss {}

impl JsonSchema for DoneOrLoss {
    fn schema_name() -> Cow<'static, str> {
        "DoneOrLoss".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "With `dry_run` the report of what would be lost.",
            "oneOf": [
                reference_schema(generator, "Done"),
                generator.subschema_for::<DeletePreview>(),
            ],
        })
    }
}

/// The `meta` of a list of types.
#[derive(Serialize)]
struct TypesMeta {
    #[serde(flatten)]
    window: ListWindow<'static>,
    field_types: Vec<&'static str>,
}

/// Lists the types that the caller may read.
pub fn list_types(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_types(call, call.snapshot()?)?.into())
}

/// Creates a type.
pub fn create_type(call: &Call) -> Result<HandlerOutcome> {
    let changed =
        change::create(call.app(), call.workspace()?, call.requester(), call.parse_json()?)?;
    let name = changed.content_type.name.clone();
    Ok(mark_created(reply_changed(call, &name, changed.warnings)?).into())
}

/// Reorders the types.
pub fn reorder_types(call: &Call) -> Result<HandlerOutcome> {
    let snapshot =
        order::reorder(call.app(), call.workspace()?, &call.requester(), &call.parse_json()?)?;
    Ok(reply_types(call, &snapshot)?.into())
}

/// Shows one type.
pub fn show_type(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let name = call.param("collection")?;
    let (_, index) = content_types::find(snapshot, &call.caller, name)?;
    if !content_types::may_read_definition(snapshot, &call.caller, index) {
        return Err(Error::forbidden(Action::SchemaRead, &format!("`schema:{name}`")));
    }
    Ok(reply_type(call, snapshot, index, Vec::new())?.into())
}

/// Updates a type, or previews that.
pub fn update_type(call: &Call) -> Result<HandlerOutcome> {
    let (name, body) = (call.param("collection")?.to_string(), call.parse_json()?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    if call.parse_dry_run()? {
        return Ok(reply_data(call, preview::preview_update(app, ws, by, name, body)?)?.into());
    }
    let changed = change::update(app, ws, by, name.clone(), body, call.precondition())?;
    Ok(reply_changed(call, &name, changed.warnings)?.into())
}

/// Deletes a type, or previews that.
pub fn remove_type(call: &Call) -> Result<HandlerOutcome> {
    let name = call.param("collection")?.to_string();
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    if call.parse_dry_run()? {
        return Ok(reply_data(call, preview::preview_delete(app, ws, by, name)?)?.into());
    }
    change::delete(app, ws, by, name, call.precondition())?;
    Ok(reply_ok(call)?.into())
}

/// Shows the saved views of a list.
pub fn show_views(call: &Call) -> Result<HandlerOutcome> {
    let name = call.param("collection")?;
    let views = saved_views::show(call.app(), call.snapshot()?, &call.caller, name)?;
    Ok(reply_views(call, &views)?.into())
}

/// Replaces saved views of a list.
pub fn save_views(call: &Call) -> Result<HandlerOutcome> {
    let (name, ws) = (call.param("collection")?, call.workspace()?);
    let (app, by, known) = (call.app(), call.requester(), call.precondition());
    let views = saved_views::save(app, ws, &by, name, &call.parse_json()?, &known)?;
    Ok(reply_views(call, &views)?.into())
}

/// Builds the reply with saved views and their tag.
fn reply_views(call: &Call, views: &SavedViews) -> Result<Reply> {
    let variant = Checksum::of_bytes(call.query().as_bytes());
    Ok(with_entry_tag(reply_data(call, views)?, views.compute_sum(), variant))
}

fn reply_types(call: &Call, snapshot: &Snapshot) -> Result<Reply> {
    let known = content_types::list(snapshot, &call.caller);
    let read =
        known.iter().filter(|it| content_types::may_read_definition(snapshot, &call.caller, it));
    let data: Vec<AdminContentType> = read.map(|it| render_type(call, snapshot, it)).collect();
    let field_types = KINDS.iter().map(|it| it.name).collect();
    let (total, offset) = (data.len(), 0);
    let window = ListWindow { total, limit: total, offset, sort: "order", order: "asc" };
    let meta = TypesMeta { window, field_types };
    reply_with_meta(call, data, Some(meta))
}

/// Builds the reply with the current state of a changed type.
fn reply_changed(call: &Call, name: &str, warnings: Vec<String>) -> Result<Reply> {
    let snapshot = call.app().engine.snapshot(call.workspace()?);
    let snapshot = snapshot.ok_or_else(|| Error::not_found("content type", name))?;
    let index = snapshot.get(name).ok_or_else(|| Error::not_found("content type", name))?;
    reply_type(call, &snapshot, index, warnings)
}

/// Builds the reply with a type and its tag. A precondition compares only the first half of the
/// tag.
fn reply_type(
    call: &Call,
    snapshot: &Snapshot,
    index: &Arc<TypeIndex>,
    warnings: Vec<String>,
) -> Result<Reply> {
    let reply = reply_with_meta(
        call,
        render_type(call, snapshot, index),
        Remarks::from_warnings(warnings),
    )?;
    let ty = &index.content_type;
    let entries = count_entries(call, snapshot, index) as u64;
    let mut summer = ChecksumBuilder::new();
    summer.add_part(ty.name.as_bytes()).add_part(call.query().as_bytes()).add_number(entries);
    Ok(with_entry_tag(reply, ty.sum, summer.finish()))
}

fn render_type(call: &Call, snapshot: &Snapshot, index: &Arc<TypeIndex>) -> AdminContentType {
    let ty = &index.content_type;
    AdminContentType {
        content_type: ty.view().to_map(),
        preview: ty.preview.clone(),
        cache: ty.cache,
        views: ty.views.clone(),
        root_locale: ty.root_locale.as_ref().map(ToString::to_string).unwrap_or_default(),
        entries: count_entries(call, snapshot, index),
    }
}

/// Returns the number of entries of the type that the caller sees.
fn count_entries(call: &Call, snapshot: &Snapshot, index: &Arc<TypeIndex>) -> usize {
    let view = View::new(snapshot, call.caller.viewer(), None);
    snapshot.type_position(&index.content_type.name).map_or(0, |it| view.count_visible(it))
}
