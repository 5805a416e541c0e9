//! Media categories: paths written `<parent> / <child>`, and the set of categories of a workspace.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde::Serializer;
use unicode_normalization::UnicodeNormalization;

use crate::model::input::wording;
use crate::model::name::NameError;
use crate::model::name::shared_text;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The separator between the segments of a path.
pub const SEPARATOR: &str = " / ";

/// The keys of the file that lists the categories of a workspace.
pub const KEYS: &[&str] = &["categories"];

/// The maximum nesting depth of categories.
pub const DEPTH_MAX: usize = 8;

/// The maximum length of a segment in characters.
pub const SEGMENT_CHARS_MAX: usize = 80;

shared_text! {
    /// The path of a category in its normal form: `Press / Logos`.
    CategoryPath
}

impl CategoryPath {
    /// Parses a path as people write it: splits at every `/`, trims and folds white space, and
    /// drops empty segments.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        if text.len() > DEPTH_MAX * (SEGMENT_CHARS_MAX + 1) * 8 {
            return Err(TOO_LONG); // before any work is spent on the text
        }
        let path = normalize_path(text);
        let segments = || path.split(SEPARATOR);
        if path.is_empty() {
            return Err(NameError::new("A category needs a name."));
        }
        if path.chars().any(char::is_control) {
            return Err(NameError::new("A category must not contain control characters."));
        }
        if path.contains('\\') || segments().any(|segment| matches!(segment, "." | "..")) {
            // Addresses of categories contain their paths, and these cannot be part of one.
            return Err(NameError::new(
                "A category must not be called `.` or `..`, or contain a backslash.",
            ));
        }
        if segments().any(|segment| segment.chars().count() > SEGMENT_CHARS_MAX) {
            return Err(TOO_LONG);
        }
        if segments().count() > DEPTH_MAX {
            return Err(NameError::new("Categories can be nested at most 8 levels deep."));
        }
        Ok(Self(Arc::from(path)))
    }

    /// Returns the category that directly contains this one.
    pub fn parent(&self) -> Option<CategoryPath> {
        self.0.rsplit_once(SEPARATOR).map(|(parent, _)| Self(Arc::from(parent)))
    }

    /// Returns the path itself, then its parent, and so on up to the root.
    pub fn lineage(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(self.as_str()), |path| Some(path.rsplit_once(SEPARATOR)?.0))
    }

    /// Returns true if this is `other` or one of its descendants.
    pub fn is_within(&self, other: &CategoryPath) -> bool {
        self.0
            .strip_prefix(&*other.0)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(SEPARATOR))
    }

    /// Returns the path after the category `from` was moved to `to`, or `None` if this path is not
    /// within `from`. Fails if the new path is too deep.
    pub fn replace_prefix(
        &self,
        from: &CategoryPath,
        to: &CategoryPath,
    ) -> Option<Result<Self, NameError>> {
        let rest = self.is_within(from).then(|| self.0.get(from.len()..)).flatten()?;
        Some(Self::parse(&format!("{to}{rest}")))
    }
}

const TOO_LONG: NameError = NameError::new("Each level of a category has at most 80 characters.");

/// Returns the normal form of a path. Also used for patterns, which are paths with wildcards.
pub(in crate::model) fn normalize_path(text: &str) -> String {
    let fold = |segment: &str| segment.split_whitespace().collect::<Vec<_>>().join(" ");
    let composed = text.nfc().collect::<String>();
    let segments = composed.split('/').map(fold).filter(|segment| !segment.is_empty());
    segments.collect::<Vec<_>>().join(SEPARATOR)
}

/// The categories of a workspace, sorted. The set contains the parents of each of its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Categories(BTreeSet<CategoryPath>);

impl Categories {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `media-categories.json`: `{"categories": [paths]}`, or only the list. Invalid items
    /// are reported and skipped.
    pub fn parse(json: &Json) -> (Self, FieldProblems) {
        let (mut categories, mut problems) = (Self::new(), FieldProblems::new());
        let list = json.as_object().and_then(|object| object.get("categories")).unwrap_or(json);
        let Some(items) = list.as_array() else {
            problems.add("categories", wording::wrong_type(wording::LIST, list));
            return (categories, problems);
        };
        for (index, item) in items.iter().enumerate() {
            let field = || format!("categories[{index}]");
            match item.as_str().map(CategoryPath::parse) {
                Some(Ok(path)) => categories.insert(&path),
                Some(Err(error)) => problems.add(field(), error.message()),
                None => problems.add(field(), wording::wrong_type(wording::STRING, item)),
            }
        }
        (categories, problems)
    }

    /// Adds a category and its ancestors.
    pub fn insert(&mut self, path: &CategoryPath) {
        let mut next = Some(path.clone());
        while let Some(path) = next {
            next = path.parent();
            if !self.0.insert(path) {
                return; // its ancestors are present as well
            }
        }
    }

    /// Returns true if the set contains the category.
    pub fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Returns the categories after `from` and its descendants were moved to `to`. If `to` already
    /// exists, the two are merged.
    pub fn move_category(&self, from: &CategoryPath, to: &CategoryPath) -> Result<Self, NameError> {
        let mut moved = Self::new();
        for path in self.iter() {
            moved.insert(
                &path.replace_prefix(from, to).transpose()?.unwrap_or_else(|| path.clone()),
            );
        }
        Ok(moved)
    }

    /// Returns the categories without `path` and its descendants.
    #[must_use]
    pub fn without_subtree(&self, path: &CategoryPath) -> Self {
        Self(self.0.iter().filter(|it| !it.is_within(path)).cloned().collect())
    }

    /// Returns the new members of `media-categories.json`. Unknown members and list items that
    /// could not be read are kept: somebody wrote them for a reason.
    pub fn apply_to(&self, before: &Map) -> Map {
        let unread = before.get("categories").and_then(Json::as_array).unwrap_or_default().iter();
        let unread =
            unread.filter(|it| it.as_str().is_none_or(|it| CategoryPath::parse(it).is_err()));
        let paths = self.iter().map(|it| Json::from(it.as_str())).chain(unread.cloned());
        let mut map = before.clone();
        map.set("categories", Json::Array(paths.collect()));
        map
    }

    /// Returns all paths, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &CategoryPath> {
        self.0.iter()
    }
}

impl<'a> Extend<&'a CategoryPath> for Categories {
    fn extend<I: IntoIterator<Item = &'a CategoryPath>>(&mut self, paths: I) {
        paths.into_iter().for_each(|path| self.insert(path));
    }
}

/// Serialized as the list of its paths (`meta.categories`).
impl Serialize for Categories {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> CategoryPath {
        CategoryPath::parse(text).unwrap()
    }

    #[test]
    fn paths_are_written_one_way() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(CategoryPath::parse(text).ok().as_deref(), expect, "{text:?}");
        };
        check("Press", Some("Press"));
        check("Press/Logos", Some("Press / Logos"));
        check(" Press /  Big \t Logos/", Some("Press / Big Logos"));
        check("a//b", Some("a / b"));
        check("../..", None);
        check("Press/.", None);
        check("a\\b", None);
        check(".. ./...", Some(".. . / ..."));
        check("A\u{308}", Some("Ä"));
        check("", None);
        check(" / ", None);
        check("a\0b", None);
        check(&"ä".repeat(80), Some(&"ä".repeat(80)));
        check(&"ä".repeat(81), None);
        check("1/2/3/4/5/6/7/8", Some("1 / 2 / 3 / 4 / 5 / 6 / 7 / 8"));
        check("1/2/3/4/5/6/7/8/9", None);
        check(&"x/".repeat(100_000), None);
    }

    #[test]
    fn relatives() {
        let logos = path("Press/2026/Logos");
        assert_eq!(logos.parent(), Some(path("Press/2026")));
        assert_eq!(path("Press").parent(), None);
        let lineage: Vec<_> = logos.lineage().collect();
        assert_eq!(lineage, ["Press / 2026 / Logos", "Press / 2026", "Press"]);
        let check = |inner: &str, outer: &str, expect: bool| {
            assert_eq!(path(inner).is_within(&path(outer)), expect, "{inner} in {outer}");
        };
        check("Press", "Press", true);
        check("Press/Logos", "Press", true);
        check("Pressroom", "Press", false);
        check("Press", "Press/Logos", false);
        check("press", "Press", false);
    }

    #[test]
    fn a_set_holds_the_parents_too() {
        let mut categories = Categories::new();
        categories.extend([&path("b/c/d"), &path("a"), &path("b/x")]);
        let all: Vec<_> = categories.iter().map(CategoryPath::as_str).collect();
        assert_eq!(all, ["a", "b", "b / c", "b / c / d", "b / x"]);
        assert!(categories.contains("b / c") && !categories.contains("c"));
    }

    #[test]
    fn the_file_is_read_as_far_as_possible() {
        let check = |text: &str, expect: &str, told: &[&str]| {
            let (categories, problems) = Categories::parse(&Json::parse(text.as_bytes()).unwrap());
            assert_eq!(serde_json::to_string(&categories).unwrap(), expect, "{text}");
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, told, "{text}");
        };
        let press = r#"["Press","Press / Logos"]"#;
        check(r#"{"categories":["Press/Logos"]}"#, press, &[]);
        check(r#"["Press / Logos",7,""]"#, press, &["categories[1]", "categories[2]"]);
        check(r#"{"categories":{}}"#, "[]", &["categories"]);
        check("null", "[]", &["categories"]);
    }

    #[test]
    fn a_category_moves_with_all_below_it() {
        let check = |from: &str, to: &str, expect: Option<&[&str]>| {
            let mut categories = Categories::new();
            categories.extend([&path("a/b/c"), &path("a/d"), &path("ab")]);
            let moved = categories.move_category(&path(from), &path(to)).ok();
            let all = moved.map(|it| it.iter().map(|it| it.to_string()).collect::<Vec<_>>());
            assert_eq!(
                all.as_deref(),
                expect.map(|it| it.iter().map(|it| it.to_string()).collect::<Vec<_>>()).as_deref(),
                "{from} → {to}"
            );
        };
        check("a", "x", Some(&["ab", "x", "x / b", "x / b / c", "x / d"]));
        check("a / b", "ab", Some(&["a", "a / d", "ab", "ab / c"]));
        check("a", "a / b", Some(&["a", "a / b", "a / b / b", "a / b / b / c", "a / b / d", "ab"]));
        check("a / b", "a", Some(&["a", "a / c", "a / d", "ab"]));
        check("nothing", "x", Some(&["a", "a / b", "a / b / c", "a / d", "ab"]));
        check("a", "1/2/3/4/5/6/7/8", None);
    }

    #[test]
    fn a_category_goes_with_all_below_it() {
        let mut categories = Categories::new();
        categories.extend([&path("a/b/c"), &path("ab")]);
        let left: Vec<_> = categories.without_subtree(&path("a / b")).iter().cloned().collect();
        assert_eq!(left, [path("a"), path("ab")]);
    }

    #[test]
    fn the_file_keeps_what_is_not_ours() {
        let check = |before: &str, expect: &str| {
            let before = Json::parse(before.as_bytes()).unwrap();
            let mut categories = Categories::new();
            categories.insert(&path("b/a"));
            let after = categories.apply_to(before.as_object().unwrap());
            assert_eq!(serde_json::to_string(&Json::Object(after)).unwrap(), expect);
        };
        check("{}", r#"{"categories":["b","b / a"]}"#);
        check(
            r#"{"format":1,"categories":["x",7,""],"note":"n"}"#,
            r#"{"format":1,"categories":["b","b / a",7,""],"note":"n"}"#,
        );
    }

    proptest! {
        #[test]
        fn what_is_written_reads_the_same(text in "[a-c /\\t\u{e4}]{0,40}") {
            if let Ok(path) = CategoryPath::parse(&text) {
                prop_assert_eq!(&CategoryPath::parse(&path).unwrap(), &path);
                prop_assert!(path.lineage().count() <= DEPTH_MAX);
            }
        }
    }
}
