//! Uploads: judged before anything is written, then all of them placed or none.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::staged::Answer;
use crate::app::media::staged::all_well;
use crate::app::media::staged::declare;
use crate::app::media::staged::shown;
use crate::app::media::staged::tell;
use crate::app::pictures;
use crate::app::pictures::Undecoded;
use crate::engine::MediaArrival;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::model::category::CategoryPath;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::media::FileType;
use crate::model::media::MetaChange;
use crate::model::media::Refusal;
use crate::model::media::Visibility;
use crate::model::media::stored_name;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::svg;
use crate::store::blob::Thumb;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::spool::Spooled;

/// What is said of the files of an upload, as the client wrote it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// The category they go to.
    pub category: Option<&'a str>,
    /// Who may see them.
    pub visibility: Option<&'a str>,
}

impl Said<'_> {
    fn category(&self, problems: &mut FieldProblems) -> Option<CategoryPath> {
        let text = self.category.filter(|it| !it.trim().is_empty())?;
        CategoryPath::parse(text).map_err(|error| problems.add("category", error.message())).ok()
    }

    fn visibility(&self, problems: &mut FieldProblems) -> Visibility {
        let Some(text) = self.visibility.filter(|it| !it.trim().is_empty()) else {
            return Visibility::default();
        };
        Visibility::parse(text.trim()).unwrap_or_else(|| {
            problems.add("visibility", "This must be `public` or `private`.");
            Visibility::Private
        })
    }
}

/// A file that is taken in.
struct Accepted {
    kind: FileType,
    /// What is written in the place of what was sent: a picture without what could run.
    cleaned: Option<Vec<u8>>,
    /// A picture made small, and of which file: it was decoded to see that it can be.
    thumbnail: Option<(Stat, Vec<u8>)>,
}

/// Whether there are pictures among the files that are decoded when they are taken in.
pub fn has_pictures(files: &[Spooled]) -> bool {
    files.iter().any(|it| pictures::is_decoded(&it.head))
}

/// Takes files in, into a category or none: all of them, or none at all.
pub fn upload(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    files: Vec<Spooled>,
    said: &Said<'_>,
) -> Result<Answer<Vec<MediaView>>> {
    let mut problems = FieldProblems::new();
    let category = said.category(&mut problems);
    let visibility = said.visibility(&mut problems);
    may_upload(by, ws, category.as_ref())?;
    let accepted = Arc::new(accept_all(app, &files, problems)?);
    // Kept until all is over: what is dropped vanishes from the disk.
    let files = Arc::new(files);
    let _arriving = arriving(app, &files)?;
    let (staged_files, staged_by) = (files.clone(), by.clone());
    let staged = accepted.clone();
    let committed = app.engine.commit(ws, move |staging| {
        let allowed = may_upload(&staged_by, staging.workspace(), category.as_ref())?;
        if let Some(category) = &category {
            declare(staging, &allowed, category)?;
        }
        let mut names = HashSet::new();
        let mut placed = Vec::with_capacity(staged.len());
        for (file, accepted) in staged_files.iter().zip(&*staged) {
            let name = free_name(staging, &file.name, accepted.kind.extension, &names)?;
            names.insert(name.to_lowercase());
            let said = MetaChange {
                category: Some(category.clone()),
                visibility: Some(visibility),
                uploaded_by: Some(staged_by.actor.id.clone()),
                uploaded_at: Some(staging.now()),
                ..MetaChange::default()
            };
            place(staging, &allowed, file, accepted, &name, &said)?;
            tell(staging, &staged_by, EventKind::MediaUploaded, &name);
            placed.push(name);
        }
        Ok::<_, Error>(placed)
    })?;
    drop(files);
    for (name, accepted) in committed.value.iter().zip(&*accepted) {
        if let Some((stat, bytes)) = &accepted.thumbnail {
            keep_thumbnail(app, ws, name, stat, bytes);
        }
    }
    let snapshot = &committed.snapshot;
    let data = committed.value.iter().map(|it| shown(app, snapshot, it)).collect::<Result<_>>()?;
    Ok(Answer::with_categories(data, snapshot))
}

/// Tells the bytes of files before they are moved to their place, so that they are not read again.
fn arriving<'a>(app: &'a App, files: &[Spooled]) -> Result<Vec<MediaArrival<'a>>> {
    let arrival = |file: &Spooled| {
        let stat = app.engine.open_spooled(file)?.stat;
        Ok(app.engine.media_arrives(&stat, file.sum))
    };
    files.iter().map(arrival).collect()
}

/// Keeps the thumbnail of a file that was taken in, unless another file has taken its place since.
fn keep_thumbnail(app: &App, ws: &WorkspaceSlug, name: &Filename, before: &Stat, bytes: &[u8]) {
    let Ok(blob) = app.engine.open_media(ws, name) else { return };
    let unmoved = |it: &Stat| (it.inode, it.size, it.modified_ns);
    if unmoved(&blob.stat) == unmoved(before) {
        app.thumbnails.keep(app, &Thumb::of(ws, name, &blob.stat), bytes);
    }
}

/// Whoever may upload to all media may do so into each category.
fn may_upload<'b>(
    by: &'b By,
    ws: &WorkspaceSlug,
    category: Option<&CategoryPath>,
) -> Result<Allowed<'b>> {
    let resource = category.map_or(Resource::Media, Resource::Category);
    let facts = Facts { author_id: Some(&by.actor.id), ..Facts::default() };
    by.caller.may(ws, Action::MediaUpload, &resource, &facts)
}

/// Judges all files; everything that is wrong is told, under the code of the first file that is.
/// `beside` is what is wrong beside the files.
fn accept_all(app: &App, files: &[Spooled], beside: FieldProblems) -> Result<Vec<Accepted>> {
    let settings = app.settings();
    let rules = &settings.uploads;
    if files.is_empty() {
        let mut problems = FieldProblems::one("media", "At least one file is needed.");
        problems.extend(beside);
        return Err(Error::upload_failed(problems));
    }
    if files.len() > rules.files_max {
        let message = format!("{} files at once are the most.", rules.files_max);
        return Err(Error::upload_failed(FieldProblems::one("media", message)));
    }
    let mut accepted = Vec::with_capacity(files.len());
    let mut refused: Option<Refusal> = None;
    let mut problems = FieldProblems::new();
    for (index, file) in files.iter().enumerate() {
        match accept(app, file)? {
            Ok(it) => accepted.push(it),
            Err(refusal) => {
                problems.add(format!("media[{index}]"), refusal.to_string());
                refused.get_or_insert(refusal);
            }
        }
    }
    problems.extend(beside);
    match refused {
        None => all_well(problems).map(|()| accepted),
        Some(Refusal::Empty) => Err(Error::upload_failed(problems)),
        Some(Refusal::TooLarge(_)) => Err(Error::file_too_large(problems)),
        Some(Refusal::Type) => Err(Error::file_type_not_allowed(problems)),
        Some(Refusal::Image(_)) => Err(Error::invalid_image(problems)),
    }
}

/// Judges one file by all of its bytes that matter. Originals stay as they are, with whatever they
/// say of camera and place; only SVG is rewritten.
fn accept(app: &App, file: &Spooled) -> Result<std::result::Result<Accepted, Refusal>> {
    let kind = match app.settings().uploads.judge(&file.name, file.size, &file.head) {
        Ok(kind) => kind,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut accepted = Accepted { kind, cleaned: None, thumbnail: None };
    match accepted.kind.mime {
        "image/svg+xml" => match svg::sanitised(&app.engine.read_spooled(file)?) {
            Ok(bytes) => accepted.cleaned = Some(bytes),
            Err(error) => return Ok(Err(Refusal::Image(error.message()))),
        },
        "image/jpeg" | "image/png" | "image/gif" | "image/webp" => {
            let blob = app.engine.open_spooled(file)?;
            let stat = blob.stat;
            match app.thumbnails.shrink(blob.into_file(), file.size) {
                Ok(bytes) => accepted.thumbnail = Some((stat, bytes)),
                Err(Undecoded::Broken) => {
                    return Ok(Err(Refusal::Image("This picture cannot be read.")));
                }
                // It is kept, and has no thumbnail.
                Err(Undecoded::TooLarge) => {}
                Err(Undecoded::Busy) => return Err(pictures::busy()),
            }
        }
        _ => {}
    }
    Ok(Ok(accepted))
}

/// A name that no file has, nor one of this batch; `names` are in lower case.
fn free_name(
    staging: &Staging<'_>,
    original: &str,
    extension: &str,
    names: &HashSet<String>,
) -> Result<Filename> {
    let media = &staging.snapshot().media;
    let is_there = |name: &str| match Filename::parse(name) {
        Ok(name) => staging.exists(&Key::Media(staging.workspace().clone(), name)),
        Err(_) => false,
    };
    let is_taken = |name: &str| names.contains(name) || media.is_taken(name) || is_there(name);
    stored_name(original, extension, is_taken)
        .ok_or_else(|| Error::internal("there is no name left"))
}

/// Stages one file, and what is said of it.
fn place(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    file: &Spooled,
    accepted: &Accepted,
    name: &Filename,
    said: &MetaChange,
) -> std::result::Result<(), CommitError> {
    let ws = staging.workspace().clone();
    let meta = Key::MediaMeta(ws.clone(), name.clone());
    let bytes = Json::Object(said.applied_to(&Map::new())).to_file();
    // What is left of a file that is gone was not said of this one.
    match staging.stored(&meta)? {
        Some(left) => staging.replace(&left, bytes),
        None => staging.create(&meta, bytes),
    }
    let key = Key::Media(ws, name.clone());
    match &accepted.cleaned {
        Some(bytes) => staging.create(&key, bytes.clone()),
        None => staging.place(&file.path, &key),
    }
    Ok(())
}
