//! The views of a type: named queries, each a list of entries that the public API serves at a path
//! of its own. A view is made of the parameters of a list, so it shows nothing else than a list.

use std::fmt::Write as _;

use schemars::Schema;
use serde::Serialize;
use serde::Serializer;
use serde_json::Value;
use serde_json::json;

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::url_encoding::encode_segment;

/// The maximum number of views of a type.
pub const VIEWS_MAX: usize = 50;

/// The maximum length of the name of a view in bytes.
const NAME_BYTES_MAX: usize = 64;

/// The pattern of names. Small letters only, so that a file can have the name anywhere.
const NAME_PATTERN: &str = "^[a-z0-9][a-z0-9_-]{0,63}$";

/// The keys of a view.
pub const KEYS: &[&str] = &[
    "sort", "filter", "q", "limit", "offset", "fields", "include", "locale", "media", "render",
    "pages",
];

/// The operators that take a list.
const LIST_OPERATORS: [&str; 2] = ["in", "nin"];

/// The views of a type, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct DeclaredViews {
    /// The views as they are written.
    written: Map,
    views: Vec<DeclaredView>,
}

/// A named list of entries.
#[derive(Clone, Debug)]
pub struct DeclaredView {
    /// The name.
    pub name: String,
    /// The parameters, without those that say which part of the list is shown.
    params: Vec<ViewParam>,
    /// The most entries, or of those on a page.
    limit: Option<u32>,
    /// The entries to skip.
    pub offset: u32,
    /// True if what does not fit is on further pages.
    pub pages: bool,
}

/// A parameter of a list.
#[derive(Clone, Debug)]
pub struct ViewParam {
    /// The place of the value in the view: `filter.date.gte`.
    pub path: String,
    /// The name of the parameter: `filter[date][gte]`.
    pub name: String,
    value: String,
}

impl DeclaredViews {
    /// Reads `views` of a type.
    pub(super) fn read(input: &mut ObjectReader<'_>) -> DeclaredViews {
        let Some(written) = input.object("views") else { return DeclaredViews::default() };
        if written.len() > VIEWS_MAX {
            input.add_problem("views", wording::too_many(VIEWS_MAX, "views"));
        }
        let mut views = Vec::new();
        for (name, view) in written.iter().take(VIEWS_MAX) {
            let path = format!("views.{name}");
            if !is_name(name) {
                input.add_problem(
                    &path,
                    "A name can have only lower-case letters, digits, `-` and \
                                          `_`.",
                );
                continue;
            }
            let read = |it: &mut ObjectReader<'_>| DeclaredView::read(name, it);
            views.extend(input.parse_nested(&path, view, read));
        }
        DeclaredViews { written: written.clone(), views }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// Iterates over the views.
    pub fn iter(&self) -> impl Iterator<Item = &DeclaredView> {
        self.views.iter()
    }

    /// Returns the view of this name.
    pub fn find(&self, name: &str) -> Option<&DeclaredView> {
        self.views.iter().find(|it| it.name == name)
    }

    pub(super) fn to_json(&self) -> Json {
        self.written.clone().into()
    }

    /// Renames the fields that `views` in a schema file names.
    pub(super) fn rename_fields(views: &mut Json, renamed: impl Fn(&str) -> String) {
        let Json::Object(views) = views else { return };
        for view in views.values_mut() {
            let Json::Object(view) = view else { continue };
            for key in ["sort", "fields", "include"] {
                if let Some(names) = view.get_mut(key) {
                    rename_names(names, &renamed);
                }
            }
            if let Some(Json::Object(filter)) = view.get_mut("filter") {
                let tests = std::mem::take(filter).into_iter();
                *filter = tests.map(|(name, it)| (rename_path(&name, &renamed), it)).collect();
            }
        }
    }
}

impl Serialize for DeclaredViews {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(serializer)
    }
}

inline_schema!(DeclaredViews, |_| Schema::try_from(body_schema()).unwrap_or_default());

/// Returns the JSON Schema of the views in bodies. It says less than that of files, whose unions
/// generators of clients make nothing good of.
pub fn body_schema() -> Value {
    json!({
        "type": "object",
        "additionalProperties": { "type": "object" },
        "description": "Lists of entries by name, each with the parameters of a list as members: \
                        `sort`, `filter`, `q`, `limit`, `offset`, `fields`, `include`, `locale`, \
                        `media`, `render` and `pages`. Only the admin API returns them.",
    })
}

/// Returns the JSON Schema of the views in the file of a type.
pub fn file_schema() -> Value {
    let names = |about: &str| {
        json!({
            "type": ["string", "array"], "items": { "type": "string" }, "description": about,
        })
    };
    let value = json!({ "type": ["string", "number", "boolean"] });
    let values = json!({ "type": "array", "items": value });
    let tests = json!({ "type": "object", "additionalProperties": { "anyOf": [value, values] } });
    json!({
        "type": "object",
        "maxProperties": VIEWS_MAX,
        "propertyNames": { "pattern": NAME_PATTERN },
        "description": "Lists of entries with names, each served at a path of its own.",
        "additionalProperties": {
            "type": "object",
            "properties": {
                "sort": names("Keys to sort by; `-` in front reverses the order of one."),
                "filter": {
                    "type": "object",
                    "additionalProperties": { "anyOf": [value, values, tests] },
                    "description": "Tests by field: a value, a list of values of which one has to \
                                    match, or an object of operators.",
                },
                "q": { "type": "string", "description": "Words that have to occur." },
                "limit": { "type": "integer", "minimum": 1, "description": "The most entries." },
                "offset": { "type": "integer", "minimum": 0, "description": "Entries to skip." },
                "fields": names("The fields of `data` to show."),
                "include": names("Relations to expand."),
                "locale": { "type": "string", "description": "The locale of the entries." },
                "media": { "enum": ["full"], "description": "Shows media items, not URLs." },
                "render": { "enum": ["html"], "description": "Adds the HTML of Markdown." },
                "pages": {
                    "type": "boolean",
                    "default": false,
                    "description": "True if what is beyond `limit` is on further pages.",
                },
            },
            "additionalProperties": false,
        },
    })
}

impl DeclaredView {
    fn read(name: &str, input: &mut ObjectReader<'_>) -> DeclaredView {
        let known = KEYS.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        input.refuse_unknown_keys(KEYS, &format!("A view can have only {known}."));
        let mut params = Vec::new();
        read_names(input, "sort", &mut params);
        if let Some(filter) = input.object("filter") {
            filter.iter().for_each(|(field, test)| read_test(input, field, test, &mut params));
        }
        read_text(input, "q", &mut params);
        for key in ["fields", "include"] {
            read_names(input, key, &mut params);
        }
        for key in ["locale", "media", "render"] {
            read_text(input, key, &mut params);
        }
        let limit = input.count("limit", u32::MAX);
        if limit == Some(0) {
            input.add_problem("limit", wording::not_whole_from(1));
        }
        let pages = input.flag("pages").unwrap_or_default();
        if pages && input.value("limit").is_none() {
            input.add_problem("pages", "Pages need a `limit`.");
        }
        let offset = input.count("offset", u32::MAX).unwrap_or_default();
        DeclaredView { name: name.to_string(), params, limit, offset, pages }
    }

    /// Returns the parameters, without those that say which part of the list is shown.
    pub fn params(&self) -> &[ViewParam] {
        &self.params
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|it| it.name == name).map(|it| it.value.as_str())
    }

    /// Returns the query string of a page, from 1 on; `None` if the view has no such page.
    /// `limit_max` is the largest limit of any list, 0 for none.
    pub fn query_of_page(&self, page: u32, limit_max: usize) -> Option<String> {
        let before = page.checked_sub(1).filter(|it| *it == 0 || self.pages)?;
        let mut query = self.query();
        let mut add = |name: &str, value: u64| {
            let separator = if query.is_empty() { "" } else { "&" };
            // Writing to a string never fails.
            let _ = write!(query, "{separator}{name}={value}");
        };
        let limit = self.page_size(limit_max);
        if let Some(limit) = limit {
            add("limit", limit);
        }
        let skipped = u64::from(before) * limit.unwrap_or_default() + u64::from(self.offset);
        if skipped > 0 {
            add("offset", skipped);
        }
        Some(query)
    }

    /// Returns the most entries of a page, if there is a limit.
    pub fn page_size(&self, limit_max: usize) -> Option<u64> {
        let limit_max = u64::try_from(limit_max).ok().filter(|it| *it > 0);
        self.limit.map(|it| limit_max.unwrap_or(u64::MAX).min(it.into()))
    }

    /// Returns the query string of the whole list.
    pub fn query(&self) -> String {
        let pair =
            |it: &ViewParam| format!("{}={}", encode_segment(&it.name), encode_segment(&it.value));
        self.params.iter().map(pair).collect::<Vec<_>>().join("&")
    }
}

impl ViewParam {
    fn new(path: &str, value: &str) -> ViewParam {
        ViewParam { path: path.to_string(), name: path.to_string(), value: value.to_string() }
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let bytes = name.as_bytes();
    bytes.first().is_some_and(|it| is_plain(*it))
        && bytes.len() <= NAME_BYTES_MAX
        && bytes.iter().all(|it| is_plain(*it) || matches!(it, b'-' | b'_'))
}

fn read_text(input: &mut ObjectReader<'_>, key: &str, params: &mut Vec<ViewParam>) {
    let text = input.text(key).filter(|it| !it.is_empty());
    params.extend(text.map(|it| ViewParam::new(key, it)));
}

/// Reads names: one text with commas, or a list.
fn read_names(input: &mut ObjectReader<'_>, key: &str, params: &mut Vec<ViewParam>) {
    let names = match input.value(key) {
        Some(Json::String(names)) => names.clone(),
        _ => input.texts(key).unwrap_or_default().join(","),
    };
    if !names.is_empty() {
        params.push(ViewParam::new(key, &names));
    }
}

/// Reads the test of a field: a value, a list of values, or an object of operators.
fn read_test(input: &mut ObjectReader<'_>, field: &str, test: &Json, params: &mut Vec<ViewParam>) {
    let path = format!("filter.{field}");
    match test {
        Json::Object(tests) => {
            for (operator, value) in tests.iter() {
                let (path, name) =
                    (format!("{path}.{operator}"), format!("filter[{field}][{operator}]"));
                let takes_list = LIST_OPERATORS.contains(&operator);
                read_operand(input, path, name, value, takes_list, params);
            }
        }
        Json::Array(_) => {
            read_operand(input, path, format!("filter[{field}][in]"), test, true, params);
        }
        _ => read_operand(input, path, format!("filter[{field}]"), test, false, params),
    }
}

fn read_operand(
    input: &mut ObjectReader<'_>,
    path: String,
    name: String,
    value: &Json,
    takes_list: bool,
    params: &mut Vec<ViewParam>,
) {
    let mut add = |place: &str, name: &str, value: &Json| match write_value(value) {
        Some(value) => {
            let (path, name) = (path.clone(), name.to_string());
            params.push(ViewParam { path, name, value });
        }
        None => input.add_wrong_type(place, wording::STRING_NUMBER_OR_BOOLEAN, value),
    };
    match value {
        // An empty list matches nothing, as in a request.
        Json::Array(items) if takes_list && items.is_empty() => add(&path, &name, &"".into()),
        // Commas belong to the values.
        Json::Array(items) if takes_list => {
            let name = format!("{name}[]");
            for (index, item) in items.iter().enumerate() {
                add(&format!("{path}[{index}]"), &name, item);
            }
        }
        value => add(&path, &name, value),
    }
}

/// Returns a value as it is written in a query string.
fn write_value(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) => serde_json::to_string(value).ok(),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

fn rename_names(names: &mut Json, renamed: &impl Fn(&str) -> String) {
    match names {
        Json::String(text) => {
            let named = text.split(',').map(|it| rename_path(it.trim(), renamed));
            *text = named.collect::<Vec<_>>().join(",");
        }
        Json::Array(items) => items.iter_mut().for_each(|it| rename_names(it, renamed)),
        _ => {}
    }
}

/// Renames the field at the beginning of a path, which may have a sign.
fn rename_path(path: &str, renamed: &impl Fn(&str) -> String) -> String {
    let (sign, plain) = path.strip_prefix('-').map_or(("", path), |it| ("-", it));
    let (field, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    format!("{sign}{}{rest}", renamed(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::ContentType;
    use crate::model::name::TypeName;

    fn read(views: &str) -> Result<DeclaredViews, Vec<String>> {
        let schema = Json::parse(format!(r#"{{"views":{views}}}"#).as_bytes()).unwrap();
        let (ty, problems) = ContentType::parse(TypeName::parse("posts").unwrap(), &schema);
        ty.map(|it| it.views).ok_or(problems.iter().map(|(path, _)| path.to_string()).collect())
    }

    #[test]
    fn a_view_is_a_query() {
        let check = |view: &str, page: u32, expect: Option<&str>| {
            let views = read(&format!(r#"{{"v":{view}}}"#)).unwrap();
            let query = views.find("v").unwrap().query_of_page(page, 100_000_000_000);
            let query = query.map(|it| it.replace("%5B", "[").replace("%5D", "]"));
            assert_eq!(query.as_deref(), expect, "{view}");
        };
        check("{}", 1, Some(""));
        check("{}", 0, None);
        check(r#"{"limit":10}"#, 1, Some("limit=10"));
        check(r#"{"limit":10}"#, 2, None);
        check(r#"{"limit":10,"offset":1,"pages":true}"#, 3, Some("limit=10&offset=21"));
        let last = u64::from(u32::MAX);
        let far = format!("limit={last}&offset={}", (last - 1) * last);
        check(r#"{"limit":4294967295,"pages":true}"#, u32::MAX, Some(&far));
        let views = read(r#"{"v":{"limit":10,"pages":true}}"#).unwrap();
        let query = views.find("v").unwrap().query_of_page(3, 4);
        assert_eq!(query.as_deref(), Some("limit=4&offset=8"));
        check(r#"{"sort":["-n","title"],"fields":"a,b"}"#, 1, Some("sort=-n%2Ctitle&fields=a%2Cb"));
        check(r#"{"filter":{"a":true,"n":1.5}}"#, 1, Some("filter[a]=true&filter[n]=1.5"));
        check(
            r#"{"filter":{"a":["x,y","z"]}}"#,
            1,
            Some("filter[a][in][]=x%2Cy&filter[a][in][]=z"),
        );
        check(r#"{"filter":{"a":{"nin":[]}}}"#, 1, Some("filter[a][nin]="));
        check(
            r#"{"filter":{"a":{"gt":1,"lt":"b&c"}}}"#,
            1,
            Some("filter[a][gt]=1&filter[a][lt]=b%26c"),
        );
        check(
            r#"{"q":"a b","locale":"de","media":"full"}"#,
            1,
            Some("q=a%20b&locale=de&media=full"),
        );
    }

    #[test]
    fn all_problems_have_a_place() {
        let check = |views: &str, expect: &[&str]| {
            let found = read(views).err().unwrap_or_default();
            assert_eq!(found, expect, "{views}");
        };
        check("null", &[]);
        check("[]", &["views"]);
        check(r#"{"A":{},"":{},"a.b":{},"-":{}}"#, &["views.A", "views.", "views.a.b", "views.-"]);
        check(r#"{"a":7,"b":{"order":"asc"}}"#, &["views.a", "views.b.order"]);
        check(
            r#"{"a":{"sort":1,"limit":0,"offset":-1,"filter":{"x":null,"y":{"gt":[1]},"z":[[]]}}}"#,
            &[
                "views.a.sort",
                "views.a.filter.x",
                "views.a.filter.y.gt",
                "views.a.filter.z[0]",
                "views.a.limit",
                "views.a.offset",
            ],
        );
        check(r#"{"a":{"pages":true}}"#, &["views.a.pages"]);
        let many: Vec<String> = (0..=VIEWS_MAX).map(|it| format!(r#""v{it}":{{}}"#)).collect();
        check(&format!("{{{}}}", many.join(",")), &["views"]);
    }

    #[test]
    fn fields_are_renamed_in_all_places() {
        let views = r#"{"v":{"sort":"-a.x, b","fields":["a","c"],"include":["a.a"],
            "filter":{"a":1,"a.a":{"gt":2},"b":3}}}"#;
        let mut views = Json::parse(views.as_bytes()).unwrap();
        DeclaredViews::rename_fields(&mut views, |it| it.replace('a', "z"));
        let expect = r#"{"v":{"sort":"-z.x,b","fields":["z","c"],"include":["z.a"],"filter":{"z":1,"z.a":{"gt":2},"b":3}}}"#;
        assert_eq!(serde_json::to_string(&views).unwrap(), expect);
    }
}
