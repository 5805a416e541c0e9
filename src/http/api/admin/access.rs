//! The access that the rows of the admin API require: a login, and mostly a permission.

use crate::http::request::route::Access;
use crate::http::request::route::ActionTarget;
use crate::model::grant::Action;
use crate::model::grant::Area;

/// For whoever is logged in.
pub(crate) const ANY: Access =
    Access::Session { action: None, on: ActionTarget::Area(Area::Profile) };

/// For whoever is logged in and is granted an action on something of the installation.
pub(crate) const fn require_action(action: Action, area: Area) -> Access {
    Access::Session { action: Some(action), on: ActionTarget::Area(area) }
}

/// For whoever is logged in and is granted an action on something of a workspace.
pub(crate) const fn require_action_on(action: Action, on: ActionTarget) -> Access {
    Access::Session { action: Some(action), on }
}
