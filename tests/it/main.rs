//! Tests of the whole from outside: one program, so that it is linked once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod asks;
mod backups;
mod broken;
mod bulk;
mod cli;
mod cli_users;
mod commits;
mod crash;
mod crash_engine;
mod crash_restore;
mod crash_shapes;
mod entries;
mod errors;
mod expectation;
mod failing_disk;
mod folder;
mod fuzz_smoke;
mod git_merge;
mod hand_edits;
mod hostile_archives;
mod installation;
mod interface;
mod kill;
mod kill_writers;
mod layout;
mod limits;
mod live;
mod media_changes;
mod media_tags;
mod merging;
mod model;
mod openapi;
mod openapi_generators;
mod oracle;
mod people;
mod power;
#[cfg(target_os = "linux")]
mod programs;
mod reading;
mod receiver;
#[cfg(target_os = "linux")]
mod release_server;
mod requests;
mod retention;
mod round_trip;
mod scenarios;
mod skips;
#[cfg(target_os = "linux")]
mod storm;
mod tampering;
mod tidy;
mod together;
mod trash;
mod types;
#[cfg(target_os = "linux")]
mod updates;
mod visibility;
mod webhooks;
mod webhooks_killed;
mod whole;
mod workspaces;
mod worlds;
mod writing;
