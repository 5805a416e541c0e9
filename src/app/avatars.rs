//! Pictures of users: small, without metadata, beside their records.

use bytes::Bytes;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::delegation;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::pictures;
use crate::app::profile;
use crate::app::users;
use crate::engine::installation::Installation;
use crate::engine::system::SystemStaging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::problem::FieldProblems;
use crate::model::user::UserRecord;
use crate::store::layout::Key;
use crate::store::spool::Spooled;

/// The longest side, in pixels.
const SIDE_MAX: u32 = 256;

/// The field of the form.
const FIELD: &str = "avatar";

/// Whose picture it is.
#[derive(Clone, Copy)]
pub enum Of<'a> {
    /// The caller's.
    Caller,
    /// That of the user with this id.
    User(&'a str),
}

impl Of<'_> {
    /// The user, when the caller may change them.
    fn changeable(self, installation: &Installation, by: &By) -> Result<UserRecord> {
        match self {
            Of::Caller => {
                let caller = profile::asker(installation, by, Action::ProfileUpdate)?;
                Ok(caller.login()?.account.record.clone())
            }
            Of::User(id) => {
                let on = delegation::user(id);
                let caller = delegation::asker(installation, by, Action::UsersUpdate, &on)?;
                Ok(delegation::changeable(installation, &caller, id)?.record.clone())
            }
        }
    }
}

/// The picture as a PNG.
pub fn show(app: &App, caller: &Caller, of: Of<'_>) -> Result<Bytes> {
    let own = caller.login()?.account.record.id.clone();
    let id = match of {
        Of::Caller => own.as_str(),
        Of::User(id) => id,
    };
    if id != own.as_str() {
        users::may_read(caller, id)?;
    }
    let installation = app.engine.installation_now();
    let user = installation.user(id).ok_or_else(|| Error::not_found("user", id))?;
    let picture = Some(&user.record).filter(|it| it.has_avatar);
    let picture = picture.and_then(|it| app.engine.avatar(&it.id));
    picture.ok_or_else(|| Error::not_found("picture of user", id))
}

/// Gives a user a picture.
pub fn set(app: &App, by: &By, of: Of<'_>, files: &[Spooled]) -> Result<UserRecord> {
    of.changeable(&app.engine.installation_now(), by)?;
    let [file] = files else {
        let problem = FieldProblems::one(FIELD, "One picture is needed.");
        return Err(Error::upload_failed(problem));
    };
    let png = pictures::small_png(app, &app.engine.read_spooled(file)?, SIDE_MAX, FIELD)?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut user = of.changeable(staging.installation(), by)?;
        staging.place(&Key::Avatar(user.id.clone()), png.clone());
        user.has_avatar = true;
        noted(staging, by, user)
    })
}

/// Takes a user's picture away; it is fine when there is none.
pub fn remove(app: &App, by: &By, of: Of<'_>) -> Result<UserRecord> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let mut user = of.changeable(staging.installation(), by)?;
        let key = Key::Avatar(user.id.clone());
        if staging.exists(&key) {
            staging.remove(&key);
        } else if !user.has_avatar {
            return Ok(user);
        }
        user.has_avatar = false;
        noted(staging, by, user)
    })
}

fn noted(staging: &mut SystemStaging<'_>, by: &By, mut user: UserRecord) -> Result<UserRecord> {
    user.updated_at = Some(staging.now());
    staging.write(&Key::User(user.id.clone()), &user.to_file())?;
    users::tell(staging, by, EventKind::UserUpdated, &user);
    Ok(user)
}
