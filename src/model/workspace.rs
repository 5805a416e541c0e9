//! Workspace metadata: the file `workspace.json`.

use crate::model::input::ObjectReader;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::saved_view;
use crate::model::saved_view::VIEWS;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

/// The format version of the data folder that this version reads and writes.
pub const FORMAT: u64 = 1;

/// The keys of `workspace.json`.
pub const KEYS: &[&str] =
    &["format", "label", "archived", "created_at", "updated_at", "types", VIEWS];

/// The maximum length of a label in characters.
pub const LABEL_CHARS_MAX: usize = 100;

/// The content of `workspace.json`. All of it is optional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceMeta {
    /// The display name.
    pub label: String,
    /// True if the workspace is archived: its files are kept, but the API does not serve it.
    pub archived: bool,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change of this file.
    pub updated_at: Option<Timestamp>,
    /// The order of the content types; types that are not listed follow.
    pub types: Vec<TypeName>,
    /// The message about an unknown format. The workspace is then ignored: nothing is read from its
    /// folder, and nothing is written to it.
    pub unsupported: Option<String>,
}

/// The reason why the files of a workspace cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedFormat {
    /// The format of a newer version.
    #[error(
        "This workspace is in format {0}, and this version of Recto reads formats up to \
             {FORMAT}. Update Recto."
    )]
    Newer(u64),
    /// The value is not a format.
    #[error("The `format` of this workspace must be a whole number, 1 or more.")]
    None,
}

impl WorkspaceMeta {
    /// Returns the metadata of a workspace without the file.
    pub fn default_for(slug: &WorkspaceSlug) -> WorkspaceMeta {
        WorkspaceMeta {
            label: build_label(slug),
            archived: false,
            created_at: None,
            updated_at: None,
            types: Vec::new(),
            unsupported: None,
        }
    }

    /// Parses the file. Invalid members are reported and get their defaults; only an unknown format
    /// is an error. Unknown keys are ignored.
    pub fn parse(
        slug: &WorkspaceSlug,
        json: &Json,
    ) -> Result<(WorkspaceMeta, FieldProblems), UnsupportedFormat> {
        let meta = WorkspaceMeta::default_for(slug);
        let mut input = match ObjectReader::from_json(json) {
            Ok(input) => input,
            Err(problems) => return Ok((meta, problems)),
        };
        check_format(&input)?;
        let meta = WorkspaceMeta {
            label: input.text("label").map_or(meta.label, str::to_string),
            archived: input.flag("archived").unwrap_or_default(),
            created_at: input.time("created_at"),
            updated_at: input.time("updated_at"),
            types: read_types(&mut input),
            unsupported: None,
        };
        // They are read when somebody asks for them.
        if let Some(views) = input.object(VIEWS) {
            input.add_problems("", saved_view::find_problems_in_workspace(views));
        }
        Ok((meta, input.into_problems()))
    }

    /// Returns the position of a content type in the order; types that are not listed are last.
    pub fn type_position(&self, name: &str) -> usize {
        self.types.iter().position(|known| known == name).unwrap_or(self.types.len())
    }
}

/// Checks the format. A missing one is the first format.
fn check_format(input: &ObjectReader<'_>) -> Result<(), UnsupportedFormat> {
    let Some(value) = input.member("format") else { return Ok(()) };
    let number = if let Json::Number(number) = value { number.as_u64() } else { None };
    match number {
        None | Some(0) => Err(UnsupportedFormat::None),
        Some(format) if format > FORMAT => Err(UnsupportedFormat::Newer(format)),
        Some(_) => Ok(()),
    }
}

/// Reads the names of the types in their order, each once.
fn read_types(input: &mut ObjectReader<'_>) -> Vec<TypeName> {
    let items = input.list("types").unwrap_or_default();
    let mut types = Vec::with_capacity(items.len());
    for (_, name) in input.parse_items("types", items, TypeName::parse) {
        if !types.contains(&name) {
            types.push(name);
        }
    }
    types
}

/// Derives a label from a slug: `press-office` becomes `Press office`.
fn build_label(slug: &WorkspaceSlug) -> String {
    let words = slug.replace('-', " ");
    let words = words.trim();
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(WorkspaceMeta, FieldProblems), UnsupportedFormat> {
        let slug = WorkspaceSlug::parse("press-office").unwrap();
        WorkspaceMeta::parse(&slug, &Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn everything_may_be_missing() {
        for text in ["{}", r#"{"format":1,"label":null,"colour":"red"}"#] {
            let (meta, problems) = parse(text).unwrap();
            assert_eq!(meta.label, "Press office");
            assert!(!meta.archived && meta.types.is_empty() && problems.is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_there_is_read() {
        let (meta, problems) = parse(
            r#"{"format":1,"label":"Press","archived":true,"created_at":"2025-03-03T08:00:00Z",
                "updated_at":"2025-03-04","types":["posts","pages","posts"]}"#,
        )
        .unwrap();
        assert!(problems.is_empty(), "{problems}");
        assert_eq!((meta.label.as_str(), meta.archived), ("Press", true));
        assert_eq!(meta.created_at, Timestamp::parse("2025-03-03T08:00:00Z"));
        assert_eq!(meta.types, ["posts", "pages"]);
        let positions = ["pages", "posts", "other"].map(|name| meta.type_position(name));
        assert_eq!(positions, [1, 0, 2]);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let check = |text: &str, expect: &[&str]| {
            let (_, problems) = parse(text).unwrap();
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, expect, "{text}");
        };
        check("[]", &[""]);
        check(
            r#"{"label":7,"archived":"yes","created_at":"soon","types":{}}"#,
            &["label", "archived", "created_at", "types"],
        );
        check(r#"{"types":["a b",7,"ok"]}"#, &["types[0]", "types[1]"]);
        check(r#"{"views":[]}"#, &["views"]);
        check(r#"{"views":{"posts":[{"name":"A"}]}}"#, &["views.posts[0].id"]);
    }

    #[test]
    fn a_format_that_is_not_known_is_refused_with_a_sentence() {
        assert_eq!(
            parse(r#"{"format":2}"#).unwrap_err().to_string(),
            "This workspace is in format 2, and this version of Recto reads formats up to 1. Update \
             Recto."
        );
        for format in ["0", "null", "\"1\"", "-1", "1.5", "[1]", "true"] {
            let refused = parse(&format!(r#"{{"format":{format}}}"#));
            assert_eq!(refused, Err(UnsupportedFormat::None), "{format}");
        }
    }
}
