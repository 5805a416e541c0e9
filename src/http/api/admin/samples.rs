//! The routes of `/admin/api/samples`: the sample content of a workspace.

use crate::app::error::Result;
use crate::app::system::samples;
use crate::app::system::samples::Samples;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::PRETTY;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::model::grant::Action;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let remove = require_action_on(Action::SchemaDelete, ActionTarget::Schemas);
    vec![
        get("admin.samples.list", "/admin/api/samples", remove, list_samples)
            .query(&[PRETTY]).gives(ReplyKind::of::<Samples>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the sample content of a workspace, for callers who may remove it."),
        delete("admin.samples.remove", "/admin/api/samples", remove, remove_samples)
            .gives(ReplyKind::of::<Samples>()).in_workspace().with_summary("Removes the sample content that nobody has edited and that no other content uses."),
    ]
}

/// Lists the samples.
pub fn list_samples(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, samples::list(call.app(), call.workspace()?, &call.requester())?)?.into())
}

/// Removes the samples.
pub fn remove_samples(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, samples::remove(call.app(), call.workspace()?, &call.requester())?)?.into())
}
