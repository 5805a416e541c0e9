//! The feed of a type: where its entries have their pages, and which fields a feed shows.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::model::content_type::preview_target::UrlTemplate;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The keys of a feed.
pub const KEYS: &[&str] = &["url", "title", "summary", "content", "date"];

/// The keys that name fields.
const FIELD_KEYS: &[&str] = &["title", "summary", "content", "date"];

/// The kinds of fields that hold a text for a summary or a content.
const TEXT_KINDS: &[&str] = &["text", "textarea", "markdown", "html"];

/// The kinds of fields that hold a date.
const DATE_KINDS: &[&str] = &["date", "datetime"];

/// The kinds of fields that hold a title.
const TITLE_KINDS: &[&str] = &["text"];

/// The times of every entry that a feed can be ordered by.
const OWN_TIMES: &[&str] = &["published_at", "created_at", "updated_at"];

/// The settings of feeds and sitemap for the entries of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Feed")]
pub struct FeedSettings {
    /// The address of the page of an entry. `{slug}`, `{id}`, `{type}` and `{locale}` in its path,
    /// query and fragment stand for those of the entry.
    pub url: UrlTemplate,
    /// The field that holds the title; by default the title of the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The field that holds the summary, as plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The field that holds the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The field that holds the date, or `published_at`, `created_at` or `updated_at`; by default
    /// `published_at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// Returns the JSON Schema of a feed in the file of a type, which does not exclude other keys.
pub fn file_schema() -> Value {
    let field =
        |about: &str| json!({ "type": ["string", "null"], "minLength": 1, "description": about });
    json!({
        "type": ["object", "null"],
        "description": "The feeds of the type and its part of the sitemap.",
        "properties": {
            "url": {
                "type": "string",
                "pattern": "^https?://",
                "description": "The address of the page of an entry. Behind the host it may have \
                                `{slug}`, `{id}`, `{type}` and `{locale}`.",
            },
            "title": field("The field that holds the title; by default the title of the entry."),
            "summary": field("The field that holds the summary, as plain text."),
            "content": field("The field that holds the whole text."),
            "date": field("The field that holds the date, or `published_at` (the default), \
                           `created_at` or `updated_at`."),
        },
        "required": ["url"],
    })
}

impl FeedSettings {
    /// Reads `feed` of a type. `kind_of` returns the kind of a field by its name.
    pub(super) fn read<'f>(
        input: &mut ObjectReader<'_>,
        kind_of: impl Fn(&str) -> Option<&'f str>,
    ) -> Option<FeedSettings> {
        let given = input.value("feed").filter(|it| !matches!(it, Json::Null))?;
        input.parse_nested("feed", given, |it| FeedSettings::read_members(it, &kind_of)).flatten()
    }

    fn read_members<'f>(
        item: &mut ObjectReader<'_>,
        kind_of: &impl Fn(&str) -> Option<&'f str>,
    ) -> Option<FeedSettings> {
        let url = item.filled_text("url");
        let url = match url.is_empty() {
            true => None,
            false => item.accept("url", UrlTemplate::parse(&url)),
        };
        if url.as_ref().is_some_and(|it| it.as_str().contains("{token}")) {
            item.add_problem(
                "url",
                "A public page needs no token. Leave `{token}` out of its address.",
            );
        }
        let mut field = |key: &str, kinds: &[&str], own: &[&str]| {
            let name = item.trimmed_text(key).filter(|it| !it.is_empty())?;
            if let Err(problem) = check_field(kind_of(&name), &name, kinds, own) {
                item.add_problem(key, problem);
            }
            Some(name)
        };
        let title = field("title", TITLE_KINDS, &["title"]);
        let summary = field("summary", TEXT_KINDS, &[]);
        let content = field("content", TEXT_KINDS, &[]);
        let date = field("date", DATE_KINDS, OWN_TIMES);
        Some(FeedSettings { url: url?, title, summary, content, date })
    }

    pub(super) fn to_json(&self) -> Json {
        let FeedSettings { url, title, summary, content, date } = self;
        let mut map = Map::new();
        map.push("url", url.as_str());
        let fields = [title, summary, content, date];
        for (key, field) in FIELD_KEYS.iter().zip(fields) {
            if let Some(field) = field {
                map.push(*key, field.as_str());
            }
        }
        map.into()
    }

    /// Renames the fields that `feed` in a schema file names.
    pub(super) fn rename_fields(feed: &mut Json, renamed: impl Fn(&str) -> String) {
        let Json::Object(map) = feed else { return };
        for key in FIELD_KEYS {
            if let Some(Json::String(field)) = map.get_mut(key) {
                *field = renamed(field);
            }
        }
    }
}

/// Checks that a field is there and of one of these kinds; `own` are names that need no field.
fn check_field(kind: Option<&str>, name: &str, kinds: &[&str], own: &[&str]) -> Result<(), String> {
    if own.contains(&name) {
        return Ok(());
    }
    match kind {
        None => Err(wording::unknown("field", name)),
        Some(kind) if kinds.contains(&kind) => Ok(()),
        Some(_) => {
            Err(format!("The field `{name}` must be of one of these kinds: {}.", kinds.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::content_type::ContentType;
    use crate::model::name::TypeName;
    use crate::stdx::json::Json;

    fn problems(feed: &str) -> Vec<String> {
        let schema = format!(
            r#"{{"feed":{feed},"fields":{{"body":{{"type":"markdown"}},"day":{{"type":"date"}},
            "n":{{"type":"number"}}}}}}"#
        );
        let schema = Json::parse(schema.as_bytes()).unwrap();
        let (ty, problems) = ContentType::parse(TypeName::parse("posts").unwrap(), &schema);
        if let Some(ty) = ty {
            assert_eq!(ty.feed.is_some(), feed != "null");
        }
        problems.iter().map(|(path, _)| path.to_string()).collect()
    }

    #[test]
    fn all_problems_have_a_place() {
        let none: [&str; 0] = [];
        assert_eq!(problems("null"), none);
        assert_eq!(problems(r#"{"url":"https://a.org/{slug}"}"#), none);
        let all = r#"{"url":"https://a.org/{locale}/{slug}","title":"title","summary":"body",
            "content":"body","date":"day"}"#;
        assert_eq!(problems(all), none);
        assert_eq!(problems(r#"{"url":"https://a.org/","date":"updated_at"}"#), none);
        assert_eq!(problems("{}"), ["feed.url"]);
        assert_eq!(problems("7"), ["feed"]);
        assert_eq!(problems(r#"{"url":"https://a.org/{token}"}"#), ["feed.url"]);
        let wrong = r#"{"url":"/x","title":"body","summary":"n","content":"gone","date":"body"}"#;
        let expect = ["feed.url", "feed.title", "feed.summary", "feed.content", "feed.date"];
        assert_eq!(problems(wrong), expect);
    }
}
