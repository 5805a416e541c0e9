//! What the product answers is what the contract says, for random workspaces, callers and queries,
//! before and after changes.

use std::sync::Arc;

use recto::app::App;
use recto::app::error::Code;
use recto::query::index::snapshot::Snapshot;
use recto::stdx::json::Json;

use crate::support::oracle::Answer;
use crate::support::oracle::Oracle;
use crate::support::property::run;
use crate::support::random_content::LATER;
use crate::support::random_content::TYPES;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::time;
use crate::support::random_queries::Ask;
use crate::support::reads::Got;
use crate::support::reads::app;
use crate::support::reads::engine;
use crate::support::reads::list;
use crate::support::reads::show;

/// The body without warnings, which are for people.
fn plain(got: &Got) -> Answer {
    match got {
        Err(Code::Forbidden) => Answer::Forbidden,
        Err(_) => Answer::NotFound,
        Ok((body, _)) => {
            let Ok(Json::Object(mut map)) = Json::parse(body) else { panic!("{body:?}") };
            if let Some(Json::Object(meta)) = map.get("meta") {
                let mut meta = meta.clone();
                meta.remove("warnings");
                if meta.is_empty() {
                    map.remove("meta");
                } else {
                    map.set("meta", meta.into());
                }
            }
            Answer::Body(map.into())
        }
    }
}

/// Compares, and shows both as text when they differ.
fn similar(got: &Answer, expect: &Answer, context: impl FnOnce() -> String) {
    if got != expect {
        panic!("{}\n     got {}\nexpected {}", context(), text(got), text(expect));
    }
}

fn text(answer: &Answer) -> String {
    let mut out = Vec::new();
    match answer {
        Answer::Body(json) => json.write_compact(&mut out),
        other => out.extend(format!("{other:?}").bytes()),
    }
    String::from_utf8(out).unwrap()
}

struct Case<'w> {
    app: &'w App,
    world: &'w World,
    snapshot: Arc<Snapshot>,
}

impl Case<'_> {
    /// Asks, compares, and gives the answer.
    fn check_list(&self, who: &Who, ty: &str, ask: &Ask) -> Got {
        let got = list(self.app, &self.snapshot, &who.caller(), ty, &ask.query());
        let oracle = Oracle { world: self.world, who, locale: ask.locale };
        let expect = oracle.list(ty, ask);
        similar(&plain(&got), &expect, || {
            format!("{ty}?{} for {who:?} in {}", ask.query(), self.world)
        });
        got
    }

    fn check_one(&self, who: &Who, ty: &str, name: &str, ask: &Ask) -> Got {
        let ask = ask.of_one();
        let got = show(&self.snapshot, &who.caller(), ty, name, &ask.query());
        let oracle = Oracle { world: self.world, who, locale: ask.locale };
        let expect = oracle.get(ty, name, &ask);
        similar(&plain(&got), &expect, || {
            format!("{ty}/{name}?{} for {who:?} in {}", ask.query(), self.world)
        });
        got
    }
}

/// A tag stays only while the body does.
fn tag_tells(before: &Got, after: &Got, what: &str) {
    if let (Ok((body, tag)), Ok((new_body, new_tag))) = (before, after)
        && tag == new_tag
    {
        let (body, new_body) = (String::from_utf8_lossy(body), String::from_utf8_lossy(new_body));
        assert_eq!(body, new_body, "the same tag for {what}");
    }
}

#[test]
fn answers_are_what_the_contract_says() {
    let (engine, _folder) = engine();
    run(120, 2500, |draw| {
        let app = app(&engine);
        let mut world = World::draw(draw, 8);
        let asks: Vec<(Who, &str, Ask, &str)> = (0..8)
            .map(|_| {
                let ty = TYPES[draw.below(4)];
                let fallback = &world.types[0];
                let ask = Ask::draw(draw, world.get(ty).unwrap_or(fallback));
                (Who::draw(draw), ty, ask, draw.pick(&["x1", "s1", "s2", "x3", "y", "Y", "none"]))
            })
            .collect();
        let answers = |case: &Case<'_>| -> Vec<(Got, Got)> {
            asks.iter()
                .map(|(who, ty, ask, name)| {
                    let list = case.check_list(who, ty, ask);
                    (list, case.check_one(who, ty, name, ask))
                })
                .collect()
        };
        let compare = |before: &[(Got, Got)], after: &[(Got, Got)]| {
            for ((before, after), ask) in before.iter().zip(after).zip(&asks) {
                tag_tells(&before.0, &after.0, &format!("the list of {ask:?}"));
                tag_tells(&before.1, &after.1, &format!("the entry of {ask:?}"));
            }
        };
        let mut snapshot = Arc::new(world.snapshot());
        let mut before = answers(&Case { app: &app, world: &world, snapshot: snapshot.clone() });
        // Structures made by the first round are carried through the changes of the next ones.
        for _ in 0..3 {
            let at = draw.below(world.types.len());
            let times = 1 + draw.below(3);
            let ids = world.types[at].shuffle(draw, times);
            let (ty, now) = (&world.types[at], world.now);
            let index = ty.changed(snapshot.get(&ty.name).unwrap(), &ids, now);
            snapshot = Arc::new(snapshot.with_types(vec![index], snapshot.version + 1));
            let after = answers(&Case { app: &app, world: &world, snapshot: snapshot.clone() });
            compare(&before, &after);
            before = after;
        }
        // What is due goes public.
        world.now = time(LATER);
        let indices = snapshot.types().iter().map(|index| {
            let name = index.content_type.name.as_str();
            let turned =
                index.due_by(world.now).map(|(_, it)| it).filter(|it| it.becomes_published);
            let turned: Vec<String> = turned.map(|it| it.id().to_string()).collect();
            world.get(name).unwrap().changed(&index.advance_to(world.now), &turned, world.now)
        });
        snapshot = Arc::new(snapshot.with_types(indices.collect(), snapshot.version + 1));
        let after = answers(&Case { app: &app, world: &world, snapshot });
        compare(&before, &after);
    });
}

/// Long lists are written while they are sent; they are the same lists.
#[test]
fn pages_join_up_to_the_whole_list() {
    let (engine, _folder) = engine();
    run(3, 40_000, |draw| {
        let app = app(&engine);
        let mut world = World::draw(draw, 8);
        let ty = &mut world.types[0];
        for at in 0..450 {
            let entry = ty.entry(draw);
            ty.entries.insert(format!("e{at}"), entry);
        }
        // The fields that the type has in this world.
        let fields = ty.schema.as_object().and_then(|it| it.get("fields")?.as_object()).unwrap();
        let fields = fields.clone();
        let everything =
            Who::Holder(vec![crate::support::random_content::PlainGrant::everything()]);
        let (snapshot, caller) = (Arc::new(world.snapshot()), everything.caller());
        let data = |query: &str| -> (Vec<Json>, Json) {
            let (body, _) = list(&app, &snapshot, &caller, "a", query).unwrap();
            let Ok(Json::Object(map)) = Json::parse(&body) else { panic!("{query}") };
            let total = map.get("meta").unwrap().as_object().unwrap().get("total").unwrap();
            (map.get("data").unwrap().as_array().unwrap().to_vec(), total.clone())
        };
        let mut includes = vec![""];
        let mut sorts = vec!["sort=title", "q=a", "sort=created_at"];
        if fields.get("n").is_some() {
            includes.push("&fields=n");
            sorts.push("sort=-n");
        }
        if fields.get("rel").is_some() {
            includes.push("&include=rel");
            sorts.push("sort=rel,slug");
        }
        if fields.get("rels").is_some() {
            includes.push("&include=rels.rel&locale=de");
        }
        let (include, sort) = (draw.pick(&includes), draw.pick(&sorts));
        let query = format!("{sort}{include}");
        let (whole, total) = data(&query);
        assert_eq!(Json::from(whole.len() as i64), total, "{query}");
        let mut joined = Vec::new();
        for page in 0..=whole.len() / 90 {
            joined.extend(data(&format!("{query}&limit=90&offset={}", page * 90)).0);
        }
        assert!(joined == whole, "{query}");
    });
}
