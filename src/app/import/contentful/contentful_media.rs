//! Assets of Contentful, with their files in folders that are named like their hosts.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;

use crate::app::import::contentful::space_export::SpaceExport;
use crate::app::import::contentful::space_export::get_id;
use crate::app::import::contentful::space_export::get_sys;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::links::normalize_address;
use crate::app::import::times::parse_time;
use crate::app::import::type_outline::CountedRemarks;
use crate::model::media::MetaChange;
use crate::model::media::Visibility;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::source::ImportSource;

/// Reads the assets whose files are there. Returns their ids.
pub(super) fn read_assets(
    export: &SpaceExport,
    source: &dyn ImportSource,
    set: &mut ImportSet,
    remarks: &mut CountedRemarks,
) -> BTreeSet<String> {
    let paths: Vec<&str> = source.files().iter().map(|it| it.path.as_str()).collect();
    let mut found = BTreeSet::new();
    for asset in export.list("assets") {
        let Some(id) = get_id(asset) else { continue };
        let place = export.place.with_field(format!("assets.{id}"));
        let Some(file) = export.any_value(asset, "file").and_then(Json::as_object) else {
            remarks.add_skipped(&place, "Assets without a file are left out.");
            continue;
        };
        let url = file.get("url").or_else(|| file.get("upload")).and_then(Json::as_str);
        let url = url.unwrap_or_default();
        let address = normalize_address(url);
        let bare = url.split_once("://").map_or(url, |(_, it)| it).trim_start_matches('/');
        let decoded = percent_decode_str(bare).decode_utf8_lossy();
        let ends = |path: &&&str| {
            [bare, &*decoded].iter().any(|it| {
                path.strip_suffix(it).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            })
        };
        let Some(path) = paths.iter().find(ends).filter(|_| !bare.is_empty()) else {
            let message = "Assets whose files are not beside the export are left out: export with \
                           `--download-assets`.";
            remarks.add_skipped(&place, message);
            continue;
        };
        found.insert(id.to_string());
        set.media.push(ImportedFile {
            path: (*path).to_string(),
            file_name: file.get("fileName").and_then(Json::as_str).map(str::to_string),
            names: vec![format!("asset:{id}"), address],
            meta: read_meta(export, asset),
            is_optional: true,
            keeps_name: false,
        });
    }
    found
}

fn read_meta(export: &SpaceExport, asset: &Map) -> MetaChange {
    let text = |key: &str| export.any_value(asset, key).and_then(Json::as_str).map(str::to_string);
    let is_public = is_published(asset);
    MetaChange {
        alt: text("description"),
        title: text("title"),
        // Nobody can read the file of a draft.
        visibility: (!is_public).then_some(Visibility::Private),
        uploaded_at: get_sys(asset, "createdAt").and_then(Json::as_str).and_then(parse_time),
        ..MetaChange::default()
    }
}

/// Returns true if an entry or asset is published. Exports with a delivery token have only those,
/// without versions.
pub(super) fn is_published(item: &Map) -> bool {
    get_sys(item, "publishedVersion").is_some_and(|it| !it.is_empty())
        || get_sys(item, "version").is_none()
}
