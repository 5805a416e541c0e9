//! The options of a folder of Markdown.

/// The options of a folder of Markdown.
#[derive(Clone, Debug, Default)]
pub struct MarkdownOptions {
    /// The status of entries that are no drafts; `published` unless given.
    pub status: Option<String>,
    /// The locale of texts without one in their name.
    pub locale: Option<String>,
}
