//! The permission that the route of a call asks for.

use crate::app::error::Result;
use crate::http::request::call::Call;
use crate::http::request::route::ActionTarget;
use crate::model::grant::Action;
use crate::model::grant::Resource;
use crate::model::media::category::CategoryPath;

/// Returns the name of a call's target as grants write it.
pub(crate) fn resource_name(call: &Call, target: ActionTarget) -> String {
    let mut name = target.resource_template().replace("{name}", "*");
    for param in call.route.param_names() {
        let text = call.param(param).unwrap_or_default();
        // However the address writes the path of a category, grants write it one way.
        let path =
            (target == ActionTarget::Category).then(|| CategoryPath::parse(text).ok()).flatten();
        name = name.replace(&format!("{{{param}}}"), path.as_deref().unwrap_or(text));
    }
    name
}

/// Returns true if a grant of the caller could allow the action on the call's target, or on
/// something in it. An entry goes by two names, so the one in the path decides nothing.
pub(crate) fn could_allow(call: &Call, action: Action, target: ActionTarget) -> Result<bool> {
    if let ActionTarget::Area(area) = target {
        // These are in no workspace.
        return Ok(call.caller.has_any_grant("", action, &Resource::Whole(area)));
    }
    let workspace = call.snapshot()?.workspace.as_str();
    let could = |on: &Resource<'_>| call.caller.has_any_grant(workspace, action, on);
    Ok(match target {
        ActionTarget::Schemas | ActionTarget::NewSchema => could(&Resource::Schemas),
        ActionTarget::Schema => could(&Resource::Schema(call.param("collection")?)),
        ActionTarget::Content => could(&Resource::Collection("*")),
        ActionTarget::Collection | ActionTarget::Entry => {
            could(&Resource::Collection(call.param("collection")?))
        }
        ActionTarget::Media => could(&Resource::Media),
        ActionTarget::File => {
            could(&Resource::File { name: call.param("filename")?, category: None })
        }
        ActionTarget::Category => match CategoryPath::parse(call.param("category")?) {
            Ok(path) => could(&Resource::Category(&path)),
            // It is told below what is wrong with it.
            Err(_) => could(&Resource::Media),
        },
        ActionTarget::Area(_) => false,
    })
}
