//! The requester of tests that make changes without HTTP.

use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::model::event::Actor;
use recto::model::event::EventSource;

/// The holder of a token, who makes changes through the public API.
pub(crate) fn requester_of(caller: Caller) -> Requester {
    let (id, name) = caller.author_id_and_name();
    let (ip, request_id, source) = (None, String::new(), EventSource::Api);
    Requester { caller, actor: Actor { id, name, ip, request_id, source }.into() }
}
