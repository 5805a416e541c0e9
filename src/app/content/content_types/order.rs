//! The order in which content types are listed.

use std::sync::Arc;

use schemars::JsonSchema;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types::find;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Reorders the content types by `{names: […]}`. Types that are not named follow in their previous
/// order; collections always come before single pages.
pub fn reorder(app: &App, ws: &WorkspaceSlug, by: &Requester, body: &Map) -> Result<Arc<Snapshot>> {
    let (by, body) = (by.clone(), body.clone());
    let work = move |staging: &mut Staging<'_>| {
        let action = Action::SchemaUpdate;
        let facts = Facts::default();
        let permit =
            by.check_permission(staging.workspace(), action, &Resource::Schemas, &facts)?;
        let names = compute_order(staging.snapshot(), &by, &body)?;
        let names: Vec<Json> = names.into_iter().map(|it| it.into()).collect();
        stage_order(staging, &permit, names)
    };
    Ok(app.engine.commit::<(), Error, _>(ws, work)?.snapshot)
}

/// The body of a request to reorder the content types.
#[derive(JsonSchema)]
pub struct ContentTypeOrder {
    /// Types that are left out follow in their current order.
    names: Vec<String>,
}

impl ContentTypeOrder {
    fn parse(snapshot: &Snapshot, by: &Requester, body: &Map) -> ParsedBody<ContentTypeOrder> {
        let mut input = ObjectReader::new(body);
        if input.value("names").is_none() {
            input.add_problem("names", wording::REQUIRED);
        }
        let items = input.list("names").unwrap_or_default();
        let named = input.parse_items("names", items, |name| {
            find(snapshot, &by.caller, name).map(|_| name).map_err(|error| error.message)
        });
        let mut names: Vec<String> = Vec::new();
        for (_, name) in named {
            if !names.iter().any(|it| it == name) {
                names.push(name.to_string());
            }
        }
        input.finish(ContentTypeOrder { names })
    }
}

/// Returns all names in their new order.
fn compute_order(snapshot: &Snapshot, by: &Requester, body: &Map) -> Result<Vec<String>> {
    let order = ContentTypeOrder::parse(snapshot, by, body);
    let ContentTypeOrder { mut names } = order.into_result().map_err(Error::invalid)?;
    for index in snapshot.types() {
        let name = index.content_type.name.as_str();
        if !names.iter().any(|it| it == name) {
            names.push(name.to_string());
        }
    }
    Ok(names)
}

fn stage_order(staging: &mut Staging<'_>, permit: &Permit, names: Vec<Json>) -> Result<()> {
    let key = Key::Workspace(staging.workspace().clone());
    match staging.read_stored(&key)? {
        Some(stored) => {
            let mut map = stored.map().clone();
            if map.get("types").and_then(Json::as_array) == Some(&names) {
                return Ok(());
            }
            map.set("types", names.into());
            staging.write(permit).replace(&stored, stored.rewrite(map));
        }
        None => {
            let mut map = Map::new();
            map.push("types", names);
            staging.write(permit).create(&key, Json::Object(map).to_file());
        }
    }
    let slug = staging.workspace().to_string();
    let subject = Subject::Workspace { slug, label: staging.snapshot().meta.label.clone() };
    staging.write(permit).add_event(EventKind::WorkspaceUpdated, subject);
    Ok(())
}
