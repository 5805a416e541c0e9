//! The activity log: one JSON line for everything that happened, one file a month. Lines are added,
//! never changed; a line that a crash tore is left behind and the next one begins anew. It is read
//! from its end, block by block, however long it is.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::engine::Engine;
use crate::model::event::Actor;
use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::event::Told;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lines_back::LinesBack;

/// One line of the log.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    time: Timestamp,
    level: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    message: String,
    user_id: Option<&'a str>,
    user_name: Option<&'a str>,
    workspace: Option<&'a str>,
    source: Source,
    ip: Option<std::net::IpAddr>,
    request_id: Option<&'a str>,
    details: &'a Subject,
}

impl<'a> Line<'a> {
    fn of(told: &'a Told) -> Line<'a> {
        let event = &told.event;
        let by: Option<&Actor> = event.by.as_ref();
        Line {
            id: &told.id,
            time: told.at,
            level: event.kind.level(),
            kind: event.kind.as_str(),
            message: event.message(),
            user_id: by.map(|it| it.id.as_str()),
            user_name: by.map(|it| it.name.as_str()),
            workspace: told.workspace.as_ref().map(WorkspaceSlug::as_str),
            source: event.source,
            ip: by.and_then(|it| it.ip),
            request_id: by.map(|it| it.request_id.as_str()).filter(|it| !it.is_empty()),
            details: &event.subject,
        }
    }
}

/// Adds a line for each event. It is not synced: a change is durable without its line.
pub(crate) fn append(disk: &dyn Disk, events: &[std::sync::Arc<Told>]) -> Result<(), StoreError> {
    let Some(first) = events.first() else { return Ok(()) };
    let mut text = Vec::with_capacity(events.len() * 384);
    for told in events {
        // Strings, numbers and maps of them always serialise.
        let _ = serde_json::to_writer(&mut text, &Line::of(told));
        text.push(b'\n');
    }
    let path = layout::activity(&first.at.date());
    match disk.append(&path, &text, 0o600) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            disk::make_folders(disk, disk::parent(&path))?;
            disk.append(&path, &text, 0o600).map_err(StoreError::io("write", &path))
        }
        appended => appended.map_err(StoreError::io("write", &path)),
    }
}

/// Ends a line that a crash tore, so that the next one stands by itself. To be called at start.
pub(crate) fn mend(disk: &dyn Disk, now: Timestamp) {
    use std::io::Read;
    use std::io::Seek;
    use std::io::SeekFrom;
    let path = layout::activity(&now.date());
    let torn = || -> Option<bool> {
        let (mut file, stat) = disk.open(&path).ok()?;
        if stat.size == 0 {
            return None;
        }
        file.seek(SeekFrom::End(-1)).ok()?;
        let mut last = [0];
        file.read_exact(&mut last).ok()?;
        Some(last != *b"\n")
    };
    if torn() == Some(true)
        && let Err(error) = disk.append(&path, b"\n", 0o600)
    {
        tracing::warn!(%error, "the activity log cannot be mended");
    }
}

/// What of the log is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Nothing before.
    pub since: Option<Timestamp>,
    /// Nothing after.
    pub until: Option<Timestamp>,
    /// At most so many bytes, from the end on; no limit without.
    pub bytes_max: Option<u64>,
}

impl Engine {
    /// Gives the lines of the activity log, the latest first, until `each` has enough. Whether that
    /// was all: a log may be longer than is looked at.
    pub fn read_activity(
        &self,
        span: Span,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        let listing = match self.disk.list(layout::ACTIVITY) {
            Ok(listing) => listing,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(StoreError::io("list", layout::ACTIVITY)(error)),
        };
        let (since, until) = (span.since.map(Timestamp::month), span.until.map(Timestamp::month));
        let mut left = span.bytes_max.unwrap_or(u64::MAX);
        // They are sorted by name, and the names sort by time.
        for item in listing.items.iter().rev() {
            let Some(month) = layout::activity_month(&item.name) else { continue };
            if until.as_deref().is_some_and(|it| month > it) {
                continue;
            }
            if since.as_deref().is_some_and(|it| month < it) {
                break;
            }
            if left == 0 {
                return Ok(false);
            }
            let path = layout::activity(month);
            let Ok((file, stat)) = self.disk.open(&path) else { continue };
            let mut lines = LinesBack::new(file, stat.size);
            loop {
                // What cannot be read ends the month; the others are told nevertheless.
                let line = match lines.back() {
                    Ok(Some(line)) => line,
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(%error, path, "a part of the activity log cannot be read");
                        break;
                    }
                };
                if each(line).is_break() {
                    return Ok(true);
                }
                left = left.saturating_sub(line.len() as u64 + 1);
                if left == 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
