//! Routes as plain data: read by the router, the lifecycle, the OpenAPI document, the metrics and
//! the test that every route has its scenarios.

use http::Method;

use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::model::category::CategoryPath;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Resource;
use crate::model::media::UploadRules;

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
    /// Whether it is about the workspace that its header names; those of the public API have it in
    /// their path.
    pub scoped: bool,
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
    /// It keeps a core busy for long: call again in the lane for that.
    NeedsLane,
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
    /// Whoever is about to log in.
    Visitor,
    /// Whoever is logged in and is granted this action, if it needs one.
    Session {
        /// The action; none where the rows of the answer, or whose they are, decide.
        action: Option<Action>,
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
    /// Things of the installation.
    Area(Area),
}

impl On {
    /// As grants name it, with the parameters of the path.
    pub fn template(self) -> &'static str {
        match self {
            On::Area(area) => area.whole(),
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
        if let On::Area(area) = self {
            // These are in no workspace.
            return Ok(call.caller.could("", action, &Resource::Whole(area)));
        }
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
            On::Area(_) => false,
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
    Upload(Form),
}

/// A form with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Media files, and the category they go to.
    Media,
    /// The picture of a user.
    Avatar,
    /// The picture of a workspace.
    Icon,
    /// A backup.
    Backup,
}

const MIB: u64 = 1024 * 1024;

impl Form {
    /// The field with the files; several go by this name with `[]` behind it.
    pub fn field(self) -> &'static str {
        match self {
            Form::Media => "media",
            Form::Avatar => "avatar",
            Form::Icon => "icon",
            Form::Backup => "backup",
        }
    }

    /// How large one file may be, in bytes.
    pub(super) fn file_bytes_max(self, rules: &UploadRules) -> u64 {
        match self {
            Form::Media => rules.file_bytes_max,
            Form::Avatar => 5 * MIB,
            Form::Icon => 10 * MIB,
            Form::Backup => 2_048 * MIB,
        }
    }

    /// How large the whole form may be, in bytes.
    pub(super) fn body_bytes_max(self) -> u64 {
        match self {
            Form::Media => 1_024 * MIB,
            Form::Avatar => 6 * MIB,
            Form::Icon => 11 * MIB,
            Form::Backup => 2_049 * MIB,
        }
    }
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
    /// What the admin API calls by this name.
    Admin(&'static str),
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
    /// In the lane for what keeps a core busy for long.
    Lane,
    /// On one of a few that log people in: hashing is slow, and whoever guesses passwords keeps
    /// nobody else waiting.
    Door,
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
    /// Events, as they happen.
    Events,
    /// `{data}` with what the admin API calls by this name.
    Admin(&'static str),
    /// `{data: […], meta}` with what the admin API calls by this name.
    AdminList(&'static str),
}

impl Route {
    /// The names of its path parameters, in order; the one that takes the rest of the path begins
    /// with `*`.
    pub fn params(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|it| {
            let (_, rest) = it.split_once('{')?;
            rest.split_once('}').map(|(name, _)| name)
        })
    }

    /// The action it needs, and what that is taken on.
    pub fn needs(&self) -> Option<(Action, On)> {
        match self.access {
            Access::Guest { action, on }
            | Access::Token { action, on }
            | Access::Session { action: Some(action), on } => Some((action, on)),
            _ => None,
        }
    }

    /// Whether it changes something.
    pub fn changes(&self) -> bool {
        !self.method.is_safe()
    }

    /// Whether it changes one thing that is there, and so minds what its caller knows of it.
    pub fn is_conditional(&self) -> bool {
        let of_one = matches!(self.needs(), Some((_, On::Entry | On::Schema)));
        self.changes() && (of_one || self.params().any(|it| it == "filename"))
    }

    /// Whether it belongs to the admin API.
    pub fn is_admin(&self) -> bool {
        matches!(self.access, Access::Session { .. } | Access::Visitor)
    }

    /// Whether it belongs to the public API or its files.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.access, Access::Open | Access::Guest { .. } | Access::Token { .. })
    }

    /// Whether what it gives is compressed already, as far as it should be.
    pub(super) fn is_packed(&self) -> bool {
        self.path.starts_with("/admin/_/")
    }

    /// Whether it gives the web interface or one of its files.
    pub(super) fn is_interface(&self) -> bool {
        self.path.starts_with("/admin") && !self.is_admin()
    }

    /// Whether it gives files rather than answers about them.
    pub(super) fn is_file(&self) -> bool {
        self.path.starts_with("/media")
    }
}

/// How large a JSON body may be.
pub(super) const JSON_BYTES_MAX: u64 = 2 * MIB;

/// How many values it may have, each array and object counted and everything in it: a few bytes of
/// text can be a hundred in memory.
pub(super) const JSON_VALUES_MAX: usize = 200_000;

pub(super) const fn query(name: &'static str, kind: QueryKind, about: &'static str) -> Query {
    Query { name, kind, about }
}

/// Indents the answer.
pub(super) const PRETTY: Query = query("pretty", QueryKind::Flag, "Indents the answer.");
const PLAIN_QUERY: &[Query] = &[PRETTY];

#[rustfmt::skip]
pub(super) fn get(name: &'static str, path: &'static str, access: Access, handler: Handler) -> Route {
    Route {
        index: 0, name, method: Method::GET, path, access, body: Body::None, scoped: false, query: &[],
        gives: Gives::Plain, creates: false, run: Run::Inline, summary: "", handler,
    }
}

/// A row of a route that changes something: on a blocking thread, for the disk is written.
fn change(name: &'static str, path: &'static str, access: Access, handler: Handler) -> Route {
    Route { run: Run::Blocking, query: PLAIN_QUERY, ..get(name, path, access, handler) }
}

pub(super) fn post(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Route {
    Route { method: Method::POST, ..change(name, path, access, handler) }
}

pub(super) fn put(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Route {
    Route { method: Method::PUT, ..change(name, path, access, handler) }
}

pub(super) fn patch(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Route {
    Route { method: Method::PATCH, ..change(name, path, access, handler) }
}

pub(super) fn delete(
    name: &'static str,
    path: &'static str,
    access: Access,
    handler: Handler,
) -> Route {
    Route { method: Method::DELETE, ..change(name, path, access, handler) }
}

/// What the rows of the tables say beside name, path, access and handler.
impl Route {
    pub(super) fn takes(self, takes: Takes) -> Route {
        Route { body: Body::Json { bytes_max: JSON_BYTES_MAX, takes }, ..self }
    }

    pub(super) fn uploads(self, form: Form) -> Route {
        Route { body: Body::Upload(form), ..self }
    }

    pub(super) fn creates(self, gives: Gives) -> Route {
        Route { gives, creates: true, ..self }
    }

    pub(super) fn query(self, query: &'static [Query]) -> Route {
        Route { query, ..self }
    }

    pub(super) fn gives(self, gives: Gives) -> Route {
        Route { gives, ..self }
    }

    pub(super) fn runs(self, run: Run) -> Route {
        Route { run, ..self }
    }

    pub(super) fn scoped(self) -> Route {
        Route { scoped: true, ..self }
    }

    pub(super) fn about(self, summary: &'static str) -> Route {
        Route { summary, ..self }
    }
}
