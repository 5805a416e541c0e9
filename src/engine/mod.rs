//! The meeting of store and query: opens a data folder and keeps its snapshots current.
