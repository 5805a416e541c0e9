//! Everything that is tested from outside the modules, as one program.

mod broken;
mod folder;
mod hand_edits;
mod model;
