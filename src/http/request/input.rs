//! The input of a request that may change something: checks its content type, its coding and its
//! size.

use std::sync::Arc;

use http::HeaderMap;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::call::Call;
use crate::http::request::call::Input;
use crate::http::request::call::InputBody;
use crate::http::request::form_reader;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JSON_VALUES_MAX;
use crate::http::request::upload::DropOnThread;
use crate::http::request::upload::Upload;
use crate::http::wire::multipart;
use crate::http::wire::request_body;
use crate::http::wire::request_body::BodyReservation;
use crate::http::wire::request_body::RequestBody;
use crate::stdx::json::VALUE_BYTES;
use crate::stdx::sync::Mutex;

/// Reads the input of a call. `id` is its id in logs.
pub(crate) async fn read_input(call: &Call, body: RequestBody, id: &str) -> Result<Input> {
    let mut room = BodyReservation::new(&call.state.bodies);
    if call.route.body != BodyKind::None && !body.is_end() {
        check_encoding(&call.head.headers)?;
    }
    let body = match call.route.body {
        // A body is ignored.
        BodyKind::None => InputBody::None,
        BodyKind::Json { .. } if body.is_end() => InputBody::Json(Default::default()),
        BodyKind::Json { bytes_max, .. } => {
            check_json(content_type(call)?)?;
            let text = request_body::read_to_limit(body, bytes_max, &mut room).await?;
            room.grow(parsed_bytes(&text))?;
            InputBody::Json(text)
        }
        // Nothing was sent, so its type does not matter.
        BodyKind::Upload(_) if body.is_end() => {
            InputBody::Upload(Mutex::new(DropOnThread::new(Upload::default())))
        }
        BodyKind::Upload(form) if form.takes_bare_file() && !is_form(content_type(call)?) => {
            let upload = form_reader::read_bare_file(call, form, body).await?;
            InputBody::Upload(Mutex::new(upload))
        }
        BodyKind::Upload(form) => {
            let boundary = parse_boundary(content_type(call)?)?;
            let upload = form_reader::read_form(call, form, body, &boundary).await?;
            InputBody::Upload(Mutex::new(upload))
        }
    };
    Ok(Input { request_id: id.to_string(), body, room: Arc::new(room) })
}

/// Checks that the body comes as it is: nothing here decompresses it.
fn check_encoding(headers: &HeaderMap) -> Result<()> {
    let lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let codings = lines.flat_map(|it| it.as_bytes().split(|byte| *byte == b','));
    let mut codings = codings.map(<[u8]>::trim_ascii).filter(|it| !it.is_empty());
    if codings.all(|it| it.eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Error::unsupported_media_type(
        "The body must not be compressed: send it without Content-Encoding.",
    ))
}

/// Estimates the memory of a parsed JSON text: each value except the first follows one of these
/// bytes.
fn parsed_bytes(text: &[u8]) -> u64 {
    let values = memchr::memchr3_iter(b',', b'[', b'{', text).count().min(JSON_VALUES_MAX);
    values as u64 * VALUE_BYTES
}

/// Returns the only content type; empty if there is none.
fn content_type(call: &Call) -> Result<&str> {
    let mut values = call.head.headers.get_all(header::CONTENT_TYPE).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(""),
        (Some(value), None) => Ok(value.to_str().unwrap_or_default()),
        _ => Err(Error::unsupported_media_type("There is more than one Content-Type.")),
    }
}

fn check_json(content_type: &str) -> Result<()> {
    let (kind, parameters) = multipart::parse_parameters(content_type);
    let kind = kind.to_ascii_lowercase();
    let charset = parameters.iter().find(|(name, _)| name == "charset");
    let is_json =
        kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    if is_json && charset.is_none_or(|(_, it)| it.eq_ignore_ascii_case("utf-8")) {
        return Ok(());
    }
    Err(Error::unsupported_media_type("The body must be JSON in UTF-8: application/json."))
}

fn is_form(content_type: &str) -> bool {
    let (kind, _) = multipart::parse_parameters(content_type);
    kind.eq_ignore_ascii_case("multipart/form-data")
}

fn parse_boundary(content_type: &str) -> Result<String> {
    let (kind, parameters) = multipart::parse_parameters(content_type);
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
            assert_eq!(parse_boundary(content_type).ok().as_deref(), expect, "{content_type}");
        };
        check("multipart/form-data; boundary=----WebKit1", Some("----WebKit1"));
        check("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", Some("a b"));
        check("multipart/form-data", None);
        check("multipart/mixed; boundary=b", None);
        check("application/json", None);
    }
}
