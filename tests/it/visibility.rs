//! What a caller may not see can be changed in any way, and every answer to that caller stays the
//! same to the byte, tags included: nothing hidden can be inferred from totals, orders, look-ups,
//! filters, includes or tags.
//!
//! Left out is what the contract itself lets through: a token that may not read a public entry is
//! told 403 instead of 404 (§1), the media categories of all files are shown to everybody (§8), and
//! the tag of an entry changes with its own file, whatever of it is shown.

use std::sync::Arc;

use recto::app::access::Caller;
use recto::app::content_types;
use recto::app::error::Code;
use recto::app::media;
use recto::model::category::CategoryPath;
use recto::model::media::MediaItem;
use recto::model::media::MediaMeta;
use recto::model::media::Visibility;
use recto::model::name::Filename;
use recto::query::snapshot::Snapshot;
use recto::stdx::sum::Sum;

use crate::oracle::Oracle;
use crate::oracle::rows;
use crate::reading::Got;
use crate::reading::app;
use crate::reading::engine;
use crate::reading::list;
use crate::reading::run;
use crate::reading::show;
use crate::worlds::Ask;
use crate::worlds::Draw;
use crate::worlds::IDS;
use crate::worlds::LOCALES;
use crate::worlds::PlainGrant;
use crate::worlds::TYPES;
use crate::worlds::Who;
use crate::worlds::World;
use crate::worlds::media_index;
use crate::worlds::time;

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

#[test]
fn hidden_entries_leave_no_trace() {
    let (engine, _folder) = engine();
    run(200, 2500, |draw| {
        let world = World::draw(draw, 8);
        let who = somebody(draw);
        let other = disturb(&world, &who, draw);
        let (caller, app, other_app) = (who.caller(), app(&engine), app(&engine));
        let (here, there) = (Arc::new(world.snapshot()), Arc::new(other.snapshot()));
        assert_eq!(type_names(&here, &caller), type_names(&there, &caller));
        for _ in 0..12 {
            let ty = TYPES[draw.below(4)];
            let ask = Ask::draw(draw, world.get(ty).unwrap_or(&world.types[0]));
            let query = ask.query();
            let lists = [(&app, &here), (&other_app, &there)]
                .map(|(app, snapshot)| told(list(app, snapshot, &caller, ty, &query)));
            assert_eq!(lists[0], lists[1], "{ty}?{query} for {who:?} in {world} or {other}");
            let name = draw.pick(&["x1", "s1", "x2", "s2", "s3", "y", "Y"]);
            let query = ask.of_one().query();
            let shown =
                [&here, &there].map(|snapshot| told(show(snapshot, &caller, ty, name, &query)));
            assert_eq!(shown[0], shown[1], "{ty}/{name}?{query} for {who:?} in {world} or {other}");
        }
    });
}

fn files(draw: &mut Draw<'_>, of: Visibility) -> Vec<MediaItem> {
    let mut items = Vec::new();
    for name in ["a.png", "b.png", "c.pdf", "d.txt", "logo.svg"] {
        // Each name is on one side alone, or the other side would show whether it is taken.
        let private = matches!(name, "b.png" | "d.txt");
        if private != (of == Visibility::Private) || draw.chance(30) {
            continue;
        }
        let category = draw.pick(&["", "Press", "Press / Logos", "Team"]);
        let meta = MediaMeta {
            visibility: of,
            category: CategoryPath::parse(category).ok(),
            alt: draw.pick(&["", "alt", "a.png"]).to_string(),
            title: draw.pick(&["", "title"]).to_string(),
            ..MediaMeta::default()
        };
        let modified = time(draw.pick(&["2026-01-01", "2026-01-02", "2026-01-03"]));
        let size = draw.below(3) as u64;
        let etag = Sum::of(draw.pick(&["one", "two"]).as_bytes());
        let name = Filename::parse(name).unwrap();
        items.push(MediaItem::new(name, "image/png", size, modified, etag, meta));
    }
    items
}

#[test]
fn private_files_leave_no_trace() {
    let (engine, _folder) = engine();
    run(200, 300, |draw| {
        let app = app(&engine);
        let shown = files(draw, Visibility::Public);
        let snapshots = [(); 2].map(|()| {
            let all = shown.iter().cloned().chain(files(draw, Visibility::Private)).collect();
            let world = World { types: Vec::new(), now: time("2026-06-01") };
            world.snapshot_of(Vec::new(), media_index(all))
        });
        let query = [
            draw.pick(&["", "q=png", "q=b", "category=", "category=Press", "category=Team"]),
            draw.pick(&["", "limit=2", "limit=1&offset=1", "offset=1"]),
            draw.pick(&["", "sort=name", "sort=-size", "sort=uploaded_at&order=desc"]),
        ];
        let query = query.join("&");
        let lists = snapshots.each_ref().map(|snapshot| {
            let found = media::list(&app, snapshot, &Caller::Anonymous, &query).unwrap();
            format!("{found:?}")
        });
        assert_eq!(lists[0], lists[1], "{query}");
    });
}
