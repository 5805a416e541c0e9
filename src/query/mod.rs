//! Reading: immutable snapshots of a workspace and the queries they answer. Pure.

pub mod text_index;
