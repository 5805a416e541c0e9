//! Crashes, failing disks, killed servers and power cuts.

mod engine;
mod failing_disk;
mod kill;
mod large_changes;
mod power;
mod restore;
mod steps;
mod webhooks;
