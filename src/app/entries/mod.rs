//! Entries: shown one by one or in lists, made, changed and put into the trash.

mod around;
mod delete;
mod read;
mod write;

pub use delete::delete;
pub use read::Attempt;
pub use read::ListBody;
pub use read::ListStream;
pub use read::Listed;
pub use read::Shown;
pub use read::list;
pub use read::pretty;
pub use read::show;
pub use write::Written;
pub(super) use write::answer;
pub use write::create;
pub(super) use write::make_way;
pub(super) use write::move_revisions;
pub use write::update;
