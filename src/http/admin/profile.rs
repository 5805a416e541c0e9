//! `/admin/api/profile` and below: what people change of themselves.

use crate::app::avatars;
use crate::app::avatars::Of;
use crate::app::error::Result;
use crate::app::profile;
use crate::app::sessions;
use crate::http::admin::ANY;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::picture;
use crate::http::admin::right;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::put;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let read = right(Action::ProfileRead, Area::Profile);
    let change = right(Action::ProfileUpdate, Area::Profile);
    vec![
        put("admin.profile.update", "/admin/api/profile", change, update)
            .takes(Takes::Admin("ProfileChange")).gives(Gives::Admin("Me"))
            .about("Changes the caller; a new password needs the old one."),
        get("admin.profile.avatar", "/admin/api/profile/avatar", ANY, avatar)
            .runs(Run::Blocking).gives(Gives::Picture).about("The caller's picture."),
        post("admin.profile.set_avatar", "/admin/api/profile/avatar", change, set_avatar)
            .uploads(Form::Avatar).runs(Run::Lane).gives(Gives::Admin("Me")).about("Gives the caller a picture."),
        delete("admin.profile.remove_avatar", "/admin/api/profile/avatar", change, remove_avatar)
            .gives(Gives::Done).about("Takes the caller's picture away."),
        get("admin.profile.sessions", "/admin/api/profile/sessions", read, list_sessions)
            .gives(Gives::AdminList("Session")).about("Where the caller is logged in."),
        delete("admin.profile.end_sessions", "/admin/api/profile/sessions", ANY, end_others)
            .gives(Gives::Done).about("Ends all of the caller's sessions but this one."),
        delete("admin.profile.end_session", "/admin/api/profile/sessions/{id}", ANY, end_one)
            .gives(Gives::Done).about("Ends one of the caller's sessions."),
    ]
}

/// Changes the caller.
pub fn update(call: &Call) -> Result<Outcome> {
    let (body, block) = (call.json()?, headers::client_block(call.client.ip));
    Ok(envelope(call, profile::update(call.app(), &call.by(), &body, block)?)?.into())
}

/// The caller's picture.
pub fn avatar(call: &Call) -> Result<Outcome> {
    Ok(picture(avatars::show(call.app(), &call.caller, Of::Caller)?).into())
}

/// Gives the caller a picture.
pub fn set_avatar(call: &Call) -> Result<Outcome> {
    let files = call.upload()?.files;
    avatars::set(call.app(), &call.by(), Of::Caller, &files)?;
    Ok(envelope(call, sessions::me(call.app(), &call.caller)?)?.into())
}

/// Takes the caller's picture away.
pub fn remove_avatar(call: &Call) -> Result<Outcome> {
    avatars::remove(call.app(), &call.by(), Of::Caller)?;
    Ok(done(call)?.into())
}

/// Where the caller is logged in.
pub fn list_sessions(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, profile::sessions_of(call.app(), &call.caller)?)?.into())
}

/// Ends all of the caller's sessions but this one. Whoever may not change their profile may do that.
pub fn end_others(call: &Call) -> Result<Outcome> {
    profile::end_other_sessions(call.app(), &call.caller)?;
    Ok(done(call)?.into())
}

/// Ends one of the caller's sessions.
pub fn end_one(call: &Call) -> Result<Outcome> {
    profile::end_session(call.app(), &call.caller, call.param("id")?)?;
    Ok(done(call)?.into())
}
