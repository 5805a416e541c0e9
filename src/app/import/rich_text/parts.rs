//! The parts of formatted texts.

/// A part of a formatted text.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app::import) enum RichBlock {
    /// A paragraph.
    Paragraph(Vec<RichInline>),
    /// A heading of a level from 1 to 6.
    Heading(usize, Vec<RichInline>),
    /// A list; true if its items have numbers.
    List(bool, Vec<Vec<RichBlock>>),
    /// A quotation.
    Quote(Vec<RichBlock>),
    /// Code, with its language.
    Code(String, String),
    /// A rule between parts.
    Rule,
    /// A picture: its alternative text and its address.
    Picture(String, String),
    /// A table of rows with cells. The first row has the names of the columns.
    Table(Vec<Vec<Vec<RichInline>>>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app::import) enum RichInline {
    /// A text with its marks.
    Text(String, RichMarks),
    /// A link: its address and its content.
    Link(String, Vec<RichInline>),
}

/// The marks of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app::import) struct RichMarks {
    pub(in crate::app::import) bold: bool,
    pub(in crate::app::import) italic: bool,
    pub(in crate::app::import) strike: bool,
    pub(in crate::app::import) code: bool,
    pub(in crate::app::import) underline: bool,
    pub(in crate::app::import) subscript: bool,
    pub(in crate::app::import) superscript: bool,
}

/// The line breaks of a text that stands on one line of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBreaks {
    /// They are kept.
    Kept,
    /// They become spaces, as in headings.
    Spaces,
    /// They become elements of HTML, and bars are escaped, as in tables.
    Elements,
}
