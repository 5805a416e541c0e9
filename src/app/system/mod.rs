//! Use cases of the installation: settings, workspaces, webhooks, problems, activity and health.

pub mod activity;
pub mod dashboard;
pub mod deep_checks;
pub mod event_visibility;
pub mod health;
pub mod live_settings;
pub mod problems;
pub mod samples;
pub mod settings;
mod settings_schema;
pub mod webhooks;
pub mod workspaces;
