//! What comes with a request that changes something: whether it is of a kind that the route takes,
//! and not more of it than it takes.

use std::sync::Mutex;

use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::body;
use crate::http::body::RequestBody;
use crate::http::body::Room;
use crate::http::call::Call;
use crate::http::call::Input;
use crate::http::call::InputBody;
use crate::http::multipart;
use crate::http::route::Body;
use crate::http::route::JSON_VALUES_MAX;
use crate::http::upload;
use crate::http::upload::Aside;
use crate::http::upload::Upload;
use crate::stdx::json::VALUE_BYTES;

/// Reads what the route of a call takes. `id` is what logs know the request by.
pub(super) async fn read(call: &Call, body: RequestBody, id: &str) -> Result<Input> {
    let mut room = Room::of(&call.shared.bodies);
    let body = match call.route.body {
        // What came is not looked at.
        Body::None => InputBody::None,
        Body::Json { .. } if body.is_end() => InputBody::Json(Default::default()),
        Body::Json { bytes_max, .. } => {
            check_json(content_type(call)?)?;
            let text = body::read_to_limit(body, bytes_max, &mut room).await?;
            room.grow(parsed_bytes(&text))?;
            InputBody::Json(text)
        }
        // Nothing was sent, so nothing of a wrong kind either.
        Body::Upload(_) if body.is_end() => {
            InputBody::Upload(Mutex::new(Aside::new(Upload::default())))
        }
        Body::Upload(form) => {
            let boundary = boundary(content_type(call)?)?;
            let upload = upload::read(call, form, body, &boundary).await?;
            InputBody::Upload(Mutex::new(upload))
        }
    };
    Ok(Input { request_id: id.to_string(), body, _room: room })
}

/// About how many bytes a JSON text takes once it is read: each value but the first stands behind one
/// of these.
fn parsed_bytes(text: &[u8]) -> u64 {
    let values = memchr::memchr3_iter(b',', b'[', b'{', text).count().min(JSON_VALUES_MAX);
    values as u64 * VALUE_BYTES
}

/// The one content type; empty when none is given.
fn content_type(call: &Call) -> Result<&str> {
    let mut values = call.head.headers.get_all(header::CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(""),
        (Some(value), None) => Ok(value.to_str().unwrap_or_default()),
        _ => Err(Error::unsupported_media_type("There is more than one Content-Type.")),
    }
}

fn check_json(content_type: &str) -> Result<()> {
    let (kind, parameters) = multipart::parameters(content_type);
    let kind = kind.to_ascii_lowercase();
    let charset = parameters.iter().find(|(name, _)| name == "charset");
    let is_json =
        kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    if is_json && charset.is_none_or(|(_, it)| it.eq_ignore_ascii_case("utf-8")) {
        return Ok(());
    }
    Err(Error::unsupported_media_type("The body must be JSON in UTF-8: application/json."))
}

fn boundary(content_type: &str) -> Result<String> {
    let (kind, parameters) = multipart::parameters(content_type);
    if !kind.eq_ignore_ascii_case("multipart/form-data") {
        return Err(Error::unsupported_media_type(
            "Files must be sent as a form: multipart/form-data.",
        ));
    }
    let boundary = parameters.into_iter().find(|(name, _)| name == "boundary");
    boundary
        .map(|(_, it)| it)
        .ok_or_else(|| Error::bad_request("The Content-Type of the form has no boundary."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_taken_in_utf_8() {
        let check = |content_type: &str, expect: bool| {
            assert_eq!(check_json(content_type).is_ok(), expect, "{content_type}");
        };
        for json in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
            "application/vnd.api+json; version=1",
        ] {
            check(json, true);
        }
        for other in [
            "",
            "text/plain",
            "text/json",
            "application/jsonp",
            "application/json; charset=latin1",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=b",
        ] {
            check(other, false);
        }
    }

    #[test]
    fn forms_name_their_boundary() {
        let check = |content_type: &str, expect: Option<&str>| {
            assert_eq!(boundary(content_type).ok().as_deref(), expect, "{content_type}");
        };
        check("multipart/form-data; boundary=----WebKit1", Some("----WebKit1"));
        check("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", Some("a b"));
        check("multipart/form-data", None);
        check("multipart/mixed; boundary=b", None);
        check("application/json", None);
    }
}
