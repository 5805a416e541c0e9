//! The routes of `/admin/api/problems`: listing, repairing and accepting problems of the data
//! folder.

use crate::app::error::Result;
use crate::app::system::problems;
use crate::app::system::problems::ProblemAccept;
use crate::app::system::problems::ProblemView;
use crate::app::system::problems::RestoredFile;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const LIST: &[QueryParam] = &[
    query("workspace", QueryKind::Text, "Only problems of this workspace, and of no workspace."),
    query("kind", QueryKind::Text, "Only problems of this kind."),
    query("accepted", QueryKind::Flag, "Includes accepted problems."),
    query(
        "deep",
        QueryKind::Flag,
        "Reads every entry of the workspace again and validates its values.",
    ),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let update = require_action(Action::SettingsUpdate, Area::Settings);
    vec![
        get("admin.problems.list", "/admin/api/problems", require_action(Action::SettingsRead, Area::Settings), list_problems)
            .in_workspace().runs_in(RunMode::Blocking).query(LIST).gives(ReplyKind::list_of::<ProblemView>())
            .with_summary("Lists the problems of the data folder, errors first."),
        post("admin.problems.restore", "/admin/api/problems/{id}/restore-last-good", update, restore_file)
            .in_workspace().gives(ReplyKind::of::<RestoredFile>())
            .with_summary("Restores the last good version of a broken file. The broken text is kept for a week."),
        post("admin.problems.accept", "/admin/api/problems/{id}/accept", update, accept_problem)
            .in_workspace().takes_json(JsonInputKind::of::<ProblemAccept>()).gives(ReplyKind::Done)
            .with_summary("Accepts a problem, which is then no longer listed."),
    ]
}

/// Lists problems.
pub fn list_problems(call: &Call) -> Result<HandlerOutcome> {
    let found = problems::list(call.app(), &call.caller, call.snapshot()?, call.query())?;
    Ok(reply_with_meta(call, found.data, Some(found.meta))?.into())
}

/// Restores the last good version of a file.
pub fn restore_file(call: &Call) -> Result<HandlerOutcome> {
    let (by, id) = (call.requester(), call.param("id")?);
    let restored = problems::restore_last_good(call.app(), &by, call.snapshot()?, id)?;
    Ok(reply_data(call, restored)?.into())
}

/// Accepts a problem.
pub fn accept_problem(call: &Call) -> Result<HandlerOutcome> {
    let (by, id) = (call.requester(), call.param("id")?);
    problems::accept(call.app(), &by, call.snapshot()?, id, &call.parse_json()?)?;
    Ok(reply_ok(call)?.into())
}
