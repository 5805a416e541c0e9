//! `render=html`: the HTML of Markdown beside its source.

use serde_json::Value;
use serde_json::json;

use crate::support::scenario::stage::Stage;

const DOCS: &str = r##"{"visibility":"public","fields":{
    "text":{"type":"markdown"},
    "plain":{"type":"textarea"},
    "box":{"type":"object","fields":{"inner":{"type":"markdown"},"other":{"type":"text"}}},
    "rows":{"type":"repeater","subfields":[{"key":"cell","type":"markdown"},
        {"key":"no","type":"number"}]},
    "parts":{"type":"blocks","blocks":{
        "words":{"fields":{"said":{"type":"markdown"}}},
        "rule":{"fields":{"width":{"type":"number"}}}}},
    "next":{"type":"relation","target":"docs"}}}"##;

const DOC: &str = r##"{"title":"{}","status":"published","data":{
    "text":"# {}","plain":"# no","box":{"inner":"*b*","other":"x"},
    "rows":[{"cell":"r1","no":1},{"no":2},{"cell":null}],
    "parts":[{"_type":"rule","_id":"p1","width":1},{"_type":"words","_id":"p2","said":"hi"}],
    "next":"d0001"}}"##;

fn stage(count: usize) -> Stage {
    let doc = DOC.replace('\n', "");
    let lines = [
        "fixture library".to_string(),
        format!("many {count} workspaces/default/content/docs/d{{}}.json {doc}"),
    ];
    let mut stage = Stage::prepare(&lines);
    let schemas = stage.folder_path().join("workspaces/default/schemas");
    std::fs::create_dir_all(&schemas).unwrap();
    std::fs::write(schemas.join("docs.json"), DOCS).unwrap();
    stage.open();
    stage
}

fn read(stage: &Stage, address: &str) -> (u16, Value) {
    let (status, _, body) = stage.ask_with(&format!("GET {{ws}}/content/{address}"), &[]);
    (status, serde_json::from_slice(&body).unwrap())
}

#[test]
fn html_stands_in_the_places_of_its_markdown() {
    let stage = stage(2);
    let html = |title: &str| {
        json!({
            "text": format!("<h1 id=\"{title}\">{title}</h1>"),
            "box": { "inner": "<p><em>b</em></p>" },
            "rows": [{ "cell": "<p>r1</p>" }, {}, { "cell": null }],
            "parts": [{}, { "said": "<p>hi</p>" }],
        })
    };
    let (status, answer) = read(&stage, "docs/d0002?render=html&include=next");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["data"]["data_html"], html("0002"), "{answer}");
    assert_eq!(answer["data"]["data"]["text"], "# 0002");
    assert_eq!(answer["data"]["data"]["next"]["data_html"], html("0001"), "{answer}");
    let (_, listed) = read(&stage, "docs?render=html&sort=title&fields=text");
    assert_eq!(listed["data"][1]["data_html"], json!({ "text": html("0002")["text"] }));
}

#[test]
fn few_entries_are_rendered_at_once() {
    let stage = stage(501);
    assert_eq!(read(&stage, "docs?render=html&limit=500&fields=text").0, 200);
    let (status, answer) = read(&stage, "docs?render=html");
    assert_eq!((status, &answer["error"]["code"]), (422, &json!("validation_failed")));
    assert!(answer["error"]["fields"]["render"].as_str().unwrap().contains("501"), "{answer}");
    // Those that are included count, too.
    assert_eq!(read(&stage, "docs?render=html&limit=300&include=next&fields=next").0, 422);
    assert_eq!(read(&stage, "docs?render=html&limit=200&include=next&fields=next").0, 200);
}

#[test]
fn lists_that_show_the_same_types_have_tags_of_their_own() {
    let schema = r#"{"fields":{"text":{"type":"text"}},"feed":{"url":"https://site.test/{slug}"}}"#;
    let entry = r#"{"title":"Of {}","status":"published"}"#;
    let mut stage = Stage::prepare(&[
        "fixture library".to_string(),
        "cache-tags Cache-Tag".to_string(),
        format!("many 2 workspaces/default/schemas/feed{{}}.json {schema}"),
        format!("many 2 workspaces/default/content/feed{{}}/e1.json {entry}"),
    ]);
    stage.open();
    let ask = |ty: &str| stage.ask_with(&format!("GET {{ws}}/content/{ty}?render=html"), &[]);
    let ((_, one, _), (_, other, _)) = (ask("feed0001"), ask("feed0002"));
    assert_ne!(one["etag"], other["etag"]);
    let tags = other["cache-tag"].to_str().unwrap();
    assert!(tags.contains("feed0002") && !tags.contains("feed0001"), "{tags}");
}
