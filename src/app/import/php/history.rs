//! Revisions and the trash of the original.

use std::collections::BTreeMap;

use crate::app::import::import_set::EarlierState;
use crate::app::import::php::FILE_BYTES_MAX;
use crate::app::import::php::OriginalReader;
use crate::app::import::php::definition::OriginalType;
use crate::app::import::php::original_entry::OriginalEntries;
use crate::app::import::report::SourcePlace;
use crate::app::import::times::parse_time;
use crate::model::name::EntryId;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::stdx::id;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// A state of an entry with its name as a revision.
pub(super) type NamedState = (SourcePlace, RevisionName, Map);

/// The words in names of events of the original, with the events here.
const EVENTS: &[(&str, RevisionEvent)] = &[
    ("restor", RevisionEvent::Restore),
    ("bulk", RevisionEvent::Bulk),
    ("translation", RevisionEvent::Translation),
];

impl OriginalReader<'_> {
    /// Reads the revisions by type and slug, the oldest first.
    pub(super) fn read_history(&mut self) -> BTreeMap<(String, String), Vec<NamedState>> {
        let mut history: BTreeMap<(String, String), Vec<NamedState>> = BTreeMap::new();
        for (path, below) in self.list("revisions/content") {
            let parts: Vec<&str> = below.split('/').collect();
            let [of, slug, file] = parts.as_slice() else { continue };
            let Some(stem) = file.strip_suffix(".json") else { continue };
            let place = SourcePlace::of_file(&path);
            let Some(mut map) = self.read_json(&path, FILE_BYTES_MAX) else { continue };
            let Some(Json::Object(entry)) = map.remove("entry") else {
                self.set.report.add_skipped(place, "The revision has no entry.");
                continue;
            };
            match read_name(stem, &map) {
                Some(name) => {
                    let states = history.entry(((*of).to_string(), (*slug).to_string()));
                    states.or_default().push((place, name, entry));
                }
                None => self.set.report.add_skipped(place, "The revision has no time."),
            }
        }
        history
    }
}

impl OriginalEntries<'_> {
    /// Reads an earlier state of an entry. References that lead nowhere today are removed without
    /// a remark: there can be many.
    pub(super) fn read_state(
        &mut self,
        place: SourcePlace,
        ty: &OriginalType,
        name: RevisionName,
        map: &Map,
    ) -> EarlierState {
        let (altered, skipped) = (self.report.altered.len(), self.report.skipped.len());
        let stem = map.get("slug").and_then(Json::as_str).unwrap_or_default().to_string();
        let entry = self.read_entry(place.clone(), ty, &stem, map);
        self.report.altered.truncate(altered);
        self.report.skipped.truncate(skipped);
        EarlierState {
            place,
            values: entry.values,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            name,
        }
    }
}

/// Returns the name of a revision, whose file is called `<YmdHis>-<8 hexadecimal digits>`. It is
/// the same each time.
fn read_name(stem: &str, map: &Map) -> Option<RevisionName> {
    let text = |key: &str| map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty());
    let (digits, bits) = stem.split_once('-').unwrap_or((stem, ""));
    let time = text("created_at").and_then(parse_time).or_else(|| parse_digits(digits))?;
    let time_ms = u64::try_from(time.seconds()).ok()?.saturating_mul(1_000);
    let bits = u32::from_str_radix(bits, 16).unwrap_or_default();
    let event = text("event").unwrap_or_default();
    let known = EVENTS.iter().find(|(word, _)| event.contains(word));
    Some(RevisionName {
        id: EntryId::parse(&id::id_at(time_ms, bits)).ok()?,
        event: Some(known.map_or(RevisionEvent::Update, |(_, event)| *event)),
        by: text("created_by").map(str::to_string),
    })
}

/// Parses a time like `20240503120000`.
fn parse_digits(digits: &str) -> Option<Timestamp> {
    if digits.len() != 14 || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    let (day, time) = (
        [part(0, 4), part(4, 6), part(6, 8)].join("-"),
        [part(8, 10), part(10, 12), part(12, 14)].join(":"),
    );
    Timestamp::parse(&format!("{day}T{time}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn revisions_keep_their_time_event_and_author() {
        let check = |stem: &str, text: &str, expect: Option<(&str, RevisionEvent)>| {
            let found = read_name(stem, &map(text));
            let found = found.as_ref().map(|it| (id::time_ms(&it.id), it.event));
            let expect = expect.map(|(time, event)| {
                let seconds = Timestamp::parse(time).unwrap().seconds();
                (Some(u64::try_from(seconds).unwrap() * 1_000), Some(event))
            });
            assert_eq!(found, expect, "{stem} {text}");
        };
        let day = "2024-05-03T12:00:00Z";
        check("20240503120000-0a1b2c3d", "{}", Some((day, RevisionEvent::Update)));
        check(
            "x",
            r#"{"created_at":"2024-05-03 12:00:00","event":"entry.restored"}"#,
            Some((day, RevisionEvent::Restore)),
        );
        check("x", "{}", None);
        let name = |stem| read_name(stem, &Map::new()).unwrap().to_id();
        assert_eq!(name("20240503120000-0a1b2c3d"), name("20240503120000-0a1b2c3d"));
        assert_ne!(name("20240503120000-0a1b2c3d"), name("20240503120000-0a1b2c3e"));
    }
}
