//! Handlers that change an entry, for both APIs.

use serde::Serialize;

use crate::app::App;
use crate::app::content::entries;
use crate::app::content::entries::CommittedEntry;
use crate::app::content::entries::EntryCommit;
use crate::app::content::entries::WrittenEntry;
use crate::app::done::Done;
use crate::app::error::Result;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::ChangeDone;
use crate::http::request::endpoint::FinishReply;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::QueuedChange;
use crate::http::wire::reply::Reply;
use crate::model::name::EntryId;
use crate::query::execute::executor::Effort;

/// The `meta` of an answer to a deletion that is proposed.
#[derive(Serialize)]
pub(crate) struct ProposedDeletionMeta {
    /// The id of the change that it goes into.
    pub(crate) change: EntryId,
}

/// Updates an entry.
pub(crate) fn update_entry(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (body, precondition) = (call.parse_json()?, call.precondition());
    let (app, target, entry) = (call.app(), call.write_target()?, (name, identifier));
    let update = entries::prepare_update(app, ws, &by, &target, entry, body, precondition);
    commit_entry(call, update, reply_written)
}

/// Commits a change of an entry. Queues it where nobody may wait for the disk.
pub(crate) fn commit_entry(
    call: &Call,
    change: EntryCommit,
    reply: fn(&Call, WrittenEntry) -> Result<Reply>,
) -> Result<HandlerOutcome> {
    if call.effort != Effort::Quick {
        return Ok(reply(call, change.commit(call.app())?)?.into());
    }
    if change.has_html(call.app()) {
        return Ok(HandlerOutcome::NeedsEffort);
    }
    let finish = move |call: &Call, committed: CommittedEntry| match committed.finish(call.app())? {
        Some(written) => Ok(reply(call, written)?.into()),
        None => Ok(HandlerOutcome::NeedsEffort),
    };
    let submit = move |app: &App, done: ChangeDone| {
        change.submit(app, move |committed| {
            let effort = committed.effort();
            done(FinishReply::new(effort, move |call| finish(call, committed)));
        })
    };
    Ok(HandlerOutcome::Queued(QueuedChange::new(submit)))
}

/// Moves an entry to the trash, or proposes that.
pub(crate) fn delete_entry(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, precondition) = (call.workspace()?, call.requester(), call.precondition());
    let entry = (call.param("collection")?, call.param("identifier")?);
    let (target, guard) = (call.write_target()?, call.parse_guard()?);
    let change = entries::delete(call.app(), ws, &by, &target, entry, precondition, guard)?;
    let meta = change.map(|change| ProposedDeletionMeta { change });
    Ok(reply_with_meta(call, Done::OK, meta)?.into())
}
