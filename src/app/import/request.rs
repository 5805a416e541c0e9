//! The request of an import: the source, its format, and the options.

use crate::app::import::markdown::MarkdownOptions;
use crate::app::import::php::PhpOptions;
use crate::app::import::tables::TableFormat;
use crate::app::import::tables::TableOptions;
use crate::app::media::decode_budget::DecodeBudget;
use crate::model::media::UploadRules;
use crate::model::name::WorkspaceSlug;
use crate::store::source::ImportSource;

/// The format of a source, with its options.
#[derive(Clone, Debug)]
pub enum ImportKind {
    /// A table of one content type.
    Table(TableFormat, TableOptions),
    /// A folder of Markdown with front matter.
    Markdown(MarkdownOptions),
    /// A data folder of the PHP service whose API this is.
    Php(PhpOptions),
    /// An export of Contentful.
    Contentful,
    /// An export of Directus.
    Directus,
    /// An export of Strapi.
    Strapi,
    /// An export of WordPress.
    WordPress,
}

/// A request to import something.
pub struct ImportRequest<'a> {
    /// The workspace.
    pub workspace: &'a WorkspaceSlug,
    /// The format.
    pub kind: &'a ImportKind,
    /// The files.
    pub source: &'a dyn ImportSource,
    /// The rules for media files.
    pub rules: &'a UploadRules,
    /// The memory for decoding pictures.
    pub budget: &'a DecodeBudget,
    /// True if the old files of entries that change are kept as revisions here. A server does so by
    /// itself when it finds the new ones.
    pub keeps_revisions: bool,
    /// The id of the user in whose name entries are written; empty for the operator.
    pub by: &'a str,
    /// True if only content is imported: no users, roles, webhooks and settings.
    pub is_content_only: bool,
}
