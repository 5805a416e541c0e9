//! The warnings in responses about repeated parameters.

use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Adds a warning to the `meta` of a response for each parameter of which only the last value
/// counted, unless it is there already.
pub(crate) fn add_warnings(answer: Vec<u8>, params: &QueryParams) -> Vec<u8> {
    let repeats = params.describe_repeats();
    if repeats.is_empty() {
        return answer;
    }
    let Ok(Json::Object(mut envelope)) = Json::parse(&answer) else { return answer };
    let mut meta = to_object(envelope.get("meta"));
    let mut warnings = meta.get("warnings").and_then(Json::as_array).unwrap_or_default().to_vec();
    for repeat in repeats.into_iter().map(Json::from) {
        if !warnings.contains(&repeat) {
            warnings.push(repeat);
        }
    }
    meta.set("warnings", warnings.into());
    envelope.set("meta", meta.into());
    let mut warned = Vec::with_capacity(answer.len() + 128);
    Json::Object(envelope).write_compact(&mut warned);
    warned
}

fn to_object(json: Option<&Json>) -> Map {
    json.and_then(Json::as_object).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_told_once() {
        let check = |query: &str, answer: &str, expect: &str| {
            let params = QueryParams::parse(query).unwrap();
            let warned = add_warnings(answer.as_bytes().to_vec(), &params);
            assert_eq!(String::from_utf8(warned).unwrap(), expect, "{query}");
        };
        const WARNING: &str =
            r#""a: This parameter is given more than once; the last value counts.""#;
        let warned = |before: &str| format!("{before}\"warnings\":[{WARNING}]}}}}");
        check("a=1&b=2&sort=x&sort=y", r#"{"data":1}"#, r#"{"data":1}"#);
        check("a=1&a=2&a=3", r#"{"data":1}"#, &warned(r#"{"data":1,"meta":{"#));
        let counted = r#"{"data":[],"meta":{"total":0}}"#;
        check("a=1&a=2", counted, &warned(r#"{"data":[],"meta":{"total":0,"#));
        let already = warned(r#"{"data":[],"meta":{"#);
        check("a=1&a=2", &already, &already);
    }
}
