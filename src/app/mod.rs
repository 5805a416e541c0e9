//! Use cases, one file a concept: plain functions over snapshots that know nothing of HTTP.

pub mod access;
pub mod access_check;
pub mod avatars;
pub mod backups;
pub mod content_types;
pub mod delegation;
pub mod entries;
pub mod error;
pub mod files;
pub mod health;
pub mod list_cache;
pub mod media;
pub mod passwords;
pub mod people;
pub mod pictures;
pub mod precondition;
pub mod preview;
pub mod profile;
pub mod record_list;
pub mod retention;
pub mod revisions;
pub mod roles;
pub mod sent;
pub mod sessions;
pub mod throttle;
pub mod thumbnails;
pub mod tokens;
pub mod trash;
pub mod updates;
pub mod users;
pub mod views;
pub mod webhooks;
pub mod workspaces;

use std::sync::Arc;

use crate::app::list_cache::ListCache;
use crate::app::updates::UpdateSettings;
use crate::app::updates::Updates;
use crate::engine::Engine;
use crate::model::media::UploadRules;

/// What every use case works with.
pub struct App {
    /// The data folder.
    pub engine: Arc<Engine>,
    /// Answers to anonymous lists.
    pub lists: ListCache,
    /// Thumbnails being made.
    pub thumbnails: thumbnails::Thumbnailer,
    /// Limits and habits.
    pub settings: Settings,
    /// Passwords being hashed.
    pub passwords: passwords::Passwords,
    /// Failed logins.
    pub throttle: throttle::Throttle,
    /// New versions of the program.
    pub updates: Updates,
    /// What proves, while there is no user, that somebody runs the server.
    pub setup_token: sessions::SetupToken,
}

/// What an operator can decide about answers.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Lists give at most this many entries; 0 for no limit.
    pub list_limit_max: usize,
    /// How many bytes of finished list answers are kept.
    pub list_cache_bytes: u64,
    /// Which files may be uploaded.
    pub uploads: UploadRules,
    /// Where new versions come from.
    pub updates: UpdateSettings,
    /// Whether webhooks may lead to this machine and its network.
    pub webhooks_allow_private: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            list_limit_max: 0,
            list_cache_bytes: 32 * 1024 * 1024,
            uploads: UploadRules::default(),
            updates: UpdateSettings::default(),
            webhooks_allow_private: false,
        }
    }
}

impl App {
    /// Use cases over an open data folder.
    pub fn new(engine: Arc<Engine>, settings: Settings) -> App {
        let (shelf, began) = (engine.update_shelf(), engine.clock().now());
        App {
            updates: Updates::new(shelf, settings.updates.clone(), began),
            engine,
            lists: ListCache::new(settings.list_cache_bytes),
            thumbnails: thumbnails::Thumbnailer::default(),
            settings,
            passwords: passwords::Passwords::default(),
            throttle: throttle::Throttle::default(),
            setup_token: sessions::SetupToken::default(),
        }
    }
}
