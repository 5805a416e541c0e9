//! Who looks at which entry. It is said again every so often, lives in memory, and is forgotten soon
//! after somebody has stopped saying it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::problem::FieldProblems;
use crate::query::snapshot::Snapshot;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// How long somebody counts as there after saying so.
pub const SECONDS: i64 = 45;

/// At how many entries one user, and all together, can be at a time.
const PLACES_OF_ONE_MAX: usize = 20;
const PLACES_MAX: usize = 5_000;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The workspace it is in.
    pub workspace: String,
    /// Its content type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its id.
    pub id: String,
}

/// Somebody who looks at an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The user's id.
    pub id: String,
    /// What people call them.
    pub name: String,
}

/// Who looks at an entry since something about that has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gathering {
    /// The entry.
    #[serde(flatten)]
    pub place: Place,
    /// Everybody who is there.
    pub users: Vec<Person>,
}

/// What is said after somebody has said where they are.
#[derive(Debug)]
pub struct Greeting {
    /// Everybody else who is there.
    pub others: Vec<Person>,
    /// What others should hear of.
    pub changed: Option<Gathering>,
}

/// Who is where.
#[derive(Default)]
pub struct Presence(Mutex<BTreeMap<Place, Vec<Seen>>>);

struct Seen {
    person: Person,
    at: Timestamp,
}

impl Presence {
    /// Somebody is at an entry, or has left it.
    pub fn at(&self, place: &Place, person: &Person, is_there: bool, now: Timestamp) -> Greeting {
        let mut places = self.lock();
        let is_full = places.len() >= PLACES_MAX && !places.contains_key(place);
        let of_one = places.values().flatten().filter(|it| it.person.id == person.id).count();
        let here = places.get(place).map(Vec::as_slice).unwrap_or_default();
        let was_there = here.iter().any(|it| it.person == *person);
        // Whoever is everywhere is somebody's program.
        let is_there = is_there && (was_there || !is_full && of_one < PLACES_OF_ONE_MAX);
        if is_there || was_there {
            let here = places.entry(place.clone()).or_default();
            here.retain(|it| it.person.id != person.id);
            if is_there {
                here.push(Seen { person: person.clone(), at: now });
            }
        }
        let users = people(places.get(place));
        if users.is_empty() {
            places.remove(place);
        }
        let others = users.iter().filter(|it| it.id != person.id).cloned().collect();
        let changed = was_there != is_there;
        let changed = changed.then(|| Gathering { place: place.clone(), users });
        Greeting { others, changed }
    }

    /// Forgets whoever has not said for a while that they are there.
    pub fn forget(&self, now: Timestamp) -> Vec<Gathering> {
        let mut left = Vec::new();
        self.lock().retain(|place, here| {
            let before = here.len();
            here.retain(|it| now.seconds() - it.at.seconds() < SECONDS);
            if here.len() < before {
                let users = people(Some(here));
                left.push(Gathering { place: place.clone(), users });
            }
            !here.is_empty()
        });
        left
    }

    // The map is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Place, Vec<Seen>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn people(here: Option<&Vec<Seen>>) -> Vec<Person> {
    let mut people: Vec<Person> = here.into_iter().flatten().map(|it| it.person.clone()).collect();
    people.sort_by(|a, b| a.id.cmp(&b.id));
    people
}

/// Takes down that the caller looks at an entry, which they may read, or does no longer.
pub fn say(app: &App, snapshot: &Snapshot, caller: &Caller, body: &Map) -> Result<Greeting> {
    let mut problems = FieldProblems::new();
    let mut text = |key: &str| match body.get(key).and_then(Json::as_str) {
        Some(text) if !text.is_empty() => text.to_string(),
        _ => {
            problems.add(key, "This must be a text.");
            String::new()
        }
    };
    let (type_name, name) = (text("type"), text("id"));
    let is_there = match body.get("present") {
        None | Some(Json::Null) => true,
        Some(Json::Bool(present)) => *present,
        Some(_) => {
            problems.add("present", "This must be true or false.");
            true
        }
    };
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    let (place, index) = content_types::find(snapshot, caller, &type_name)?;
    let view = View::new(snapshot, caller.eyes(), None);
    let found = view.find(place, &name).and_then(|it| index.doc(it));
    let doc = found.ok_or_else(|| Error::not_found("entry", &name))?;
    let workspace = snapshot.workspace.to_string();
    let type_name = index.content_type.name.to_string();
    let place = Place { workspace, type_name, id: doc.id.to_string() };
    let (id, name) = caller.written_down();
    Ok(app.presence.at(&place, &Person { id, name }, is_there, app.engine.clock().now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(id: &str) -> Place {
        Place { workspace: "w".into(), type_name: "posts".into(), id: id.into() }
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
            let said = presence.at(&place("e"), &person(who), there, at(now));
            (ids(&said.others), said.changed.map(|it| ids(&it.users)))
        };
        let changed = |users: &str| Some(users.to_string());
        assert_eq!(say("b", true, 0), (String::new(), changed("b")));
        assert_eq!(say("a", true, 1), ("b".to_string(), changed("a b")));
        assert_eq!(say("b", true, 30), ("a".to_string(), None));
        assert_eq!(say("c", false, 30), ("a b".to_string(), None));
        let left = presence.forget(at(46));
        assert_eq!(left.iter().map(|it| ids(&it.users)).collect::<Vec<_>>(), ["b"]);
        assert_eq!(presence.forget(at(46)), []);
        assert_eq!(say("b", false, 47), (String::new(), changed("")));
        assert!(presence.lock().is_empty());
    }

    #[test]
    fn nobody_is_everywhere() {
        let presence = Presence::default();
        for n in 0..100 {
            presence.at(&place(&n.to_string()), &person("a"), true, Timestamp::default());
        }
        assert_eq!(presence.lock().len(), PLACES_OF_ONE_MAX);
    }
}
