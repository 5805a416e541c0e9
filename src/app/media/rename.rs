//! A media file that gets another name, together with everything that refers to it: media fields,
//! and addresses inside texts.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::body;
use crate::app::media::meta::Target;
use crate::app::media::split_base;
use crate::app::media::staged::Answer;
use crate::app::media::staged::AnswerMeta;
use crate::app::media::staged::Asked;
use crate::app::media::staged::all_well;
use crate::app::media::staged::composed;
use crate::app::media::staged::may_change;
use crate::app::media::staged::rewritten;
use crate::app::media::staged::shown;
use crate::app::media::staged::tell;
use crate::app::media::staged::wanted;
use crate::engine::MediaArrival;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::model::content_type::ContentType;
use crate::model::entry_file;
use crate::model::event::EventKind;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::media::FormerName;
use crate::model::media::MediaItem;
use crate::model::media::fitting_extension;
use crate::model::media::stored_name;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::query::media_uses;
use crate::query::media_uses::Search;
use crate::query::media_uses::Use;
use crate::query::referrers::may_hide_values;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::percent;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Gives a file another name, `{name}`, written as names of uploads are and with an extension that
/// fits it. Entries, translations and the trash refer to the new name from then on; earlier
/// revisions tell what was.
pub fn rename(app: &App, by: &By, target: &Target<'_>, body: &Map) -> Result<Answer<MediaView>> {
    let mut problems = FieldProblems::new();
    let wish = body::required(body, "name", &mut problems).map(str::to_owned);
    if wish.as_ref().is_some_and(|it| it.trim().is_empty()) {
        problems.add("name", "A file needs a name.");
    }
    let (by, name) = (by.clone(), composed(target.name));
    let precondition = target.precondition.clone();
    let _arriving = arriving(app, target.ws, &name);
    let committed = app.engine.commit(target.ws, move |staging| {
        let snapshot = staging.snapshot();
        let allowed = may_change(&by, snapshot, Action::MediaUpdate, Asked::OnFile, &name)?;
        let item = wanted(snapshot, &name, &precondition)?;
        all_well(problems.clone())?;
        let to = new_name(staging, &item, wish.as_deref().unwrap_or_default())?;
        if to == item.filename {
            return Ok((to, 0));
        }
        stage(staging, &allowed, &item.filename, &to)?;
        staging.revision(RevisionEvent::Media, &by.actor.id);
        let updated_entries = redirect_all(staging, &allowed, &item.filename, &to)?;
        tell(staging, &by, EventKind::MediaUpdated, &to);
        Ok::<_, Error>((to, updated_entries))
    })?;
    let (name, updated_entries) = committed.value;
    let data = shown(app, &committed.snapshot, &name)?;
    let meta = AnswerMeta { updated_entries: Some(updated_entries), ..AnswerMeta::default() };
    Ok(Answer { data, meta: Some(meta) })
}

/// Tells the bytes of the file before it gets its new name, so that they are not read again.
fn arriving<'a>(app: &'a App, ws: &WorkspaceSlug, name: &str) -> Option<MediaArrival<'a>> {
    let snapshot = app.engine.snapshot(ws.as_str())?;
    let item = snapshot.media.get(name)?;
    let content = item.tag.content?;
    let blob = app.engine.open_media(ws, &item.filename).ok()?;
    let is_known = blob.stat.sum() == item.tag.state;
    is_known.then(|| app.engine.media_arrives(&blob.stat, content))
}

/// The name that a wish comes to. Unlike that of an upload it is not made free: it was asked for.
fn new_name(staging: &Staging<'_>, item: &MediaItem, wish: &str) -> Result<Filename> {
    let extension = fitting_extension(item, wish);
    let name = stored_name(wish, extension, |_| false);
    let name = name.ok_or_else(|| Error::internal("there is no name left"))?;
    let ws = staging.workspace();
    let other = !name.eq_ignore_ascii_case(&item.filename);
    let taken = other
        && (staging.snapshot().media.is_taken(&name)
            || staging.exists(&Key::MediaMeta(ws.clone(), name.clone())));
    if taken {
        let message = format!("There is another file `{name}`.");
        return Err(Error::invalid(FieldProblems::one("name", message)));
    }
    Ok(name)
}

/// Stages the new name, and remembers the old one with what is said of the file: earlier revisions
/// know it by that.
fn stage(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    from: &Filename,
    to: &Filename,
) -> std::result::Result<(), CommitError> {
    let ws = staging.workspace().clone();
    let meta = |name: &Filename| Key::MediaMeta(ws.clone(), name.clone());
    let bytes = |name: &Filename| Key::Media(ws.clone(), name.clone());
    staging.rename(&bytes(from), &bytes(to));
    let former = FormerName { name: from.clone(), until: staging.now() };
    // Names that differ in case alone are one file on some systems.
    let is_other = !from.eq_ignore_ascii_case(to);
    match staging.stored(&meta(from)) {
        Ok(Some(stored)) if is_other => {
            let said = rewritten(&stored, former.added_to(&stored.map));
            staging.create(&meta(to), said);
            staging.remove(&meta(from));
        }
        Ok(None) if is_other => {
            staging.create(&meta(to), Json::Object(former.added_to(&Map::new())).to_file());
        }
        Ok(None) => {}
        Ok(Some(_)) | Err(CommitError::Broken(_)) => staging.rename(&meta(from), &meta(to)),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Points every reference to the new name; how many entries had one.
fn redirect_all(
    staging: &mut Staging<'_>,
    allowed: &Allowed<'_>,
    from: &Filename,
    to: &Filename,
) -> Result<usize> {
    let moved = Moved { from, to, search: Search::of(staging.workspace()) };
    let mut redirected = 0;
    let found = media_uses::uses(staging.snapshot(), |it| from.as_str() == it);
    for index in staging.snapshot().types() {
        for key in files(staging, index, &found)? {
            let ty = &index.content_type;
            redirected += usize::from(redirect(staging, allowed, ty, &key, &moved)?);
        }
    }
    Ok(redirected)
}

/// The files of a type that may refer to the old name: those of entries that were `found` to, all
/// where entries may hold what no reader gets, and the trash.
fn files(
    staging: &Staging<'_>,
    index: &TypeIndex,
    found: &[(Box<str>, Use<'_>)],
) -> Result<BTreeSet<Key>> {
    let (ws, of) = (staging.workspace(), &index.content_type.name);
    let mut folders = vec![Folder::Trash(ws.clone(), of.clone())];
    if may_hide_values(index) {
        folders.push(Folder::Entries(ws.clone(), of.clone()));
    }
    let found = found.iter().filter(|(_, it)| it.index.content_type.name == *of);
    let mut keys: BTreeSet<Key> =
        found.map(|(_, it)| Key::Entry(ws.clone(), of.clone(), it.doc.id.clone())).collect();
    for folder in &folders {
        keys.extend(staging.list(folder)?.into_iter().map(|it| it.key));
    }
    Ok(keys)
}

/// A file that gets another name.
struct Moved<'a> {
    from: &'a Filename,
    to: &'a Filename,
    search: Search,
}

/// Points the references of one entry to the new name; whether it had any.
fn redirect(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    ty: &ContentType,
    key: &Key,
    moved: &Moved<'_>,
) -> Result<bool> {
    let stored = match staging.stored(key) {
        Ok(Some(stored)) => stored,
        // What cannot be read refers to nothing that could be told.
        Ok(None) | Err(CommitError::Broken(_)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let mut map = stored.map.clone();
    let mut target = |reference: Reference<'_>| match reference {
        Reference::Media(name) if moved.from.as_str() == name => Some(moved.to.to_string()),
        _ => None,
    };
    let base_url = staging.base_url();
    let found = entry_file::redirect(&ty.fields, &mut map, &mut target)
        + entry_file::rewrite_texts(&mut map, &mut |text| moved.in_text(text, base_url));
    if found > 0 {
        staging.replace(&stored, rewritten(&stored, map));
    }
    Ok(found > 0)
}

impl Moved<'_> {
    /// A text with the file's address as it is from now on; nothing, where it does not occur.
    fn in_text(&self, text: &str, base_url: &str) -> Option<String> {
        let mut target = |name: &str| (self.from.as_str() == name).then(|| self.to.to_string());
        with_addresses(&self.search, text, base_url, &mut target)
    }
}

/// A text with the addresses of media files for which `target` names another file; nothing, where
/// there are none.
pub(super) fn with_addresses(
    search: &Search,
    text: &str,
    base_url: &str,
    target: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for mention in search.mentions(text.as_bytes()) {
        if !text.get(..mention.start).is_some_and(|it| leads_here(it, base_url)) {
            continue;
        }
        if let Some(to) = target(&mention.name) {
            out.push_str(text.get(copied..mention.segment.start)?);
            out.push_str(&percent::segment(&to).to_string());
            copied = mention.segment.end;
        }
    }
    (copied > 0).then_some(())?;
    out.push_str(text.get(copied..)?);
    Some(out)
}

/// Whether what stands before the path of a media URL makes it one of this server, not that of
/// another.
fn leads_here(before: &str, base_url: &str) -> bool {
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
        let search = Search::of(&WorkspaceSlug::parse("main").unwrap());
        let moved = Moved { from: &from, to: &to, search };
        let check = |text: &str, base_url: &str, expect: Option<&str>| {
            assert_eq!(moved.in_text(text, base_url).as_deref(), expect, "{text} {base_url}");
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
