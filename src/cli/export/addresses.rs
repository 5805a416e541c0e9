//! The addresses of an export: all those at which a reader without a token finds something.

use std::collections::BTreeSet;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::entries;
use crate::app::content::entries::EffortResult;
use crate::app::content::sitemap;
use crate::app::media;
use crate::model::content_type::ContentType;
use crate::model::content_type::declared_view::DeclaredView;
use crate::model::entry::Api;
use crate::model::media::MediaItem;
use crate::model::name::is_windows_device;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::url_encoding::encode_segment;

/// The folder of what is at addresses with a parameter: hosts of files know paths only.
pub(super) const QUERY_FOLDER: &str = "query";

/// The name of a list in the folder of what is below its address.
pub(super) const LIST_FILE: &str = "index.json";

/// The maximum length in bytes of the name of a file.
const NAME_BYTES_MAX: usize = 200;

/// An address, below the base path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Address {
    /// The path, with escapes.
    pub(super) path: String,
    /// A parameter with its value.
    pub(super) query: Option<(&'static str, String)>,
    /// True if other addresses are below it.
    pub(super) is_list: bool,
    /// The content that is there.
    pub(super) subject: ExportSubject,
}

/// The content at an address, as far as it matters when it has to be written anew.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ExportSubject {
    /// An entry of a type.
    Entry(String),
    /// Something about a type, such as a list; true if other entries are expanded in it.
    List(String, bool),
    /// A media file or what is made of it.
    File,
    /// Something that can change with anything.
    Other,
}

/// All addresses of a workspace.
pub(super) struct AddressList {
    /// Those where something is.
    pub(super) addresses: Vec<Address>,
    /// The paths of entries that have moved.
    pub(super) former: Vec<String>,
    /// The addresses that no file can have.
    pub(super) left_out: Vec<String>,
}

impl Address {
    fn new(path: String, subject: ExportSubject) -> Address {
        Address { path, query: None, is_list: false, subject }
    }

    fn list(path: String, subject: ExportSubject) -> Address {
        Address { is_list: true, ..Address::new(path, subject) }
    }

    fn with_query(&self, key: &'static str, value: &str) -> Address {
        Address { query: Some((key, value.to_string())), ..self.clone() }
    }

    /// Returns the path with the parameter, as it is requested.
    pub(super) fn target(&self) -> String {
        match &self.query {
            Some((key, value)) => format!("{}?{key}={}", self.path, encode_segment(value)),
            None => self.path.clone(),
        }
    }

    /// Returns the path of the file; nothing if no file can have it.
    pub(super) fn file_path(&self, base_path: &str) -> Option<String> {
        let mut names = Vec::new();
        if let Some((key, value)) = &self.query {
            names.extend([QUERY_FOLDER.to_string(), format!("{key}={value}")]);
        }
        let whole = format!("{base_path}{}", self.path);
        for segment in whole.split('/').filter(|it| !it.is_empty()) {
            names.push(percent_decode_str(segment).decode_utf8().ok()?.into_owned());
        }
        // This is how the file of a list is named.
        let is_list_file = !self.is_list && names.last().is_some_and(|it| it == LIST_FILE);
        if self.is_list {
            names.push(LIST_FILE.to_string());
        }
        let fits = names.iter().all(|it| is_file_name(it)) && !is_list_file;
        fits.then(|| names.join("/"))
    }
}

/// Returns true if a name can be that of a file on any system.
fn is_file_name(name: &str) -> bool {
    let is_bad = |it: char| it.is_control() || "/\\:*?\"<>|".contains(it);
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !name.contains(is_bad)
        && !is_windows_device(name)
}

/// Collects the addresses of a workspace.
pub(super) fn collect_addresses(
    app: &App,
    snapshot: &Arc<Snapshot>,
    base_path: &str,
) -> AddressList {
    let mut list = AddressList { addresses: Vec::new(), former: Vec::new(), left_out: Vec::new() };
    let root = format!("/api/v1/workspaces/{}", snapshot.workspace);
    let add_other = |list: &mut AddressList, names: &[&str]| {
        let paths = names.iter().map(|it| format!("{root}/{it}"));
        list.addresses.extend(paths.map(|it| Address::new(it, ExportSubject::Other)));
    };
    add_other(&mut list, &["openapi.json", "types.ts", "bundle", "media", "sitemap.xml"]);
    list.addresses.push(Address::list(format!("{root}/content-types"), ExportSubject::Other));
    let view = View::new(snapshot, Viewer::Anyone, None);
    for (place, index) in snapshot.types().iter().enumerate().filter(|(_, it)| view.knows_type(it))
    {
        add_type(&view, (place, index), &root, &mut list);
        add_views(app, snapshot, &index.content_type, &root, &mut list);
    }
    let parts = sitemap::count_parts(snapshot, &Caller::Anonymous);
    let whole = Address::new(format!("{root}/sitemap.xml"), ExportSubject::Other);
    let parts = (1..=parts).filter(|_| parts > 1);
    list.addresses.extend(parts.map(|it| whole.with_query("part", &it.to_string())));
    let base = media::MediaBase::of_snapshot(app, snapshot);
    let sees = media::visibility_filter(snapshot, &Caller::Anonymous);
    for item in snapshot.media.iter().filter(|it| sees(it)) {
        add_file(app, snapshot, &base, item, &mut list.addresses);
    }
    list.tidy(base_path);
    list
}

impl AddressList {
    /// Keeps each address once, and those alone that files can have.
    fn tidy(&mut self, base_path: &str) {
        self.addresses.sort();
        self.addresses.dedup_by(|a, b| a.path == b.path && a.query == b.query);
        let (fitting, others): (Vec<Address>, Vec<Address>) =
            self.addresses.drain(..).partition(|it| it.file_path(base_path).is_some());
        self.addresses = fitting;
        self.left_out = others.iter().map(Address::target).collect();
        self.former
            .retain(|it| Address::new(it.clone(), ExportSubject::Other).file_path("").is_some());
    }
}

/// Adds a type: its definition, its list, its entries under both of their names, and its feeds.
fn add_type(
    view: &View<'_>,
    (place, index): (usize, &Arc<TypeIndex>),
    root: &str,
    list: &mut AddressList,
) {
    let ty = &*index.content_type;
    let name = ty.name.as_str();
    let subject = ExportSubject::List(name.to_string(), false);
    list.addresses.push(Address::new(format!("{root}/content-types/{name}"), subject));
    let content = format!("{root}/content/{name}");
    let mut own =
        vec![Address::list(content.clone(), ExportSubject::List(name.to_string(), false))];
    let (mut names, mut former) = (BTreeSet::new(), BTreeSet::new());
    let visible = view.list_visible(place);
    for entry in visible.iter().filter_map(|it| index.entry_at(it)) {
        names.extend([entry.id(), entry.slug()]);
        former.extend(entry.former_slugs());
    }
    let address = |it: &&str| format!("{content}/{}", encode_segment(it));
    list.former.extend(former.difference(&names).map(address));
    let subject = || ExportSubject::Entry(name.to_string());
    own.extend(names.iter().map(|it| Address::new(address(it), subject())));
    if ty.feed.is_some() {
        let feeds = ["atom.xml", "feed.json"].map(|it| format!("{root}/feeds/{name}/{it}"));
        let subject = || ExportSubject::List(name.to_string(), false);
        own.extend(feeds.map(|it| Address::new(it, subject())));
    }
    let default = ty.default_locale.as_deref();
    for locale in ty.locales.iter().filter(|it| Some(it.as_str()) != default) {
        list.addresses.extend(own.iter().map(|it| it.with_query("locale", locale.as_str())));
    }
    list.addresses.extend(own);
}

/// Adds the views of a type, and their pages.
fn add_views(
    app: &App,
    snapshot: &Arc<Snapshot>,
    ty: &ContentType,
    root: &str,
    list: &mut AddressList,
) {
    for view in ty.views.iter() {
        let path = format!("{root}/views/{}/{}", ty.name, view.name);
        let subject = ExportSubject::List(ty.name.to_string(), view.get("include").is_some());
        if !view.pages {
            list.addresses.push(Address::new(path, subject));
            continue;
        }
        let pages = 1..=count_pages(app, snapshot, ty, view);
        let pages = pages.map(|it| Address::new(format!("{path}/{it}"), subject.clone()));
        list.addresses.extend(pages);
        list.addresses.push(Address::list(path, subject));
    }
}

/// Returns the number of pages of a view; one if it is empty or cannot be read.
fn count_pages(
    app: &App,
    snapshot: &Arc<Snapshot>,
    ty: &ContentType,
    view: &DeclaredView,
) -> usize {
    let query = format!("{}&limit=1", view.query());
    let (caller, name) = (&Caller::Anonymous, ty.name.as_str());
    let listed = entries::list(app, snapshot, caller, name, &query, Effort::Heavy, Api::Public);
    let Ok(EffortResult::Done(listed)) = listed else { return 1 };
    let answer: Value = serde_json::from_slice(&listed.body.into_bytes()).unwrap_or_default();
    let total = answer["meta"]["total"].as_u64().unwrap_or_default();
    let limit_max = app.settings().editable.list_limit_max;
    let size = view.page_size(limit_max).unwrap_or(u64::MAX);
    let pages = total.saturating_sub(view.offset.into()).div_ceil(size).max(1);
    usize::try_from(pages).unwrap_or(1)
}

/// Adds a media file: its bytes, its thumbnail, and the variants that answers name.
fn add_file(
    app: &App,
    snapshot: &Snapshot,
    base: &media::MediaBase<'_>,
    item: &MediaItem,
    addresses: &mut Vec<Address>,
) {
    let name = encode_segment(&item.filename);
    let file = Address::new(format!("/media/{}/{name}", snapshot.workspace), ExportSubject::File);
    // As answers show it: what they name is there.
    let shown = serde_json::to_value(media::render_item(base, item)).unwrap_or_default();
    if !shown["thumb_url"].is_null() {
        let path = format!("/media-thumbs/{}/{name}", snapshot.workspace);
        addresses.push(Address::new(path, ExportSubject::File));
    }
    let links = shown["variants"].as_array().into_iter().flatten();
    for url in links.filter_map(|it| it["url"].as_str()) {
        let width = url.split_once("?w=").map(|(_, it)| it.split('&').next().unwrap_or_default());
        addresses.extend(width.map(|it| file.with_query("w", it)));
    }
    if media::has_thumbnail(item) {
        let settings = app.settings();
        let presets = settings.editable.picture_presets.names();
        addresses.extend(presets.map(|it| file.with_query("preset", it)));
    }
    addresses.push(file);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_files_where_that_can_be() {
        let check = |path: &str, expect: Option<&str>| {
            let address = Address::new(path.to_string(), ExportSubject::Other);
            assert_eq!(address.file_path("/cms").as_deref(), expect, "{path}");
        };
        check("/content/posts/a-b_c", Some("cms/content/posts/a-b_c"));
        check("/media/default/Stra%C3%9Fe%201.jpg", Some("cms/media/default/Straße 1.jpg"));
        check("/content/posts/index.json", None);
        check("/content/posts/%2E%2E", None);
        check("/content/posts/a%2Fb", None);
        check("/content/posts/a%5Cb", None);
        check("/content/posts/a%00", None);
        check("/content/posts/.htaccess", None);
        check("/content/posts/%FF", None);
        check("/content/posts/a.", None);
        check("/content/posts/con", None);
        check("/content/posts/a%22b", None);
        check(
            &format!("/content/{}", "a".repeat(200)),
            Some(&format!("cms/content/{}", "a".repeat(200))),
        );
        check(&format!("/content/{}", "a".repeat(201)), None);
        let list = Address::list("/content/posts".to_string(), ExportSubject::Other);
        assert_eq!(list.file_path("").as_deref(), Some("content/posts/index.json"));
        let in_german = list.with_query("locale", "de");
        let expect = "query/locale=de/content/posts/index.json";
        assert_eq!(in_german.file_path("").as_deref(), Some(expect));
        assert_eq!(in_german.target(), "/content/posts?locale=de");
    }
}
