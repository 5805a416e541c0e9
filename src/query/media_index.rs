//! The media files of a workspace as an immutable index, newest first.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::category::Categories;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::name::Filename;
use crate::stdx::sum::Sum;

/// The sum of everything that answers say of a file.
fn sum_of(item: &MediaItem) -> Sum {
    Sum::of(format!("{item:?}").as_bytes())
}

/// All media files of a workspace.
#[derive(Debug, Default)]
pub struct MediaIndex {
    /// Grows with every change.
    pub generation: u64,
    /// Newest upload first, then by name.
    items: Vec<Arc<MediaItem>>,
    by_name: HashMap<Filename, usize>,
    /// All categories: declared ones, those of files, and what they are within.
    pub categories: Categories,
    public_sum: Sum,
    sum: Sum,
}

impl MediaIndex {
    /// Builds the index from all files and the declared categories.
    pub fn build(
        mut items: Vec<Arc<MediaItem>>,
        mut categories: Categories,
        generation: u64,
    ) -> MediaIndex {
        items.sort_by(|a, b| {
            b.uploaded_at.cmp(&a.uploaded_at).then_with(|| a.filename.cmp(&b.filename))
        });
        items.iter().filter_map(|it| it.category.as_ref()).for_each(|it| categories.insert(it));
        let by_name = items.iter().enumerate().map(|(at, it)| (it.filename.clone(), at)).collect();
        let mut index = MediaIndex { generation, by_name, categories, ..MediaIndex::default() };
        for item in &items {
            index.sum = index.sum.plus(sum_of(item));
            if item.visibility == Visibility::Public {
                index.public_sum = index.public_sum.plus(sum_of(item));
            }
        }
        index.items = items;
        index
    }

    /// The file of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<MediaItem>> {
        self.items.get(*self.by_name.get(name)?)
    }

    /// All files, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<MediaItem>> {
        self.items.iter()
    }

    /// The number of files.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The sum over all files, or over the public ones.
    pub fn sum(&self, public_only: bool) -> Sum {
        if public_only { self.public_sum } else { self.sum }
    }
}
