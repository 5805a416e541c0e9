//! The routes of `/admin/api/webhooks`.

use tokio::runtime::Handle;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::webhooks;
use crate::app::system::webhooks::Delivery;
use crate::app::system::webhooks::WebhookList;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::webhook::WebhooksReplace;

const PAGE_QUERY: &[QueryParam] = &[
    query("limit", QueryKind::Count(1), "The maximum number of items."),
    query("offset", QueryKind::Count(0), "The number of items to skip."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let right = require_action(Action::WebhooksManage, Area::Webhooks);
    vec![
        get("admin.webhooks.list", "/admin/api/webhooks", right, list_webhooks)
            .gives(ReplyKind::of::<WebhookList>()).runs_in(RunMode::Blocking).with_summary("Lists the webhooks."),
        put("admin.webhooks.replace", "/admin/api/webhooks", right, replace_webhooks)
            .takes_json(JsonInputKind::of::<WebhooksReplace<'static>>()).gives(ReplyKind::of::<WebhookList>()).with_summary("Replaces all webhooks."),
        post("admin.webhooks.test", "/admin/api/webhooks/{id}/test", right, test_webhook)
            .gives(ReplyKind::of::<Delivery>()).with_summary("Sends a test to a webhook and waits for the answer."),
        get("admin.webhooks.deliveries", "/admin/api/webhooks/{id}/deliveries", right, list_deliveries)
            .gives(ReplyKind::list_of::<Delivery>()).runs_in(RunMode::Blocking).query(PAGE_QUERY).with_summary("Lists the recent deliveries to a webhook."),
        post("admin.webhooks.redeliver", "/admin/api/webhooks/deliveries/{id}/redeliver", right, redeliver_message)
            .gives(ReplyKind::Done).with_summary("Sends the message of a delivery again."),
    ]
}

/// Lists all webhooks.
pub fn list_webhooks(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, webhooks::list(call.app(), &call.caller)?)?.into())
}

/// Replaces all webhooks.
pub fn replace_webhooks(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, webhooks::replace(call.app(), &call.requester(), &call.parse_json()?)?)?
        .into())
}

/// Sends a test message.
pub fn test_webhook(call: &Call) -> Result<HandlerOutcome> {
    let (webhook, message) =
        webhooks::create_test(call.app(), &call.requester(), call.param("id")?)?;
    // This thread may block: it serves no other request.
    let runtime = Handle::try_current().map_err(Error::internal)?;
    let now = call.app().engine.clock().now();
    let outcome =
        runtime.block_on(call.state.options.webhook_client.send_message(&webhook, &message, now));
    Ok(reply_data(call, webhooks::record_test(call.app(), &webhook, &message, &outcome)?)?.into())
}

/// Lists recent deliveries.
pub fn list_deliveries(call: &Call) -> Result<HandlerOutcome> {
    let (app, id) = (call.app(), call.param("id")?);
    let (page, meta) = webhooks::list_deliveries(app, &call.caller, id, call.query())?;
    Ok(reply_with_meta(call, page, Some(meta))?.into())
}

/// Sends a message again.
pub fn redeliver_message(call: &Call) -> Result<HandlerOutcome> {
    webhooks::redeliver(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_ok(call)?.into())
}
