//! The routes of `/admin/api/tokens` and below.

use crate::app::error::Result;
use crate::app::people::tokens;
use crate::app::people::tokens::IssuedToken;
use crate::app::people::tokens::NewToken;
use crate::app::people::tokens::TokenChange;
use crate::app::people::tokens::TokenRotation;
use crate::http::api::admin::access::require_action;
use crate::http::api::query_params::RECORDS_QUERY;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
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
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::people::token::TokenRecord;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let may = |action| require_action(action, Area::Tokens);
    vec![
        get("admin.tokens.list", "/admin/api/tokens", may(Action::TokensRead), list_tokens)
            .query(RECORDS_QUERY).runs_in(RunMode::Blocking).gives(ReplyKind::list_of::<TokenRecord>()).with_summary("Lists the tokens."),
        post("admin.tokens.create", "/admin/api/tokens", may(Action::TokensCreate), create_token)
            .takes_json(JsonInputKind::of::<NewToken>()).gives_created(ReplyKind::of::<IssuedToken>())
            .with_summary("Creates a token with grants that the caller has too. Only this answer shows its secret."),
        get("admin.tokens.show", "/admin/api/tokens/{id}", may(Action::TokensRead), show_token)
            .gives(ReplyKind::of::<TokenRecord>()).with_summary("Returns a token."),
        put("admin.tokens.update", "/admin/api/tokens/{id}", may(Action::TokensCreate), update_token)
            .takes_json(JsonInputKind::of::<TokenChange>()).gives(ReplyKind::of::<TokenRecord>())
            .with_summary("Updates the name or the description of a token."),
        post("admin.tokens.rotate", "/admin/api/tokens/{id}/rotate", may(Action::TokensCreate), rotate_token)
            .takes_json(JsonInputKind::of::<TokenRotation>()).gives(ReplyKind::of::<IssuedToken>())
            .with_summary("Gives a token another secret, which only this answer shows. The one before still counts for a while."),
        delete("admin.tokens.delete", "/admin/api/tokens/{id}", may(Action::TokensRevoke), remove_token)
            .gives(ReplyKind::Done).with_summary("Revokes a token. The record of a revoked token is removed."),
    ]
}

/// Lists the tokens.
pub fn list_tokens(call: &Call) -> Result<HandlerOutcome> {
    let listed = tokens::list(call.app(), &call.caller, &call.parse_query()?)?;
    Ok(reply_with_meta(call, listed.items, Some(listed.meta))?.into())
}

/// Issues a token.
pub fn create_token(call: &Call) -> Result<HandlerOutcome> {
    let issued = tokens::create(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(mark_created(reply_data(call, issued)?).into())
}

/// Shows one token.
pub fn show_token(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, tokens::show(call.app(), &call.caller, call.param("id")?)?)?.into())
}

/// Updates the description of a token.
pub fn update_token(call: &Call) -> Result<HandlerOutcome> {
    let (id, body) = (call.param("id")?, call.parse_json()?);
    Ok(reply_data(call, tokens::update(call.app(), &call.requester(), id, &body)?)?.into())
}

/// Gives a token another secret.
pub fn rotate_token(call: &Call) -> Result<HandlerOutcome> {
    let (id, body) = (call.param("id")?, call.parse_json()?);
    Ok(reply_data(call, tokens::rotate(call.app(), &call.requester(), id, &body)?)?.into())
}

/// Revokes a token, or deletes a revoked one.
pub fn remove_token(call: &Call) -> Result<HandlerOutcome> {
    tokens::delete(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_ok(call)?.into())
}
