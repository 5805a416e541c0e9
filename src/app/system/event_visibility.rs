//! The visibility of events: a caller may know of an event if it may read its subject. Activity
//! lines and live streams both check here, so that neither reveals hidden content.

use std::collections::HashMap;

use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::media;
use crate::engine::Engine;
use crate::model::entry::EntryStatus;
use crate::model::event::EmittedEvent;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::EntryRow;
use crate::model::grant::Facts;
use crate::model::grant::Grants;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::query::execute::view::View;

/// The subject of an event, as far as it decides the visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventTarget<'a> {
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
    /// A change, by its id.
    Change(&'a str),
    /// A media file.
    File(&'a str),
    /// Media, none in particular.
    Media,
    /// A content type.
    Schema(&'a str),
    /// A workspace.
    Workspace(&'a str),
    /// A part of the installation.
    Area(Action, Area),
}

impl<'a> EventTarget<'a> {
    /// Returns the target of an event outside of workspaces, by the first word of its kind.
    pub fn from_kind(kind: &str) -> Option<EventTarget<'a>> {
        Some(match kind.split('.').next()? {
            "auth" | "user" => EventTarget::Area(Action::UsersRead, Area::Users),
            "role" => EventTarget::Area(Action::RolesRead, Area::Roles),
            "token" => EventTarget::Area(Action::TokensRead, Area::Tokens),
            "workspace" => EventTarget::Area(Action::WorkspacesRead, Area::Workspaces),
            "settings" | "problem" => EventTarget::Area(Action::SettingsRead, Area::Settings),
            "webhooks" => EventTarget::Area(Action::WebhooksManage, Area::Webhooks),
            "backup" => EventTarget::Area(Action::BackupsRead, Area::Backups),
            "update" => EventTarget::Area(Action::UpdatesRead, Area::Updates),
            _ => return None,
        })
    }

    /// Returns the target of an event, or `None` for events that nobody may see.
    pub fn from_subject(kind: EventKind, subject: &'a Subject) -> Option<EventTarget<'a>> {
        Some(match subject {
            Subject::Entry { type_name, id, slug, status, .. } => {
                EventTarget::Entry { type_name, id, slug, status }
            }
            Subject::Media { filename } => EventTarget::File(filename),
            Subject::Category { .. } => EventTarget::Media,
            Subject::Change { change, .. } => EventTarget::Change(change),
            Subject::Schema { type_name, .. } | Subject::View { type_name, .. } => {
                EventTarget::Schema(type_name)
            }
            Subject::Workspace { slug, .. } => EventTarget::Workspace(slug),
            _ => return EventTarget::from_kind(kind.as_str()),
        })
    }
}

/// One reader of events. Short-lived: it caches what the reader may see.
pub struct EventVisibility<'a> {
    engine: &'a Engine,
    grants: Option<&'a Grants>,
    caller: &'a Caller,
    /// The visibility of entries by workspace and type.
    reaches: HashMap<(String, String), Reach>,
}

impl<'a> EventVisibility<'a> {
    /// Returns the reader for a caller.
    pub fn new(engine: &'a Engine, caller: &'a Caller) -> EventVisibility<'a> {
        EventVisibility { engine, grants: caller.grants(), caller, reaches: HashMap::new() }
    }

    /// Returns true if the reader may know of an event.
    pub fn may_see_event(&mut self, emitted: &EmittedEvent) -> bool {
        let workspace = emitted.workspace.as_ref().map(WorkspaceSlug::as_str);
        let target = EventTarget::from_subject(emitted.event.kind, &emitted.event.subject);
        target.is_some_and(|it| self.may_see_target(workspace, it))
    }

    /// Returns true if the reader may read the target of an event.
    pub fn may_see_target(&mut self, workspace: Option<&str>, target: EventTarget<'_>) -> bool {
        let Some(grants) = self.grants else { return false };
        let could = |ws: &str, action, on: &Resource<'_>| grants.could_match(ws, action, on);
        match (target, workspace) {
            (EventTarget::Area(action, area), _) => could("", action, &Resource::Whole(area)),
            (EventTarget::Workspace(slug), _) => {
                let on = Resource::One(Area::Workspaces, slug);
                could("", Action::WorkspacesRead, &on)
            }
            (_, None) => false,
            (EventTarget::Schema(name), Some(ws)) => {
                could(ws, Action::SchemaRead, &Resource::Schema(name))
                    || could(ws, Action::ContentRead, &Resource::Collection(name))
            }
            (EventTarget::Change(id), Some(ws)) => self.may_see_change(grants, ws, id),
            (EventTarget::Media, Some(ws)) => could(ws, Action::MediaRead, &Resource::Media),
            (EventTarget::File(name), Some(ws)) => self.may_see_file(grants, ws, name),
            (EventTarget::Entry { type_name, id, slug, status }, Some(ws)) => {
                let key = (ws.to_string(), type_name.to_string());
                let (engine, caller) = (self.engine, self.caller);
                let reach = || find_reach(engine, grants, ws, type_name);
                match self.reaches.entry(key).or_insert_with(reach) {
                    Reach::Nothing => false,
                    Reach::Everything => true,
                    Reach::Rows(rule) => {
                        // The author of a deleted entry is not recorded.
                        let status = EntryStatus::parse(status).unwrap_or(EntryStatus::Draft);
                        let gone = EntryRow { id, slug, status, author_id: None };
                        let seen = may_see_entry(engine, caller, ws, type_name, id);
                        seen.unwrap_or_else(|| rule.allows_entry(&gone))
                    }
                }
            }
        }
    }

    /// A change is known to whom all of it is. Of one that is gone, those know who may publish all.
    fn may_see_change(&self, grants: &Grants, ws: &str, id: &str) -> bool {
        let Some(live) = self.engine.snapshot(ws) else { return false };
        let Some(change) = live.changes.get(id) else {
            let on = Resource::Collection("*");
            let action = Action::ContentPublish;
            return grants.decide_access(ws, action, &on, &Facts::default()).allowed;
        };
        change_access::may_read(&live, self.caller, change)
    }

    fn may_see_file(&self, grants: &Grants, ws: &str, name: &str) -> bool {
        let snapshot = self.engine.snapshot(ws);
        let item = snapshot.as_ref().and_then(|it| it.media.get(name));
        if let (Some(snapshot), Some(item)) = (&snapshot, item) {
            return media::visibility_filter(snapshot, self.caller)(item);
        }
        let gone = Resource::File { name, category: None };
        grants.decide_access(ws, Action::MediaRead, &gone, &Facts::default()).allowed
    }
}

/// Returns true if the caller sees the current entry; `None` if it does not exist.
fn may_see_entry(
    engine: &Engine,
    caller: &Caller,
    ws: &str,
    type_name: &str,
    id: &str,
) -> Option<bool> {
    let snapshot = engine.snapshot(ws)?;
    let view = View::new(&snapshot, caller.viewer(), None);
    let (place, index) = view.find_type(type_name)?;
    index.find_ordinal(id).map(|it| view.sees_entry(place, it))
}

fn find_reach(engine: &Engine, grants: &Grants, ws: &str, type_name: &str) -> Reach {
    let snapshot = engine.snapshot(ws);
    let index = snapshot.as_ref().and_then(|it| it.get(type_name));
    let locale = index.and_then(|it| it.content_type.default_locale.clone());
    grants.find_reach(ws, type_name, locale.as_deref())
}
