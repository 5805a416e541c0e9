//! The header with the cache tags of an answer, if the operator has chosen one: on answers of the
//! public API to anonymous readers, which caches in front may keep.

use http::HeaderValue;

use crate::app::content::cache_tags::AnswerKind;
use crate::app::content::cache_tags::CacheTags;
use crate::http::request::call::Call;
use crate::http::request::state::CacheTagHeader;
use crate::http::wire::reply::Reply;

/// Returns true if the answer to this call has cache tags.
pub(crate) fn are_told(call: &Call) -> bool {
    call.state.options.cache_tag_header != CacheTagHeader::None
        && call.caller.is_anonymous()
        && call.snapshot.as_ref().is_some_and(|it| it.overlay.is_none())
}

/// Adds the header to a reply.
pub(crate) fn add_tags(call: &Call, reply: &mut Reply, tags: &CacheTags) {
    let header = call.state.options.cache_tag_header.name_and_separator();
    let Some((name, separator)) = header else { return };
    // Tags consist of plain letters.
    let value = HeaderValue::try_from(tags.list().join(separator)).ok();
    reply.headers.extend(value.map(|it| (name, it)));
}

/// Adds the header to a reply of a route that knows nothing of tags.
pub(crate) fn add_missing_tags(call: &Call, reply: &mut Reply) {
    if !are_told(call) || call.route.is_mutation() {
        return;
    }
    let header = call.state.options.cache_tag_header.name_and_separator();
    if header.is_none_or(|(name, _)| reply.header(&name).is_some()) {
        return;
    }
    let Some(snapshot) = &call.snapshot else { return };
    let about = match call.route.name {
        "content_types.list" | "content_types.show" | "openapi" => AnswerKind::Types,
        "media.list" => AnswerKind::MediaList,
        _ if call.route.is_file() => {
            call.param("filename").map_or(AnswerKind::Anything, AnswerKind::File)
        }
        _ => AnswerKind::Anything,
    };
    add_tags(call, reply, &CacheTags::of_others(snapshot, about));
}
