//! Which relations an answer expands: a tree over relation fields.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::query::view::View;

/// How many relations a query may name, and how deep paths may go.
pub const INCLUDES_MAX: usize = 16;
/// See [`INCLUDES_MAX`].
pub const INCLUDE_DEPTH_MAX: usize = 5;
/// How many entries may be expanded beyond the first level.
pub const INCLUDE_NODES_MAX: usize = 10_000;

/// How much one answer may expand, on all levels together. It is counted before the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludeLimits {
    /// Entries. One that is expanded twice counts twice.
    pub entries_max: usize,
    /// Bytes of these entries.
    pub bytes_max: u64,
}

impl Default for IncludeLimits {
    /// What a site of 100,000 entries with an author and a few tags each stays below. The two meet
    /// where entries are as small as they get.
    fn default() -> Self {
        IncludeLimits { entries_max: 500_000, bytes_max: 128 * 1024 * 1024 }
    }
}

/// What an answer expands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Entries on all levels.
    pub entries: usize,
    /// Those of them beyond the first level.
    pub deep_entries: usize,
    /// Bytes of the entries.
    pub bytes: u64,
}

/// The limit that an answer would pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// [`IncludeLimits::entries_max`].
    Entries(usize),
    /// [`INCLUDE_NODES_MAX`].
    DeepEntries(usize),
    /// [`IncludeLimits::bytes_max`].
    Bytes(u64),
}

impl Expanded {
    /// Adds an entry of so many bytes.
    pub(super) fn add(
        &mut self,
        bytes: usize,
        is_deep: bool,
        limits: &IncludeLimits,
    ) -> Result<(), TooMuch> {
        self.entries += 1;
        self.deep_entries += usize::from(is_deep);
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if self.deep_entries > INCLUDE_NODES_MAX {
            return Err(TooMuch::DeepEntries(INCLUDE_NODES_MAX));
        }
        if self.entries > limits.entries_max {
            return Err(TooMuch::Entries(limits.entries_max));
        }
        if self.bytes > limits.bytes_max {
            return Err(TooMuch::Bytes(limits.bytes_max));
        }
        Ok(())
    }
}

/// The relations of one type to expand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The branches, at most one a field.
    pub branches: Vec<Branch>,
}

/// One relation to expand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The field's place among the data fields of its type.
    pub field: usize,
    /// The place of the target type in the snapshot.
    pub target: usize,
    /// What to expand in the targets. Shared, so that a writer can stop anywhere and go on later.
    pub below: Arc<Include>,
}

impl Include {
    /// Reads paths like `author` and `author.company`. Names that are no relation are ignored with a warning.
    /// Types that the view's caller does not know are as good as missing.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        paths: &[&str],
        warnings: &mut Vec<String>,
    ) -> Include {
        let mut root = Include::default();
        for (index, path) in paths.iter().copied().enumerate() {
            if index >= INCLUDES_MAX {
                warnings.push(format!("include: Only {INCLUDES_MAX} relations are expanded."));
                break;
            }
            if let Err(name) = root.grow(view, ty, path, INCLUDE_DEPTH_MAX) {
                let within = if name == path { String::new() } else { format!(" in `{path}`") };
                warnings.push(format!("include: `{name}`{within} is no relation."));
            }
        }
        root
    }

    fn grow<'p>(
        &mut self,
        view: &View<'_>,
        ty: &ContentType,
        path: &'p str,
        depth: usize,
    ) -> Result<(), &'p str> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        let field = ty.data_fields().position(|it| it.name.as_str() == name);
        let relation = ty.fields.get(name).and_then(|it| it.kind.relation());
        let (Some(field), Some((target_name, _))) = (field, relation) else { return Err(name) };
        if depth == 0 {
            return Err(name);
        }
        // A relation to a type that is not there has nothing to expand.
        let known = view.index(target_name.as_str()).filter(|(_, index)| view.knows(index));
        let Some((target, index)) = known else { return Ok(()) };
        let at = self.branches.iter().position(|it| it.field == field).unwrap_or_else(|| {
            self.branches.push(Branch { field, target, below: Arc::default() });
            self.branches.len() - 1
        });
        let Some(rest) = rest else { return Ok(()) };
        match self.branches.get_mut(at) {
            Some(branch) => {
                let below = Arc::make_mut(&mut branch.below);
                below.grow(view, &index.content_type, rest, depth - 1)
            }
            None => Ok(()),
        }
    }

    /// Whether nothing is expanded.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Calls `each` with the place of every type that is expanded.
    pub fn targets(&self, each: &mut dyn FnMut(usize)) {
        for branch in &self.branches {
            each(branch.target);
            branch.below.targets(each);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::snapshot::Snapshot;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;
    use crate::query::view::Eyes;

    fn world() -> Snapshot {
        let of = |name: &str, schema: &str| index(&content_type(name, schema), &[]);
        snapshot(vec![
            of(
                "posts",
                r#"{"fields":{"text":{},"author":{"type":"relation","target":"people"},
                "more":{"type":"relation","target":"posts","multiple":true},
                "secret":{"type":"relation","target":"secrets"},
                "lost":{"type":"relation","target":"gone"}}}"#,
            ),
            of("people", r#"{"fields":{"boss":{"type":"relation","target":"people"}}}"#),
            of(
                "secrets",
                r#"{"visibility":"private","fields":{"by":{"type":"relation","target":"people"}}}"#,
            ),
        ])
    }

    /// The tree as text, `author(boss)`, and the number of warnings.
    fn parse(text: &str) -> (String, usize) {
        let snapshot = world();
        let view = View::new(&snapshot, Eyes::Anyone, None);
        let mut warnings = Vec::new();
        let (_, posts) = view.index("posts").unwrap();
        let paths: Vec<&str> = text.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let include = Include::parse(&view, &posts.content_type, &paths, &mut warnings);
        (tree(&snapshot, &posts.content_type, &include), warnings.len())
    }

    fn tree(snapshot: &Snapshot, ty: &ContentType, include: &Include) -> String {
        let branch = |it: &Branch| {
            let name = &ty.data_fields().nth(it.field).unwrap().name;
            let target = &snapshot.types()[it.target].content_type;
            match tree(snapshot, target, &it.below).as_str() {
                "" => name.to_string(),
                below => format!("{name}({below})"),
            }
        };
        include.branches.iter().map(branch).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn paths_become_a_tree() {
        let check = |text: &str, expect: &str, warnings: usize| {
            assert_eq!(parse(text), (expect.to_string(), warnings), "{text}");
        };
        check("", "", 0);
        check(" author , more ", "author,more", 0);
        check("author,author.boss,author", "author(boss)", 0);
        check("more.author.boss,more.more", "more(author(boss),more)", 0);
        check("nope", "", 1);
        check("text,title,author", "author", 2);
        check("author.nope", "author", 1);
        check("more.more.more.more.more", "more(more(more(more(more))))", 0);
        check("more.more.more.more.more.more", "more(more(more(more(more))))", 1);
    }

    /// Whether a type is missing or hidden must not show, and what it has neither.
    #[test]
    fn hidden_types_are_as_good_as_missing() {
        for text in ["lost", "lost.by", "lost.nope", "secret", "secret.by", "secret.nope"] {
            assert_eq!(parse(text), (String::new(), 0), "{text}");
        }
    }

    #[test]
    fn there_is_a_most() {
        let text = vec!["author"; INCLUDES_MAX + 3].join(",");
        assert_eq!(parse(&text), ("author".to_string(), 1));
    }
}
