//! The media files of an import: checked like uploads, and stored once. A file that the workspace
//! has already with the same bytes is not copied again.

use std::collections::HashMap;
use std::io::Cursor;
use std::io::Read;

use crate::app::import::import_scope::ImportNames;
use crate::app::import::import_set::ImportedFile;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::app::media::decode_budget::DecodeBudget;
use crate::app::media::pictures;
use crate::app::media::pictures::DecodeError;
use crate::app::media::thumbnails::FILE_BYTES_MAX;
use crate::app::media::thumbnails::decode_for_thumbnail;
use crate::engine::error::CommitError;
use crate::engine::file_set::FileSet;
use crate::engine::staging::Staging;
use crate::model::media::FileType;
use crate::model::media::UploadRefusal;
use crate::model::media::UploadRules;
use crate::model::media::build_stored_name;
use crate::model::name::Filename;
use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::svg;
use crate::store::layout::Key;
use crate::store::source::ImportSource;

/// The number of bytes by which the type of a file is recognized.
const HEAD_BYTES: usize = 512;

/// The size of the pieces in which files are read.
const CHUNK_BYTES: usize = 256 * 1024;

/// The plan of the media files of an import.
pub(super) struct MediaPlanner<'p, 's> {
    pub(super) staging: &'p mut Staging<'s>,
    pub(super) source: &'p dyn ImportSource,
    pub(super) rules: &'p UploadRules,
    pub(super) budget: &'p DecodeBudget,
    pub(super) files: &'p mut FileSet,
    pub(super) report: &'p mut ImportReport,
    /// The checksums of files that the import stores, by name in lower case.
    pub(super) placed: HashMap<String, Checksum>,
}

/// A file of the source that was read.
struct ReadMedia {
    kind: FileType,
    sum: Checksum,
    size: u64,
    /// The bytes that replace those of the source.
    cleaned: Option<Vec<u8>>,
}

impl MediaPlanner<'_, '_> {
    /// Plans all files, and lets entries refer to them. One that cannot be stored is a problem.
    pub(super) fn plan_files(
        &mut self,
        media: Vec<ImportedFile>,
        names: &mut ImportNames,
    ) -> Result<(), CommitError> {
        for file in media {
            match self.read_media(&file.path) {
                Ok(read) => self.plan_file(&file, &read, names)?,
                Err(message) => self.refuse_file(&file, message),
            }
        }
        Ok(())
    }

    fn refuse_file(&mut self, file: &ImportedFile, message: String) {
        let place = SourcePlace::of_file(&file.path);
        match file.is_optional {
            true => self.report.add_skipped(place, message),
            false => self.report.add_problem(place, message),
        }
    }

    fn read_media(&self, path: &str) -> Result<ReadMedia, String> {
        let unreadable = |error: std::io::Error| format!("The file cannot be read: {error}.");
        let mut opened = self.source.open(path).map_err(unreadable)?;
        let (mut head, mut sum, mut size) = (Vec::new(), ByteChecksum::default(), 0_u64);
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let read = opened.read(&mut chunk).map_err(unreadable)?;
            let bytes = chunk.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            sum.add(bytes);
            size = size.saturating_add(bytes.len() as u64);
            let room = HEAD_BYTES.saturating_sub(head.len()).min(bytes.len());
            head.extend_from_slice(bytes.get(..room).unwrap_or_default());
            if size > self.rules.file_bytes_max {
                return Err(UploadRefusal::TooLarge(self.rules.file_bytes_max).to_string());
            }
        }
        let kind = self.rules.check_file(path, size, &head).map_err(|it| it.to_string())?;
        let mut media = ReadMedia { kind, sum: sum.finish(), size, cleaned: None };
        if media.kind.mime == "image/svg+xml" {
            let bytes = self.source.read(path, size).map_err(unreadable)?;
            let clean = svg::sanitize_svg(&bytes).map_err(|it| it.message().to_string())?;
            (media.sum, media.size) = (Checksum::of_bytes(&clean), clean.len() as u64);
            media.cleaned = Some(clean);
        }
        Ok(media)
    }

    fn plan_file(
        &mut self,
        file: &ImportedFile,
        read: &ReadMedia,
        names: &mut ImportNames,
    ) -> Result<(), CommitError> {
        let place = SourcePlace::of_file(&file.path);
        let Some(name) = self.choose_name(file, read) else {
            self.report.add_problem(place, "No name is free for this file.");
            return Ok(());
        };
        let folded = name.to_lowercase();
        let is_new = self.staging.snapshot().media.get(&name).is_none();
        // Those that are there, or come twice, were checked before.
        if is_new
            && !self.placed.contains_key(&folded)
            && let Err(message) = self.check_picture(&file.path, read)
        {
            if file.is_optional {
                self.report.add_skipped(place, message);
                return Ok(());
            }
            // Entries show it under its name, so it is stored as it was there.
            self.report.add_altered(place, message);
        }
        for alias in file.names.iter().chain([&file.path]) {
            names.add_media(alias, &name);
        }
        if self.placed.insert(folded, read.sum).is_some() {
            return Ok(());
        }
        if !is_new {
            self.report.media.unchanged += 1;
            return Ok(());
        }
        self.report.media.created += 1;
        let ws = self.staging.workspace().clone();
        let meta = Key::MediaMeta(ws.clone(), name.clone());
        let bytes = Json::Object(file.meta.apply_to(&Map::new())).to_file();
        match self.staging.read_stored(&meta)? {
            Some(left) => self.files.replace(meta, bytes, left.stat()),
            None => self.files.create(meta, bytes),
        }
        let key = Key::Media(ws, name);
        match &read.cleaned {
            Some(clean) => self.files.create(key, clean.clone()),
            None => self.files.copy(key, &file.path, read.sum, None),
        }
        Ok(())
    }

    /// Checks that a picture can be decoded, as that of an upload.
    fn check_picture(&self, path: &str, read: &ReadMedia) -> Result<(), String> {
        if !pictures::is_decoded(read.kind.mime) {
            return Ok(());
        }
        let opened = self.source.open(path);
        let mut bytes = Vec::new();
        let most = read.size.min(FILE_BYTES_MAX);
        let copied = opened.and_then(|it| it.take(most).read_to_end(&mut bytes));
        copied.map_err(|error| format!("The file cannot be read: {error}."))?;
        match decode_for_thumbnail(self.budget, &mut Cursor::new(bytes), read.size) {
            Err(DecodeError::Broken) => Err(UploadRefusal::BROKEN_PICTURE.to_string()),
            // It is stored without a thumbnail.
            Ok(_) | Err(DecodeError::TooLarge | DecodeError::Busy | DecodeError::NoMemory) => {
                Ok(())
            }
        }
    }

    /// Chooses the stored name: that of the same bytes, else a free one.
    fn choose_name(&self, file: &ImportedFile, read: &ReadMedia) -> Option<Filename> {
        let original = file.file_name.as_deref().unwrap_or(&file.path);
        let original = original.rsplit(['/', '\\']).next().unwrap_or(original);
        let is_known = |it: &Filename| self.staging.snapshot().media.get(it).is_some();
        if let Ok(name) = Filename::parse(original)
            && (file.keeps_name || is_known(&name))
            && !self.is_taken(&name, read)
        {
            return Some(name);
        }
        build_stored_name(original, read.kind.extension, |name| match self.placed.get(name) {
            Some(sum) => *sum != read.sum,
            None => self.is_taken(name, read),
        })
    }

    /// Returns true if the workspace has another file of this name.
    fn is_taken(&self, name: &str, read: &ReadMedia) -> bool {
        let media = &self.staging.snapshot().media;
        let Some(item) = media.get(name) else {
            let ws = self.staging.workspace().clone();
            let key = Filename::parse(name).map(|it| Key::Media(ws, it));
            return media.is_name_taken(name) || key.is_ok_and(|it| self.staging.exists(&it));
        };
        item.size != read.size || self.staging.sum_media(&item.filename) != Some(read.sum)
    }
}
