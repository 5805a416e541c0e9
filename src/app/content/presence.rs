//! The presence of users at entries. Clients report it regularly; it is kept in memory and expires
//! soon after the reports stop.

use schemars::JsonSchema;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;

/// The seconds for which a report counts.
pub const SECONDS: i64 = 45;

/// The most entries at which one user can be present.
const PLACES_OF_ONE_MAX: usize = 20;
/// The most entries with present users.
const PLACES_MAX: usize = 5_000;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryPlace {
    /// The workspace.
    pub workspace: String,
    /// The content type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The id.
    pub id: String,
}

/// A user who looks at an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Person {
    /// The user's id.
    pub id: String,
    /// The display name.
    pub name: String,
}

/// A change of the users at an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresenceUpdate {
    /// The entry.
    #[serde(flatten)]
    pub place: EntryPlace,
    /// All present users.
    pub users: Vec<Person>,
}

/// The body of a report.
#[derive(JsonSchema)]
#[schemars(rename = "Presence")]
pub struct PresenceReport {
    /// The content type.
    #[schemars(rename = "type")]
    type_name: String,
    /// The id or the slug of the entry.
    id: String,
    /// `false` when the caller has left.
    #[schemars(with = "Option<bool>")]
    present: bool,
}

impl PresenceReport {
    fn parse(body: &Map) -> ParsedBody<PresenceReport> {
        let mut input = ObjectReader::new(body);
        let (type_name, id) = (input.filled_text("type"), input.filled_text("id"));
        let present = input.flag("present").unwrap_or(true);
        input.finish(PresenceReport { type_name, id, present })
    }
}

/// The response to a report.
#[derive(Debug)]
pub struct PresenceStatus {
    /// All other present users.
    pub others: Vec<Person>,
    /// The change that others should be notified of.
    pub changed: Option<PresenceUpdate>,
}

/// A report, as servers that share a database pass it on.
#[derive(Debug, Serialize, Deserialize)]
struct PresenceSignal {
    place: EntryPlace,
    person: Person,
    present: bool,
}

/// The present users by entry.
#[derive(Default)]
pub struct Presence(Mutex<BTreeMap<EntryPlace, Vec<LastSeen>>>);

struct LastSeen {
    person: Person,
    at: Timestamp,
}

impl Presence {
    /// Records that a user is at an entry, or has left it.
    pub fn record_presence(
        &self,
        place: &EntryPlace,
        person: &Person,
        is_there: bool,
        now: Timestamp,
    ) -> PresenceStatus {
        let mut places = self.0.lock();
        let is_full = places.len() >= PLACES_MAX && !places.contains_key(place);
        let of_one = places.values().flatten().filter(|it| it.person.id == person.id).count();
        let here = places.get(place).map(Vec::as_slice).unwrap_or_default();
        let was_there = here.iter().any(|it| it.person == *person);
        // A user at very many entries is a program.
        let is_there = is_there && (was_there || !is_full && of_one < PLACES_OF_ONE_MAX);
        if is_there || was_there {
            let here = places.entry(place.clone()).or_default();
            here.retain(|it| it.person.id != person.id);
            if is_there {
                here.push(LastSeen { person: person.clone(), at: now });
            }
        }
        let users = list_people(places.get(place));
        if users.is_empty() {
            places.remove(place);
        }
        let others = users.iter().filter(|it| it.id != person.id).cloned().collect();
        let changed = was_there != is_there;
        let changed = changed.then(|| PresenceUpdate { place: place.clone(), users });
        PresenceStatus { others, changed }
    }

    /// Removes users whose last report is too old. Returns the changes.
    pub fn expire_stale(&self, now: Timestamp) -> Vec<PresenceUpdate> {
        let mut left = Vec::new();
        self.0.lock().retain(|place, here| {
            let before = here.len();
            here.retain(|it| now.seconds() - it.at.seconds() < SECONDS);
            if here.len() < before {
                let users = list_people(Some(here));
                left.push(PresenceUpdate { place: place.clone(), users });
            }
            !here.is_empty()
        });
        left
    }

    /// Takes down that the caller looks at an entry, which they may read, or does no longer.
    /// Returns also the text for other servers.
    pub fn update(
        &self,
        snapshot: &Snapshot,
        caller: &Caller,
        body: &Map,
        now: Timestamp,
    ) -> Result<(PresenceStatus, String)> {
        let report = PresenceReport::parse(body).into_result().map_err(Error::invalid)?;
        let (place, index) = content_types::find(snapshot, caller, &report.type_name)?;
        let view = View::new(snapshot, caller.viewer(), None);
        let found = view.find_entry(place, &report.id).and_then(|it| index.entry_at(it));
        let doc = found.ok_or_else(|| Error::not_found("entry", &report.id))?;
        let workspace = snapshot.workspace.to_string();
        let type_name = index.content_type.name.to_string();
        let place = EntryPlace { workspace, type_name, id: doc.id().to_string() };
        let (id, name) = caller.author_id_and_name();
        let (person, present) = (Person { id, name }, report.present);
        let status = self.record_presence(&place, &person, present, now);
        let signal = PresenceSignal { place, person, present };
        // A struct of strings can always be serialized.
        let signal = serde_json::to_string(&signal).unwrap_or_default();
        Ok((status, signal))
    }

    /// Takes down what was reported to another server.
    pub fn apply_signal(&self, signal: &str, now: Timestamp) -> Option<PresenceUpdate> {
        let PresenceSignal { place, person, present } = serde_json::from_str(signal).ok()?;
        self.record_presence(&place, &person, present, now).changed
    }
}

fn list_people(here: Option<&Vec<LastSeen>>) -> Vec<Person> {
    let mut people: Vec<Person> = here.into_iter().flatten().map(|it| it.person.clone()).collect();
    people.sort_by(|a, b| a.id.cmp(&b.id));
    people
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: &str) -> EntryPlace {
        EntryPlace { workspace: "w".into(), type_name: "posts".into(), id: id.into() }
    }

    fn person(id: &str) -> Person {
        Person { id: id.into(), name: id.to_uppercase() }
    }

    fn ids(people: &[Person]) -> String {
        people.iter().map(|it| it.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn people_come_stay_and_go() {
        let presence = Presence::default();
        let at = Timestamp::from_seconds;
        let say = |who: &str, there: bool, now: i64| {
            let said = presence.record_presence(&place("e"), &person(who), there, at(now));
            (ids(&said.others), said.changed.map(|it| ids(&it.users)))
        };
        let changed = |users: &str| Some(users.to_string());
        assert_eq!(say("b", true, 0), (String::new(), changed("b")));
        assert_eq!(say("a", true, 1), ("b".to_string(), changed("a b")));
        assert_eq!(say("b", true, 30), ("a".to_string(), None));
        assert_eq!(say("c", false, 30), ("a b".to_string(), None));
        let left = presence.expire_stale(at(46));
        assert_eq!(left.iter().map(|it| ids(&it.users)).collect::<Vec<_>>(), ["b"]);
        assert_eq!(presence.expire_stale(at(46)), []);
        assert_eq!(say("b", false, 47), (String::new(), changed("")));
        assert!(presence.0.lock().is_empty());
    }

    #[test]
    fn nobody_is_everywhere() {
        let presence = Presence::default();
        for n in 0..100 {
            presence.record_presence(
                &place(&n.to_string()),
                &person("a"),
                true,
                Timestamp::default(),
            );
        }
        assert_eq!(presence.0.lock().len(), PLACES_OF_ONE_MAX);
    }
}
