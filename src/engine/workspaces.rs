//! The workspaces as the installation knows them: new ones, their own files changed together with
//! the settings, their pictures, and which is the default one.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use bytes::Bytes;

use crate::engine::Engine;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::settings::SettingsRecord;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;
use crate::store::disk::Kind;
use crate::store::disk::Listed;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::layout::Key;
use crate::store::load::is_absence;

impl Engine {
    /// The workspace that is meant when none is named: the configured one while it is there and not
    /// archived, else `default`.
    pub fn default_workspace(&self) -> WorkspaceSlug {
        let configured = self.installation().settings().default_workspace();
        configured.filter(|it| self.is_active(it)).unwrap_or_else(|| {
            WorkspaceSlug::parse("default").expect("`default` is the name of a workspace")
        })
    }

    fn is_active(&self, slug: &WorkspaceSlug) -> bool {
        self.workspace(slug.as_str()).is_some_and(|it| !it.current().meta.archived)
    }

    /// Tells the operator when the configured default workspace is not there to be one.
    pub(super) fn check_default(&self) {
        let problem = missing_default(self.installation().settings(), |it| self.is_active(it));
        self.problems.set_between(problem.into_iter().collect(), self.clock.now());
    }

    /// The names of everything that stands where workspaces do, but for empty folders, in lower case:
    /// on some systems names that differ in case alone are one.
    pub fn names_of_workspaces(&self) -> Result<BTreeSet<String>, StoreError> {
        let mut names: BTreeSet<String> =
            self.workspaces().keys().map(|it| it.to_string()).collect();
        match self.disk.list(layout::WORKSPACES) {
            Ok(listing) => {
                let taken = listing.items.iter().filter(|it| !self.is_empty_folder(it));
                names.extend(taken.map(|it| it.name.to_lowercase()));
            }
            Err(error) if is_absence(&error) => {}
            Err(error) => return Err(StoreError::io("list", layout::WORKSPACES)(error)),
        }
        Ok(names)
    }

    fn is_empty_folder(&self, item: &Listed) -> bool {
        let path = format!("{}/{}", layout::WORKSPACES, item.name);
        let is_empty = || self.disk.list(&path).is_ok_and(|it| it.items.is_empty());
        item.kind == Kind::Folder && is_empty()
    }

    /// The picture of a workspace.
    pub fn icon(&self, slug: &WorkspaceSlug) -> Option<Bytes> {
        let (bytes, _) = self.read_body(&Key::Icon(slug.clone()).path()).ok()?;
        Some(bytes.into())
    }

    /// What is another one whenever the picture of a workspace may be; nothing without a picture.
    pub fn icon_tag(&self, slug: &WorkspaceSlug) -> Option<Sum> {
        let stat = self.disk.stat(&Key::Icon(slug.clone()).path()).ok()?.stat;
        let mut summer = Summer::new();
        summer.number(stat.size).number(stat.modified_ns.cast_unsigned());
        summer.number(stat.changed_ns.cast_unsigned());
        Some(summer.finish())
    }

    /// Publishes files of workspaces that were changed together with those of the installation. Not
    /// for whoever has a turn: it waits for those of the workspaces.
    pub(super) fn publish_workspaces(&self, paths: &[String]) {
        for path in paths {
            let Some(key) = Key::parse(path) else { continue };
            let Some(slug) = key.workspace().cloned() else { continue };
            match self.workspace(slug.as_str()) {
                Some(workspace) => workspace.line.alone(|| {
                    let found = self.found_now(key, path);
                    let changes = found.into_iter().collect();
                    self.take_over_outside(&workspace, changes, &Default::default());
                }),
                None => self.welcome(),
            }
        }
        self.check_default();
    }

    /// Serves workspaces that were made here, before the folder is looked at again.
    fn welcome(&self) {
        // Held to the end: a look at the folder that began before would drop them again.
        let mut reconciler = self.reconciler();
        self.hand_over(&mut reconciler);
        let present: BTreeSet<WorkspaceSlug> =
            reconciler.known().workspaces().into_iter().collect();
        self.add_and_drop_workspaces(&present, &mut BTreeMap::new());
    }
}

/// What is wrong when the settings name a default workspace that is none of those in use.
pub(super) fn missing_default(
    settings: &SettingsRecord,
    is_active: impl Fn(&WorkspaceSlug) -> bool,
) -> Option<Problem> {
    let configured = settings.default_workspace();
    let slug = configured.filter(|it| it.as_str() != "default" && !is_active(it))?;
    let message = format!(
        "There is no workspace `{slug}`, or it is archived: `default` is the default one meanwhile."
    );
    let problem = Problem::new(ProblemKind::MissingWorkspace, Key::Settings.path(), message);
    Some(problem.of_field("default_workspace"))
}
