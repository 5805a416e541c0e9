//! The cache of what the grants of a caller let them read, type by type.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::model::grant::row_rule::Reach;
use crate::stdx::checksum::Checksum;

/// The entries of one type that a caller may read.
#[derive(Clone, Debug)]
pub struct TypeReading {
    /// The reach over the entries.
    pub reach: Reach,
    /// True if a grant could allow reading an entry of the type, whatever others deny.
    pub could_read: bool,
}

/// The readings of the types that a caller has asked for. They depend on nothing but the grants and
/// the names that are asked for, so they never become stale: other grants are another value.
#[derive(Debug, Default)]
pub(super) struct ReadingCache(ArcSwap<BTreeMap<Checksum, CachedReading>>);

#[derive(Clone, Debug)]
struct CachedReading {
    workspace: Box<str>,
    type_name: Box<str>,
    locale: Option<Box<str>>,
    reading: TypeReading,
}

impl ReadingCache {
    /// The most readings of a caller that are kept: a few for each type. More start anew.
    const READINGS_MAX: usize = 1_024;

    pub(super) fn get_or_compute(
        &self,
        workspace: &str,
        type_name: &str,
        locale: Option<&str>,
        compute: impl FnOnce() -> TypeReading,
    ) -> TypeReading {
        let key = [workspace, type_name, locale.unwrap_or_default()]
            .map(|it| Checksum::of_bytes(it.as_bytes()))
            .into_iter()
            .fold(Checksum::default(), |sum, it| Checksum(sum.0.rotate_left(21)).plus(it));
        let kept = self.0.load();
        // Others may have the same sum.
        let is_asked_for = |it: &&CachedReading| {
            *it.workspace == *workspace
                && *it.type_name == *type_name
                && it.locale.as_deref() == locale
        };
        if let Some(found) = kept.get(&key).filter(is_asked_for) {
            return found.reading.clone();
        }
        let reading = compute();
        let mut next = match kept.len() < Self::READINGS_MAX {
            true => BTreeMap::clone(&kept),
            false => BTreeMap::new(),
        };
        let cached = CachedReading {
            workspace: workspace.into(),
            type_name: type_name.into(),
            locale: locale.map(Box::from),
            reading: reading.clone(),
        };
        next.insert(key, cached);
        // Of two that are added at once, one may be lost, and is computed again.
        self.0.store(Arc::new(next));
        reading
    }
}
