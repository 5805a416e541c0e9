//! The tables of documents that are made from the code: `UPDATE=1` makes them anew.

use std::fs;

use recto::http::openapi;
use recto::http::routes;

use crate::support::openapi::BASE_URL;
use crate::support::openapi::Stage;
use crate::support::openapi::document;
use crate::support::reference_tables::TableSources;
use crate::support::source_tree::check;
use crate::support::source_tree::read;
use crate::support::source_tree::root;

#[test]
fn tables_in_documents_are_those_of_the_code() {
    let table = routes::build_table();
    let admin = openapi::admin::build_document(&table, BASE_URL);
    let sources =
        TableSources { documents: vec![document(&Stage::new(), &[]).0, admin], routes: table };
    let mut stale = Vec::new();
    for path in ["docs/API.md", "docs/CONFIG.md"] {
        let told = read(path);
        let fresh = sources.refresh_tables(&told);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(root().join(path), &fresh).unwrap();
        } else if fresh != told {
            let differs = fresh.lines().zip(told.lines()).find(|(new, old)| new != old);
            stale.push(format!("{path}: differs first at {differs:?} (UPDATE=1 makes it anew)"));
        }
    }
    check("tables", stale);
}
