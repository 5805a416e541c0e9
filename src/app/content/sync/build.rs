//! The building of inventories: everything that a caller sees, with the checksum of each line.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::EntryRewriter;
use crate::app::content::sync::inventories::CurrentInventory;
use crate::app::content::sync::lines;
use crate::app::content::sync::scope::Scope;
use crate::app::media;
use crate::query::index::snapshot::Snapshot;
use crate::query::inventory::Inventory;
use crate::query::inventory::entry_part::CompleteSum;
use crate::query::inventory::entry_part::EntryPart;
use crate::query::inventory::section::Section;
use crate::query::inventory::section::SectionKey;
use crate::query::inventory::section::SectionKind;
use crate::stdx::checksum::Checksum;

/// Returns the inventory of what the caller sees now.
pub(super) fn get_inventory(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    scope: &Scope,
) -> Arc<Inventory> {
    let (folder, version) = (app.engine.folder(), snapshot.version);
    app.inventories.get_or_build(folder, scope.reader, version, |last| {
        build_inventory(app, snapshot, caller, scope, last)
    })
}

/// Builds the inventory, out of the sections of the last one where nothing changed.
fn build_inventory(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    scope: &Scope,
    last: Option<&CurrentInventory>,
) -> CurrentInventory {
    let mut stamps = Vec::new();
    let mut sections = vec![Arc::new(build_types(snapshot, caller))];
    let mut add = |key: SectionKey, stamp: Checksum, build: &dyn Fn() -> Section| {
        let kept = last.and_then(|it| it.find_section(&key, stamp));
        sections.extend(kept.unwrap_or_else(|| Some(Arc::new(build()))));
        stamps.push((key, stamp));
    };
    let rewriter = EntryRewriter::new(snapshot, caller, &scope.shape, app.engine.base_url());
    let rewriter = rewriter.map(|it| (it, snapshot.media.sum(false)));
    let media_key = plain_key(SectionKind::Media);
    add(media_key, snapshot.media.sum(false), &|| build_media(app, snapshot, caller));
    for part in EntryPart::list(snapshot, scope.locale.as_deref()) {
        let view = part.view(snapshot, caller.viewer());
        let (stamp, complete) = match &rewriter {
            Some((rewriter, sources)) => {
                let sum = |entry: &[u8], sum: Checksum| rewriter.sum_entry(entry, sum);
                (part.stamp(snapshot).plus(*sources), Some(sum))
            }
            None => (part.stamp(snapshot), None),
        };
        let complete = complete.as_ref().map(|it| it as &CompleteSum<'_>);
        add(part.key.clone(), stamp, &|| part.build_section(&view, complete));
    }
    let inventory = Arc::new(Inventory::new(sections));
    CurrentInventory { version: snapshot.version, stamps, inventory }
}

fn plain_key(kind: SectionKind) -> SectionKey {
    SectionKey { kind, type_name: "".into(), locale: "".into() }
}

fn build_types(snapshot: &Snapshot, caller: &Caller) -> Section {
    let known = content_types::list(snapshot, caller);
    let tagged = known.iter().map(|it| {
        let body = lines::render_type(&it.content_type);
        (it.content_type.name.as_str(), Checksum::of_bytes(&body))
    });
    Section::build(plain_key(SectionKind::Types), tagged)
}

fn build_media(app: &App, snapshot: &Snapshot, caller: &Caller) -> Section {
    let sees = media::visibility_filter(snapshot, caller);
    let seen = snapshot.media.iter().filter(|it| sees(it));
    let tagged = seen.map(|it| {
        let body = lines::render_media(app, snapshot, it);
        (it.filename.as_str(), Checksum::of_bytes(&body))
    });
    Section::build(plain_key(SectionKind::Media), tagged)
}
