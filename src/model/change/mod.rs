//! Changes: proposed states of entries beside what is live. A change is a folder of a workspace
//! with a record (`change.json`) and the proposed files.

mod deletion;
mod plan;
mod preview_link;
mod record;
mod review;

pub use crate::model::change::deletion::build_deletion;
pub use crate::model::change::deletion::proposes_deletion;
pub use crate::model::change::plan::PlanFailure;
pub use crate::model::change::preview_link::PreviewLink;
pub use crate::model::change::preview_link::PreviewToken;
pub use crate::model::change::preview_link::read_previewed_entry;
pub use crate::model::change::record::ChangeRecord;
pub use crate::model::change::record::ChangeState;
pub use crate::model::change::record::LABEL_CHARS_MAX;
pub use crate::model::change::record::NOTE_CHARS_MAX;
pub use crate::model::change::record::PENDING;
pub use crate::model::change::record::is_pending;
pub use crate::model::change::record::pending_id;
pub use crate::model::change::review::Approval;
pub use crate::model::change::review::ReviewNote;
