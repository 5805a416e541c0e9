//! The route of `/admin/api/imports`: content of other systems and of tables.

use crate::app::error::Result;
use crate::app::import::uploaded;
use crate::app::import::uploaded::ImportOutcome;
use crate::app::import::uploaded::ImportUpload;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::query_params::DRY_RUN_QUERY;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::post;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::UploadForm;
use crate::model::grant::Action;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let import = require_action_on(Action::ContentPublish, ActionTarget::Content);
    vec![
        post("admin.imports.create", "/admin/api/imports", import, import_source)
            .takes_upload(UploadForm::Import).query(DRY_RUN_QUERY).gives(ReplyKind::of::<ImportOutcome>()).in_workspace().with_summary("Imports a file or an archive, all of it or nothing, or reports what that would do."),
    ]
}

/// Imports an upload, or reports what that would do.
pub fn import_source(call: &Call) -> Result<HandlerOutcome> {
    let is_dry_run = call.parse_dry_run()?;
    let upload = call.take_upload()?;
    let options = upload.options.unwrap_or_default();
    let upload = ImportUpload { files: upload.files, options, is_dry_run };
    let outcome = uploaded::import_upload(call.app(), call.workspace()?, &call.requester(), upload);
    Ok(reply_data(call, outcome?)?.into())
}
