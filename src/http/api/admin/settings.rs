//! The routes of `/admin/api/settings`.

use crate::app::error::Result;
use crate::app::system::settings;
use crate::app::system::settings::SettingsDocument;
use crate::app::system::settings::SettingsInput;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::put;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::ReplyKind;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.settings.show", "/admin/api/settings", require_action(Action::SettingsRead, Area::Settings), show_settings)
            .query(&[PRETTY]).gives(ReplyKind::of::<SettingsDocument>())
            .with_summary("Returns the settings that the interface can change, and those that are fixed elsewhere."),
        put("admin.settings.change", "/admin/api/settings", require_action(Action::SettingsUpdate, Area::Settings), update_settings)
            .takes_json(JsonInputKind::of::<SettingsInput>()).gives(ReplyKind::of::<SettingsDocument>())
            .with_summary("Updates the settings that are sent. They take effect at once."),
    ]
}

/// Shows the settings.
pub fn show_settings(call: &Call) -> Result<HandlerOutcome> {
    let shown = settings::show(call.app(), &call.caller)?;
    Ok(reply_with_meta(call, shown.data, Some(shown.meta))?.into())
}

/// Changes settings.
pub fn update_settings(call: &Call) -> Result<HandlerOutcome> {
    let shown = settings::change(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(reply_with_meta(call, shown.data, Some(shown.meta))?.into())
}
