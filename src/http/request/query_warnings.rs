//! The warnings in responses about parameters of the query.

use crate::http::request::route::Route;
use crate::query::request::list_query;
use crate::query::request::params::QueryParams;
use crate::query::request::params::list_name;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Lists the parameters of which only the last value counts and, on a change, those that the route
/// does not know. Reads warn of unknown parameters where they parse them.
pub(crate) fn list_warnings(route: &Route, params: &QueryParams) -> Vec<String> {
    let unknown = params.iter().map(|(name, _)| name);
    let unknown = unknown.filter(|it| route.is_mutation() && !route.knows_param(list_name(it)));
    unknown.map(list_query::describe_unknown).chain(params.describe_repeats()).collect()
}

/// Adds each warning to the `meta` of a response, unless it is there already.
pub(crate) fn add_warnings(answer: Vec<u8>, about_query: Vec<String>) -> Vec<u8> {
    if about_query.is_empty() {
        return answer;
    }
    let Ok(Json::Object(mut envelope)) = Json::parse(&answer) else { return answer };
    let mut meta = to_object(envelope.get("meta"));
    let mut warnings = meta.get("warnings").and_then(Json::as_array).unwrap_or_default().to_vec();
    for warning in about_query.into_iter().map(Json::from) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
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
            let repeats = params.describe_repeats();
            let warned = add_warnings(answer.as_bytes().to_vec(), repeats);
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
