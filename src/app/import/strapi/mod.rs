//! Exports of Strapi 4 and 5: `strapi export --no-encrypt`, as an archive or unpacked. Content
//! types with components and dynamic zones, entries with locales, relations, and media.

mod export_files;
mod strapi_entries;
mod strapi_media;
mod strapi_text;
mod strapi_types;

use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::report::SourcePlace;
use crate::app::import::strapi::export_files::StrapiExport;
use crate::app::import::strapi::strapi_entries::StrapiEntryReader;
use crate::app::import::strapi::strapi_media::read_files;
use crate::app::import::strapi::strapi_types::TypePlanner;
use crate::app::import::type_outline::CountedRemarks;
use crate::query::index::snapshot::Snapshot;
use crate::store::source::ImportSource;

/// The records that stay behind, and what they are.
const LEFT_OUT: &[(&str, &str)] = &[
    ("plugin::users-permissions.user", "Users of the site"),
    ("plugin::content-releases.release", "Releases"),
    ("plugin::review-workflows.workflow", "Review workflows"),
    ("admin::audit-log", "Audit logs"),
];

/// Reads an export of Strapi.
pub(super) fn read_strapi(source: &dyn ImportSource, snapshot: &Snapshot) -> ImportSet {
    let mut set =
        ImportSet { is_lenient: true, links: LinkNotation::Addresses, ..ImportSet::default() };
    let Some(export) = StrapiExport::read(source, &mut set.report) else {
        if set.report.problems.is_empty() {
            let message = "This is no export of Strapi: it has no `schemas/` and `entities/`. Make \
                           one with `strapi export --no-encrypt`.";
            set.report.add_problem(SourcePlace::default(), message);
        }
        return set;
    };
    let mut remarks = CountedRemarks::default();
    let files = read_files(&export, source, &mut set, &mut remarks);
    let types = TypePlanner::new(&export, &mut remarks).plan();
    for planned in &types {
        set.types.push(planned.outline.to_imported(planned.place.clone()));
    }
    StrapiEntryReader::new(&export, &types, &files, snapshot, &mut remarks).read_all(&mut set);
    for (uid, what) in LEFT_OUT {
        for row in export.rows(uid) {
            remarks.add_skipped(&SourcePlace::of_file(&row.file), format!("{what} are left out."));
        }
    }
    remarks.add_to(&mut set.report);
    set
}
