//! Resources: the objects of actions, and the patterns that grants use to name them.

use std::fmt;

use crate::model::grant::action::Action;
use crate::model::grant::glob::Glob;
use crate::model::media::category::CategoryPath;
use crate::model::media::category::normalize_path;
use crate::model::name::WorkspaceSlug;

/// The areas of the installation, which belong to no workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// `users:<id>`
    Users,
    /// `roles:<id>`
    Roles,
    /// `tokens:<id>`
    Tokens,
    /// `workspaces:<slug>`
    Workspaces,
    /// `backups:*`
    Backups,
    /// `webhooks:*`
    Webhooks,
    /// `updates:*`
    Updates,
    /// `activity:*`
    Activity,
    /// `dashboard:*`
    Dashboard,
    /// `settings:*`
    Settings,
    /// `profile:*`
    Profile,
}

impl Area {
    /// All areas.
    pub const ALL: &[Area] = &[
        Area::Users,
        Area::Roles,
        Area::Tokens,
        Area::Workspaces,
        Area::Backups,
        Area::Webhooks,
        Area::Updates,
        Area::Activity,
        Area::Dashboard,
        Area::Settings,
        Area::Profile,
    ];

    /// Returns the pattern that matches the whole area.
    pub fn whole_pattern(self) -> &'static str {
        match self {
            Area::Users => "users:*",
            Area::Roles => "roles:*",
            Area::Tokens => "tokens:*",
            Area::Workspaces => "workspaces:*",
            Area::Backups => "backups:*",
            Area::Webhooks => "webhooks:*",
            Area::Updates => "updates:*",
            Area::Activity => "activity:*",
            Area::Dashboard => "dashboard:*",
            Area::Settings => "settings:*",
            Area::Profile => "profile:*",
        }
    }

    /// Returns the first segment of the area's resources.
    pub fn as_str(self) -> &'static str {
        match self {
            Area::Users => "users",
            Area::Roles => "roles",
            Area::Tokens => "tokens",
            Area::Workspaces => "workspaces",
            Area::Backups => "backups",
            Area::Webhooks => "webhooks",
            Area::Updates => "updates",
            Area::Activity => "activity",
            Area::Dashboard => "dashboard",
            Area::Settings => "settings",
            Area::Profile => "profile",
        }
    }
}

/// The object of an action, already looked up: never the text of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource<'a> {
    /// An entry: `content:<type>:<id>` and `content:<type>:<slug>`.
    Entry {
        /// The content type.
        type_name: &'a str,
        /// The id.
        id: &'a str,
        /// The slug.
        slug: &'a str,
    },
    /// All entries of a content type: `content:<type>:*`.
    Collection(&'a str),
    /// The definition of a content type: `schema:<name>`.
    Schema(&'a str),
    /// All definitions: `schema:*`.
    Schemas,
    /// All media files: `media:*`.
    Media,
    /// A media file: `media:<filename>`, and for `media.read` also its category and the ones above
    /// it.
    File {
        /// The filename.
        name: &'a str,
        /// The category.
        category: Option<&'a CategoryPath>,
    },
    /// A media category: `media:category:<path>`, and the ones above it.
    Category(&'a CategoryPath),
    /// A single object of an area: `users:<id>`.
    One(Area, &'a str),
    /// A whole area: `backups:*`.
    Whole(Area),
}

/// The name in grants; an entry is named by its id.
impl fmt::Display for Resource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Entry { type_name, id, .. } => write!(f, "content:{type_name}:{id}"),
            Resource::Collection(type_name) => write!(f, "content:{type_name}:*"),
            Resource::Schema(name) => write!(f, "schema:{name}"),
            Resource::Schemas => f.write_str("schema:*"),
            Resource::Media => f.write_str("media:*"),
            Resource::File { name, .. } => write!(f, "media:{name}"),
            Resource::Category(path) => write!(f, "media:category:{path}"),
            Resource::One(area, id) => write!(f, "{}:{id}", area.as_str()),
            Resource::Whole(area) => write!(f, "{}:*", area.as_str()),
        }
    }
}

impl Resource<'_> {
    /// Returns true if the resource belongs to no workspace.
    pub(super) fn is_installation_wide(&self) -> bool {
        matches!(self, Resource::One(..) | Resource::Whole(_))
    }

    /// Returns true if `test` holds for one of the names of the resource. A whole is named by the
    /// literal `*`, which only a wildcard matches: a permission for one object does not cover all
    /// of them.
    pub(super) fn matches_any_name(&self, action: Action, test: impl Fn(&[&str]) -> bool) -> bool {
        let in_category = |category: &CategoryPath| {
            category.lineage().any(|path| test(&["media", "category", path]))
        };
        match *self {
            Resource::Entry { type_name, id, slug } => {
                test(&["content", type_name, id]) || test(&["content", type_name, slug])
            }
            Resource::Collection(type_name) => test(&["content", type_name, "*"]),
            Resource::Schema(name) => test(&["schema", name]),
            Resource::Schemas => test(&["schema", "*"]),
            Resource::Media => test(&["media", "*"]),
            Resource::File { name, category } => {
                let category = category.filter(|_| action == Action::MediaRead);
                test(&["media", name]) || category.is_some_and(in_category)
            }
            Resource::Category(path) => in_category(path),
            Resource::One(area, id) => test(&[area.as_str(), id]),
            Resource::Whole(area) => test(&[area.as_str(), "*"]),
        }
    }
}

/// The workspaces that a pattern applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternScope {
    /// No prefix: all workspaces and the installation.
    Everywhere,
    /// `workspace:*:`
    AllWorkspaces,
    /// `workspace:<slug>:`
    Workspace(WorkspaceSlug),
}

/// A pattern of resources: a glob, limited to a workspace or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResourcePattern {
    text: Box<str>,
    scope: PatternScope,
    glob: Glob,
    read_only: bool,
}

impl ResourcePattern {
    /// Parses a pattern; fails with a message if it can never match.
    pub(super) fn parse(text: &str) -> Result<ResourcePattern, &'static str> {
        let (scope, rest) = split_scope(text.trim())?;
        let form = normalize_category(rest);
        let whole_type = read_only_form(&form).map(|collection| format!("{collection}:*"));
        let segments = split_segments(whole_type.as_ref().unwrap_or(&form));
        check_segments(&segments)?;
        let installation = Area::ALL.iter().any(|area| area.as_str() == segments[0]);
        if installation && scope != PatternScope::Everywhere {
            return Err("This resource belongs to no workspace. Leave out the workspace.");
        }
        let text = match &scope {
            PatternScope::Everywhere => form.clone(),
            PatternScope::AllWorkspaces => format!("workspace:*:{form}"),
            PatternScope::Workspace(slug) => format!("workspace:{slug}:{form}"),
        };
        let (glob, read_only) = (Glob::from_segments(&segments), whole_type.is_some());
        Ok(ResourcePattern { text: text.into(), scope, glob, read_only })
    }

    /// Returns the pattern in its normal form.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if the pattern was written in the read-only form `content:<type>:read`.
    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Returns true if the pattern applies to resources of that workspace.
    pub(super) fn counts_in(&self, workspace: &str) -> bool {
        match &self.scope {
            PatternScope::Everywhere | PatternScope::AllWorkspaces => true,
            PatternScope::Workspace(slug) => slug == workspace,
        }
    }

    /// Returns true if the pattern matches the resource by one of its names.
    pub(super) fn matches(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        let counts = match resource.is_installation_wide() {
            true => self.scope == PatternScope::Everywhere,
            false => self.counts_in(workspace),
        };
        counts && resource.matches_any_name(action, |name| self.glob.matches(name))
    }

    /// Returns true if this pattern matches everything that the other one matches. A category is
    /// also matched by the names of those above it.
    pub(super) fn contains(&self, other: &ResourcePattern) -> bool {
        let in_scope = match (&self.scope, &other.scope) {
            (PatternScope::Everywhere, _)
            | (
                PatternScope::AllWorkspaces,
                PatternScope::AllWorkspaces | PatternScope::Workspace(_),
            ) => true,
            (PatternScope::AllWorkspaces, PatternScope::Everywhere) => !other.is_of_installation(),
            (PatternScope::Workspace(mine), PatternScope::Workspace(theirs)) => mine == theirs,
            (PatternScope::Workspace(_), _) => false,
        };
        in_scope && (self.glob.contains(&other.glob) || self.contains_above(other))
    }

    /// Returns true if the pattern matches a category above everything that the other one matches.
    fn contains_above(&self, other: &ResourcePattern) -> bool {
        let Some((_, path)) = other.text.split_once("media:category:") else { return false };
        let named = path.split('*').next().unwrap_or_default();
        named
            .match_indices(" / ")
            .filter_map(|(end, _)| named.get(..end))
            .any(|above| self.glob.contains(&Glob::from_segments(&["media", "category", above])))
    }

    /// Returns true if the pattern can match a resource of the installation.
    fn is_of_installation(&self) -> bool {
        let matches = |area: &&Area| !self.remaining_globs(&[area.as_str()]).is_empty();
        self.scope == PatternScope::Everywhere && Area::ALL.iter().any(|area| matches(&area))
    }

    /// Returns true if some resource could be matched by both, possibly by different names.
    pub(super) fn overlaps_with(&self, other: &ResourcePattern) -> bool {
        let everywhere =
            self.scope == PatternScope::Everywhere && other.scope == PatternScope::Everywhere;
        let areas = Area::ALL.iter().filter(|_| everywhere).map(|it| it.as_str());
        let apart = match (&self.scope, &other.scope) {
            (PatternScope::Workspace(mine), PatternScope::Workspace(theirs)) => mine != theirs,
            _ => false,
        };
        !apart
            && ["content", "schema", "media"].into_iter().chain(areas).any(|kind| {
                let (mine, theirs) =
                    (self.remaining_globs(&[kind]), other.remaining_globs(&[kind]));
                let pairs = || mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b)));
                match kind {
                    // An entry has two names: its id and its slug.
                    "content" => pairs().any(|(a, b)| {
                        let (a, b) = (a.first_segments(), b.first_segments());
                        a.iter().any(|a| b.iter().any(|b| a.overlaps_with(b)))
                    }),
                    // A file is matched by its name and its categories, and these by the ones above
                    // them.
                    "media" => pairs().next().is_some(),
                    _ => pairs().any(|(a, b)| a.overlaps_with(b)),
                }
            })
    }

    /// Returns true if the pattern could match anything in workspaces.
    pub(super) fn is_of_content(&self) -> bool {
        let inside =
            |kind: &&str| self.remaining_globs(&[kind]).iter().any(|glob| !glob.is_empty());
        ["content", "schema", "media"].iter().any(inside)
    }

    /// Returns what is left to match inside of `segments`.
    pub(super) fn remaining_globs(&self, segments: &[&str]) -> Vec<Glob> {
        self.glob.strip_segments(segments)
    }

    /// Returns true if the pattern could match the resource or, if that is a whole, anything in it.
    pub(super) fn could_match(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        let inside = |segments: &[&str]| {
            self.counts_in(workspace)
                && self.remaining_globs(segments).iter().any(|glob| !glob.is_empty())
        };
        match *resource {
            Resource::Collection(type_name) => {
                self.counts_in(workspace)
                    && self.remaining_globs(&["content", type_name]).iter().any(can_name_entry)
            }
            Resource::Schemas => inside(&["schema"]),
            Resource::Media => inside(&["media"]),
            Resource::Whole(area) => {
                self.scope == PatternScope::Everywhere && inside(&[area.as_str()])
            }
            _ => self.matches(workspace, action, resource),
        }
    }
}

impl fmt::Display for ResourcePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns true if the rest of a pattern can match the id or the slug of an entry, which is one
/// segment.
pub(super) fn can_name_entry(glob: &Glob) -> bool {
    !glob.is_empty() && !glob.has_border()
}

/// Splits `workspace:<slug>:rest` and `workspace:*:rest` into the scope and the rest.
fn split_scope(text: &str) -> Result<(PatternScope, &str), &'static str> {
    let Some(scoped) = text.strip_prefix("workspace:") else {
        return Ok((PatternScope::Everywhere, text));
    };
    let Some((slug, rest)) = scoped.split_once(':') else {
        return Err("A resource must follow workspace:<slug>: or workspace:*:.");
    };
    if slug == "*" {
        return Ok((PatternScope::AllWorkspaces, rest));
    }
    let slug = WorkspaceSlug::parse(slug);
    let slug = slug.map_err(|_| "The workspace of a resource must be a slug or *.")?;
    Ok((PatternScope::Workspace(slug), rest))
}

/// Returns `content:<type>` for `content:<type>:read`.
fn read_only_form(rest: &str) -> Option<&str> {
    let collection = rest.strip_suffix(":read")?;
    let type_name = collection.strip_prefix("content:")?;
    (!type_name.is_empty() && !type_name.contains(':')).then_some(collection)
}

/// Normalizes the path of a category: `media:category:a/b` becomes `media:category:a / b`.
fn normalize_category(rest: &str) -> String {
    match rest.strip_prefix("media:category:") {
        Some(path) => format!("media:category:{}", normalize_path(path)),
        None => rest.to_owned(),
    }
}

/// Splits at every colon, except that the path of a category is always one segment.
fn split_segments(rest: &str) -> Vec<&str> {
    match rest.strip_prefix("media:category:") {
        Some(path) => vec!["media", "category", path],
        None => rest.split(':').collect(),
    }
}

fn check_segments(segments: &[&str]) -> Result<(), &'static str> {
    if segments.iter().any(|segment| segment.is_empty()) {
        return Err("A resource must not have an empty part.");
    }
    let wild = segments.iter().any(|segment| segment.contains('*'));
    let installation = || Area::ALL.iter().map(|area| area.as_str());
    let kinds = || ["content", "schema", "media"].into_iter().chain(installation());
    if let Some((before, _)) = segments[0].split_once('*') {
        return match kinds().any(|kind| kind.starts_with(before)) {
            true => Ok(()),
            false => Err(UNKNOWN_KIND),
        };
    }
    match (segments[0], segments.len()) {
        (kind, _) if !kinds().any(|known| known == kind) => Err(UNKNOWN_KIND),
        ("content", 3) | ("media", 2) => Ok(()),
        ("media", 3) if segments[1] == "category" || wild => Ok(()),
        ("content", 2) if wild => Ok(()),
        ("content", 2) => Err("Write content:<type>:* for all entries of a type."),
        ("content" | "media", _) => Err("This resource has too many or too few parts."),
        (_, 2) => Ok(()),
        _ => Err("Write <kind>:<name> or <kind>:* here."),
    }
}

const UNKNOWN_KIND: &str = "A resource must start with content, schema, media, users, roles, \
                            tokens, workspaces, backups, webhooks, updates, activity, dashboard, \
                            settings or profile.";

#[cfg(test)]
mod tests {
    use super::*;

    const BLOG: &str = "blog";

    fn entry<'a>(type_name: &'a str, id: &'a str, slug: &'a str) -> Resource<'a> {
        Resource::Entry { type_name, id, slug }
    }

    #[test]
    fn what_is_a_pattern() {
        let check = |text: &str, expect: Option<&str>| {
            let pattern = ResourcePattern::parse(text);
            assert_eq!(pattern.as_ref().ok().map(ResourcePattern::as_str), expect, "{text}");
            if let Ok(pattern) = pattern {
                assert_eq!(ResourcePattern::parse(pattern.as_str()), Ok(pattern), "{text} again");
            }
        };
        for same in [
            "*",
            "content:*",
            "content:posts:*",
            "content:posts:hello",
            "content:*:hello",
            "content:posts:read",
            "content:*:read",
            "workspace:blog:content:posts:read",
            "workspace:*:content:*",
            "workspace:blog:*",
            "schema:*",
            "media:*",
            "media:a.png",
            "media:category:Press / Logos",
            "media:category:a:b",
            "users:01",
            "backups:*",
            "*:posts:*",
        ] {
            check(same, Some(same));
        }
        check(" media:category:Press/Logos ", Some("media:category:Press / Logos"));
        for wrong in [
            "",
            "posts",
            "content",
            "content:posts",
            "content:posts:",
            "content::x",
            "content:posts:a:b",
            "article:posts:*",
            "foo*",
            "media:category:",
            "media:category: / ",
            "media:a:b",
            "schema:a:b",
            "users",
            "workspace:blog",
            "workspace:*",
            "workspace:Blog:content:*",
            "workspace:blog:",
            "workspace:blog:users:*",
            "workspace:bl*:content:*",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn patterns_match_resolved_things() {
        let check = |pattern: &str, resource: Resource, expect: bool| {
            let pattern = ResourcePattern::parse(pattern).unwrap();
            let matches = pattern.matches(BLOG, Action::ContentRead, &resource);
            assert_eq!(matches, expect, "{pattern} {resource:?}");
        };
        let hello = entry("posts", "01", "hello");
        for pattern in [
            "*",
            "content:*",
            "content:posts:*",
            "content:posts:01",
            "content:posts:hello",
            "content:posts:hel*",
            "content:*:hello",
            "workspace:blog:content:posts:*",
            "workspace:*:content:posts:01",
            "content:posts:read",
            "workspace:blog:content:posts:read",
        ] {
            check(pattern, hello, true);
        }
        for pattern in [
            "content:pages:*",
            "content:posts:Hello",
            "content:posts:0",
            "workspace:shop:content:*",
            "schema:*",
            "content:pages:read",
        ] {
            check(pattern, hello, false);
        }
        check("content:posts:*", Resource::Collection("posts"), true);
        check("content:posts:01", Resource::Collection("posts"), false);
        check("schema:*", Resource::Schema("posts"), true);
        check("schema:posts", Resource::Schemas, false);
        check("users:*", Resource::One(Area::Users, "01"), true);
        check("users:01", Resource::Whole(Area::Users), false);
        check("*", Resource::Whole(Area::Settings), true);
        check("workspace:blog:*", Resource::Whole(Area::Settings), false);
        check("workspace:*:*", Resource::One(Area::Users, "01"), false);
    }

    #[test]
    fn media_by_name_and_category() {
        let logos = CategoryPath::parse("Press/Logos").unwrap();
        let file = Resource::File { name: "a.png", category: Some(&logos) };
        let check = |pattern: &str, action: Action, resource: Resource, expect: bool| {
            let pattern = ResourcePattern::parse(pattern).unwrap();
            assert_eq!(pattern.matches(BLOG, action, &resource), expect, "{pattern} {resource:?}");
        };
        check("media:*", Action::MediaRead, Resource::Media, true);
        check("media:a.png", Action::MediaRead, Resource::Media, false);
        check("media:category:Press", Action::MediaRead, Resource::Media, false);
        check("media:a.png", Action::MediaDelete, file, true);
        check("media:category:Press", Action::MediaRead, file, true);
        check("media:category:Press/Logos", Action::MediaRead, file, true);
        check("media:category:Logos", Action::MediaRead, file, false);
        check("media:category:Press", Action::MediaDelete, file, false);
        check("media:category:Press", Action::MediaUpload, Resource::Category(&logos), true);
        check("media:category:Pr*", Action::MediaUpload, Resource::Category(&logos), true);
    }

    #[test]
    fn a_file_name_is_no_category() {
        for name in ["category:press", "category"] {
            let file = Resource::File { name, category: None };
            for pattern in ["media:category:press", "media:category:*"] {
                let pattern = ResourcePattern::parse(pattern).unwrap();
                assert!(!pattern.matches(BLOG, Action::MediaRead, &file), "{pattern} {name}");
            }
        }
        let category = CategoryPath::parse("press").unwrap();
        let file_pattern = ResourcePattern::parse("media:press").unwrap();
        assert!(!file_pattern.matches(BLOG, Action::MediaRead, &Resource::Category(&category)));
    }

    #[test]
    fn an_entry_id_cannot_pass_for_a_border() {
        let posing = entry("posts", "a:b", "a:b");
        assert!(!ResourcePattern::parse("content:*:b").unwrap().matches(
            BLOG,
            Action::ContentRead,
            &posing
        ));
    }

    #[test]
    fn could_match_anything_there() {
        let check = |pattern: &str, resource: Resource, expect: bool| {
            let pattern = ResourcePattern::parse(pattern).unwrap();
            let could = pattern.could_match(BLOG, Action::ContentRead, &resource);
            assert_eq!(could, expect, "{pattern} {resource:?}");
        };
        let posts = Resource::Collection("posts");
        check("content:posts:01", posts, true);
        check("content:*:01", posts, true);
        check("content:p*", posts, true);
        check("*", posts, true);
        check("content:pages:*", posts, false);
        check("workspace:shop:content:*", posts, false);
        check("media:*", posts, false);
        check("media:category:Press", Resource::Media, true);
        check("schema:posts", Resource::Schemas, true);
        check("users:01", Resource::Whole(Area::Users), true);
        check("users:01", Resource::One(Area::Users, "02"), false);
        check("workspace:blog:*", Resource::Whole(Area::Users), false);
    }
}
