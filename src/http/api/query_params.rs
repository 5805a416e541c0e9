//! Query parameters that several routes know.

use crate::app::content::future::AT_PARAM;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::request::route::CHANGE_PARAM;
use crate::http::request::route::DRY_RUN_PARAM;
use crate::http::request::route::GUARD_PARAM;
use crate::http::request::route::PRETTY;
use crate::http::request::route::PREVIEW_PARAM;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::query;

pub(crate) const LIMIT: QueryParam = query(
    "limit",
    QueryKind::Count(1),
    "The maximum number of items; without it, all are returned.",
);
pub(crate) const OFFSET: QueryParam =
    query("offset", QueryKind::Count(0), "The number of items to skip.");
pub(crate) const ORDER: QueryParam =
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The direction of keys without `-`.");
pub(crate) const LOCALE: QueryParam = query(
    "locale",
    QueryKind::Text,
    "The locale of title and values, for localized types. A missing value falls back to the \
     default \
     locale, then to the value at the top of the file. `de-AT` is answered in `de` if the type has \
     no `de-AT`. A locale that the type does not have is ignored with a warning.",
);
/// The locale where answers have no warnings.
pub(crate) const LOCALE_OF_STORED: QueryParam = query(
    "locale",
    QueryKind::Text,
    "The locale of title and values, for localized types. A missing value falls back to the \
     default \
     locale, then to the value at the top of the file. A locale that the type does not have is \
     ignored.",
);
pub(crate) const INCLUDE: QueryParam = query(
    "include",
    QueryKind::Text,
    "Relation fields to expand, separated by commas. Replaces each id by the entry, as this caller \
     sees it, in the same locale. Dots go deeper (`author.company`), up to 5 levels. A name that is \
     not a relation is ignored with a warning.",
);
pub(crate) const FULL_MEDIA: QueryParam = query(
    "media",
    QueryKind::OneOf(&["full"]),
    "`full` shows media items in the place of media URLs, in included entries too. A file that the \
     caller may not see, or that is gone, is an object with its `url` alone.",
);
pub(crate) const RENDER: QueryParam = query(
    "render",
    QueryKind::OneOf(&["html"]),
    "`html` adds `data_html`: the HTML of the Markdown in `data`, in the same places, with ids of \
     headings and with pictures in several sizes. It is harmless: scripts and the like are removed. \
     Lists of up to 500 entries.",
);
pub(crate) const FIELDS: QueryParam =
    query("fields", QueryKind::Text, "The fields of `data` to return, separated by commas.");

/// The change that a request reads.
const CHANGE: QueryParam = query(
    CHANGE_PARAM,
    QueryKind::Text,
    "The id of a change (a release), or `pending` for the own drafts: the answer shows it as if it \
     were live. Takes a permission to read every entry of the change.",
);
/// The change that a request writes into.
const CHANGE_OF_WRITE: QueryParam = query(
    CHANGE_PARAM,
    QueryKind::Text,
    "The id of a change (a release), or `pending` for the own drafts: what is written is proposed \
     there, and nothing live changes.",
);
const PREVIEW: QueryParam = query(
    PREVIEW_PARAM,
    QueryKind::Text,
    "The token of a preview link: the answer shows its change as if it were live, to an anonymous \
     reader.",
);

/// The moment that a request looks ahead to.
const AT: QueryParam = query(
    AT_PARAM,
    QueryKind::Text,
    "A time in the future: the answer shows what will be public then, by the schedule of entries \
     and by planned changes. Takes a permission to read all entries of a type; others stay as they \
     are now.",
);

const SORT_OF_ENTRIES: QueryParam = query(
    "sort",
    QueryKind::Text,
    "Up to 8 sort keys, separated by commas, with `-` in front for descending (`-date,title`): \
     keys \
     of the entry, or fields, with dots into objects. The default is `-created_at`; ties are broken \
     by id, so paging is stable.",
);
const SEARCH: QueryParam = query(
    "q",
    QueryKind::Text,
    "Words that must all occur in title, slug or any text, nested texts included. Search ignores \
     case and accents and finds parts of words.",
);
const FILTER: QueryParam = query(
    "filter",
    QueryKind::Filter,
    "`filter[field]=value` or `filter[field][operator]=value`; all filters must match.",
);
const COUNTS: QueryParam = query(
    "counts",
    QueryKind::OneOf(&["status"]),
    "Adds `meta.counts`: the number of matching entries by status.",
);
const LENIENT: QueryParam =
    query("lenient", QueryKind::Flag, "Turns mistakes in filters and sort keys into warnings.");

#[rustfmt::skip]
pub(crate) const ENTRIES_QUERY: &[QueryParam] = &[
    LIMIT, OFFSET, SORT_OF_ENTRIES, ORDER, SEARCH, FILTER,
    INCLUDE, LOCALE, FIELDS, FULL_MEDIA, RENDER, COUNTS, LENIENT, CHANGE, PREVIEW, AT, PRETTY,
];
pub(crate) const ENTRY_QUERY: &[QueryParam] =
    &[INCLUDE, LOCALE, FIELDS, FULL_MEDIA, RENDER, CHANGE, PREVIEW, AT, PRETTY];
/// The parameters of views, which say the others themselves.
pub(crate) const VIEW_QUERY: &[QueryParam] = &[CHANGE, PREVIEW, AT, PRETTY];
/// The parameters of lists of the admin API, which shows entries as their files hold them.
#[rustfmt::skip]
pub(crate) const ADMIN_ENTRIES_QUERY: &[QueryParam] = &[
    LIMIT, OFFSET, SORT_OF_ENTRIES, ORDER, SEARCH, FILTER,
    INCLUDE, LOCALE, FIELDS, COUNTS, LENIENT, CHANGE, AT, PRETTY,
];
pub(crate) const ADMIN_ENTRY_QUERY: &[QueryParam] = &[INCLUDE, LOCALE, FIELDS, CHANGE, AT, PRETTY];
const LOCALE_OF_ANSWER: QueryParam = query(
    "locale",
    QueryKind::Text,
    "The locale of the answer; by default the locale of the body.",
);
/// The parameters of requests that can be tried without an effect.
pub(crate) const DRY_RUN_QUERY: &[QueryParam] = &[
    query(DRY_RUN_PARAM, QueryKind::Flag, "Reports what would happen, without doing it."),
    PRETTY,
];
const GUARD: QueryParam =
    query(GUARD_PARAM, QueryKind::Flag, "Deletes nothing that another entry refers to.");
pub(crate) const WRITTEN_QUERY: &[QueryParam] = &[LOCALE_OF_ANSWER, CHANGE_OF_WRITE, PRETTY];
pub(crate) const DELETED_QUERY: &[QueryParam] = &[GUARD, CHANGE_OF_WRITE, PRETTY];
/// The parameters of changes that always go live.
pub(crate) const WRITTEN_LIVE_QUERY: &[QueryParam] = &[LOCALE_OF_ANSWER, PRETTY];
pub(crate) const DELETED_LIVE_QUERY: &[QueryParam] = &[GUARD, PRETTY];
#[rustfmt::skip]
pub(crate) const MEDIA_QUERY: &[QueryParam] = &[
    query("q", QueryKind::Text, "A text that filenames must contain."),
    query("category", QueryKind::Text, "A category with its subcategories; empty for files without a category."),
    LIMIT, OFFSET,
    query("sort", QueryKind::OneOf(&["uploaded_at", "-uploaded_at", "name", "-name", "size", "-size"]), "The sort key."),
    ORDER, PRETTY,
];
pub(crate) const OPENAPI_QUERY: &[QueryParam] = &[query(
    "profile",
    QueryKind::OneOf(OpenApiProfile::NAMES),
    "`simple` leaves out `include` and `media`: relations are ids, and media files are URLs.",
)];
const VERSION: QueryParam =
    query("v", QueryKind::Text, "The file's `etag`: caches may then keep the answer for ever.");
pub(crate) const THUMBNAIL_QUERY: &[QueryParam] = &[VERSION];
#[rustfmt::skip]
pub(crate) const FILE_QUERY: &[QueryParam] = &[
    VERSION,
    query("w", QueryKind::Count(1), "The width of a picture in pixels, at most 3840; rounded up to 64, 96, 128, 160, 192, 256, 320, 384, 480, 640, 768, 960, 1280, 1600, 1920, 2560 or 3840. A picture is never made larger."),
    query("h", QueryKind::Count(1), "The height, rounded up in the same way."),
    query("fit", QueryKind::OneOf(&["cover", "contain", "inside"]), "`cover`, the default, fills both sides and cuts the rest, around the focal point; `contain` adds a margin; `inside` shows all of the picture within both sides."),
    query("q", QueryKind::Count(1), "The quality of a JPEG, at most 95; rounded up to 30, 50, 65, 75, 82, 90 or 95. The default is 82."),
    query("format", QueryKind::OneOf(&["auto", "jpeg", "webp", "png"]), "`auto`, the default, is the smallest one that the client accepts."),
    query("preset", QueryKind::Text, "The name of a size in the settings (`images.presets`), instead of the parameters above."),
];

pub(crate) const UPLOAD_QUERY: &[QueryParam] = &[
    query(
        "keep_names",
        QueryKind::Flag,
        "Each file keeps its name. A name that is taken is 409, one that does not fit the content 422.",
    ),
    PRETTY,
];
pub(crate) const STORED_FILES_QUERY: &[QueryParam] = &[
    query("content", QueryKind::Flag, "Adds the content of JSON files."),
    query(
        "paths",
        QueryKind::Text,
        "The paths of the files to return, below the workspace, separated by `|`; all if left out.",
    ),
];

const TYPES: QueryParam = query(
    "types",
    QueryKind::Text,
    "The content types to return, separated by commas, with their entries and without media files.",
);
const LOCALE_OF_BUNDLE: QueryParam = query(
    "locale",
    QueryKind::Text,
    "Returns each entry once, in this locale, as `locale` does on other routes. Without it, an \
     entry \
     is returned in every locale that it has.",
);
const SINCE: QueryParam = query(
    "since",
    QueryKind::Text,
    "The cursor of what the caller has, from the last line of a bundle or of an earlier answer. \
     The \
     other parameters must be those of the bundle.",
);
pub(crate) const BUNDLE_QUERY: &[QueryParam] = &[TYPES, LOCALE_OF_BUNDLE, FULL_MEDIA];
pub(crate) const SYNC_QUERY: &[QueryParam] = &[
    SINCE,
    query(
        "wait",
        QueryKind::Count(0),
        "Seconds, at most 60, to wait for a change if there is none.",
    ),
    TYPES,
    LOCALE_OF_BUNDLE,
    FULL_MEDIA,
];
pub(crate) const EVENTS_QUERY: &[QueryParam] = &[
    query(
        "since",
        QueryKind::Text,
        "The same as the header `Last-Event-ID`: the cursor of what the caller has. Without it, \
         the \
         stream begins with what happens from now on.",
    ),
    query(
        "wait",
        QueryKind::OneOf(&["0", "1"]),
        "`0` returns what the caller has missed and ends the stream.",
    ),
    TYPES,
    LOCALE_OF_BUNDLE,
    FULL_MEDIA,
];
pub(crate) const SITEMAP_QUERY: &[QueryParam] = &[query(
    "part",
    QueryKind::Count(1),
    "The part of a long sitemap, with at most 50,000 pages and 12 MiB. Without it, such a sitemap \
     lists its parts.",
)];

/// The parameters of lists of users, roles and tokens.
pub(crate) const RECORDS_QUERY: &[QueryParam; 6] = &[
    LIMIT,
    OFFSET,
    query("sort", QueryKind::Text, "The sort key; `-` in front reverses the order."),
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The direction of the order."),
    query("q", QueryKind::Text, "Words that must occur in names."),
    PRETTY,
];
