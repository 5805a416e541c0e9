//! `/admin/api/content-types`: what is built with, and the views of its lists.

use std::sync::Arc;

use http::header;
use serde::Serialize;

use crate::app::content_types;
use crate::app::content_types::change;
use crate::app::content_types::order;
use crate::app::content_types::preview;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::views;
use crate::http::admin::ANY;
use crate::http::admin::Remarks;
use crate::http::admin::content::Window;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::right_on;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::reply::Reply;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::patch;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::route::query;
use crate::model::field::KINDS;
use crate::model::grant::Action;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::sum::Summer;

const DRY_RUN: &[Query] =
    &[query("dry_run", QueryKind::Flag, "Tells what would happen, and does nothing."), PRETTY];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let create = right_on(Action::SchemaCreate, On::NewSchema);
    let update = right_on(Action::SchemaUpdate, On::Schema);
    let order = right_on(Action::SchemaUpdate, On::NewSchema);
    let remove = right_on(Action::SchemaDelete, On::Schema);
    vec![
        get("admin.content_types.list", "/admin/api/content-types", ANY, list)
            .query(&[PRETTY]).gives(Gives::AdminList("AdminContentType")).runs(Run::Blocking).scoped().about("The content types that the caller may read, or read entries of."),
        post("admin.content_types.create", "/admin/api/content-types", create, make)
            .takes(Takes::NewContentType).creates(Gives::Admin("AdminContentType")).scoped().about("Creates a content type."),
        patch("admin.content_types.order", "/admin/api/content-types/order", order, reorder)
            .takes(Takes::Admin("ContentTypeOrder")).gives(Gives::AdminList("AdminContentType")).scoped().about("Brings content types into another order."),
        get("admin.content_types.show", "/admin/api/content-types/{collection}", ANY, show)
            .query(&[PRETTY]).gives(Gives::Admin("AdminContentType")).runs(Run::Blocking).scoped().about("One content type."),
        put("admin.content_types.update", "/admin/api/content-types/{collection}", update, change_one)
            .takes(Takes::ContentType).query(DRY_RUN).gives(Gives::Admin("ContentTypeOrEffects")).scoped().about("Changes a content type, or tells what that would do."),
        delete("admin.content_types.delete", "/admin/api/content-types/{collection}", remove, remove_one)
            .query(DRY_RUN).gives(Gives::Admin("DoneOrLoss")).scoped().about("Deletes a content type with all its entries, or tells what would be lost."),
        get("admin.views.show", "/admin/api/views/{collection}", ANY, show_views)
            .query(&[PRETTY]).gives(Gives::Admin("Views")).runs(Run::Blocking).scoped().about("The saved views of a list: one's own, and those for all."),
        put("admin.views.save", "/admin/api/views/{collection}", ANY, save_views)
            .takes(Takes::Admin("ViewsInput")).gives(Gives::Admin("Views")).scoped().about("Replaces one's own views of a list, or those for all."),
    ]
}

/// What goes with a list of types.
#[derive(Serialize)]
struct Meta {
    #[serde(flatten)]
    window: Window,
    field_types: Vec<&'static str>,
}

/// The types that the caller reads.
pub fn list(call: &Call) -> Result<Outcome> {
    Ok(all(call, call.snapshot()?)?.into())
}

/// Makes a type.
pub fn make(call: &Call) -> Result<Outcome> {
    let changed = change::create(call.app(), call.workspace()?, call.by(), call.json()?)?;
    let name = changed.content_type.name.clone();
    Ok(created(afterwards(call, &name, changed.warnings)?).into())
}

/// Brings types into another order.
pub fn reorder(call: &Call) -> Result<Outcome> {
    let snapshot = order::reorder(call.app(), call.workspace()?, &call.by(), &call.json()?)?;
    Ok(all(call, &snapshot)?.into())
}

/// One type.
pub fn show(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let name = call.param("collection")?;
    let (_, index) = content_types::find(snapshot, &call.caller, name)?;
    if !content_types::reads(snapshot, &call.caller, index) {
        return Err(Error::forbidden(Action::SchemaRead, &format!("`schema:{name}`")));
    }
    Ok(one(call, snapshot, index, Vec::new())?.into())
}

/// Changes a type, or tells what that would do.
pub fn change_one(call: &Call) -> Result<Outcome> {
    let (name, body) = (call.param("collection")?.to_string(), call.json()?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.by());
    if is_dry(call)? {
        return Ok(envelope(call, preview::update(app, ws, by, name, body)?)?.into());
    }
    let changed = change::update(app, ws, by, name.clone(), body, call.precondition())?;
    Ok(afterwards(call, &name, changed.warnings)?.into())
}

/// Deletes a type, or tells what would be lost.
pub fn remove_one(call: &Call) -> Result<Outcome> {
    let name = call.param("collection")?.to_string();
    let (app, ws, by) = (call.app(), call.workspace()?, call.by());
    if is_dry(call)? {
        return Ok(envelope(call, preview::delete(app, ws, by, name)?)?.into());
    }
    change::delete(app, ws, by, name, call.precondition())?;
    Ok(done(call)?.into())
}

/// The saved views of a list.
pub fn show_views(call: &Call) -> Result<Outcome> {
    let name = call.param("collection")?;
    let views = views::show(call.app(), call.snapshot()?, &call.caller, name)?;
    Ok(envelope(call, views)?.into())
}

/// Replaces saved views of a list.
pub fn save_views(call: &Call) -> Result<Outcome> {
    let (name, ws) = (call.param("collection")?, call.workspace()?);
    let views = views::save(call.app(), ws, &call.by(), name, &call.json()?)?;
    Ok(envelope(call, views)?.into())
}

fn is_dry(call: &Call) -> Result<bool> {
    Ok(Params::parse(call.query()).map_err(Error::bad_request)?.flag("dry_run"))
}

fn all(call: &Call, snapshot: &Snapshot) -> Result<Reply> {
    let known = content_types::list(snapshot, &call.caller);
    let read = known.iter().filter(|it| content_types::reads(snapshot, &call.caller, it));
    let data: Vec<Json> = read.map(|it| shown(call, snapshot, it)).collect();
    let field_types = KINDS.iter().map(|it| it.name).collect();
    let (total, offset) = (data.len(), 0);
    let window = Window { total, limit: total, offset, sort: "order", order: "asc" };
    let meta = Meta { window, field_types };
    with_meta(call, data, Some(meta))
}

/// A type as it is after a change.
fn afterwards(call: &Call, name: &str, warnings: Vec<String>) -> Result<Reply> {
    let snapshot = call.app().engine.snapshot(call.workspace()?);
    let snapshot = snapshot.ok_or_else(|| Error::not_found("content type", name))?;
    let index = snapshot.get(name).ok_or_else(|| Error::not_found("content type", name))?;
    one(call, &snapshot, index, warnings)
}

/// A type with its tag, of which a change compares the first half.
fn one(
    call: &Call,
    snapshot: &Snapshot,
    index: &Arc<TypeIndex>,
    warnings: Vec<String>,
) -> Result<Reply> {
    let mut reply = with_meta(call, shown(call, snapshot, index), Remarks::of(warnings))?;
    let ty = &index.content_type;
    let entries = count(call, snapshot, index) as u64;
    let mut summer = Summer::new();
    summer.part(ty.name.as_bytes()).part(call.query().as_bytes()).number(entries);
    let tag = headers::etag_of_entry(ty.sum, summer.finish());
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    Ok(reply)
}

/// A type with what only those who build with it need.
fn shown(call: &Call, snapshot: &Snapshot, index: &Arc<TypeIndex>) -> Json {
    let ty = &index.content_type;
    let mut map = ty.to_map();
    map.push("root_locale", ty.root_locale.as_ref().map_or("", |it| it.as_str()));
    // More than an i64 holds does not fit in memory.
    let entries = i64::try_from(count(call, snapshot, index)).unwrap_or(i64::MAX);
    map.push("entries", entries);
    map.into()
}

/// How many entries of the type the caller sees.
fn count(call: &Call, snapshot: &Snapshot, index: &Arc<TypeIndex>) -> usize {
    let view = View::new(snapshot, call.caller.eyes(), None);
    snapshot.place(&index.content_type.name).map_or(0, |it| view.visible(it).count())
}
