//! The lines of a bundle or of what changed, written while they are sent: however many there are,
//! they take the same memory.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::cache_tags::CacheTags;
use crate::app::content::content_types;
use crate::app::content::entries::EntryRewriter;
use crate::app::content::sync::cursor::Cursor;
use crate::app::content::sync::lines;
use crate::app::content::sync::lines::LineFormat;
use crate::app::content::sync::scope::Scope;
use crate::app::media;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::inventory::entry_part::EntryPart;
use crate::query::inventory::section::SectionChange;
use crate::query::inventory::section::SectionKey;
use crate::query::inventory::section::SectionKind;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::render::render_cursor::RenderCursor;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;

/// About how many bytes a frame has. Entries are cut where it ends.
const FRAME_BYTES: usize = 64 * 1024;

/// The bytes that may be written past the end of a frame.
const FRAME_SLACK_BYTES: usize = 4 * 1024;

/// The lines of one moment, for one reader.
pub struct LineStream {
    snapshot: Arc<Snapshot>,
    caller: Caller,
    shape: Shape,
    format: LineFormat,
    cursor: Cursor,
    /// The tags of answers to anonymous readers that are stale.
    purged: Option<CacheTags>,
    warnings: Vec<String>,
    parts: VecDeque<LinePart>,
    /// The entry under way.
    walk: RenderCursor<'static>,
    is_in_entry: bool,
    ended: bool,
}

/// Lines of one kind that are not written yet.
enum LinePart {
    Gone(SectionKey, std::vec::IntoIter<Box<str>>),
    Types(std::vec::IntoIter<Box<str>>),
    Media(std::vec::IntoIter<Box<str>>),
    /// All entries of a part, listed when their turn comes.
    AllEntries(EntryPart),
    Entries(EntryPart, std::vec::IntoIter<Ordinal>),
}

impl LineStream {
    /// Writes everything that the reader sees.
    pub(super) fn of_everything(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        scope: &Scope,
        cursor: Cursor,
        warnings: &[String],
    ) -> LineStream {
        let mut parts = VecDeque::new();
        let types = content_types::list(snapshot, caller);
        let names = types.iter().map(|it| it.content_type.name.as_str());
        let names: Vec<Box<str>> = names.filter(|it| scope.has_type(it)).map(Box::from).collect();
        parts.push_back(LinePart::Types(names.into_iter()));
        if scope.has_media() {
            let sees = media::visibility_filter(snapshot, caller);
            let seen = snapshot.media.iter().filter(|it| sees(it));
            let mut names: Vec<Box<str>> = seen.map(|it| it.filename.as_str().into()).collect();
            names.sort_unstable();
            parts.push_back(LinePart::Media(names.into_iter()));
        }
        let entries = EntryPart::list(snapshot, scope.locale.as_deref());
        let asked = entries.into_iter().filter(|it| scope.has_type(&it.key.type_name));
        parts.extend(asked.map(LinePart::AllEntries));
        LineStream::new(snapshot, caller, scope, LineFormat::Lines, cursor, warnings, parts)
    }

    /// Writes what changed, of what is asked for: first what is gone.
    pub(super) fn of_changes(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        scope: &Scope,
        changes: Vec<SectionChange>,
        cursor: Cursor,
        format: LineFormat,
        warnings: &[String],
    ) -> LineStream {
        // Others see something else than the readers of kept answers.
        let is_kept = caller.is_anonymous();
        let purged = is_kept.then(|| CacheTags::of_changes(snapshot, &changes));
        let (mut gone, mut shown) = (VecDeque::new(), VecDeque::new());
        let entries = EntryPart::list(snapshot, scope.locale.as_deref());
        for change in changes {
            let mut names: Vec<Box<str>> = change.shown.into_iter().map(|(it, _)| it).collect();
            names.sort_unstable();
            match change.key.kind {
                SectionKind::Categories => continue,
                SectionKind::Types => shown.push_back(LinePart::Types(names.into_iter())),
                SectionKind::Media => shown.push_back(LinePart::Media(names.into_iter())),
                SectionKind::Entries => {
                    if let Some(part) = entries.iter().find(|it| it.key == change.key) {
                        let view = part.view(snapshot, caller.viewer());
                        let found = names.iter().filter_map(|it| part.find(&view, it));
                        let found: Vec<Ordinal> = found.collect();
                        shown.push_back(LinePart::Entries(part.clone(), found.into_iter()));
                    }
                }
            }
            let mut names = change.gone;
            names.sort_unstable();
            gone.push_back(LinePart::Gone(change.key, names.into_iter()));
        }
        gone.extend(shown);
        let stream = LineStream::new(snapshot, caller, scope, format, cursor, warnings, gone);
        LineStream { purged, ..stream }
    }

    fn new(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        scope: &Scope,
        format: LineFormat,
        cursor: Cursor,
        warnings: &[String],
        parts: VecDeque<LinePart>,
    ) -> LineStream {
        LineStream {
            snapshot: snapshot.clone(),
            caller: caller.clone(),
            shape: scope.shape.clone(),
            format,
            cursor,
            purged: None,
            warnings: warnings.to_vec(),
            parts,
            walk: RenderCursor::default(),
            is_in_entry: false,
            ended: false,
        }
    }

    /// Returns the cursor of the state that the reader has after the last line.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Returns the next frame, until all is written.
    pub fn next_frame(&mut self, app: &App) -> Option<Bytes> {
        if self.ended {
            return None;
        }
        let mut frame = Vec::with_capacity(FRAME_BYTES + FRAME_SLACK_BYTES);
        while frame.len() < FRAME_BYTES && !self.ended {
            let Some(part) = self.parts.pop_front() else {
                let purged = self.purged.as_ref().map_or(&[][..], |it| it.list());
                lines::write_end(self.format, self.cursor, purged, &self.warnings, &mut frame);
                self.ended = true;
                break;
            };
            if let Some(rest) = self.write_part(app, part, &mut frame) {
                self.parts.push_front(rest);
            }
        }
        Some(frame.into())
    }

    /// Writes lines of a part until the frame is full. Returns the rest of it.
    fn write_part(&mut self, app: &App, part: LinePart, out: &mut Vec<u8>) -> Option<LinePart> {
        match part {
            LinePart::Gone(key, mut names) => {
                while out.len() < FRAME_BYTES {
                    lines::write_gone(self.format, &key, &names.next()?, out);
                }
                Some(LinePart::Gone(key, names))
            }
            LinePart::Types(mut names) => {
                while out.len() < FRAME_BYTES {
                    let name = names.next()?;
                    if let Some(index) = self.snapshot.get(&name) {
                        let body = lines::render_type(&index.content_type);
                        self.write_body(SectionKind::Types, &name, &body, out);
                    }
                }
                Some(LinePart::Types(names))
            }
            LinePart::Media(mut names) => {
                while out.len() < FRAME_BYTES {
                    let name = names.next()?;
                    if let Some(item) = self.snapshot.media.get(&name) {
                        let body = lines::render_media(app, &self.snapshot, item);
                        self.write_body(SectionKind::Media, &name, &body, out);
                    }
                }
                Some(LinePart::Media(names))
            }
            LinePart::AllEntries(part) => {
                let view = part.view(&self.snapshot, self.caller.viewer());
                let found = part.list_sorted(&view);
                drop(view);
                Some(LinePart::Entries(part, found.into_iter()))
            }
            LinePart::Entries(part, ordinals) => self.write_entries(app, part, ordinals, out),
        }
    }

    fn write_body(&self, kind: SectionKind, name: &str, body: &[u8], out: &mut Vec<u8>) {
        let key = SectionKey { kind, type_name: "".into(), locale: "".into() };
        lines::begin_body(self.format, &key, name, Checksum::of_bytes(body), out);
        out.extend_from_slice(body);
        lines::end_body(self.format, out);
    }

    fn write_entries(
        &mut self,
        app: &App,
        part: EntryPart,
        mut ordinals: std::vec::IntoIter<Ordinal>,
        out: &mut Vec<u8>,
    ) -> Option<LinePart> {
        let (snapshot, caller) = (self.snapshot.clone(), self.caller.clone());
        let (view, shape) = (part.view(&snapshot, caller.viewer()), self.shape.clone());
        let writer = EntryWriter::new(&view, &shape, part.place)?;
        let index = part.index(&view)?;
        let rewriter = EntryRewriter::new(&view, &caller, &shape, app.engine.base_url());
        while out.len() < FRAME_BYTES {
            if self.is_in_entry {
                self.walk.run(&view, out, FRAME_BYTES);
                if !self.walk.is_done() {
                    break;
                }
                lines::end_body(self.format, out);
                self.is_in_entry = false;
                continue;
            }
            let ordinal = ordinals.next()?;
            let Some(entry) = index.entry_at(ordinal) else { continue };
            if let Some(rewriter) = &rewriter {
                let mut body = Vec::new();
                writer.write_entry(ordinal, &mut RenderCursor::default(), &mut body);
                let rev = rewriter.sum_entry(&index.content_type, &body);
                lines::begin_body(self.format, &part.key, entry.id(), rev, out);
                out.extend(rewriter.rewrite_text(&index.content_type, &body));
                lines::end_body(self.format, out);
                continue;
            }
            let rev = writer.compute_tag(ordinal);
            lines::begin_body(self.format, &part.key, entry.id(), rev, out);
            writer.begin_entry(ordinal, &mut self.walk);
            self.is_in_entry = true;
        }
        drop(rewriter);
        drop(view);
        Some(LinePart::Entries(part, ordinals))
    }
}
