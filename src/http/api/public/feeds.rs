//! The routes of `…/feeds` and `…/sitemap.xml`.

use bytes::Bytes;
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
use crate::app::content::feeds::SitemapPage;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::reply::with_sum_tag;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::model::problem::FieldProblems;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;

const ATOM: HeaderValue = HeaderValue::from_static("application/atom+xml; charset=utf-8");
const JSON_FEED: HeaderValue = HeaderValue::from_static("application/feed+json; charset=utf-8");
const XML: HeaderValue = HeaderValue::from_static("application/xml; charset=utf-8");

const ATOM_NAMESPACE: &str = "http://www.w3.org/2005/Atom";
const SITEMAP_NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

/// The maximum number of pages of a sitemap, which its protocol sets. Larger ones have parts.
pub(crate) const PAGES_MAX: usize = 50_000;

type XmlWriter = Writer<Vec<u8>>;
type XmlResult = std::io::Result<()>;

/// Shows the feed of a type in Atom (RFC 4287).
pub fn show_atom(call: &Call) -> Result<HandlerOutcome> {
    let feed = collect_feed(call)?;
    let address = find_feed_address(call, &feed)?;
    let body = write_document(|out| write_atom(&feed, &address, out))?;
    Ok(reply_document(ATOM, body).into())
}

/// Shows the feed of a type as JSON Feed 1.1.
pub fn show_json(call: &Call) -> Result<HandlerOutcome> {
    let feed = collect_feed(call)?;
    let items: Vec<Value> = feed.items.iter().map(build_json_item).collect();
    let mut document = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.site,
        "feed_url": find_feed_address(call, &feed)?,
        "authors": [{ "name": feed.author }],
        "items": items,
    });
    if let Some(locale) = &feed.locale {
        document["language"] = locale.as_str().into();
    }
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    Ok(reply_document(JSON_FEED, body).into())
}

/// Shows the sitemap, or one part of a large one.
pub fn show_sitemap(call: &Call) -> Result<HandlerOutcome> {
    let pages = feeds::collect_sitemap(call.snapshot()?, &call.caller);
    let n_parts = pages.len().div_ceil(PAGES_MAX).max(1);
    let part = parse_part(&call.parse_query()?, n_parts)?;
    let address = own_address(call)?;
    let body = match part {
        None if n_parts > 1 => write_document(|out| write_parts(&address, n_parts, out))?,
        part => {
            let start = part.map_or(0, |it| (it - 1) * PAGES_MAX);
            let end = pages.len().min(start + PAGES_MAX);
            let pages = pages.get(start..end).unwrap_or_default();
            write_document(|out| write_pages(pages, out))?
        }
    };
    Ok(reply_document(XML, body).into())
}

fn collect_feed(call: &Call) -> Result<EntryFeed> {
    let name = call.param("collection")?;
    feeds::collect_feed(call.app(), call.snapshot()?, &call.caller, name, &call.parse_query()?)
}

/// Returns the number of the part that is asked for.
fn parse_part(params: &QueryParams, n_parts: usize) -> Result<Option<usize>> {
    let Some(text) = params.get("part") else { return Ok(None) };
    let number = text.parse::<usize>().ok().filter(|it| (1..=n_parts).contains(it));
    let problem = || {
        let message = format!("The sitemap has the parts 1 to {n_parts}.");
        Error::invalid(FieldProblems::from_problem("part", message))
    };
    number.map(Some).ok_or_else(problem)
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

fn reply_document(kind: HeaderValue, body: Vec<u8>) -> Reply {
    let sum = Checksum::of_bytes(&body);
    let reply = Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, kind);
    with_sum_tag(reply.with_body(Bytes::from(body)), sum)
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
