//! The tools that read content types, entries and media.

use serde::Serialize;
use serde_json::Value;

use crate::app::content::content_types;
use crate::app::content::entries;
use crate::app::content::entries::EffortResult;
use crate::app::content::entries::ReadSettings;
use crate::app::content::search;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::list;
use crate::app::media::list::MediaFilterSet;
use crate::http::api::mcp::arguments::Argument;
use crate::http::api::mcp::arguments::ArgumentKind::Count;
use crate::http::api::mcp::arguments::ArgumentKind::Filter;
use crate::http::api::mcp::arguments::ArgumentKind::Names;
use crate::http::api::mcp::arguments::ArgumentKind::OneOf;
use crate::http::api::mcp::arguments::ArgumentKind::Text;
use crate::http::api::mcp::tool::LIMIT_MAX;
use crate::http::api::mcp::tool::ToolCall;
use crate::http::api::mcp::tool::ToolEffect;
use crate::http::api::mcp::tool::ToolOutcome;
use crate::http::api::mcp::tool::ToolSpec;
use crate::http::api::mcp::tool::answer;
use crate::http::api::mcp::tool::answer_entries;
use crate::http::api::mcp::tool::answer_with_meta;
use crate::http::openapi::input_schemas;
use crate::model::content_type::ContentType;
use crate::model::content_type::ContentTypeView;
use crate::model::entry::Api;
use crate::query::request::params::QueryParams;

/// The most items that can be skipped.
const OFFSET_MAX: u64 = 1_000_000_000;

pub(super) const TYPE: Argument =
    Argument::required("type", Text, "The name of the content type, such as `posts`.");
pub(super) const LIMIT: Argument = Argument::optional(
    "limit",
    Count { least: 1, most: LIMIT_MAX },
    "The most items to return; 20 if left out.",
);
pub(super) const OFFSET: Argument = Argument::optional(
    "offset",
    Count { least: 0, most: OFFSET_MAX },
    "The number of items to skip.",
);
const LOCALE: Argument = Argument::optional(
    "locale",
    Text,
    "The locale of the values, such as `de`; the default locale of the type if left out.",
);
const FIELDS: Argument =
    Argument::optional("fields", Names, "The names of the fields to return; all if left out.");
const INCLUDE: Argument = Argument::optional(
    "include",
    Names,
    "The relations to replace by the entries that they name, such as `author`.",
);
const CHANGE: Argument = Argument::optional(
    "change",
    Text,
    "The id of a change, or `pending` for your own one, to read content as it would be with it.",
);
const WORDS: Argument =
    Argument::optional("q", Text, "Words that must all occur in title, slug or any text.");

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "list_content_types",
        title: "List content types",
        about: "Lists the content types with the names of their fields.",
        effect: ToolEffect::Reads,
        arguments: &[],
        run: list_content_types,
    },
    ToolSpec {
        name: "get_content_type",
        title: "Get a content type",
        about: "Returns the definition of a content type, and in `entry_schema` the JSON Schema of \
            the `values` that create_entry and update_entry take. A new entry needs the fields \
            that are `required`.",
        effect: ToolEffect::Reads,
        arguments: &[TYPE],
        run: get_content_type,
    },
    ToolSpec {
        name: "list_entries",
        title: "List entries",
        about: "Lists the entries of a content type that you may read: filtered, sorted, a page \
            at a time. `meta.total` is the number of all that match.",
        effect: ToolEffect::Reads,
        arguments: &[
            TYPE,
            Argument::optional(
                "filter",
                Filter,
                "Conditions by field, which must all hold: a value, or values by operator, such \
                 as {\"status\": \"draft\", \"date\": {\"gte\": \"2026-01-01\"}}.",
            ),
            WORDS,
            Argument::optional(
                "sort",
                Text,
                "Up to 8 sort keys, separated by commas, with `-` in front for descending, such \
                 as `-date,title`; `-created_at` if left out.",
            ),
            LIMIT,
            OFFSET,
            FIELDS,
            INCLUDE,
            LOCALE,
            CHANGE,
        ],
        run: list_entries,
    },
    ToolSpec {
        name: "get_entry",
        title: "Get an entry",
        about: "Returns an entry, by id or slug.",
        effect: ToolEffect::Reads,
        arguments: &[TYPE, ID, FIELDS, INCLUDE, LOCALE, CHANGE],
        run: get_entry,
    },
    ToolSpec {
        name: "search",
        title: "Search",
        about: "Searches entries of all types, media files and content types, best matches first.",
        effect: ToolEffect::Reads,
        arguments: &[
            Argument::required("q", Text, "The text to search for."),
            Argument::optional(
                "limit",
                Count { least: 1, most: 50 },
                "The most results of each kind; 20 if left out.",
            ),
            Argument::optional("locale", Text, "The locale in which entries are searched."),
            CHANGE,
        ],
        run: search_content,
    },
    ToolSpec {
        name: "list_media",
        title: "List media files",
        about: "Lists the media files that you may see, with their addresses and texts.",
        effect: ToolEffect::Reads,
        arguments: &[
            Argument::optional("q", Text, "A text that filenames must contain."),
            Argument::optional("category", Text, "A category, with its subcategories."),
            Argument::optional(
                "sort",
                OneOf(&["uploaded_at", "-uploaded_at", "name", "-name", "size", "-size"]),
                "The sort key; `-uploaded_at` if left out.",
            ),
            LIMIT,
            OFFSET,
        ],
        run: list_media,
    },
];

pub(super) const ID: Argument = Argument::required("id", Text, "The id or the slug of the entry.");

/// A content type in a list.
#[derive(Serialize)]
struct TypeBrief<'a> {
    name: &'a str,
    label: &'a str,
    singleton: bool,
    drafts: bool,
    locales: Vec<&'a str>,
    fields: Vec<&'a str>,
}

impl<'a> TypeBrief<'a> {
    fn new(ty: &'a ContentType) -> TypeBrief<'a> {
        TypeBrief {
            name: &ty.name,
            label: &ty.label,
            singleton: ty.singleton,
            drafts: ty.drafts,
            locales: ty.locales.iter().map(|it| it.as_str()).collect(),
            fields: ty.data_fields().map(|it| it.name.as_str()).collect(),
        }
    }
}

/// A content type as agents read it.
#[derive(Serialize)]
struct DescribedType<'a> {
    #[serde(flatten)]
    view: ContentTypeView<'a>,
    entry_schema: Value,
}

fn list_content_types(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let types = content_types::list(&it.live, it.caller());
    answer(types.iter().map(|it| TypeBrief::new(&it.content_type)).collect::<Vec<_>>())
}

fn get_content_type(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let name = it.arguments.required_text("type");
    let (_, index) = content_types::find(&it.live, it.caller(), name)?;
    let ty = &index.content_type;
    answer(DescribedType { view: ty.view(), entry_schema: input_schemas::entry_alone(ty) })
}

fn list_entries(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let query = it.build_list_query(&["q", "sort", "locale"], &["fields", "include"])?;
    let (app, snapshot, name) = (it.app(), it.find_snapshot()?, it.arguments.required_text("type"));
    let (caller, effort) = (it.caller(), it.call.effort);
    match entries::list(app, &snapshot, caller, name, &query, effort, Api::Public)? {
        EffortResult::Done(listed) => answer_entries(listed.body),
        EffortResult::NeedsEffort => Ok(ToolOutcome::NeedsEffort),
    }
}

fn get_entry(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let query = it.build_entry_query(&["locale"], &["fields", "include"]);
    let params = QueryParams::parse(&query).map_err(Error::bad_request)?;
    let (name, id) = (it.arguments.required_text("type"), it.arguments.required_text("id"));
    let (app, snapshot, effort) = (it.app(), it.find_snapshot()?, it.call.effort);
    let limits = || app.settings().include;
    let settings = ReadSettings { base_url: app.engine.base_url(), limits: &limits };
    match entries::show(settings, &snapshot, it.caller(), name, id, &params, effort)? {
        EffortResult::Done(shown) => answer_entries(shown.body),
        EffortResult::NeedsEffort => Ok(ToolOutcome::NeedsEffort),
    }
}

fn search_content(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let query = it.build_list_query(&["q", "locale"], &[])?;
    let snapshot = it.find_snapshot()?;
    match search::search_all(it.app(), &snapshot, it.caller(), &query, it.call.effort)? {
        EffortResult::Done(found) => answer(found.without_user_names()),
        EffortResult::NeedsEffort => Ok(ToolOutcome::NeedsEffort),
    }
}

fn list_media(it: &ToolCall<'_>) -> Result<ToolOutcome> {
    let query = it.build_list_query(&["q", "category", "sort"], &[])?;
    let lists = MediaFilterSet::Public;
    let (app, effort) = (it.app(), it.call.effort);
    match list::list_media(app, &it.live, it.caller(), &query, lists, effort)? {
        EffortResult::Done(listed) => answer_with_meta(listed.data, Some(listed.meta)),
        EffortResult::NeedsEffort => Ok(ToolOutcome::NeedsEffort),
    }
}
