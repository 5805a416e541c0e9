//! Routes as plain data: read by the router, the lifecycle, the OpenAPI document, the metrics and
//! the test that every route has its scenarios. The handlers stand beside them, in
//! [`super::endpoint`].

use http::Method;
use schemars::JsonSchema;

use crate::app::content::entries::WORKSPACE_PARAM;
use crate::http::request::json_type::JsonType;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::media::UploadRules;

/// One route.
#[derive(Clone, Debug)]
pub struct Route {
    /// The position in the table.
    pub index: usize,
    /// A stable name: OpenAPI operation, log line, metric label.
    pub name: &'static str,
    /// The method. `HEAD` is included in `GET`.
    pub method: Method,
    /// The path with `{parameters}`.
    pub path: &'static str,
    /// The parameters of the path, in order.
    pub params: Box<[PathParam]>,
    /// The required access.
    pub access: Access,
    /// The kind of request body.
    pub body: BodyKind,
    /// True if a header names the workspace; routes of the public API have it in their path.
    pub scoped: bool,
    /// Query parameters it knows.
    pub query: &'static [QueryParam],
    /// The kind of response.
    pub gives: ReplyKind,
    /// True if the response is a new resource: 201 then, else 200.
    pub creates: bool,
    /// The place where it runs.
    pub run: RunMode,
    /// A sentence about it.
    pub summary: &'static str,
}

/// A parameter in the path of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathParam {
    /// The name.
    pub name: &'static str,
    /// True if it takes the rest of the path, with its slashes.
    pub takes_rest: bool,
}

impl PathParam {
    /// Lists the parameters of a path: `{name}` takes a segment, `{*name}` the rest.
    pub fn list_all(path: &'static str) -> Box<[PathParam]> {
        let names = path.split('/').filter_map(|it| {
            let (_, rest) = it.split_once('{')?;
            rest.split_once('}').map(|(name, _)| name)
        });
        names.map(PathParam::new).collect()
    }

    fn new(name: &'static str) -> PathParam {
        PathParam { name: name.trim_start_matches('*'), takes_rest: name.starts_with('*') }
    }
}

/// The access that a route requires. A credential that is present must be valid, except on
/// monitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone.
    Open,
    /// Everyone for public content; with a token, what its grants allow for this action.
    Guest {
        /// The action that shows more.
        action: Action,
        /// The target of the action.
        on: ActionTarget,
    },
    /// A token with a grant of this action, required for every change.
    Token {
        /// The action.
        action: Action,
        /// The target of the action.
        on: ActionTarget,
    },
    /// Any valid token: what it may do depends on what the request asks for.
    AnyToken,
    /// A user who is about to log in.
    Visitor,
    /// A logged-in user with a grant of this action, if there is one.
    Session {
        /// The action; `None` if the rows of the response decide.
        action: Option<Action>,
        /// The target of the action.
        on: ActionTarget,
    },
    /// Everyone; credentials are ignored.
    Monitor,
    /// A caller on this machine, or with any valid token.
    Operator,
}

/// The target of the action of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTarget {
    /// All content types.
    Schemas,
    /// A content type that does not exist yet.
    NewSchema,
    /// A content type.
    Schema,
    /// All entries.
    Content,
    /// The entries of a content type.
    Collection,
    /// An entry.
    Entry,
    /// All media files.
    Media,
    /// A media file.
    File,
    /// A media category.
    Category,
    /// A part of the installation.
    Area(Area),
}

impl ActionTarget {
    /// Returns the resource pattern as grants name it, with the parameters of the path.
    pub fn resource_template(self) -> &'static str {
        match self {
            ActionTarget::Area(area) => area.whole_pattern(),
            ActionTarget::Schemas => "schema:*",
            ActionTarget::NewSchema => "schema:{name}",
            ActionTarget::Schema => "schema:{collection}",
            ActionTarget::Content => "content:*",
            ActionTarget::Collection => "content:{collection}:*",
            ActionTarget::Entry => "content:{collection}:{identifier}",
            ActionTarget::Media => "media:*",
            ActionTarget::File => "media:{filename}",
            ActionTarget::Category => "media:category:{category}",
        }
    }
}

/// The kind of request body of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// No body.
    None,
    /// A JSON object.
    Json {
        /// The most bytes.
        bytes_max: u64,
        /// The kind of JSON, which has a schema in the OpenAPI document.
        takes: JsonInputKind,
    },
    /// A form with files.
    Upload(UploadForm),
}

/// The kind of a form with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadForm {
    /// Media files and their category.
    Media,
    /// The file that replaces a media file.
    Replacement,
    /// The picture of a user.
    Avatar,
    /// The picture of a workspace.
    Icon,
    /// A backup.
    Backup,
    /// The source of an import, and its options.
    Import,
}

const MIB: u64 = 1024 * 1024;

impl UploadForm {
    /// Returns the name of the field with the files; several have `[]` appended.
    pub fn file_field(self) -> &'static str {
        match self {
            UploadForm::Media | UploadForm::Replacement => "media",
            UploadForm::Avatar => "avatar",
            UploadForm::Icon => "icon",
            UploadForm::Backup => "backup",
            UploadForm::Import => "source",
        }
    }

    /// Returns true if the file may also be the whole body, without a form around it.
    pub(crate) fn takes_bare_file(self) -> bool {
        self == UploadForm::Replacement
    }

    /// Returns the largest size of one file in bytes.
    pub(crate) fn file_bytes_max(self, rules: &UploadRules) -> u64 {
        match self {
            UploadForm::Media | UploadForm::Replacement => rules.file_bytes_max,
            UploadForm::Avatar => 5 * MIB,
            UploadForm::Icon => 10 * MIB,
            UploadForm::Backup => 2_048 * MIB,
            UploadForm::Import => 512 * MIB,
        }
    }

    /// Returns the largest size of the whole form in bytes.
    pub(crate) fn body_bytes_max(self) -> u64 {
        match self {
            UploadForm::Media | UploadForm::Replacement => 1_024 * MIB,
            UploadForm::Avatar => 6 * MIB,
            UploadForm::Icon => 11 * MIB,
            UploadForm::Backup => 2_049 * MIB,
            UploadForm::Import => 513 * MIB,
        }
    }
}

/// The content of a JSON body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonInputKind {
    /// A content type with its name.
    NewContentType,
    /// The changes of a content type.
    ContentType,
    /// The values of an entry.
    Entry,
    /// The values of an entry in all its locales.
    AdminEntry,
    /// A message of the Model Context Protocol, whose schema is the protocol's.
    Message,
    /// An object of a type, whose schema is derived.
    Of(JsonType),
}

impl JsonInputKind {
    /// An object of this type.
    pub const fn of<T: JsonSchema>() -> JsonInputKind {
        JsonInputKind::Of(JsonType::of::<T>())
    }
}

/// The place where a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// On the thread that read the request: memory only.
    Inline,
    /// There first, and on a blocking thread if it needs more effort.
    Adaptive,
    /// On a blocking thread: disk.
    Blocking,
    /// On the thread that read the request, if the body is short: a change that is queued. Else on
    /// a blocking thread.
    Queued,
    /// In the lane for work that keeps a core busy for long.
    Lane,
    /// On one of a few that log people in: hashing is slow, and whoever guesses passwords keeps
    /// nobody else waiting.
    LoginGate,
}

/// A query parameter, for the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct QueryParam {
    /// The name.
    pub name: &'static str,
    /// The type of its value.
    pub kind: QueryKind,
    /// A sentence about it.
    pub about: &'static str,
}

/// The type of a query parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// A whole number, at least the given one.
    Count(u64),
    /// A text.
    Text,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// `1` or nothing.
    Flag,
    /// `filter[field][operator]=value`.
    Filter,
}

/// The content of a successful response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// `{data: Health}`
    Health,
    /// `{data: [ContentType], meta}`
    ContentTypes,
    /// `{data: ContentType}`
    ContentType,
    /// `{data: [Entry], meta}`
    Entries,
    /// `{data: Entry}`
    Entry,
    /// `{data: [MediaItem], meta}`
    Media,
    /// `{data: MediaItem}`
    MediaItem,
    /// `{data: MediaItem, meta: {categories}}`
    CategorisedItem,
    /// `{data: [MediaItem]}`
    MediaItems,
    /// `{data: [MediaItem], meta: {categories}}`
    Uploaded,
    /// `{data: {name}, meta: {categories}}`
    Category,
    /// `{data: {ok}}`
    Done,
    /// `{data: {ok}, meta: {categories}}`
    CategoryDone,
    /// The OpenAPI document.
    OpenApi,
    /// TypeScript types.
    TypeScript,
    /// An Atom feed.
    Atom,
    /// A JSON Feed.
    JsonFeed,
    /// A sitemap.
    Sitemap,
    /// The bytes of a file.
    File,
    /// A picture.
    Picture,
    /// A small document outside the envelope.
    Plain,
    /// JSON objects, each in a line, with a tag for all of them.
    TaggedLines,
    /// JSON objects, each in a line.
    Lines,
    /// A stream of events.
    Events,
    /// `{data}` of a type, whose schema is derived.
    Of(JsonType),
    /// `{data: […], meta}` of a type, whose schema is derived.
    ListOf(JsonType),
}

impl ReplyKind {
    /// `{data}` of this type.
    pub const fn of<T: JsonSchema>() -> ReplyKind {
        ReplyKind::Of(JsonType::of::<T>())
    }

    /// `{data: […], meta}` of this type.
    pub const fn list_of<T: JsonSchema>() -> ReplyKind {
        ReplyKind::ListOf(JsonType::of::<T>())
    }
}

impl Route {
    /// Returns the names of the path parameters in order.
    pub fn param_names(&self) -> impl Iterator<Item = &'static str> {
        self.params.iter().map(|it| it.name)
    }

    /// Returns the required action and its target.
    pub fn required_action(&self) -> Option<(Action, ActionTarget)> {
        match self.access {
            Access::Guest { action, on }
            | Access::Token { action, on }
            | Access::Session { action: Some(action), on } => Some((action, on)),
            _ => None,
        }
    }

    /// Returns true if the route changes something.
    pub fn is_mutation(&self) -> bool {
        !self.method.is_safe()
    }

    /// Returns true if this query parameter has an effect.
    pub(crate) fn knows_param(&self, name: &str) -> bool {
        // Requests of the admin API may name their workspace in the query.
        let names_workspace = self.scoped && name == WORKSPACE_PARAM;
        names_workspace || self.query.iter().any(|it| it.name == name)
    }

    /// Returns true if the route changes one existing resource, and so supports preconditions.
    pub fn is_conditional(&self) -> bool {
        let of_one =
            matches!(self.required_action(), Some((_, ActionTarget::Entry | ActionTarget::Schema)));
        let is_one = |it: &str| matches!(it, "filename" | "change");
        let is_trashed = self.path.starts_with("/admin/api/trash/{collection}/{identifier}");
        let is_views = self.path == "/admin/api/views/{collection}";
        self.is_mutation() && (of_one || is_trashed || is_views || self.param_names().any(is_one))
    }

    /// Returns true if the route belongs to the admin API.
    pub fn is_admin(&self) -> bool {
        matches!(self.access, Access::Session { .. } | Access::Visitor)
    }

    /// Returns true if the route belongs to the public API or its files.
    pub(crate) fn is_public(&self) -> bool {
        let is_of_api = self.path.starts_with("/api/") && self.access == Access::AnyToken;
        matches!(self.access, Access::Open | Access::Guest { .. } | Access::Token { .. })
            || is_of_api
    }

    /// Returns true if the route can show a change as if it were live.
    pub(crate) fn shows_changes(&self) -> bool {
        !self.is_mutation() && self.query.iter().any(|it| it.name == CHANGE_PARAM)
    }

    /// Returns true if responses are already compressed where that is useful.
    pub(crate) fn is_packed(&self) -> bool {
        self.path.starts_with("/admin/_/")
    }

    /// Returns true if the route serves the web interface or one of its files.
    pub(crate) fn is_interface(&self) -> bool {
        self.path.starts_with("/admin") && !self.is_admin()
    }

    /// Returns true if the route serves files.
    pub(crate) fn is_file(&self) -> bool {
        self.path.starts_with("/media")
    }
}

/// The largest JSON body in bytes.
pub(crate) const JSON_BYTES_MAX: u64 = 2 * MIB;

/// The largest body with files of the data folder, in bytes: as long as a file may be.
pub(crate) const FILES_BYTES_MAX: u64 = 8 * MIB;

/// The most values of a JSON body, counting each array, each object and everything in it: a few
/// bytes of text can take a hundred in memory.
pub(crate) const JSON_VALUES_MAX: usize = 200_000;

pub(crate) const fn query(name: &'static str, kind: QueryKind, about: &'static str) -> QueryParam {
    QueryParam { name, kind, about }
}

/// The name of the parameter with the change that a request reads or writes.
pub(crate) const CHANGE_PARAM: &str = "change";

/// The name of the parameter with which a request only tells what it would do.
pub(crate) const DRY_RUN_PARAM: &str = "dry_run";

/// The name of the parameter with which a request deletes nothing that is used.
pub(crate) const GUARD_PARAM: &str = "guard";

/// The name of the parameter with the token of a preview link.
pub(crate) const PREVIEW_PARAM: &str = "preview";

/// The parameter that indents the response.
pub(crate) const PRETTY: QueryParam = query("pretty", QueryKind::Flag, "Indents the answer.");
