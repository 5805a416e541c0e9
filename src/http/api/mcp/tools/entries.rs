//! The tools that write entries: into a change, or live if the agent says so and may.

use serde::Serialize;

use crate::app::content::content_types;
use crate::app::content::entries;
use crate::app::content::entries::EntryCommit;
use crate::app::content::entries::EntryEffect;
use crate::app::done::Done;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::http::api::entry_changes::ProposedDeletionMeta;
use crate::http::api::mcp::arguments::Argument;
use crate::http::api::mcp::arguments::ArgumentKind::Flag;
use crate::http::api::mcp::arguments::ArgumentKind::Text;
use crate::http::api::mcp::arguments::ArgumentKind::Values;
use crate::http::api::mcp::tool::ToolCall;
use crate::http::api::mcp::tool::ToolEffect;
use crate::http::api::mcp::tool::ToolOutcome;
use crate::http::api::mcp::tool::ToolSpec;
use crate::http::api::mcp::tool::answer;
use crate::http::api::mcp::tool::answer_with_meta;
use crate::http::api::mcp::tools::reading::ID;
use crate::http::api::mcp::tools::reading::TYPE;
use crate::model::grant::Action;
use crate::model::grant::Resource;
use crate::stdx::json::Map;

const VALUES: Argument = Argument::required(
    "values",
    Values,
    "The values by key, as `entry_schema` of get_content_type describes them. What is left out \
     stays as it is; `null` clears a value.",
);
const CHANGE: Argument = Argument::optional(
    "change",
    Text,
    "The id of the change to propose it in; that of your own drafts if left out.",
);
const PUBLISH: Argument = Argument::optional(
    "publish",
    Flag,
    "True to write what is live at once instead of proposing it. This needs the permissions of \
     the token.",
);
pub(super) const DRY_RUN: Argument = Argument::optional(
    "dry_run",
    Flag,
    "True to judge everything and change nothing: the answer says what would happen.",
);

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "create_entry",
        title: "Create an entry",
        about: "Proposes a new entry in a change; with `publish: true` it is created live. \
            `meta.change` of the answer is the change. A new entry is a draft unless `values` say \
            `\"status\": \"published\"`.",
        effect: ToolEffect::Adds,
        arguments: &[TYPE, VALUES, CHANGE, PUBLISH, DRY_RUN],
        run: create_entry,
    },
    ToolSpec {
        name: "update_entry",
        title: "Update an entry",
        about: "Proposes other values for an entry in a change; with `publish: true` they are \
            live at once. `meta.change` of the answer is the change.",
        effect: ToolEffect::Replaces,
        arguments: &[TYPE, ID, VALUES, CHANGE, PUBLISH, DRY_RUN],
        run: update_entry,
    },
    ToolSpec {
        name: "delete_entry",
        title: "Delete an entry",
        about: "Proposes the deletion of an entry in a change; with `publish: true` the entry is \
            moved to the trash at once. `meta.change` of the answer is the change.",
        effect: ToolEffect::Replaces,
        arguments: &[TYPE, ID, CHANGE, PUBLISH, DRY_RUN],
        run: delete_entry,
    },
];

fn create_entry(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let (ws, by, target) = (it.workspace(), it.call.requester(), it.write_target()?);
    let name = check_could_write(it, Action::ContentCreate)?;
    let create = entries::prepare_create(it.app(), ws, &by, &target, name, values(it));
    commit(it, create)
}

fn update_entry(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let (ws, by, target) = (it.workspace(), it.call.requester(), it.write_target()?);
    let name = check_could_write(it, Action::ContentUpdate)?;
    let entry = (name, it.arguments.required_text("id"));
    let any = Precondition::None;
    commit(it, entries::prepare_update(it.app(), ws, &by, &target, entry, values(it), any))
}

fn delete_entry(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let (ws, by, target) = (it.workspace(), it.call.requester(), it.write_target()?);
    let name = check_could_write(it, Action::ContentDelete)?;
    let entry = (name, it.arguments.required_text("id"));
    let app = it.app();
    if it.arguments.flag("dry_run") {
        return answer_dry_run(entries::judge_deletion(app, ws, &by, &target, entry)?);
    }
    let (any, guard) = (Precondition::None, UsageGuard::Off);
    let change = entries::delete(app, ws, &by, &target, entry, any, guard)?;
    answer_with_meta(Done::OK, change.map(|change| ProposedDeletionMeta { change }))
}

/// The answer to what was only judged.
#[derive(Serialize)]
struct DryRun {
    dry_run: bool,
    #[serde(flatten)]
    effect: EntryEffect,
}

/// Checks that the type is there and that some grant could allow the action on something in it,
/// before any work is done. Returns its name. The exact permission is decided on what is found.
fn check_could_write<'a>(it: &ToolCall<'a>, action: Action) -> Result<&'a str> {
    let name = it.arguments.required_text("type");
    content_types::find(&it.live, it.caller(), name)?;
    if it.caller().has_any_grant(it.workspace(), action, &Resource::Collection(name)) {
        return Ok(name);
    }
    Err(Error::forbidden(action, &format!("`content:{name}:*`")))
}

fn values(it: &ToolCall<'_>) -> Map {
    it.arguments.object("values").cloned().unwrap_or_default()
}

fn commit(it: &ToolCall<'_>, change: EntryCommit) -> Result<ToolOutcome> {
    if it.arguments.flag("dry_run") {
        return answer_dry_run(change.judge(it.app())?);
    }
    Ok(ToolOutcome::Answer(change.commit(it.app())?.shown.body.to_vec()))
}

fn answer_dry_run(effect: EntryEffect) -> Result<ToolOutcome> {
    answer(DryRun { dry_run: true, effect })
}
