//! Descriptions of operations and of the program, as both documents have them.

use serde_json::Value;
use serde_json::json;

use crate::http::request::route::Access;
use crate::http::request::route::BodyKind;
use crate::http::request::route::Route;

/// The licence of the program, as SPDX spells it. What a workspace holds has its own.
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The licence, as both documents name it.
pub(super) fn build_license() -> Value {
    json!({ "name": LICENSE, "identifier": LICENSE })
}

/// Returns the description of a route: everything that callers have to know beside its summary.
pub(super) fn describe_route(route: &Route) -> String {
    let mut sentences = Vec::new();
    match (route.access, route.required_action()) {
        (Access::Guest { .. }, Some((action, _))) => sentences.push(format!(
            "Without a token, the answer contains public content only; a token that grants `{action}` \
             shows more."
        )),
        (_, Some((action, _))) => {
            sentences.push(format!("Needs a grant of `{action}`."));
        }
        (Access::Visitor, None) => sentences.push("Needs no session.".to_string()),
        (Access::Session { .. }, None) => sentences.push("Needs a session.".to_string()),
        _ => sentences.push("Needs no permission.".to_string()),
    }
    if let BodyKind::Json { bytes_max, .. } = route.body {
        sentences.push(format!("The body is a JSON object of at most {bytes_max} bytes."));
    }
    if let BodyKind::Upload(form) = route.body {
        let bare = if form.takes_bare_file() { ", or the file alone" } else { "" };
        let field = form.file_field();
        sentences.push(format!("The body is a form with files in `{field}`{bare}."));
    }
    if route.is_conditional() {
        sentences.push("With `If-Match`, it is refused if the resource has changed.".to_string());
    }
    sentences.join(" ")
}

/// Splits the name of a route at its dot, into its subject and its verb.
pub(super) fn group_and_verb(route: &Route) -> (&'static str, &'static str) {
    route.name.split_once('.').unwrap_or((route.name, ""))
}

pub(super) fn route_group(route: &Route) -> &'static str {
    group_and_verb(route).0
}
