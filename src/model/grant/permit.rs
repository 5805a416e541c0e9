//! The permit: the proof that an action was decided. Without one, no change can be staged.

use std::sync::Arc;

use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::action::Action;

/// The proof that an action on a resource was decided. A change is staged with the permit of the
/// action that was asked for, which covers what follows from it: the migration of entries when
/// their type changes, the new name of a file in the entries that refer to it, the references that
/// a deletion takes along.
///
/// `Grants::issue_permit` decides by the grants of a caller. The constructors here are for changes
/// without such grants; a test lists the files that may use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    action: Action,
    /// The actor who asked for it; none if a setting or the operator did.
    by: Option<Arc<Actor>>,
}

impl Permit {
    /// Proves that grants allow the actor the action.
    pub(super) fn from_decision(by: &Arc<Actor>, action: Action) -> Permit {
        Permit { action, by: Some(by.clone()) }
    }

    /// Permits what a setting of the operator asks for, such as emptying the trash by the clock.
    /// There is no caller whose grants could be decided: the operator chose the setting.
    pub fn for_setting(action: Action) -> Permit {
        Permit { action, by: None }
    }

    /// Permits what the operator does at the command line. Whoever can run it can write the files
    /// themselves, so grants would protect nothing.
    pub fn for_operator(action: Action) -> Permit {
        Permit { action, by: None }
    }

    /// Permits to write down that a planned publication did not happen, with its reason. Nobody
    /// asks for it, and nothing else may be staged with it.
    pub fn for_failed_plan() -> Permit {
        Permit { action: Action::ContentPublish, by: None }
    }

    /// Permits what users do to their own record without a grant: the time of a login, a stronger
    /// hash of the same password, their own saved views. The caller has proved to be this user.
    pub fn for_own_account(by: &Arc<Actor>) -> Permit {
        Permit::from_decision(by, Action::ProfileUpdate)
    }

    /// Permits the first set-up. Nobody has grants yet: the use case has checked that there is no
    /// user, and that the request comes from this machine or has the set-up token.
    pub fn for_first_setup(by: &Arc<Actor>, action: Action) -> Permit {
        Permit::from_decision(by, action)
    }

    /// Attributes an event of the change to whoever asked for it, or else to the schedule.
    pub fn attribute_event(&self, kind: EventKind, subject: Subject) -> Event {
        match &self.by {
            Some(actor) => Event::from_actor(actor, kind, subject),
            None => Event::from_schedule(kind, subject),
        }
    }

    /// Returns the action that was decided.
    pub fn action(&self) -> Action {
        self.action
    }
}
