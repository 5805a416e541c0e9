//! Permissions: grants, and the decision on a request. The code is pure: the request and its
//! context are arguments, and nothing is looked up here.
//!
//! A grant applies if one of its actions and one of its resources match, its conditions hold and
//! its fields fit. If any denying grant applies, access is denied; otherwise it is allowed if an
//! allowing grant applies.

mod action;
mod delegation;
mod effect;
mod glob;
mod grants;
mod parse;
mod permit;
mod reach;
mod reading_cache;
mod resource;
mod row_rule;
#[cfg(test)]
mod tests;

pub use crate::model::grant::action::Action;
pub use crate::model::grant::grants::AccessDecision;
pub use crate::model::grant::grants::Facts;
pub use crate::model::grant::grants::Grant;
pub use crate::model::grant::grants::Grants;
pub use crate::model::grant::parse::GRANTS_MAX;
pub use crate::model::grant::parse::GrantInput;
pub use crate::model::grant::permit::Permit;
pub use crate::model::grant::resource::Area;
pub use crate::model::grant::resource::Resource;
pub use crate::model::grant::row_rule::EntryRow;
pub use crate::model::grant::row_rule::Reach;
pub use crate::model::grant::row_rule::RowRule;
