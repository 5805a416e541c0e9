//! Roles: listing, creating, changing and deleting them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::record_list;
use crate::app::people::record_list::RecordList;
use crate::app::people::record_list::RecordListMeta;
use crate::app::people::record_list::RecordSortKey as SortKey;
use crate::app::people::record_list::SortRank;
use crate::engine::installation::Installation;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::GRANTS_MAX;
use crate::model::grant::Grant;
use crate::model::grant::GrantInput;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::name::EntryId;
use crate::model::people::role;
use crate::model::people::role::LABEL_CHARS_MAX;
use crate::model::people::role::RoleRecord;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Map;
use crate::stdx::slug;
use crate::store::layout::Key;

/// The longest id of a role in characters, without a number.
const ID_CHARS_MAX: usize = 58;

/// The forms of resources in grants, for people who write grants.
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

/// A role in the form of the admin API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Role", description = "A role.", extend("additionalProperties" = false))]
pub struct RoleView {
    #[serde(flatten)]
    role: RoleRecord,
    /// The number of users who have it.
    users: usize,
}

/// The metadata of a list of roles, with the actions and resources that grants can name.
#[derive(Debug, Serialize)]
pub struct RolesMeta {
    #[serde(flatten)]
    list: RecordListMeta,
    actions: &'static [Action],
    resources: &'static [&'static str],
}

const SORTED_BY: &[SortKey<(usize, RoleView)>] = &[
    ("position", |it| Some(SortRank::Count(it.0))),
    ("label", |it| SortRank::from_text(&it.1.role.label)),
    ("id", |it| SortRank::from_text(it.1.role.id.as_str())),
    ("users", |it| Some(SortRank::Count(it.1.users))),
    ("created_at", |it| SortRank::from_time(it.1.role.created_at)),
    ("updated_at", |it| SortRank::from_time(it.1.role.updated_at)),
];

/// Lists the roles that the caller may read, built-in ones first: `q sort order limit offset`.
pub fn list(
    app: &App,
    caller: &Caller,
    params: &QueryParams,
) -> Result<(Vec<RoleView>, RolesMeta)> {
    let installation = app.engine.installation_arc();
    let seen = installation.roles().filter(|it| check_may_read(caller, it.id.as_str()).is_ok());
    let views = seen.map(|it| build_view(&installation, (**it).clone())).enumerate().collect();
    let RecordList { items, meta } =
        record_list::list_records(params, views, SORTED_BY, "position", search_texts)?;
    let meta = RolesMeta { list: meta, actions: &Action::ALL, resources: RESOURCES };
    Ok((items.into_iter().map(|(_, it)| it).collect(), meta))
}

fn search_texts(it: &(usize, RoleView)) -> Vec<&str> {
    vec![&it.1.role.label, &it.1.role.id]
}

/// Checks that the caller may read a role.
pub(super) fn check_may_read(caller: &Caller, id: &str) -> Result<()> {
    let on = Resource::One(Area::Roles, id);
    caller.check_permission("", Action::RolesRead, &on, &Facts::default())
}

fn build_view(installation: &Installation, role: RoleRecord) -> RoleView {
    RoleView { users: installation.count_role_users(role.id.as_str()), role }
}

/// The body of a request that creates a role.
#[derive(Clone, Debug, JsonSchema)]
pub struct NewRole {
    /// The display name.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    label: String,
    /// The grants of users with this role.
    #[schemars(with = "Option<Vec<GrantInput>>", length(max = GRANTS_MAX))]
    permissions: Vec<Grant>,
    /// True if users with this role must have a second factor.
    #[schemars(with = "Option<bool>")]
    requires_second_factor: bool,
}

impl NewRole {
    fn parse(body: &Map) -> ParsedBody<NewRole> {
        let mut input = ObjectReader::new(body);
        let label = input.filled_line("label", LABEL_CHARS_MAX);
        let permissions = Grant::read_list(&mut input, "permissions").unwrap_or_default();
        let requires_second_factor = input.flag("requires_second_factor").unwrap_or(false);
        input.finish(NewRole { label, permissions, requires_second_factor })
    }
}

/// The body of a request that changes a role.
#[derive(Clone, Debug, JsonSchema)]
pub struct RoleChange {
    /// The display name.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    label: Option<String>,
    /// The grants of users with this role.
    #[schemars(with = "Option<Vec<GrantInput>>", length(max = GRANTS_MAX))]
    permissions: Option<Vec<Grant>>,
    /// True if users with this role must have a second factor. Of the administrators' role, only
    /// this can be changed.
    requires_second_factor: Option<bool>,
}

impl RoleChange {
    fn parse(body: &Map) -> ParsedBody<RoleChange> {
        let mut input = ObjectReader::new(body);
        let is_labelled = input.contains("label");
        let label = is_labelled.then(|| input.filled_line("label", LABEL_CHARS_MAX));
        let permissions = Grant::read_list(&mut input, "permissions");
        let requires_second_factor = input.flag("requires_second_factor");
        input.finish(RoleChange { label, permissions, requires_second_factor })
    }
}

/// Creates a role: `{label, permissions?, requires_second_factor?}`. The id derives from the label.
pub fn create(app: &App, by: &Requester, body: &Map) -> Result<RoleView> {
    let input = NewRole::parse(body);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let whole = Resource::Whole(Area::Roles);
        let (caller, permit) =
            delegation::resolve_caller(staging.installation(), by, Action::RolesCreate, &whole)?;
        delegation::check_may_grant(&caller, &input.values.permissions, Some("permissions"))?;
        let NewRole { label, permissions, requires_second_factor } =
            input.clone().into_result().map_err(Error::invalid)?;
        let now = Some(staging.now());
        let role = RoleRecord {
            id: free_id(staging, &label)?,
            label,
            system: false,
            locked: false,
            permissions,
            requires_second_factor,
            created_at: now,
            updated_at: now,
        };
        staging.write(&permit).create(&Key::Role(role.id.clone()), role.to_file().to_file());
        emit_event(staging, &permit, EventKind::RoleCreated, &role);
        Ok(RoleView { role, users: 0 })
    })
}

/// Returns an id like the label that no role has. Ids of unreadable files, and of roles that users
/// still refer to, are taken too: such a role may have been deleted by hand, and nobody must gain
/// its users by a name.
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
        let taken = known || installation.count_role_users(&text) > 0;
        if !taken && !staging.exists(&Key::Role(id.clone())) {
            return Ok(id);
        }
    }
    Err(Error::conflict("Too many roles have this name."))
}

/// Updates a role: `{label?, permissions?, requires_second_factor?}`.
pub fn update(app: &App, by: &Requester, id: &str, body: &Map) -> Result<RoleView> {
    let input = RoleChange::parse(body);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (caller, permit, before) = find_changeable(staging, by, Action::RolesUpdate, id)?;
        if let Some(permissions) = &input.values.permissions {
            delegation::check_may_grant(&caller, permissions, Some("permissions"))?;
        }
        let RoleChange { label, permissions, requires_second_factor } =
            input.clone().into_result().map_err(Error::invalid)?;
        let mut role = before.clone();
        role.label = label.unwrap_or(role.label);
        role.permissions = permissions.unwrap_or(role.permissions);
        if before.locked && role.to_file() != before.to_file() {
            return Err(locked_error());
        }
        role.requires_second_factor = requires_second_factor.unwrap_or(role.requires_second_factor);
        if role.to_file() != before.to_file() {
            role.updated_at = Some(staging.now());
            staging.write(&permit).write_record(&Key::Role(role.id.clone()), &role.to_file())?;
            emit_event(staging, &permit, EventKind::RoleUpdated, &role);
        }
        Ok(build_view(staging.installation(), role))
    })
}

/// Returns the caller, the permit, and a role that the caller may update or delete.
fn find_changeable(
    staging: &SystemStaging<'_>,
    by: &Requester,
    action: Action,
    id: &str,
) -> Result<(Caller, Permit, RoleRecord)> {
    let installation = staging.installation();
    let on = Resource::One(Area::Roles, id);
    let (caller, permit) = delegation::resolve_caller(installation, by, action, &on)?;
    let role = installation.role(id).ok_or_else(|| Error::not_found("role", id))?;
    delegation::check_may_change(&caller, &role.permissions, "This role")?;
    Ok((caller, permit, (**role).clone()))
}

fn locked_error() -> Error {
    Error::refused("The administrator role cannot be changed.")
}

/// Deletes a role without users. A built-in role returns to its original definition.
pub fn delete(app: &App, by: &Requester, id: &str) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let (caller, permit, role) = find_changeable(staging, by, Action::RolesDelete, id)?;
        if role.locked {
            return Err(locked_error());
        }
        let users = staging.installation().count_role_users(id);
        if users > 0 {
            let message = match users {
                1 => "One user has this role.".to_string(),
                users => format!("{users} users have this role."),
            };
            return Err(Error::conflict(message));
        }
        let key = Key::Role(role.id.clone());
        if let Some(original) = role::built_in_roles().iter().find(|it| it.id == role.id) {
            if !staging.exists(&key) {
                let message = "This built-in role already has its original permissions. It cannot \
                               be deleted.";
                return Err(Error::conflict(message));
            }
            delegation::check_may_grant(&caller, &original.permissions, None)?;
        }
        staging.write(&permit).remove(&key);
        emit_event(staging, &permit, EventKind::RoleDeleted, &role);
        Ok(())
    })
}

fn emit_event(
    staging: &mut SystemStaging<'_>,
    permit: &Permit,
    kind: EventKind,
    role: &RoleRecord,
) {
    let subject = Subject::Role { role: role.id.to_string(), label: role.label.clone() };
    staging.write(permit).add_event(kind, subject);
}
