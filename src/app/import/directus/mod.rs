//! Exports of Directus: a snapshot of the schema, the items of collections as JSON, and the files.
//! A folder of `directus-template-cli` has the same under other names.

mod directus_entries;
mod directus_export;
mod directus_fields;
mod directus_media;
mod directus_types;

use crate::app::import::directus::directus_entries::ItemReader;
use crate::app::import::directus::directus_export::DirectusExport;
use crate::app::import::directus::directus_media::read_files;
use crate::app::import::directus::directus_types::plan_collections;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::report::SourcePlace;
use crate::app::import::type_outline::CountedRemarks;
use crate::query::index::snapshot::Snapshot;
use crate::store::source::ImportSource;

/// Reads an export of Directus.
pub(super) fn read_directus(source: &dyn ImportSource, snapshot: &Snapshot) -> ImportSet {
    let mut set =
        ImportSet { is_lenient: true, links: LinkNotation::Addresses, ..ImportSet::default() };
    let Some(export) = DirectusExport::read(source, &mut set.report) else {
        if set.report.problems.is_empty() {
            let message = "This is no export of Directus: no file has `collections`, `fields` and \
                           `relations`. Make one with `directus schema snapshot`.";
            set.report.add_problem(SourcePlace::default(), message);
        }
        return set;
    };
    let mut remarks = CountedRemarks::default();
    let files = read_files(&export, source, &mut set, &mut remarks);
    let types = plan_collections(&export, &mut remarks);
    for planned in &types {
        set.types.push(planned.outline.to_imported(planned.place.clone()));
    }
    ItemReader::new(&export, &types, &files, &mut remarks).read_all(snapshot, &mut set);
    remarks.add_to(&mut set.report);
    set
}
