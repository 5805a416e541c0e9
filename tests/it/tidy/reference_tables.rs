//! The tables of documents that are made from the code: `UPDATE=1` makes them anew.

use std::collections::BTreeSet;

use recto::http::openapi;
use recto::http::routes;

use crate::support::openapi::BASE_URL;
use crate::support::openapi::Stage;
use crate::support::openapi::document;
use crate::support::recorded::check_recorded;
use crate::support::reference_tables::TableSources;
use crate::support::source_tree::read;

#[test]
fn tables_in_documents_are_those_of_the_code() {
    let table = routes::build_table();
    let admin = openapi::admin::build_document(&table, BASE_URL);
    let public = document(&Stage::new(), &[]).0;
    let sources = TableSources::new(table, vec![public, admin]);
    let documents = ["docs/API.md", "docs/CONFIG.md", "docs/FORMAT.md"];
    for path in documents {
        check_recorded(path, &sources.refresh_tables(&read(path)), "reference_tables");
    }
    // A table without its markers would be made no more, and become stale.
    let texts = documents.map(read).concat();
    let of_format = ["field kinds", "field settings", "problem kinds"];
    let of_others = ["error codes", "filter operators", "actions", "settings"];
    for name in of_others.into_iter().chain(of_format) {
        assert!(texts.contains(&format!("<!-- table: {name} -->")), "no document has {name:?}");
    }
    let markers = texts.lines().filter_map(|it| it.strip_prefix("<!-- table: routes "));
    let groups: BTreeSet<&str> = markers.flat_map(|it| it.split(' ')).collect();
    for route in routes::build_table().iter().filter(|it| it.is_admin()) {
        let group = route.name.rsplit_once('.').unwrap().0;
        assert!(groups.contains(group), "no table of docs/API.md has the routes of {group:?}");
    }
}
