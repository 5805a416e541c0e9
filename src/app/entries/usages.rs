//! Which entries point to an entry, as far as the caller sees them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::read::seen;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::query::referrers;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::view::View;
use crate::stdx::json::Json;

/// A relation that leads to an entry.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// The type of the entry that holds it.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The entry that holds it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The field.
    pub field: String,
}

/// The relations that lead to an entry, by type and entry.
pub fn usages(
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    identifier: &str,
) -> Result<Vec<Usage>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let view = View::new(snapshot, caller.eyes(), None);
    let ordinal = seen(&view, caller, place, identifier)?;
    let doc = index.doc(ordinal).ok_or_else(|| Error::not_found("entry", identifier))?;
    let mut usages = Vec::new();
    for from in referrers::types(snapshot, &index.content_type.name) {
        let ty = &from.content_type;
        let Some(place) = snapshot.place(&ty.name) else { continue };
        let mut found: BTreeMap<(Ordinal, usize), String> = BTreeMap::new();
        let locales = std::iter::once(None).chain(ty.locales.iter().map(Some));
        for locale in locales.map(|it| it.map(|it| it.as_str())) {
            let view = View::new(snapshot, caller.eyes(), locale);
            let at = view.locale(ty);
            for (ordinal, from_doc) in from.iter() {
                let variant = from_doc.variant(at);
                let fields = referrers::fields(from, variant, &index.content_type.name, &doc.id);
                if fields.is_empty() || !view.sees(place, ordinal) {
                    continue;
                }
                for field in fields {
                    found.entry((ordinal, field)).or_insert_with(|| text(variant.title()));
                }
            }
        }
        usages.extend(found.into_iter().filter_map(|((ordinal, field), title)| {
            let (doc, field) = (from.doc(ordinal)?, ty.data_fields().nth(field)?);
            let (type_name, id) = (ty.name.to_string(), doc.id.to_string());
            Some(Usage { type_name, id, title, field: field.name.to_string() })
        }));
    }
    Ok(usages)
}

fn text(json: &[u8]) -> String {
    let title = Json::parse(json).unwrap_or_default();
    title.as_str().unwrap_or_default().to_string()
}
