//! The content types that an export of WordPress becomes.

use crate::app::import::import_set::ImportedType;
use crate::app::import::report::SourcePlace;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The definitions, as requests that create the types. The name `categories` is reserved.
const TYPES: &str = r#"[
    {"name": "posts", "label": "Posts", "label_singular": "post", "fields": {
        "title": {"type": "text", "label": "Title", "required": true},
        "body": {"type": "html", "label": "Text"},
        "excerpt": {"type": "textarea", "label": "Excerpt"},
        "image": {"type": "media", "label": "Image"},
        "categories": {"type": "relation", "label": "Categories", "target": "post_categories", "multiple": true},
        "tags": {"type": "relation", "label": "Tags", "target": "tags", "multiple": true},
        "author": {"type": "relation", "label": "Author", "target": "authors"}}},
    {"name": "pages", "label": "Pages", "label_singular": "page", "fields": {
        "title": {"type": "text", "label": "Title", "required": true},
        "body": {"type": "html", "label": "Text"},
        "excerpt": {"type": "textarea", "label": "Excerpt"},
        "image": {"type": "media", "label": "Image"},
        "parent": {"type": "relation", "label": "Parent", "target": "pages"},
        "order": {"type": "number", "label": "Order"},
        "author": {"type": "relation", "label": "Author", "target": "authors"}}},
    {"name": "post_categories", "label": "Categories", "label_singular": "category", "fields": {
        "title": {"type": "text", "label": "Title", "required": true},
        "description": {"type": "textarea", "label": "Description"},
        "parent": {"type": "relation", "label": "Parent", "target": "post_categories"}}},
    {"name": "tags", "label": "Tags", "label_singular": "tag", "fields": {
        "title": {"type": "text", "label": "Title", "required": true},
        "description": {"type": "textarea", "label": "Description"}}},
    {"name": "authors", "label": "Authors", "label_singular": "author", "fields": {
        "title": {"type": "text", "label": "Name", "required": true}}}
]"#;

/// Returns the content types.
pub(super) fn list_types() -> Vec<ImportedType> {
    let parsed = Json::parse(TYPES.as_bytes()).unwrap_or_default();
    let definitions = parsed.as_array().unwrap_or_default().iter().filter_map(Json::as_object);
    definitions
        .filter_map(|definition: &Map| {
            let name = TypeName::parse(definition.get("name")?.as_str()?).ok()?;
            Some(ImportedType {
                name,
                definition: definition.clone(),
                place: SourcePlace::default(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::type_change::create_type;

    #[test]
    fn the_types_can_be_created() {
        let types = list_types();
        assert_eq!(types.len(), 5);
        for it in types {
            assert!(create_type(&it.definition, |_| false).is_ok(), "{}", it.name);
        }
    }
}
