//! The routes of `/admin/api/profile` and below: the caller's own data.

use crate::app::error::Result;
use crate::app::people::avatars;
use crate::app::people::avatars::AvatarOwner;
use crate::app::people::profile;
use crate::app::people::profile::ProfileChange;
use crate::app::people::profile::SessionView;
use crate::app::people::sessions;
use crate::app::people::sessions::CurrentUser;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_png;
use crate::http::api::reply::reply_whole_list;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::wire::headers;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let read = require_action(Action::ProfileRead, Area::Profile);
    let change = require_action(Action::ProfileUpdate, Area::Profile);
    vec![
        put("admin.profile.update", "/admin/api/profile", change, update_profile)
            .takes_json(JsonInputKind::of::<ProfileChange>()).gives(ReplyKind::of::<CurrentUser>())
            .with_summary("Updates the current user. A new password needs the old one."),
        get("admin.profile.avatar", "/admin/api/profile/avatar", ANY, show_avatar)
            .runs_in(RunMode::Blocking).gives(ReplyKind::Picture).with_summary("Returns the current user's picture."),
        post("admin.profile.set_avatar", "/admin/api/profile/avatar", change, set_avatar)
            .takes_upload(UploadForm::Avatar).runs_in(RunMode::Lane).gives(ReplyKind::of::<CurrentUser>()).with_summary("Sets the current user's picture."),
        delete("admin.profile.remove_avatar", "/admin/api/profile/avatar", change, remove_avatar)
            .gives(ReplyKind::Done).with_summary("Removes the current user's picture."),
        get("admin.profile.sessions", "/admin/api/profile/sessions", read, list_sessions)
            .gives(ReplyKind::list_of::<SessionView>()).with_summary("Lists the current user's sessions."),
        delete("admin.profile.end_sessions", "/admin/api/profile/sessions", ANY, end_other_sessions)
            .gives(ReplyKind::Done).with_summary("Ends all of the current user's sessions except this one."),
        delete("admin.profile.end_session", "/admin/api/profile/sessions/{id}", ANY, end_session)
            .gives(ReplyKind::Done).with_summary("Ends one of the current user's sessions."),
    ]
}

/// Updates the caller's profile.
pub fn update_profile(call: &Call) -> Result<HandlerOutcome> {
    let (body, block) = (call.parse_json()?, headers::client_block(call.client.ip));
    Ok(reply_data(call, profile::update(call.app(), &call.requester(), &body, block)?)?.into())
}

/// Shows the caller's picture.
pub fn show_avatar(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_png(avatars::show(call.app(), &call.caller, AvatarOwner::Caller)?).into())
}

/// Sets the caller's picture.
pub fn set_avatar(call: &Call) -> Result<HandlerOutcome> {
    let files = call.take_upload()?.files;
    avatars::set(call.app(), &call.requester(), AvatarOwner::Caller, &files)?;
    Ok(reply_data(call, sessions::describe_caller(call.app(), &call.caller)?)?.into())
}

/// Removes the caller's picture.
pub fn remove_avatar(call: &Call) -> Result<HandlerOutcome> {
    avatars::remove(call.app(), &call.requester(), AvatarOwner::Caller)?;
    Ok(reply_ok(call)?.into())
}

/// Lists the caller's sessions.
pub fn list_sessions(call: &Call) -> Result<HandlerOutcome> {
    let sessions = profile::list_sessions(call.app(), &call.caller)?;
    Ok(reply_whole_list(call, sessions, "used_at", "desc")?.into())
}

/// Ends all of the caller's sessions except the current one, even if the caller may not update the
/// profile.
pub fn end_other_sessions(call: &Call) -> Result<HandlerOutcome> {
    profile::end_other_sessions(call.app(), &call.requester())?;
    Ok(reply_ok(call)?.into())
}

/// Ends one of the caller's sessions.
pub fn end_session(call: &Call) -> Result<HandlerOutcome> {
    profile::end_session(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_ok(call)?.into())
}
