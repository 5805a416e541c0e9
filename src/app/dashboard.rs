//! The first page of the interface: what there is, what happened last and what needs attention, each
//! as far as the caller may read it.

use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::activity;
use crate::app::error::Result;
use crate::app::media;
use crate::app::problems;
use crate::engine::Engine;
use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::query::doc::Doc;
use crate::query::overview;
use crate::query::overview::Most;
use crate::query::overview::Overview;
use crate::query::run::Effort;
use crate::query::run::NeedsEffort;
use crate::query::snapshot::Snapshot;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// How many of each are named.
const MOST: Most = Most { recent: 10, next: 5 };
const ACTIVITY_MAX: usize = 10;
const PROBLEMS_MAX: usize = 20;

/// What the first page shows. What the caller may not read at all is `null`.
#[derive(Debug, Serialize)]
pub struct Dashboard {
    entries: Entries,
    content_types: usize,
    media: Media,
    scheduled: Vec<Brief>,
    recent: Vec<Brief>,
    recent_activity: Option<Vec<Map>>,
    problems: Option<Troubles>,
    storage: Option<Storage>,
}

#[derive(Debug, Default, Serialize)]
struct Entries {
    total: usize,
    by_status: Map,
    by_type: Vec<OfType>,
}

#[derive(Debug, Serialize)]
struct OfType {
    name: String,
    label: String,
    icon: String,
    singleton: bool,
    count: usize,
}

#[derive(Debug, Default, Serialize)]
struct Media {
    count: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Troubles {
    count: usize,
    items: Vec<problems::Shown>,
}

#[derive(Debug, Serialize)]
struct Storage {
    free_bytes: Option<u64>,
    data_bytes: u64,
}

/// An entry in a list of entries of several types.
#[derive(Debug, Serialize)]
pub struct Brief {
    #[serde(rename = "type")]
    type_name: String,
    type_label: String,
    id: String,
    slug: String,
    title: String,
    status: &'static str,
    published_at: Option<Timestamp>,
    updated_at: Timestamp,
    updated_by: Option<String>,
    updated_by_name: Option<String>,
}

impl Brief {
    /// An entry of a type.
    pub fn of(engine: &Engine, ty: &ContentType, doc: &Doc) -> Brief {
        let title = Json::parse(doc.variant(None).title()).ok();
        let title = title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string();
        let updated_by = doc.updated_by.as_deref();
        let installation = engine.installation();
        let user = updated_by.and_then(|it| installation.user(it));
        Brief {
            type_name: ty.name.to_string(),
            type_label: ty.label.clone(),
            id: doc.id.to_string(),
            slug: doc.slug.to_string(),
            title,
            status: doc.status.as_str(),
            published_at: doc.published_at,
            updated_at: doc.updated_at,
            updated_by: updated_by.map(str::to_string),
            updated_by_name: user.map(|it| it.record.shown_name().to_string()),
        }
    }
}

/// The first page, or nothing when it takes longer than is allowed.
pub fn dashboard(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    effort: Effort,
) -> Result<Option<Dashboard>> {
    // The log is on the disk, and so is the room there.
    if effort == Effort::Quick {
        return Ok(None);
    }
    let view = View::new(snapshot, caller.eyes(), None);
    let Ok(seen) = seen(&view, effort) else { return Ok(None) };
    let could = |action, area| caller.could("", action, &Resource::Whole(area));
    let sees_settings = could(Action::SettingsRead, Area::Settings);
    let sees_activity = could(Action::ActivityRead, Area::Activity);
    let latest = sees_activity.then(|| activity::latest(app, caller, ACTIVITY_MAX));
    let troubles = sees_settings.then(|| {
        let (count, items) = problems::first(app, snapshot.workspace.as_str(), PROBLEMS_MAX);
        Troubles { count, items }
    });
    let storage = sees_settings.then(|| {
        let room = app.engine.room();
        Storage { free_bytes: room.free_bytes, data_bytes: room.data_bytes }
    });
    Ok(Some(Dashboard {
        content_types: seen.by_type.len(),
        entries: entries(snapshot, &seen),
        media: files(snapshot, caller),
        scheduled: briefs(app, snapshot, seen.next, MOST.next, |it| {
            it.published_at.map_or(i64::MAX, Timestamp::seconds)
        }),
        recent: briefs(app, snapshot, seen.recent, MOST.recent, |it| {
            it.updated_at.seconds().saturating_neg()
        }),
        recent_activity: latest.transpose()?,
        problems: troubles,
        storage,
    }))
}

type Found = Vec<(usize, Arc<Doc>)>;

/// What the caller sees of all types that exist for it.
#[derive(Default)]
struct Seen {
    by_type: Vec<(usize, Overview)>,
    recent: Found,
    next: Found,
}

fn seen(view: &View<'_>, effort: Effort) -> std::result::Result<Seen, NeedsEffort> {
    let mut seen = Seen::default();
    for (place, index) in view.snapshot.types().iter().enumerate() {
        if !view.knows(index) {
            continue;
        }
        let overview = overview::overview(view, place, MOST, effort)?;
        let docs = |ordinals: &[u32]| -> Found {
            ordinals.iter().filter_map(|it| Some((place, index.doc(*it)?.clone()))).collect()
        };
        seen.recent.extend(docs(&overview.recent));
        seen.next.extend(docs(&overview.next));
        seen.by_type.push((place, overview));
    }
    Ok(seen)
}

fn entries(snapshot: &Snapshot, seen: &Seen) -> Entries {
    let mut entries = Entries::default();
    for (at, status) in Status::ALL.into_iter().enumerate() {
        let counts = seen.by_type.iter().filter_map(|(_, it)| it.by_status.get(at));
        let count = i64::try_from(counts.sum::<usize>()).unwrap_or(i64::MAX);
        entries.by_status.push(status.as_str(), count);
    }
    for (place, overview) in &seen.by_type {
        let Some(ty) = snapshot.types().get(*place).map(|it| &it.content_type) else { continue };
        entries.total += overview.total;
        entries.by_type.push(OfType {
            name: ty.name.to_string(),
            label: ty.label.clone(),
            icon: ty.icon.clone(),
            singleton: ty.singleton,
            count: overview.total,
        });
    }
    entries
}

fn files(snapshot: &Snapshot, caller: &Caller) -> Media {
    let sees = media::sight(snapshot, caller);
    let seen = snapshot.media.iter().filter(|it| sees(it));
    seen.fold(Media::default(), |sum, it| Media {
        count: sum.count + 1,
        bytes: sum.bytes.saturating_add(it.size),
    })
}

/// The first of entries of several types, by a number.
fn briefs(
    app: &App,
    snapshot: &Snapshot,
    mut found: Found,
    most: usize,
    by: impl Fn(&Doc) -> i64,
) -> Vec<Brief> {
    found.sort_by(|(_, a), (_, b)| (by(a), &b.id).cmp(&(by(b), &a.id)));
    let first = found.into_iter().take(most);
    let brief = |(place, doc): (usize, Arc<Doc>)| {
        let index = snapshot.types().get(place)?;
        Some(Brief::of(&app.engine, &index.content_type, &doc))
    };
    first.filter_map(brief).collect()
}
