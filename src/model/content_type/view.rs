//! A content type as both APIs show it.

use schemars::JsonSchema;
use schemars::json_schema;
use serde::Serialize;
use serde::Serializer;

use crate::model::content_type::feed::FeedSettings;
use crate::model::field::Fields;
use crate::model::field::KINDS;
use crate::model::media::Visibility;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::inline_schema;

/// A content type. Its schema file has the same keys, except the name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ContentType")]
pub struct ContentTypeView<'a> {
    /// The name, which never changes.
    pub name: &'a str,
    /// The name that people see.
    pub label: &'a str,
    /// The name of one entry that people see, such as `post`. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub label_singular: Option<&'a str>,
    /// The name of an icon of the web interface.
    pub icon: &'a str,
    /// True if the type has a single entry, named like the type.
    pub singleton: bool,
    /// The field that is the slug of an entry.
    pub slug_field: &'a str,
    /// The field that a slug is made from if an entry names none.
    pub slug_source: &'a str,
    /// The locales of the entries; empty if the type is not localized.
    pub locales: &'a [LocaleCode],
    /// The locale of requests that name none; empty if the type is not localized.
    pub default_locale: &'a str,
    /// Types that are `private` do not exist for callers without a grant to read them or their
    /// entries.
    pub visibility: Visibility,
    /// True if changes of published entries go into a change beside what is live, for callers who
    /// may not publish. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drafts: bool,
    /// The feeds of the type, and its part of the sitemap. Left out if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<&'a FeedSettings>,
    /// The definitions of the fields by name, in the order in which people see them.
    pub fields: FieldDefinitions<'a>,
}

impl ContentTypeView<'_> {
    /// Returns the members in the same order.
    pub fn to_map(&self) -> Map {
        let ContentTypeView { name, label, icon, singleton, slug_field, slug_source, .. } = *self;
        let ContentTypeView { locales, default_locale, visibility, drafts, .. } = *self;
        let ContentTypeView { label_singular, feed, ref fields, .. } = *self;
        let locales: Vec<Json> = locales.iter().map(|it| it.as_str().into()).collect();
        let fields = fields.0.iter().map(|it| (it.name.to_string(), it.definition.clone().into()));
        let mut out = Map::new();
        out.push("name", name);
        out.push("label", label);
        if let Some(label) = label_singular {
            out.push("label_singular", label);
        }
        out.push("icon", icon);
        out.push("singleton", singleton);
        out.push("slug_field", slug_field);
        out.push("slug_source", slug_source);
        out.push("locales", locales);
        out.push("default_locale", default_locale);
        out.push("visibility", visibility.as_str());
        if drafts {
            out.push("drafts", drafts);
        }
        if let Some(feed) = feed {
            out.push("feed", feed.to_json());
        }
        out.push("fields", fields.collect::<Map>());
        out
    }
}

/// The definitions of fields as the schema file has them.
#[derive(Debug)]
pub struct FieldDefinitions<'a>(pub &'a Fields);

impl Serialize for FieldDefinitions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|it| (it.name.as_str(), &it.definition)))
    }
}

inline_schema!(FieldDefinitions<'_>, |_| {
    let kinds: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": { "type": { "enum": kinds, "default": "text" } },
        },
    })
});

#[cfg(test)]
mod tests {
    use crate::model::content_type::ContentType;
    use crate::model::name::TypeName;
    use crate::stdx::json::Json;

    #[test]
    fn members_are_those_of_the_view() {
        let schema =
            br#"{"label":"Posts","label_singular":"post","locales":["en","de"],"visibility":"private","drafts":true,
            "feed":{"date":"updated_at","url":"https://a.org/{slug}"},
            "fields":{"n":{"type":"number","min":1.5}}}"#;
        let schema = Json::parse(schema).unwrap();
        let ty = ContentType::parse(TypeName::parse("posts").unwrap(), &schema).0.unwrap();
        let view = serde_json::to_string(&ty.view()).unwrap();
        assert_eq!(serde_json::to_string(&ty.to_map()).unwrap(), view);
    }
}
