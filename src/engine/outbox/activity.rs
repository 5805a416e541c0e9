//! The activity log: one JSON line for everything that happened, one file a month. Lines are added,
//! never changed; a line that a crash tore is left behind and the next one begins anew. It is read
//! from its end, block by block, however long it is.

use std::io::Read as _;
use std::io::Seek as _;
use std::io::SeekFrom;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::model::event::Actor;
use crate::model::event::EmittedEvent;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::logs::jsonl_reverse::ReverseLines;

/// One line of the log.
#[derive(Serialize)]
struct ActivityRecord<'a> {
    id: &'a str,
    time: Timestamp,
    level: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    message: String,
    user_id: Option<&'a str>,
    user_name: Option<&'a str>,
    workspace: Option<&'a str>,
    source: EventSource,
    ip: Option<std::net::IpAddr>,
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_change: Option<&'a str>,
    details: &'a Subject,
}

impl<'a> ActivityRecord<'a> {
    fn from_event(told: &'a EmittedEvent) -> ActivityRecord<'a> {
        let event = &told.event;
        let by: Option<&Actor> = event.by.as_ref();
        ActivityRecord {
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
            in_change: event.in_change.as_deref(),
            details: &event.subject,
        }
    }
}

/// Adds a line for each event that the log does not leave out. It is not synced: a change is
/// durable without its line. `may_make_folder` is asked if the folder of the log is missing; if
/// not, nothing is written.
pub(crate) fn append_events(
    disk: &dyn Disk,
    events: &[std::sync::Arc<EmittedEvent>],
    may_make_folder: impl FnOnce() -> bool,
) -> Result<(), StoreError> {
    let mut logged = events.iter().filter(|it| !it.event.is_unlogged).peekable();
    let Some(first) = logged.peek() else { return Ok(()) };
    let path = layout::activity_log(&first.at.date());
    let mut text = Vec::with_capacity(events.len() * 384);
    for told in logged {
        // Strings, numbers and maps of them always serialise.
        let _ = serde_json::to_writer(&mut text, &ActivityRecord::from_event(told));
        text.push(b'\n');
    }
    match disk.append(&path, &text, 0o600) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if !may_make_folder() {
                return Ok(());
            }
            disk::make_folders(disk, disk::parent_folder(&path))?;
            disk.append(&path, &text, 0o600).map_err(StoreError::io("write", &path))
        }
        appended => appended.map_err(StoreError::io("write", &path)),
    }
}

/// The number of bytes at the end of a log that are searched for what a crash left there.
const TAIL_BYTES: u64 = 256 * 1024;

/// The largest log that is written anew.
const MENDED_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Mends the latest log after a crash, so that every line stands by itself: a line that was torn is
/// ended, and zeros, which some file systems leave where bytes had no time to reach the disk, go.
/// To be called at start.
pub(crate) fn repair_log(disk: &dyn Disk) {
    let Ok(listing) = disk.list(layout::ACTIVITY) else { return };
    let mut months =
        listing.items.iter().filter(|it| layout::parse_activity_month(&it.name).is_some());
    // They are sorted by name, and the names sort by time.
    let Some(last) = months.next_back() else { return };
    let path = format!("{}/{}", layout::ACTIVITY, last.name);
    if let Err(error) = repair_log_file(disk, &path) {
        tracing::warn!(%error, path, "the activity log cannot be mended");
    }
}

fn repair_log_file(disk: &dyn Disk, path: &str) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("read", path)(error);
    let Ok((mut file, stat)) = disk.open(path) else { return Ok(()) };
    file.seek(SeekFrom::Start(stat.size.saturating_sub(TAIL_BYTES))).map_err(failed)?;
    let mut bytes = Vec::new();
    file.by_ref().take(TAIL_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.contains(&0) && stat.size <= MENDED_BYTES_MAX {
        file.rewind().map_err(failed)?;
        bytes.clear();
        file.take(MENDED_BYTES_MAX).read_to_end(&mut bytes).map_err(failed)?;
        let lines = bytes.split(|it| *it == b'\n').map(trim_zeros).filter(|it| !it.is_empty());
        let mended: Vec<u8> = lines.flat_map(|it| [it, b"\n"].concat()).collect();
        return disk::replace_file(disk, path, &mended).map(drop);
    }
    match bytes.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => disk.append(path, b"\n", 0o600).map_err(StoreError::io("write", path)),
    }
}

/// A line without the zeros before and after it, which a crash left there.
fn trim_zeros(line: &[u8]) -> &[u8] {
    let begin = line.iter().position(|it| *it != 0).unwrap_or(line.len());
    let end = line.iter().rposition(|it| *it != 0).map_or(begin, |last| last + 1);
    line.get(begin..end).unwrap_or_default()
}

/// The part of the log that is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActivityRange {
    /// The time of the first line.
    pub since: Option<Timestamp>,
    /// The time of the last line.
    pub until: Option<Timestamp>,
    /// At most so many bytes, from the end on; no limit without.
    pub bytes_max: Option<u64>,
}

/// Passes the lines of the log to `each`, the latest first, until it has enough. Returns true if
/// that was all.
pub(crate) fn read_lines(
    disk: &dyn Disk,
    span: ActivityRange,
    each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> Result<bool, StoreError> {
    let mut left = span.bytes_max.unwrap_or(u64::MAX);
    for (month, _) in list_months(disk, span)? {
        if left == 0 {
            return Ok(false);
        }
        match read_month(disk, &month, &mut left, each) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(is_all) => return Ok(is_all),
        }
    }
    Ok(true)
}

/// Returns the number of bytes that are read for a part of the log.
pub(crate) fn measure_lines(disk: &dyn Disk, span: ActivityRange) -> Result<u64, StoreError> {
    let bytes: u64 = list_months(disk, span)?.iter().map(|(_, bytes)| bytes).sum();
    Ok(bytes.min(span.bytes_max.unwrap_or(u64::MAX)))
}

/// Returns the months of a part of the log with the sizes of their files, the latest first.
fn list_months(disk: &dyn Disk, span: ActivityRange) -> Result<Vec<(String, u64)>, StoreError> {
    let listing = match disk.list(layout::ACTIVITY) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", layout::ACTIVITY)(error)),
    };
    let (since, until) = (span.since.map(Timestamp::month), span.until.map(Timestamp::month));
    let is_within = |month: &str| {
        since.as_deref().is_none_or(|it| it <= month)
            && until.as_deref().is_none_or(|it| month <= it)
    };
    // They are sorted by name, and the names sort by time.
    let months = listing.items.iter().rev().filter_map(|item| {
        let month = layout::parse_activity_month(&item.name).filter(|it| is_within(it))?;
        Some((month.to_string(), item.stat.size))
    });
    Ok(months.collect())
}

/// Passes the lines of one month on, within the bytes that are `left`. Breaks when `each` has
/// enough, with true, or when no bytes are left, with false.
fn read_month(
    disk: &dyn Disk,
    month: &str,
    left: &mut u64,
    each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> ControlFlow<bool> {
    let path = layout::activity_log(month);
    let Ok((file, stat)) = disk.open(&path) else { return ControlFlow::Continue(()) };
    let mut lines = ReverseLines::new(file, stat.size);
    loop {
        // A line that cannot be read ends the month; the other months are read nevertheless.
        let line = match lines.previous_line() {
            Ok(Some(line)) => line,
            Ok(None) => return ControlFlow::Continue(()),
            Err(error) => {
                tracing::warn!(%error, path, "a part of the activity log cannot be read");
                return ControlFlow::Continue(());
            }
        };
        let said = trim_zeros(line);
        if !said.is_empty() && each(said).is_break() {
            return ControlFlow::Break(true);
        }
        *left = left.saturating_sub(line.len() as u64 + 1);
        if *left == 0 {
            return ControlFlow::Break(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemDisk;

    #[test]
    fn zeros_that_a_crash_left_go() {
        let check = |before: &[u8], after: &[u8]| {
            let path = "system/activity/2026-05.jsonl";
            let disk = MemDisk::with_files([("system/activity/2026-04.jsonl", b"{}\n".as_slice())]);
            disk.edit_file(path, before);
            repair_log(&disk);
            let found = disk.read_bytes(path).unwrap();
            assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(after));
        };
        check(b"{\"a\":1}\n", b"{\"a\":1}\n");
        check(b"{\"a\":1}\n{\"b\"", b"{\"a\":1}\n{\"b\"\n");
        check(b"{\"a\":1}\n\0\0\0\0", b"{\"a\":1}\n");
        check(b"{\"a\":1}\n\0\0\0\0{\"b\":2}\n", b"{\"a\":1}\n{\"b\":2}\n");
        check(b"{\"a\":1}\n\0\0\n{\"b\":2}\n", b"{\"a\":1}\n{\"b\":2}\n");
        check(b"\0\0\0", b"");
    }
}
