//! The activity log: one JSON line for everything that happened, one file a month. Lines are added,
//! never changed; a line that a crash tore is left behind and the next one begins anew.

use serde::Serialize;

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
