//! Feeds: the newest public entries of a type with their pages, as its `feed` says. What is not
//! public is in none, even for callers who may read it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entry_links::EntryLinks;
use crate::app::content::entry_links::fill_page_url;
use crate::app::content::entry_links::find_page_locale;
use crate::app::content::markdown_html;
use crate::app::content::markdown_html::FindFile;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::content_type::ContentType;
use crate::model::content_type::feed::FeedSettings;
use crate::model::field::sanitize_html;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::request::list_query;
use crate::query::request::list_query::ListQuery;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The number of items of a feed.
const ITEMS_MAX: usize = 50;

/// The newest public entries of a type.
pub struct EntryFeed {
    /// The label of the type.
    pub title: String,
    /// The label of the workspace.
    pub author: String,
    /// The address of the site: scheme, host and port.
    pub site: String,
    /// The locale of the items, if the type is localized.
    pub locale: Option<String>,
    /// True if this is not the locale that readers get who ask for none.
    pub is_other_locale: bool,
    /// The entries, newest first.
    pub items: Vec<FeedItem>,
}

/// An entry in a feed.
pub struct FeedItem {
    /// The tag URI (RFC 4151) that identifies the entry: it stays the same when its page moves.
    pub id: String,
    /// The address of its page.
    pub url: String,
    /// The title.
    pub title: String,
    /// The summary as plain text.
    pub summary: Option<String>,
    /// The content as harmless HTML.
    pub content_html: Option<String>,
    /// The date of the entry.
    pub published: Timestamp,
    /// The time of the last change.
    pub updated: Timestamp,
}

/// Collects the feed of a type, in the locale that the parameters name.
pub fn collect_feed(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    type_name: &str,
    params: &QueryParams,
) -> Result<EntryFeed> {
    let (place, index, settings) = find_feed(snapshot, caller, type_name)?;
    let ty = &*index.content_type;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let [dated, undated] = parse_orders(&view, ty, settings)?;
    let writer = EntryWriter::new(&view, &dated.shape, place)
        .ok_or_else(|| Error::not_found("content type", type_name))?;
    let mut cursor = RenderCursor::default();
    let links = EntryLinks::new(&view, caller, app.engine.base_url());
    let find_file = |address: &str| links.find_target(address);
    let mut items: Vec<FeedItem> = Vec::new();
    for query in [&dated, &undated] {
        // This runs where it may take its time, so no effort is refused.
        let found = executor::run_query(&view, place, query, Effort::Heavy).unwrap_or_default();
        let public = found.page.into_iter().filter(|it| index.public().contains(*it));
        items.extend(public.take(ITEMS_MAX).filter_map(|ordinal| {
            let mut json = Vec::new();
            writer.write_entry(ordinal, &mut cursor, &mut json);
            let Ok(Json::Object(entry)) = Json::parse(&json) else { return None };
            Some(build_item(ty, settings, &entry, &find_file))
        }));
    }
    items.sort_by_key(|it| Reverse(it.published));
    items.truncate(ITEMS_MAX);
    let locale = find_page_locale(&view, ty);
    Ok(EntryFeed {
        title: ty.label.clone(),
        author: snapshot.meta.label.clone(),
        site: settings.url.origin().to_string(),
        locale: locale.map(|it| it.to_string()),
        is_other_locale: locale.is_some() && locale != ty.default_locale.as_ref(),
        items,
    })
}

/// Returns a text that identifies the locales of a feed: that of its items and those of the pages
/// that they link to, which may be of all types with a `feed`. With it and a snapshot, the feed of
/// a type is determined.
pub fn build_locale_key(
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    params: &QueryParams,
) -> Result<String> {
    find_feed(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let types = snapshot.types().iter().enumerate();
    let with_feed = types.filter(|(_, it)| it.content_type.feed.is_some());
    let locales = with_feed.filter_map(|(place, it)| {
        let locale = view.resolve_locale(&it.content_type)?;
        Some(format!("{place}:{locale}"))
    });
    Ok(locales.collect::<Vec<_>>().join(","))
}

/// Returns a type with its position and its `feed`, if the caller may know of it.
fn find_feed<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    type_name: &str,
) -> Result<(usize, &'s Arc<TypeIndex>, &'s FeedSettings)> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let settings = index.content_type.feed.as_ref();
    let settings = settings.ok_or_else(|| Error::not_found("feed of", type_name))?;
    Ok((place, index, settings))
}

/// Returns the queries of the entries of a type that have a date, newest first, and of those that
/// have none: they are shown with the date of their publication.
fn parse_orders(
    view: &View<'_>,
    ty: &ContentType,
    settings: &FeedSettings,
) -> Result<[ListQuery; 2]> {
    let parse = |query: &str| {
        let params = QueryParams::parse(query).map_err(Error::bad_request)?;
        ListQuery::parse(view, ty, &params, 0).map_err(Error::invalid)
    };
    let key = date_key(settings);
    let dated = parse(&format!("sort=-{key}&filter[{key}][empty]=false"))?;
    let undated = parse(&format!("sort=-published_at&filter[{key}][empty]=true"))?;
    Ok([dated, undated])
}

fn date_key(settings: &FeedSettings) -> &str {
    settings.date.as_deref().unwrap_or("published_at")
}

fn build_item(
    ty: &ContentType,
    settings: &FeedSettings,
    entry: &Map,
    find_file: &FindFile<'_>,
) -> FeedItem {
    let own = |key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default();
    let data = entry.get("data").and_then(Json::as_object);
    let time = |text: &str| Timestamp::parse(text);
    let updated = time(own("updated_at")).unwrap_or_else(|| Timestamp::from_seconds(0));
    let date = data.and_then(|it| it.get(date_key(settings))?.as_str());
    let date = time(date.unwrap_or_else(|| own(date_key(settings))));
    let published = date.or_else(|| time(own("published_at")));
    let title = find_value(data, &settings.title).and_then(|(_, it)| it.as_str());
    let created_day = own("created_at").get(..10).unwrap_or("1970-01-01");
    let host = settings.url.origin().split_once("://").map_or("", |(_, it)| it);
    // A tag URI has no port.
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    FeedItem {
        id: format!("tag:{host},{created_day}:{}/{}", ty.name, own("id")),
        url: fill_page_url(ty, settings, own("id"), own("slug"), own("locale")),
        title: title.unwrap_or_else(|| own("title")).to_string(),
        summary: find_value(data, &settings.summary)
            .and_then(|(name, it)| write_plain(ty, name, it)),
        content_html: find_value(data, &settings.content)
            .and_then(|(name, it)| write_html(ty, name, it, find_file)),
        published: published.unwrap_or(updated),
        updated,
    }
}

/// Returns the field of this name with its value, unless it is empty.
fn find_value<'a>(data: Option<&'a Map>, field: &'a Option<String>) -> Option<(&'a str, &'a Json)> {
    let name = field.as_deref()?;
    data?.get(name).filter(|it| !it.is_empty()).map(|value| (name, value))
}

/// Returns the plain text of a field.
fn write_plain(ty: &ContentType, field: &str, value: &Json) -> Option<String> {
    let field = ty.fields.get(field)?;
    if field.kind_name() == "markdown" {
        return value.as_str().map(markdown_html::strip_markdown).filter(|it| !it.is_empty());
    }
    let mut out = String::new();
    field.kind.collect_text(value, &mut out);
    Some(out.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|it| !it.is_empty())
}

/// Returns the text of a field as harmless HTML; nothing if it cannot be rendered.
fn write_html(
    ty: &ContentType,
    field: &str,
    value: &Json,
    find_file: &FindFile<'_>,
) -> Option<String> {
    let text = value.as_str()?;
    match ty.fields.get(field)?.kind_name() {
        "html" => sanitize_html(text).ok(),
        "markdown" => markdown_html::render_html(text, find_file).ok(),
        // Escaped in the same way as everything that is written.
        _ => sanitize_html(&format!("<p>{}</p>", text.replace('&', "&amp;").replace('<', "&lt;")))
            .ok(),
    }
}
