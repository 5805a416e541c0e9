//! The OpenAPI documents of the public API and of the admin API, from the route table, the content
//! types and the schemas of what routes take and give; and the TypeScript types of a workspace.

pub mod admin;
mod derived_schemas;
pub(crate) mod input_schemas;
mod json_schema;
mod operations;
mod parameters;
mod postprocess;
pub mod profile;
pub mod public;
mod request_bodies;
mod responses;
mod schemas;
mod type_names;
pub mod typescript;

pub use schemas::ANSWERS;
