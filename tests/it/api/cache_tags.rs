//! Cache tags against all answers: whatever changes, the tags that `sync` names for anonymous
//! readers throw away every kept answer that is stale, and hardly any other.
//!
//! `SEED=…` makes another run than the usual one, `SLOW=1` a long one.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::Value;
use serde_json::json;

use crate::support::property::given_seed;
use crate::support::random_content::Draw;
use crate::support::scenario::stage::Stage;

const TYPES: [&str; 6] = ["books", "people", "places", "articles", "pages", "secrets"];

const LISTS: [&str; 8] = [
    "limit=3",
    "limit=1000&include=*",
    "limit=3&sort=title",
    "limit=3&sort=-updated_at",
    "limit=3&q=title",
    "limit=3&filter[title][contains]=1",
    "limit=3&counts=status",
    "limit=3&media=full&render=html&include=*",
];

/// A kept answer, with its tags.
type Kept = BTreeMap<String, (BTreeSet<String>, Bytes)>;

/// The number of entries that are made of each of some types.
const MADE: usize = 40;

fn stage() -> Stage {
    let book = r#"{"title":"Book {}","status":"published","data":{"author":"u1"}}"#;
    let person = r#"{"title":"Person {}","status":"published","data":{"friends":["u1","x0001"]}}"#;
    let lines = [
        "fixture library".to_string(),
        "cache-tags Cache-Tag".to_string(),
        "token writer *@*".to_string(),
        format!("many {MADE} workspaces/default/content/books/x{{}}.json {book}"),
        format!("many {MADE} workspaces/default/content/people/x{{}}.json {person}"),
    ];
    let mut stage = Stage::prepare(&lines);
    stage.open();
    stage
}

fn addresses() -> Vec<String> {
    let mut found: Vec<String> =
        ["content-types", "media", "openapi.json", "bundle", "media?limit=2", "bundle?media=full"]
            .map(String::from)
            .into();
    for ty in TYPES {
        found.push(format!("content-types/{ty}"));
        found.extend(LISTS.map(|it| format!("content/{ty}?{it}")));
        let fixed = ["b1", "b2", "b3", "u1", "u2", "p1", "plain", "g1", "alpha", "ada", "lisbon"];
        let made = (1..=MADE).map(|it| format!("x{it:04}"));
        for name in fixed.into_iter().map(String::from).chain(made) {
            let queries = [
                "",
                "?include=*",
                "?locale=de",
                "?fields=author,friends",
                "?media=full&render=html",
            ];
            found.extend(queries.map(|it| format!("content/{ty}/{name}{it}")));
        }
    }
    found
}

/// Everything that a cache in front would keep.
fn fill(stage: &Stage, addresses: &[String]) -> Kept {
    let answers = addresses.iter().filter_map(|address| {
        let (status, headers, body) = stage.ask_with(&format!("GET {{ws}}/{address}"), &[]);
        let tags = headers.get("cache-tag").map(|it| it.to_str().unwrap());
        if status != 200 {
            assert!(tags.is_none(), "{address} is {status} and has tags");
            return None;
        }
        let tags = tags.unwrap_or_else(|| panic!("{address} has no tags"));
        assert!(tags.len() <= 8_192, "{address} has {} bytes of tags", tags.len());
        Some((address.clone(), (tags.split(',').map(String::from).collect(), body)))
    });
    answers.collect()
}

/// The tags that have to go, and the next cursor.
fn follow(stage: &Stage, cursor: &str) -> (BTreeSet<String>, String) {
    let (_, _, body) = stage.ask_with(&format!("GET {{ws}}/sync?since={cursor}"), &[]);
    let text = String::from_utf8(body.to_vec()).unwrap();
    let end: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let tags = end["cache_tags"].as_array().into_iter().flatten();
    let tags = tags.map(|it| it.as_str().unwrap().to_string()).collect();
    (tags, end["cursor"].as_str().unwrap().to_string())
}

fn change(stage: &Stage, draw: &mut Draw<'_>) -> String {
    let ask = |line: String, body: Value| {
        let json = format!("json {body}");
        let (status, _, answer) = stage.ask_with(&line, &["as writer", &json]);
        let fits = status < 300 || [404, 409].contains(&status);
        assert!(fits, "{line}: {status} {}", String::from_utf8_lossy(&answer));
        format!("{line} {body}")
    };
    let ty = if draw.chance(70) { draw.pick(&["books", "people"]) } else { draw.pick(&TYPES) };
    let made = format!("x{:04}", 1 + draw.below(MADE));
    let ids = ["b1", "b2", "u1", "u2", "p1", "plain", "g1"];
    let id = if draw.chance(60) { made.as_str() } else { draw.pick(&ids) };
    let entry = format!("PUT {{ws}}/content/{ty}/{id}");
    match draw.below(24) {
        0 => {
            let visibility = draw.pick(&["public", "public", "private"]);
            ask(format!("PUT {{ws}}/content-types/{ty}"), json!({ "visibility": visibility }))
        }
        1 => {
            let file = draw.pick(&["logo.png", "sunset.jpg", "private.jpg"]);
            let visibility = draw.pick(&["public", "private"]);
            ask(format!("PUT {{ws}}/media/{file}/visibility"), json!({ "visibility": visibility }))
        }
        2 => ask(format!("DELETE {{ws}}/content/{ty}/{id}"), json!({})),
        3 => {
            let title = format!("Title {}", draw.below(5));
            let status = draw.pick(&["published", "draft"]);
            let body = json!({ "id": id, "title": title, "status": status });
            ask(format!("POST {{ws}}/content/{ty}"), body)
        }
        4..9 => ask(entry, json!({ "status": draw.pick(&["published", "draft", "archived"]) })),
        9..14 => {
            let friends = json!([draw.pick(&["u1", "u2", "x0001"]), made]);
            ask(
                entry,
                json!({ "data": { "author": draw.pick(&["u1", "u2"]), "friends": friends } }),
            )
        }
        14 => ask(entry, json!({ "slug": format!("slug-{}", draw.below(4)) })),
        _ => ask(entry, json!({ "title": format!("Title {}", draw.below(9)) })),
    }
}

#[test]
fn what_is_stale_is_thrown_away_and_hardly_anything_else() {
    let slow = std::env::var_os("SLOW").is_some();
    let seed = given_seed().unwrap_or(if slow { std::process::id().into() } else { 3 });
    let mut numbers = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut choice = || {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        (numbers >> 24) as u16
    };
    let (stage, addresses) = (stage(), addresses());
    let (_, headers, _) = stage.ask_with("GET {ws}/bundle", &[]);
    let mut cursor = headers["etag"].to_str().unwrap().trim_matches('"').to_string();
    let mut kept = fill(&stage, &addresses);
    let (mut n_kept, mut n_stale, mut n_too_many) = (0, 0, 0);
    for _ in 0..if slow { 600 } else { 40 } {
        let drawn: Vec<u16> = (0..20).map(|_| choice()).collect();
        let what = change(&stage, &mut Draw::new(&drawn));
        let (purged, next) = follow(&stage, &cursor);
        cursor = next;
        let now = fill(&stage, &addresses);
        for (address, (tags, body)) in &kept {
            let is_stale = now.get(address).is_none_or(|(_, it)| it != body);
            let goes = !tags.is_disjoint(&purged);
            let told = format!("{address} after {what}: {tags:?} {purged:?} SEED={seed}");
            assert!(goes || !is_stale, "missed {told}");
            n_kept += 1;
            n_stale += usize::from(is_stale);
            n_too_many += usize::from(goes && !is_stale);
        }
        kept = now;
    }
    let told = format!("{n_too_many} too many of {n_kept}, {n_stale} stale, SEED={seed}");
    assert!(n_stale > 100 && n_too_many * 50 <= n_kept, "{told}");
}

#[test]
fn a_new_category_throws_lists_of_files_away() {
    let stage = stage();
    let (_, headers, _) = stage.ask_with("GET {ws}/bundle", &[]);
    let cursor = headers["etag"].to_str().unwrap().trim_matches('"').to_string();
    let line = "POST {ws}/media/categories";
    let (status, _, _) = stage.ask_with(line, &["as writer", r#"json {"name":"New"}"#]);
    assert_eq!(status, 201);
    let (purged, next) = follow(&stage, &cursor);
    assert_eq!(purged, ["default.any", "default.media"].map(String::from).into());
    assert_eq!(follow(&stage, &next), (BTreeSet::new(), next));
}
