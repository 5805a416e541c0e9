//! The command line and the installed program.

mod commands;
mod content_export;
mod export;
mod git_merge;
mod guides;
mod import;
mod import_contentful;
mod import_directus;
mod import_markdown;
mod import_original;
mod import_people;
mod import_strapi;
mod import_wordpress;
mod mcp_client;
mod pull_push;
mod pull_push_merges;
mod rate_limits;
mod read_only;
#[cfg(target_os = "linux")]
mod release_server;
#[cfg(target_os = "linux")]
mod service;
#[cfg(target_os = "linux")]
mod state_dir;
#[cfg(unix)]
mod stored_backups;
mod token_rotation;
#[cfg(target_os = "linux")]
mod updates;
mod users;
