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
use crate::model::content_type::ContentType;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::inventory::Inventory;
use crate::query::inventory::entry_part::EntryPart;
use crate::query::inventory::entry_part::SumEntry;
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
    // Others are told no tags.
    sections.extend(caller.is_anonymous().then(|| Arc::new(build_categories(snapshot))));
    let mut add = |key: SectionKey, stamp: Checksum, build: &dyn Fn() -> Section| {
        let kept = last.and_then(|it| it.find_section(&key, stamp));
        sections.extend(kept.unwrap_or_else(|| Some(Arc::new(build()))));
        stamps.push((key, stamp));
    };
    let media_sum = snapshot.media.sum(false);
    add(plain_key(SectionKind::Media), media_sum, &|| build_media(app, snapshot, caller));
    let view = View::new(snapshot, caller.viewer(), None);
    let rewriter = EntryRewriter::new(&view, caller, &scope.shape, app.engine.base_url());
    let sum_entry =
        rewriter.as_ref().map(|it| |ty: &ContentType, entry: &[u8]| it.sum_entry(ty, entry));
    let sum_entry = sum_entry.as_ref().map(|it| it as &SumEntry<'_>);
    for part in EntryPart::list(snapshot, scope.locale.as_deref()) {
        let view = part.view(snapshot, caller.viewer());
        let stamp = part.stamp(snapshot);
        // What is said of files is part of rewritten entries.
        let stamp = if rewriter.is_some() { stamp.plus(media_sum) } else { stamp };
        add(part.key.clone(), stamp, &|| part.build_section(&view, sum_entry));
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

fn build_categories(snapshot: &Snapshot) -> Section {
    let paths = snapshot.media.categories.iter();
    let tagged = paths.map(|it| (it.as_str(), Checksum::default()));
    Section::build(plain_key(SectionKind::Categories), tagged)
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
