//! A page of the revisions of an entry or a media file.

/// A page of revisions.
pub struct RevisionPage<R> {
    /// The revisions, newest first.
    pub revisions: Vec<R>,
    /// The total number.
    pub total: usize,
    /// The requested limit.
    pub limit: usize,
    /// The number of revisions before the page.
    pub offset: usize,
}
