//! Bulk changes and deletions of entries. Each entry has its own permission check and its own
//! errors; the slow steps are shared.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::entries::clean_html::CleanHtml;
use crate::app::content::entries::delete;
use crate::app::content::entries::on_delete;
use crate::app::content::entries::write::EntryEdit;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::engine::staging::Staging;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::wording;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::stdx::json::Map;
use crate::stdx::json_schema::reference_schema;
use crate::stdx::sync::Mutex;

/// The most entries of one request.
const BULK_MAX: usize = 1_000;

/// The result of a bulk request.
#[derive(Debug, Default)]
pub struct BulkResult {
    /// The number of entries that were changed.
    pub done: usize,
    /// The problems of the others, by the name in the request.
    pub errors: BTreeMap<String, FieldProblems>,
    /// The warnings about ignored keys, each once.
    pub warnings: Vec<String>,
}

/// The body of a request that changes many entries in the same way.
#[derive(JsonSchema)]
pub struct BulkUpdate {
    /// The ids or slugs of the entries.
    #[schemars(length(min = 1, max = BULK_MAX))]
    ids: Vec<String>,
    /// The body of an update of each of them.
    #[schemars(schema_with = "entry_input_schema")]
    data: Arc<Map>,
}

fn entry_input_schema(generator: &mut SchemaGenerator) -> Schema {
    reference_schema(generator, "AdminEntryInput")
}

impl BulkUpdate {
    fn parse(body: &Map) -> ParsedBody<BulkUpdate> {
        let mut input = ObjectReader::new(body);
        let ids = read_ids(&mut input);
        let data = input.object("data").cloned().unwrap_or_default();
        if data.is_empty() {
            input.add_problem("data", wording::REQUIRED);
        }
        input.finish(BulkUpdate { ids, data: Arc::new(data) })
    }
}

/// The body of a request that deletes many entries.
#[derive(JsonSchema)]
pub struct BulkDelete {
    /// The ids or slugs of the entries.
    #[schemars(length(min = 1, max = BULK_MAX))]
    ids: Vec<String>,
}

impl BulkDelete {
    fn parse(body: &Map) -> ParsedBody<BulkDelete> {
        let mut input = ObjectReader::new(body);
        let ids = read_ids(&mut input);
        input.finish(BulkDelete { ids })
    }
}

/// Updates many entries in the same way.
pub fn update_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    body: &Map,
) -> Result<BulkResult> {
    let BulkUpdate { ids, data } = BulkUpdate::parse(body).into_result().map_err(Error::invalid)?;
    let clean_html = Arc::new(CleanHtml::from_current_type(app, ws, type_name, &data));
    // Most entries ignore the same keys of the body, so only distinct warnings are kept.
    let distinct: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let works = ids.iter().map(|id| {
        let edit = EntryEdit {
            type_name: type_name.to_string(),
            identifier: id.clone(),
            body: data.clone(),
            clean_html: clean_html.clone(),
            precondition: Precondition::None,
            event: RevisionEvent::Bulk,
        };
        let (by, distinct) = (by.clone(), distinct.clone());
        move |staging: &mut Staging<'_>| {
            let outcome = edit.stage_edit(staging, &by);
            outcome.map(|it| distinct.lock().extend(it.into_warnings()))
        }
    });
    let _operation = app.engine.outbox().begin_operation(&by.actor);
    let answers = app.engine.writer().commit_all::<(), Error, _>(ws, works.collect())?;
    let bulk = collect_results(ids, answers.into_iter().map(|it| it.map(drop)))?;
    let warnings = std::mem::take(&mut *distinct.lock());
    Ok(BulkResult { warnings: warnings.into_iter().collect(), ..bulk })
}

/// Moves many entries to the trash.
pub fn delete_many(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    body: &Map,
    guard: UsageGuard,
) -> Result<BulkResult> {
    let BulkDelete { ids } = BulkDelete::parse(body).into_result().map_err(Error::invalid)?;
    let concerns_others = app.engine.snapshot(ws.as_str()).is_some_and(|it| {
        let target = it.get(type_name).map(|it| it.content_type.name.clone());
        target.is_some_and(|target| on_delete::affects_others(&it, &target, guard))
    });
    let _operation = app.engine.outbox().begin_operation(&by.actor);
    if concerns_others {
        delete_together(app, ws, by, type_name, ids, guard)
    } else {
        delete_each(app, ws, by, type_name, ids)
    }
}

/// Deletes each entry on its own; the slow steps are shared.
fn delete_each(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    ids: Vec<String>,
) -> Result<BulkResult> {
    let works = ids.iter().map(|id| {
        let (by, name, id) = (by.clone(), type_name.to_string(), id.clone());
        move |staging: &mut Staging<'_>| {
            let one = [id.as_str()];
            let staged = delete::stage_deletions(
                staging,
                &by,
                &name,
                &one,
                &Precondition::None,
                UsageGuard::Off,
            );
            staged?.pop().unwrap_or(Ok(()))
        }
    });
    let answers = app.engine.writer().commit_all::<(), Error, _>(ws, works.collect())?;
    collect_results(ids, answers.into_iter().map(|it| it.map(drop)))
}

/// Deletes entries as one change, because some affect the deletion of others.
fn delete_together(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    ids: Vec<String>,
    guard: UsageGuard,
) -> Result<BulkResult> {
    let (by, name, wanted) = (by.clone(), type_name.to_string(), ids.clone());
    let work = move |staging: &mut Staging<'_>| {
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        delete::stage_deletions(staging, &by, &name, &wanted, &Precondition::None, guard)
    };
    let answers = app.engine.commit::<_, Error, _>(ws, work)?.value;
    collect_results(ids, answers.into_iter())
}

/// Reads the ids or slugs of the entries, each once.
fn read_ids(input: &mut ObjectReader<'_>) -> Vec<String> {
    let items = input.filled_list("ids", BULK_MAX, "entries");
    let ids = input.parse_items("ids", items, |id| Ok::<_, String>(id.to_string()));
    let mut known = HashSet::new();
    ids.into_iter().map(|(_, id)| id).filter(|it| known.insert(it.clone())).collect()
}

/// Collects the results. Problems of single entries are reported for each. An error of the server
/// fails the request if nothing was done; otherwise it is reported for the entries it affected.
fn collect_results(
    ids: Vec<String>,
    answers: impl Iterator<Item = Result<()>>,
) -> Result<BulkResult> {
    let mut bulk = BulkResult::default();
    let mut server_error = None;
    for (id, answer) in ids.into_iter().zip(answers) {
        let Err(error) = answer else {
            bulk.done += 1;
            continue;
        };
        let problems = if error.fields.is_empty() {
            FieldProblems::from_problem("id", error.to_sentence())
        } else {
            error.fields.clone()
        };
        bulk.errors.insert(id, problems);
        let is_server_error = matches!(
            error.code,
            Code::ServerError | Code::StorageUnavailable | Code::InsufficientStorage
        );
        server_error = server_error.or(is_server_error.then_some(error));
    }
    match server_error {
        Some(error) if bulk.done == 0 => Err(error),
        _ => Ok(bulk),
    }
}
