//! A look ahead: what will be public at a moment, by the schedule and by planned changes.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access::check_all;
use crate::app::content::change_access::check_proposals;
use crate::app::content::changes;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::grant::Action;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::time::Timestamp;

/// The parameter that names the moment.
pub const AT_PARAM: &str = "at";

/// Returns the snapshot that shows what will be public at a moment. It has the scheduled entries of
/// those types of which the caller may read every entry, and the planned changes of which the
/// caller may read everything, if they have the approvals that they need. The rest stays as it is
/// now: that something will be public makes nothing of it readable before.
pub fn open_future(app: &App, live: &Snapshot, caller: &Caller, at: &str) -> Result<Arc<Snapshot>> {
    if caller.is_anonymous() {
        return Err(Error::unauthorized("Reading what will be public (`at`) needs a token."));
    }
    let at = parse_moment(at, app.engine.clock().now())?;
    let reads_all = |it: &Arc<TypeIndex>| {
        check_all(live, caller, Action::ContentRead, &it.content_type.name).is_ok()
    };
    let hidden: Vec<Arc<TypeIndex>> =
        live.types().iter().filter(|it| !reads_all(it)).cloned().collect();
    if !live.types().is_empty() && hidden.len() == live.types().len() {
        return Err(Error::forbidden(Action::ContentRead, "`content:*`"));
    }
    let reads = |change: &Change| {
        let is_hidden = |name: &str| hidden.iter().any(|it| it.content_type.name.as_str() == name);
        !change.proposals.keys().any(|(of, _)| is_hidden(of.as_str()))
            && check_proposals(live, caller, Action::ContentRead, change).is_ok()
    };
    let mut planned = live.changes.list_planned();
    planned.retain(|(of, _, change)| {
        *of <= at && changes::has_approvals(app, change) && reads(change)
    });
    Ok(app.engine.overlays().get_future(live, at, &planned, &hidden))
}

fn parse_moment(text: &str, now: Timestamp) -> Result<Timestamp> {
    let at = Timestamp::parse(text).ok_or(wording::NOT_A_TIME);
    let at = at.and_then(|it| if it > now { Ok(it) } else { Err(wording::NOT_IN_FUTURE) });
    at.map_err(|it| Error::invalid(FieldProblems::from_problem(AT_PARAM, it)))
}
