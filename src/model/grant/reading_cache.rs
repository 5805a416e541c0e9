//! The cache of what the grants of a caller let them read, type by type.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::model::grant::row_rule::Reach;
use crate::stdx::byte_compare::are_equal;

/// The answers of a caller's grants about types that were asked for. They depend on nothing but the
/// grants and the names, so they never become stale: other grants are another value.
#[derive(Debug, Default)]
pub(super) struct ReadingCache {
    /// The reach over the entries of a type in one locale.
    pub(super) reaches: NameCache<Reach>,
    /// True if a grant could allow reading an entry of the type, whatever others deny.
    pub(super) readable: NameCache<bool>,
}

/// Values by the workspace, the type and the locale that they are for.
#[derive(Debug)]
pub(super) struct NameCache<V>(ArcSwap<Vec<NamedValue<V>>>);

#[derive(Clone, Debug)]
struct NamedValue<V> {
    names: TypeInLocale<Box<str>>,
    value: V,
}

/// A type of a workspace, read in one locale.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeInLocale<T> {
    pub(super) workspace: T,
    pub(super) type_name: T,
    pub(super) locale: Option<T>,
}

impl<V> Default for NameCache<V> {
    fn default() -> Self {
        NameCache(ArcSwap::default())
    }
}

impl<V: Clone> NameCache<V> {
    /// The most values of a caller. There are few callers and few types that are read often; for
    /// others it costs a little time. They are in no order: to compare a few names costs less than
    /// to compute a hash.
    const VALUES_MAX: usize = 64;

    /// Returns the value of these names, and keeps it if `is_worth` says that it is small enough.
    pub(super) fn get_or_compute(
        &self,
        names: TypeInLocale<&str>,
        compute: impl FnOnce() -> V,
        is_worth: impl FnOnce(&V) -> bool,
    ) -> V {
        let kept = self.0.load();
        if let Some(found) = kept.iter().find(|it| it.names.are(names)) {
            return found.value.clone();
        }
        let value = compute();
        if kept.len() < Self::VALUES_MAX && is_worth(&value) {
            let mut next = Vec::clone(&kept);
            next.push(NamedValue { names: names.to_owned(), value: value.clone() });
            // Of two that are added at once, one may be lost, and is computed again.
            self.0.store(Arc::new(next));
        }
        value
    }
}

impl TypeInLocale<&str> {
    fn to_owned(self) -> TypeInLocale<Box<str>> {
        TypeInLocale {
            workspace: self.workspace.into(),
            type_name: self.type_name.into(),
            locale: self.locale.map(Box::from),
        }
    }
}

impl TypeInLocale<Box<str>> {
    fn are(&self, names: TypeInLocale<&str>) -> bool {
        are_equal(self.type_name.as_bytes(), names.type_name.as_bytes())
            && are_equal(self.workspace.as_bytes(), names.workspace.as_bytes())
            && self.locale.as_deref() == names.locale
    }
}
