//! Many entries changed or deleted by one request: each by itself, with its own right and its own
//! way to fail, and all of them with what is slow shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::App;
use crate::app::access::By;
use crate::app::entries::clean_html::CleanHtml;
use crate::app::entries::delete;
use crate::app::entries::write::Edit;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::commit::Committed;
use crate::engine::staging::Staging;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How many entries one request may name.
const BULK_MAX: usize = 1_000;

/// What became of many entries.
#[derive(Debug, Default)]
pub struct Bulk {
    /// How many were done.
    pub done: usize,
    /// Why others were not, by the name that was sent.
    pub errors: BTreeMap<String, FieldProblems>,
}

/// Changes many entries in the same way: `{ids: […], data: {…}}`.
pub fn update_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    body: &Map,
) -> Result<Bulk> {
    let mut problems = FieldProblems::new();
    let ids = ids(body, &mut problems);
    let data = match body.get("data") {
        Some(Json::Object(map)) if !map.is_empty() => map.clone(),
        _ => {
            problems.add("data", "Send the values that all of these entries shall have.");
            Map::new()
        }
    };
    problems.or(()).map_err(Error::invalid)?;
    let data = Arc::new(data);
    let clean_html = Arc::new(CleanHtml::of_body(app, ws, type_name, &data));
    let works = ids.iter().map(|id| {
        let edit = Edit {
            type_name: type_name.to_string(),
            identifier: id.clone(),
            body: data.clone(),
            clean_html: clean_html.clone(),
            precondition: Precondition::None,
            event: RevisionEvent::Bulk,
        };
        let by = by.clone();
        move |staging: &mut Staging<'_>| edit.stage(staging, &by).map(drop)
    });
    let answers = app.engine.commit_all::<(), Error, _>(ws, works.collect())?;
    gathered(ids, answers)
}

/// Puts many entries into the trash: `{ids: […]}`.
pub fn delete_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    body: &Map,
) -> Result<Bulk> {
    let mut problems = FieldProblems::new();
    let ids = ids(body, &mut problems);
    problems.or(()).map_err(Error::invalid)?;
    let works = ids.iter().map(|id| {
        let (by, name, id) = (by.clone(), type_name.to_string(), id.clone());
        move |staging: &mut Staging<'_>| {
            delete::stage(staging, &by, &name, &id, &Precondition::None)
        }
    });
    let answers = app.engine.commit_all::<(), Error, _>(ws, works.collect())?;
    gathered(ids, answers)
}

/// The ids or slugs that are meant, each once.
fn ids(body: &Map, problems: &mut FieldProblems) -> Vec<String> {
    let Some(items) = body.get("ids").and_then(Json::as_array).filter(|it| !it.is_empty()) else {
        problems.add("ids", "Send the ids of the entries.");
        return Vec::new();
    };
    if items.len() > BULK_MAX {
        problems.add("ids", format!("{BULK_MAX} entries at once are the most."));
        return Vec::new();
    }
    let mut known = std::collections::HashSet::new();
    let mut ids = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(text) if known.insert(text) => ids.push(text.to_string()),
            Some(_) => {}
            None => problems.add(format!("ids[{index}]"), "This is the id of an entry."),
        }
    }
    ids
}

/// What is wrong with single entries is told for each. What is wrong with the server is told when
/// nothing was done, and else for those that it kept from being done.
fn gathered(ids: Vec<String>, answers: Vec<Result<Committed<()>>>) -> Result<Bulk> {
    let mut bulk = Bulk::default();
    let mut broken = None;
    for (id, answer) in ids.into_iter().zip(answers) {
        let Err(error) = answer else {
            bulk.done += 1;
            continue;
        };
        let problems = if error.fields.is_empty() {
            FieldProblems::one("id", error.message.clone())
        } else {
            error.fields.clone()
        };
        bulk.errors.insert(id, problems);
        let is_ours = matches!(
            error.code,
            Code::ServerError | Code::StorageUnavailable | Code::InsufficientStorage
        );
        broken = broken.or(is_ours.then_some(error));
    }
    match broken {
        Some(error) if bulk.done == 0 => Err(error),
        _ => Ok(bulk),
    }
}
