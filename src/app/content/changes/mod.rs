//! Changes: sets of proposed states of entries, from their beginning to their publication.

mod change_inputs;
mod change_view;
mod diff;
mod preview;
mod publish;
mod records;
mod revert;

pub use change_inputs::ChangeInput;
pub use change_inputs::NewChange;
pub use change_inputs::PreviewInput;
pub use change_view::ChangeView;
pub use change_view::ProposalView;
pub use diff::EntryDiff;
pub use diff::FieldDiff;
pub use diff::list_differences;
pub use preview::NewPreview;
pub use preview::create_preview;
pub use preview::revoke_preview;
pub use publish::judge_publication;
pub use publish::publish;
pub use records::create;
pub use records::delete;
pub use records::discard;
pub use records::list;
pub use records::show;
pub use records::update;
pub use revert::revert;
