//! Links in texts of a source: to other entries and to media files, rewritten to lead to what they
//! became.

use std::cell::RefCell;
use std::ops::Range;

use percent_encoding::percent_decode_str;
use pulldown_cmark::CowStr;
use pulldown_cmark::Event;
use pulldown_cmark::LinkType;
use pulldown_cmark::Options;
use pulldown_cmark::Parser;
use pulldown_cmark::Tag;

/// The folders from which sites serve files at their root.
const PUBLIC_FOLDERS: &[&str] =
    &["static", "public", "assets", "src/assets", "src", "source", "content", "src/content"];

/// The attributes of HTML that name a file or a page.
const ATTRIBUTES: &[&str] = &["src=", "href=", "poster="];

/// A part of a text, and what takes its place.
type TextEdit = (Range<usize>, String);

/// Rewrites the addresses in Markdown, and in the HTML in it. `find` returns the new address.
pub(in crate::app) fn rewrite_markdown(
    text: &str,
    find: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut edits: Vec<TextEdit> = Vec::new();
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES);
    for (_, link) in parser.reference_definitions().iter() {
        add_edit(text, link.span.clone(), &link.dest, find, &mut edits);
    }
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(
                Tag::Link { link_type: LinkType::Inline, dest_url, .. }
                | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
            ) => add_edit(text, range, &dest_url, find, &mut edits),
            Event::Html(html) | Event::InlineHtml(html) => {
                let at = range.start;
                let found = find_attributes(&html, find).into_iter();
                edits.extend(found.map(|(it, new)| (it.start + at..it.end + at, new)));
            }
            _ => {}
        }
    }
    apply_edits(text, edits)
}

/// Returns the addresses in Markdown, and in the HTML in it.
pub(super) fn find_addresses(text: &str) -> Vec<String> {
    note_addresses(|note| rewrite_markdown(text, note))
}

/// Returns the addresses in the attributes of HTML.
pub(super) fn find_html_addresses(html: &str) -> Vec<String> {
    note_addresses(|note| rewrite_html(html, note))
}

/// Returns the addresses that `rewrite` asks for.
fn note_addresses(rewrite: impl Fn(&dyn Fn(&str) -> Option<String>) -> String) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let note = |address: &str| -> Option<String> {
        found.borrow_mut().push(address.to_string());
        None
    };
    let _ = rewrite(&note);
    found.into_inner()
}

/// Rewrites the addresses in the attributes of HTML.
pub(super) fn rewrite_html(html: &str, find: &dyn Fn(&str) -> Option<String>) -> String {
    apply_edits(html, find_attributes(html, find))
}

/// Adds the edit of an address within a part of the text.
fn add_edit(
    text: &str,
    range: Range<usize>,
    address: &CowStr<'_>,
    find: &dyn Fn(&str) -> Option<String>,
    edits: &mut Vec<TextEdit>,
) {
    let Some(new) = find(address) else { return };
    let Some(part) = text.get(range.clone()) else { return };
    let begins = |at: &usize| {
        let before = part.get(..*at).unwrap_or_default().trim_end_matches(' ');
        before.ends_with(['(', '<', ':'])
    };
    let mut places = part.rmatch_indices(&**address).map(|(at, _)| at);
    if let Some(at) = places.find(begins) {
        let start = range.start + at;
        edits.push((start..start + address.len(), new));
    }
}

/// Finds the addresses in the attributes of HTML that lead somewhere else now.
fn find_attributes(html: &str, find: &dyn Fn(&str) -> Option<String>) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    for name in ATTRIBUTES {
        for (at, _) in html.match_indices(name) {
            let start = at + name.len();
            let Some(quote) = html.get(start..).and_then(|it| it.chars().next()) else { continue };
            if quote != '"' && quote != '\'' {
                continue;
            }
            let begin = start + 1;
            let Some(length) = html.get(begin..).and_then(|it| it.find(quote)) else { continue };
            let value = html.get(begin..begin + length).unwrap_or_default();
            if let Some(new) = find(&value.replace("&amp;", "&")) {
                edits.push((begin..begin + length, new));
            }
        }
    }
    edits
}

fn apply_edits(text: &str, mut edits: Vec<TextEdit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        // Edits of a text and of the HTML in it can be the same.
        if range.start < at {
            continue;
        }
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Returns true if an address has a scheme or a host, or stays on its page.
pub(super) fn is_foreign(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme =
        |it: &str| it.len() > 1 && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'+');
    address.is_empty()
        || address.starts_with(['#', '?'])
        || address.starts_with("//")
        || scheme.is_some_and(is_scheme)
}

/// Returns an address without scheme, fragment and final slash, in which two notations of one
/// address are equal.
pub(super) fn normalize_address(address: &str) -> String {
    let address = address.trim();
    let bare = address.split('#').next().unwrap_or(address);
    let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
    let bare = bare.trim_start_matches("//").trim_end_matches('/');
    percent_decode_str(bare).decode_utf8_lossy().into_owned()
}

/// Returns the address of the picture that a smaller one was made from: `a-300x200.jpg`.
pub(super) fn without_size(address: &str) -> Option<String> {
    let (stem, ending) = address.rsplit_once('.')?;
    let (stem, size) = stem.rsplit_once('-')?;
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let (width, height) = size.split_once('x')?;
    (is_number(width) && is_number(height)).then(|| format!("{stem}.{ending}"))
}

/// Splits the query and the fragment from an address.
pub(super) fn split_address(address: &str) -> (&str, &str) {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    address.split_at(end)
}

/// Returns the paths in a source that an address in the file at `from` may mean, best first.
pub(super) fn list_paths(from: &str, address: &str) -> Vec<String> {
    let decoded = percent_decode_str(address).decode_utf8_lossy().into_owned();
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut paths = Vec::new();
    match decoded.strip_prefix('/') {
        Some(absolute) => paths.extend(join_path("", absolute)),
        None => paths.extend(join_path(folder, &decoded)),
    }
    let below = decoded.trim_start_matches('/');
    paths.extend(PUBLIC_FOLDERS.iter().filter_map(|it| join_path(it, below)));
    if decoded.starts_with('/') {
        paths.push(format!("/{}", below.trim_end_matches('/')));
    }
    paths
}

/// Joins a path to a folder. Returns `None` if it leads out of the source.
fn join_path(folder: &str, path: &str) -> Option<String> {
    let mut steps: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => _ = steps.pop()?,
            step => steps.push(step),
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_replaced_and_nothing_else() {
        let find = |it: &str| (it == "a.png").then(|| "/media/a.png".to_string());
        let check = |text: &str, expect: &str| assert_eq!(rewrite_markdown(text, &find), expect);
        check("![a.png](a.png)", "![a.png](/media/a.png)");
        check("[![x](a.png \"a.png\")](a.png)", "[![x](/media/a.png \"a.png\")](/media/a.png)");
        check("[a.png]: <a.png>\n\n![x][a.png]", "[a.png]: </media/a.png>\n\n![x][a.png]");
        check(
            "<img src=\"a.png\"> a.png `![](a.png)`",
            "<img src=\"/media/a.png\"> a.png `![](a.png)`",
        );
        check("<p>\n<img src='a.png'>\n</p>", "<p>\n<img src='/media/a.png'>\n</p>");
        check("[x](b.png)", "[x](b.png)");
        assert_eq!(
            rewrite_html("<a href=\"a.png\">a.png</a>", &find),
            "<a href=\"/media/a.png\">a.png</a>"
        );
    }

    #[test]
    fn paths_stay_in_the_source() {
        let check = |from: &str, address: &str, expect: Option<&str>| {
            let first = list_paths(from, address).into_iter().next();
            assert_eq!(first.as_deref(), expect, "{from} {address}");
        };
        check("posts/a.md", "x.png", Some("posts/x.png"));
        check("posts/a.md", "./b/x%20y.png", Some("posts/b/x y.png"));
        check("posts/a.md", "../x.png", Some("x.png"));
        check("posts/a.md", "/x.png", Some("x.png"));
        let escaping = list_paths("posts/a.md", "../../../etc/passwd");
        assert!(escaping.iter().all(|it| !it.contains("..")), "{escaping:?}");
    }

    #[test]
    fn notations_of_one_address_are_equal() {
        let check = |address: &str, expect: &str| assert_eq!(normalize_address(address), expect);
        check("https://x.org/a/", "x.org/a");
        check("http://x.org/a#b", "x.org/a");
        check("//x.org/%C3%A4", "x.org/ä");
        check("https://x.org/?p=1", "x.org/?p=1");
        assert_eq!(without_size("x/a-300x200.jpg").as_deref(), Some("x/a.jpg"));
        assert_eq!(without_size("x/a-300.jpg"), None);
    }

    #[test]
    fn foreign_addresses_are_left() {
        let foreign =
            ["https://x.org/a", "mailto:a@b", "//x.org", "#a", "", "data:image/png;base64,x"];
        assert!(foreign.into_iter().all(is_foreign));
        assert!(!["a.md", "/a", "../a", "a b.md"].into_iter().any(is_foreign));
    }
}
