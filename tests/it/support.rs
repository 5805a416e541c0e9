//! The harness: data folders, clients, servers, random content and the second reading of the
//! contract.
//!
//! It holds no tests. A test module uses this and no other test module.

pub(crate) mod backups;
pub(crate) mod bucket_server;
pub(crate) mod cluster;
pub(crate) mod cluster_node;
pub(crate) mod command_line;
pub(crate) mod crash;
pub(crate) mod crash_shapes;
pub(crate) mod credentials;
pub(crate) mod documents;
pub(crate) mod entry_writes;
pub(crate) mod events;
#[cfg(target_os = "linux")]
pub(crate) mod executables;
pub(crate) mod folder;
pub(crate) mod folder_model;
pub(crate) mod git;
pub(crate) mod importing;
pub(crate) mod json_layout;
pub(crate) mod kill_campaign;
pub(crate) mod openapi;
pub(crate) mod oracle;
pub(crate) mod permit;
pub(crate) mod property;
pub(crate) mod random_content;
pub(crate) mod random_folder;
pub(crate) mod random_queries;
pub(crate) mod reads;
pub(crate) mod recorded;
pub(crate) mod reference_tables;
#[cfg(target_os = "linux")]
pub(crate) mod release_server;
#[cfg(target_os = "linux")]
pub(crate) mod releases;
pub(crate) mod replication;
pub(crate) mod requester;
pub(crate) mod scenario;
pub(crate) mod server_process;
pub(crate) mod skip;
pub(crate) mod source_tree;
pub(crate) mod stalling_proxy;
pub(crate) mod static_host;
pub(crate) mod test_database;
pub(crate) mod totp;
pub(crate) mod user_session;
pub(crate) mod webhook_receiver;
