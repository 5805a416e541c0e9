//! The tools that read, begin and publish changes.

use crate::app::content::changes;
use crate::app::content::changes::ChangeMode;
use crate::app::content::changes::ChangeRequest;
use crate::app::content::changes::ChangeWindow;
use crate::app::done::Done;
use crate::app::error::Result;
use crate::http::api::mcp::arguments::Argument;
use crate::http::api::mcp::arguments::ArgumentKind::OneOf;
use crate::http::api::mcp::arguments::ArgumentKind::Text;
use crate::http::api::mcp::tool::PageMeta;
use crate::http::api::mcp::tool::ToolCall;
use crate::http::api::mcp::tool::ToolEffect;
use crate::http::api::mcp::tool::ToolOutcome;
use crate::http::api::mcp::tool::ToolSpec;
use crate::http::api::mcp::tool::answer;
use crate::http::api::mcp::tool::answer_with_meta;
use crate::http::api::mcp::tools::entries::DRY_RUN;
use crate::http::api::mcp::tools::reading::LIMIT;
use crate::http::api::mcp::tools::reading::OFFSET;
use crate::http::api::mcp::tools::reading::TYPE;
use crate::model::change::ChangeState;
use crate::stdx::json::Map;

const CHANGE: Argument = Argument::required(
    "change",
    Text,
    "The id of the change; `pending` is that of your own drafts.",
);

/// The names of all states.
const STATES: &[&str] = &{
    let mut names = [""; ChangeState::ALL.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = ChangeState::ALL[place].as_str();
        place += 1;
    }
    names
};

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "list_changes",
        title: "List releases",
        about: "Lists the changes that you may read, the latest begun first, with the entries \
            that they propose to change.",
        effect: ToolEffect::Reads,
        arguments: &[
            Argument::optional("state", OneOf(STATES), "The state of the changes."),
            LIMIT,
            OFFSET,
        ],
        run: list_changes,
    },
    ToolSpec {
        name: "get_change",
        title: "Get a release",
        about: "Returns a change with the entries that it proposes to change.",
        effect: ToolEffect::Reads,
        arguments: &[CHANGE],
        run: get_change,
    },
    ToolSpec {
        name: "get_change_diff",
        title: "Get the differences of a release",
        about: "Lists the differences that a change makes, field by field: the value from which \
            it was begun, the live one and the proposed one, and if they conflict.",
        effect: ToolEffect::Reads,
        arguments: &[CHANGE],
        run: get_change_diff,
    },
    ToolSpec {
        name: "get_change_impact",
        title: "Get the impact of a release",
        about: "Tells what an anonymous reader will see differently once a change is published: \
            entries that appear, vanish and differ, lists that they enter and leave, slugs that \
            change, and relations that lead nowhere.",
        effect: ToolEffect::Reads,
        arguments: &[CHANGE],
        run: get_change_impact,
    },
    ToolSpec {
        name: "create_change",
        title: "Create a release",
        about: "Begins a named change, in which entries can be proposed together.",
        effect: ToolEffect::Adds,
        arguments: &[
            Argument::required("label", Text, "The name that people see."),
            Argument::optional("note", Text, "A note for people."),
        ],
        run: create_change,
    },
    ToolSpec {
        name: "publish_change",
        title: "Publish a release",
        about: "Makes everything live that a change proposes: all or nothing. This needs the \
            permissions for each entry. Do it only if the user asked for it.",
        effect: ToolEffect::Replaces,
        arguments: &[CHANGE, DRY_RUN],
        run: publish_change,
    },
    ToolSpec {
        name: "discard_proposal",
        title: "Discard a draft",
        about: "Takes an entry out of a change: what was proposed for it is discarded.",
        effect: ToolEffect::Replaces,
        arguments: &[CHANGE, TYPE, Argument::required("id", Text, "The id of the entry.")],
        run: discard_proposal,
    },
];

fn list_changes(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let state = it.arguments.text("state").and_then(ChangeState::parse);
    let (limit, offset) = it.page();
    let window = ChangeWindow { states: state.map(|it| vec![it]), limit: Some(limit), offset };
    let page = changes::list(it.app(), &it.live, it.caller(), &window);
    let meta = PageMeta { total: page.total, limit, offset };
    answer_with_meta(page.changes, Some(meta))
}

fn get_change(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let change = it.arguments.required_text("change");
    answer(changes::show(it.app(), &it.live, it.caller(), change)?)
}

fn get_change_diff(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let change = it.arguments.required_text("change");
    answer(changes::list_differences(it.app(), &it.live, it.caller(), change)?)
}

fn get_change_impact(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let change = it.arguments.required_text("change");
    answer(changes::compute_impact(it.app(), &it.live, it.caller(), change)?)
}

fn create_change(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let mut body = Map::new();
    body.push("label", it.arguments.required_text("label"));
    body.push("note", it.arguments.text("note"));
    answer(changes::create(it.app(), it.workspace(), &it.call.requester(), &body)?)
}

fn publish_change(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let is_dry = it.arguments.flag("dry_run");
    let mode = if is_dry { ChangeMode::DryRun } else { ChangeMode::Commit };
    answer(changes::publish(it.app(), &ChangeRequest { mode, ..request(it) })?)
}

fn discard_proposal(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let entry = (it.arguments.required_text("type"), it.arguments.required_text("id"));
    changes::discard(it.app(), &request(it), entry)?;
    answer(Done::OK)
}

/// The request for what the agent does with a change.
fn request(it: &ToolCall<'_>) -> ChangeRequest {
    let change = it.arguments.required_text("change");
    ChangeRequest::new(it.workspace(), &it.call.requester(), change)
}
