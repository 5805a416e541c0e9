//! The routes of `/admin/api/users` and below.

use crate::app::error::Result;
use crate::app::people::avatars;
use crate::app::people::avatars::AvatarOwner;
use crate::app::people::new_user::NewUser;
use crate::app::people::second_factor;
use crate::app::people::users;
use crate::app::people::users::UserChange;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action;
use crate::http::api::query_params::RECORDS_QUERY;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_png;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::request::route::query;
use crate::http::wire::headers;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::people::user::UserRecord;

/// The query parameters of lists of users.
const LIST: &[QueryParam] = &{
    let [limit, offset, sort, order, q, pretty] = RECORDS_QUERY;
    let role = query("role", QueryKind::Text, "The id of a role.");
    [*limit, *offset, *sort, *order, *q, role, *pretty]
};

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let may = |action| require_action(action, Area::Users);
    vec![
        get("admin.users.list", "/admin/api/users", may(Action::UsersRead), list_users)
            .query(LIST).runs_in(RunMode::Blocking).gives(ReplyKind::list_of::<UserRecord>()).with_summary("Lists the users."),
        post("admin.users.create", "/admin/api/users", may(Action::UsersCreate), create_user)
            .takes_json(JsonInputKind::of::<NewUser>()).gives_created(ReplyKind::of::<UserRecord>()).with_summary("Creates a user."),
        get("admin.users.show", "/admin/api/users/{id}", may(Action::UsersRead), show_user)
            .gives(ReplyKind::of::<UserRecord>()).with_summary("Returns a user."),
        put("admin.users.update", "/admin/api/users/{id}", may(Action::UsersUpdate), update_user)
            .takes_json(JsonInputKind::of::<UserChange>()).gives(ReplyKind::of::<UserRecord>())
            .with_summary("Updates a user: name, e-mail address, role or password."),
        delete("admin.users.delete", "/admin/api/users/{id}", may(Action::UsersDelete), remove_user)
            .gives(ReplyKind::Done).with_summary("Deletes a user."),
        delete("admin.users.reset_second_factor", "/admin/api/users/{id}/second-factor", may(Action::UsersUpdate), reset_second_factor)
            .gives(ReplyKind::of::<UserRecord>()).with_summary("Removes the second factor of a user who has lost it."),
        get("admin.users.avatar", "/admin/api/users/{id}/avatar", ANY, show_avatar)
            .runs_in(RunMode::Blocking).gives(ReplyKind::Picture).with_summary("Returns the picture of a user, of at most 256 pixels a side."),
        post("admin.users.set_avatar", "/admin/api/users/{id}/avatar", may(Action::UsersUpdate), set_avatar)
            .takes_upload(UploadForm::Avatar).runs_in(RunMode::Lane).gives(ReplyKind::of::<UserRecord>()).with_summary("Sets the picture of a user."),
        delete("admin.users.remove_avatar", "/admin/api/users/{id}/avatar", may(Action::UsersUpdate), remove_avatar)
            .gives(ReplyKind::Done).with_summary("Removes the picture of a user."),
    ]
}

/// Lists the users.
pub fn list_users(call: &Call) -> Result<HandlerOutcome> {
    let listed = users::list(call.app(), &call.caller, &call.parse_query()?)?;
    Ok(reply_with_meta(call, listed.items, Some(listed.meta))?.into())
}

/// Creates a user.
pub fn create_user(call: &Call) -> Result<HandlerOutcome> {
    let user = users::create(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(mark_created(reply_data(call, user)?).into())
}

/// Shows one user.
pub fn show_user(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, users::show(call.app(), &call.caller, call.param("id")?)?)?.into())
}

/// Updates a user.
pub fn update_user(call: &Call) -> Result<HandlerOutcome> {
    let (id, body, block) =
        (call.param("id")?, call.parse_json()?, headers::client_block(call.client.ip));
    Ok(reply_data(call, users::update(call.app(), &call.requester(), id, &body, block)?)?.into())
}

/// Deletes a user.
pub fn remove_user(call: &Call) -> Result<HandlerOutcome> {
    users::delete(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_ok(call)?.into())
}

/// Removes the second factor of a user.
pub fn reset_second_factor(call: &Call) -> Result<HandlerOutcome> {
    let user = second_factor::reset(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_data(call, user)?.into())
}

/// Shows the picture of a user.
pub fn show_avatar(call: &Call) -> Result<HandlerOutcome> {
    let png = avatars::show(call.app(), &call.caller, AvatarOwner::User(call.param("id")?))?;
    Ok(reply_png(png).into())
}

/// Sets the picture of a user.
pub fn set_avatar(call: &Call) -> Result<HandlerOutcome> {
    let (of, files) = (AvatarOwner::User(call.param("id")?), call.take_upload()?.files);
    Ok(reply_data(call, avatars::set(call.app(), &call.requester(), of, &files)?)?.into())
}

/// Removes the picture of a user.
pub fn remove_avatar(call: &Call) -> Result<HandlerOutcome> {
    avatars::remove(call.app(), &call.requester(), AvatarOwner::User(call.param("id")?))?;
    Ok(reply_ok(call)?.into())
}
