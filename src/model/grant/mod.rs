//! Permissions: grants, and the decision on a request. The code is pure: the request and its
//! context are arguments, and nothing is looked up here.
//!
//! A grant applies if one of its actions and one of its resources match, its conditions hold and
//! its fields fit. If any denying grant applies, access is denied; otherwise it is allowed if an
//! allowing grant applies.

mod action;
mod delegation;
mod glob;
mod grants;
mod parse;
mod permit;
mod reach;
mod resource;
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
pub use crate::model::grant::reach::EntryRow;
pub use crate::model::grant::reach::Reach;
pub use crate::model::grant::reach::RowRule;
pub use crate::model::grant::reach::TypeReading;
pub use crate::model::grant::resource::Area;
pub use crate::model::grant::resource::Resource;
