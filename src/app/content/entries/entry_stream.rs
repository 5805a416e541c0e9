//! Entries written in the shape of one of the APIs: at once, or piece by piece while they are sent.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::access::Caller;
use crate::app::content::entries::admin_view::AdminRenderer;
use crate::app::content::entries::entry_rewriter::EntryRewriter;
use crate::app::content::large_frames::LargeFrameSlot;
use crate::app::content::large_frames::LargeFrames;
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

/// The same for a quick frame of an answer with a [`LargeFrameSlot`]: the client is woken less
/// often.
const LARGE_FRAME_BYTES: usize = 256 * 1024;

/// The bytes that may be written past the end of a frame: the last id and the tail.
const FRAME_SLACK_BYTES: usize = 1024;

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
        self.kept_bytes(page);
    }

    /// Returns the size of these entries as they are kept.
    fn kept_bytes(&self, page: &[Ordinal]) -> usize {
        match self {
            EntryListWriter::Public(writer) | EntryListWriter::Rewritten(writer, ..) => {
                writer.estimate_bytes(page)
            }
            // What it writes comes from files.
            EntryListWriter::Admin(..) => 0,
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

/// The end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameLimit {
    /// About 64 KiB that are sent.
    Bytes,
    /// About 64 KiB that are sent, or 256 with a [`LargeFrameSlot`]. The frame also ends after as
    /// many bytes of entries that are looked through, and before an entry of more than 64 KiB. So
    /// it is made as fast as a quick request is answered, whatever becomes of its links. At most
    /// 128 KiB more are looked through, with the entry under way and the last one.
    Quick,
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
    /// The size of the entry under way as it is kept.
    entry_bytes: usize,
    /// True if the next frame can be quick.
    is_next_quick: bool,
    indenter: Option<Indenter>,
    /// The slots for large frames, if this answer may have them.
    large_frames: Option<LargeFrames>,
    /// The slot, which is taken for the first quick frame, and kept until the client has read the
    /// last frame.
    large_slot: Option<LargeFrameSlot>,
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
            entry_bytes: 0,
            is_next_quick: false,
            large_frames: None,
            large_slot: None,
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

    /// With large frames while they are quick and there is a slot.
    pub(super) fn with_large_frames(self, large_frames: &LargeFrames) -> EntryStream {
        EntryStream { large_frames: Some(large_frames.clone()), ..self }
    }

    /// Returns true if the next frame can be [`FrameLimit::Quick`].
    pub fn is_next_quick(&self) -> bool {
        self.is_next_quick
    }

    /// Makes the next frame.
    pub fn make_frame(&mut self, limit: FrameLimit) -> Option<Bytes> {
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
        if limit == FrameLimit::Quick && self.large_slot.is_none() {
            self.large_slot = self.large_frames.as_ref().and_then(LargeFrames::try_acquire);
        }
        let bytes_max = self.frame_bytes(limit);
        let mut frame = Vec::with_capacity(bytes_max + FRAME_SLACK_BYTES);
        let Some(mut indenter) = self.indenter.take() else {
            self.fill_buffer(&view, &rows, &mut frame, bytes_max, limit);
            self.is_next_quick = self.is_copied_next(&view, &rows);
            if frame.len() < bytes_max / 2 {
                // A client that does not read may make many of them wait.
                frame.shrink_to_fit();
            }
            return Some(frame.into());
        };
        let mut piece = Vec::with_capacity(PIECE_BYTES + FRAME_SLACK_BYTES);
        while frame.len() < bytes_max && !self.ended {
            piece.clear();
            self.fill_buffer(&view, &rows, &mut piece, PIECE_BYTES, limit);
            indenter.push(&piece, &mut frame);
        }
        if self.ended {
            indenter.write_end(&mut frame);
        } else {
            self.indenter = Some(indenter);
        }
        Some(frame.into())
    }

    /// Returns about how many bytes a frame with this limit has.
    fn frame_bytes(&self, limit: FrameLimit) -> usize {
        match (limit, &self.large_slot) {
            (FrameLimit::Quick, Some(_)) => LARGE_FRAME_BYTES,
            _ => FRAME_BYTES,
        }
    }

    /// Returns true if the next frame is copied from short entries.
    fn is_copied_next(&self, view: &View<'_>, rows: &EntryListWriter<'_>) -> bool {
        let is_copied = matches!(rows, EntryListWriter::Public(_))
            && self.shape.fields.is_none()
            && self.shape.include.branches.is_empty();
        is_copied
            && (self.walk.is_done() || self.entry_bytes <= FRAME_BYTES)
            && self.next_bytes(rows) <= FRAME_BYTES
            && !view.decides_by_rows(self.place)
    }

    /// Returns the size of the next entry as it is kept.
    fn next_bytes(&self, rows: &EntryListWriter<'_>) -> usize {
        rows.kept_bytes(self.page.as_slice().get(..1).unwrap_or_default())
    }

    /// Appends what comes next, until `out` is about so long or the limit is reached.
    fn fill_buffer(
        &mut self,
        view: &View<'_>,
        rows: &EntryListWriter<'_>,
        out: &mut Vec<u8>,
        bytes_max: usize,
        limit: FrameLimit,
    ) {
        let mut looked_through = 0_usize;
        while out.len() < bytes_max && !self.ended {
            if !self.made.is_empty() {
                let room = self.made.len().min(bytes_max - out.len());
                out.extend_from_slice(&self.made.split_to(room));
            } else if !self.walk.is_done() {
                self.walk.run(view, out, bytes_max);
            } else {
                let bytes = self.next_bytes(rows);
                let is_enough = looked_through > self.frame_bytes(limit) || bytes > FRAME_BYTES;
                if limit == FrameLimit::Quick && !out.is_empty() && is_enough {
                    return;
                }
                self.entry_bytes = bytes;
                looked_through = looked_through.saturating_add(bytes);
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
        self.make_frame(FrameLimit::Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;
    use crate::stdx::json::Json;

    const TYPE: &str = r#"{"fields":{"body":{"type":"markdown"},
        "friends":{"type":"relation","target":"posts","multiple":true}}}"#;

    fn file(status: &str, n_text: usize, n_hidden: usize) -> String {
        let (text, friends) = ("x".repeat(n_text), vec!["\"hidden\""; n_hidden].join(","));
        format!(
            r#"{{"title":"T","status":"{status}","data":{{"body":"{text}","friends":[{friends}]}}}}"#
        )
    }

    /// 60 usual entries, 60 of 20 KB whose links all vanish, one that is long, and 60 usual ones.
    fn long_list() -> (Arc<Snapshot>, Vec<Ordinal>) {
        let ty = content_type("posts", TYPE);
        let (usual, vanishing) = (file("published", 3_000, 0), file("published", 10, 2_200));
        let (long, hidden) = (file("published", 300_000, 0), file("draft", 0, 0));
        let of_number = |it: usize| match it {
            60..120 => &vanishing,
            120 => &long,
            _ => &usual,
        };
        let ids: Vec<String> = (0..181).map(|it| format!("e{it:03}")).collect();
        let files = ids.iter().zip(0..).map(|(id, it)| (id.as_str(), of_number(it).as_str()));
        let files: Vec<(&str, &str)> = files.chain([("hidden", hidden.as_str())]).collect();
        let posts = index(&ty, &files);
        let page = ids.iter().map(|it| posts.find_ordinal(it).unwrap()).collect();
        (Arc::new(snapshot(vec![posts])), page)
    }

    /// A stream of this list, with large frames or without.
    fn stream(
        (snapshot, page): &(Arc<Snapshot>, Vec<Ordinal>),
        shape: Shape,
        is_large: bool,
    ) -> EntryStream {
        let (page, tail) = (page.clone(), b"]".to_vec());
        let frames = EntryStream::new(snapshot, &Caller::Anonymous, shape, 0, b"[", page, tail);
        if is_large { frames.with_large_frames(&LargeFrames::default()) } else { frames }
    }

    #[test]
    fn a_quick_frame_looks_through_a_bounded_part() {
        let list = long_list();
        for (is_large, bytes_max, n_vanishing_max) in
            [(false, FRAME_BYTES, 5), (true, LARGE_FRAME_BYTES, 14)]
        {
            let mut frames = stream(&list, Shape::default(), is_large);
            let (mut whole, mut n_quick, mut longest) = (Vec::new(), 0, 0);
            loop {
                let (is_quick, before) = (frames.is_next_quick(), frames.written);
                let limit = if is_quick { FrameLimit::Quick } else { FrameLimit::Bytes };
                let Some(frame) = frames.make_frame(limit) else { break };
                assert!(!frame.is_empty());
                assert!(frame.len() <= if is_quick { bytes_max } else { FRAME_BYTES } + 4_096);
                longest = longest.max(frame.len());
                whole.extend_from_slice(&frame);
                if is_quick {
                    n_quick += 1;
                    let begun = before..frames.written.min(181);
                    assert!(!begun.contains(&120), "the long entry is in a quick frame");
                    let n_vanishing = begun.filter(|it| (60..120).contains(it)).count();
                    assert!(n_vanishing <= n_vanishing_max, "{n_vanishing} without a trace");
                }
            }
            assert!(longest > bytes_max / 2, "{longest}");
            assert!(n_quick > if is_large { 4 } else { 10 }, "{n_quick} quick frames");
            let Json::Array(entries) = Json::parse(&whole).unwrap() else { panic!("no list") };
            assert_eq!(entries.len(), 181);
        }
    }

    #[test]
    fn what_is_not_copied_is_never_quick_and_takes_no_slot() {
        let list = long_list();
        let pretty = Shape { pretty: true, ..Shape::default() };
        let fields = Shape { fields: Some(vec![0]), ..Shape::default() };
        for shape in [pretty, fields] {
            let mut slow = stream(&list, shape, true);
            while !slow.ended {
                assert!(!slow.is_next_quick());
                slow.next();
                assert!(slow.large_slot.is_none());
            }
        }
    }
}
