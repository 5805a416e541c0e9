//! The addresses of a picture's variants, as answers give them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::media::pictures::has_variants;
use crate::model::media::MediaItem;
use crate::model::media::PictureArea;
use crate::model::media::SIDES;

/// The narrowest variant that answers name, and every wider one that they name.
const NAMED_WIDTHS: [u32; 7] = [320, 640, 960, 1280, 1920, 2560, 3840];

/// A variant of a picture.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "MediaVariant")]
pub struct VariantLink {
    /// The width in pixels.
    #[schemars(range(min = 1))]
    width: u32,
    /// The height in pixels.
    #[schemars(range(min = 1))]
    height: u32,
    /// The address, which caches may keep forever: it changes with the picture.
    #[schemars(extend("format" = "uri"))]
    url: String,
}

/// Lists the variants of a file at `url`, narrow ones first; none of what is no picture,
/// or moves.
pub(super) fn list_variants(item: &MediaItem, url: &str) -> Vec<VariantLink> {
    let Some((width, height)) = item.width.zip(item.height).filter(|_| has_variants(item)) else {
        return Vec::new();
    };
    let area = PictureArea::cut(width, height, item.crop);
    let tag = item.picture_tag();
    let link = |asked: u32| {
        let width = area.width.min(f64::from(asked));
        let height = (area.height * width / area.width).round().max(1.0);
        let url = format!("{url}?w={asked}&v={tag}");
        VariantLink { width: width as u32, height: height as u32, url }
    };
    let narrower = NAMED_WIDTHS.iter().filter(|it| f64::from(**it) < area.width);
    let mut links: Vec<VariantLink> = narrower.map(|it| link(*it)).collect();
    // The whole of what is shown, which is the file itself unless a part of it is shown.
    if item.crop.is_some() {
        let asked = SIDES.iter().find(|it| f64::from(**it) >= area.width);
        links.extend(asked.map(|it| link(*it)));
    }
    links
}

/// Returns the value of the attribute `srcset`: all variants, and the file itself unless a part of
/// it is shown. Returns `None` if there is no variant.
pub(super) fn render_srcset(item: &MediaItem, url: &str, links: &[VariantLink]) -> Option<String> {
    let mut sources: Vec<String> =
        links.iter().map(|it| format!("{} {}w", it.url, it.width)).collect();
    if let (Some(width), None, false) = (item.width, item.crop, links.is_empty()) {
        sources.push(format!("{url}?v={} {width}w", item.etag()));
    }
    (!sources.is_empty()).then(|| sources.join(", "))
}

/// A picture as an `img` shows it.
#[derive(Debug, PartialEq, Eq)]
pub struct PictureSource {
    /// The address of the largest size.
    pub url: String,
    /// The width of the largest size in pixels.
    pub width: u32,
    /// The height of the largest size in pixels.
    pub height: u32,
    /// All sizes, if there are several.
    pub srcset: Option<String>,
}

/// Returns how an `img` shows the file at `url`: as it is cut, in all its sizes. Returns `None` if
/// the file is no picture.
pub(super) fn describe_picture(item: &MediaItem, url: &str) -> Option<PictureSource> {
    let links = list_variants(item, url);
    let srcset = render_srcset(item, url, &links);
    // Without variants, a part of a picture cannot be shown.
    let part = links.last().filter(|_| item.crop.is_some());
    let source =
        |url: &str, width, height| PictureSource { url: url.into(), width, height, srcset };
    match part {
        Some(it) => Some(source(&it.url, it.width, it.height)),
        None => Some(source(url, item.width?, item.height?)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::media::MediaMeta;
    use crate::model::media::MediaTag;
    use crate::model::media::PictureSketch;
    use crate::model::name::Filename;
    use crate::stdx::checksum::Checksum;
    use crate::stdx::json::Json;
    use crate::stdx::time::Timestamp;

    fn item(mime: &'static str, meta: &str, size: Option<(u32, u32)>) -> MediaItem {
        let meta = MediaMeta::parse(&Json::parse(meta.as_bytes()).unwrap()).0;
        let tag = MediaTag::of_content(Checksum(1), Checksum(0xab));
        let name = Filename::parse("a.jpg").unwrap();
        let mut item = MediaItem::new(name, mime, 9, Timestamp::default(), tag, meta);
        (item.width, item.height) = size.unzip();
        item
    }

    #[test]
    fn variants_are_narrower_than_the_picture() {
        let check = |item: &MediaItem, expect: &[(u32, u32)], srcset: Option<&str>| {
            let links = list_variants(item, "/a.jpg");
            let sizes: Vec<_> = links.iter().map(|it| (it.width, it.height)).collect();
            assert_eq!(sizes, expect);
            assert_eq!(render_srcset(item, "/a.jpg", &links).as_deref(), srcset);
        };
        let srcset = "/a.jpg?w=320&v=00000000000000ab 320w, /a.jpg?w=640&v=00000000000000ab 640w, \
                      /a.jpg?v=00000000000000ab 800w";
        check(&item("image/jpeg", "{}", Some((800, 600))), &[(320, 240), (640, 480)], Some(srcset));
        check(&item("image/jpeg", "{}", Some((320, 10))), &[], None);
        check(&item("image/svg+xml", "{}", Some((800, 600))), &[], None);
        check(&item("application/pdf", "{}", None), &[], None);
        let mut moving = item("image/gif", "{}", Some((800, 600)));
        moving.sketch = Some(Arc::new(PictureSketch {
            placeholder: "AA==".into(),
            color: "#123456".into(),
            is_animated: true,
        }));
        check(&moving, &[], None);
        let cropped = item("image/png", r#"{"crop":[0.25,0,0.5,1]}"#, Some((800, 600)));
        let links = list_variants(&cropped, "/a.jpg");
        let sizes: Vec<_> = links.iter().map(|it| (it.width, it.height)).collect();
        assert_eq!(sizes, [(320, 480), (400, 600)]);
        assert!(links[1].url.starts_with("/a.jpg?w=480&v=") && !links[1].url.ends_with("ab"));
    }
}
