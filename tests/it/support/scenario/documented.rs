//! Whether what the admin API answers is what its OpenAPI document says.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::OnceLock;

use http::Method;
use jsonschema::Validator;
use recto::http::openapi::admin;
use recto::http::request::route::Route;
use recto::http::request::router::RouteMatch;
use recto::http::request::router::Router;
use recto::http::routes;
use serde_json::Value;

struct Documented {
    router: Router<usize>,
    table: Vec<Route>,
    document: Value,
    validators: Mutex<HashMap<&'static str, Option<&'static Validator>>>,
}

fn documented() -> &'static Documented {
    static DOCUMENTED: OnceLock<Documented> = OnceLock::new();
    DOCUMENTED.get_or_init(|| {
        let mut table = routes::build_table();
        table.retain(Route::is_admin);
        let mut router = Router::new("");
        for (index, route) in table.iter().enumerate() {
            router.insert(&route.method, route.path, index).unwrap();
        }
        let document = admin::build_document(&table, "https://cms.test");
        Documented { router, table, document, validators: Mutex::default() }
    })
}

impl Documented {
    /// The answers of a route, by status.
    fn responses(&self, route: &Route) -> &Value {
        let path = &self.document["paths"][route.path.replace("{*", "{")];
        &path[route.method.as_str().to_ascii_lowercase()]["responses"]
    }

    /// The schema of the successful answer of a route; `None` if it is not JSON.
    fn find_schema(&self, route: &Route) -> Option<&Value> {
        let success = if route.creates { "201" } else { "200" };
        self.responses(route)[success]["content"]["application/json"].get("schema")
    }

    /// Made once a route: they are slow to build.
    fn validator(&self, route: &Route) -> Option<&'static Validator> {
        let build = || {
            let mut schema = self.find_schema(route)?.clone();
            schema["components"] = self.document["components"].clone();
            let validator: &'static Validator =
                Box::leak(Box::new(jsonschema::validator_for(&schema).unwrap()));
            Some(validator)
        };
        *self.validators.lock().unwrap().entry(route.name).or_insert_with(build)
    }
}

/// Asserts that an answer of the admin API is one that is documented.
pub(crate) fn check(method: &str, target: &str, status: u16, body: &[u8]) {
    let documented = documented();
    let Ok(method) = Method::from_bytes(method.as_bytes()) else { return };
    let path = target.split('?').next().unwrap();
    let RouteMatch::Route { value, .. } = documented.router.find(&method, path) else { return };
    let route = &documented.table[*value];
    let text = String::from_utf8_lossy(body);
    if status >= 400 {
        let known = admin::failures_of(route);
        let told: Value = serde_json::from_slice(body).unwrap_or_default();
        let code = told["error"]["code"].as_str().unwrap_or("-");
        let is_told = known.get(&status).is_some_and(|it| it.iter().any(|it| it.as_str() == code));
        assert!(is_told || method == Method::HEAD, "{} gives {status} {code}: {text}", route.name);
        return;
    }
    if status >= 300 {
        let told = &documented.responses(route)[status.to_string()];
        assert!(told.is_object(), "{} gives an undocumented {status}", route.name);
        return;
    }
    if method != Method::HEAD
        && let Some(validator) = documented.validator(route)
    {
        let created = if route.creates { 201 } else { 200 };
        assert_eq!(status, created, "{}: {text}", route.name);
        let json: Value = serde_json::from_slice(body).unwrap();
        let problems: Vec<String> = validator
            .iter_errors(&json)
            .map(|it| format!("{it} at {}", it.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{}: {problems:#?}\n{text}", route.name);
    }
}
