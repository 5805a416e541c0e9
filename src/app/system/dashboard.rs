//! The dashboard of the interface: the content of a workspace, the latest activity and the
//! problems, as far as the caller may read them.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Result;
use crate::app::media;
use crate::app::system::activity;
use crate::app::system::activity::ActivityRow;
use crate::app::system::problems;
use crate::engine::Engine;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::query::execute::executor::Effort;
use crate::query::execute::executor::NeedsEffort;
use crate::query::execute::overview;
use crate::query::execute::overview::Overview;
use crate::query::execute::overview::OverviewLimits;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The most entries in each list.
const MOST: OverviewLimits = OverviewLimits { recent: 10, next: 5 };
const ACTIVITY_MAX: usize = 10;
const PROBLEMS_MAX: usize = 20;

/// The dashboard. Parts that the caller may not read are `null`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Dashboard {
    /// The numbers of entries that the caller may read.
    entries: EntryCounts,
    /// The number of content types.
    content_types: usize,
    /// The media files that the caller may read.
    media: MediaTotals,
    /// The next entries that become public.
    #[schemars(length(max = MOST.next))]
    scheduled: Vec<EntryBrief>,
    /// The entries that were changed last.
    #[schemars(length(max = MOST.recent))]
    recent: Vec<EntryBrief>,
    /// The newest rows of the activity log; `null` without `activity.read`.
    #[schemars(length(max = ACTIVITY_MAX))]
    recent_activity: Option<Vec<ActivityRow>>,
    /// The problems of the data folder; `null` without `settings.read`.
    problems: Option<ProblemTotals>,
    /// The use of the disk; `null` without `settings.read`.
    storage: Option<StorageTotals>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(inline)]
struct EntryCounts {
    /// The number of all entries.
    total: usize,
    /// The number of entries by status.
    #[schemars(with = "BTreeMap<String, usize>")]
    by_status: Map,
    /// The number of entries by content type.
    by_type: Vec<TypeEntryCount>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct TypeEntryCount {
    /// The name of the type.
    name: String,
    /// The name that people see.
    label: String,
    /// The name of an icon of the web interface.
    icon: String,
    /// True if the type has a single entry.
    singleton: bool,
    /// The number of its entries.
    count: usize,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(inline)]
struct MediaTotals {
    /// The number of files.
    count: usize,
    /// Their size in bytes.
    bytes: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct ProblemTotals {
    /// The number of all problems.
    count: usize,
    /// The first problems of the list.
    #[schemars(length(max = PROBLEMS_MAX))]
    items: Vec<problems::ProblemView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct StorageTotals {
    /// The bytes that can still be written, if the system reports them.
    free_bytes: Option<u64>,
    /// The size of content, media and their metadata, at most a minute old; without revisions,
    /// trash and backups.
    data_bytes: u64,
}

/// An entry in a list of entries of several types.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryBrief {
    /// The name of the content type.
    #[serde(rename = "type")]
    type_name: String,
    /// The label of the content type.
    type_label: String,
    /// The id of the entry.
    id: String,
    /// The slug of the entry.
    slug: String,
    /// The title of the entry.
    title: String,
    /// The status of the entry.
    #[schemars(with = "EntryStatus")]
    status: &'static str,
    /// The time from which it is public.
    published_at: Option<Timestamp>,
    /// The time from which it is no longer public; absent if it has no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Timestamp")]
    unpublish_at: Option<Timestamp>,
    /// The time of the last change.
    updated_at: Timestamp,
    /// The id of the user or token that made the last change, if known.
    updated_by: Option<String>,
    /// The display name of that user or token.
    updated_by_name: Option<String>,
}

impl EntryBrief {
    /// Returns the brief of an entry.
    pub fn from_entry(engine: &Engine, ty: &ContentType, doc: &RenderedEntry) -> EntryBrief {
        let title = read_title(doc.variant_for(None));
        let updated_by = doc.updated_by();
        let installation = engine.installation();
        let user = updated_by.and_then(|it| installation.user(it));
        EntryBrief {
            type_name: ty.name.to_string(),
            type_label: ty.label.clone(),
            id: doc.id().to_string(),
            slug: doc.slug().to_string(),
            title,
            status: doc.status.as_str(),
            published_at: doc.published_at,
            unpublish_at: doc.unpublish_at,
            updated_at: doc.updated_at,
            updated_by: updated_by.map(str::to_string),
            updated_by_name: user.map(|it| it.record.shown_name().to_string()),
        }
    }

    /// Returns it with the title in a locale of the type, by its position.
    pub(crate) fn in_locale(self, doc: &RenderedEntry, locale: Option<usize>) -> EntryBrief {
        EntryBrief { title: read_title(doc.variant_for(locale)), ..self }
    }

    /// Removes the display name of the user who made the last change.
    pub(crate) fn hide_user_name(&mut self) {
        self.updated_by_name = None;
    }
}

fn read_title(variant: &Variant) -> String {
    let title = Json::parse(variant.title_json()).ok();
    title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string()
}

/// Builds the dashboard. Returns `None` if it takes more effort than allowed.
pub fn build_dashboard(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    effort: Effort,
) -> Result<Option<Dashboard>> {
    // The log and the free space are read from the disk.
    if effort == Effort::Quick {
        return Ok(None);
    }
    let view = View::new(snapshot, caller.viewer(), None);
    let Ok(seen) = collect_visible(&view, effort) else { return Ok(None) };
    let could = |action, area| caller.has_any_grant("", action, &Resource::Whole(area));
    let sees_settings = could(Action::SettingsRead, Area::Settings);
    let sees_activity = could(Action::ActivityRead, Area::Activity);
    let latest = sees_activity.then(|| activity::list_latest(app, caller, ACTIVITY_MAX));
    let troubles = sees_settings.then(|| {
        let (count, items) = problems::list_first(app, snapshot.workspace.as_str(), PROBLEMS_MAX);
        ProblemTotals { count, items }
    });
    let storage = sees_settings.then(|| {
        let room = app.engine.follower().disk_space();
        StorageTotals { free_bytes: room.free_bytes, data_bytes: room.data_bytes }
    });
    Ok(Some(Dashboard {
        content_types: seen.by_type.len(),
        entries: count_entries(snapshot, &seen),
        media: count_media(snapshot, caller),
        scheduled: render_briefs(app, snapshot, seen.next, MOST.next, |it| {
            it.published_at.map_or(i64::MAX, Timestamp::seconds)
        }),
        recent: render_briefs(app, snapshot, seen.recent, MOST.recent, |it| {
            it.updated_at.seconds().saturating_neg()
        }),
        recent_activity: latest.transpose()?,
        problems: troubles,
        storage,
    }))
}

type PlacedEntries = Vec<(usize, Arc<RenderedEntry>)>;

/// The entries of all types that the caller sees.
#[derive(Default)]
struct VisibleEntries {
    by_type: Vec<(usize, Overview)>,
    recent: PlacedEntries,
    next: PlacedEntries,
}

fn collect_visible(
    view: &View<'_>,
    effort: Effort,
) -> std::result::Result<VisibleEntries, NeedsEffort> {
    let mut seen = VisibleEntries::default();
    for (place, index) in view.snapshot.types().iter().enumerate() {
        if !view.knows_type(index) {
            continue;
        }
        let overview = overview::build_overview(view, place, MOST, effort)?;
        let docs = |ordinals: &[u32]| -> PlacedEntries {
            ordinals.iter().filter_map(|it| Some((place, index.entry_at(*it)?.clone()))).collect()
        };
        seen.recent.extend(docs(&overview.recent));
        seen.next.extend(docs(&overview.next));
        seen.by_type.push((place, overview));
    }
    Ok(seen)
}

fn count_entries(snapshot: &Snapshot, seen: &VisibleEntries) -> EntryCounts {
    let mut entries = EntryCounts::default();
    for (at, status) in EntryStatus::ALL.into_iter().enumerate() {
        let counts = seen.by_type.iter().filter_map(|(_, it)| it.by_status.get(at));
        let count = i64::try_from(counts.sum::<usize>()).unwrap_or(i64::MAX);
        entries.by_status.push(status.as_str(), count);
    }
    for (place, overview) in &seen.by_type {
        let Some(ty) = snapshot.types().get(*place).map(|it| &it.content_type) else { continue };
        entries.total += overview.total;
        entries.by_type.push(TypeEntryCount {
            name: ty.name.to_string(),
            label: ty.label.clone(),
            icon: ty.icon.clone(),
            singleton: ty.singleton,
            count: overview.total,
        });
    }
    entries
}

fn count_media(snapshot: &Snapshot, caller: &Caller) -> MediaTotals {
    let sees = media::visibility_filter(snapshot, caller);
    let seen = snapshot.media.iter().filter(|it| sees(it));
    seen.fold(MediaTotals::default(), |sum, it| MediaTotals {
        count: sum.count + 1,
        bytes: sum.bytes.saturating_add(it.size),
    })
}

/// Returns the briefs of the first entries of several types, by descending `by`, ties by id.
fn render_briefs(
    app: &App,
    snapshot: &Snapshot,
    mut found: PlacedEntries,
    most: usize,
    by: impl Fn(&RenderedEntry) -> i64,
) -> Vec<EntryBrief> {
    found.sort_by(|(_, a), (_, b)| (by(a), b.id()).cmp(&(by(b), a.id())));
    let first = found.into_iter().take(most);
    let brief = |(place, doc): (usize, Arc<RenderedEntry>)| {
        let index = snapshot.types().get(place)?;
        Some(EntryBrief::from_entry(&app.engine, &index.content_type, &doc))
    };
    first.filter_map(brief).collect()
}
