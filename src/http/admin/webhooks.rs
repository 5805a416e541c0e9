//! `/admin/api/webhooks`.

use tokio::runtime::Handle;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::webhooks;
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
use crate::http::route::put;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const PAGE_QUERY: &[Query] = &[
    query("limit", QueryKind::Count(1), "At most so many."),
    query("offset", QueryKind::Count(0), "Leaves so many out first."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let right = right(Action::WebhooksManage, Area::Webhooks);
    vec![
        get("admin.webhooks.list", "/admin/api/webhooks", right, list)
            .gives(Gives::Admin("Webhooks")).runs(Run::Blocking).about("All webhooks."),
        put("admin.webhooks.replace", "/admin/api/webhooks", right, replace)
            .takes(Takes::Admin("WebhooksReplace")).gives(Gives::Admin("Webhooks")).about("Puts other webhooks in the place of all."),
        post("admin.webhooks.test", "/admin/api/webhooks/{id}/test", right, test)
            .gives(Gives::Admin("Delivery")).about("Sends a webhook a test and waits for what it answers."),
        get("admin.webhooks.deliveries", "/admin/api/webhooks/{id}/deliveries", right, deliveries)
            .gives(Gives::AdminList("Delivery")).runs(Run::Blocking).query(PAGE_QUERY).about("What was sent to a webhook lately."),
        post("admin.webhooks.redeliver", "/admin/api/webhooks/deliveries/{id}/redeliver", right, redeliver)
            .gives(Gives::Done).about("Sends what was sent once more."),
    ]
}

/// All webhooks.
pub fn list(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, webhooks::list(call.app(), &call.caller)?)?.into())
}

/// Puts other webhooks in the place of all.
pub fn replace(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, webhooks::replace(call.app(), &call.by(), &call.json()?)?)?.into())
}

/// Sends a test.
pub fn test(call: &Call) -> Result<Outcome> {
    let (webhook, message) = webhooks::test(call.app(), &call.by(), call.param("id")?)?;
    // This thread may wait: it answers nobody else.
    let runtime = Handle::try_current().map_err(Error::internal)?;
    let now = call.app().engine.clock().now();
    let outcome = runtime.block_on(call.shared.options.courier.send(&webhook, &message, now));
    Ok(envelope(call, webhooks::tested(call.app(), &webhook, &message, &outcome)?)?.into())
}

/// What was sent lately.
pub fn deliveries(call: &Call) -> Result<Outcome> {
    let (app, id) = (call.app(), call.param("id")?);
    let (page, meta) = webhooks::deliveries(app, &call.caller, id, call.query())?;
    Ok(with_meta(call, page, Some(meta))?.into())
}

/// Sends something once more.
pub fn redeliver(call: &Call) -> Result<Outcome> {
    webhooks::redeliver(call.app(), &call.by(), call.param("id")?)?;
    Ok(done(call)?.into())
}
