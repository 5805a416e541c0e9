//! `/admin/api/settings`: what the interface lets people decide.

use crate::app::error::Result;
use crate::app::settings;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Route;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::put;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.settings.show", "/admin/api/settings", right(Action::SettingsRead, Area::Settings), show)
            .query(&[PRETTY]).gives(Gives::Admin("Settings"))
            .about("What the interface lets people decide, and what is decided elsewhere."),
        put("admin.settings.change", "/admin/api/settings", right(Action::SettingsUpdate, Area::Settings), change)
            .takes(Takes::Admin("SettingsInput")).gives(Gives::Admin("Settings"))
            .about("Changes the settings that are sent, at once."),
    ]
}

/// The settings.
pub fn show(call: &Call) -> Result<Outcome> {
    let shown = settings::show(call.app(), &call.caller)?;
    Ok(with_meta(call, shown.data, Some(shown.meta))?.into())
}

/// Changes settings.
pub fn change(call: &Call) -> Result<Outcome> {
    let shown = settings::change(call.app(), &call.by(), &call.json()?)?;
    Ok(with_meta(call, shown.data, Some(shown.meta))?.into())
}
