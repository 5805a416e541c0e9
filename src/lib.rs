//! Recto: a headless CMS that keeps everything as JSON files in a folder.
//!
//! The modules below are layers, lowest first; each may use only those above it in this list
//! (`store` and `query` are independent of each other). `docs/ARCHITECTURE.md` describes them.

pub mod stdx;

pub mod model;

pub mod store;

pub mod query;

pub mod engine;

pub mod app;

pub mod net;

pub mod http;

pub mod cli;
