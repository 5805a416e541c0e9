//! Putting entries into the trash.

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::entries::write::Found;
use crate::app::entries::write::free_copy;
use crate::app::entries::write::move_revisions;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::stdx::json_edit::rewrite;
use crate::store::layout::Copy;
use crate::store::layout::Key;

/// Puts an entry into the trash, from where it can come back.
pub fn delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    identifier: &str,
    precondition: Precondition,
) -> Result<()> {
    let (by, name, identifier) = (by.clone(), type_name.to_string(), identifier.to_string());
    let work =
        move |staging: &mut Staging<'_>| stage(staging, &by, &name, &identifier, &precondition);
    app.engine.commit::<(), Error, _>(ws, work).map(|it| it.value)
}

/// Stages the deletion of one entry.
pub(super) fn stage(
    staging: &mut Staging<'_>,
    by: &By,
    type_name: &str,
    identifier: &str,
    precondition: &Precondition,
) -> Result<()> {
    let action = Action::ContentDelete;
    let found = Found::of(staging.snapshot(), by, action, type_name, identifier, None)?;
    let allowed = may_delete(&found, by)?;
    found.expect(staging, precondition, by)?;
    stage_delete(&allowed, staging, &found, by)
}

/// A deletion concerns all locales.
fn may_delete<'b>(found: &Found<'_>, by: &'b By) -> Result<Allowed<'b>> {
    let locales: Vec<&str> =
        found.index.content_type.locales.iter().map(|it| it.as_str()).collect();
    let facts = Facts {
        status: Some(found.doc.status),
        author_id: found.doc.author_id.as_deref(),
        locales: &locales,
        ..Facts::default()
    };
    let workspace = found.snapshot.workspace.as_str();
    by.caller.may(workspace, Action::ContentDelete, &found.resource(), &facts)
}

/// One rename, which works on a full disk as well. What is written into the file behind it says who
/// deleted it and when; lost, the file's own time stands in.
fn stage_delete(
    allowed: &Allowed<'_>,
    staging: &mut Staging<'_>,
    found: &Found<'_>,
    by: &By,
) -> Result<()> {
    debug_assert_eq!(allowed.action(), Action::ContentDelete);
    let (of, id) = (&found.index.content_type.name, &found.doc.id);
    let stored = found.stored(staging)?;
    let copy = free_copy(staging, of, id);
    if copy.number > 0 {
        move_revisions(staging, of, &Copy::first(id.clone()), &copy)?;
    }
    let trashed = Key::Trash(staging.workspace().clone(), of.clone(), copy.clone());
    let mut file = stored.map.clone();
    if copy.number > 0 {
        file.set("id", id.as_str().into());
    }
    file.set("deleted_at", staging.now().to_string().into());
    file.set("deleted_by", by.actor.id.as_str().into());
    staging.rename(&stored.key, &trashed);
    let stamped = rewrite(&stored.bytes, &Json::Object(file));
    staging.afterwards().replace_moved(&stored, &trashed, stamped);
    staging.tell(Event::by(&by.actor, EventKind::ContentDeleted, found.subject()));
    Ok(())
}
