//! `/admin/api/users` and below.

use crate::app::avatars;
use crate::app::avatars::Of;
use crate::app::error::Result;
use crate::app::users;
use crate::http::admin::ANY;
use crate::http::admin::RECORDS;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::params;
use crate::http::admin::picture;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

/// What lists of users know.
const LIST: &[Query] = &{
    let [limit, offset, sort, order, q, pretty] = RECORDS;
    let role = query("role", QueryKind::Text, "The id of a role.");
    [*limit, *offset, *sort, *order, *q, role, *pretty]
};

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let may = |action| right(action, Area::Users);
    vec![
        get("admin.users.list", "/admin/api/users", may(Action::UsersRead), list)
            .query(LIST).runs(Run::Blocking).gives(Gives::AdminList("User")).about("The users."),
        post("admin.users.create", "/admin/api/users", may(Action::UsersCreate), create)
            .takes(Takes::Admin("NewUser")).creates(Gives::Admin("User")).about("Makes a user."),
        get("admin.users.show", "/admin/api/users/{id}", may(Action::UsersRead), show)
            .gives(Gives::Admin("User")).about("One user."),
        put("admin.users.update", "/admin/api/users/{id}", may(Action::UsersUpdate), update)
            .takes(Takes::Admin("UserChange")).gives(Gives::Admin("User"))
            .about("Changes a user: name, address, role, password."),
        delete("admin.users.delete", "/admin/api/users/{id}", may(Action::UsersDelete), remove)
            .gives(Gives::Done).about("Removes a user."),
        get("admin.users.avatar", "/admin/api/users/{id}/avatar", ANY, avatar)
            .runs(Run::Blocking).gives(Gives::Picture).about("The picture of a user, 256 pixels at most."),
        post("admin.users.set_avatar", "/admin/api/users/{id}/avatar", may(Action::UsersUpdate), set_avatar)
            .uploads(Form::Avatar).runs(Run::Lane).gives(Gives::Admin("User")).about("Gives a user a picture."),
        delete("admin.users.remove_avatar", "/admin/api/users/{id}/avatar", may(Action::UsersUpdate), remove_avatar)
            .gives(Gives::Done).about("Takes a user's picture away."),
    ]
}

/// The users.
pub fn list(call: &Call) -> Result<Outcome> {
    let listed = users::list(call.app(), &call.caller, &params(call)?)?;
    Ok(with_meta(call, listed.items, Some(listed.meta))?.into())
}

/// Makes a user.
pub fn create(call: &Call) -> Result<Outcome> {
    let user = users::create(call.app(), &call.by(), &call.json()?)?;
    Ok(created(envelope(call, user)?).into())
}

/// One user.
pub fn show(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, users::show(call.app(), &call.caller, call.param("id")?)?)?.into())
}

/// Changes a user.
pub fn update(call: &Call) -> Result<Outcome> {
    let (id, body, block) =
        (call.param("id")?, call.json()?, headers::client_block(call.client.ip));
    Ok(envelope(call, users::update(call.app(), &call.by(), id, &body, block)?)?.into())
}

/// Removes a user.
pub fn remove(call: &Call) -> Result<Outcome> {
    users::delete(call.app(), &call.by(), call.param("id")?)?;
    Ok(done(call)?.into())
}

/// The picture of a user.
pub fn avatar(call: &Call) -> Result<Outcome> {
    let png = avatars::show(call.app(), &call.caller, Of::User(call.param("id")?))?;
    Ok(picture(png).into())
}

/// Gives a user a picture.
pub fn set_avatar(call: &Call) -> Result<Outcome> {
    let (of, files) = (Of::User(call.param("id")?), call.upload()?.files);
    Ok(envelope(call, avatars::set(call.app(), &call.by(), of, &files)?)?.into())
}

/// Takes a user's picture away.
pub fn remove_avatar(call: &Call) -> Result<Outcome> {
    avatars::remove(call.app(), &call.by(), Of::User(call.param("id")?))?;
    Ok(done(call)?.into())
}
