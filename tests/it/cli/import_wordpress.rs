//! Exports of WordPress: posts, pages, terms, authors and media, also where an export lists less
//! than its posts name.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::command_line::Ran;
use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::expect_stored;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::problems;
use crate::support::importing::stored;
use crate::support::importing::write;

/// An export of WordPress with these items.
fn export(items: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Blog</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>anna</wp:author_login>
<wp:author_email>anna@example.org</wp:author_email>
<wp:author_display_name><![CDATA[Anna A.]]></wp:author_display_name></wp:author>
<wp:category><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category>
<wp:category><wp:category_nicename>local</wp:category_nicename>
<wp:category_parent>news</wp:category_parent><wp:cat_name>Local</wp:cat_name></wp:category>
<wp:tag><wp:tag_slug>red</wp:tag_slug><wp:tag_name>Red</wp:tag_name></wp:tag>
{items}</channel></rss>"#
    )
}

/// A post or another item of an export.
fn item(id: usize, kind: &str, status: &str, more: &str) -> String {
    format!(
        "<item><title>Item {id}</title><link>https://blog.example/{id}/</link>\
         <dc:creator>anna</dc:creator><guid>https://blog.example/?p={id}</guid>\
         <wp:post_id>{id}</wp:post_id><wp:post_date_gmt>2024-05-03 10:00:00</wp:post_date_gmt>\
         <wp:post_name>item-{id}</wp:post_name><wp:status>{status}</wp:status>\
         <wp:post_type>{kind}</wp:post_type>{more}</item>\n"
    )
}

#[test]
fn an_export_of_wordpress_becomes_posts_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let picture = "https://blog.example/wp-content/uploads/2024/05/pic.png";
    let text = format!(
        "<content:encoded><![CDATA[One\n\n<a href=\"http://blog.example/2/\">two</a> \
         <img src=\"{}\" onerror=\"x()\"><script>x()</script>]]></content:encoded>\
         <category domain=\"category\" nicename=\"local\"/><category domain=\"post_tag\" nicename=\"red\"/>\
         <wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>\
         <wp:postmeta><wp:meta_key>mood</wp:meta_key><wp:meta_value>good</wp:meta_value></wp:postmeta>\
         <wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>",
        picture.replace("pic.png", "pic-300x200.png")
    );
    let alt = "<wp:postmeta><wp:meta_key>_wp_attachment_image_alt</wp:meta_key><wp:meta_value>A \
               picture</wp:meta_value></wp:postmeta>";
    let missing = "<wp:attachment_url>https://blog.example/gone.png</wp:attachment_url>";
    let items = [
        item(1, "post", "publish", &text),
        item(2, "page", "draft", "<wp:menu_order>3</wp:menu_order>"),
        item(3, "page", "publish", "<wp:post_parent>2</wp:post_parent>"),
        item(4, "post", "trash", ""),
        item(5, "nav_menu_item", "publish", ""),
        item(
            9,
            "attachment",
            "inherit",
            &format!("<wp:attachment_url>{picture}</wp:attachment_url>{alt}"),
        ),
        item(10, "attachment", "inherit", missing),
    ];
    write(root, "blog/export.xml", export(&items.concat()));
    write(root, "blog/uploads/2024/05/pic.png", PNG);
    write(root, "blog/uploads/2023/01/pic.png", [PNG, b"other"].concat());
    let before = stored(root);
    import(root, &["wordpress", "blog", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["wordpress", "blog"]);
    assert_eq!(
        (&report["entries"]["created"], &report["media"]["created"]),
        (&7.into(), &1.into())
    );
    let (post, page) = (entry(root, "posts", "item-1"), entry(root, "pages", "item-2"));
    // HTML has no links to entries.
    let body = "<p>One</p>\n<p><a href=\"http://blog.example/2/\">two</a> \
                <img src=\"/media/default/pic.png\"></p>";
    let shown = post["data"]["body"].as_str().unwrap();
    assert_eq!(shown.replace(" rel=\"noopener noreferrer\"", ""), body);
    assert_eq!(
        (&post["status"], &post["published_at"]),
        (&"published".into(), &"2024-05-03T10:00:00Z".into())
    );
    assert_eq!(post["data"]["image"], serde_json::json!(["pic.png"]));
    let id = |of: &str, slug: &str| entry(root, of, slug)["id"].clone();
    assert_eq!(post["data"]["categories"], serde_json::json!([id("post_categories", "local")]));
    assert_eq!(post["data"]["tags"], serde_json::json!([id("tags", "red")]));
    assert_eq!(post["data"]["author"], id("authors", "anna"));
    assert_eq!(
        entry(root, "post_categories", "local")["data"]["parent"],
        id("post_categories", "news")
    );
    assert_eq!(entry(root, "pages", "item-3")["data"]["parent"], page["id"]);
    let meta = fs::read_to_string(root.join("data/workspaces/default/media-meta/pic.png.json"));
    assert_eq!(json(&meta.unwrap())["alt"], "A picture");
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "gone.png",
        "trash",
        "nav_menu_item",
        "Comments",
        "mood",
        "E-mail",
        "script",
        "keep their address",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(
        !stored(root)
            .iter()
            .any(|(_, bytes)| { String::from_utf8_lossy(bytes).contains("anna@example.org") })
    );
    is_idempotent(root, &["wordpress", "blog"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn hostile_exports_are_refused() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let check = |content: &[u8], expect: &str| {
        write(root, "a.xml", content);
        assert_eq!(problems(root, &["wordpress", "a.xml"]), [expect]);
    };
    let mut bomb = "<!DOCTYPE x [<!ENTITY a0 \"aaaa\">".to_string();
    for level in 1..20 {
        bomb.push_str(&format!(
            "<!ENTITY a{level} \"{}\">",
            format!("&a{};", level - 1).repeat(10)
        ));
    }
    check(format!("{bomb}]><rss>&a19;</rss>").as_bytes(), "a.xml line=1");
    check(b"<rss>\n<channel>\n<a></b></rss>", "a.xml line=3");
    check(b"<rss></rss>", "a.xml line=1");
    check(b"\xff\xfe", "a.xml");
    check("<a>".repeat(100_000).as_bytes(), "a.xml line=1");
    assert_eq!(problems(root, &["wordpress", "data"]), [""]);
}

#[test]
fn a_thousand_posts_are_imported_once() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let text =
        "<content:encoded><![CDATA[Some words of a text.\n\nMore of them.]]></content:encoded>";
    let items: String = (1..=1_000).map(|it| item(it, "post", "publish", text)).collect();
    write(root, "a.xml", export(&items));
    assert_eq!(import(root, &["wordpress", "a.xml"])["entries"]["created"], 1_004);
    is_idempotent(root, &["wordpress", "a.xml"]);
}

#[test]
fn a_content_type_that_cannot_take_the_entries_is_named_once() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let required = r#"{"fields":{"mood":{"type":"text","required":true},"body":{"type":"html"}}}"#;
    write(root, "data/workspaces/default/schemas/posts.json", required);
    let items: String = (1..=3).map(|it| item(it, "post", "publish", "")).collect();
    write(root, "a.xml", export(&items));
    let Ran { code, out, err } = run(root, &["import", "wordpress", "a.xml"]);
    assert_eq!((code, out.as_str()), (1, "nothing was written: 1 problem\n"));
    assert!(err.contains("`posts` that requires") && err.contains(": `mood`."), "{err}");
}

/// Adds a required field to the type `posts` of the workspace.
fn require_mood(root: &Path, definition: &Value) {
    let path = "data/workspaces/default/schemas/posts.json";
    let mut schema = json(&fs::read_to_string(root.join(path)).unwrap());
    schema["fields"]["mood"] = definition.clone();
    write(root, path, schema.to_string());
}

#[test]
fn a_required_value_may_come_from_the_workspace() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "a.xml", export(&item(1, "post", "publish", "")));
    import(root, &["wordpress", "a.xml"]);
    // What is new has the default, what is there keeps its value.
    require_mood(root, &json(r#"{"type":"text","required":true,"default":"calm"}"#));
    let items = [item(1, "post", "publish", ""), item(2, "post", "publish", "")].concat();
    write(root, "a.xml", export(&items));
    import(root, &["wordpress", "a.xml"]);
    assert_eq!(entry(root, "posts", "item-2")["data"]["mood"], "calm");
    require_mood(root, &json(r#"{"type":"text","required":true}"#));
    let post = fs::read_dir(root.join("data/workspaces/default/content/posts")).unwrap();
    for file in post.map(|it| it.unwrap().path()) {
        let mut stored = json(&fs::read_to_string(&file).unwrap());
        stored["data"]["mood"] = "good".into();
        fs::write(&file, stored.to_string()).unwrap();
    }
    let changed = items.replace("Item 2", "Another title");
    write(root, "a.xml", export(&changed));
    assert_eq!(import(root, &["wordpress", "a.xml"])["entries"]["updated"], 1);
    assert_eq!(entry(root, "posts", "item-2")["data"]["mood"], "good");
}

#[test]
fn terms_and_authors_that_only_posts_name_are_made() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let terms = "<category domain=\"category\" nicename=\"news\"><![CDATA[Great News]]></category>\
                 <category domain=\"post_tag\" nicename=\"t1\">T &amp; 1</category>\
                 <category domain=\"post_format\" nicename=\"aside\">Aside</category>";
    let items = [item(1, "post", "publish", terms), item(2, "post", "publish", terms)].concat();
    let bare = "<rss><channel><wp:wxr_version>1.2</wp:wxr_version>\n";
    write(root, "posts.xml", format!("{bare}{items}</channel></rss>"));
    assert_eq!(import(root, &["wordpress", "posts.xml"])["entries"]["created"], 5);
    let made = [("post_categories", "news"), ("tags", "t1"), ("authors", "anna")]
        .map(|(of, slug)| entry(root, of, slug));
    let titles = made.each_ref().map(|it| it["title"].as_str().unwrap());
    assert_eq!(titles, ["Great News", "T & 1", "anna"]);
    let [category, tag, author] = made.each_ref().map(|it| &it["id"]);
    for slug in ["item-1", "item-2"] {
        let data = &entry(root, "posts", slug)["data"];
        assert_eq!(data["categories"], serde_json::json!([category]));
        assert_eq!(data["tags"], serde_json::json!([tag]));
        assert_eq!(data["author"], *author);
    }
    is_idempotent(root, &["wordpress", "posts.xml"]);
    // A list says more, whichever file has it, and a later export of posts keeps that.
    write(root, "both/a.xml", fs::read(root.join("posts.xml")).unwrap());
    write(root, "both/b.xml", export(""));
    import(root, &["wordpress", "both"]);
    assert_eq!(entry(root, "authors", "anna")["title"], "Anna A.");
    is_idempotent(root, &["wordpress", "posts.xml"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn parents_that_are_not_imported_are_removed() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let below = |id: usize| format!("<wp:post_parent>{id}</wp:post_parent>");
    let items = [
        item(1, "page", "trash", ""),
        item(2, "page", "publish", &below(1)),
        item(3, "page", "publish", &below(15)),
        item(4, "page", "publish", &below(3)),
    ];
    write(root, "a.xml", export(&items.concat()));
    let report = import(root, &["wordpress", "a.xml"]);
    let altered = report["altered"].as_array().unwrap().iter();
    let parents = altered.filter(|it| it["field"] == "parent");
    let said: Vec<&str> = parents.map(|it| it["message"].as_str().unwrap()).collect();
    let removed = "is in the trash or missing, so the reference is removed.";
    assert_eq!(said, [1, 15].map(|it| format!("The page `{it}` {removed}")));
    let page = |slug: &str| entry(root, "pages", slug);
    assert_eq!(page("item-2")["data"].get("parent").filter(|it| !it.is_null()), None);
    assert_eq!(page("item-4")["data"]["parent"], page("item-3")["id"]);
    is_idempotent(root, &["wordpress", "a.xml"]);
}

#[test]
fn posts_and_pages_with_the_same_slug_are_kept_apart() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let below = |id: usize| format!("<wp:post_parent>{id}</wp:post_parent>");
    let named = |item: String, id: usize, name: &str| item.replace(&format!("item-{id}<"), name);
    let items = [
        item(1, "page", "publish", ""),
        item(2, "page", "publish", ""),
        named(item(3, "page", "publish", &below(1)), 3, "team<"),
        named(item(4, "page", "publish", &below(2)), 4, "team<"),
        item(5, "page", "publish", &below(4)),
        named(item(6, "post", "pending", ""), 6, "same<"),
        named(item(7, "post", "publish", ""), 7, "same<"),
    ];
    write(root, "a.xml", export(&items.concat()));
    let report = import(root, &["wordpress", "a.xml"]);
    let altered = report["altered"].as_array().unwrap().iter();
    let said: Vec<&str> = altered.map(|it| it["message"].as_str().unwrap()).collect();
    let expect = [
        "Several pages are named `team`, so its slug is `item-1-team`.",
        "Several pages are named `team`, so its slug is `item-2-team`.",
        "Several posts are named `same`, so its slug is `same-6`.",
    ];
    assert_eq!(said, expect);
    let title = |of: &str, slug: &str| entry(root, of, slug)["title"].clone();
    assert_eq!(title("pages", "item-1-team"), "Item 3");
    assert_eq!(title("posts", "same-6"), "Item 6");
    assert_eq!(title("posts", "same"), "Item 7");
    let parent = entry(root, "pages", "item-2-team")["id"].clone();
    assert_eq!(entry(root, "pages", "item-5")["data"]["parent"], parent);
    is_idempotent(root, &["wordpress", "a.xml"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}
