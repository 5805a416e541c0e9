//! Tests of requests merged into entries, rule by rule.

use std::cell::Cell;

use super::*;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::model::field::ValueContext;
use crate::model::field::ValueWriter;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::from_text::json;
use crate::stdx::json::from_text::map;
use crate::stdx::time::Timestamp;

const MEDIA_BASE: &str = "https://x.org/media/main/";
const NOW: &str = "2026-06-01T12:00:00Z";
const MODIFIED: &str = "2026-01-01T00:00:00Z";

/// Authors `a1` (ann), `b2` (bob) and `h3`, who is hidden from the caller; files `a.png` and
/// `b.png`.
#[derive(Default)]
struct Around {
    ids: Cell<u32>,
}

impl ValueContext for Around {
    fn resolve_entry(&self, _target: &TypeName, id_or_slug: &str) -> Option<String> {
        let known = [("a1", "ann"), ("b2", "bob"), ("c4", "cid")];
        let found = known.iter().find(|it| it.0 == id_or_slug || it.1 == id_or_slug);
        found.map(|it| it.0.to_string())
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        let name = name_or_url.strip_prefix(MEDIA_BASE).unwrap_or(name_or_url);
        ["a.png", "b.png"].contains(&name).then(|| name.to_string())
    }

    fn new_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id{}", self.ids.get())
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        crate::model::field::sanitize_html(text)
    }
}

impl OtherEntries for Around {
    fn has_slug(&self, slug: &str) -> bool {
        ["taken", "taken-2", "other-id"].contains(&slug)
    }

    fn has_value(&self, _field: &Field, value: &Json) -> bool {
        value.as_str().is_some_and(|it| it.eq_ignore_ascii_case("TAKEN"))
    }
}

fn text(value: &Json) -> String {
    let mut out = Vec::new();
    value.write_compact(&mut out);
    String::from_utf8(out).unwrap()
}

fn content_type(schema: &str) -> ContentType {
    let (ty, problems) = ContentType::parse(TypeName::parse("posts").unwrap(), &json(schema));
    ty.unwrap_or_else(|| panic!("{problems}"))
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// Returns the entry as the caller's read shows it, without the hidden `h3`.
fn shown(ty: &ContentType, id: &EntryId, file: &Map, locale: Option<&LocaleCode>) -> Map {
    let facts = FileFacts { modified: at(MODIFIED), now: at(NOW) };
    let entry = Entry::read(id.clone(), ty, file.clone().into(), facts, &mut Vec::new());
    let values = LocalizedEntry::new(ty, &entry, locale);
    let mut data = Map::new();
    for field in ty.data_fields() {
        let Some(value) = values.get_value(field) else { continue };
        let targets = &ty.relation_targets;
        let mut show =
            ValueWriter { out: Vec::new(), media_base: MEDIA_BASE, links: Vec::new(), targets };
        field.kind.write_shown(value, &mut show);
        let mut out = String::from_utf8(show.out).unwrap();
        for (hidden, seen) in
            [(":\"h3\"", ":null"), (",\"h3\"", ""), ("[\"h3\",", "["), ("[\"h3\"]", "[]")]
        {
            out = out.replace(hidden, seen);
        }
        let out = if out == "\"h3\"" { "null" } else { &out };
        data.push(field.name.as_str(), json(out));
    }
    let mut out = Map::new();
    let time = |it: Option<Timestamp>| it.map_or(Json::Null, |it| it.to_string().into());
    out.push("id", id.as_str());
    out.push("slug", entry.slug.as_str());
    out.push("type", ty.name.as_str());
    out.push("status", entry.status.as_str());
    out.push("title", values.title(ty));
    out.push("published_at", time(entry.published_at));
    if entry.unpublish_at.is_some() {
        out.push("unpublish_at", time(entry.unpublish_at));
    }
    out.push("created_at", time(Some(entry.created_at)));
    out.push("updated_at", time(Some(entry.updated_at)));
    if let Some(author) = &entry.author_id {
        out.push("author_id", author.as_str());
    }
    if let Some(locale) = locale {
        out.push("locale", locale.as_str());
    }
    out.push("data", data);
    if let Some(translations) = file.get("translations") {
        out.push("translations", translations.clone());
    }
    out
}

/// A request with the usual defaults.
struct Request {
    ty: ContentType,
    file: Option<Map>,
    body: Map,
    api: Api,
    sets_author: bool,
    is_proposal: bool,
}

impl Request {
    fn new(schema: &str, file: &str, body: &str) -> Request {
        let file = (!file.is_empty()).then(|| map(file));
        let (ty, body) = (content_type(schema), map(body));
        Request { ty, file, body, api: Api::Public, sets_author: false, is_proposal: false }
    }

    fn shown(&self) -> Map {
        let locale = parse_write_locale(&self.ty, &self.body)
            .unwrap_or_else(|_| self.ty.default_locale.clone());
        let id = EntryId::parse("e1").unwrap();
        self.file.as_ref().map(|it| shown(&self.ty, &id, it, locale.as_ref())).unwrap_or_default()
    }

    fn merge(&self) -> MergedEntry {
        let (around, shown) = (Around::default(), self.shown());
        let current = self.file.as_ref().map(|file| CurrentEntry {
            file,
            shown: &shown,
            modified: at(MODIFIED),
        });
        merge_entry(&EntryWrite {
            ty: &self.ty,
            id: &EntryId::parse("e1").unwrap(),
            current,
            body: &self.body,
            api: self.api,
            by: "tok_me",
            sets_author: self.sets_author,
            is_proposal: self.is_proposal,
            now: at(NOW),
            context: &around,
            others: &around,
        })
    }
}

fn merge_of(schema: &str, file: &str, body: &str) -> MergedEntry {
    Request::new(schema, file, body).merge()
}

/// Returns the value at a path like `translations.de.title`.
fn value(map: &Map, path: &str) -> String {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    match (map.get(key), rest) {
        (None, _) => "-".to_string(),
        (Some(Json::Object(inner)), Some(rest)) => value(inner, rest),
        (Some(found), None) => text(found),
        (Some(found), Some(_)) => panic!("{found:?} at {path}"),
    }
}

/// Returns `path: sentence` for each problem, or the changes.
fn outcome(merged: &MergedEntry) -> String {
    if merged.problems.is_empty() {
        merged.changed.join(" ")
    } else {
        let paths: Vec<&str> = merged.problems.iter().map(|(path, _)| path).collect();
        format!("! {}", paths.join(" "))
    }
}

/// Returns the path of each warning.
fn warned(merged: &MergedEntry) -> Vec<&str> {
    merged.warnings.iter().filter_map(|it| it.split(": ").next()).collect()
}

const PLAIN: &str = r#"{"fields":{"body":{"type":"textarea"},"n":{"type":"number","default":7},
    "flag":{"type":"boolean"},"tags":{"type":"select","multiple":true,"options":["a","b"]}}}"#;

#[test]
fn a_create_stores_every_field() {
    let check = |body: &str, expect: &str| {
        let merged = merge_of(PLAIN, "", body);
        assert!(merged.problems.is_empty(), "{body}: {}", merged.problems);
        assert_eq!(text(&merged.file.into()), expect.replace("\n    ", ""), "{body}");
    };
    let times = r#""created_at":"2026-06-01T12:00:00Z","updated_at":"2026-06-01T12:00:00Z","author_id":"tok_me","updated_by":"tok_me""#;
    check(
        r#"{"title":" Über uns "}"#,
        &format!(
            r#"{{"title":"Über uns","slug":"uber-uns","status":"draft","published_at":null,{times},
    "data":{{"body":null,"n":7,"flag":false,"tags":[]}}}}"#
        ),
    );
    check(
        r#"{"data":{"tags":["b"],"n":null,"title":"no"},"title":"T","body":"x\r\ny","status":"published"}"#,
        &format!(
            r#"{{"title":"T","slug":"t","status":"published","published_at":"2026-06-01T12:00:00Z",{times},
    "data":{{"body":"x\ny","n":null,"flag":false,"tags":["b"]}}}}"#
        ),
    );
}

#[test]
fn defaults_are_judged_and_required_fields_missed() {
    let check = |fields: &str, body: &str, expect: &str| {
        let merged = merge_of(&format!(r#"{{"fields":{{{fields}}}}}"#), "", body);
        assert_eq!(outcome(&merged), expect, "{fields} {body}");
    };
    check(r#""n":{"type":"number","max":5,"default":7}"#, r#"{"title":"T"}"#, "! n");
    check(
        r#""n":{"type":"number","max":5,"default":7}"#,
        r#"{"title":"T","n":3}"#,
        "title n status author_id slug",
    );
    check(r#""a":{"required":true}"#, r#"{"title":"T"}"#, "! a");
    check(r#""a":{"required":true}"#, r#"{"a":"x"}"#, "! title");
    check(r#""a":{"required":true}"#, r#"{"a":"","title":"  "}"#, "! title a");
    check(
        r#""a":{"required":true,"default":"x"}"#,
        r#"{"title":"T"}"#,
        "title a status author_id slug",
    );
    check(r#""title":{"default":"Untitled"}"#, "{}", "title status author_id slug");
    let note = r#""kind":{"type":"select","options":["x","y"]},"note":{"required":true,"visible_if":{"kind":"x"}}"#;
    check(note, r#"{"title":"T","kind":"y"}"#, "title kind status author_id slug");
    check(note, r#"{"title":"T","kind":"x"}"#, "! note");
    check(r#""u":{"unique":true}"#, r#"{"title":"T","u":"taken"}"#, "! u");
    check(r#""title":{"unique":true}"#, r#"{"title":"Taken"}"#, "! title");
    check(
        r#""a":{"type":"email"},"links":{"type":"repeater","subfields":[{"key":"url","type":"url"}]}"#,
        r#"{"a":"x","links":[{"url":"/a"},{},{"url":"no url"}],"status":"gone","published_at":"soon"}"#,
        "! title a links[2].url status published_at",
    );
}

#[test]
fn what_could_not_be_read_back_is_refused() {
    let schema = r#"{"locales":["en","de"],"fields":{"any":{"type":"json"}}}"#;
    let file = r#"{"title":"T","slug":"t","created_at":"2026-01-01","data":{"any":1}}"#;
    let check = |file: &str, locale: &str, depth: usize, expect: bool| {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!(r#"{{"title":"T","any":{value},"locale":"{locale}"}}"#);
        let merged = merge_of(schema, file, &body);
        let told = merged.problems.get("any").is_some();
        let written = Json::from(merged.file).to_file();
        assert_eq!((told, merged.problems.is_empty()), (!expect, expect), "{depth} {locale}");
        assert!(!expect || Json::parse(&written).is_ok(), "{depth} {locale}");
    };
    for file in ["", file] {
        for locale in ["en", "de"] {
            check(file, locale, 60, true);
            check(file, locale, 61, false);
            check(file, locale, 63, false);
        }
    }
}

#[test]
fn titles() {
    let check = |body: String, expect: &str| {
        let merged =
            merge_of(PLAIN, r#"{"title":"T","slug":"t","created_at":"2026-01-01"}"#, &body);
        assert_eq!(outcome(&merged), expect, "{body}");
    };
    check(format!(r#"{{"title":"{}"}}"#, "ü".repeat(500)), "title");
    check(format!(r#"{{"title":"{}"}}"#, "ü".repeat(501)), "! title");
    check(r#"{"title":5}"#.to_string(), "title");
    for wrong in ["null", "\"\"", "\" \"", "[]", "{\"a\":1}", "[\"a\"]"] {
        check(format!(r#"{{"title":{wrong}}}"#), "! title");
    }
}

#[test]
fn titles_of_files_that_are_too_long_are_told() {
    let check = |length: usize, expect: &[&str]| {
        let title = "ü".repeat(length);
        let german = format!(r#"{{"de":{{"title":"{title}"}}}}"#);
        let file = format!(r#"{{"title":"{title}","translations":{german}}}"#);
        let (id, ty) = (EntryId::parse("a").unwrap(), content_type(PLAIN));
        let facts = FileFacts { modified: at(MODIFIED), now: at(NOW) };
        let mut findings = Vec::new();
        let entry = Entry::read(id, &ty, json(&file), facts, &mut findings);
        assert_eq!(entry.title, title);
        let paths: Vec<&str> = findings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, expect, "{length}");
    };
    check(500, &[]);
    check(501, &["title", "translations.de.title"]);
}

#[test]
fn what_was_not_sent_or_is_as_shown_stays() {
    let file =
        r#"{"data":{"body":5,"old":1,"n":"x"},"mine":true,"title":"T","status":"published"}"#;
    let check = |body: &str, expect: &str| {
        let merged = merge_of(PLAIN, file, body);
        assert_eq!(outcome(&merged), expect, "{body}");
        if expect.is_empty() {
            assert_eq!(merged.file, map(file), "{body}");
            assert!(!merged.is_change());
        }
    };
    check("{}", "");
    check(r#"{"title":"T","body":5.0,"n":"x"}"#, "");
    check(
        r#"{"id":"zz","type":"x","created_at":1,"updated_at":1,"updated_by":1,"etag":1,"locales":1,"problems":1,"locale":"xx"}"#,
        "",
    );
    check(r#"{"slug":"t","status":"published","published_at":"2026-01-01"}"#, "");
    check(r#"{"tags":[],"flag":null}"#, "");
    check(r#"{"n":null}"#, "n");
    check(r#"{"n":"y"}"#, "! n");
    check(r#"{"body":"new"}"#, "body");
    check(r#"{"flag":false}"#, "flag");
    let file = merge_of(PLAIN, file, r#"{"body":"new"}"#).file;
    assert_eq!(
        text(&file.into()),
        r#"{"data":{"body":"new","old":1,"n":"x","flag":false,"tags":[]},"mine":true,"title":"T","slug":"t","status":"published","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-06-01T12:00:00Z","updated_by":"tok_me"}"#
    );
}

#[test]
fn unknown_keys_are_named_and_ignored() {
    let check = |body: &str, expect: &[&str]| {
        let merged = merge_of(PLAIN, r#"{"title":"T"}"#, body);
        assert_eq!(outcome(&merged), "", "{body}");
        assert_eq!(warned(&merged), expect, "{body}");
    };
    check(
        r#"{"bogus":1,"data":{"other":2,"data":{}},"translations":{}}"#,
        &["other", "data", "bogus", "translations"],
    );
    assert_eq!(outcome(&merge_of(PLAIN, r#"{"title":"T"}"#, r#"{"data":5}"#)), "! data");
    // A field may have the same name as a member of the shown entry.
    let schema = r#"{"fields":{"etag":{}}}"#;
    assert_eq!(outcome(&merge_of(schema, r#"{"title":"T"}"#, r#"{"etag":"x"}"#)), "etag");
    assert_eq!(outcome(&merge_of(schema, r#"{"title":"T"}"#, r#"{"etag":"x","data":{}}"#)), "");
    let flat_wins =
        merge_of(PLAIN, r#"{"title":"T"}"#, r#"{"body":"flat","data":{"body":"inner"}}"#);
    assert_eq!(value(&flat_wins.file, "data.body"), "\"flat\"");
}

const NESTED: &str = r#"{"locales":["en","de"],"default_locale":"en","root_locale":"en","fields":{
    "o":{"type":"object","fields":{"k":{},"in":{"type":"object","fields":{"k":{}}}}},
    "r":{"type":"repeater","subfields":[{"key":"k"},
        {"key":"r","type":"repeater","subfields":[{"key":"k"}]}]},
    "b":{"type":"blocks","blocks":{"q":{"fields":{"k":{}}}}},
    "any":{"type":"json"}}}"#;

#[test]
fn unknown_keys_inside_of_values_are_named() {
    let check = |file: &str, body: &str, expect: &[&str]| {
        let mut request = Request::new(NESTED, file, body);
        request.api = Api::Admin;
        let merged = request.merge();
        assert!(merged.problems.is_empty(), "{body}: {}", merged.problems);
        assert_eq!(warned(&merged), expect, "{body}");
    };
    check(
        "",
        r#"{"title":"T","b":[{"_type":"q","_id":"a","k":"1"},{"_type":"q","kk":5}],"any":{"kk":6},
            "data":{"r":[{"k":"1","kk":2},{"r":[{"x-note":1}]}],"o":{"kk":3,"in":{"kk":4}}}}"#,
        &["o.kk", "o.in.kk", "r[0].kk", "r[1].r[0].x-note", "b[1].kk"],
    );
    let file = r#"{"title":"T","data":{"o":{"k":"1","kk":3},"r":[{"k":"1","kk":2}],
        "b":[{"_type":"q","_id":"a","k":"1","kk":5},{"_type":"gone","_id":"g","kk":1}]}}"#;
    let read = |k: &str| {
        format!(
            r#"{{"o":{{"k":"{k}"}},"r":[{{"k":"{k}"}}],
                "b":[{{"_type":"q","_id":"a","k":"{k}"}},{{"_type":"gone","_id":"g"}}]}}"#
        )
    };
    check(file, &read("1"), &[]);
    check(file, &read("2"), &[]);
    check(file, r#"{"o":{"k":"1","kk":3},"bogus":1}"#, &["bogus", "o.kk"]);
    check(file, r#"{"locale":"de","r":[{"k":"1"},{"kk":1}]}"#, &["r[1].kk"]);
    check(
        file,
        r#"{"translations":{"de":{"data":{"r":[{"kk":1}]}}}}"#,
        &["translations.de.data.r[0].kk"],
    );
    let many = format!(r#"{{"r":[{}]}}"#, vec![r#"{"kk":1}"#; 100].join(","));
    let paths: Vec<String> = (0..20).map(|it| format!("r[{it}].kk")).collect();
    check(file, &many, &paths.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn slugs_of_creates() {
    let check = |body: &str, api: Api, expect: &str| {
        let mut request = Request::new(PLAIN, "", body);
        request.api = api;
        let merged = request.merge();
        let got = if merged.problems.is_empty() { merged.slug.clone() } else { outcome(&merged) };
        assert_eq!(got, expect, "{body}");
        assert!(
            !merged.problems.is_empty() || value(&merged.file, "slug") == format!("\"{expect}\"")
        );
    };
    for api in [Api::Public, Api::Admin] {
        check(r#"{"title":"Some Title"}"#, api, "some-title");
        check(r#"{"title":"!!!"}"#, api, "e1");
        check(r#"{"title":"Taken"}"#, api, "taken-3");
        check(r#"{"title":"other id"}"#, api, "other-id-2");
        check(r#"{"title":"T","slug":"My Own"}"#, api, "my-own");
        check(r#"{"title":"T","slug":2026}"#, api, "2026");
        check(r#"{"title":"Taken","slug":""}"#, api, "taken-3");
        check(r#"{"title":"T","slug":["a"]}"#, api, "! slug");
    }
    check(r#"{"title":"T","slug":"taken"}"#, Api::Public, "taken-3");
    check(r#"{"title":"T","slug":"Taken"}"#, Api::Admin, "! slug");
    let of = |schema: &str, body: &str| merge_of(schema, "", body).slug;
    let sourced = r#"{"slug_source":"code","fields":{"code":{}}}"#;
    assert_eq!(of(sourced, r#"{"title":"T","code":"A 1"}"#), "a-1");
    assert_eq!(of(sourced, r#"{"title":"T"}"#), "t");
    let own = r#"{"slug_field":"path","fields":{"path":{}}}"#;
    assert_eq!(of(own, r#"{"title":"T","path":"A 1"}"#), "a-1");
    assert_eq!(of(own, r#"{"title":"T","path":"A 1","slug":"s"}"#), "s");
    let check = |kind: &str, default: &str, body: &str, expect: &str| {
        let fields = format!(r#"{{"path":{{"type":"{kind}","default":"{default}"}}}}"#);
        let schema = format!(r#"{{"slug_field":"path","fields":{fields}}}"#);
        for api in [Api::Public, Api::Admin] {
            let mut request = Request::new(&schema, "", body);
            request.api = api;
            let merged = request.merge();
            let got = format!("{} {}", merged.slug, value(&merged.file, "data.path"));
            assert_eq!(got, expect, "{kind} {body}");
        }
    };
    check("slug", "page", r#"{"title":"T"}"#, r#"page "page""#);
    check("slug", "taken", r#"{"title":"T"}"#, r#"taken-3 "taken-3""#);
    check("slug", "page", r#"{"title":"T","slug":"s"}"#, r#"s "s""#);
    check("slug", "page", r#"{"title":"T","path":null}"#, r#"t "t""#);
    check("text", "My Page", r#"{"title":"T"}"#, r#"my-page "My Page""#);
    check("text", "My Page", r#"{"title":"T","slug":"s"}"#, r#"s "My Page""#);
    check("text", "My Page", r#"{"title":"T","path":"P"}"#, r#"p "P""#);
    assert_eq!(of(r#"{"fields":{"slug":{"type":"slug","default":"p"}}}"#, r#"{"title":"T"}"#), "p");
    let single = merge_of(r#"{"singleton":true}"#, "", r#"{"title":"T","slug":"taken"}"#);
    assert_eq!(
        (single.slug.as_str(), outcome(&single).as_str()),
        ("posts", "title status author_id slug")
    );
}

#[test]
fn slugs_of_updates() {
    let check = |file: &str, body: &str, api: Api, expect: &str| {
        let mut request = Request::new(PLAIN, file, body);
        request.api = api;
        let merged = request.merge();
        let got = format!("{} {}", outcome(&merged), value(&merged.file, "slug"));
        assert_eq!(got, expect, "{file} {body}");
    };
    let (own, derived) = (r#"{"title":"T","slug":"old"}"#, r#"{"title":"Old Title"}"#);
    for api in [Api::Public, Api::Admin] {
        check(own, r#"{"title":"New"}"#, api, r#"title "old""#);
        check(own, r#"{"slug":"Old!"}"#, api, r#" "old""#);
        check(own, r#"{"slug":"new"}"#, api, r#"slug "new""#);
        check(own, r#"{"slug":"","title":"Taken"}"#, api, r#"title slug "taken-3""#);
        check(own, r#"{"slug":null}"#, api, r#"slug "t""#);
        // The slug derived from the old title stays when the title changes.
        check(derived, r#"{"title":"New"}"#, api, r#"title "old-title""#);
        check(derived, r#"{"slug":"old-title"}"#, api, " -");
        // Another entry already has the slug, but this request did not cause that.
        check(
            r#"{"title":"T","slug":"taken"}"#,
            r#"{"slug":"taken","body":"x"}"#,
            api,
            r#"body "taken""#,
        );
    }
    check(own, r#"{"slug":"taken"}"#, Api::Public, r#"slug "taken-3""#);
    check(own, r#"{"slug":"other-id"}"#, Api::Public, r#"slug "other-id-2""#);
    check(own, r#"{"slug":"taken"}"#, Api::Admin, r#"! slug "old""#);
    let single = merge_of(
        r#"{"singleton":true,"fields":{"a":{}}}"#,
        r#"{"title":"T"}"#,
        r#"{"slug":"x","a":"b"}"#,
    );
    assert_eq!((outcome(&single), value(&single.file, "slug")), ("a".into(), "\"posts\"".into()));
    let own_field = r#"{"slug_field":"path","fields":{"path":{}}}"#;
    let moved =
        merge_of(own_field, r#"{"title":"T","slug":"t","data":{"path":"x"}}"#, r#"{"path":"y"}"#);
    assert_eq!(value(&moved.file, "slug"), "\"y\"");
    let same = merge_of(
        own_field,
        r#"{"title":"T","slug":"t","data":{"path":"x"}}"#,
        r#"{"path":"x","title":"U"}"#,
    );
    assert_eq!(value(&same.file, "slug"), "\"t\"");
    let check = |body: &str, expect: &str| {
        let schema = r#"{"slug_field":"path","fields":{"path":{"type":"slug"},"a":{}}}"#;
        let file = r#"{"title":"T","slug":"s","data":{"path":"p"}}"#;
        let merged = merge_of(schema, file, body);
        let (slug, path) = (value(&merged.file, "slug"), value(&merged.file, "data.path"));
        assert_eq!(format!("{} {slug} {path}", outcome(&merged)), expect, "{body}");
    };
    check(r#"{"path":"p"}"#, r#"slug "p" "p""#);
    check(r#"{"slug":"s"}"#, r#"path "s" "s""#);
    check(r#"{"path":"q"}"#, r#"path slug "q" "q""#);
    check(r#"{"path":"s"}"#, r#"path "s" "s""#);
    check(r#"{"slug":"q"}"#, r#"slug "q" "q""#);
    check(r#"{"slug":"s","path":"q"}"#, r#"path slug "q" "q""#);
    // What is sent back as it was read changes nothing.
    check(r#"{"slug":"s","path":"p"}"#, r#" "s" "p""#);
    check(r#"{"a":"x"}"#, r#"a "s" "p""#);
}

#[test]
fn only_slugs_that_were_public_are_former_ones() {
    let check = |file: &str, body: &str, expect: &str| {
        let merged = merge_of(PLAIN, file, body);
        assert_eq!(value(&merged.file, "former_slugs"), expect, "{file} {body}");
    };
    let public = r#"{"title":"T","slug":"a","status":"published","published_at":"2026-01-01"}"#;
    check(public, r#"{"title":"U"}"#, "-");
    check(public, r#"{"slug":"b"}"#, r#"["a"]"#);
    // From now on nobody knows under which slug it was public, but the list.
    check(public, r#"{"status":"draft"}"#, r#"["a"]"#);
    check(public, r#"{"status":"draft","slug":"b"}"#, r#"["a"]"#);
    let draft = r#"{"title":"T","slug":"b","former_slugs":["a"],"published_at":"2026-01-01"}"#;
    check(draft, r#"{"slug":"c"}"#, r#"["a"]"#);
    check(draft, r#"{"slug":"a"}"#, r#"["a"]"#);
    check(draft, r#"{"status":"published"}"#, r#"["a"]"#);
    let dated = r#"{"title":"T","slug":"secret","published_at":"2026-01-01"}"#;
    check(dated, r#"{"slug":"c"}"#, "-");
    let own_id = r#"{"title":"T","slug":"e1","status":"published","published_at":"2026-01-01"}"#;
    check(own_id, r#"{"status":"draft"}"#, "-");
    let mut proposal = Request::new(PLAIN, public, r#"{"slug":"b"}"#);
    proposal.is_proposal = true;
    assert_eq!(value(&proposal.merge().file, "former_slugs"), "-");
}

#[test]
fn a_field_that_is_the_slug_has_its_value() {
    let schema = r#"{"slug_field":"path","locales":["en","de"],"fields":{"path":{"type":"slug"}}}"#;
    let file = r#"{"title":"T","slug":"old","data":{"path":"old"},
        "translations":{"de":{"data":{"path":"alt"}}}}"#;
    let check = |body: &str, expect: &str| {
        let mut request = Request::new(schema, file, body);
        request.api = Api::Admin;
        let merged = request.merge();
        let paths = ["slug", "data.path", "translations.de.data.path"];
        let got = paths.map(|it| value(&merged.file, it)).join(" ").replace('"', "");
        assert_eq!((outcome(&merged).as_str(), got.as_str()), ("path slug", expect), "{body}");
    };
    check(r#"{"path":"new"}"#, "new new new");
    check(r#"{"path":"neu","locale":"de"}"#, "neu neu neu");
    check(r#"{"path":null}"#, "t t t");
    let mut request = Request::new(schema, file, r#"{"slug":"new"}"#);
    assert_eq!(outcome(&request.merge()), "slug");
    assert!(!request.merge().locales.iter().any(|it| it == "de"));
    request.body = map(r#"{"translations":{"de":{"data":{"path":"neu"}}}}"#);
    request.api = Api::Admin;
    assert_eq!(value(&request.merge().file, "translations.de.data.path"), "\"old\"");
}

#[test]
fn status_and_date() {
    let check = |file: &str, body: &str, expect: &str, needs_publish: bool| {
        let merged = merge_of(PLAIN, file, body);
        let day = |it: String| it.trim_matches('"').get(..10).map_or(it.clone(), str::to_string);
        let stored = (value(&merged.file, "status"), day(value(&merged.file, "published_at")));
        let got = format!("{} = {} {}", outcome(&merged), stored.0.trim_matches('"'), stored.1);
        assert_eq!(
            (got.as_str(), merged.needs_publish()),
            (expect, needs_publish),
            "{file} {body}"
        );
    };
    let draft = r#"{"title":"T","status":"draft"}"#;
    check(draft, r#"{"status":"published"}"#, "status published_at = published 2026-06-01", true);
    check(
        draft,
        r#"{"status":"published","published_at":"2026-05-01"}"#,
        "status published_at = published 2026-05-01",
        true,
    );
    check(
        draft,
        r#"{"status":"published","published_at":"2026-07-01"}"#,
        "status published_at = scheduled 2026-07-01",
        true,
    );
    check(
        draft,
        r#"{"status":"scheduled","published_at":"2026-07-01T00:00:00+02:00"}"#,
        "status published_at = scheduled 2026-06-30",
        true,
    );
    check(draft, r#"{"status":"scheduled"}"#, "! published_at = scheduled -", true);
    check(draft, r#"{"status":"gone"}"#, "! status = draft -", false);
    check(draft, r#"{"status":5,"published_at":5}"#, "! status published_at = draft -", false);
    check(draft, r#"{"published_at":"2026-07-01"}"#, "published_at = draft 2026-07-01", false);
    check(draft, r#"{"status":"archived"}"#, "status = archived -", false);
    let out = r#"{"title":"T","status":"published","published_at":"2026-05-01"}"#;
    check(out, r#"{"status":"draft"}"#, "status = draft 2026-05-01", false);
    check(out, r#"{"status":null}"#, "status = draft 2026-05-01", false);
    check(out, r#"{"published_at":"2026-04-01"}"#, "published_at = published 2026-04-01", true);
    check(
        out,
        r#"{"published_at":"2026-07-01"}"#,
        "status published_at = scheduled 2026-07-01",
        true,
    );
    check(out, r#"{"published_at":null}"#, "published_at = published 2026-06-01", true);
    check(out, r#"{"published_at":"2026-05-01T02:00:00+02:00"}"#, " = published 2026-05-01", false);
    check(
        out,
        r#"{"status":"draft","published_at":null}"#,
        "status published_at = draft null",
        true,
    );
    // Edited by hand: a date that is derived from elsewhere is kept when the status changes.
    let undated = r#"{"title":"T","status":"published"}"#;
    check(undated, r#"{"body":"x"}"#, "body = published -", false);
    check(undated, r#"{"status":"draft"}"#, "status = draft 2026-01-01", false);
    let coming = r#"{"title":"T","status":"published","published_at":"2026-07-01"}"#;
    check(coming, r#"{"status":"scheduled","body":"x"}"#, "body = published 2026-07-01", false);
    check(coming, r#"{"published_at":"2026-05-01"}"#, "published_at = scheduled 2026-05-01", true);
    let never = r#"{"title":"T","status":"scheduled"}"#;
    check(never, r#"{"body":"x"}"#, "body = scheduled -", false);
    check(never, r#"{"status":"published"}"#, "status published_at = published 2026-06-01", true);
}

#[test]
fn ends() {
    let check = |file: &str, body: &str, expect: &str, needs_publish: bool| {
        let merged = merge_of(PLAIN, file, body);
        let end = merged.file.get("unpublish_at").and_then(Json::as_str).unwrap_or("-");
        let got = format!("{} = {end}", outcome(&merged));
        assert_eq!(
            (got.as_str(), merged.needs_publish()),
            (expect, needs_publish),
            "{file} {body}"
        );
    };
    // The current time in these tests is noon of the first of June.
    let out = r#"{"title":"T","status":"published","published_at":"2026-05-01"}"#;
    let set = "unpublish_at = 2026-07-01T00:00:00Z";
    check(out, r#"{"unpublish_at":"2026-07-01"}"#, set, true);
    check(out, r#"{"unpublish_at":null}"#, " = -", false);
    check(out, r#"{"unpublish_at":"2026-05-01"}"#, "! unpublish_at = 2026-05-01T00:00:00Z", true);
    check(out, r#"{"unpublish_at":"soon"}"#, "! unpublish_at = -", false);
    check(out, r#"{"unpublish_at":5}"#, "! unpublish_at = -", false);
    let past = "unpublish_at = 2026-05-02T00:00:00Z";
    check(out, r#"{"unpublish_at":"2026-05-02"}"#, past, true);
    let ending = r#"{"title":"T","status":"published","published_at":"2026-05-01","unpublish_at":"2026-07-01"}"#;
    check(ending, r#"{"unpublish_at":"2026-07-01T00:00:00Z"}"#, " = 2026-07-01", false);
    check(ending, r#"{"unpublish_at":"2026-08-01"}"#, "unpublish_at = 2026-08-01T00:00:00Z", true);
    check(ending, r#"{"unpublish_at":""}"#, "unpublish_at = -", true);
    check(ending, r#"{"body":"x"}"#, "body = 2026-07-01", false);
    check(ending, r#"{"published_at":"2026-07-01"}"#, "! unpublish_at = 2026-07-01", true);
    check(ending, r#"{"status":"draft"}"#, "status unpublish_at = -", false);
    let moved = "status unpublish_at = 2026-08-01T00:00:00Z";
    check(ending, r#"{"status":"draft","unpublish_at":"2026-08-01"}"#, moved, true);
    let ended = ending.replace("07-01", "05-15");
    let echo = r#"{"body":"x","status":"published","unpublish_at":"2026-05-15"}"#;
    check(&ended, echo, "body = 2026-05-15", false);
    check(&ended, r#"{"unpublish_at":null}"#, "unpublish_at = -", true);
    check(&ended, r#"{"status":"scheduled"}"#, "! unpublish_at = 2026-05-15", true);
    let draft = r#"{"title":"T","status":"draft","unpublish_at":"2026-05-15"}"#;
    check(draft, r#"{"status":"protected"}"#, "status = 2026-05-15", false);
    let undated = "! unpublish_at = 2026-05-15";
    check(draft, r#"{"status":"published"}"#, undated, true);
    let dated = r#"{"status":"published","published_at":"2026-05-01"}"#;
    check(draft, dated, "! unpublish_at = 2026-05-15", true);
    let both = r#"{"status":"published","published_at":"2026-05-01","unpublish_at":"2026-05-16"}"#;
    let said = "status published_at unpublish_at = 2026-05-16T00:00:00Z";
    check(draft, both, said, true);
    // Edited by hand: an unreadable end counts as passed and stays until somebody changes it.
    let broken =
        r#"{"title":"T","status":"published","published_at":"2026-05-01","unpublish_at":"soon"}"#;
    check(broken, r#"{"body":"x"}"#, "body = soon", false);
    check(broken, r#"{"unpublish_at":null}"#, "unpublish_at = -", true);
    let reversed = ending.replace("07-01", "04-01");
    check(&reversed, r#"{"body":"x"}"#, "body = 2026-04-01", false);
}

#[test]
fn an_end_that_nobody_can_read_has_come() {
    let check = |end: &str, expect: bool, told: &[&str]| {
        let dates = format!(r#""published_at":"2026-05-01","unpublish_at":{end}"#);
        let file = format!(r#"{{"title":"T","status":"published",{dates}}}"#);
        let (id, ty) = (EntryId::parse("a").unwrap(), content_type(PLAIN));
        let facts = FileFacts { modified: at(MODIFIED), now: at(NOW) };
        let mut findings = Vec::new();
        let entry = Entry::read(id, &ty, json(&file), facts, &mut findings);
        assert_eq!(Publication::of_entry(&entry).is_public(at(NOW)), expect, "{end}");
        let paths: Vec<&str> = findings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, told, "{end}");
    };
    for none in ["null", "\"\"", "\"2026-07-01\""] {
        check(none, true, &[]);
    }
    check("\"2026-06-01T12:00:00Z\"", false, &[]);
    check("\"2026-06-01T12:00:01Z\"", true, &[]);
    for wrong in ["\"soon\"", "5", "[]", "{}", "true", "\"2026-04-01\"", "\"2026-05-01\""] {
        check(wrong, false, &["unpublish_at"]);
    }
}

#[test]
fn authors() {
    let check = |file: &str, body: &str, sets: bool, expect: &str| {
        let mut request = Request::new(PLAIN, file, body);
        request.sets_author = sets;
        let merged = request.merge();
        assert_eq!(format!("{} {}", outcome(&merged), value(&merged.file, "author_id")), expect);
    };
    let mine = r#"{"title":"T","author_id":"u1"}"#;
    check(mine, r#"{"author_id":"u2"}"#, false, r#" "u1""#);
    check(mine, r#"{"author_id":5}"#, false, r#" "u1""#);
    check(mine, r#"{"author_id":"u2"}"#, true, r#"author_id "u2""#);
    check(mine, r#"{"author_id":null}"#, true, "author_id null");
    check(mine, r#"{"author_id":5}"#, true, r#"! author_id "u1""#);
    check(r#"{"title":"T"}"#, r#"{"author_id":null}"#, true, " -");
    let merged = |sets| {
        let mut request = Request::new(PLAIN, "", r#"{"title":"T","author_id":"u2"}"#);
        request.sets_author = sets;
        value(&request.merge().file, "author_id")
    };
    assert_eq!((merged(false), merged(true)), ("\"tok_me\"".into(), "\"u2\"".into()));
}

#[test]
fn requirements_of_untouched_fields_do_not_stand_in_the_way() {
    let schema = r#"{"fields":{"a":{"required":true},"b":{},"m":{"max_length":2},
        "kind":{"type":"select","options":["x","y"]},
        "note":{"required":true,"visible_if":{"kind":"x"}}}}"#;
    let check = |data: &str, body: &str, expect: &str| {
        let merged = merge_of(schema, &format!(r#"{{"title":"T","data":{data}}}"#), body);
        assert_eq!(outcome(&merged), expect, "{data} {body}");
    };
    check("{}", r#"{"b":"x"}"#, "b");
    check(r#"{"a":null,"m":"too long"}"#, r#"{"a":null,"b":"x","m":"too long"}"#, "b");
    check(r#"{"a":null}"#, r#"{"a":"","b":"x"}"#, "! a");
    check("{}", r#"{"a":null}"#, "! a");
    check(r#"{"a":"x"}"#, r#"{"a":null}"#, "! a");
    check(r#"{"m":"too long"}"#, r#"{"m":"long"}"#, "! m");
    check("{}", r#"{"kind":"y"}"#, "kind");
    check("{}", r#"{"kind":"x"}"#, "! note");
    check("{}", r#"{"kind":"x","note":"n"}"#, "kind note");
    check(r#"{"kind":"x"}"#, r#"{"b":"x"}"#, "b");
    check(r#"{"kind":"x","note":"n"}"#, r#"{"kind":"y","note":null}"#, "kind note");
}

const LINKED: &str = r#"{"fields":{
    "one":{"type":"relation","target":"people"},
    "many":{"type":"relation","target":"people","multiple":true,"max_items":3},
    "files":{"type":"media","multiple":true},
    "seo":{"type":"object","fields":{"note":{},"by":{"type":"relation","target":"people"},
        "must":{"required":true}}},
    "rows":{"type":"repeater","subfields":[{"key":"t"},{"key":"by","type":"relation","target":"people"},
        {"key":"files","type":"media"}]},
    "parts":{"type":"blocks","blocks":{"quote":{"fields":{"words":{},
        "by":{"type":"relation","target":"people"}}},"line":{}}}}}"#;

/// Returns the result of sending one value.
fn field(name: &str, stored: &str, sent: &str) -> String {
    let file = format!(r#"{{"title":"T","data":{{"{name}":{stored}}}}}"#);
    let merged = merge_of(LINKED, &file, &format!(r#"{{"{name}":{sent}}}"#));
    if !merged.problems.is_empty() {
        return outcome(&merged);
    }
    let is_same = !merged.is_change();
    assert_eq!(is_same, value(&merged.file, &format!("data.{name}")) == text(&json(stored)));
    if is_same { "same".to_string() } else { value(&merged.file, &format!("data.{name}")) }
}

#[test]
fn hidden_targets_stay() {
    let check = |stored: &str, sent: &str, expect: &str| {
        let name = if stored.starts_with('[') { "many" } else { "one" };
        assert_eq!(field(name, stored, sent), expect, "{stored} {sent}");
    };
    check("\"h3\"", "null", "same");
    check("\"h3\"", "\"bob\"", "\"b2\"");
    check("\"h3\"", "\"h3\"", "! one");
    check("\"a1\"", "\"h3\"", "! one");
    check("\"a1\"", "null", "null");
    check("\"a1\"", r#"{"id":"a1","title":"Ann"}"#, "same");
    check("\"a1\"", r#"{"id":"b2","title":"Bob"}"#, "\"b2\"");
    check("\"gone\"", "\"gone\"", "same");
    check(r#"["a1","h3","b2"]"#, r#"["a1","b2"]"#, "same");
    check(r#"["a1","h3","b2"]"#, r#"["b2","a1"]"#, r#"["b2","h3","a1"]"#);
    check(r#"["a1","h3","b2"]"#, r#"[{"id":"b2"}]"#, r#"["b2","h3"]"#);
    check(r#"["a1","h3","b2"]"#, "[]", r#"["h3"]"#);
    check(r#"["a1","h3","b2"]"#, "null", r#"["h3"]"#);
    check(r#"["h3","a1"]"#, r#"["a1","b2","c4"]"#, r#"["h3","a1","b2","c4"]"#);
    check(r#"["a1","h3"]"#, r#"["a1","h3"]"#, "! many[1]");
    check(r#"["a1","h3"]"#, r#"["a1","nobody"]"#, "! many[1]");
    check(r#"["gone","a1"]"#, r#"["gone","b2"]"#, r#"["gone","b2"]"#);
    check(r#"["a1",5,"no id"]"#, r#"["a1"]"#, "same");
    check(r#"["a1",5,"no id"]"#, r#"["b2"]"#, r#"["b2"]"#);
}

#[test]
fn files_stay_by_their_address() {
    let check = |stored: &str, sent: &str, expect: &str| {
        assert_eq!(field("files", stored, sent), expect, "{stored} {sent}");
    };
    let url = |name: &str| format!("\"{MEDIA_BASE}{name}\"");
    check(r#"["a.png","gone.png"]"#, &format!("[{},{}]", url("a.png"), url("gone.png")), "same");
    check(
        r#"["a.png","gone.png"]"#,
        &format!("[{},\"b.png\"]", url("gone.png")),
        r#"["gone.png","b.png"]"#,
    );
    check(r#"["gone.png"]"#, r#"["gone.png"]"#, "same");
    check(r#"["a.png"]"#, &format!("[{},{}]", url("b.png"), url("a.png")), r#"["b.png","a.png"]"#);
    check(r#"["a.png"]"#, r#"["new.png"]"#, "! files[0]");
    check("\"a.png\"", &format!("[{}]", url("a.png")), "same");
    check(r#"["a.png"]"#, "null", "[]");
}

#[test]
fn what_is_inside_of_values_stays_as_well() {
    let check = |name: &str, stored: &str, sent: &str, expect: &str| {
        assert_eq!(field(name, stored, sent), expect, "{stored} {sent}");
    };
    check("seo", r#"{"note":"n","by":"h3","odd":1}"#, r#"{"by":null,"note":"n"}"#, "same");
    check(
        "seo",
        r#"{"note":"n","by":"h3","odd":1}"#,
        r#"{"by":null,"note":"m"}"#,
        r#"{"note":"m","by":"h3","odd":1,"must":null}"#,
    );
    check(
        "seo",
        r#"{"note":"n","by":"h3","must":"x"}"#,
        r#"{"must":"x"}"#,
        r#"{"note":null,"by":"h3","must":"x"}"#,
    );
    check("seo", r#"{"note":"n","must":"x"}"#, r#"{"note":"n"}"#, "! seo.must");
    check("seo", r#"{"note":"n"}"#, "{}", "{}");
    check("seo", r#"{"note":"n"}"#, "5", "! seo");
    let rows =
        r#"[{"t":"a","by":"h3"},{"t":"b","by":"a1"},{"t":"c","by":"h3","files":["gone.png"]}]"#;
    let (a, b) = (r#"{"t":"a","by":null}"#, r#"{"t":"b","by":"a1"}"#);
    let c = format!(r#"{{"t":"c","by":null,"files":["{MEDIA_BASE}gone.png"]}}"#);
    let c = c.as_str();
    check("rows", rows, &format!("[{a},{b},{c}]"), "same");
    let moved = r#"[{"t":"c","by":"h3","files":["gone.png"]},{"t":"a","by":"h3"}]"#;
    check("rows", rows, &format!("[{c},{a}]"), moved);
    check(
        "rows",
        rows,
        &format!("[{b},{}]", c.replace("\"c\"", "\"C\"")),
        r#"[{"t":"b","by":"a1"},{"t":"C","by":"h3","files":["gone.png"]}]"#,
    );
    let taken_out = r#"[{"t":"B","by":"a1","files":[]}]"#;
    check("rows", rows, r#"[{"t":"B","by":"a1"}]"#, taken_out);
    // A new row has no previous owner.
    check(
        "rows",
        rows,
        &format!(r#"[{a},{{"t":"n","by":null}},{b},{c}]"#),
        r#"[{"t":"a","by":"h3"},{"t":"n","by":null,"files":[]},{"t":"b","by":"a1"},{"t":"c","by":"h3","files":["gone.png"]}]"#,
    );
    check("rows", rows, &format!(r#"[{a},{b},{{"t":"c","by":"nobody"}}]"#), "! rows[2].by");
    check("rows", rows, &format!("[{a},5,{b}]"), "! rows[1]");
    let parts = r#"[{"_type":"quote","_id":"x","words":"w","by":"h3"},{"_type":"gone","_id":"y","k":1},{"_type":"quote","words":"v"}]"#;
    let (x, y, z) = (
        r#"{"_type":"quote","_id":"x","words":"w","by":null}"#,
        r#"{"_id":"y","_type":"gone"}"#,
        r#"{"_type":"quote","words":"v"}"#,
    );
    check("parts", parts, &format!("[{x},{y},{z}]"), "same");
    let (stored_x, stored_y) = (
        r#"{"_type":"quote","_id":"x","words":"w","by":"h3"}"#,
        r#"{"_type":"gone","_id":"y","k":1}"#,
    );
    check("parts", parts, &format!("[{y},{x}]"), &format!("[{stored_y},{stored_x}]"));
    check(
        "parts",
        parts,
        &format!("[{z},{x}]"),
        &format!(r#"[{{"_type":"quote","_id":"id1","words":"v"}},{stored_x}]"#),
    );
    check(
        "parts",
        parts,
        r#"[{"_type":"quote","_id":"x","words":"W","by":null}]"#,
        r#"[{"_type":"quote","_id":"x","words":"W","by":"h3"}]"#,
    );
    check("parts", parts, r#"[{"_type":"line","_id":"x"}]"#, r#"[{"_type":"line","_id":"x"}]"#);
    check(
        "parts",
        parts,
        r#"[{"_type":"quote","words":"new"}]"#,
        r#"[{"_type":"quote","_id":"id1","words":"new","by":null}]"#,
    );
    check("parts", parts, r#"[{"_type":"gone","_id":"y","k":2}]"#, "! parts[0]._type");
}

const LOCALIZED: &str = r#"{"locales":["en","de","fr"],"default_locale":"en","root_locale":"en",
    "fields":{"body":{},"rel":{"type":"relation","target":"people"},
    "shared":{"localized":false},"must":{"required":true}}}"#;

#[test]
fn a_locale_is_written_alone() {
    let file = r#"{"title":"T","slug":"t","data":{"body":"en","rel":"h3","shared":"s","must":"m"},
        "translations":{"fr":{"title":"F","data":{"body":"fr"}}}}"#;
    let check = |body: &str, changed: &str, values: &[(&str, &str)]| {
        let merged = merge_of(LOCALIZED, file, body);
        assert_eq!(outcome(&merged), changed, "{body}");
        for (path, expect) in values {
            assert_eq!(value(&merged.file, path), *expect, "{body} {path}");
        }
    };
    let de = "translations.de.data.body";
    check(
        r#"{"locale":"de","body":"deutsch"}"#,
        "body",
        &[(de, "\"deutsch\""), ("data.body", "\"en\""), ("translations.de.title", "-")],
    );
    check(
        r#"{"locale":"de","title":"D","body":"en"}"#,
        "title",
        &[("translations.de", r#"{"title":"D"}"#), ("title", "\"T\"")],
    );
    check(r#"{"locale":"de","title":"T","body":"en","rel":null,"shared":"s","must":"m"}"#, "", &[]);
    check(
        r#"{"locale":"de","shared":"neu"}"#,
        "shared",
        &[("data.shared", "\"neu\""), ("translations.de", "-")],
    );
    check(
        r#"{"locale":"de","rel":"ann"}"#,
        "rel",
        &[("translations.de.data.rel", "\"a1\""), ("data.rel", "\"h3\"")],
    );
    check(r#"{"locale":"fr","body":null}"#, "body", &[("translations.fr", r#"{"title":"F"}"#)]);
    check(r#"{"locale":"fr","body":"","title":null}"#, "title body", &[("translations", "{}")]);
    check(r#"{"locale":"fr","must":null}"#, "", &[]);
    check(r#"{"must":null}"#, "! must", &[]);
    check(r#"{"title":null}"#, "! title", &[]);
    check(r#"{"locale":"xx","body":"x"}"#, "! locale", &[]);
    check(r#"{"locale":5}"#, "! locale", &[]);
    check(r#"{"locale":null,"body":"x"}"#, "body", &[("data.body", "\"x\"")]);
    check(r#"{"body":"x"}"#, "body", &[("data.body", "\"x\"")]);
    check(r#"{"data":{"locale":"de","body":"x"}}"#, "body", &[(de, "\"x\"")]);
    let locales = |body: &str| -> Vec<String> {
        merge_of(LOCALIZED, file, body).locales.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        (locales("{}"), locales(r#"{"locale":"de"}"#)),
        (vec!["en".into()], vec!["de".into()])
    );
}

#[test]
fn where_the_default_is_not_the_root() {
    let schema = LOCALIZED.replace(r#""default_locale":"en""#, r#""default_locale":"de""#);
    let file = r#"{"title":"T","data":{"body":"en","must":"m"},
        "translations":{"de":{"title":"D","data":{"body":"de"}}}}"#;
    let check = |body: &str, path: &str, expect: &str| {
        let merged = merge_of(&schema, file, body);
        assert_eq!(value(&merged.file, path), expect, "{body}: {}", outcome(&merged));
    };
    check(r#"{"body":"neu"}"#, "translations.de.data.body", "\"neu\"");
    check(r#"{"body":"neu"}"#, "data.body", "\"en\"");
    check(r#"{"locale":"en","body":"new"}"#, "data.body", "\"new\"");
    // French shows the German text, and stores no value if that text is sent back.
    check(r#"{"locale":"fr","body":"de","title":"D"}"#, "translations.fr", "-");
}

#[test]
fn creating_in_another_locale_fills_the_root() {
    let body = r#"{"locale":"de","title":"D","body":"b","shared":"s","must":"m"}"#;
    let merged = merge_of(LOCALIZED, "", body);
    assert_eq!(outcome(&merged), "title body shared must status author_id slug");
    let get = |path: &str| value(&merged.file, path);
    assert_eq!(
        (get("title"), get("data.body"), get("data.shared")),
        ("\"D\"".into(), "\"b\"".into(), "\"s\"".into())
    );
    assert_eq!(get("translations"), r#"{"de":{"title":"D","data":{"body":"b","must":"m"}}}"#);
    let root = merge_of(LOCALIZED, "", r#"{"title":"T","must":"m"}"#);
    assert_eq!(value(&root.file, "translations"), "-");
}

#[test]
fn one_save_holds_all_locales() {
    let file = r#"{"title":"T","slug":"t","data":{"body":"en","must":"m"},
        "translations":{"de":{"title":"D","data":{"body":"de","odd":1}},"it":{"title":"I"}}}"#;
    let check = |body: &str, changed: &str, path: &str, expect: &str| {
        let mut request = Request::new(LOCALIZED, file, body);
        request.api = Api::Admin;
        let merged = request.merge();
        assert_eq!(outcome(&merged), changed, "{body}");
        assert_eq!(value(&merged.file, path), expect, "{body}");
    };
    let all = "translations";
    check(
        r#"{"translations":{"de":{"title":"D","data":{"body":"de","odd":1}},"it":{"title":"I"}}}"#,
        "",
        "title",
        "\"T\"",
    );
    check(
        r#"{"translations":{"de":{"data":{"body":"neu"}}}}"#,
        "body",
        "translations.de",
        r#"{"title":"D","data":{"body":"neu","odd":1}}"#,
    );
    check(
        r#"{"translations":{"fr":{"title":"F","data":{"body":"fr"}},"de":{"title":""}},"body":"x"}"#,
        "body title",
        "translations.fr",
        r#"{"title":"F","data":{"body":"fr"}}"#,
    );
    check(r#"{"translations":{"de":null}}"#, "title body", all, r#"{"it":{"title":"I"}}"#);
    check(r#"{"translations":{"it":{"title":"J"}}}"#, "! translations.it", "title", "\"T\"");
    check(r#"{"translations":{"en":{"title":"J"}}}"#, "! translations.en", "title", "\"T\"");
    check(r#"{"translations":{"de":5}}"#, "! translations.de", "title", "\"T\"");
    check(r#"{"translations":5}"#, "! translations", "title", "\"T\"");
    check(
        r#"{"translations":{"de":{"data":{"rel":"nobody"}}}}"#,
        "! translations.de.data.rel",
        "title",
        "\"T\"",
    );
}

#[test]
fn a_translation_that_is_not_shown_is_written_whatever_is_sent() {
    let file = r#"{"title":"T","slug":"t","data":{"body":"en","must":"m"},
        "translations":{"de":{"title":"D","data":{"body":"de"}}}}"#;
    let check = |body: &str, expect: &[&str]| {
        let mut request = Request::new(LOCALIZED, file, body);
        request.api = Api::Admin;
        let locales = request.merge().locales;
        assert_eq!(locales.iter().map(|it| it.as_str()).collect::<Vec<_>>(), expect, "{body}");
    };
    for given in ["null", "{}", "5", r#"{"title":null}"#, r#"{"data":{"body":"fr"}}"#] {
        check(&format!(r#"{{"locale":"en","translations":{{"fr":{given}}}}}"#), &["en", "fr"]);
    }
    check(r#"{"locale":"en","translations":{"de":{"title":"D"}}}"#, &["en"]);
    check(r#"{"locale":"en","translations":{"de":{"data":{"body":"neu"}}}}"#, &["en", "de"]);
    check(r#"{"locale":"en","translations":{"de":{"data":{"rel":"nobody"}}}}"#, &["en", "de"]);
}
