//! A permit for tests that change a data folder without a caller.

use recto::model::grant::Action;
use recto::model::grant::Permit;

/// The permit of the operator to change content.
pub(crate) fn operator_permit() -> Permit {
    Permit::for_operator(Action::ContentUpdate)
}
