//! The upload of media files: all of them are checked before anything is written, then all are
//! stored or none.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::MediaAnswerMeta;
use crate::app::media::media_change::UploadOutcome;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_change::declare_category;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::render_file;
use crate::app::media::media_view::MediaView;
use crate::app::media::pictures;
use crate::app::media::pictures::DecodeError;
use crate::app::media::thumbnails::SmallPicture;
use crate::engine::error::CommitError;
use crate::engine::folder::uploads::MediaArrival;
use crate::engine::staging::Staging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::wording;
use crate::model::media::FileType;
use crate::model::media::MetaChange;
use crate::model::media::SharedSketch;
use crate::model::media::UploadRefusal;
use crate::model::media::Visibility;
use crate::model::media::build_stored_name;
use crate::model::media::category::CategoryPath;
use crate::model::media::mime_by_extension;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::svg;
use crate::store::disk::Stat;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::blob::ThumbnailPath;
use crate::store::write::spool::Spooled;

/// The metadata of the files of an upload, as sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct UploadMeta<'a> {
    /// The category.
    pub category: Option<&'a str>,
    /// The visibility.
    pub visibility: Option<&'a str>,
    /// True if each file keeps its name, or is refused.
    pub keeps_names: bool,
}

impl UploadMeta<'_> {
    fn parse_category(&self, problems: &mut FieldProblems) -> Option<CategoryPath> {
        let text = self.category.filter(|it| !it.trim().is_empty())?;
        CategoryPath::parse(text).map_err(|error| problems.add("category", error.message())).ok()
    }

    fn parse_visibility(&self, problems: &mut FieldProblems) -> Visibility {
        let Some(text) = self.visibility.filter(|it| !it.trim().is_empty()) else {
            return Visibility::default();
        };
        Visibility::parse(text.trim()).unwrap_or_else(|| {
            problems.add("visibility", wording::not_one_of(Visibility::NAMES));
            Visibility::Private
        })
    }
}

/// An accepted file.
pub(super) struct AcceptedFile {
    pub(super) kind: FileType,
    /// The sanitized bytes that replace the uploaded ones: SVG without scripts.
    pub(super) cleaned: Option<Vec<u8>>,
    /// The small picture, with the state of its file: the picture was decoded to check it.
    small: Option<(Stat, SmallPicture)>,
}

impl AcceptedFile {
    pub(super) fn sketch(&self) -> SharedSketch {
        self.small.as_ref().and_then(|(_, small)| small.sketch.clone())
    }
}

/// Returns true if there are pictures among the files that are decoded during the upload.
pub fn has_pictures(files: &[Spooled]) -> bool {
    files.iter().any(|it| pictures::is_decodable(&it.head))
}

/// Stores files, into a category or none: all of them, or none.
pub fn upload_files(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    files: Vec<Spooled>,
    metadata: &UploadMeta<'_>,
) -> Result<MediaAnswer<Vec<MediaView>>> {
    let mut problems = FieldProblems::new();
    let category = metadata.parse_category(&mut problems);
    let visibility = metadata.parse_visibility(&mut problems);
    may_upload(by, ws, category.as_ref())?;
    let accepted = Arc::new(accept_files(app, &files, problems)?);
    // Kept until the end: dropping them deletes the files.
    let files = Arc::new(files);
    let _arriving = announce_arrivals(app, &files, &accepted)?;
    let (staged_files, staged_by) = (files.clone(), by.clone());
    let (staged, keeps_names) = (accepted.clone(), metadata.keeps_names);
    let committed = app.engine.commit(ws, move |staging| {
        let permit = may_upload(&staged_by, staging.workspace(), category.as_ref())?;
        if let Some(category) = &category {
            declare_category(staging, &permit, category)?;
        }
        let mut names = HashSet::new();
        let mut placed = Vec::with_capacity(staged.len());
        for (file, accepted) in staged_files.iter().zip(&*staged) {
            let name = choose_name(staging, file, accepted, &names, keeps_names)?;
            names.insert(name.to_lowercase());
            let metadata = MetaChange {
                category: Some(category.clone()),
                visibility: Some(visibility),
                uploaded_by: Some(staged_by.actor.id.clone()),
                uploaded_at: Some(staging.now()),
                ..MetaChange::default()
            };
            stage_file(staging, &permit, file, accepted, &name, &metadata)?;
            emit_event(staging, &permit, EventKind::MediaUploaded, &name);
            placed.push(name);
        }
        Ok::<_, Error>(placed)
    })?;
    for ((name, accepted), file) in committed.value.iter().zip(&*accepted).zip(&*files) {
        keep_small(app, ws, name, accepted, file);
    }
    drop(files);
    let snapshot = &committed.snapshot;
    let data =
        committed.value.iter().map(|it| render_file(app, snapshot, it)).collect::<Result<_>>()?;
    let outcome = UploadOutcome::find(snapshot, &by.caller, &committed.value);
    Ok(MediaAnswer { data, meta: Some(MediaAnswerMeta::Uploaded(outcome)) })
}

/// Announces the content of files before they are moved to their place, so that it is not hashed
/// again.
fn announce_arrivals<'a>(
    app: &'a App,
    files: &[Spooled],
    accepted: &[AcceptedFile],
) -> Result<Vec<MediaArrival<'a>>> {
    let arrival = |(file, accepted): (&Spooled, &AcceptedFile)| {
        Ok(app.engine.folder().announce_upload(file, accepted.sketch())?)
    };
    files.iter().zip(accepted).map(arrival).collect()
}

/// Keeps the sketch and the thumbnail of an uploaded file, the latter unless another file has
/// replaced it since.
pub(super) fn keep_small(
    app: &App,
    ws: &WorkspaceSlug,
    name: &Filename,
    accepted: &AcceptedFile,
    file: &Spooled,
) {
    let Some((before, SmallPicture { bytes, sketch })) = &accepted.small else { return };
    app.engine.folder().record_sketch(ws, name, file.sum, sketch.clone());
    let Ok(blob) = app.engine.folder().open_media(ws, name) else { return };
    let unmoved = |it: &Stat| (it.inode, it.size, it.modified_ns);
    if unmoved(&blob.stat) != unmoved(before) {
        return;
    }
    let place = ThumbnailPath::for_media(ws, name, &blob.stat);
    if let Err(error) = app.engine.folder().save_thumbnail(&place, bytes) {
        tracing::warn!(%error, "a thumbnail cannot be stored");
    }
}

/// Checks the permission to upload: the one for all media covers each category.
fn may_upload(
    by: &Requester,
    ws: &WorkspaceSlug,
    category: Option<&CategoryPath>,
) -> Result<Permit> {
    let resource = category.map_or(Resource::Media, Resource::Category);
    let facts = Facts { author_id: Some(&by.actor.id), ..Facts::default() };
    by.check_permission(ws, Action::MediaUpload, &resource, &facts)
}

/// Checks all files. All problems are reported, under the code of the first refused file. `beside`
/// holds the problems of the metadata.
fn accept_files(app: &App, files: &[Spooled], beside: FieldProblems) -> Result<Vec<AcceptedFile>> {
    let settings = app.settings();
    let rules = &settings.editable.uploads;
    if files.is_empty() {
        let mut problems = FieldProblems::from_problem("media", "At least one file is needed.");
        problems.extend(beside);
        return Err(Error::upload_failed(problems));
    }
    if files.len() > rules.files_max {
        let message = wording::too_many(rules.files_max, "files");
        return Err(Error::upload_failed(FieldProblems::from_problem("media", message)));
    }
    let mut accepted = Vec::with_capacity(files.len());
    let mut refused: Option<UploadRefusal> = None;
    let mut problems = FieldProblems::new();
    for (index, file) in files.iter().enumerate() {
        match accept_file(app, file)? {
            Ok(it) => accepted.push(it),
            Err(refusal) => {
                problems.add(format!("media[{index}]"), Sentence::from(&refusal));
                refused.get_or_insert(refusal);
            }
        }
    }
    problems.extend(beside);
    match refused {
        None => check_problems(problems).map(|()| accepted),
        Some(refusal) => Err(refusal_error(&refusal, problems)),
    }
}

/// Returns the error of an upload that is refused.
pub(super) fn refusal_error(refusal: &UploadRefusal, problems: FieldProblems) -> Error {
    match refusal {
        UploadRefusal::Empty => Error::upload_failed(problems),
        UploadRefusal::TooLarge(_) => Error::file_too_large(problems),
        UploadRefusal::Type | UploadRefusal::Content => Error::file_type_not_allowed(problems),
        UploadRefusal::Image(_) => Error::invalid_image(problems),
    }
}

/// Checks one file. Originals stay unchanged, including their metadata; only SVG is rewritten.
pub(super) fn accept_file(
    app: &App,
    file: &Spooled,
) -> Result<std::result::Result<AcceptedFile, UploadRefusal>> {
    let kind = match app.settings().editable.uploads.check_file(&file.name, file.size, &file.head) {
        Ok(kind) => kind,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut accepted = AcceptedFile { kind, cleaned: None, small: None };
    match accepted.kind.mime {
        "image/svg+xml" => match svg::sanitize_svg(&app.engine.folder().read_spooled(file)?) {
            Ok(bytes) => accepted.cleaned = Some(bytes),
            Err(error) => return Ok(Err(UploadRefusal::Image(error.message()))),
        },
        mime if pictures::is_decoded(mime) => {
            let blob = app.engine.folder().open_spooled(file)?;
            let stat = blob.stat;
            match app.thumbnails.shrink_picture(blob.into_file(), file.size) {
                Ok(small) => accepted.small = Some((stat, small)),
                Err(DecodeError::Broken) => return Ok(Err(UploadRefusal::BROKEN_PICTURE)),
                // The file is stored without a thumbnail.
                Err(DecodeError::TooLarge | DecodeError::NoMemory) => {}
                Err(DecodeError::Busy) => return Err(pictures::busy_error()),
            }
        }
        _ => {}
    }
    Ok(Ok(accepted))
}

/// Returns a name that no file has, in the workspace or in this batch; `names` are in lower case.
fn choose_name(
    staging: &Staging<'_>,
    file: &Spooled,
    accepted: &AcceptedFile,
    names: &HashSet<String>,
    keeps_names: bool,
) -> Result<Filename> {
    let media = &staging.snapshot().media;
    let is_there = |name: &str| match Filename::parse(name) {
        Ok(name) => {
            // Revisions that a deleted file left belong to no other.
            let revisions = Folder::MediaRevisions(staging.workspace().clone(), name.clone());
            staging.exists(&Key::Media(staging.workspace().clone(), name))
                || staging.has_files(&revisions)
        }
        Err(_) => false,
    };
    let is_taken = |name: &str| names.contains(name) || media.is_name_taken(name) || is_there(name);
    if keeps_names {
        return keep_name(file, accepted, is_taken);
    }
    build_stored_name(&file.name, accepted.kind.extension, is_taken)
        .ok_or_else(|| Error::internal("no free name is left"))
}

/// Returns the name that a file was sent with. It must be free, and fit the content.
fn keep_name(
    file: &Spooled,
    accepted: &AcceptedFile,
    is_taken: impl Fn(&str) -> bool,
) -> Result<Filename> {
    let refused = |message: String| Error::invalid(FieldProblems::from_problem("media", message));
    let name = Filename::parse_normalized(&file.name).map_err(|it| refused(it.to_string()))?;
    let mime = accepted.kind.mime;
    if mime_by_extension(name.extension()) != Some(mime) {
        return Err(refused(format!("The name `{name}` is not that of a file of type {mime}.")));
    }
    if is_taken(&name) {
        return Err(Error::conflict(format!("There is a file `{name}` already.")));
    }
    Ok(name)
}

/// Stages one file and its metadata.
fn stage_file(
    staging: &mut Staging<'_>,
    permit: &Permit,
    file: &Spooled,
    accepted: &AcceptedFile,
    name: &Filename,
    metadata: &MetaChange,
) -> std::result::Result<(), CommitError> {
    let ws = staging.workspace().clone();
    let meta = Key::MediaMeta(ws.clone(), name.clone());
    let bytes = Json::Object(metadata.apply_to(&Map::new())).to_file();
    // Metadata left by a deleted file does not apply to this one.
    match staging.read_stored(&meta)? {
        Some(left) => staging.write(permit).replace(&left, bytes),
        None => staging.write(permit).create(&meta, bytes),
    }
    let key = Key::Media(ws, name.clone());
    match &accepted.cleaned {
        Some(bytes) => staging.write(permit).create(&key, bytes.clone()),
        None => staging.write(permit).place_spooled(&file.path, &key),
    }
    Ok(())
}
