//! Which relations an answer expands: a tree over relation fields.

use crate::model::content_type::ContentType;
use crate::query::view::View;

/// How many relations a query may name, and how deep paths may go.
pub const INCLUDES_MAX: usize = 16;
/// See [`INCLUDES_MAX`].
pub const INCLUDE_DEPTH_MAX: usize = 5;
/// How many entries may be expanded beyond the first level.
pub const INCLUDE_NODES_MAX: usize = 10_000;

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
    /// What to expand in the targets.
    pub below: Include,
}

impl Include {
    /// Reads `author,tags,author.company`. Names that are no relation are ignored with a warning.
    /// Types that the view's caller does not know are as good as missing.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        text: &str,
        warnings: &mut Vec<String>,
    ) -> Include {
        let mut root = Include::default();
        let paths = text.split(',').map(str::trim).filter(|it| !it.is_empty());
        for (index, path) in paths.enumerate() {
            if index >= INCLUDES_MAX {
                warnings.push(format!("include: Only {INCLUDES_MAX} relations are expanded."));
                break;
            }
            if let Err(name) = root.grow(view, ty, path, INCLUDE_DEPTH_MAX) {
                warnings.push(format!("include: `{name}` of `{path}` is no relation."));
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
            self.branches.push(Branch { field, target, below: Include::default() });
            self.branches.len() - 1
        });
        let Some(rest) = rest else { return Ok(()) };
        match self.branches.get_mut(at) {
            Some(branch) => branch.below.grow(view, &index.content_type, rest, depth - 1),
            None => Ok(()),
        }
    }

    /// Whether nothing is expanded.
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Whether anything is expanded beyond the first level.
    pub fn is_deep(&self) -> bool {
        self.branches.iter().any(|it| !it.below.is_empty())
    }

    /// Calls `each` with the place of every type that is expanded.
    pub fn targets(&self, each: &mut dyn FnMut(usize)) {
        for branch in &self.branches {
            each(branch.target);
            branch.below.targets(each);
        }
    }
}
