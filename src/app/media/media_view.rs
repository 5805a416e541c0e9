//! The view of a media item, and who may see it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::pictures::PIXELS_MAX;
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
    /// The alternative text; may be empty.
    alt: String,
    /// The title; may be empty.
    title: String,
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

/// A media item as the public API shows it.
pub fn render_item(app: &App, snapshot: &Snapshot, item: &MediaItem) -> MediaView {
    let (site, below) = split_base(app.engine.base_url());
    let place = |folder: &str| {
        let workspace = url_encoding::encode_segment(snapshot.workspace.as_str());
        format!(
            "{below}/{folder}/{workspace}/{}",
            url_encoding::encode_segment(item.filename.as_str())
        )
    };
    let path = place("media");
    let thumb = has_thumbnail(item).then(|| place("media-thumbs"));
    MediaView {
        filename: item.filename.to_string(),
        name: item.filename.to_string(),
        url: format!("{site}{path}"),
        size: item.size,
        mime: item.mime,
        category: item.category.as_ref().map(|it| it.to_string()).unwrap_or_default(),
        alt: item.alt.clone(),
        title: item.title.clone(),
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
    }
}

/// A base URL as scheme with host, and the path below which everything lies.
pub(crate) fn split_base(base: &str) -> (&str, &str) {
    let host = base.find("://").map_or(0, |it| it + "://".len());
    let path = base.get(host..).and_then(|it| it.find('/')).map_or(base.len(), |it| host + it);
    base.split_at_checked(path).unwrap_or((base, ""))
}

/// Returns true if a thumbnail can be made: for pictures that are decoded here and are not too
/// large.
pub fn has_thumbnail(item: &MediaItem) -> bool {
    let decoded = matches!(item.mime, "image/jpeg" | "image/png" | "image/gif" | "image/webp");
    let pixels = item.width.zip(item.height).map(|(w, h)| u64::from(w) * u64::from(h));
    decoded && pixels.is_some_and(|it| it <= PIXELS_MAX)
}

/// The name of a file as addresses and bodies give it, as it is on the disk.
pub(super) fn normalize_name(name: &str) -> String {
    Filename::parse_normalized(name).map_or_else(|_| name.to_owned(), |it| it.to_string())
}
