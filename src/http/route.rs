//! Routes as plain data: read by the router, the lifecycle, the OpenAPI document, the metrics and
//! the test that every route has its scenarios.

use http::Method;

use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::model::category::CategoryPath;
use crate::model::grant::Action;
use crate::model::grant::Resource;

/// One route.
#[derive(Debug)]
pub struct Route {
    /// Its place in the table.
    pub index: usize,
    /// A stable name: OpenAPI operation, log line, metric label.
    pub name: &'static str,
    /// Its method. `HEAD` goes with `GET`.
    pub method: Method,
    /// Its path with `{parameters}`.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// What it reads of the request's body.
    pub body: Body,
    /// Query parameters it knows.
    pub query: &'static [Query],
    /// What it answers.
    pub gives: Gives,
    /// Whether what it answers with is new: 201 then, else 200.
    pub creates: bool,
    /// Where it runs.
    pub run: Run,
    /// A sentence about it.
    pub summary: &'static str,
    /// What answers.
    pub handler: Handler,
}

/// Answers a call; plain code that never waits for anything but the disk.
pub type Handler = fn(&Call) -> Result<Outcome>;

/// What a handler comes to.
#[derive(Debug)]
pub enum Outcome {
    /// A reply.
    Reply(Reply),
    /// It would take longer than is allowed where it runs: call again where it may.
    NeedsEffort,
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Outcome {
        Outcome::Reply(reply)
    }
}

/// Who may call a route. A credential that is present must be valid everywhere but on monitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Open,
    /// Everybody for what is public; with a token, what its grants say about this action.
    Guest {
        /// The action that shows more.
        action: Action,
        /// What it is taken on.
        on: On,
    },
    /// With a token alone, one that grants this action: whatever changes something.
    Token {
        /// The action.
        action: Action,
        /// What it is taken on.
        on: On,
    },
    /// Everybody; credentials are not looked at.
    Monitor,
    /// From the machine itself, or with any valid token.
    Operator,
}

/// What an action of a route is taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A content type that is yet to be named.
    NewSchema,
    /// A content type.
    Schema,
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
}

impl On {
    /// As grants name it, with the parameters of the path.
    pub fn template(self) -> &'static str {
        match self {
            On::NewSchema => "schema:{name}",
            On::Schema => "schema:{collection}",
            On::Collection => "content:{collection}:*",
            On::Entry => "content:{collection}:{identifier}",
            On::Media => "media:*",
            On::File => "media:{filename}",
            On::Category => "media:category:{category}",
        }
    }

    /// As grants name what a call is about.
    pub fn name(self, call: &Call) -> String {
        let mut name = self.template().replace("{name}", "*");
        for param in call.route.params().map(|it| it.trim_start_matches('*')) {
            let text = call.param(param).unwrap_or_default();
            // However the address writes the path of a category, grants write it one way.
            let path = (self == On::Category).then(|| CategoryPath::parse(text).ok()).flatten();
            name = name.replace(&format!("{{{param}}}"), path.as_deref().unwrap_or(text));
        }
        name
    }

    /// Whether a grant of the caller could allow the action on what the call is about, or on
    /// something in it. An entry goes by two names, so nothing is decided by the one in the path.
    pub(super) fn could(self, call: &Call, action: Action) -> Result<bool> {
        let workspace = call.snapshot()?.workspace.as_str();
        let could = |on: &Resource<'_>| call.caller.could(workspace, action, on);
        Ok(match self {
            On::NewSchema => could(&Resource::Schemas),
            On::Schema => could(&Resource::Schema(call.param("collection")?)),
            On::Collection | On::Entry => could(&Resource::Collection(call.param("collection")?)),
            On::Media => could(&Resource::Media),
            On::File => could(&Resource::File { name: call.param("filename")?, category: None }),
            On::Category => match CategoryPath::parse(call.param("category")?) {
                Ok(path) => could(&Resource::Category(&path)),
                // It is told below what is wrong with it.
                Err(_) => could(&Resource::Media),
            },
        })
    }
}

/// What a route reads of the request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Nothing.
    None,
    /// A JSON object.
    Json {
        /// Of at most so many bytes.
        bytes_max: u64,
        /// The schema of it in the OpenAPI document.
        takes: Takes,
    },
    /// Files.
    Upload,
}

/// What a JSON body holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A content type with its name.
    NewContentType,
    /// What of a content type shall change.
    ContentType,
    /// The values of an entry.
    Entry,
    /// What is said of a media file.
    MediaMeta,
    /// Who may see a media file.
    Visibility,
    /// Who may see several media files.
    BulkVisibility,
    /// A media category, and the one it is in.
    NewCategory,
    /// The path that a media category shall have.
    CategoryName,
    /// The category that a media file shall have.
    CategoryOfFile,
}

/// Where a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Where the request was read: memory only.
    Inline,
    /// There first, and on a blocking thread when it says that it needs more.
    Adaptive,
    /// On a blocking thread: disk.
    Blocking,
}

/// A query parameter, for the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The JSON type of its value.
    pub kind: QueryKind,
    /// A sentence about it.
    pub about: &'static str,
}

/// What a query parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// A whole number from the given one on.
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

/// What a route answers when all went well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
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
    /// The bytes of a file.
    File,
    /// A picture.
    Picture,
    /// A small document outside the envelope.
    Plain,
}

impl Route {
    /// The names of its path parameters, in order; the one that takes the rest of the path begins
    /// with `*`.
    pub fn params(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'))
    }

    /// Whether it changes something.
    pub fn changes(&self) -> bool {
        matches!(self.access, Access::Token { .. })
    }

    /// Whether it changes one thing that is there, and so minds what its caller knows of it.
    pub fn is_conditional(&self) -> bool {
        let of_one = matches!(self.access, Access::Token { on: On::Entry | On::Schema, .. });
        of_one || (self.changes() && self.params().any(|it| it == "filename"))
    }

    /// Whether it belongs to the public API or its files.
    pub(super) fn is_public(&self) -> bool {
        !matches!(self.access, Access::Monitor | Access::Operator)
    }

    /// Whether it gives files rather than answers about them.
    pub(super) fn is_file(&self) -> bool {
        self.path.starts_with("/media")
    }
}
