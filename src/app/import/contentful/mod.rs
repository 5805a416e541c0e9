//! Exports of Contentful: the JSON of `contentful space export`, with the files of assets beside
//! it.

mod contentful_entries;
mod contentful_media;
mod contentful_text;
mod contentful_types;
mod space_export;

use crate::app::import::contentful::contentful_entries::SpaceEntryReader;
use crate::app::import::contentful::contentful_media::read_assets;
use crate::app::import::contentful::contentful_types::plan_types;
use crate::app::import::contentful::space_export::SpaceExport;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::report::SourcePlace;
use crate::app::import::type_outline::CountedRemarks;
use crate::query::index::snapshot::Snapshot;
use crate::store::source::ImportSource;

/// The parts of a space that stay behind.
const LEFT_OUT: &[(&str, &str)] = &[
    ("webhooks", "Webhooks are left out: make them anew in the settings."),
    ("roles", "Roles are left out."),
    ("tags", "Tags of Contentful are left out."),
];

/// Reads an export of Contentful.
pub(super) fn read_contentful(source: &dyn ImportSource, snapshot: &Snapshot) -> ImportSet {
    let mut set =
        ImportSet { is_lenient: true, links: LinkNotation::Addresses, ..ImportSet::default() };
    let Some(export) = SpaceExport::read(source, &mut set.report) else {
        if set.report.problems.is_empty() {
            let message = "This is no export of Contentful: no JSON file has `contentTypes`. Make \
                           one with `contentful space export --include-drafts --download-assets`.";
            set.report.add_problem(SourcePlace::default(), message);
        }
        return set;
    };
    let mut remarks = CountedRemarks::default();
    let assets = read_assets(&export, source, &mut set, &mut remarks);
    let types = plan_types(&export, &mut remarks);
    for planned in &types {
        set.types.push(planned.outline.to_imported(planned.place.clone()));
    }
    SpaceEntryReader { export: &export, types: &types, assets: &assets, remarks: &mut remarks }
        .read_all(snapshot, &mut set);
    for (key, message) in LEFT_OUT {
        let number = export.list(key).len();
        if number > 0 {
            let message = format!("{message} ({number})");
            set.report.add_skipped(export.place.with_field(*key), message);
        }
    }
    remarks.add_to(&mut set.report);
    set
}
