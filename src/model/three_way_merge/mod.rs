//! Three-way merge of files: combines independent changes of the same file. Values are merged key
//! by key and row by row; only a value that both sides changed differently is a conflict.

mod files;
mod lists;
mod proposal;
mod values;

pub use crate::model::three_way_merge::files::merge_files;
pub use crate::model::three_way_merge::proposal::MergeConflict;
pub use crate::model::three_way_merge::proposal::MergedProposal;
pub use crate::model::three_way_merge::proposal::merge_proposal;
pub use crate::model::three_way_merge::proposal::merge_states;
pub use crate::model::three_way_merge::proposal::rebase_proposal;
