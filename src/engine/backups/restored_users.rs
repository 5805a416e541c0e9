//! The rules for users who come out of a backup: each gets a name and a role that a user who is
//! created could get. The permissions for that are the business of whoever restores.

use std::collections::BTreeMap;

use crate::engine::backups::restore_request::GrantedRights;
use crate::engine::backups::restore_request::RestoredChange;
use crate::engine::installation::Installation;
use crate::model::backup::ArchiveDefect;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::people::role;
use crate::model::people::user::UserRecord;
use crate::store::layout::Key;

/// Returns a defect for each restored user who would get the name of another user, or a role that
/// is neither here nor restored. A user who has them already may keep them.
pub(crate) fn find_user_defects(
    installation: &Installation,
    restored: &BTreeMap<EntryId, UserRecord>,
    rights: &GrantedRights,
) -> Vec<ArchiveDefect> {
    let n_users = count_names(installation, restored, rights);
    let mut defects = Vec::new();
    for (id, user) in restored {
        let mut report = |message: String| {
            defects.push(ArchiveDefect::new(Key::User(id.clone()).path(), message));
        };
        let before = installation.user(id.as_str()).map(|it| &it.record);
        let name = user.login_name();
        let is_shared = n_users.get(&name).is_some_and(|it| *it > 1);
        // A backup may hold several of one name: nobody here loses theirs to them.
        let is_taken = is_shared && is_name_taken(installation, user);
        if is_taken && before.is_none_or(|it| it.login_name() != name) {
            report(format!("Another user has the user name `{}`.", user.username));
        }
        let has_new_role = before.is_none_or(|it| it.role != user.role);
        if has_new_role && !role_exists(installation, rights, &user.role) {
            report(wording::unknown("role", user.role.as_str()));
        }
    }
    defects
}

/// Returns true if another user has the name of this one.
pub(crate) fn is_name_taken(installation: &Installation, user: &UserRecord) -> bool {
    let name = user.login_name();
    let is_anothers = |it: &UserRecord| it.id != user.id && it.login_name() == name;
    installation.users().any(|it| is_anothers(&it.record))
}

/// Counts the users of each name after the restore.
fn count_names(
    installation: &Installation,
    restored: &BTreeMap<EntryId, UserRecord>,
    rights: &GrantedRights,
) -> BTreeMap<String, usize> {
    let goes = |id: &EntryId| rights.users.get(id) == Some(&RestoredChange::Deleted);
    let here = installation.users().map(|it| &it.record);
    let staying = here.filter(|it| !restored.contains_key(&it.id) && !goes(&it.id));
    let mut n_users: BTreeMap<String, usize> = BTreeMap::new();
    for user in staying.chain(restored.values()) {
        *n_users.entry(user.login_name()).or_default() += 1;
    }
    n_users
}

/// Returns true if there is a role after the restore.
fn role_exists(installation: &Installation, rights: &GrantedRights, id: &EntryId) -> bool {
    match rights.changed_roles.get(id) {
        Some(RestoredChange::Deleted) => role::built_in_roles().iter().any(|it| it.id == *id),
        Some(RestoredChange::Created | RestoredChange::Updated) => true,
        None => installation.role(id.as_str()).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::installation::SystemFile;
    use crate::stdx::json::Json;

    fn id(text: &str) -> EntryId {
        EntryId::parse(text).unwrap()
    }

    /// Users as `id:name:role`.
    fn users(lines: &[&str]) -> BTreeMap<EntryId, UserRecord> {
        let user = |line: &&str| {
            let [user, name, role] = line.split(':').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let text = format!(r#"{{"username":"{name}","role":"{role}"}}"#);
            let json = Json::parse(text.as_bytes()).unwrap();
            (id(user), UserRecord::parse(&id(user), &json).unwrap())
        };
        lines.iter().map(user).collect()
    }

    #[test]
    fn a_name_is_that_of_one_user_and_a_role_is_one() {
        let mut installation = Installation::default();
        let here = users(&["u1:root:admin", "u2:Anna:gone", "u3:twin:viewer", "u4:twin:viewer"]);
        let files = here.into_iter().map(|(id, user)| SystemFile::User(id, Some(user)));
        installation.apply_files(files);
        let rights = GrantedRights {
            users: BTreeMap::from([(id("u1"), RestoredChange::Deleted)]),
            changed_roles: BTreeMap::from([
                (id("new"), RestoredChange::Created),
                (id("old"), RestoredChange::Deleted),
                (id("editor"), RestoredChange::Deleted),
            ]),
            ..GrantedRights::default()
        };
        let check = |rights: &GrantedRights, restored: &[&str], expect: &[&str]| {
            let found = find_user_defects(&installation, &users(restored), rights);
            let found: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
            let paths = expect.iter().map(|it| format!("system/users/{it}.json"));
            assert_eq!(found, paths.collect::<Vec<_>>(), "{restored:?}");
        };
        let none = GrantedRights::default();
        check(&none, &["u0:ROOT:viewer"], &["u0"]);
        check(&none, &["u1:root:viewer", "u2:anna:viewer"], &[]);
        check(&none, &["u1:anna:admin", "u2:root:viewer"], &[]);
        check(&none, &["u8:Straße:viewer", "u9:STRASSE:viewer"], &[]);
        check(&none, &["u8:root:viewer", "u9:Root:viewer"], &["u8", "u9"]);
        check(&none, &["u2:anna:gone", "u9:other:gone"], &["u9"]);
        check(&none, &["u3:twin:author", "u4:TWIN:author"], &[]);
        check(&none, &["u5:twin:author"], &["u5"]);
        check(&none, &["u0:root:nothing"], &["u0", "u0"]);
        check(&none, &["u5:new:new"], &["u5"]);
        check(&rights, &["u0:root:new"], &[]);
        check(&rights, &["u5:one:old", "u6:two:editor"], &["u5"]);
    }
}
