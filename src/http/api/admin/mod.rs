//! The handlers of the admin API: each parses its input, calls one use case and returns one reply.
//! Each group has its own file, with the table of its routes.

mod access;
pub mod auth;
pub mod backups;
pub mod changes;
pub mod content;
pub mod content_types;
pub mod dashboard;
pub mod events;
pub mod imports;
pub mod media;
pub mod media_revisions;
pub mod openapi;
pub mod problems;
pub mod profile;
pub mod revisions;
pub mod roles;
pub mod samples;
pub mod search;
pub mod second_factor;
pub mod settings;
pub mod tokens;
pub mod tools;
pub mod trash;
pub mod updates;
pub mod users;
pub mod webhooks;
pub mod workspaces;

use crate::http::request::endpoint::Endpoint;

/// All routes of the admin API.
pub(crate) fn list_endpoints() -> Vec<Endpoint> {
    let groups = [
        auth::list_endpoints(),
        profile::list_endpoints(),
        second_factor::list_endpoints(),
        dashboard::list_endpoints(),
        samples::list_endpoints(),
        search::list_endpoints(),
        events::list_endpoints(),
        problems::list_endpoints(),
        content_types::list_endpoints(),
        changes::list_endpoints(),
        content::list_endpoints(),
        revisions::list_endpoints(),
        trash::list_endpoints(),
        imports::list_endpoints(),
        media::list_endpoints(),
        media_revisions::list_endpoints(),
        tools::list_endpoints(),
        workspaces::list_endpoints(),
        users::list_endpoints(),
        roles::list_endpoints(),
        tokens::list_endpoints(),
        backups::list_endpoints(),
        webhooks::list_endpoints(),
        updates::list_endpoints(),
        settings::list_endpoints(),
        openapi::list_endpoints(),
    ];
    groups.into_iter().flatten().collect()
}
