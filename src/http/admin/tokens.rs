//! `/admin/api/tokens` and below.

use crate::app::error::Result;
use crate::app::tokens;
use crate::http::admin::RECORDS;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::params;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
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
    let may = |action| right(action, Area::Tokens);
    vec![
        get("admin.tokens.list", "/admin/api/tokens", may(Action::TokensRead), list)
            .query(RECORDS).runs(Run::Blocking).gives(Gives::AdminList("Token")).about("The tokens."),
        post("admin.tokens.create", "/admin/api/tokens", may(Action::TokensCreate), create)
            .takes(Takes::Admin("NewToken")).creates(Gives::Admin("IssuedToken"))
            .about("Makes a token of grants that the caller has too; its secret is shown this once."),
        get("admin.tokens.show", "/admin/api/tokens/{id}", may(Action::TokensRead), show)
            .gives(Gives::Admin("Token")).about("One token."),
        put("admin.tokens.update", "/admin/api/tokens/{id}", may(Action::TokensCreate), update)
            .takes(Takes::Admin("TokenChange")).gives(Gives::Admin("Token"))
            .about("Says something else of a token."),
        delete("admin.tokens.delete", "/admin/api/tokens/{id}", may(Action::TokensRevoke), remove)
            .gives(Gives::Done).about("Ends a token; one that was ended before is forgotten."),
    ]
}

/// The tokens.
pub fn list(call: &Call) -> Result<Outcome> {
    let listed = tokens::list(call.app(), &call.caller, &params(call)?)?;
    Ok(with_meta(call, listed.items, Some(listed.meta))?.into())
}

/// Makes a token.
pub fn create(call: &Call) -> Result<Outcome> {
    let issued = tokens::create(call.app(), &call.by(), &call.json()?)?;
    Ok(created(envelope(call, issued)?).into())
}

/// One token.
pub fn show(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, tokens::show(call.app(), &call.caller, call.param("id")?)?)?.into())
}

/// Says something else of a token.
pub fn update(call: &Call) -> Result<Outcome> {
    let (id, body) = (call.param("id")?, call.json()?);
    Ok(envelope(call, tokens::update(call.app(), &call.by(), id, &body)?)?.into())
}

/// Ends a token.
pub fn remove(call: &Call) -> Result<Outcome> {
    tokens::delete(call.app(), &call.by(), call.param("id")?)?;
    Ok(done(call)?.into())
}
