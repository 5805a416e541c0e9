//! The API: recorded scenarios, the use cases behind the routes, and random content and requests.

mod bulk;
mod changes;
mod concurrency;
mod content_types;
mod disk_errors;
mod documented_examples;
mod entries;
mod entry_roundtrip;
mod interface;
mod limits;
mod live;
mod mcp;
mod media_changes;
mod media_tags;
mod merging;
mod on_delete;
mod openapi;
mod openapi_generators;
mod reading;
mod round_trip;
mod scenarios;
mod trash;
mod user_conflicts;
mod visibility;
mod webhooks;
mod workspaces;
