//! What of a changed container comes from its source.

use std::collections::HashMap;
use std::collections::VecDeque;

use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// Objects with more keys are searched through a map.
const SEARCHED_MAX: usize = 16;

/// One member or item to be written.
pub(super) struct Slot<'v> {
    /// Which one of the source it is, if any.
    pub(super) from: Option<usize>,
    /// The key of a new member.
    pub(super) key: Option<&'v str>,
    pub(super) value: &'v Json,
}

/// The members of `map`: those of `old` in their order, each followed by the new ones that follow
/// it in `map`.
pub(super) fn member_slots<'v>(old: &Map, map: &'v Map) -> Vec<Slot<'v>> {
    let olds = Index::of(old);
    let mut rank = 0;
    let ranked = map.iter().map(|(key, value)| match olds.find(key) {
        Some(from) => {
            rank = 2 * from + 2;
            (rank - 1, Slot { from: Some(from), key: Some(key), value })
        }
        None => (rank, Slot { from: None, key: Some(key), value }),
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, slot)| slot).collect()
}

/// The members of `map` in its own order.
pub(super) fn given_slots<'v>(old: &Map, map: &'v Map) -> Vec<Slot<'v>> {
    let olds = Index::of(old);
    map.iter().map(|(key, value)| Slot { from: olds.find(key), key: Some(key), value }).collect()
}

/// The items of an array: those that were there wherever they are now, the others as changes of
/// those that stood in their place.
pub(super) fn item_slots<'v>(old: &[Json], items: &'v [Json]) -> Vec<Slot<'v>> {
    let alike = |(old, new): &(&Json, &Json)| same(old, new);
    let front = old.iter().zip(items).take_while(alike).count();
    let (old_rest, new_rest) = (&old[front..], &items[front..]);
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(alike).count();
    let (old_middle, new_middle) =
        (&old_rest[..old_rest.len() - back], &new_rest[..new_rest.len() - back]);
    let middle = pairs(old_middle, new_middle).into_iter().map(|it| it.map(|at| front + at));
    let from = (0..front).map(Some).chain(middle).chain((old.len() - back..old.len()).map(Some));
    items.iter().zip(from).map(|(value, from)| Slot { from, key: None, value }).collect()
}

/// For each new item the old one that it is, or else was.
fn pairs(old: &[Json], new: &[Json]) -> Vec<Option<usize>> {
    let mut known: HashMap<Sum, VecDeque<usize>> = HashMap::new();
    for (at, item) in old.iter().enumerate() {
        known.entry(sum(item)).or_default().push_back(at);
    }
    let mut taken = vec![false; old.len()];
    let mut take = |item: &Json| {
        let queue = known.get_mut(&sum(item))?;
        let at = *queue.front()?;
        let found = same(&old[at], item).then(|| queue.pop_front());
        found.flatten().inspect(|at| taken[*at] = true)
    };
    let mut from: Vec<Option<usize>> = new.iter().map(&mut take).collect();
    let mut next = 0;
    for place in &mut from {
        match place {
            Some(at) => next = *at + 1,
            None if taken.get(next) == Some(&false) => {
                taken[next] = true;
                *place = Some(next);
                next += 1;
            }
            None => {}
        }
    }
    from
}

/// Where the keys of an object are.
enum Index<'a> {
    Few(Vec<&'a str>),
    Many(HashMap<&'a str, usize>),
}

impl<'a> Index<'a> {
    fn of(map: &'a Map) -> Index<'a> {
        let keys = map.iter().map(|(key, _)| key);
        if map.len() <= SEARCHED_MAX {
            Index::Few(keys.collect())
        } else {
            Index::Many(keys.enumerate().map(|(at, key)| (key, at)).collect())
        }
    }

    fn find(&self, key: &str) -> Option<usize> {
        match self {
            Index::Few(keys) => keys.iter().position(|it| *it == key),
            Index::Many(places) => places.get(key).copied(),
        }
    }
}

/// Whether two values are the same but for the order of keys.
pub(super) fn same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new))
        }
        (Json::Object(old), Json::Object(new)) => old.len() == new.len() && same_members(old, new),
        _ => old == new,
    }
}

fn same_members(old: &Map, new: &Map) -> bool {
    if old.iter().zip(new.iter()).all(|((old, _), (new, _))| old == new) {
        return old.iter().zip(new.iter()).all(|((_, old), (_, new))| same(old, new));
    }
    let index = Index::of(old);
    let olds: Vec<&Json> = old.iter().map(|(_, value)| value).collect();
    new.iter().all(|(key, value)| index.find(key).is_some_and(|at| same(olds[at], value)))
}

/// A sum that is equal for values that are the [`same`].
fn sum(value: &Json) -> Sum {
    match value {
        Json::Array(items) => {
            let mut summer = Summer::new();
            summer.part(b"[");
            items.iter().for_each(|it| _ = summer.number(sum(it).0));
            summer.finish()
        }
        Json::Object(map) => map.iter().fold(Sum::of(b"{"), |all, (key, value)| {
            all.plus(Summer::new().part(key.as_bytes()).number(sum(value).0).finish())
        }),
        scalar => scalar.sum(),
    }
}
