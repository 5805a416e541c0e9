//! The replacement of the bytes of a media file. Its name, its address and its metadata stay, and
//! so does everything that refers to it; the old bytes become a revision.

use std::io;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::PermissionTarget;
use crate::app::media::media_change::check_may_change;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::find_for_change;
use crate::app::media::media_change::render_file;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::normalize_name;
use crate::app::media::meta::MediaTarget;
use crate::app::media::upload::AcceptedFile;
use crate::app::media::upload::accept_file;
use crate::app::media::upload::keep_small;
use crate::app::media::upload::refusal_error;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::media::MediaItem;
use crate::model::media::mime_by_extension;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::store::layout::Key;
use crate::store::read::blob::Blob;
use crate::store::write::spool::Spooled;

/// The field of the form that has the file.
const FIELD: &str = "media";

/// The number of bytes that are compared at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// The form of a replacement.
pub struct ReplacementForm {
    /// The files, of which there must be one.
    pub files: Vec<Spooled>,
    /// The category, which must not be sent.
    pub category: Option<String>,
    /// The visibility, which must not be sent.
    pub visibility: Option<String>,
}

impl ReplacementForm {
    /// Returns the file. Nobody may believe that a file is private by now because they sent so.
    fn into_file(self) -> Result<Spooled> {
        let mut problems = FieldProblems::new();
        let sent = [("category", self.category), ("visibility", self.visibility)];
        for (key, _) in sent.into_iter().filter(|(_, value)| value.is_some()) {
            problems.add(
                key,
                "This cannot be changed together with the file. Change it \
                               separately.",
            );
        }
        let n_files = self.files.len();
        match self.files.into_iter().next().filter(|_| n_files == 1) {
            Some(file) => check_problems(problems).map(|()| file),
            None => {
                problems.add(FIELD, "Exactly one file is needed.");
                Err(Error::upload_failed(problems))
            }
        }
    }
}

/// A file that takes the place of another.
pub(super) struct NewBytes {
    /// The file.
    pub(super) file: Spooled,
    /// The event that the revision of the old file is labelled with.
    pub(super) event: RevisionEvent,
    /// The revision that the bytes come from. It is earlier no longer, so it is removed.
    pub(super) from: Option<Key>,
}

/// Replaces the bytes of a file. Nothing happens if the new bytes are those that it has.
pub fn replace_file(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    form: ReplacementForm,
) -> Result<MediaAnswer<MediaView>> {
    let new = |file| NewBytes { file, event: RevisionEvent::Update, from: None };
    replace_bytes(app, by, target, || form.into_file().map(new))
}

/// Checks the permission to replace the bytes of a file, which brings bytes in as an upload does
/// and changes what is there. Both permissions are decided on the file, so that a token may be
/// allowed to replace this one and to upload no other.
pub(super) fn check_may_replace(by: &Requester, snapshot: &Snapshot, name: &str) -> Result<Permit> {
    check_may_change(by, snapshot, Action::MediaUpload, PermissionTarget::OnFile, name)?;
    check_may_change(by, snapshot, Action::MediaUpdate, PermissionTarget::OnFile, name)
}

/// Replaces the bytes of a file by those that `take` returns. These are looked at only for callers
/// who may replace the file.
pub(super) fn replace_bytes(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    take: impl FnOnce() -> Result<NewBytes>,
) -> Result<MediaAnswer<MediaView>> {
    let (by, name, ws) = (by.clone(), normalize_name(target.name), target.ws);
    let precondition = target.precondition.clone();
    let snapshot = app.engine.snapshot(ws.as_str());
    let snapshot = snapshot.ok_or_else(|| Error::not_found("workspace", ws))?;
    check_may_replace(&by, &snapshot, &name)?;
    let NewBytes { mut file, event, from } = take()?;
    let item = find_for_change(&snapshot, &name, &precondition)?;
    let accepted = accept_replacement(app, &item, &mut file)?;
    let equal_state = find_equal_state(app, ws, &item, &file)?;
    let _arriving = app.engine.folder().announce_upload(&file, accepted.sketch())?;
    let (path, mime) = (file.path.clone(), accepted.kind.mime);
    let committed = app.engine.commit(ws, move |staging| {
        let permit = check_may_replace(&by, staging.snapshot(), &name)?;
        let item = find_for_change(staging.snapshot(), &name, &precondition)?;
        check_same_type(&item, mime)?;
        let seen = staging.stat_media(&item)?;
        if equal_state != Some(item.tag.state) {
            let key = Key::Media(staging.workspace().clone(), item.filename.clone());
            let mut write = staging.write(&permit);
            write.label_revisions(event, &by.actor.id);
            write.place_over(&path, &key, seen);
            if let Some(from) = &from {
                write.steps_after().remove(from);
            }
            emit_event(staging, &permit, EventKind::MediaUpdated, &item.filename);
        }
        Ok::<_, Error>(item.filename.clone())
    })?;
    keep_small(app, ws, &committed.value, &accepted, &file);
    Ok(MediaAnswer::from_data(render_file(app, &committed.snapshot, &committed.value)?))
}

/// Checks the file like an upload, and that it has the type of the file that it replaces.
fn accept_replacement(app: &App, item: &MediaItem, file: &mut Spooled) -> Result<AcceptedFile> {
    // The extension of the name that stays decides what a text is.
    file.name = item.filename.to_string();
    let mut accepted = match accept_file(app, file)? {
        Ok(accepted) => accepted,
        Err(refusal) => {
            let problems = FieldProblems::from_problem(FIELD, Sentence::from(&refusal));
            return Err(refusal_error(&refusal, problems));
        }
    };
    check_same_type(item, accepted.kind.mime)?;
    if let Some(bytes) = accepted.cleaned.take() {
        let mut spool = app.engine.folder().create_spool()?;
        spool.write(&bytes)?;
        *file = spool.finish()?;
    }
    Ok(accepted)
}

/// Checks that bytes of this type can have the name of the file: its address says what it is.
fn check_same_type(item: &MediaItem, mime: &str) -> Result<()> {
    let expected = mime_by_extension(item.filename.extension()).unwrap_or(item.mime);
    if mime == expected {
        return Ok(());
    }
    let message = sentence!(
        "The name `{name}` stays, so the new file must be {expected}, too. This one is {mime}.",
        name = item.filename.as_str(),
        expected,
        mime,
    );
    Err(Error::invalid(FieldProblems::from_problem(FIELD, message)))
}

/// Returns the state of the file if the new bytes are those that it has in this state.
fn find_equal_state(
    app: &App,
    ws: &WorkspaceSlug,
    item: &MediaItem,
    new: &Spooled,
) -> Result<Option<Checksum>> {
    if item.size != new.size || item.tag.content.is_some_and(|it| it != new.sum) {
        return Ok(None);
    }
    // A file that cannot be opened is found missing by the change.
    let Ok(old) = app.engine.folder().open_media(ws, &item.filename) else { return Ok(None) };
    let new = app.engine.folder().open_spooled(new)?;
    let is_equal = has_equal_bytes(&old, &new).map_err(Error::storage_unavailable)?;
    Ok(is_equal.then(|| old.stat.compute_sum()))
}

fn has_equal_bytes(one: &Blob, other: &Blob) -> io::Result<bool> {
    let (mut here, mut there) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    let mut offset = 0;
    loop {
        let (n_here, n_there) =
            (one.read_at(offset, &mut here)?, other.read_at(offset, &mut there)?);
        if here.get(..n_here) != there.get(..n_there) {
            return Ok(false);
        }
        if n_here < CHUNK_BYTES {
            return Ok(true);
        }
        offset = offset.saturating_add(n_here as u64);
    }
}
