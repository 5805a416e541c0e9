//! `/admin/api/dashboard`, `app` and `activity`: what there is, what this is, and what happened.

use serde::Serialize;

use crate::app::activity;
use crate::app::dashboard;
use crate::app::error::Result;
use crate::app::health;
use crate::http::admin::envelope;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::JSON_BYTES_MAX;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::get;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const LEVELS: &[&str] = &["info", "warning", "error"];

const ACTIVITY: &[Query] = &[
    query("level", QueryKind::OneOf(LEVELS), "Rows of this level alone."),
    query("type", QueryKind::Text, "Kinds of events, with commas between; `content` is all of it."),
    query("workspace", QueryKind::Text, "What happened in this workspace alone."),
    query("user", QueryKind::Text, "What this user did, by id or name."),
    query("q", QueryKind::Text, "A text in the message or the name of the user."),
    query("since", QueryKind::Text, "Nothing before this time."),
    query("until", QueryKind::Text, "Nothing after this time; a day means all of it."),
    query("limit", QueryKind::Count(1), "At most this many; 50 without, 500 at most."),
    query("offset", QueryKind::Count(0), "How many to skip."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let dashboard = right(Action::DashboardRead, Area::Dashboard);
    vec![
        get("admin.dashboard.show", "/admin/api/dashboard", dashboard, show).scoped().runs(Run::Blocking)
            .query(&[PRETTY]).gives(Gives::Admin("Dashboard"))
            .about("What there is in a workspace, what happened there, and what needs attention."),
        get("admin.dashboard.app", "/admin/api/app", dashboard, app).scoped()
            .query(&[PRETTY]).gives(Gives::Admin("App"))
            .about("Which version this is, what it can do, and its limits."),
        get("admin.activity.list", "/admin/api/activity", right(Action::ActivityRead, Area::Activity), list)
            .runs(Run::Blocking).query(ACTIVITY).gives(Gives::AdminList("ActivityRow"))
            .about("What happened, the latest first, as far as one may read what it happened to."),
    ]
}

/// The first page.
pub fn show(call: &Call) -> Result<Outcome> {
    match dashboard::dashboard(call.app(), call.snapshot()?, &call.caller, call.effort)? {
        Some(shown) => Ok(envelope(call, shown)?.into()),
        None => Ok(Outcome::NeedsEffort),
    }
}

/// What happened.
pub fn list(call: &Call) -> Result<Outcome> {
    let found = activity::list(call.app(), &call.caller, call.query())?;
    Ok(with_meta(call, found.data, Some(found.meta))?.into())
}

#[derive(Serialize)]
struct App<'a> {
    name: &'static str,
    version: &'static str,
    base_url: &'a str,
    site_name: String,
    features: Features,
    limits: Limits,
    locales_of_ui: &'static [&'static str],
    workspace: &'a str,
}

/// What an interface may offer.
#[derive(Serialize)]
struct Features {
    live_events: bool,
    presence: bool,
    search: bool,
    problems: bool,
    thumbnails: bool,
    /// Whether anything can be changed.
    read_only: bool,
}

#[derive(Serialize)]
struct Limits {
    json_bytes_max: u64,
    upload_bytes_max: u64,
    form_bytes_max: u64,
    avatar_bytes_max: u64,
    icon_bytes_max: u64,
    backup_bytes_max: u64,
    /// 0 for no limit.
    list_max: usize,
}

/// What this is.
pub fn app(call: &Call) -> Result<Outcome> {
    let engine = &call.app().engine;
    let settings = call.app().settings();
    let bytes = |form: Form| form.file_bytes_max(&settings.uploads);
    let limits = Limits {
        json_bytes_max: JSON_BYTES_MAX,
        upload_bytes_max: bytes(Form::Media),
        form_bytes_max: Form::Media.body_bytes_max(),
        avatar_bytes_max: bytes(Form::Avatar),
        icon_bytes_max: bytes(Form::Icon),
        backup_bytes_max: bytes(Form::Backup),
        list_max: settings.list_limit_max,
    };
    let features = Features {
        live_events: true,
        presence: true,
        search: true,
        problems: true,
        thumbnails: true,
        read_only: engine.is_read_only(),
    };
    let shown = App {
        name: health::NAME,
        version: health::VERSION,
        base_url: engine.base_url(),
        site_name: settings.site_name.clone(),
        features,
        limits,
        locales_of_ui: &["en", "de"],
        workspace: call.workspace()?.as_str(),
    };
    Ok(envelope(call, shown)?.into())
}
