//! The links of an entry to others and to media files.

use std::cell::Cell;

use crate::app::import::import_set::ImportedEntry;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::links::is_foreign;
use crate::app::import::links::list_paths;
use crate::app::import::links::normalize_address;
use crate::app::import::links::split_address;
use crate::app::import::links::without_size;
use crate::app::import::planner::Planner;
use crate::app::import::planner::texts::TextLinks;
use crate::model::content_type::ContentType;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::url_encoding::encode_segment;

impl Planner<'_, '_> {
    /// Rewrites the links and pictures in the texts of an entry. HTML has no links to entries, so
    /// those in it keep their address.
    pub(super) fn rewrite_links(
        &mut self,
        ty: &ContentType,
        entry: &mut ImportedEntry,
        links: LinkNotation,
    ) {
        if links == LinkNotation::None {
            return;
        }
        let n_kept = Cell::new(0_usize);
        self.rewrite_texts(ty, entry, links, &n_kept);
        if n_kept.get() > 0 {
            let message =
                format!("Links to other entries keep their address in HTML ({}).", n_kept.get());
            self.report.add_altered(entry.place.clone(), message);
        }
    }

    fn rewrite_texts(
        &self,
        ty: &ContentType,
        entry: &mut ImportedEntry,
        links: LinkNotation,
        n_kept: &Cell<usize>,
    ) {
        let from = entry.place.file.clone().unwrap_or_default();
        let find = |address: &str| self.find_target_of(&from, address, links);
        let find_file = |address: &str| {
            let found = find(address)?;
            if found.starts_with("recto:") {
                n_kept.set(n_kept.get() + 1);
                return None;
            }
            Some(found)
        };
        let texts = TextLinks { in_markdown: &find, in_html: &find_file };
        let rewrite = |data: &mut Map| {
            for field in ty.data_fields() {
                if let Some(value) = data.get_mut(field.name.as_str()) {
                    texts.rewrite_value(&field.definition, value);
                }
            }
        };
        if let Some(Json::Object(data)) = entry.values.get_mut("data") {
            rewrite(data);
        }
        if let Some(Json::Object(translations)) = entry.values.get_mut("translations") {
            for translation in translations.values_mut() {
                if let Json::Object(map) = translation
                    && let Some(Json::Object(data)) = map.get_mut("data")
                {
                    rewrite(data);
                }
            }
        }
    }

    /// Returns the address of what a link of the source leads to: a media file or an entry.
    fn find_target_of(&self, from: &str, address: &str, links: LinkNotation) -> Option<String> {
        let (bare, rest) = split_address(address);
        let names: Vec<String> = match links {
            LinkNotation::None => return None,
            LinkNotation::Paths if is_foreign(address) => return None,
            LinkNotation::Paths => {
                let mut paths = list_paths(from, bare);
                let bare = paths.iter().filter_map(|it| it.strip_suffix(".md").map(str::to_string));
                let bare: Vec<String> = bare.collect();
                paths.extend(bare);
                paths
            }
            LinkNotation::Addresses => {
                let plain = normalize_address(address);
                let bare = normalize_address(bare);
                let original = without_size(&bare);
                // Systems serve files at one path on any host.
                let path = bare.find('/').and_then(|it| bare.get(it..)).map(str::to_string);
                let names = [plain, bare].into_iter().chain(original).chain(path);
                names.filter(|it| !it.is_empty()).collect()
            }
        };
        for name in &names {
            if let Some(stored) = self.names.find_media(name) {
                let encoded = encode_segment(stored.as_str());
                return Some(format!("/media/{}/{encoded}", self.staging.workspace()));
            }
            if let Some((of, id)) = self.names.find_any(name) {
                let fragment = rest.find('#').and_then(|it| rest.get(it..)).unwrap_or_default();
                return Some(format!("recto:{of}/{id}{fragment}"));
            }
        }
        None
    }
}
