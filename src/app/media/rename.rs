//! The renaming of media files, together with everything that refers to them: media fields and
//! addresses inside texts.

use std::collections::BTreeSet;

use schemars::JsonSchema;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::change_files::list_change_files;
use crate::app::content::unreadable_files::UnreadableFiles;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::MediaAnswer;
use crate::app::media::media_change::MediaAnswerMeta;
use crate::app::media::media_change::PermissionTarget;
use crate::app::media::media_change::check_may_change;
use crate::app::media::media_change::emit_event;
use crate::app::media::media_change::find_for_change;
use crate::app::media::media_change::render_file;
use crate::app::media::media_change::render_stored;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::normalize_name;
use crate::app::media::media_view::split_base;
use crate::app::media::meta::MediaTarget;
use crate::engine::error::CommitError;
use crate::engine::folder::uploads::MediaArrival;
use crate::engine::staging::Staging;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::event::EventKind;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::media::FormerName;
use crate::model::media::MediaItem;
use crate::model::media::build_stored_name;
use crate::model::media::choose_extension;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::sentence::sentence;
use crate::query::execute::media_uses;
use crate::query::execute::media_uses::MediaUrlFinder;
use crate::query::execute::media_uses::MediaUse;
use crate::query::execute::referrers::may_hide_values;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::url_encoding;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The body of a request that renames a file.
#[derive(Clone, Debug, Default, JsonSchema)]
pub struct MediaRename {
    /// The new name, made safe like the names of uploads, with an extension that fits the file.
    #[schemars(length(min = 1))]
    name: String,
}

impl MediaRename {
    fn parse(body: &Map) -> ParsedBody<MediaRename> {
        let mut input = ObjectReader::new(body);
        let name = input.filled_text("name");
        input.finish(MediaRename { name })
    }
}

/// Renames a file to `{name}`, normalized like the names of uploads and with an extension that fits
/// the file. Entries, translations, changes and the trash then refer to the new name; earlier
/// revisions of entries are unchanged, and those of the file move along. Nothing happens while a
/// file that cannot be read may refer to it.
pub fn rename_file(
    app: &App,
    by: &Requester,
    target: &MediaTarget<'_>,
    body: &Map,
) -> Result<MediaAnswer<MediaView>> {
    let input = MediaRename::parse(body);
    let (by, name) = (by.clone(), normalize_name(target.name));
    let precondition = target.precondition.clone();
    let _arriving = announce_arrival(app, target.ws, &name);
    let committed = app.engine.commit(target.ws, move |staging| {
        let snapshot = staging.snapshot();
        let permit =
            check_may_change(&by, snapshot, Action::MediaUpdate, PermissionTarget::OnFile, &name)?;
        let item = find_for_change(snapshot, &name, &precondition)?;
        let MediaRename { name: new_name } = input.clone().into_result().map_err(Error::invalid)?;
        let to = resolve_name(staging, &item, &new_name)?;
        if to == item.filename {
            return Ok((to, 0));
        }
        stage_rename(staging, &permit, &item.filename, &to)?;
        move_revisions(staging, &permit, &item.filename, &to)?;
        staging.write(&permit).label_revisions(RevisionEvent::Media, &by.actor.id);
        let (updated_entries, unreadable) = redirect_all(staging, &permit, &item.filename, &to)?;
        unreadable.check_none(staging.snapshot(), &by.caller)?;
        emit_event(staging, &permit, EventKind::MediaUpdated, &to);
        Ok::<_, Error>((to, updated_entries))
    })?;
    let (name, updated_entries) = committed.value;
    if let Some(item) = committed.snapshot.media.get(&name)
        && let (Some(sum), Some(_)) = (item.tag.content, &item.sketch)
    {
        app.engine.folder().record_sketch(target.ws, &name, sum, item.sketch.clone());
    }
    let data = render_file(app, &committed.snapshot, &name)?;
    let meta = MediaAnswerMeta::Renamed { updated_entries };
    Ok(MediaAnswer { data, meta: Some(meta) })
}

/// Announces the content of the file under its new name, so that it is not hashed again.
fn announce_arrival<'a>(app: &'a App, ws: &WorkspaceSlug, name: &str) -> Option<MediaArrival<'a>> {
    let snapshot = app.engine.snapshot(ws.as_str())?;
    let item = snapshot.media.get(name)?;
    let content = item.tag.content?;
    let blob = app.engine.folder().open_media(ws, &item.filename).ok()?;
    let is_known = blob.stat.compute_sum() == item.tag.state;
    is_known.then(|| app.engine.folder().announce_media(&blob.stat, content, item.sketch.clone()))
}

/// Returns the normalized new name. Unlike the name of an upload, a taken name is an error.
fn resolve_name(staging: &Staging<'_>, item: &MediaItem, new_name: &str) -> Result<Filename> {
    let extension = choose_extension(item, new_name);
    let name = build_stored_name(new_name, extension, |_| false);
    let name = name.ok_or_else(|| Error::internal("no free name is left"))?;
    let ws = staging.workspace();
    let other = !name.eq_ignore_ascii_case(&item.filename);
    let taken = other
        && (staging.snapshot().media.is_name_taken(&name)
            || staging.exists(&Key::MediaMeta(ws.clone(), name.clone()))
            || staging.has_files(&Folder::MediaRevisions(ws.clone(), name.clone())));
    if taken {
        let message = sentence!("Another file is named `{name}`.", name = name.as_str());
        return Err(Error::invalid(FieldProblems::from_problem("name", message)));
    }
    Ok(name)
}

/// Stages the renaming. The old name is recorded in the metadata, because earlier revisions refer
/// to it.
fn stage_rename(
    staging: &mut Staging<'_>,
    permit: &Permit,
    from: &Filename,
    to: &Filename,
) -> std::result::Result<(), CommitError> {
    let ws = staging.workspace().clone();
    let meta = |name: &Filename| Key::MediaMeta(ws.clone(), name.clone());
    let bytes = |name: &Filename| Key::Media(ws.clone(), name.clone());
    staging.write(permit).rename(&bytes(from), &bytes(to));
    let former = FormerName { name: from.clone(), until: staging.now() };
    // On some systems, names that differ only in case are one file.
    let is_other = !from.eq_ignore_ascii_case(to);
    match staging.read_stored(&meta(from)) {
        Ok(Some(stored)) if is_other => {
            let said = render_stored(&stored, former.append_to(stored.map()));
            staging.write(permit).create(&meta(to), said);
            staging.write(permit).remove(&meta(from));
        }
        Ok(None) if is_other => {
            staging
                .write(permit)
                .create(&meta(to), Json::Object(former.append_to(&Map::new())).to_file());
        }
        Ok(None) => {}
        Ok(Some(_)) | Err(CommitError::Broken(_)) => {
            staging.write(permit).rename(&meta(from), &meta(to))
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Stages the move of the revisions of the file.
fn move_revisions(
    staging: &mut Staging<'_>,
    permit: &Permit,
    from: &Filename,
    to: &Filename,
) -> std::result::Result<(), CommitError> {
    let folder = Folder::MediaRevisions(staging.workspace().clone(), from.clone());
    let revisions = staging.list(&folder)?;
    for file in &revisions {
        if let Key::MediaRevision(ws, _, revision) = &file.key {
            let to = Key::MediaRevision(ws.clone(), to.clone(), revision.clone());
            staging.write(permit).rename(&file.key, &to);
        }
    }
    if !revisions.is_empty() {
        staging.write(permit).remove_folder(&folder);
    }
    Ok(())
}

/// Updates every reference to the new name, those in changes as well. Returns the number of changed
/// entries, and the files that may have references but cannot be read.
fn redirect_all(
    staging: &mut Staging<'_>,
    permit: &Permit,
    from: &Filename,
    to: &Filename,
) -> Result<(usize, UnreadableFiles)> {
    let moved =
        RenamedFile { from, to, search: MediaUrlFinder::for_workspace(staging.workspace()) };
    let mut redirected = 0;
    let mut unreadable = UnreadableFiles::default();
    let found = media_uses::find_uses(staging.snapshot(), |it| from.as_str() == it);
    for index in staging.snapshot().types() {
        let ty = &index.content_type;
        let showing = list_showing_files(staging.workspace(), ty, &found);
        for key in list_affected_files(staging, index, &showing)? {
            match redirect_entry(staging, permit, ty, &key, &moved) {
                Err(CommitError::Broken(_)) => {
                    if showing.contains(&key) || moved.may_be_in(staging, &key) {
                        unreadable.add(key);
                    }
                }
                changed => redirected += usize::from(changed?),
            }
        }
        redirect_changes(staging, permit, ty, &moved, &mut unreadable)?;
    }
    // Those of which no good version is known are in no index.
    for key in staging.list_blocked_files() {
        if moved.may_be_in(staging, &key) {
            unreadable.add(key);
        }
    }
    Ok((redirected, unreadable))
}

/// Updates the references in the files of changes.
fn redirect_changes(
    staging: &mut Staging<'_>,
    permit: &Permit,
    ty: &ContentType,
    moved: &RenamedFile<'_>,
    unreadable: &mut UnreadableFiles,
) -> Result<()> {
    let base_url = staging.base_url();
    for (key, known) in list_change_files(staging.snapshot(), &ty.name) {
        if moved.redirect_file(ty, &mut known.clone(), base_url) > 0 {
            match redirect_entry(staging, permit, ty, &key, moved) {
                Err(CommitError::Broken(_)) => unreadable.add(key),
                changed => _ = changed?,
            }
        }
    }
    Ok(())
}

/// Returns the files of those entries of a type that are `found` to refer to the old name.
fn list_showing_files(
    ws: &WorkspaceSlug,
    ty: &ContentType,
    found: &[(Box<str>, MediaUse<'_>)],
) -> BTreeSet<Key> {
    let found = found.iter().filter(|(_, it)| it.index.content_type.name == ty.name);
    found.map(|(_, it)| Key::Entry(ws.clone(), ty.name.clone(), it.doc.to_id())).collect()
}

/// Returns the files of a type that may refer to the old name: those of entries that show it, all
/// files of a type with hidden values, and the trash.
fn list_affected_files(
    staging: &Staging<'_>,
    index: &TypeIndex,
    showing: &BTreeSet<Key>,
) -> Result<BTreeSet<Key>> {
    let (ws, of) = (staging.workspace(), &index.content_type.name);
    let mut folders = vec![Folder::Trash(ws.clone(), of.clone())];
    if may_hide_values(index) {
        folders.push(Folder::Entries(ws.clone(), of.clone()));
    }
    let mut keys = showing.clone();
    for folder in &folders {
        keys.extend(staging.list(folder)?.into_iter().map(|it| it.key));
    }
    Ok(keys)
}

/// A file that is renamed.
struct RenamedFile<'a> {
    from: &'a Filename,
    to: &'a Filename,
    search: MediaUrlFinder,
}

/// Updates the references of one entry. Returns false if it had none.
fn redirect_entry(
    staging: &mut Staging<'_>,
    permit: &Permit,
    ty: &ContentType,
    key: &Key,
    moved: &RenamedFile<'_>,
) -> std::result::Result<bool, CommitError> {
    let Some(stored) = staging.read_stored(key)? else { return Ok(false) };
    let mut map = stored.map().clone();
    let found = moved.redirect_file(ty, &mut map, staging.base_url());
    if found > 0 {
        staging.write(permit).replace(&stored, render_stored(&stored, map));
    }
    Ok(found > 0)
}

impl RenamedFile<'_> {
    /// Updates the references in the content of a file. Returns their number.
    fn redirect_file(&self, ty: &ContentType, file: &mut Map, base_url: &str) -> usize {
        let mut target = |reference: Reference<'_>| match reference {
            Reference::Media(name) if self.from.as_str() == name => Some(self.to.to_string()),
            _ => None,
        };
        entry_file::redirect_references(&ty.fields, file, &mut target)
            + entry_file::rewrite_texts(file, &mut |text| self.replace_in_text(text, base_url))
    }

    /// Returns true if a file that cannot be read may refer to the renamed one.
    fn may_be_in(&self, staging: &Staging<'_>, key: &Key) -> bool {
        let text = staging.read_bytes(key).and_then(|it| String::from_utf8(it).ok());
        // Names of other characters are written in several ways.
        let Some(text) = text.filter(|_| self.from.is_ascii()) else { return true };
        let encoded = url_encoding::encode_segment(self.from).to_string();
        text.contains(self.from.as_str()) || text.contains(&encoded)
    }

    /// Replaces the file's address in a text. Returns `None` if it does not occur.
    fn replace_in_text(&self, text: &str, base_url: &str) -> Option<String> {
        let mut target = |name: &str| (self.from.as_str() == name).then(|| self.to.to_string());
        replace_addresses(&self.search, text, base_url, &mut target)
    }
}

/// Replaces the addresses of media files for which `target` returns another name. Returns `None` if
/// there are none.
pub(super) fn replace_addresses(
    search: &MediaUrlFinder,
    text: &str,
    base_url: &str,
    target: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for mention in search.find_mentions(text.as_bytes()) {
        if !text.get(..mention.start).is_some_and(|it| is_own_address(it, base_url)) {
            continue;
        }
        if let Some(to) = target(&mention.name) {
            out.push_str(text.get(copied..mention.segment.start)?);
            out.push_str(&url_encoding::encode_segment(&to).to_string());
            copied = mention.segment.end;
        }
    }
    (copied > 0).then_some(())?;
    out.push_str(text.get(copied..)?);
    Some(out)
}

/// Returns true if the text before the path of a media URL makes it an address of this server.
fn is_own_address(before: &str, base_url: &str) -> bool {
    let (_, below) = split_base(base_url);
    let begins = |it: &str| {
        let last = it.chars().next_back();
        last.is_none_or(|it| !it.is_alphanumeric() && !"-._~%:@/".contains(it))
    };
    (!base_url.is_empty() && before.ends_with(base_url))
        || before.strip_suffix(below).is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_texts_follow() {
        let name = |text| Filename::parse(text).unwrap();
        let (from, to) = (name("a b.png"), name("ü.png"));
        let search = MediaUrlFinder::for_workspace(&WorkspaceSlug::parse("main").unwrap());
        let moved = RenamedFile { from: &from, to: &to, search };
        let check = |text: &str, base_url: &str, expect: Option<&str>| {
            assert_eq!(
                moved.replace_in_text(text, base_url).as_deref(),
                expect,
                "{text} {base_url}"
            );
        };
        check("nothing", "", None);
        check("![](/media/main/a%20b.png)", "", Some("![](/media/main/%C3%BC.png)"));
        let (one, two) = ("<img src=\"/media/main/", "?v=1\"> /media-thumbs/main/");
        let before = format!("{one}a%20b.png{two}a%20b.png.");
        check(&before, "", Some(&format!("{one}%C3%BC.png{two}%C3%BC.png.")));
        check("/media/other/a%20b.png", "", None);
        check("https://x.org/media/main/a%20b.png", "", None);
        let base = "https://x.org/cms";
        let (ours, new) = ("https://x.org/cms/media/main/a%20b.png", "/media/main/%C3%BC.png");
        check(ours, base, Some(&format!("{base}{new}")));
        check("(/cms/media/main/a%20b.png)", base, Some(&format!("(/cms{new})")));
        check("/media/main/a%20b.png", base, None);
        check("https://y.org/cms/media/main/a%20b.png", base, None);
    }
}
