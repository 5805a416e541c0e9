//! The routes of `/admin/api/dashboard`, `app` and `activity`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::content::entries::EffortResult;
use crate::app::error::Result;
use crate::app::system::activity;
use crate::app::system::activity::ActivityRow;
use crate::app::system::dashboard;
use crate::app::system::dashboard::Dashboard;
use crate::app::system::health;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::route::JSON_BYTES_MAX;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::request::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const ACTIVITY: &[QueryParam] = &[
    query("level", QueryKind::OneOf(&activity::LEVELS), "Only rows of this level."),
    query(
        "type",
        QueryKind::Text,
        "Kinds of events, separated by commas; `content` selects all of content.",
    ),
    query("workspace", QueryKind::Text, "Only rows of this workspace."),
    query("user", QueryKind::Text, "Only rows of this user, by id or name."),
    query("q", QueryKind::Text, "A text in the message or the user's name."),
    query("since", QueryKind::Text, "Only rows from this time on."),
    query("until", QueryKind::Text, "Only rows up to this time; a date includes the whole day."),
    query("limit", QueryKind::Count(1), "The maximum number of rows; 50 by default, at most 500."),
    query("offset", QueryKind::Count(0), "The number of items to skip."),
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let dashboard = require_action(Action::DashboardRead, Area::Dashboard);
    vec![
        get("admin.dashboard.show", "/admin/api/dashboard", dashboard, show_dashboard).in_workspace().runs_in(RunMode::Blocking)
            .query(&[PRETTY]).gives(ReplyKind::of::<Dashboard>())
            .with_summary("Returns a summary of a workspace: its content, recent activity, and what needs attention."),
        get("admin.dashboard.app", "/admin/api/app", dashboard, show_app).in_workspace()
            .query(&[PRETTY]).gives(ReplyKind::of::<AppInfo<'_>>())
            .with_summary("Returns the version of the server, its features and its limits."),
        get("admin.activity.list", "/admin/api/activity", require_action(Action::ActivityRead, Area::Activity), list_activity)
            .runs_in(RunMode::Blocking).query(ACTIVITY).gives(ReplyKind::list_of::<ActivityRow>())
            .with_summary("Lists the activity that the caller may read, newest first."),
    ]
}

/// Shows the dashboard.
pub fn show_dashboard(call: &Call) -> Result<HandlerOutcome> {
    match dashboard::build_dashboard(call.app(), call.snapshot()?, &call.caller, call.effort)? {
        Some(shown) => Ok(reply_data(call, shown)?.into()),
        None => Ok(HandlerOutcome::NeedsEffort),
    }
}

/// Lists the activity.
pub fn list_activity(call: &Call) -> Result<HandlerOutcome> {
    let listed = activity::list(call.app(), &call.caller, call.query(), call.effort)?;
    let EffortResult::Done(found) = listed else { return Ok(HandlerOutcome::NeedsEffort) };
    Ok(reply_with_meta(call, found.data, Some(found.meta))?.into())
}

/// The server, as an interface needs to know it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "App")]
struct AppInfo<'a> {
    /// The name of the program.
    name: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The configured base URL.
    base_url: &'a str,
    /// The name of the installation.
    site_name: String,
    /// The features that an interface may offer, by name.
    #[schemars(with = "BTreeMap<String, bool>")]
    features: AppFeatures,
    /// The limits of the server, by name; 0 for none.
    #[schemars(with = "BTreeMap<String, u64>")]
    limits: AppLimits,
    /// The languages of the web interface.
    locales_of_ui: &'static [&'static str],
    /// The slug of the workspace of the request.
    workspace: &'a str,
}

/// The features that an interface may offer.
#[derive(Serialize)]
struct AppFeatures {
    live_events: bool,
    presence: bool,
    search: bool,
    problems: bool,
    thumbnails: bool,
    /// True if nothing can be changed.
    read_only: bool,
}

#[derive(Serialize)]
struct AppLimits {
    json_bytes_max: u64,
    upload_bytes_max: u64,
    form_bytes_max: u64,
    avatar_bytes_max: u64,
    icon_bytes_max: u64,
    backup_bytes_max: u64,
    import_bytes_max: u64,
    /// 0 for no limit.
    list_max: usize,
}

/// Shows the version, the features and the limits of the server.
pub fn show_app(call: &Call) -> Result<HandlerOutcome> {
    let engine = &call.app().engine;
    let settings = call.app().settings();
    let bytes = |form: UploadForm| form.file_bytes_max(&settings.editable.uploads);
    let limits = AppLimits {
        json_bytes_max: JSON_BYTES_MAX,
        upload_bytes_max: bytes(UploadForm::Media),
        form_bytes_max: UploadForm::Media.body_bytes_max(),
        avatar_bytes_max: bytes(UploadForm::Avatar),
        icon_bytes_max: bytes(UploadForm::Icon),
        backup_bytes_max: bytes(UploadForm::Backup),
        import_bytes_max: bytes(UploadForm::Import),
        list_max: settings.editable.list_limit_max,
    };
    let features = AppFeatures {
        live_events: true,
        presence: true,
        search: true,
        problems: true,
        thumbnails: true,
        read_only: engine.is_read_only(),
    };
    let shown = AppInfo {
        name: health::NAME,
        version: health::VERSION,
        base_url: engine.base_url(),
        site_name: settings.editable.site_name.clone(),
        features,
        limits,
        locales_of_ui: &["en", "de"],
        workspace: call.workspace()?.as_str(),
    };
    Ok(reply_data(call, shown)?.into())
}
