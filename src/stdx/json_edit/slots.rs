//! Matching of the children of a changed container with those of its source.

use std::collections::HashMap;
use std::collections::VecDeque;

use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The maximum number of keys of an object that is searched without an index.
const SEARCHED_MAX: usize = 16;

/// A member or item to write.
pub(super) struct ChildSlot<'v> {
    /// The index in the source, if it is from there.
    pub(super) from: Option<usize>,
    /// The key of a new member.
    pub(super) key: Option<&'v str>,
    pub(super) value: &'v Json,
}

/// Returns the members of `map`: those of `old` in their order, each followed by the new ones that
/// follow it in `map`.
pub(super) fn member_slots<'v>(old: &Map, map: &'v Map) -> Vec<ChildSlot<'v>> {
    let olds = KeyIndex::from_map(old);
    let mut rank = 0;
    let ranked = map.iter().map(|(key, value)| match olds.find(key) {
        Some(from) => {
            rank = 2 * from + 2;
            (rank - 1, ChildSlot { from: Some(from), key: Some(key), value })
        }
        None => (rank, ChildSlot { from: None, key: Some(key), value }),
    });
    let mut ranked: Vec<_> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, slot)| slot).collect()
}

/// Returns the members of `map` in its own order.
pub(super) fn given_slots<'v>(old: &Map, map: &'v Map) -> Vec<ChildSlot<'v>> {
    let olds = KeyIndex::from_map(old);
    map.iter()
        .map(|(key, value)| ChildSlot { from: olds.find(key), key: Some(key), value })
        .collect()
}

/// Returns the items of an array: unchanged items are matched wherever they are, the others are
/// changes of the items in their place.
pub(super) fn item_slots<'v>(old: &[Json], items: &'v [Json]) -> Vec<ChildSlot<'v>> {
    let alike = |(old, new): &(&Json, &Json)| is_same(old, new);
    let front = old.iter().zip(items).take_while(alike).count();
    let (old_rest, new_rest) = (&old[front..], &items[front..]);
    let back = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(alike).count();
    let (old_middle, new_middle) =
        (&old_rest[..old_rest.len() - back], &new_rest[..new_rest.len() - back]);
    let middle = pair_items(old_middle, new_middle).into_iter().map(|it| it.map(|at| front + at));
    let from = (0..front).map(Some).chain(middle).chain((old.len() - back..old.len()).map(Some));
    items.iter().zip(from).map(|(value, from)| ChildSlot { from, key: None, value }).collect()
}

/// Returns for each new item the index of the equal old one, or else of the one it replaces.
fn pair_items(old: &[Json], new: &[Json]) -> Vec<Option<usize>> {
    let mut known: HashMap<Checksum, VecDeque<usize>> = HashMap::new();
    for (at, item) in old.iter().enumerate() {
        known.entry(compute_checksum(item)).or_default().push_back(at);
    }
    let mut taken = vec![false; old.len()];
    let mut take = |item: &Json| {
        let queue = known.get_mut(&compute_checksum(item))?;
        let at = *queue.front()?;
        let found = is_same(&old[at], item).then(|| queue.pop_front());
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

/// Returns a value as a text represents it in which it took the place of `old`: the members are in
/// the order of the text.
pub fn order_as_written(old: &Json, value: &Json) -> Json {
    match (old, value) {
        (Json::Object(old), Json::Object(map)) if !old.is_empty() && !map.is_empty() => {
            let olds: Vec<&Json> = old.iter().map(|(_, value)| value).collect();
            let member = |it: &ChildSlot<'_>| Some((it.key?.to_string(), order_child(&olds, it)));
            Json::Object(member_slots(old, map).iter().filter_map(member).collect())
        }
        (Json::Array(old), Json::Array(items)) if !old.is_empty() && !items.is_empty() => {
            let olds: Vec<&Json> = old.iter().collect();
            let slots = item_slots(old, items);
            Json::Array(slots.iter().map(|it| order_child(&olds, it)).collect())
        }
        // Zeros are equal, whatever their sign.
        (Json::Number(number), Json::Number(same)) if number == same => old.clone(),
        (_, value) => value.clone(),
    }
}

fn order_child(olds: &[&Json], slot: &ChildSlot<'_>) -> Json {
    match slot.from.and_then(|from| olds.get(from)) {
        Some(old) => order_as_written(old, slot.value),
        None => slot.value.clone(),
    }
}

/// An index of the keys of an object.
enum KeyIndex<'a> {
    Few(Vec<&'a str>),
    Many(HashMap<&'a str, usize>),
}

impl<'a> KeyIndex<'a> {
    fn from_map(map: &'a Map) -> KeyIndex<'a> {
        let keys = map.iter().map(|(key, _)| key);
        if map.len() <= SEARCHED_MAX {
            KeyIndex::Few(keys.collect())
        } else {
            KeyIndex::Many(keys.enumerate().map(|(at, key)| (key, at)).collect())
        }
    }

    fn find(&self, key: &str) -> Option<usize> {
        match self {
            KeyIndex::Few(keys) => keys.iter().position(|it| *it == key),
            KeyIndex::Many(places) => places.get(key).copied(),
        }
    }
}

/// Returns true if two values are equal, ignoring the order of keys.
pub(super) fn is_same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }
        (Json::Object(old), Json::Object(new)) => old.len() == new.len() && same_members(old, new),
        _ => old == new,
    }
}

fn same_members(old: &Map, new: &Map) -> bool {
    if old.iter().zip(new.iter()).all(|((old, _), (new, _))| old == new) {
        return old.iter().zip(new.iter()).all(|((_, old), (_, new))| is_same(old, new));
    }
    let index = KeyIndex::from_map(old);
    let olds: Vec<&Json> = old.iter().map(|(_, value)| value).collect();
    new.iter().all(|(key, value)| index.find(key).is_some_and(|at| is_same(olds[at], value)))
}

/// Returns a checksum that is equal for values that are [the same](is_same).
fn compute_checksum(value: &Json) -> Checksum {
    match value {
        Json::Array(items) => {
            let mut summer = ChecksumBuilder::new();
            summer.add_part(b"[");
            items.iter().for_each(|it| _ = summer.add_number(compute_checksum(it).0));
            summer.finish()
        }
        Json::Object(map) => map.iter().fold(Checksum::of_bytes(b"{"), |all, (key, value)| {
            all.plus(
                ChecksumBuilder::new()
                    .add_part(key.as_bytes())
                    .add_number(compute_checksum(value).0)
                    .finish(),
            )
        }),
        scalar => scalar.compute_checksum(),
    }
}
