//! The routes of `…/feeds` and `…/sitemap.xml`.

use http::HeaderValue;
use http::StatusCode;
use http::header;
use quick_xml::Writer;
use quick_xml::events::BytesDecl;
use quick_xml::events::BytesText;
use quick_xml::events::Event;
use serde_json::Value;
use serde_json::json;

use crate::app::content::feeds;
use crate::app::content::feeds::EntryFeed;
use crate::app::content::feeds::FeedItem;
use crate::app::content::sitemap;
use crate::app::content::sitemap::SitemapPage;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::reply::with_sum_tag;
use crate::http::request::call::Call;
use crate::http::request::document_cache::CachedDocument;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::stdx::time::Timestamp;

const ATOM: HeaderValue = HeaderValue::from_static("application/atom+xml; charset=utf-8");
const JSON_FEED: HeaderValue = HeaderValue::from_static("application/feed+json; charset=utf-8");
const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

const ATOM_NAMESPACE: &str = "http://www.w3.org/2005/Atom";
const SITEMAP_NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

type XmlWriter = Writer<Vec<u8>>;
type XmlResult = std::io::Result<()>;

/// Shows the feed of a type in Atom (RFC 4287).
pub fn show_atom(call: &Call) -> Result<HandlerOutcome> {
    show_feed(call, ATOM, |feed, address| write_document(|out| write_atom(feed, address, out)))
}

/// Shows the feed of a type as JSON Feed 1.1.
pub fn show_json(call: &Call) -> Result<HandlerOutcome> {
    show_feed(call, JSON_FEED, write_json)
}

fn show_feed(
    call: &Call,
    kind: HeaderValue,
    write: impl FnOnce(&EntryFeed, &str) -> Result<Vec<u8>>,
) -> Result<HandlerOutcome> {
    let (name, params, snapshot) =
        (call.param("collection")?, call.parse_query()?, call.snapshot()?);
    let locale_key = feeds::build_locale_key(snapshot, &call.caller, name, &params)?;
    answer_document(call, kind, &[name, locale_key.as_str()], || {
        let feed = feeds::collect_feed(call.app(), snapshot, &call.caller, name, &params)?;
        write(&feed, &find_feed_address(call, &feed)?)
    })
}

/// Shows the sitemap, or one part of a large one.
pub fn show_sitemap(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    // What is no number is no part, like 0.
    let part = params.get("part").map(|it| it.parse::<usize>().unwrap_or(0));
    let text = part.map(|it| it.to_string()).unwrap_or_default();
    answer_document(call, XML, &[text.as_str()], || {
        let found = sitemap::collect_sitemap(call.snapshot()?, &call.caller, part.unwrap_or(1));
        let n_parts = found.n_parts;
        match part {
            Some(part) if !(1..=n_parts).contains(&part) => {
                let message = format!("The sitemap has the parts 1 to {n_parts}.");
                Err(Error::invalid(FieldProblems::from_problem("part", message)))
            }
            None if n_parts > 1 => {
                let address = own_address(call)?;
                write_document(|out| write_parts(&address, n_parts, out))
            }
            _ => write_document(|out| write_pages(&found.pages, out)),
        }
    })
}

/// Answers with a document that `build` writes in the lane. What anonymous readers get is kept: it
/// depends on nothing but the content and `texts`.
fn answer_document(
    call: &Call,
    kind: HeaderValue,
    texts: &[&str],
    build: impl FnOnce() -> Result<Vec<u8>>,
) -> Result<HandlerOutcome> {
    let document = if call.caller.is_anonymous() {
        let snapshot = call.snapshot()?;
        let version = snapshot.version.to_string();
        let mut key = vec![call.route.name, snapshot.workspace.as_str(), version.as_str()];
        key.extend(texts);
        call.state.dated_documents.get_or_build(&key, &[], call.effort, build)?
    } else if call.effort == Effort::Heavy {
        Some(CachedDocument::from_bytes(build()?))
    } else {
        None
    };
    let Some(document) = document else { return Ok(HandlerOutcome::NeedsLane) };
    let reply = Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, kind);
    Ok(with_sum_tag(reply.with_body(document.bytes), document.sum).into())
}

/// Returns the address of a feed, which is also its identity: that of another locale is another.
fn find_feed_address(call: &Call, feed: &EntryFeed) -> Result<String> {
    let address = own_address(call)?;
    Ok(match &feed.locale {
        Some(locale) if feed.is_other_locale => format!("{address}?locale={locale}"),
        _ => address,
    })
}

/// Returns the address of the request, without its query.
fn own_address(call: &Call) -> Result<String> {
    let (base, ws) = (call.app().engine.base_url(), call.workspace()?);
    let path = call.route.path.replace("{workspace}", ws.as_str());
    let path = match call.param("collection") {
        Ok(name) => path.replace("{collection}", name),
        Err(_) => path,
    };
    Ok(format!("{base}{path}"))
}

fn write_document(write: impl FnOnce(&mut XmlWriter) -> XmlResult) -> Result<Vec<u8>> {
    let mut out = Writer::new(Vec::new());
    let declaration = Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None));
    out.write_event(declaration).and_then(|()| write(&mut out)).map_err(Error::internal)?;
    Ok(out.into_inner())
}

fn write_atom(feed: &EntryFeed, address: &str, out: &mut XmlWriter) -> XmlResult {
    let mut root = out.create_element("feed").with_attribute(("xmlns", ATOM_NAMESPACE));
    if let Some(locale) = &feed.locale {
        root = root.with_attribute(("xml:lang", locale.as_str()));
    }
    root.write_inner_content(|out| {
        write_text(out, "id", address)?;
        write_text(out, "title", &feed.title)?;
        let updated = feed.items.iter().map(|it| it.updated).max();
        let updated = updated.unwrap_or_else(|| Timestamp::from_seconds(0));
        write_text(out, "updated", &updated.to_string())?;
        write_link(out, "self", address)?;
        write_link(out, "alternate", &feed.site)?;
        let author = out.create_element("author");
        author.write_inner_content(|out| write_text(out, "name", &feed.author))?;
        feed.items.iter().try_for_each(|it| write_atom_entry(it, out))
    })?;
    Ok(())
}

fn write_atom_entry(item: &FeedItem, out: &mut XmlWriter) -> XmlResult {
    out.create_element("entry").write_inner_content(|out| {
        write_text(out, "id", &item.id)?;
        write_text(out, "title", &item.title)?;
        write_link(out, "alternate", &item.url)?;
        write_text(out, "published", &item.published.to_string())?;
        write_text(out, "updated", &item.updated.to_string())?;
        if let Some(summary) = &item.summary {
            write_text(out, "summary", summary)?;
        }
        if let Some(html) = &item.content_html {
            let content = out.create_element("content").with_attribute(("type", "html"));
            content.write_text_content(BytesText::new(&keep_legal(html)))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_json(feed: &EntryFeed, address: &str) -> Result<Vec<u8>> {
    let items: Vec<Value> = feed.items.iter().map(build_json_item).collect();
    let mut document = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.site,
        "feed_url": address,
        "authors": [{ "name": feed.author }],
        "items": items,
    });
    if let Some(locale) = &feed.locale {
        document["language"] = locale.as_str().into();
    }
    serde_json::to_vec(&document).map_err(Error::internal)
}

fn build_json_item(item: &FeedItem) -> Value {
    let mut json = json!({
        "id": item.id,
        "url": item.url,
        "title": item.title,
        "date_published": item.published.to_string(),
        "date_modified": item.updated.to_string(),
    });
    if let Some(summary) = &item.summary {
        json["summary"] = summary.as_str().into();
    }
    // An item has a content in one of two forms.
    match &item.content_html {
        Some(html) => json["content_html"] = html.as_str().into(),
        None => json["content_text"] = item.summary.as_deref().unwrap_or(&item.title).into(),
    }
    json
}

fn write_pages(pages: &[SitemapPage], out: &mut XmlWriter) -> XmlResult {
    let root = out.create_element("urlset").with_attribute(("xmlns", SITEMAP_NAMESPACE));
    let root = root.with_attribute(("xmlns:xhtml", XHTML_NAMESPACE));
    root.write_inner_content(|out| {
        pages.iter().try_for_each(|page| {
            out.create_element("url").write_inner_content(|out| {
                write_text(out, "loc", &page.url)?;
                write_text(out, "lastmod", &page.updated.to_string())?;
                page.alternates.iter().try_for_each(|(locale, url)| {
                    let link = out.create_element("xhtml:link");
                    let link = link.with_attribute(("rel", "alternate"));
                    let link = link.with_attribute(("hreflang", locale.as_str()));
                    link.with_attribute(("href", url.as_str())).write_empty().map(drop)
                })
            })?;
            Ok(())
        })
    })?;
    Ok(())
}

fn write_parts(address: &str, n_parts: usize, out: &mut XmlWriter) -> XmlResult {
    let root = out.create_element("sitemapindex").with_attribute(("xmlns", SITEMAP_NAMESPACE));
    root.write_inner_content(|out| {
        (1..=n_parts).try_for_each(|part| {
            let part = format!("{address}?part={part}");
            let element = out.create_element("sitemap");
            element.write_inner_content(|out| write_text(out, "loc", &part)).map(drop)
        })
    })?;
    Ok(())
}

fn write_text(out: &mut XmlWriter, name: &str, text: &str) -> XmlResult {
    out.create_element(name).write_text_content(BytesText::new(&keep_legal(text))).map(drop)
}

fn write_link(out: &mut XmlWriter, rel: &str, href: &str) -> XmlResult {
    let link = out.create_element("link").with_attribute(("rel", rel));
    link.with_attribute(("href", href)).write_empty().map(drop)
}

/// Returns the text without the characters that XML 1.0 does not allow, escaped or not.
fn keep_legal(text: &str) -> String {
    let is_legal = |it: &char| match it {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => *other >= ' ',
    };
    text.chars().filter(is_legal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::access::Caller;
    use crate::app::content::sitemap::PART_BYTES_MAX;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

    #[test]
    fn the_parts_of_a_sitemap_are_short_and_have_all_pages() {
        const LOCALES: usize = 90;
        const ENTRIES: usize = 30;
        let locales: Vec<String> = (0..LOCALES).map(|it| format!("l{it:02}")).collect();
        let url = "https://example.org/{locale}/{type}/{slug}?a='b'&c={id}";
        let schema = json!({ "locales": locales, "feed": { "url": url }, "fields": {} });
        let ty = content_type("news", &schema.to_string());
        let translations: serde_json::Map<String, Value> =
            locales.iter().skip(1).map(|it| (it.clone(), json!({ "title": "T" }))).collect();
        let ids: Vec<String> = (0..ENTRIES).map(|it| format!("n{it:02}")).collect();
        let file = |id: &String| {
            let file = json!({
                "title": "T", "slug": id, "status": "published", "translations": translations,
            });
            file.to_string()
        };
        let files: Vec<String> = ids.iter().map(file).collect();
        let files: Vec<(&str, &str)> =
            ids.iter().zip(&files).map(|(id, file)| (id.as_str(), file.as_str())).collect();
        let snapshot = snapshot(vec![index(&ty, &files)]);
        let n_parts = sitemap::count_parts(&snapshot, &Caller::Anonymous);
        assert!(n_parts > 2, "{n_parts}");
        let mut found = Vec::new();
        for number in 1..=n_parts {
            let part = sitemap::collect_sitemap(&snapshot, &Caller::Anonymous, number);
            assert_eq!(part.n_parts, n_parts);
            let bytes = write_document(|out| write_pages(&part.pages, out)).unwrap().len();
            assert!(bytes <= PART_BYTES_MAX, "{bytes}");
            assert!(number == n_parts || bytes > PART_BYTES_MAX / 2, "{bytes} in {number}");
            assert!(part.pages.iter().all(|it| it.alternates.len() == LOCALES));
            found.extend(part.pages.into_iter().map(|it| it.url));
        }
        let of_entry = |id: &String| {
            let id = id.clone();
            locales.iter().map(move |it| format!("/{it}/news/{id}?a='b'&c={id}"))
        };
        let all: Vec<String> = ids.iter().flat_map(of_entry).collect();
        assert_eq!(found.len(), all.len());
        for (found, expect) in found.iter().zip(&all) {
            assert!(found.ends_with(expect), "{found} {expect}");
        }
        let beyond = sitemap::collect_sitemap(&snapshot, &Caller::Anonymous, n_parts + 1);
        assert!(beyond.pages.is_empty());
    }
}
