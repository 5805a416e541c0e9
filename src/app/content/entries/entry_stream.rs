//! Entries written in the shape of one of the APIs: at once, or piece by piece while they are sent.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::access::Caller;
use crate::app::content::entries::admin_view::AdminRenderer;
use crate::app::content::entries::entry_rewriter::EntryRewriter;
use crate::engine::Engine;
use crate::model::content_type::ContentType;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::request::list_query::Shape;
use crate::stdx::json_indent::Indenter;

/// The number of entries that are touched together before they are written.
const LOOKED_AT: usize = 16;

/// About how many bytes a frame of a streamed answer has. Entries are cut where it ends.
const FRAME_BYTES: usize = 64 * 1024;

/// The bytes that may be written past the end of a frame: the last id and the tail.
const FRAME_SLACK_BYTES: usize = 1024;

/// The most entries that a frame begins: the parts of them that are sent may be short.
const FRAME_ENTRIES_MAX: usize = 512;

/// The number of bytes that are indented at once: each may become a line of its own.
const PIECE_BYTES: usize = 1024;

/// The body of an answer.
pub enum AnswerBody {
    /// All of it.
    Whole(Bytes),
    /// Made while it is sent.
    Streamed(Box<EntryStream>),
}

impl AnswerBody {
    /// Returns all of it.
    pub fn into_bytes(self) -> Bytes {
        match self {
            AnswerBody::Whole(bytes) => bytes,
            AnswerBody::Streamed(frames) => {
                let mut whole = Vec::new();
                frames.for_each(|it| whole.extend_from_slice(&it));
                whole.into()
            }
        }
    }
}

/// Writes entries in the shape of one of the APIs.
pub(super) enum EntryListWriter<'a> {
    Public(EntryWriter<'a>),
    /// With what `media=full` and `render=html` ask for.
    Rewritten(EntryWriter<'a>, Box<EntryRewriter<'a>>, &'a ContentType),
    Admin(AdminRenderer<'a>, &'a Engine),
}

impl<'a> EntryListWriter<'a> {
    /// Returns the writer of entries of the type at `place`: with files, in the shape of the admin
    /// API. The base URL is for addresses in HTML.
    pub(super) fn new(
        view: &'a View<'a>,
        caller: &'a Caller,
        shape: &'a Shape,
        place: usize,
        files: Option<&'a Engine>,
        base_url: &'a str,
    ) -> Option<EntryListWriter<'a>> {
        let Some(engine) = files else {
            let writer = EntryWriter::new(view, shape, place)?;
            let ty = &view.snapshot.types().get(place)?.content_type;
            return Some(match EntryRewriter::new(view, caller, shape, base_url) {
                Some(rewriter) => EntryListWriter::Rewritten(writer, Box::new(rewriter), ty),
                None => EntryListWriter::Public(writer),
            });
        };
        let rows = AdminRenderer::new(view, caller, shape, place, engine.clock().now())?;
        Some(EntryListWriter::Admin(rows, engine))
    }

    /// Touches entries that are written next (see [`EntryWriter::estimate_bytes`]).
    fn touch_entries(&self, page: &[Ordinal]) {
        match self {
            EntryListWriter::Public(writer) | EntryListWriter::Rewritten(writer, ..) => {
                writer.estimate_bytes(page);
            }
            // What it writes comes from files.
            EntryListWriter::Admin(..) => {}
        }
    }

    pub(super) fn write_entry(
        &self,
        ordinal: Ordinal,
        cursor: &mut RenderCursor<'_>,
        out: &mut Vec<u8>,
    ) {
        match self {
            EntryListWriter::Public(writer) => writer.write_entry(ordinal, cursor, out),
            EntryListWriter::Rewritten(writer, rewriter, ty) => {
                let mut entry = Vec::new();
                writer.write_entry(ordinal, cursor, &mut entry);
                out.extend(rewriter.rewrite_text(ty, &entry));
            }
            EntryListWriter::Admin(rows, engine) => _ = rows.write_active(engine, ordinal, out),
        }
    }
}

/// A long answer, written piece by piece while it is sent. It holds its own view of one moment, and
/// nothing of what it has written.
pub struct EntryStream {
    snapshot: Arc<Snapshot>,
    caller: Caller,
    shape: Shape,
    place: usize,
    /// The engine whose files entries are read from, for the admin API.
    files: Option<Arc<Engine>>,
    base_url: String,
    head: &'static [u8],
    page: std::vec::IntoIter<Ordinal>,
    tail: Vec<u8>,
    written: usize,
    /// The entry under way, …
    walk: RenderCursor<'static>,
    /// … or, where it was made at once, the rest of it.
    made: Bytes,
    indenter: Option<Indenter>,
    ended: bool,
}

impl EntryStream {
    /// These entries between two texts.
    pub(super) fn new(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        shape: Shape,
        place: usize,
        head: &'static [u8],
        page: Vec<Ordinal>,
        tail: Vec<u8>,
    ) -> EntryStream {
        EntryStream {
            snapshot: snapshot.clone(),
            caller: caller.clone(),
            indenter: shape.pretty.then(Indenter::default),
            shape,
            place,
            files: None,
            base_url: String::new(),
            head,
            page: page.into_iter(),
            tail,
            written: 0,
            walk: RenderCursor::default(),
            made: Bytes::new(),
            ended: false,
        }
    }

    /// In the shape of the admin API, with files.
    pub(super) fn with_files(self, files: Option<Arc<Engine>>) -> EntryStream {
        EntryStream { files, ..self }
    }

    /// With the base URL of addresses in HTML.
    pub(super) fn with_base_url(self, base_url: &str) -> EntryStream {
        EntryStream { base_url: base_url.to_string(), ..self }
    }

    /// Returns true if each frame takes no longer than a quick request: a few entries are copied
    /// from memory, without others that may be hidden and add nothing to the frame.
    pub fn is_quick(&self) -> bool {
        let shape = &self.shape;
        let is_copied = shape.include.branches.is_empty() && !shape.is_rewritten();
        is_copied && self.indenter.is_none() && self.files.is_none()
    }

    /// Appends what comes next, until `out` is about so long, or has begun enough entries.
    fn fill_buffer(
        &mut self,
        view: &View<'_>,
        rows: &EntryListWriter<'_>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) {
        let entries_end = self.written.saturating_add(FRAME_ENTRIES_MAX);
        while out.len() < bytes_max && self.written < entries_end && !self.ended {
            if !self.made.is_empty() {
                let room = self.made.len().min(bytes_max - out.len());
                out.extend_from_slice(&self.made.split_to(room));
            } else if !self.walk.is_done() {
                self.walk.run(view, out, bytes_max);
            } else {
                self.write_next_entry(rows, out);
            }
        }
    }

    fn write_next_entry(&mut self, rows: &EntryListWriter<'_>, out: &mut Vec<u8>) {
        if self.written.is_multiple_of(LOOKED_AT) {
            let near = self.page.as_slice();
            rows.touch_entries(near.get(..LOOKED_AT).unwrap_or(near));
        }
        let next = self.page.next();
        out.extend_from_slice(match next {
            _ if self.written == 0 => self.head,
            Some(_) => b",",
            None => b"",
        });
        self.written += 1;
        let Some(ordinal) = next else {
            out.extend_from_slice(&self.tail);
            self.ended = true;
            return;
        };
        match rows {
            EntryListWriter::Public(writer) => writer.begin_entry(ordinal, &mut self.walk),
            EntryListWriter::Rewritten(..) => {
                let mut made = Vec::new();
                rows.write_entry(ordinal, &mut RenderCursor::default(), &mut made);
                self.made = made.into();
            }
            EntryListWriter::Admin(rows, engine) => {
                let mut made = Vec::new();
                rows.write_active(engine, ordinal, &mut made);
                self.made = made.into();
            }
        }
    }
}

impl Iterator for EntryStream {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        // What the writer looks through while `self` moves on.
        let (snapshot, caller) = (self.snapshot.clone(), self.caller.clone());
        let shape = self.shape.clone();
        let view = View::new(&snapshot, caller.viewer(), shape.locale.as_deref());
        let files = self.files.clone();
        let (place, base_url) = (self.place, self.base_url.clone());
        let rows =
            EntryListWriter::new(&view, &caller, &shape, place, files.as_deref(), &base_url)?;
        let mut frame = Vec::with_capacity(FRAME_BYTES + FRAME_SLACK_BYTES);
        let Some(mut indenter) = self.indenter.take() else {
            self.fill_buffer(&view, &rows, &mut frame, FRAME_BYTES);
            return Some(frame.into());
        };
        let mut piece = Vec::with_capacity(PIECE_BYTES + FRAME_SLACK_BYTES);
        while frame.len() < FRAME_BYTES && !self.ended {
            piece.clear();
            self.fill_buffer(&view, &rows, &mut piece, PIECE_BYTES);
            indenter.push(&piece, &mut frame);
        }
        if self.ended {
            indenter.write_end(&mut frame);
        } else {
            self.indenter = Some(indenter);
        }
        Some(frame.into())
    }
}
