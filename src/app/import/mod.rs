//! Imports: content of other systems and of tables. Everything is read and checked first, and all
//! problems are reported together; only a plan without problems is written, all of it at once.
//!
//! A reader of a format ([`tables`], [`markdown`]…) turns the files of an
//! [`ImportSource`](crate::store::source::ImportSource) into an [`import_set::ImportSet`]. The
//! [`planner`] compares that with the workspace: an entry that is there already is updated, and one
//! that is the same is left alone, so that a second run changes nothing. What comes out is a set of
//! files, which the engine writes, and a report.

mod contentful;
mod directus;
pub mod import_gate;
pub mod import_options;
mod import_scope;
pub mod import_set;
pub(in crate::app) mod links;
pub mod markdown;
mod media_plan;
mod names;
pub mod php;
pub mod planner;
pub mod report;
pub mod request;
mod rich_text;
mod stored_view;
mod strapi;
pub mod tables;
mod times;
pub mod trimmed_source;
mod type_outline;
pub mod uploaded;
mod wordpress;
mod yaml;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::import::import_set::ImportSet;
use crate::app::import::planner::ImportPlan;
use crate::app::import::planner::Planner;
use crate::app::import::report::SourcePlace;
use crate::app::import::request::ImportKind;
use crate::app::import::request::ImportRequest;
use crate::engine::Engine;
use crate::query::index::snapshot::Snapshot;

/// Plans an import. Nothing is written: what has to be is in the plan.
pub fn plan_import(engine: &Engine, request: &ImportRequest<'_>) -> Result<ImportPlan> {
    let slug = request.workspace.as_str();
    let snapshot = engine.snapshot(slug).ok_or_else(|| Error::not_found("workspace", slug))?;
    let set = read_source(request, &snapshot);
    let keeps = request.keeps_revisions && engine.records().max_revisions() != 0;
    let installation = engine.installation_arc();
    let plan = engine.writer().preview_commit(request.workspace, |staging| {
        Planner::new(staging, request, keeps).plan(set, &installation)
    })?;
    Ok(plan)
}

fn read_source(request: &ImportRequest<'_>, snapshot: &Snapshot) -> ImportSet {
    let source = request.source;
    let mut set = match request.kind {
        ImportKind::Table(format, options) => {
            tables::read_table(source, *format, options, snapshot)
        }
        ImportKind::Markdown(options) => markdown::read_markdown(source, options, snapshot),
        ImportKind::Php(options) => {
            php::read_original(source, options, request.workspace, snapshot)
        }
        ImportKind::Contentful => contentful::read_contentful(source, snapshot),
        ImportKind::Directus => directus::read_directus(source, snapshot),
        ImportKind::Strapi => strapi::read_strapi(source, snapshot),
        ImportKind::WordPress => wordpress::read_wordpress(source, snapshot),
    };
    for (path, reason) in source.left_out() {
        set.report.add_skipped(SourcePlace::of_file(path), reason.clone());
    }
    set
}
