//! Who may know of what happened: whoever may read what it happened to. Activity lines and live
//! streams ask here, so that neither tells of what its reader cannot see.

use std::collections::HashMap;

use crate::app::access::Caller;
use crate::app::media;
use crate::engine::Engine;
use crate::model::entry::Status;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::event::Told;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grants;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::grant::Row;
use crate::model::name::WorkspaceSlug;
use crate::query::view::View;

/// What something happened to, as far as that decides who may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About<'a> {
    /// An entry.
    Entry {
        /// Its content type.
        type_name: &'a str,
        /// Its id.
        id: &'a str,
        /// Its slug.
        slug: &'a str,
        /// Its status.
        status: &'a str,
    },
    /// A media file.
    File(&'a str),
    /// Media, none in particular.
    Media,
    /// A content type.
    Schema(&'a str),
    /// A workspace.
    Workspace(&'a str),
    /// Something of the installation.
    Area(Action, Area),
}

impl<'a> About<'a> {
    /// What an event is about that lies in no workspace: by the first word of its kind.
    pub fn installation(kind: &str) -> Option<About<'a>> {
        Some(match kind.split('.').next()? {
            "auth" | "user" => About::Area(Action::UsersRead, Area::Users),
            "role" => About::Area(Action::RolesRead, Area::Roles),
            "token" => About::Area(Action::TokensRead, Area::Tokens),
            "workspace" => About::Area(Action::WorkspacesRead, Area::Workspaces),
            "settings" | "problem" => About::Area(Action::SettingsRead, Area::Settings),
            "webhooks" => About::Area(Action::WebhooksManage, Area::Webhooks),
            "backup" => About::Area(Action::BackupsRead, Area::Backups),
            "update" => About::Area(Action::UpdatesRead, Area::Updates),
            _ => return None,
        })
    }

    /// What an event is about; nothing that anybody may know of is nobody's.
    pub fn of(kind: EventKind, subject: &'a Subject) -> Option<About<'a>> {
        Some(match subject {
            Subject::Entry { type_name, id, slug, status, .. } => {
                About::Entry { type_name, id, slug, status }
            }
            Subject::Media { filename } => About::File(filename),
            Subject::Category { .. } => About::Media,
            Subject::Schema { type_name, .. } => About::Schema(type_name),
            Subject::Workspace { slug, .. } => About::Workspace(slug),
            _ => return About::installation(kind.as_str()),
        })
    }
}

/// One reader of what happened. Made for a while: it remembers what the reader may see.
pub struct Witness<'a> {
    engine: &'a Engine,
    grants: Option<&'a Grants>,
    caller: &'a Caller,
    /// What the reader may read of the types of workspaces.
    reaches: HashMap<(String, String), Reach>,
}

impl<'a> Witness<'a> {
    /// The caller as a reader.
    pub fn new(engine: &'a Engine, caller: &'a Caller) -> Witness<'a> {
        Witness { engine, grants: caller.grants(), caller, reaches: HashMap::new() }
    }

    /// Whether the reader may know of an event.
    pub fn may_know_of(&mut self, told: &Told) -> bool {
        let workspace = told.workspace.as_ref().map(WorkspaceSlug::as_str);
        let about = About::of(told.event.kind, &told.event.subject);
        about.is_some_and(|it| self.may_know(workspace, it))
    }

    /// Whether the reader may read what something happened to.
    pub fn may_know(&mut self, workspace: Option<&str>, about: About<'_>) -> bool {
        let Some(grants) = self.grants else { return false };
        let could = |ws: &str, action, on: &Resource<'_>| grants.could_match(ws, action, on);
        match (about, workspace) {
            (About::Area(action, area), _) => could("", action, &Resource::Whole(area)),
            (About::Workspace(slug), _) => {
                let on = Resource::One(Area::Workspaces, slug);
                could("", Action::WorkspacesRead, &on)
            }
            (_, None) => false,
            (About::Schema(name), Some(ws)) => {
                could(ws, Action::SchemaRead, &Resource::Schema(name))
                    || could(ws, Action::ContentRead, &Resource::Collection(name))
            }
            (About::Media, Some(ws)) => could(ws, Action::MediaRead, &Resource::Media),
            (About::File(name), Some(ws)) => self.may_see_file(grants, ws, name),
            (About::Entry { type_name, id, slug, status }, Some(ws)) => {
                let key = (ws.to_string(), type_name.to_string());
                let (engine, caller) = (self.engine, self.caller);
                let reach = || reach(engine, grants, ws, type_name);
                match self.reaches.entry(key).or_insert_with(reach) {
                    Reach::Nothing => false,
                    Reach::Everything => true,
                    Reach::Rows(rule) => {
                        // What is gone has nobody who wrote it: that is not written down.
                        let status = Status::parse(status).unwrap_or(Status::Draft);
                        let gone = Row { id, slug, status, author_id: None };
                        let seen = sees_entry(engine, caller, ws, type_name, id);
                        seen.unwrap_or_else(|| rule.allows(&gone))
                    }
                }
            }
        }
    }

    fn may_see_file(&self, grants: &Grants, ws: &str, name: &str) -> bool {
        let snapshot = self.engine.snapshot(ws);
        let item = snapshot.as_ref().and_then(|it| it.media.get(name));
        if let (Some(snapshot), Some(item)) = (&snapshot, item) {
            return media::sight(snapshot, self.caller)(item);
        }
        let gone = Resource::File { name, category: None };
        grants.decide(ws, Action::MediaRead, &gone, &Facts::default()).allowed
    }
}

/// Whether the caller sees an entry as it is now; nothing, when it is not there.
fn sees_entry(
    engine: &Engine,
    caller: &Caller,
    ws: &str,
    type_name: &str,
    id: &str,
) -> Option<bool> {
    let snapshot = engine.snapshot(ws)?;
    let view = View::new(&snapshot, caller.eyes(), None);
    let (place, index) = view.index(type_name)?;
    index.ordinal(id).map(|it| view.sees(place, it))
}

fn reach(engine: &Engine, grants: &Grants, ws: &str, type_name: &str) -> Reach {
    let snapshot = engine.snapshot(ws);
    let index = snapshot.as_ref().and_then(|it| it.get(type_name));
    let locale = index.and_then(|it| it.content_type.default_locale.clone());
    grants.reach(ws, Action::ContentRead, type_name, locale.as_deref())
}
