//! A permit for tests that change a data folder without a caller.

use recto::model::grant::Action;
use recto::model::grant::Permit;
use recto::model::grant::Resource;

/// The permit of the operator to change content.
pub(crate) fn operator_permit() -> Permit {
    Permit::for_operator(Action::ContentUpdate, &Resource::Collection("posts"))
}
