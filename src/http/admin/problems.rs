//! `/admin/api/problems`: what is wrong in the data folder, and what can be done about it.

use crate::app::error::Result;
use crate::app::problems;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const LIST: &[Query] = &[
    query("workspace", QueryKind::Text, "Those of this workspace, and of none."),
    query("kind", QueryKind::Text, "Those of this kind alone."),
    query("accepted", QueryKind::Flag, "Those too that somebody has accepted."),
    query(
        "deep",
        QueryKind::Flag,
        "Reads every entry of the workspace again and judges its values.",
    ),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let update = right(Action::SettingsUpdate, Area::Settings);
    vec![
        get("admin.problems.list", "/admin/api/problems", right(Action::SettingsRead, Area::Settings), list)
            .scoped().runs(Run::Blocking).query(LIST).gives(Gives::AdminList("Problem"))
            .about("What is wrong in the data folder, errors first."),
        post("admin.problems.restore", "/admin/api/problems/{id}/restore-last-good", update, restore)
            .scoped().gives(Gives::Admin("ProblemRestored"))
            .about("Puts the last good version of a broken file in its place; the broken text is kept for a week."),
        post("admin.problems.accept", "/admin/api/problems/{id}/accept", update, accept)
            .scoped().takes(Takes::Admin("ProblemAccept")).gives(Gives::Done)
            .about("Leaves a problem as it is: it is not told any more."),
    ]
}

/// What is wrong.
pub fn list(call: &Call) -> Result<Outcome> {
    let found = problems::list(call.app(), &call.caller, call.snapshot()?, call.query())?;
    Ok(with_meta(call, found.data, Some(found.meta))?.into())
}

/// Puts a file right.
pub fn restore(call: &Call) -> Result<Outcome> {
    let (by, id) = (call.by(), call.param("id")?);
    let restored = problems::restore_last_good(call.app(), &by, call.snapshot()?, id)?;
    Ok(envelope(call, restored)?.into())
}

/// Leaves a problem as it is.
pub fn accept(call: &Call) -> Result<Outcome> {
    let (by, id) = (call.by(), call.param("id")?);
    problems::accept(call.app(), &by, call.snapshot()?, id, &call.json()?)?;
    Ok(done(call)?.into())
}
