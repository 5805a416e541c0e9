//! Pictures of users: small PNGs without metadata, stored beside the user records.

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::pictures;
use crate::app::people::delegation;
use crate::app::people::profile;
use crate::app::people::users;
use crate::engine::installation::Installation;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::people::user::UserRecord;
use crate::model::problem::FieldProblems;
use crate::store::layout::Key;
use crate::store::write::spool::Spooled;

/// The longest side in pixels.
const SIDE_MAX: u32 = 256;

/// The name of the form field.
const FIELD: &str = "avatar";

/// The owner of a picture.
#[derive(Clone, Copy)]
pub enum AvatarOwner<'a> {
    /// The caller.
    Caller,
    /// The user with this id.
    User(&'a str),
}

impl AvatarOwner<'_> {
    /// Returns the record of the owner, if the caller may change it, and the permit.
    fn find_changeable(
        self,
        installation: &Installation,
        by: &Requester,
    ) -> Result<(UserRecord, Permit)> {
        match self {
            AvatarOwner::Caller => {
                let (caller, permit) =
                    profile::resolve_caller(installation, by, Action::ProfileUpdate)?;
                Ok((caller.require_login()?.account.record.clone(), permit))
            }
            AvatarOwner::User(id) => {
                let on = delegation::user_resource(id);
                let (caller, permit) =
                    delegation::resolve_caller(installation, by, Action::UsersUpdate, &on)?;
                let account = delegation::find_changeable(installation, &caller, id)?;
                Ok((account.record.clone(), permit))
            }
        }
    }
}

/// Returns the picture as a PNG.
pub fn show(app: &App, caller: &Caller, of: AvatarOwner<'_>) -> Result<Bytes> {
    let own = caller.require_login()?.account.record.id.clone();
    let id = match of {
        AvatarOwner::Caller => own.as_str(),
        AvatarOwner::User(id) => id,
    };
    if id != own.as_str() {
        users::check_may_read(caller, id)?;
    }
    let installation = app.engine.installation_arc();
    let user = installation.user(id).ok_or_else(|| Error::not_found("user", id))?;
    let picture = Some(&user.record).filter(|it| it.has_avatar);
    let picture = picture.and_then(|it| app.engine.folder().read_avatar(&it.id));
    picture.ok_or_else(|| Error::not_found("picture of user", id))
}

/// Sets the picture of a user.
pub fn set(
    app: &App,
    by: &Requester,
    of: AvatarOwner<'_>,
    files: &[Spooled],
) -> Result<UserRecord> {
    of.find_changeable(&app.engine.installation_arc(), by)?;
    let [file] = files else {
        let problem = FieldProblems::from_problem(FIELD, "Send one picture.");
        return Err(Error::upload_failed(problem));
    };
    let png = pictures::make_small_png(
        &app.thumbnails.budget,
        &app.engine.folder().read_spooled(file)?,
        SIDE_MAX,
        FIELD,
    )?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut user, permit) = of.find_changeable(staging.installation(), by)?;
        staging.write(&permit).put(&Key::Avatar(user.id.clone()), png.clone());
        user.has_avatar = true;
        record_change(staging, &permit, user)
    })
}

/// Removes the picture of a user. Succeeds if there is none.
pub fn remove(app: &App, by: &Requester, of: AvatarOwner<'_>) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (mut user, permit) = of.find_changeable(staging.installation(), by)?;
        let key = Key::Avatar(user.id.clone());
        if staging.exists(&key) {
            staging.write(&permit).remove(&key);
        } else if !user.has_avatar {
            return Ok(user);
        }
        user.has_avatar = false;
        record_change(staging, &permit, user)
    })
}

fn record_change(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    mut user: UserRecord,
) -> Result<UserRecord> {
    user.updated_at = Some(staging.now());
    staging.write(permit).write_record(&Key::User(user.id.clone()), &user.to_file())?;
    users::emit_event(staging, permit, EventKind::UserUpdated, &user);
    Ok(user)
}
