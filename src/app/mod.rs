//! Use cases, one file a concept: plain functions over snapshots that know nothing of HTTP.
