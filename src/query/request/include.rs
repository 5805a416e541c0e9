//! The relations that a response expands: a tree over relation fields.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::query::execute::view::View;

/// The most relations that a query may include.
pub const INCLUDES_MAX: usize = 16;
/// The longest path of an included relation.
pub const INCLUDE_DEPTH_MAX: usize = 5;
/// The most entries that may be expanded beyond the first level.
pub const INCLUDE_NODES_MAX: usize = 10_000;
/// The most entries that are examined, to count expanded ones, on a thread that others wait for.
pub const QUICK_LOOKS_MAX: usize = 1_000;

/// The limits on the entries that one response expands, over all levels. They are checked before
/// the first byte is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncludeLimits {
    /// The most entries. An entry that is expanded twice counts twice.
    pub entries_max: usize,
    /// The most bytes of these entries.
    pub bytes_max: u64,
}

impl Default for IncludeLimits {
    /// Returns limits that a site of 100,000 entries with an author and a few tags each stays
    /// below. Both limits are reached together if the entries are as small as possible.
    fn default() -> Self {
        IncludeLimits { entries_max: 500_000, bytes_max: 128 * 1024 * 1024 }
    }
}

/// The size of the entries that a response expands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpansionCount {
    /// The number of entries on all levels.
    pub entries: usize,
    /// The number of entries beyond the first level.
    pub deep_entries: usize,
    /// The bytes of the entries.
    pub bytes: u64,
}

/// The limit that a response would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionLimitError {
    /// [`IncludeLimits::entries_max`].
    Entries(usize),
    /// [`INCLUDE_NODES_MAX`].
    DeepEntries(usize),
    /// [`IncludeLimits::bytes_max`].
    Bytes(u64),
}

/// The reason why what is expanded was not counted to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpansionStop {
    /// The response would exceed a limit.
    Limit(ExpansionLimitError),
    /// More entries would be examined than is allowed.
    TooManyLooks,
}

/// The counter of the entries that a response expands.
pub(in crate::query) struct ExpansionCounter<'a> {
    pub(in crate::query) count: ExpansionCount,
    limits: &'a IncludeLimits,
    /// The number of entries that may still be examined.
    looks_left: usize,
}

impl<'a> ExpansionCounter<'a> {
    pub(in crate::query) fn new(limits: &'a IncludeLimits, looks_max: usize) -> Self {
        ExpansionCounter { count: ExpansionCount::default(), limits, looks_left: looks_max }
    }

    /// Counts entries that are about to be examined.
    pub(in crate::query) fn add_looks(&mut self, looks: usize) -> Result<(), ExpansionStop> {
        self.looks_left = self.looks_left.checked_sub(looks).ok_or(ExpansionStop::TooManyLooks)?;
        Ok(())
    }

    /// Adds an entry of `bytes` bytes. Returns an error if a limit is exceeded.
    pub(in crate::query) fn add_entry(
        &mut self,
        bytes: usize,
        is_deep: bool,
    ) -> Result<(), ExpansionStop> {
        let (count, limits) = (&mut self.count, self.limits);
        count.entries += 1;
        count.deep_entries += usize::from(is_deep);
        count.bytes = count.bytes.saturating_add(bytes as u64);
        if count.deep_entries > INCLUDE_NODES_MAX {
            return Err(ExpansionStop::Limit(ExpansionLimitError::DeepEntries(INCLUDE_NODES_MAX)));
        }
        if count.entries > limits.entries_max {
            return Err(ExpansionStop::Limit(ExpansionLimitError::Entries(limits.entries_max)));
        }
        if count.bytes > limits.bytes_max {
            return Err(ExpansionStop::Limit(ExpansionLimitError::Bytes(limits.bytes_max)));
        }
        Ok(())
    }
}

/// The relations of one type to expand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The branches, at most one for each field.
    pub branches: Vec<IncludeBranch>,
}

/// One relation to expand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludeBranch {
    /// The position of the field among the data fields of its type.
    pub field: usize,
    /// The position of the target type in the snapshot.
    pub target: usize,
    /// The relations to expand in the targets. Shared, so that a writer can stop anywhere and
    /// continue later.
    pub below: Arc<Include>,
}

/// The reason why a path is not expanded to its end.
#[derive(Clone, Copy, Debug)]
enum PathProblem<'p> {
    /// This name in it is not a relation.
    NoRelation(&'p str),
    /// It has more levels than [`INCLUDE_DEPTH_MAX`].
    TooDeep,
}

impl PathProblem<'_> {
    fn describe(self, path: &str) -> String {
        match self {
            PathProblem::NoRelation(name) if name == path => format!("`{name}` is not a relation."),
            PathProblem::NoRelation(name) => format!("`{name}` in `{path}` is not a relation."),
            PathProblem::TooDeep => {
                format!("`{path}` is too deep: at most {INCLUDE_DEPTH_MAX} levels can be included.")
            }
        }
    }
}

impl Include {
    /// Parses paths like `author` and `author.company`. Names that are no relation, and levels that
    /// are too deep, are ignored with a warning. Types that the caller does not know are treated as
    /// missing.
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
            if let Err(problem) = root.add_path(view, ty, path, INCLUDE_DEPTH_MAX) {
                warnings.push(format!("include: {}", problem.describe(path)));
            }
        }
        root
    }

    fn add_path<'p>(
        &mut self,
        view: &View<'_>,
        ty: &ContentType,
        path: &'p str,
        depth: usize,
    ) -> Result<(), PathProblem<'p>> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        let field = ty.data_fields().position(|it| it.name.as_str() == name);
        let relation = ty.fields.get(name).and_then(|it| it.kind.as_relation());
        let (Some(field), Some((target_name, _))) = (field, relation) else {
            return Err(PathProblem::NoRelation(name));
        };
        if depth == 0 {
            return Err(PathProblem::TooDeep);
        }
        // A relation to a missing type has nothing to expand.
        let known =
            view.find_type(target_name.as_str()).filter(|(_, index)| view.knows_type(index));
        let Some((target, index)) = known else { return Ok(()) };
        let at = self.branches.iter().position(|it| it.field == field).unwrap_or_else(|| {
            self.branches.push(IncludeBranch { field, target, below: Arc::default() });
            self.branches.len() - 1
        });
        let Some(rest) = rest else { return Ok(()) };
        match self.branches.get_mut(at) {
            Some(branch) => {
                let below = Arc::make_mut(&mut branch.below);
                below.add_path(view, &index.content_type, rest, depth - 1)
            }
            None => Ok(()),
        }
    }

    /// Returns true if nothing is expanded.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Calls `each` with the position of every type that is expanded.
    pub fn visit_targets(&self, each: &mut dyn FnMut(usize)) {
        for branch in &self.branches {
            each(branch.target);
            branch.below.visit_targets(each);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::execute::view::Viewer;
    use crate::query::index::snapshot::Snapshot;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

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

    /// Returns the tree as text, `author(boss)`, and the number of warnings.
    fn parse(text: &str) -> (String, usize) {
        let snapshot = world();
        let view = View::new(&snapshot, Viewer::Anyone, None);
        let mut warnings = Vec::new();
        let (_, posts) = view.find_type("posts").unwrap();
        let paths: Vec<&str> = text.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let include = Include::parse(&view, &posts.content_type, &paths, &mut warnings);
        (tree(&snapshot, &posts.content_type, &include), warnings.len())
    }

    fn tree(snapshot: &Snapshot, ty: &ContentType, include: &Include) -> String {
        let branch = |it: &IncludeBranch| {
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

    /// Warnings reveal neither that a type is hidden rather than missing, nor its fields.
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
