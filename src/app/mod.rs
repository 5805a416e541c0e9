//! Use cases, one file a concept: plain functions over snapshots that know nothing of HTTP.

pub mod access;
pub mod access_check;
pub mod activity;
pub mod avatars;
pub mod backups;
mod common_passwords;
pub mod content_types;
pub mod dashboard;
pub mod decode_budget;
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
pub mod presence;
pub mod preview;
pub mod problems;
pub mod profile;
pub mod record_list;
pub mod retention;
pub mod revisions;
pub mod roles;
pub mod search;
pub mod sent;
pub mod sessions;
pub mod settings;
pub mod throttle;
pub mod thumbnails;
pub mod tokens;
pub mod trash;
pub mod updates;
pub mod users;
pub mod views;
pub mod webhooks;
pub mod witness;
pub mod workspaces;

use std::sync::Arc;

use crate::app::list_cache::ListCache;
pub use crate::app::settings::Settings;
use crate::app::updates::Updates;
use crate::engine::Engine;

/// What every use case works with.
pub struct App {
    /// The data folder.
    pub engine: Arc<Engine>,
    /// Answers to anonymous lists.
    pub lists: ListCache,
    /// Thumbnails being made.
    pub thumbnails: thumbnails::Thumbnailer,
    /// What an operator decided; see [`App::settings`].
    live_settings: settings::Live,
    /// Passwords being hashed.
    pub passwords: passwords::Passwords,
    /// Failed logins.
    pub throttle: throttle::Throttle,
    /// Who looks at which entry.
    pub presence: presence::Presence,
    /// Looks at all values of a workspace.
    pub deep_checks: problems::DeepChecks,
    /// New versions of the program.
    pub updates: Updates,
    /// What proves, while there is no user, that somebody runs the server.
    pub setup_token: sessions::SetupToken,
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
            live_settings: settings::Live::new(settings),
            passwords: passwords::Passwords::default(),
            throttle: throttle::Throttle::default(),
            presence: presence::Presence::default(),
            deep_checks: problems::DeepChecks::default(),
            setup_token: sessions::SetupToken::default(),
        }
    }
}
