//! The files of a workspace that a reader may see as they are: with the checksum of each, or with
//! their content.
//!
//! A file says more than an answer of the public API: it has all locales, and the ids of entries
//! that its reader may not see. So an entry is listed only to those who may read all of its locales
//! and everything that it refers to. Of the rest, only what follows from the reader's grants is
//! told, so that a missing file does not count as removed.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access::check_entry;
use crate::app::content::content_types::may_read_definition;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::visibility_filter;
use crate::app::replication::change::sum_media;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::lines::ReplicatedLine;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file::visit_references;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Grants;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::problem::FieldProblems;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// About how many bytes a frame has.
const FRAME_BYTES: usize = 64 * 1024;

/// The character between paths in the parameter: no filename has it.
pub const PATH_SEPARATOR: char = '|';

/// The files of one moment, for one reader.
pub struct FileListing {
    snapshot: Arc<Snapshot>,
    caller: Caller,
    with_content: bool,
    files: std::vec::IntoIter<ReplicatedFile>,
    /// The types of which the reader sees every entry, and everything that they refer to.
    whole_types: BTreeSet<usize>,
    unseen: Vec<String>,
    has_ended: bool,
}

impl FileListing {
    /// Opens the files that the parameters ask for. `content=1` adds their content, `paths` limits
    /// them.
    pub fn open(
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        params: &QueryParams,
    ) -> Result<FileListing> {
        let grants = caller.grants();
        let grants = grants.ok_or_else(|| Error::unauthorized("This request needs a token."))?;
        let wanted =
            params.get("paths").filter(|it| !it.is_empty()).map(parse_paths).transpose()?;
        let mut problems = FieldProblems::new();
        let with_content = params.parse_flag("content", &mut problems);
        problems.into_result(()).map_err(Error::invalid)?;
        let whole_types = list_whole_types(snapshot, grants);
        let mut files = list_files(snapshot, caller);
        if let Some(wanted) = &wanted {
            files.retain(|it| wanted.contains(it));
        }
        Ok(FileListing {
            unseen: list_unseen(snapshot, caller, grants, &whole_types),
            snapshot: snapshot.clone(),
            caller: caller.clone(),
            with_content,
            files: files.into_iter(),
            whole_types,
            has_ended: false,
        })
    }

    /// Returns the next lines; nothing after the last.
    pub fn next_frame(&mut self, app: &App) -> Option<Bytes> {
        if self.has_ended {
            return None;
        }
        let mut out = Vec::with_capacity(FRAME_BYTES);
        while out.len() < FRAME_BYTES {
            let Some(file) = self.files.next() else {
                self.has_ended = true;
                let mut end = Map::new();
                end.push("kind", "end");
                let unseen = self.unseen.iter().map(|it| Json::from(it.as_str()));
                end.push("unseen", unseen.collect::<Vec<_>>());
                write_line(&Json::Object(end), &mut out);
                break;
            };
            match self.read_line(app, &file) {
                ReadLine::Line(line) => write_line(&line.to_json(), &mut out),
                ReadLine::Hidden => {}
                ReadLine::Unreadable => self.unseen.push(file.path()),
            }
        }
        Some(out.into())
    }

    fn read_line(&self, app: &App, file: &ReplicatedFile) -> ReadLine {
        let line = |sum: Checksum, size, content: Option<Map>| {
            let content = content.filter(|_| self.with_content);
            ReadLine::Line(ReplicatedLine { file: file.clone(), sum: Some(sum), size, content })
        };
        let (snapshot, folder) = (&self.snapshot, app.engine.folder());
        let key = file.key(&snapshot.workspace);
        match file {
            ReplicatedFile::Schema(name) => match snapshot.get(name) {
                Some(index) => {
                    line(index.content_type.sum, None, Some(index.content_type.source.clone()))
                }
                None => ReadLine::Hidden,
            },
            ReplicatedFile::Media(name) => {
                let Some(item) = snapshot.media.get(name) else { return ReadLine::Hidden };
                let known = item.tag.content;
                match known.or_else(|| sum_media(app, &snapshot.workspace, file)) {
                    Some(sum) => line(sum, Some(item.size), None),
                    None => ReadLine::Unreadable,
                }
            }
            ReplicatedFile::MediaMeta(_) => match folder.read_content(&key) {
                Ok(Some(content)) => {
                    let sum = Json::Object(content.map.clone()).compute_checksum();
                    line(sum, None, Some(content.map))
                }
                Ok(None) => ReadLine::Hidden,
                Err(_) => ReadLine::Unreadable,
            },
            ReplicatedFile::Entry(of, id) => {
                let Some(doc) = snapshot.find_entry(&(of.clone(), id.clone())) else {
                    return ReadLine::Hidden;
                };
                let place = snapshot.type_position(of);
                let is_whole = place.is_some_and(|it| self.whole_types.contains(&it));
                if is_whole && !self.with_content {
                    return line(doc.rev, None, None);
                }
                let Some(content) = folder.read_served_content(&key, doc.rev) else {
                    return ReadLine::Unreadable;
                };
                let ty = snapshot.get(of).map(|it| &it.content_type);
                if !is_whole && ty.is_none_or(|it| self.refers_to_hidden(it, &content.map)) {
                    return ReadLine::Hidden;
                }
                line(doc.rev, None, Some(content.map))
            }
        }
    }

    /// Returns true if a file refers to an entry that the reader may not see.
    fn refers_to_hidden(&self, ty: &ContentType, file: &Map) -> bool {
        let mut is_hidden = false;
        visit_references(&ty.fields, file, &mut |_, reference| {
            let Reference::Entry { target, id, .. } = reference else { return };
            // What is not there at all is no secret only to those who see everything.
            let place = EntryId::parse(id).ok().map(|id| (target.clone(), id));
            let sees = place.is_some_and(|place| {
                let doc = self.snapshot.find_entry(&place);
                doc.is_some_and(|doc| may_read(&self.snapshot, &self.caller, &place, doc))
            });
            is_hidden |= !sees;
        });
        is_hidden
    }
}

/// The outcome of reading a file.
enum ReadLine {
    Line(ReplicatedLine),
    /// It is not there for this reader.
    Hidden,
    /// It cannot be read at this moment.
    Unreadable,
}

fn write_line(json: &Json, out: &mut Vec<u8>) {
    // Writing JSON into memory cannot fail.
    let _ = serde_json::to_writer(&mut *out, json);
    out.push(b'\n');
}

fn parse_paths(text: &str) -> Result<BTreeSet<ReplicatedFile>> {
    let parsed = text.split(PATH_SEPARATOR).map(ReplicatedFile::parse);
    parsed.collect::<Option<_>>().ok_or_else(|| {
        let message = "This must name schemas, entries and media files by their paths.";
        Error::invalid(FieldProblems::from_problem("paths", message))
    })
}

/// Lists the files of a workspace, by what is in memory.
fn list_files(snapshot: &Snapshot, caller: &Caller) -> Vec<ReplicatedFile> {
    let mut files = Vec::new();
    for index in snapshot.types() {
        let name = &index.content_type.name;
        if !may_read_definition(snapshot, caller, index) {
            continue;
        }
        files.push(ReplicatedFile::Schema(name.clone()));
        for (_, doc) in index.iter() {
            let place = (name.clone(), doc.to_id());
            if may_read(snapshot, caller, &place, doc) {
                files.push(ReplicatedFile::Entry(place.0, place.1));
            }
        }
    }
    let sees = visibility_filter(snapshot, caller);
    for item in snapshot.media.iter().filter(|it| sees(it)) {
        files.push(ReplicatedFile::Media(item.filename.clone()));
        files.push(ReplicatedFile::MediaMeta(item.filename.clone()));
    }
    files.sort_unstable();
    files
}

fn may_read(snapshot: &Snapshot, caller: &Caller, place: &EntryPlace, doc: &RenderedEntry) -> bool {
    check_entry(snapshot, caller, Action::ContentRead, place, doc).is_ok()
}

/// Lists the types of which the reader sees all entries in all locales, and all targets.
fn list_whole_types(snapshot: &Snapshot, grants: &Grants) -> BTreeSet<usize> {
    let sees_all = |place: usize| {
        let ty = snapshot.types().get(place).map(|it| &it.content_type);
        ty.is_some_and(|ty| {
            let mut locales: Vec<Option<&str>> =
                ty.locales.iter().map(|it| Some(it.as_str())).collect();
            if locales.is_empty() {
                locales.push(None);
            }
            let reach = |it| grants.find_reach(&snapshot.workspace, &ty.name, it);
            locales.into_iter().all(|it| matches!(reach(it), Reach::Everything))
        })
    };
    let count = snapshot.types().len();
    let seen: BTreeSet<usize> = (0..count).filter(|it| sees_all(*it)).collect();
    let reaches_seen = |place: &usize| {
        // A relation to a type that does not exist refers to nothing.
        snapshot.relation_targets(*place).iter().flatten().all(|it| seen.contains(it))
    };
    seen.iter().copied().filter(reaches_seen).collect()
}

/// Lists what the reader's grants leave out, as paths below the workspace.
fn list_unseen(
    snapshot: &Snapshot,
    caller: &Caller,
    grants: &Grants,
    whole_types: &BTreeSet<usize>,
) -> Vec<String> {
    let (workspace, mut unseen) = (snapshot.workspace.as_str(), Vec::new());
    let (action, facts) = (Action::SchemaRead, Facts::default());
    if caller.check_permission(workspace, action, &Resource::Schemas, &facts).is_err() {
        unseen.push("schemas/".to_string());
    }
    for (place, index) in snapshot.types().iter().enumerate() {
        if !whole_types.contains(&place) && may_read_definition(snapshot, caller, index) {
            unseen.push(format!("content/{}/", index.content_type.name));
        }
    }
    let media = grants.compute_media_reach(workspace, Action::MediaRead);
    if !matches!(media, Reach::Everything) {
        unseen.extend(["media/", "media-meta/"].map(str::to_string));
    }
    unseen
}
