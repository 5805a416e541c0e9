//! The immutable index of the media files of a workspace, newest first.
//!
//! The next index after a change of a few files shares nearly everything with its predecessor.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::media::category::Categories;
use crate::model::media::category::CategoryPath;
use crate::model::name::Filename;
use crate::stdx::checksum::Checksum;
use crate::stdx::cow_list::ChunkList;
use crate::stdx::cow_list::SortedList;
use crate::stdx::cow_map::CowMap;

type MediaSlots = ChunkList<Option<Arc<MediaItem>>>;

/// A change of some files and of the declared categories.
#[derive(Clone, Debug, Default)]
pub struct MediaChanges {
    /// The changed files by name: their new state, or `None` if they are gone.
    pub items: Vec<(Filename, Option<Arc<MediaItem>>)>,
    /// The declared categories, if they changed.
    pub declared: Option<Categories>,
}

/// The index of all media files of a workspace.
#[derive(Clone, Default)]
pub struct MediaIndex {
    /// All categories: declared ones, those of files, and their ancestors.
    pub categories: Arc<Categories>,
    declared: Arc<Categories>,
    /// The number of files directly in each category.
    used: Arc<BTreeMap<CategoryPath, usize>>,
    /// The files by ordinal, which a file keeps as long as it exists.
    slots: MediaSlots,
    /// Ordinals without a file.
    free: Arc<Vec<u32>>,
    /// The ordinals, newest upload first, then by name from the end.
    order: SortedList,
    by_name: CowMap<Filename, u32>,
    /// The number of files for each case-folded name.
    by_folded_name: CowMap<Box<str>, u32>,
    public_sum: Checksum,
    sum: Checksum,
}

impl fmt::Debug for MediaIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MediaIndex of {}", self.len())
    }
}

impl MediaIndex {
    /// Builds the index from all files and the declared categories.
    pub fn build(mut items: Vec<Arc<MediaItem>>, declared: Categories) -> MediaIndex {
        items.sort_by(|a, b| compare_items(a, b));
        let ordinals = || 0..u32::try_from(items.len()).unwrap_or(u32::MAX);
        let mut index = MediaIndex {
            order: SortedList::from_sorted(ordinals().collect()),
            by_name: items.iter().map(|it| it.filename.clone()).zip(ordinals()).collect(),
            by_folded_name: CowMap::with_capacity(items.len()),
            declared: Arc::new(declared),
            ..MediaIndex::default()
        };
        items.iter().for_each(|it| index.add_to_totals(it));
        index.slots = items.into_iter().map(Some).collect();
        index.categories = Arc::new(index.collect_categories());
        index
    }

    /// Returns the index after some changes. The cost depends on the changes, not on the number of
    /// files.
    #[must_use]
    pub fn with_changes(&self, changes: &MediaChanges) -> MediaIndex {
        let mut next = self.clone();
        for (name, item) in &changes.items {
            next.remove_item(name);
            if let Some(item) = item {
                next.insert_item(item);
            }
        }
        if let Some(declared) = &changes.declared {
            next.declared = Arc::new(declared.clone());
        }
        let same_use = || next.used.keys().eq(self.used.keys());
        if changes.declared.is_some() || !same_use() {
            next.categories = Arc::new(next.collect_categories());
        }
        next
    }

    /// Returns the file of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<MediaItem>> {
        self.item_at(*self.by_name.get(name)?)
    }

    /// Returns true if a file has this name, ignoring case: on some systems they would be one file.
    pub fn is_name_taken(&self, name: &str) -> bool {
        self.by_folded_name.contains_key(&*fold_name(name))
    }

    /// Iterates over all files, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<MediaItem>> {
        self.order.iter().filter_map(|ordinal| self.item_at(ordinal))
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns true if there is no file.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns the categories that `workspace.json` declares, and their ancestors.
    pub fn declared(&self) -> &Categories {
        &self.declared
    }

    /// Returns the checksum over all files, or over the public ones.
    pub fn sum(&self, public_only: bool) -> Checksum {
        if public_only { self.public_sum } else { self.sum }
    }

    fn item_at(&self, ordinal: u32) -> Option<&Arc<MediaItem>> {
        self.slots.get(ordinal as usize)?.as_ref()
    }

    fn remove_item(&mut self, name: &Filename) {
        let Some(ordinal) = self.by_name.remove(name) else { return };
        let Some(item) = self.item_at(ordinal).cloned() else { return };
        self.order.remove_by(ordinal, |it| compare_slot(&self.slots, it, &item));
        self.slots.set(ordinal as usize, None);
        Arc::make_mut(&mut self.free).push(ordinal);
        self.remove_from_totals(&item);
    }

    fn insert_item(&mut self, item: &Arc<MediaItem>) {
        let ordinal = match Arc::make_mut(&mut self.free).pop() {
            Some(ordinal) => {
                self.slots.set(ordinal as usize, Some(item.clone()));
                ordinal
            }
            None => {
                let Ok(ordinal) = u32::try_from(self.slots.len()) else { return };
                self.slots.push(Some(item.clone()));
                ordinal
            }
        };
        self.order.insert_by(ordinal, |it| compare_slot(&self.slots, it, item));
        self.by_name.insert(item.filename.clone(), ordinal);
        self.add_to_totals(item);
    }

    fn add_to_totals(&mut self, item: &MediaItem) {
        let sum = sum_item(item);
        self.sum = self.sum.plus(sum);
        if item.visibility == Visibility::Public {
            self.public_sum = self.public_sum.plus(sum);
        }
        let name = fold_name(&item.filename);
        let same = self.by_folded_name.get(&*name).copied().unwrap_or_default();
        self.by_folded_name.insert(name, same.saturating_add(1));
        if let Some(category) = &item.category {
            *Arc::make_mut(&mut self.used).entry(category.clone()).or_default() += 1;
        }
    }

    fn remove_from_totals(&mut self, item: &MediaItem) {
        let sum = sum_item(item);
        self.sum = self.sum.minus(sum);
        if item.visibility == Visibility::Public {
            self.public_sum = self.public_sum.minus(sum);
        }
        let name = fold_name(&item.filename);
        match self.by_folded_name.get(&*name).copied() {
            Some(same) if same > 1 => _ = self.by_folded_name.insert(name, same - 1),
            _ => _ = self.by_folded_name.remove(&*name),
        }
        if let Some(category) = &item.category {
            let used = Arc::make_mut(&mut self.used);
            match used.get_mut(category) {
                Some(files) if *files > 1 => *files -= 1,
                _ => _ = used.remove(category),
            }
        }
    }

    fn collect_categories(&self) -> Categories {
        let mut categories = self.declared.as_ref().clone();
        categories.extend(self.used.keys());
        categories
    }
}

/// Compares in the default order of lists, newest first. Ties have the direction of the only key.
fn compare_items(a: &MediaItem, b: &MediaItem) -> Ordering {
    (b.uploaded_at, &b.filename).cmp(&(a.uploaded_at, &a.filename))
}

/// Compares the file of an ordinal with another one. Every ordinal in the order has a file.
fn compare_slot(slots: &MediaSlots, ordinal: u32, item: &MediaItem) -> Ordering {
    let other = slots.get(ordinal as usize).and_then(Option::as_deref);
    other.map_or(Ordering::Less, |other| compare_items(other, item))
}

/// Returns the checksum of everything that responses say about a file.
pub fn sum_item(item: &MediaItem) -> Checksum {
    Checksum::of_bytes(format!("{item:?}").as_bytes())
}

fn fold_name(name: &str) -> Box<str> {
    name.to_lowercase().into()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::model::media::MediaMeta;
    use crate::model::media::MediaTag;
    use crate::stdx::time::Timestamp;

    fn item(name: &str, category: u8, at: u8, private: bool) -> Arc<MediaItem> {
        let path = ["", "a", "a/b", "c/d"][usize::from(category % 4)];
        let meta = MediaMeta {
            category: CategoryPath::parse(path).ok(),
            visibility: if private { Visibility::Private } else { Visibility::Public },
            uploaded_at: Some(Timestamp::from_seconds(i64::from(at))),
            ..MediaMeta::default()
        };
        let filename = Filename::parse(name).unwrap();
        let modified = Timestamp::default();
        Arc::new(MediaItem::new(
            filename,
            "image/png",
            1,
            modified,
            MediaTag::of_state(Checksum::default()),
            meta,
        ))
    }

    #[test]
    fn names_are_taken_in_every_case() {
        let index = MediaIndex::build(vec![item("Ä.png", 0, 0, false)], Categories::new());
        assert!(
            index.is_name_taken("ä.png")
                && index.is_name_taken("Ä.PNG")
                && !index.is_name_taken("a.png")
        );
        assert!(index.get("Ä.png").is_some() && index.get("ä.png").is_none());
    }

    proptest! {
        #[test]
        fn the_next_index_is_as_if_built_anew(
            steps in vec(
                (vec((0..12u8, any::<bool>(), 0..4u8, 0..3u8, any::<bool>()), 0..5), 0..6u8),
                1..12,
            )
        ) {
            let mut index = MediaIndex::default();
            let mut files: BTreeMap<Filename, Arc<MediaItem>> = BTreeMap::new();
            let mut declared = Categories::new();
            for (changed, category) in steps {
                let mut changes = MediaChanges::default();
                for (name, there, category, at, private) in changed {
                    // Some names differ only in case.
                    let text = if name < 6 { format!("f{name}") } else { format!("F{}", name - 6) };
                    let item = there.then(|| item(&text, category, at, private));
                    let name = Filename::parse(&text).unwrap();
                    changes.items.push((name.clone(), item.clone()));
                    match item {
                        Some(item) => _ = files.insert(name, item),
                        None => _ = files.remove(&name),
                    }
                }
                if category < 3 {
                    declared = Categories::new();
                    declared.insert(&CategoryPath::parse(&format!("x/{category}")).unwrap());
                    changes.declared = Some(declared.clone());
                }
                index = index.with_changes(&changes);
                let built =
                    MediaIndex::build(files.values().cloned().collect(), declared.clone());
                prop_assert!(index.iter().eq(built.iter()));
                prop_assert_eq!(index.len(), built.len());
                prop_assert_eq!(&index.categories, &built.categories);
                prop_assert_eq!(index.declared(), built.declared());
                for public_only in [false, true] {
                    prop_assert_eq!(index.sum(public_only), built.sum(public_only));
                }
                for name in 0..6 {
                    for text in [format!("f{name}"), format!("F{name}")] {
                        prop_assert_eq!(index.get(&text), built.get(&text));
                        prop_assert_eq!(index.is_name_taken(&text), built.is_name_taken(&text));
                    }
                }
            }
        }
    }
}
