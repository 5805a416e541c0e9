//! Settings of an import beside content: media categories, webhooks, those of a workspace,
//! pictures.

use std::collections::BTreeSet;

use crate::app::import::import_set::ImportedWorkspace;
use crate::app::import::planner::Planner;
use crate::app::import::report::SourcePlace;
use crate::app::media::pictures;
use crate::engine::error::CommitError;
use crate::model::field::label_from_name;
use crate::model::media::category::CategoryPath;
use crate::model::webhook::WEBHOOKS_MAX;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The longest side of a picture of a user or a workspace, in pixels.
const SIDE_MAX: u32 = 256;

/// The largest file with such a picture.
const PICTURE_BYTES_MAX: u64 = 16 * 1024 * 1024;

impl Planner<'_, '_> {
    /// Plans the list of media categories with those of the source.
    pub(super) fn plan_categories(&mut self, added: &[CategoryPath]) -> Result<(), CommitError> {
        let mut categories = self.staging.snapshot().media.declared().clone();
        added.iter().for_each(|it| categories.insert(it));
        if categories == *self.staging.snapshot().media.declared() {
            return Ok(());
        }
        let key = Key::Categories(self.staging.workspace().clone());
        match self.staging.read_stored(&key)? {
            Some(stored) => {
                let bytes = stored.rewrite(categories.apply_to(stored.map()));
                self.files.replace(key, bytes, stored.stat());
            }
            None => {
                let map = categories.apply_to(&Map::new());
                self.files.create(key, Json::Object(map).to_file());
            }
        }
        Ok(())
    }

    /// Plans webhooks. Those that are there stay as they are.
    pub(super) fn plan_webhooks(
        &mut self,
        webhooks: Vec<(SourcePlace, Map)>,
    ) -> Result<(), CommitError> {
        if webhooks.is_empty() {
            return Ok(());
        }
        let stored = self.staging.read_stored(&Key::Webhooks)?;
        let mut file = stored.as_ref().map(|it| it.map().clone()).unwrap_or_default();
        let mut items = file.get("webhooks").and_then(Json::as_array).unwrap_or_default().to_vec();
        let id_of = |it: &Json| Some(it.as_object()?.get("id")?.as_str()?.to_string());
        let known: BTreeSet<String> = items.iter().filter_map(id_of).collect();
        let n_before = items.len();
        for (place, webhook) in webhooks {
            let webhook = Json::Object(webhook);
            if id_of(&webhook).is_some_and(|it| known.contains(&it)) {
                continue;
            }
            if items.len() >= WEBHOOKS_MAX {
                let message = format!("There can be at most {WEBHOOKS_MAX} webhooks.");
                self.report.add_skipped(place, message);
                continue;
            }
            items.push(webhook);
        }
        if items.len() == n_before {
            return Ok(());
        }
        file.set("webhooks", Json::Array(items));
        match stored {
            Some(stored) => {
                self.files.replace(Key::Webhooks, stored.rewrite(file), stored.stat());
            }
            None => self.files.create(Key::Webhooks, Json::Object(file).to_file()),
        }
        Ok(())
    }

    /// Plans the name, the order of types and the picture of the workspace, where it has none.
    pub(super) fn plan_workspace(
        &mut self,
        settings: ImportedWorkspace,
    ) -> Result<(), CommitError> {
        let ws = self.staging.workspace().clone();
        let key = Key::Workspace(ws.clone());
        if let Some(stored) = self.staging.read_stored(&key)? {
            let mut file = stored.map().clone();
            let label = file.get("label").and_then(Json::as_str).unwrap_or_default().to_string();
            if let Some(wanted) =
                settings.label.filter(|_| label.is_empty() || label == label_from_name(&ws))
            {
                file.set("label", Json::from(wanted));
            }
            let is_ordered = file.get("types").is_some_and(|it| !it.is_empty());
            if !is_ordered && !settings.types.is_empty() {
                let types = settings.types.iter().map(|it| Json::from(it.as_str()));
                file.set("types", Json::Array(types.collect()));
            }
            if file != *stored.map() {
                self.files.replace(key, stored.rewrite(file), stored.stat());
            }
        }
        let icon = Key::Icon(ws);
        if let Some(path) = settings.icon
            && !self.staging.exists(&icon)
            && let Some(png) = self.make_picture(&path)
        {
            self.files.create(icon, png);
        }
        Ok(())
    }

    /// Returns a small PNG of a picture of the source. One that cannot be read is left out.
    pub(super) fn make_picture(&mut self, path: &str) -> Option<Vec<u8>> {
        let place = SourcePlace::of_file(path);
        let bytes = match self.request.source.read(path, PICTURE_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("The file cannot be read: {error}.");
                self.report.add_skipped(place, message);
                return None;
            }
        };
        let png = pictures::make_small_png(self.request.budget, &bytes, SIDE_MAX, "picture");
        if png.is_err() {
            let message = "This picture cannot be read, so it is left out.";
            self.report.add_skipped(place, message);
        }
        png.ok()
    }
}
