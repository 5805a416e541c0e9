//! Roles: made and changed by whoever is granted as much.

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::delegation;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::record_list;
use crate::app::record_list::Key as SortKey;
use crate::app::record_list::ListMeta;
use crate::app::record_list::Listed;
use crate::app::record_list::Rank;
use crate::app::sent::LABEL_CHARS_MAX;
use crate::app::sent::Sent;
use crate::engine::installation::Installation;
use crate::engine::system::SystemStaging;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::role;
use crate::model::role::RoleRecord;
use crate::query::params::Params;
use crate::stdx::json::Map;
use crate::stdx::slug;
use crate::store::layout::Key;

/// The longest id of a role, in characters, without the number behind it.
const ID_CHARS_MAX: usize = 58;

/// How resources are written in grants, for whoever puts grants together.
const RESOURCES: &[&str] = &[
    "*",
    "content:*",
    "content:{collection}:*",
    "content:{collection}:{identifier}",
    "content:{collection}:read",
    "schema:*",
    "schema:{name}",
    "media:*",
    "media:{filename}",
    "media:category:{category}",
    "users:*",
    "users:{id}",
    "roles:*",
    "roles:{id}",
    "tokens:*",
    "tokens:{id}",
    "workspaces:*",
    "workspaces:{slug}",
    "backups:*",
    "webhooks:*",
    "updates:*",
    "activity:*",
    "dashboard:*",
    "settings:*",
    "profile:*",
    "workspace:{slug}:{resource}",
    "workspace:*:{resource}",
];

/// A role as the admin API shows it.
#[derive(Clone, Debug, Serialize)]
pub struct RoleView {
    #[serde(flatten)]
    role: RoleRecord,
    users: usize,
}

/// What belongs to a list of roles: which piece it is, and of what grants are made.
#[derive(Debug, Serialize)]
pub struct RolesMeta {
    #[serde(flatten)]
    list: ListMeta,
    actions: &'static [Action],
    resources: &'static [&'static str],
}

const SORTED_BY: &[SortKey<(usize, RoleView)>] = &[
    ("position", |it| Some(Rank::Count(it.0))),
    ("label", |it| Rank::text(&it.1.role.label)),
    ("id", |it| Rank::text(it.1.role.id.as_str())),
    ("users", |it| Some(Rank::Count(it.1.users))),
    ("created_at", |it| Rank::time(it.1.role.created_at)),
    ("updated_at", |it| Rank::time(it.1.role.updated_at)),
];

/// The roles that the caller may read about, those built in first: `q sort order limit offset`.
pub fn list(app: &App, caller: &Caller, params: &Params) -> Result<(Vec<RoleView>, RolesMeta)> {
    let installation = app.engine.installation_now();
    let seen = installation.roles().filter(|it| may_read(caller, it.id.as_str()).is_ok());
    let views = seen.map(|it| view(&installation, (**it).clone())).enumerate().collect();
    let Listed { items, meta } = record_list::list(params, views, SORTED_BY, "position", texts)?;
    let meta = RolesMeta { list: meta, actions: Action::ALL, resources: RESOURCES };
    Ok((items.into_iter().map(|(_, it)| it).collect(), meta))
}

fn texts(it: &(usize, RoleView)) -> Vec<&str> {
    vec![&it.1.role.label, &it.1.role.id]
}

/// Fails unless the caller may read about a role.
pub(super) fn may_read(caller: &Caller, id: &str) -> Result<()> {
    let on = Resource::One(Area::Roles, id);
    caller.may("", Action::RolesRead, &on, &Facts::default()).map(drop)
}

fn view(installation: &Installation, role: RoleRecord) -> RoleView {
    RoleView { users: installation.users_of_role(role.id.as_str()), role }
}

/// Makes a role: `{label, permissions}`. Its id comes from the label.
pub fn create(app: &App, by: &By, body: &Map) -> Result<RoleView> {
    let mut sent = Sent::new(body);
    let label = sent.required("label", LABEL_CHARS_MAX);
    let permissions = sent.grants("permissions");
    let problems = sent.problems;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let whole = Resource::Whole(Area::Roles);
        let caller = delegation::asker(staging.installation(), by, Action::RolesCreate, &whole)?;
        let permissions = permissions.clone().unwrap_or_default();
        delegation::may_hand_out(&caller, &permissions, Some("permissions"))?;
        problems.clone().or(()).map_err(Error::invalid)?;
        let now = Some(staging.now());
        let role = RoleRecord {
            id: free_id(staging, &label)?,
            label: label.clone(),
            system: false,
            locked: false,
            permissions,
            created_at: now,
            updated_at: now,
        };
        staging.create(&Key::Role(role.id.clone()), role.to_file().to_file());
        tell(staging, by, EventKind::RoleCreated, &role);
        Ok(RoleView { role, users: 0 })
    })
}

/// An id like the label that no role has, nor a file of one that cannot be read, nor a user: theirs
/// may have been deleted by hand, and nobody shall come into rights by a name.
fn free_id(staging: &SystemStaging<'_>, label: &str) -> Result<EntryId> {
    let slug: String = slug::slugify(label).chars().take(ID_CHARS_MAX).collect();
    let slug = slug.trim_end_matches('-');
    let installation = staging.installation();
    for number in 1..=10_000 {
        let text = match (slug, number) {
            ("", 1) => "role".to_string(),
            ("", number) => format!("role-{number}"),
            (slug, 1) => slug.to_string(),
            (slug, number) => format!("{slug}-{number}"),
        };
        let Ok(id) = EntryId::parse(&text) else { continue };
        let known = installation.roles().any(|it| it.id.eq_ignore_ascii_case(&text));
        let taken = known || installation.users_of_role(&text) > 0;
        if !taken && !staging.exists(&Key::Role(id.clone())) {
            return Ok(id);
        }
    }
    Err(Error::conflict("There are too many roles of this name."))
}

/// Changes a role: `{label?, permissions?}`.
pub fn update(app: &App, by: &By, id: &str, body: &Map) -> Result<RoleView> {
    let mut sent = Sent::new(body);
    let label = sent.value("label").map(|_| sent.required("label", LABEL_CHARS_MAX));
    let permissions = sent.grants("permissions");
    let problems = sent.problems;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (caller, before) = changeable(staging, by, Action::RolesUpdate, id)?;
        if let Some(permissions) = &permissions {
            delegation::may_hand_out(&caller, permissions, Some("permissions"))?;
        }
        problems.clone().or(()).map_err(Error::invalid)?;
        let mut role = before.clone();
        role.label = label.clone().unwrap_or(role.label);
        role.permissions = permissions.clone().unwrap_or(role.permissions);
        if role.to_file() != before.to_file() {
            role.updated_at = Some(staging.now());
            staging.write(&Key::Role(role.id.clone()), &role.to_file())?;
            tell(staging, by, EventKind::RoleUpdated, &role);
        }
        Ok(view(staging.installation(), role))
    })
}

/// A role that the caller may change, or remove.
fn changeable(
    staging: &SystemStaging<'_>,
    by: &By,
    action: Action,
    id: &str,
) -> Result<(Caller, RoleRecord)> {
    let installation = staging.installation();
    let on = Resource::One(Area::Roles, id);
    let caller = delegation::asker(installation, by, action, &on)?;
    let role = installation.role(id).ok_or_else(|| Error::not_found("role", id))?;
    if role.locked {
        return Err(Error::refused("The role of administrators cannot be changed."));
    }
    delegation::may_change(&caller, &role.permissions, "This role")?;
    Ok((caller, (**role).clone()))
}

/// Removes a role that nobody has. One that is built in becomes again what it was at first.
pub fn delete(app: &App, by: &By, id: &str) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (caller, role) = changeable(staging, by, Action::RolesDelete, id)?;
        let users = staging.installation().users_of_role(id);
        if users > 0 {
            let message = match users {
                1 => "One user has this role.".to_string(),
                users => format!("{users} users have this role."),
            };
            return Err(Error::conflict(message));
        }
        let key = Key::Role(role.id.clone());
        if let Some(original) = role::built_in().iter().find(|it| it.id == role.id) {
            if !staging.exists(&key) {
                let message = "This role is built in and as it was at first: it stays.";
                return Err(Error::conflict(message));
            }
            delegation::may_hand_out(&caller, &original.permissions, None)?;
        }
        staging.remove(&key);
        tell(staging, by, EventKind::RoleDeleted, &role);
        Ok(())
    })
}

fn tell(staging: &mut SystemStaging<'_>, by: &By, kind: EventKind, role: &RoleRecord) {
    let subject = Subject::Role { role: role.id.to_string(), label: role.label.clone() };
    staging.tell(Event::by(&by.actor, kind, subject));
}
