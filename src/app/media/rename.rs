//! A media file that gets another name, together with everything that refers to it.

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::body;
use crate::app::media::meta::Target;
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
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::model::content_type::ContentType;
use crate::model::entry_file;
use crate::model::event::EventKind;
use crate::model::field::Reference;
use crate::model::grant::Action;
use crate::model::media::MediaItem;
use crate::model::media::fitting_extension;
use crate::model::media::stored_name;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::stdx::json::Map;
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
    let committed = app.engine.commit(target.ws, move |staging| {
        let snapshot = staging.snapshot();
        let allowed = may_change(&by, snapshot, Action::MediaUpdate, Asked::OnFile, &name)?;
        let item = wanted(snapshot, &name, &precondition)?;
        all_well(problems.clone())?;
        let to = new_name(staging, &item, wish.as_deref().unwrap_or_default())?;
        if to == item.filename {
            return Ok((to, 0));
        }
        stage(staging, &allowed, &item.filename, &to);
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

fn stage(staging: &mut Staging<'_>, _: &Allowed<'_>, from: &Filename, to: &Filename) {
    let ws = staging.workspace().clone();
    let meta = |name: &Filename| Key::MediaMeta(ws.clone(), name.clone());
    let bytes = |name: &Filename| Key::Media(ws.clone(), name.clone());
    staging.rename(&bytes(from), &bytes(to));
    if staging.exists(&meta(from)) {
        staging.rename(&meta(from), &meta(to));
    }
}

/// Points every reference to the new name; how many entries had one.
fn redirect_all(
    staging: &mut Staging<'_>,
    allowed: &Allowed<'_>,
    from: &Filename,
    to: &Filename,
) -> Result<usize> {
    let ws = staging.workspace().clone();
    let mut redirected = 0;
    for index in staging.snapshot().types() {
        let ty = &index.content_type;
        let folders = [
            Folder::Entries(ws.clone(), ty.name.clone()),
            Folder::Trash(ws.clone(), ty.name.clone()),
        ];
        for folder in &folders {
            for file in staging.list(folder)? {
                redirected += usize::from(redirect(staging, allowed, ty, &file.key, from, to)?);
            }
        }
    }
    Ok(redirected)
}

/// Points the references of one entry to the new name; whether it had any.
fn redirect(
    staging: &mut Staging<'_>,
    _: &Allowed<'_>,
    ty: &ContentType,
    key: &Key,
    from: &Filename,
    to: &Filename,
) -> Result<bool> {
    let stored = match staging.stored(key) {
        Ok(Some(stored)) => stored,
        // What cannot be read refers to nothing that could be told.
        Ok(None) | Err(CommitError::Broken(_)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let mut map = stored.map.clone();
    let mut target = |reference: Reference<'_>| match reference {
        Reference::Media(name) if from.as_str() == name => Some(to.to_string()),
        _ => None,
    };
    let found = entry_file::redirect(&ty.fields, &mut map, &mut target);
    if found > 0 {
        staging.replace(&stored, rewritten(&stored, map));
    }
    Ok(found > 0)
}
