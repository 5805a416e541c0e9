//! What a caller may not see can be changed in any way, and every answer to that caller stays the
//! same to the byte, tags included: nothing hidden can be inferred from totals, orders, look-ups,
//! filters, includes or tags.
//!
//! Left out is what the contract itself lets through: a token that may not read a public entry is
//! told 403 instead of 404 (§1), the media categories of all files are shown to everybody (§8), and
//! the tag of an entry changes with its own file, whatever of it is shown.

use std::sync::Arc;

use recto::app::App;
use recto::app::access::Caller;
use recto::app::content::cache_tags::CacheTags;
use recto::app::content::cache_tags::KeptTags;
use recto::app::content::content_types;
use recto::app::content::entries::EffortResult;
use recto::app::error::Code;
use recto::app::media;
use recto::app::media::list::MediaFilterSet;
use recto::app::media::list::MediaList;
use recto::model::media::MediaItem;
use recto::model::media::MediaMeta;
use recto::model::media::MediaTag;
use recto::model::media::Visibility;
use recto::model::media::category::CategoryPath;
use recto::model::name::EntryId;
use recto::model::name::Filename;
use recto::query::execute::executor::Effort;
use recto::query::index::snapshot::Snapshot;
use recto::query::request::params::QueryParams;
use recto::stdx::checksum::Checksum;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::oracle::Oracle;
use crate::support::oracle::rows;
use crate::support::property::run;
use crate::support::random_content::Draw;
use crate::support::random_content::IDS;
use crate::support::random_content::LOCALES;
use crate::support::random_content::PlainGrant;
use crate::support::random_content::PlainType;
use crate::support::random_content::TYPES;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::holder;
use crate::support::random_content::media_index;
use crate::support::random_content::time;
use crate::support::random_queries::Ask;
use crate::support::reads::Got;
use crate::support::reads::app;
use crate::support::reads::bundle;
use crate::support::reads::engine;
use crate::support::reads::list;
use crate::support::reads::show;

/// Whether the caller sees the entry in any locale: conditions on locales make a difference.
fn is_seen(world: &World, who: &Who, ty: &str, id: &str) -> bool {
    let ty = world.get(ty).unwrap();
    let all = rows(world, ty);
    let Some(row) = all.iter().find(|it| it.id == id) else { return false };
    let locales = LOCALES.into_iter().map(Some).chain([None]);
    locales.into_iter().any(|locale| Oracle { world, who, locale }.sees(row))
}

/// Changes, adds and removes what the caller does not see, and nothing else.
fn disturb(world: &World, who: &Who, draw: &mut Draw<'_>) -> World {
    let mut other = world.clone();
    for name in TYPES.iter().filter(|it| world.get(it).is_some()) {
        for _ in 0..draw.below(6) {
            let id = draw.pick(&IDS);
            if is_seen(world, who, name, id) {
                continue;
            }
            let ty = other.get_mut(name).unwrap();
            let before = ty.entries.remove(id);
            if draw.chance(70) {
                let entry = ty.entry(draw);
                ty.entries.insert(id.to_string(), entry);
                if is_seen(&other, who, name, id) {
                    let ty = other.get_mut(name).unwrap();
                    ty.entries.remove(id);
                    before.map(|it| ty.entries.insert(id.to_string(), it));
                }
            }
        }
        let known = Oracle { world, who, locale: None }.knows(world.get(name).unwrap());
        match draw.below(3) {
            1 if !known => other.get_mut(name).unwrap().redraw_schema(draw),
            2 if !known => other.types.retain(|it| it.name != *name),
            _ => {}
        }
    }
    other
}

/// A caller from whom something is hidden.
fn somebody(draw: &mut Draw<'_>) -> Who {
    match draw.below(10) {
        0..4 => Who::Anyone,
        4 => Who::Holder(vec![PlainGrant::everything()]),
        _ => Who::draw(draw),
    }
}

/// What may be told apart: a 403 says no more than a 404 here (see above).
fn told(got: Got) -> Option<(String, String)> {
    match got {
        Ok((body, tag)) => Some((String::from_utf8(body).unwrap(), tag)),
        Err(Code::Forbidden | Code::NotFound) => None,
        Err(other) => panic!("{other:?}"),
    }
}

fn type_names(snapshot: &Snapshot, caller: &Caller) -> Vec<String> {
    let known = content_types::list(snapshot, caller);
    known.iter().map(|it| it.content_type.name.to_string()).collect()
}

/// The cache tags of a list and of an entry; nothing where there is no answer.
fn all_tags(
    snapshot: &Snapshot,
    caller: &Caller,
    ty: &str,
    name: &str,
    query: &str,
) -> [Option<CacheTags>; 2] {
    let (kept, params) = (KeptTags::default(), QueryParams::parse(query).unwrap());
    let (seen, effort) = ((snapshot, caller), Effort::Thorough);
    let list = CacheTags::of_list(&kept, seen, ty, (query, 0), Checksum(0), effort);
    let list = list.ok().map(|it| match it {
        EffortResult::Done(tags) => tags,
        EffortResult::NeedsEffort => panic!("more effort than there is"),
    });
    [list, CacheTags::of_entry(snapshot, caller, ty, name, &params).ok()]
}

#[test]
fn hidden_entries_leave_no_trace() {
    let (engine, _folder) = engine();
    run(200, 2500, |draw| {
        let world = World::draw(draw, 8);
        let who = somebody(draw);
        let other = disturb(&world, &who, draw);
        let (caller, app, other_app) = (who.caller(), app(&engine), app(&engine));
        let here = Arc::new(world.snapshot());
        let form = draw.pick(&["", "&media=full&render=html"]);
        let asks: Vec<(&str, Ask, &str)> = (0..12)
            .map(|_| {
                let ty = TYPES[draw.below(4)];
                let ask = Ask::draw(draw, world.get(ty).unwrap_or(&world.types[0]));
                (ty, ask, draw.pick(&["x1", "s1", "x2", "s2", "s3", "y", "Y"]))
            })
            .collect();
        let answers = |app: &App, snapshot: &Arc<Snapshot>| -> Vec<_> {
            asks.iter()
                .map(|(ty, ask, name)| {
                    let query = ask.query() + form;
                    let list = told(list(app, snapshot, &caller, ty, &query));
                    let query = ask.of_one().query() + form;
                    (list, told(show(snapshot, &caller, ty, name, &query)))
                })
                .collect()
        };
        let expect = answers(&app, &here);
        // Made anew, and out of the first one with all that is kept in it.
        for there in [other.snapshot(), follow(&here, &world, &other)].map(Arc::new) {
            assert_eq!(type_names(&here, &caller), type_names(&there, &caller));
            for query in ["", "locale=de", "types=posts,people", "media=full"] {
                // Each with an app of its own, since these snapshots have one version.
                let lines = |it| bundle(&self::app(&engine), it, &caller, query);
                assert_eq!(
                    lines(&here),
                    lines(&there),
                    "{query} for {who:?} in {world} or {other}"
                );
            }
            if caller.is_anonymous() {
                for (ty, ask, name) in &asks {
                    let tags = |it| all_tags(it, &caller, ty, name, &ask.query());
                    assert_eq!(tags(&here), tags(&there), "{ask:?} in {world} or {other}");
                }
            }
            for ((got, expect), ask) in answers(&other_app, &there).iter().zip(&expect).zip(&asks) {
                assert_eq!(got, expect, "{ask:?} for {who:?} in {world} or {other}");
            }
        }
    });
}

/// The other world as it follows from the first one by changes of entries, as far as it does.
fn follow(here: &Snapshot, world: &World, other: &World) -> Snapshot {
    let ids = IDS.map(String::from);
    let index = |ty: &PlainType| match world.get(&ty.name) {
        Some(same) if same.schema == ty.schema => {
            ty.changed(here.get(&ty.name).unwrap(), &ids, other.now)
        }
        _ => ty.index(other.now),
    };
    let types = other.types.iter().map(|ty| Arc::new(index(ty))).collect();
    other.snapshot_of(types, Arc::default())
}

/// Puts other hidden or missing entries in the place of those that relations point to.
fn exchange(value: &mut Json, definition: &Map, hidden: &mut dyn FnMut(&str, &str) -> String) {
    let target = definition.get("target").and_then(Json::as_str);
    match (definition.get("type").and_then(Json::as_str), value) {
        (Some("relation"), Json::String(id)) => *id = hidden(target.unwrap(), id),
        (Some("relation"), Json::Array(items)) => {
            items.iter_mut().for_each(|it| exchange(it, definition, hidden));
        }
        (Some("object"), Json::Object(map)) => {
            exchange_all(map, definition.get("fields"), hidden);
        }
        (Some("repeater"), Json::Array(rows)) => {
            let fields = definition.get("subfields").and_then(Json::as_array).unwrap();
            let key = |it: &Json| {
                it.as_object().unwrap().get("key").and_then(Json::as_str).map(String::from)
            };
            let fields: Map = fields.iter().map(|it| (key(it).unwrap(), it.clone())).collect();
            let fields = Json::Object(fields);
            for row in rows {
                if let Json::Object(map) = row {
                    exchange_all(map, Some(&fields), hidden);
                }
            }
        }
        _ => {}
    }
}

fn exchange_all(
    map: &mut Map,
    fields: Option<&Json>,
    hidden: &mut dyn FnMut(&str, &str) -> String,
) {
    for (name, definition) in fields.and_then(Json::as_object).unwrap().iter() {
        if let Some(mut value) = map.get(name).cloned() {
            exchange(&mut value, definition.as_object().unwrap(), hidden);
            map.set(name, value);
        }
    }
}

/// Which hidden entry a visible one points to changes its file, and so its tag, but no body.
#[test]
fn hidden_targets_do_not_show_in_bodies() {
    let (engine, _folder) = engine();
    run(100, 2500, |draw| {
        let world = World::draw(draw, 8);
        let who = somebody(draw);
        let mut other = world.clone();
        for ty in &mut other.types {
            let fields = ty.member("fields").cloned();
            for entry in ty.entries.values_mut() {
                let Json::Object(map) = entry else { continue };
                let Some(Json::Object(mut data)) = map.get("data").cloned() else { continue };
                exchange_all(&mut data, fields.as_ref(), &mut |target, id| {
                    let seen =
                        |id: &str| world.get(target).is_some() && is_seen(&world, &who, target, id);
                    let another = draw.pick(&IDS);
                    match EntryId::fits(id) && !seen(id) {
                        true if seen(another) => "missing".to_string(),
                        true => another.to_string(),
                        false => id.to_string(),
                    }
                });
                map.set("data", data.into());
            }
        }
        let (caller, app, other_app) = (who.caller(), app(&engine), app(&engine));
        let (here, there) = (Arc::new(world.snapshot()), Arc::new(other.snapshot()));
        for _ in 0..12 {
            let ty = TYPES[draw.below(4)];
            let query = Ask::draw(draw, world.get(ty).unwrap_or(&world.types[0])).query();
            let lists = [(&app, &here), (&other_app, &there)].map(|(app, snapshot)| {
                told(list(app, snapshot, &caller, ty, &query)).map(|(body, _)| body)
            });
            assert_eq!(lists[0], lists[1], "{ty}?{query} for {who:?} in {world} or {other}");
        }
    });
}

fn files(draw: &mut Draw<'_>) -> Vec<MediaItem> {
    let mut items = Vec::new();
    for name in ["a.png", "b.png", "c.pdf", "d.txt", "logo.svg"] {
        if draw.chance(30) {
            continue;
        }
        let private = draw.chance(40);
        let meta = MediaMeta {
            visibility: if private { Visibility::Private } else { Visibility::Public },
            category: CategoryPath::parse(draw.pick(&["", "Press", "Press / Logos", "Team"])).ok(),
            alt: draw.pick(&["", "alt", "a.png"]).to_string(),
            title: draw.pick(&["", "title"]).to_string(),
            ..MediaMeta::default()
        };
        let modified = time(draw.pick(&["2026-01-01", "2026-01-02", "2026-01-03"]));
        let size = draw.below(3) as u64;
        let etag = Checksum::of_bytes(draw.pick(&["one", "two"]).as_bytes());
        let name = Filename::parse(name).unwrap();
        items.push(MediaItem::new(
            name,
            "image/png",
            size,
            modified,
            MediaTag::of_state(etag),
            meta,
        ));
    }
    items
}

/// A caller, and whether it sees a file in lists.
fn viewer(draw: &mut Draw<'_>) -> (Caller, fn(&MediaItem) -> bool) {
    let press =
        |it: &MediaItem| it.category.as_ref().is_some_and(|it| it.as_str().starts_with("Press"));
    match draw.below(4) {
        0 | 1 => (Caller::Anonymous, |it| it.visibility == Visibility::Public),
        2 => (holder("media.read", "media:a.png"), |it| it.filename.as_str() == "a.png"),
        _ => (holder("media.read", "media:category:Press"), press),
    }
}

fn media_snapshot(files: Vec<MediaItem>) -> Snapshot {
    let world = World { types: Vec::new(), now: time("2026-06-01") };
    world.snapshot_of(Vec::new(), media_index(files))
}

fn list_media(app: &App, snapshot: &Snapshot, caller: &Caller, query: &str) -> MediaList {
    let (lists, effort) = (MediaFilterSet::Public, Effort::Heavy);
    match media::list::list_media(app, snapshot, caller, query, lists, effort).unwrap() {
        EffortResult::Done(list) => list,
        EffortResult::NeedsEffort => unreachable!("every effort is allowed"),
    }
}

fn media_query(draw: &mut Draw<'_>) -> String {
    let parts = [
        draw.pick(&["", "q=png", "q=b", "category=", "category=Press", "category=Team"]),
        draw.pick(&["", "limit=2", "limit=1&offset=1", "offset=1"]),
        draw.pick(&["", "sort=name", "sort=-size", "sort=uploaded_at&order=desc"]),
    ];
    parts.join("&")
}

#[test]
fn hidden_files_leave_no_trace() {
    let (engine, _folder) = engine();
    run(300, 300, |draw| {
        let (caller, sees) = viewer(draw);
        let one = files(draw);
        let mut two = files(draw);
        let seen: Vec<MediaItem> = one.iter().filter(|it| sees(it)).cloned().collect();
        two.retain(|it| !sees(it) && seen.iter().all(|seen| seen.filename != it.filename));
        two.extend(seen);
        let query = media_query(draw);
        let lists = [one, two].map(|files| {
            let app = self::app(&engine);
            let snapshot = Arc::new(media_snapshot(files));
            let list = list_media(&app, &snapshot, &caller, &query);
            let lines = bundle(&app, &snapshot, &caller, "");
            assert!(lines.is_some());
            format!("{list:?} {lines:?}")
        });
        assert_eq!(lists[0], lists[1], "{query}");
    });
}

#[test]
fn the_tag_of_a_media_list_stays_only_while_the_list_does() {
    let (engine, _folder) = engine();
    run(300, 300, |draw| {
        let app = app(&engine);
        let caller = match draw.below(2) {
            0 => Caller::Anonymous,
            _ => holder("media.read", "media:*"),
        };
        let one = files(draw);
        let mut two = one.clone();
        two.retain(|_| !draw.chance(20));
        let query = media_query(draw);
        let [one, two] =
            [one, two].map(|files| list_media(&app, &media_snapshot(files), &caller, &query));
        if one.etag == two.etag {
            assert_eq!(format!("{one:?}"), format!("{two:?}"), "{query}");
        }
    });
}
