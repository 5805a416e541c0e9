//! The users and roles of an import. Those that are there stay as they are: they may have changed
//! since.

use std::collections::BTreeSet;

use crate::app::import::planner::Planner;
use crate::app::import::report::SourcePlace;
use crate::engine::installation::Installation;
use crate::model::name::EntryId;
use crate::model::people::role::RoleRecord;
use crate::model::people::user::UserRecord;
use crate::store::layout::Key;

impl Planner<'_, '_> {
    /// Plans the records of users and roles.
    pub(super) fn plan_people(
        &mut self,
        installation: &Installation,
        roles: Vec<(SourcePlace, RoleRecord)>,
        users: Vec<(SourcePlace, UserRecord)>,
        avatars: &[(EntryId, String)],
    ) {
        let mut known: BTreeSet<String> =
            installation.roles().map(|it| it.id.to_string()).collect();
        for (_, role) in roles {
            known.insert(role.id.to_string());
            let file = role.to_file().to_file();
            self.plan_record(Key::Role(role.id), file);
        }
        let mut names = BTreeSet::new();
        for (place, mut user) in users {
            let other = installation.find_username(&user.username);
            let is_taken = other.is_some_and(|it| it.record.id != user.id);
            if is_taken || !names.insert(user.login_name()) {
                let message = format!("Another user has the name `{}`.", user.username);
                self.report.add_skipped(place.with_field("username"), message);
                continue;
            }
            if !known.contains(user.role.as_str()) {
                let message = format!(
                    "There is no role `{}`, so the user may do nothing until there is.",
                    user.role
                );
                self.report.add_altered(place.with_field("role"), message);
            }
            let avatar = avatars.iter().find(|(id, _)| *id == user.id).map(|(_, path)| path);
            let key = Key::Avatar(user.id.clone());
            let is_new = !self.staging.exists(&Key::User(user.id.clone()));
            if let Some(path) = avatar.filter(|_| is_new && !self.staging.exists(&key))
                && let Some(png) = self.make_picture(path)
            {
                user.has_avatar = true;
                self.files.create(key, png);
            }
            let file = user.to_file().to_file();
            self.plan_record(Key::User(user.id), file);
        }
    }

    fn plan_record(&mut self, key: Key, bytes: Vec<u8>) {
        if self.staging.exists(&key) {
            self.report.people.unchanged += 1;
        } else {
            self.report.people.created += 1;
            self.files.create(key, bytes);
        }
    }
}
