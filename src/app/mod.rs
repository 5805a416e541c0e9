//! Use cases, one file a concept: plain functions over snapshots that know nothing of HTTP.
//!
//! `access`, `done`, `error`, `list_window`, `precondition`, `remarks`, `usage` and `usage_guard`
//! serve all of them.

pub mod access;
pub mod content;
pub mod done;
pub mod error;
pub mod export;
pub mod import;
pub mod jobs;
pub mod list_window;
pub mod media;
pub mod people;
pub mod precondition;
pub mod remarks;
pub mod replication;
pub mod revision_page;
pub mod system;
pub mod usage;
pub mod usage_guard;

use std::sync::Arc;

use crate::app::content::large_frames::LargeFrames;
use crate::app::content::list_cache::ListCache;
use crate::app::content::presence::Presence;
use crate::app::content::sync::inventories::Inventories;
use crate::app::content::trash::deletion_times::DeletionTimes;
use crate::app::import::import_gate::ImportGate;
use crate::app::jobs::updates::Updates;
use crate::app::media::thumbnails::Thumbnailer;
use crate::app::media::variants::VariantMaker;
use crate::app::people::code_check::CodeChecks;
use crate::app::people::passwords::Passwords;
use crate::app::people::setup_token::SetupToken;
use crate::app::people::throttle::Throttle;
use crate::app::system::deep_checks::DeepChecks;
use crate::app::system::live_settings::CurrentSettings;
use crate::app::system::live_settings::LiveSettings;
pub use crate::app::system::live_settings::Settings;
use crate::engine::Engine;

/// The state that every use case works with.
pub struct App {
    /// The data folder.
    pub engine: Arc<Engine>,
    /// Answers to anonymous lists.
    pub lists: ListCache,
    /// Long lists that are sent in large frames.
    pub large_frames: LargeFrames,
    /// Inventories of the readers of bundles.
    pub inventories: Inventories,
    /// The times at which entries came to the trash.
    pub deletion_times: DeletionTimes,
    /// Thumbnails being made.
    pub thumbnails: Thumbnailer,
    /// Variants of pictures being made.
    pub variants: VariantMaker,
    /// The settings of the operator; see [`App::settings`].
    live_settings: LiveSettings,
    /// Passwords being hashed.
    pub passwords: Passwords,
    /// Failed logins.
    pub throttle: Throttle,
    /// Codes of second factors.
    pub code_checks: CodeChecks,
    /// The users who look at an entry right now.
    pub presence: Presence,
    /// The turn of imports.
    pub imports: ImportGate,
    /// Looks at all values of a workspace.
    pub deep_checks: DeepChecks,
    /// New versions of the program.
    pub updates: Updates,
    /// The proof, while there is no user, that somebody runs the server.
    pub setup_token: SetupToken,
}

impl App {
    /// Use cases over an open data folder.
    pub fn new(engine: Arc<Engine>, settings: Settings) -> App {
        let (shelf, began) = (engine.folder().update_shelf(), engine.clock().now());
        let replica = engine.folder().replica().map(|it| it.database_id());
        let setup_token = replica.map(|it| SetupToken::of_database(&it)).unwrap_or_default();
        App {
            updates: Updates::new(shelf, settings.updates.clone(), began),
            engine,
            lists: ListCache::new(settings.list_cache_bytes),
            large_frames: LargeFrames::default(),
            inventories: Inventories::default(),
            deletion_times: DeletionTimes::default(),
            thumbnails: Thumbnailer::default(),
            variants: VariantMaker::default(),
            live_settings: LiveSettings::new(settings),
            passwords: Passwords::default(),
            throttle: Throttle::default(),
            code_checks: CodeChecks::default(),
            presence: Presence::default(),
            imports: ImportGate::default(),
            deep_checks: DeepChecks::default(),
            setup_token,
        }
    }

    /// The settings as they are now.
    pub fn settings(&self) -> CurrentSettings {
        self.live_settings.load_current(&self.engine)
    }
}
