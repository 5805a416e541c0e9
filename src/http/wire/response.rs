//! Responses on their way to the wire. Most have the same header fields but for a few values; these
//! are not made into a map, and what they have in common is copied as text.

use std::sync::Arc;

use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Response;
use http::StatusCode;
use http::header;
use hyper::ext::ReasonPhrase;

use super::reply::ReplyBody;

/// Header fields in the order in which they are sent.
pub type HeaderFields = Vec<(HeaderName, HeaderValue)>;

/// A response to be sent.
pub struct WireResponse {
    pub(super) status: StatusCode,
    pub(super) fields: ResponseFields,
    pub(super) body: ReplyBody,
}

/// The header fields of a response, but for its length and date.
pub enum ResponseFields {
    /// All of them.
    Map(HeaderMap),
    /// The common ones of a template, followed by these, which [fit](HeaderTemplate::fits) it.
    Filled(Arc<HeaderTemplate>, HeaderFields),
}

impl WireResponse {
    /// Returns a response with these header fields.
    pub fn new(status: StatusCode, fields: ResponseFields, body: ReplyBody) -> WireResponse {
        WireResponse { status, fields, body }
    }

    /// Sets a header field, and replaces existing ones of the same name.
    pub fn set_header(&mut self, name: HeaderName, value: HeaderValue) {
        let fields = std::mem::replace(&mut self.fields, ResponseFields::Map(HeaderMap::new()));
        let mut map = fields.into_map();
        map.insert(name, value);
        self.fields = ResponseFields::Map(map);
    }

    /// Returns the response as hyper sends it.
    pub fn into_response(self) -> Response<ReplyBody> {
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status;
        if self.status.canonical_reason().is_none() {
            let reason = ReasonPhrase::from_static(reason_phrase(self.status).as_bytes());
            response.extensions_mut().insert(reason);
        }
        *response.headers_mut() = self.fields.into_map();
        response
    }

    /// Returns true if a header field says how long the response is, or what becomes of the
    /// connection.
    pub(super) fn has_framing_fields(&self) -> bool {
        let is_framing = |name: &HeaderName| {
            [header::CONNECTION, header::CONTENT_LENGTH, header::TRANSFER_ENCODING].contains(name)
        };
        match &self.fields {
            ResponseFields::Map(map) => map.keys().any(is_framing),
            ResponseFields::Filled(..) => false,
        }
    }
}

/// Returns the words of a status in the first line of a response. The only one without a registered
/// name is 419.
pub(super) fn reason_phrase(status: StatusCode) -> &'static str {
    status.canonical_reason().unwrap_or("Page Expired")
}

impl From<Response<ReplyBody>> for WireResponse {
    fn from(response: Response<ReplyBody>) -> WireResponse {
        let (head, body) = response.into_parts();
        WireResponse::new(head.status, ResponseFields::Map(head.headers), body)
    }
}

impl ResponseFields {
    fn into_map(self) -> HeaderMap {
        match self {
            ResponseFields::Map(map) => map,
            ResponseFields::Filled(template, own) => template.fill(own),
        }
    }

    /// Writes the fields as they are sent. Returns true if the date is among them.
    pub(super) fn render(&self, head: &mut Vec<u8>) -> bool {
        match self {
            ResponseFields::Map(map) => {
                map.iter().for_each(|(name, value)| render_field(head, name, value.as_bytes()));
                map.contains_key(header::DATE)
            }
            ResponseFields::Filled(template, own) => {
                head.extend_from_slice(&template.text);
                own.iter().for_each(|(name, value)| render_field(head, name, value.as_bytes()));
                false
            }
        }
    }
}

/// Writes a header field as it is sent.
pub(super) fn render_field(head: &mut Vec<u8>, name: &HeaderName, value: &[u8]) {
    let name = name.as_str().as_bytes();
    head.reserve(name.len() + value.len() + ": \r\n".len());
    head.extend_from_slice(name);
    head.extend_from_slice(b": ");
    head.extend_from_slice(value);
    head.extend_from_slice(b"\r\n");
}

/// The header fields that responses of one kind have in common, finished, and the names of those
/// that each of them sets itself.
#[derive(Debug)]
pub struct HeaderTemplate {
    /// The common fields as they are sent.
    text: Vec<u8>,
    /// The common fields, then those that each sets, without values: a copy costs a fraction of
    /// what it costs to build the map.
    map: HeaderMap,
    names: &'static [HeaderName],
}

impl HeaderTemplate {
    /// Makes a template of the common fields and the names of the others, none of which is among
    /// them and none of which concerns the framing or the date.
    pub fn new(
        common: &[(HeaderName, HeaderValue)],
        names: &'static [HeaderName],
    ) -> HeaderTemplate {
        let mut text = Vec::new();
        common.iter().for_each(|(name, value)| render_field(&mut text, name, value.as_bytes()));
        let placeholders = names.iter().map(|it| (it.clone(), HeaderValue::from_static("")));
        let map = common.iter().cloned().chain(placeholders).collect();
        HeaderTemplate { text, map, names }
    }

    /// Returns true if a response sets exactly the fields of the template, in their order.
    pub fn fits(&self, own: &HeaderFields) -> bool {
        own.len() == self.names.len()
            && own.iter().zip(self.names).all(|((it, _), name)| it == name)
    }

    /// Returns all header fields of a response that fits.
    fn fill(&self, own: HeaderFields) -> HeaderMap {
        let mut headers = self.map.clone();
        let n_common = headers.len().saturating_sub(self.names.len());
        for (slot, (_, value)) in headers.values_mut().skip(n_common).zip(own) {
            *slot = value;
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NAMES: [HeaderName; 2] = [header::ETAG, header::VARY];

    fn fields(names: &[HeaderName], value: &'static str) -> HeaderFields {
        names.iter().map(|it| (it.clone(), HeaderValue::from_static(value))).collect()
    }

    /// Both ways to send it must say the same, in the same order.
    #[test]
    fn a_template_gives_what_is_built_otherwise() {
        for common in [fields(&[header::SERVER, header::LINK], "common"), Vec::new()] {
            let template = Arc::new(HeaderTemplate::new(&common, &NAMES));
            let own = fields(&NAMES, "own");
            assert!(template.fits(&own));
            let built: HeaderMap = common.into_iter().chain(own.clone()).collect();
            let filled = ResponseFields::Filled(template, own);
            let (mut by_text, mut by_map) = (Vec::new(), Vec::new());
            filled.render(&mut by_text);
            ResponseFields::Map(built.clone()).render(&mut by_map);
            assert_eq!(String::from_utf8_lossy(&by_text), String::from_utf8_lossy(&by_map));
            let filled = filled.into_map();
            assert!(filled.iter().eq(built.iter()), "{filled:?} is not {built:?}");
        }
    }

    #[test]
    fn every_status_has_a_reason_phrase() {
        let check = |status: u16, expect: Option<&str>| {
            let status = StatusCode::from_u16(status).unwrap();
            let fields = ResponseFields::Map(HeaderMap::new());
            let response = WireResponse::new(status, fields, ReplyBody::Empty).into_response();
            let reason = response.extensions().get::<ReasonPhrase>();
            assert_eq!(reason.map(ReasonPhrase::as_bytes), expect.map(str::as_bytes));
        };
        // Hyper knows those that are registered.
        check(404, None);
        check(419, Some("Page Expired"));
    }

    #[test]
    fn only_usual_answers_fit_the_template() {
        let template = HeaderTemplate::new(&[], &NAMES);
        assert!(template.fits(&fields(&NAMES, "x")));
        assert!(!template.fits(&fields(&NAMES[1..], "x")));
        let mut other = fields(&NAMES, "x");
        other.swap(0, 1);
        assert!(!template.fits(&other));
    }
}
