//! The media files of a workspace as an immutable index, newest first.
//!
//! The next index after a change of a few files shares nearly everything with the one before.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::model::category::Categories;
use crate::model::category::CategoryPath;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::name::Filename;
use crate::stdx::list::ChunkList;
use crate::stdx::list::SortedList;
use crate::stdx::map::CowMap;
use crate::stdx::sum::Sum;

type Slots = ChunkList<Option<Arc<MediaItem>>>;

/// What became of some files and of the declared categories.
#[derive(Clone, Debug, Default)]
pub struct MediaChanges {
    /// Files by name: as they are now, or nothing for those that are gone.
    pub items: Vec<(Filename, Option<Arc<MediaItem>>)>,
    /// The declared categories, when they are others.
    pub declared: Option<Categories>,
}

/// All media files of a workspace.
#[derive(Clone, Default)]
pub struct MediaIndex {
    /// Grows with every change.
    pub generation: u64,
    /// All categories: declared ones, those of files, and what they are within.
    pub categories: Arc<Categories>,
    declared: Arc<Categories>,
    /// How many files are directly in each category.
    used: Arc<BTreeMap<CategoryPath, usize>>,
    /// Files by the ordinal they keep as long as they are there.
    slots: Slots,
    /// Ordinals that are of no file any more.
    free: Arc<Vec<u32>>,
    /// Newest upload first, then by name.
    order: SortedList,
    by_name: CowMap<Filename, u32>,
    /// How many files have the same name but for the case of its letters.
    by_folded_name: CowMap<Box<str>, u32>,
    public_sum: Sum,
    sum: Sum,
}

impl fmt::Debug for MediaIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MediaIndex of {}", self.len())
    }
}

impl MediaIndex {
    /// Builds the index from all files and the declared categories.
    pub fn build(
        mut items: Vec<Arc<MediaItem>>,
        declared: Categories,
        generation: u64,
    ) -> MediaIndex {
        items.sort_by(|a, b| compare(a, b));
        let ordinals = || 0..u32::try_from(items.len()).unwrap_or(u32::MAX);
        let mut index = MediaIndex {
            generation,
            order: SortedList::from_sorted(ordinals().collect()),
            by_name: items.iter().map(|it| it.filename.clone()).zip(ordinals()).collect(),
            by_folded_name: CowMap::with_capacity(items.len()),
            declared: Arc::new(declared),
            ..MediaIndex::default()
        };
        items.iter().for_each(|it| index.count(it));
        index.slots = items.into_iter().map(Some).collect();
        index.categories = Arc::new(index.all_categories());
        index
    }

    /// The index after some changes; costs what they cost, however many files there are.
    #[must_use]
    pub fn with(&self, changes: &MediaChanges, generation: u64) -> MediaIndex {
        let mut next = MediaIndex { generation, ..self.clone() };
        for (name, item) in &changes.items {
            next.take_out(name);
            if let Some(item) = item {
                next.put_in(item);
            }
        }
        if let Some(declared) = &changes.declared {
            next.declared = Arc::new(declared.clone());
        }
        let same_use = || next.used.keys().eq(self.used.keys());
        if changes.declared.is_some() || !same_use() {
            next.categories = Arc::new(next.all_categories());
        }
        next
    }

    /// The file of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<MediaItem>> {
        self.at(*self.by_name.get(name)?)
    }

    /// Whether a file has this name, in whatever case: on some systems they would be one file.
    pub fn is_taken(&self, name: &str) -> bool {
        self.by_folded_name.contains_key(&*folded(name))
    }

    /// All files, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<MediaItem>> {
        self.order.iter().filter_map(|ordinal| self.at(ordinal))
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The categories that the workspace's file declares, and what they are within.
    pub fn declared(&self) -> &Categories {
        &self.declared
    }

    /// The sum over all files, or over the public ones.
    pub fn sum(&self, public_only: bool) -> Sum {
        if public_only { self.public_sum } else { self.sum }
    }

    fn at(&self, ordinal: u32) -> Option<&Arc<MediaItem>> {
        self.slots.get(ordinal as usize)?.as_ref()
    }

    fn take_out(&mut self, name: &Filename) {
        let Some(ordinal) = self.by_name.remove(name) else { return };
        let Some(item) = self.at(ordinal).cloned() else { return };
        self.order.remove_by(ordinal, |it| against(&self.slots, it, &item));
        self.slots.set(ordinal as usize, None);
        Arc::make_mut(&mut self.free).push(ordinal);
        self.discount(&item);
    }

    fn put_in(&mut self, item: &Arc<MediaItem>) {
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
        self.order.insert_by(ordinal, |it| against(&self.slots, it, item));
        self.by_name.insert(item.filename.clone(), ordinal);
        self.count(item);
    }

    fn count(&mut self, item: &MediaItem) {
        let sum = sum_of(item);
        self.sum = self.sum.plus(sum);
        if item.visibility == Visibility::Public {
            self.public_sum = self.public_sum.plus(sum);
        }
        let name = folded(&item.filename);
        let same = self.by_folded_name.get(&*name).copied().unwrap_or_default();
        self.by_folded_name.insert(name, same.saturating_add(1));
        if let Some(category) = &item.category {
            *Arc::make_mut(&mut self.used).entry(category.clone()).or_default() += 1;
        }
    }

    fn discount(&mut self, item: &MediaItem) {
        let sum = sum_of(item);
        self.sum = self.sum.minus(sum);
        if item.visibility == Visibility::Public {
            self.public_sum = self.public_sum.minus(sum);
        }
        let name = folded(&item.filename);
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

    fn all_categories(&self) -> Categories {
        let mut categories = self.declared.as_ref().clone();
        categories.extend(self.used.keys());
        categories
    }
}

fn compare(a: &MediaItem, b: &MediaItem) -> Ordering {
    b.uploaded_at.cmp(&a.uploaded_at).then_with(|| a.filename.cmp(&b.filename))
}

/// How the file of an ordinal stands to another; every ordinal in the order has a file.
fn against(slots: &Slots, ordinal: u32, item: &MediaItem) -> Ordering {
    let other = slots.get(ordinal as usize).and_then(Option::as_deref);
    other.map_or(Ordering::Less, |other| compare(other, item))
}

/// The sum of everything that answers say of a file.
fn sum_of(item: &MediaItem) -> Sum {
    Sum::of(format!("{item:?}").as_bytes())
}

fn folded(name: &str) -> Box<str> {
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
            MediaTag::of_state(Sum::default()),
            meta,
        ))
    }

    #[test]
    fn names_are_taken_in_every_case() {
        let index = MediaIndex::build(vec![item("Ä.png", 0, 0, false)], Categories::new(), 1);
        assert!(index.is_taken("ä.png") && index.is_taken("Ä.PNG") && !index.is_taken("a.png"));
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
            for (generation, (changed, category)) in (1..).zip(steps) {
                let mut changes = MediaChanges::default();
                for (name, there, category, at, private) in changed {
                    // Some names differ by case alone.
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
                index = index.with(&changes, generation);
                let built =
                    MediaIndex::build(files.values().cloned().collect(), declared.clone(), generation);
                prop_assert!(index.iter().eq(built.iter()));
                prop_assert_eq!(index.len(), built.len());
                prop_assert_eq!(&index.categories, &built.categories);
                prop_assert_eq!(index.declared(), built.declared());
                prop_assert_eq!(index.generation, built.generation);
                for public_only in [false, true] {
                    prop_assert_eq!(index.sum(public_only), built.sum(public_only));
                }
                for name in 0..6 {
                    for text in [format!("f{name}"), format!("F{name}")] {
                        prop_assert_eq!(index.get(&text), built.get(&text));
                        prop_assert_eq!(index.is_taken(&text), built.is_taken(&text));
                    }
                }
            }
        }
    }
}
