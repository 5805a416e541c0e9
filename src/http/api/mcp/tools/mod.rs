//! The tools.

mod changes;
mod entries;
mod reading;

use rmcp::model::ErrorData;
use rmcp::model::Tool;

use crate::http::api::mcp::tool::ToolSpec;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// All tools, in the order in which clients list them.
fn list_all() -> impl Iterator<Item = &'static ToolSpec> {
    [reading::TOOLS, entries::TOOLS, changes::TOOLS].into_iter().flatten()
}

/// Describes all tools.
pub(super) fn describe_all() -> Vec<Tool> {
    list_all().map(ToolSpec::describe).collect()
}

/// Finds the tool that a call names.
pub(super) fn find(params: &Map) -> Result<&'static ToolSpec, ErrorData> {
    let name = params.get("name").and_then(Json::as_str).unwrap_or_default();
    if params.get("arguments").is_some_and(|it| !matches!(it, Json::Object(_) | Json::Null)) {
        return Err(ErrorData::invalid_params("`arguments` must be an object.", None));
    }
    let found = list_all().find(|it| it.name == name);
    found.ok_or_else(|| ErrorData::invalid_params(format!("There is no tool `{name}`."), None))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tools_have_names_of_their_own_and_valid_schemas() {
        let tools = describe_all();
        let names: BTreeSet<String> = tools.iter().map(|it| it.name.to_string()).collect();
        assert_eq!(names.len(), tools.len());
        for tool in tools {
            let schema = tool.schema_as_json_value();
            assert!(jsonschema::meta::is_valid(&schema), "{}: {schema}", tool.name);
            assert!(jsonschema::validator_for(&schema).is_ok(), "{}", tool.name);
        }
    }
}
