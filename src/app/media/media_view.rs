//! The view of a media item, and who may see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::picture_links;
use crate::app::media::picture_links::PictureSource;
use crate::app::media::picture_links::VariantLink;
use crate::app::media::pictures::has_thumbnail;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::media::CropArea;
use crate::model::media::FocalPoint;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::name::Filename;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::time::Timestamp;
use crate::stdx::url_encoding;

/// A media file with its metadata.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MediaItem")]
pub struct MediaView {
    /// The name of the file, unique in its workspace.
    filename: String,
    /// The same as `filename`.
    name: String,
    /// The address of the file.
    #[schemars(extend("format" = "uri"))]
    url: String,
    /// The size in bytes.
    size: u64,
    /// The MIME type, which Recto finds in the file's content.
    mime: &'static str,
    /// The path of the category, such as `Photos / Travel`; empty without a category.
    category: String,
    /// The alternative text; may be empty. In an entry with `media=full`, it is the text of the
    /// field that `alt_field` names, if there is one.
    alt: String,
    /// True for a picture that needs no alternative text, because it says nothing.
    decorative: bool,
    /// The title; may be empty.
    title: String,
    /// The text of the field that `caption_field` names; may be empty. Only in entries with
    /// `media=full`, where a field says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<String>,
    /// The point that stays in view when the picture is cut to a shape, from the left and from the
    /// top, as fractions of its sides; `null` for the middle.
    focus: Option<[f64; 2]>,
    /// The part of the picture that variants show: left, top, width and height, as fractions of its
    /// sides; `null` for all of it.
    crop: Option<[f64; 4]>,
    /// Files that are `private` are served only to callers who may read them.
    visibility: Visibility,
    /// The width in pixels, or `null` if the file is not a picture.
    #[schemars(range(min = 1))]
    width: Option<u32>,
    /// The height in pixels, or `null` if the file is not a picture.
    #[schemars(range(min = 1))]
    height: Option<u32>,
    /// The picture in some 25 bytes, to be shown until it has loaded: a ThumbHash in Base64. It is
    /// `null` until Recto has seen the pixels, and for files that are no pictures.
    placeholder: Option<Box<str>>,
    /// The average colour of the picture, such as `#8a6f4d`, known as soon as `placeholder` is.
    color: Option<Box<str>>,
    /// The id of the user or token that uploaded the file, or `null` if it was copied into the
    /// folder.
    uploaded_by: Option<String>,
    /// The time of the upload, or that of the file.
    uploaded_at: Timestamp,
    /// The address of the thumbnail, or `null` if the file has none.
    #[schemars(extend("format" = "uri"))]
    thumb_url: Option<String>,
    /// The path in `url`.
    path: String,
    /// The path in `thumb_url`.
    thumb_path: Option<String>,
    /// Changes with the bytes of the file. Caches may keep the file forever if this is added to
    /// `url` as `?v=`.
    etag: String,
    /// Smaller versions of the picture, narrow ones first; empty for files that are no pictures.
    variants: Vec<VariantLink>,
    /// The value of the attribute `srcset` of an `img`: all variants and the picture itself. It is
    /// `null` if there are no variants.
    srcset: Option<String>,
}

/// Returns true if the caller may see the bytes and the metadata of a file.
pub fn may_see(snapshot: &Snapshot, caller: &Caller, item: &MediaItem) -> bool {
    if item.visibility == Visibility::Public {
        return true;
    }
    let Some(grants) = caller.grants() else { return false };
    let resource =
        Resource::File { name: item.filename.as_str(), category: item.category.as_ref() };
    let facts = Facts { author_id: item.uploaded_by.as_deref(), ..Facts::default() };
    grants.decide_access(snapshot.workspace.as_str(), Action::MediaRead, &resource, &facts).allowed
}

/// The file of this name; for whoever may not see it, it is not there.
pub fn find_item<'s>(snapshot: &'s Snapshot, caller: &Caller, name: &str) -> Result<&'s MediaItem> {
    let name = crate::app::media::media_view::normalize_name(name);
    let item = snapshot.media.get(&name).filter(|it| visibility_filter(snapshot, caller)(it));
    item.map(|it| &**it).ok_or_else(|| Error::not_found("media file", &name))
}

/// Returns the filter for the items of a list: a caller with a credential sees what its grants
/// allow.
pub(crate) fn visibility_filter<'a>(
    snapshot: &'a Snapshot,
    caller: &'a Caller,
) -> Box<dyn Fn(&MediaItem) -> bool + 'a> {
    let Some(grants) = caller.grants() else {
        return Box::new(|item| item.visibility == Visibility::Public);
    };
    let workspace = snapshot.workspace.as_str();
    match grants.compute_media_reach(workspace, Action::MediaRead) {
        Reach::Nothing => Box::new(|_| false),
        Reach::Everything => Box::new(|_| true),
        Reach::Rows(()) => Box::new(move |item| {
            let resource =
                Resource::File { name: item.filename.as_str(), category: item.category.as_ref() };
            let facts = Facts { author_id: item.uploaded_by.as_deref(), ..Facts::default() };
            grants.decide_access(workspace, Action::MediaRead, &resource, &facts).allowed
        }),
    }
}

/// The beginning of the addresses of the files of a workspace.
pub struct MediaBase<'a> {
    /// The scheme and the host.
    site: &'a str,
    /// The path below which everything lies.
    below: &'a str,
    /// The workspace, encoded.
    workspace: String,
}

impl<'a> MediaBase<'a> {
    /// Returns the beginning for a workspace of a server with this base URL.
    pub fn new(base_url: &'a str, ws: &str) -> MediaBase<'a> {
        let (site, below) = split_base(base_url);
        MediaBase { site, below, workspace: url_encoding::encode_segment(ws).to_string() }
    }

    /// Returns the beginning for the workspace of a snapshot.
    pub fn of_snapshot(app: &'a App, snapshot: &Snapshot) -> MediaBase<'a> {
        MediaBase::new(app.engine.base_url(), snapshot.workspace.as_str())
    }

    /// Returns how an `img` shows a file, or `None` if the file is no picture.
    pub fn describe_picture(&self, item: &MediaItem) -> Option<PictureSource> {
        let url = format!("{}{}", self.site, self.file_path("media", item));
        picture_links::describe_picture(item, &url)
    }

    fn file_path(&self, folder: &str, item: &MediaItem) -> String {
        let name = url_encoding::encode_segment(&item.filename);
        format!("{}/{folder}/{}/{name}", self.below, self.workspace)
    }
}

/// A media item as the public API shows it.
pub fn render_item(base: &MediaBase<'_>, item: &MediaItem) -> MediaView {
    let site = base.site;
    let path = base.file_path("media", item);
    let thumb = has_thumbnail(item).then(|| base.file_path("media-thumbs", item));
    let url = format!("{site}{path}");
    let variants = picture_links::list_variants(item, &url);
    let srcset = picture_links::render_srcset(item, &url, &variants);
    MediaView {
        filename: item.filename.to_string(),
        name: item.filename.to_string(),
        url,
        size: item.size,
        mime: item.mime,
        category: item.category.as_ref().map(|it| it.to_string()).unwrap_or_default(),
        alt: item.alt.clone(),
        decorative: item.decorative,
        title: item.title.clone(),
        caption: None,
        focus: item.focus.map(FocalPoint::numbers),
        crop: item.crop.map(CropArea::numbers),
        visibility: item.visibility,
        width: item.width,
        height: item.height,
        placeholder: item.sketch.as_ref().map(|it| it.placeholder.clone()),
        color: item.sketch.as_ref().map(|it| it.color.clone()),
        uploaded_by: item.uploaded_by.clone(),
        uploaded_at: item.uploaded_at,
        thumb_url: thumb.as_ref().map(|it| format!("{site}{it}")),
        path,
        thumb_path: thumb,
        etag: item.etag().to_string(),
        variants,
        srcset,
    }
}

/// A base URL as scheme with host, and the path below which everything lies.
pub(crate) fn split_base(base: &str) -> (&str, &str) {
    let host = base.find("://").map_or(0, |it| it + "://".len());
    let path = base.get(host..).and_then(|it| it.find('/')).map_or(base.len(), |it| host + it);
    base.split_at_checked(path).unwrap_or((base, ""))
}

/// The name of a file as addresses and bodies give it, as it is on the disk.
pub(super) fn normalize_name(name: &str) -> String {
    Filename::parse_normalized(name).map_or_else(|_| name.to_owned(), |it| it.to_string())
}
