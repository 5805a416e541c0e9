//! `/admin` and `/admin/_/…`: the page of the web interface and its files.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::content::preview_origins;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::interface::INDEX;
use crate::http::interface::InterfaceSource;
use crate::http::interface::UNBUILT;
use crate::http::interface::accept;
use crate::http::interface::bundle;
use crate::http::interface::bundle::BundledFile;
use crate::http::interface::page;
use crate::http::interface::page::PageTemplate;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::identify;
use crate::http::wire::compress;
use crate::http::wire::headers;
use crate::http::wire::reply::Reply;
use crate::query::execute::executor::Effort;

/// The page. Addresses in it are relative to the folder, so the one without a slash leads there.
pub fn show_page(call: &Call) -> Result<HandlerOutcome> {
    let interface = &call.state.interface;
    if call.head.uri.path() == interface.path {
        let query = call.head.uri.query().map(|it| format!("?{it}")).unwrap_or_default();
        let target = HeaderValue::try_from(format!("{}/{query}", interface.path));
        let target = target.map_err(Error::internal)?;
        let reply = Reply::new(StatusCode::FOUND).with_header(header::LOCATION, target);
        return Ok(reply.with_header(header::CACHE_CONTROL, NO_STORE).into());
    }
    if !accept::allows_html(&call.head.headers) {
        return Err(Error::no_route());
    }
    let nonce = draw_nonce()?;
    let html = match &interface.source {
        InterfaceSource::LeftOut => {
            return page::reply_left_out(&interface.base).map(HandlerOutcome::from);
        }
        InterfaceSource::Built { page, .. } => page.render(&nonce),
        InterfaceSource::Unbuilt(_) if call.effort == Effort::Quick => {
            return Ok(HandlerOutcome::NeedsEffort);
        }
        InterfaceSource::Unbuilt(files) => match files.read(INDEX).map(String::from_utf8) {
            Some(Ok(html)) => PageTemplate::new(&html, &interface.base, UNBUILT).render(&nonce),
            _ => return page::reply_left_out(&interface.base).map(HandlerOutcome::from),
        },
    };
    let html = mark_proxy_login(call, html);
    let frames = preview_origins::list_preview_origins(call.app());
    page::reply_html(html, &page::content_policy(&nonce, &frames)).map(HandlerOutcome::from)
}

/// Tells the interface that a proxy names the user, so that it logs them in by that.
fn mark_proxy_login(call: &Call, html: String) -> String {
    let name = identify::find_proxied_name(&call.state, &call.head, call.client);
    match &call.state.options.proxy_login {
        Some(login) if name.is_some() => page::mark_proxy_login(&html, login.logout_url.as_deref()),
        _ => html,
    }
}

/// One file of the bundle.
pub fn show_asset(call: &Call) -> Result<HandlerOutcome> {
    let (build, path) = (call.param("build")?, call.param("file")?);
    match &call.state.interface.source {
        InterfaceSource::LeftOut => Err(Error::no_route()),
        // A page of another build asks in vain rather than get a file that does not fit.
        InterfaceSource::Built { bundle, .. } if build == bundle.build_name() => {
            let file = bundle.find(path).ok_or_else(Error::no_route)?;
            reply_file(call, file)
        }
        InterfaceSource::Unbuilt(_) if build == UNBUILT && call.effort == Effort::Quick => {
            Ok(HandlerOutcome::NeedsEffort)
        }
        InterfaceSource::Unbuilt(files) if build == UNBUILT => {
            let bytes = files.read(path).ok_or_else(Error::no_route)?;
            let reply = Reply::new(StatusCode::OK)
                .with_header(header::CONTENT_TYPE, bundle::content_type_of(path));
            Ok(reply.with_header(header::CACHE_CONTROL, NO_STORE).with_body(bytes).into())
        }
        InterfaceSource::Built { .. } | InterfaceSource::Unbuilt(_) => Err(Error::no_route()),
    }
}

/// A file in the coding that the client likes best. Its address names the build, so that it may be
/// kept for ever.
fn reply_file(call: &Call, file: &BundledFile) -> Result<HandlerOutcome> {
    let coding = file.choose_coding(compress::negotiate_coding(&call.head.headers));
    if call.effort == Effort::Quick && !file.is_ready(coding) {
        return Ok(HandlerOutcome::NeedsEffort);
    }
    let mut reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, bundle::content_type_of(file.path))
        .with_header(header::CACHE_CONTROL, FOR_EVER)
        .with_header(header::VARY, HeaderValue::from_static("accept-encoding"));
    let tag = match coding {
        Some(coding) => {
            let name = HeaderValue::from_static(coding.name());
            reply.set_header(header::CONTENT_ENCODING, name);
            format!("{}-{}", file.tag, coding.name())
        }
        None => file.tag.to_string(),
    };
    reply.headers.extend(headers::etag_value(&tag).map(|it| (header::ETAG, it)));
    Ok(reply.with_body(file.encoded_bytes(coding)?).into())
}

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Draws a nonce that nobody who writes into the page can guess.
fn draw_nonce() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_nonce_comes_twice() {
        let (one, other) = (draw_nonce().unwrap(), draw_nonce().unwrap());
        assert_eq!(one.len(), 22);
        assert_ne!(one, other);
    }
}
