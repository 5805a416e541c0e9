//! Content types as resources, which clients can show to people and add to a conversation.

use rmcp::model::ErrorData;
use rmcp::model::ListResourceTemplatesResult;
use rmcp::model::ListResourcesResult;
use rmcp::model::ReadResourceResult;
use rmcp::model::Resource;
use rmcp::model::ResourceContents;
use rmcp::model::ResourceTemplate;

use crate::app::content::content_types;
use crate::app::error::Result;
use crate::http::api::mcp::protocol::Era;
use crate::http::api::mcp::tool::find_named_workspace;
use crate::http::request::call::Call;
use crate::model::content_type::ContentType;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The beginning of the addresses; workspace and type follow.
const SCHEME: &str = "recto://";

/// The part between the workspace and the name of the type.
const TYPES: &str = "/content-types/";

const JSON: &str = "application/json";

/// Lists the content types of the default workspace.
pub(super) fn list(call: &Call, era: Era) -> Result<ListResourcesResult> {
    let live = find_named_workspace(call, None)?;
    let types = content_types::list(&live, &call.caller);
    let resource = |ty: &ContentType| {
        let uri = format!("{SCHEME}{}{TYPES}{}", live.workspace, ty.name);
        Resource::new(uri, ty.name.as_str()).with_title(ty.label.as_str()).with_mime_type(JSON)
    };
    let all = types.iter().map(|it| resource(&it.content_type)).collect();
    let mut listed = ListResourcesResult::with_all_items(all);
    era.finish_private(&mut listed.result_type, &mut listed.ttl_ms, &mut listed.cache_scope);
    Ok(listed)
}

/// Lists the form of the addresses.
pub(super) fn list_templates(era: Era) -> ListResourceTemplatesResult {
    let template =
        ResourceTemplate::new("recto://{workspace}/content-types/{type}", "content type")
            .with_description("The definition of a content type.")
            .with_mime_type(JSON);
    let mut listed = ListResourceTemplatesResult::with_all_items(vec![template]);
    era.finish_list(&mut listed.result_type, &mut listed.ttl_ms, &mut listed.cache_scope);
    listed
}

/// Reads a content type.
pub(super) fn read(
    call: &Call,
    era: Era,
    params: &Map,
) -> std::result::Result<ReadResourceResult, ErrorData> {
    let uri = params.get("uri").and_then(Json::as_str).unwrap_or_default();
    let missing = || ErrorData::invalid_params(format!("There is no resource `{uri}`."), None);
    let place = uri.strip_prefix(SCHEME).and_then(|it| it.split_once(TYPES));
    let (workspace, name) = place.ok_or_else(missing)?;
    let live = find_named_workspace(call, Some(workspace)).map_err(|_| missing())?;
    let (_, index) = content_types::find(&live, &call.caller, name).map_err(|_| missing())?;
    let text = serde_json::to_string(&index.content_type.view());
    let text = text.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
    let mut read = ReadResourceResult::new(vec![contents]);
    era.finish_private(&mut read.result_type, &mut read.ttl_ms, &mut read.cache_scope);
    Ok(read)
}
