//! What is acted on, and the patterns that grants name it by.

use std::fmt;

use super::action::Action;
use super::glob::Glob;
use crate::model::category::CategoryPath;
use crate::model::category::normalize;
use crate::model::name::WorkspaceSlug;

/// The installation-wide things: they belong to no workspace.
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
    /// All of them.
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

    /// All of it, as grants name it.
    pub fn whole(self) -> &'static str {
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

    /// The first segment of its resources.
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

/// What an action is taken on, after it has been resolved: never the text of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource<'a> {
    /// One entry: `content:<type>:<id>` and `content:<type>:<slug>`.
    Entry {
        /// The content type.
        type_name: &'a str,
        /// Its id.
        id: &'a str,
        /// Its slug.
        slug: &'a str,
    },
    /// A content type's entries as a whole: `content:<type>:*`.
    Collection(&'a str),
    /// A content type's definition: `schema:<name>`.
    Schema(&'a str),
    /// The definitions as a whole: `schema:*`.
    Schemas,
    /// The media files as a whole: `media:*`.
    Media,
    /// One media file: `media:<filename>`, and for `media.read` its category and those above it.
    File {
        /// Its name.
        name: &'a str,
        /// Its category.
        category: Option<&'a CategoryPath>,
    },
    /// A media category: `media:category:<path>`, and those above it.
    Category(&'a CategoryPath),
    /// One thing of the installation: `users:<id>`.
    One(Area, &'a str),
    /// An area of the installation as a whole: `backups:*`.
    Whole(Area),
}

/// As grants name it; an entry by its id.
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
    /// Whether it belongs to no workspace.
    pub(super) fn is_installation_wide(&self) -> bool {
        matches!(self, Resource::One(..) | Resource::Whole(_))
    }

    /// Whether `test` holds for one of the names it goes by. "As a whole" goes by the literal `*`,
    /// which only a wildcard matches: a right on one thing is none on all.
    pub(super) fn any_name(&self, action: Action, test: impl Fn(&[&str]) -> bool) -> bool {
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

/// In which workspaces a pattern counts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    /// No prefix: in all, and for the installation.
    Everywhere,
    /// `workspace:*:`
    AllWorkspaces,
    /// `workspace:<slug>:`
    Workspace(WorkspaceSlug),
}

/// A resource as grants name it: a glob, for one workspace or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: Box<str>,
    scope: Scope,
    glob: Glob,
    read_only: bool,
}

impl Pattern {
    /// Takes a pattern that can match something, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Pattern, &'static str> {
        let (scope, rest) = split_scope(text.trim())?;
        let form = normalize_category(rest);
        let whole_type = read_only_form(&form).map(|collection| format!("{collection}:*"));
        let segments = segments(whole_type.as_ref().unwrap_or(&form));
        check_segments(&segments)?;
        let installation = Area::ALL.iter().any(|area| area.as_str() == segments[0]);
        if installation && scope != Scope::Everywhere {
            return Err("This belongs to no workspace: leave out the workspace.");
        }
        let text = match &scope {
            Scope::Everywhere => form.clone(),
            Scope::AllWorkspaces => format!("workspace:*:{form}"),
            Scope::Workspace(slug) => format!("workspace:{slug}:{form}"),
        };
        let (glob, read_only) = (Glob::segments(&segments), whole_type.is_some());
        Ok(Pattern { text: text.into(), scope, glob, read_only })
    }

    /// The pattern, written one way.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it was written in the read-only form, `content:<type>:read`.
    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether it counts for things of that workspace.
    pub(super) fn counts_in(&self, workspace: &str) -> bool {
        match &self.scope {
            Scope::Everywhere | Scope::AllWorkspaces => true,
            Scope::Workspace(slug) => slug == workspace,
        }
    }

    /// Whether it matches the resource by one of its names.
    pub(super) fn matches(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        let counts = match resource.is_installation_wide() {
            true => self.scope == Scope::Everywhere,
            false => self.counts_in(workspace),
        };
        counts && resource.any_name(action, |name| self.glob.matches(name))
    }

    /// Whether it matches whatever another pattern matches. A category goes by the names of those
    /// above it too.
    pub(super) fn contains(&self, other: &Pattern) -> bool {
        let in_scope = match (&self.scope, &other.scope) {
            (Scope::Everywhere, _)
            | (Scope::AllWorkspaces, Scope::AllWorkspaces | Scope::Workspace(_)) => true,
            (Scope::AllWorkspaces, Scope::Everywhere) => !other.is_of_installation(),
            (Scope::Workspace(mine), Scope::Workspace(theirs)) => mine == theirs,
            (Scope::Workspace(_), _) => false,
        };
        in_scope && (self.glob.contains(&other.glob) || self.contains_above(other))
    }

    /// Whether it matches a category that is above whatever the other matches.
    fn contains_above(&self, other: &Pattern) -> bool {
        let Some((_, path)) = other.text.split_once("media:category:") else { return false };
        let named = path.split('*').next().unwrap_or_default();
        named
            .match_indices(" / ")
            .filter_map(|(end, _)| named.get(..end))
            .any(|above| self.glob.contains(&Glob::segments(&["media", "category", above])))
    }

    /// Whether it can match something of the installation.
    fn is_of_installation(&self) -> bool {
        let matches = |area: &&Area| !self.inside(&[area.as_str()]).is_empty();
        self.scope == Scope::Everywhere && Area::ALL.iter().any(|area| matches(&area))
    }

    /// Whether something could be matched by both, be it by different names.
    pub(super) fn meets(&self, other: &Pattern) -> bool {
        let everywhere = self.scope == Scope::Everywhere && other.scope == Scope::Everywhere;
        let areas = Area::ALL.iter().filter(|_| everywhere).map(|it| it.as_str());
        let apart = match (&self.scope, &other.scope) {
            (Scope::Workspace(mine), Scope::Workspace(theirs)) => mine != theirs,
            _ => false,
        };
        !apart
            && ["content", "schema", "media"].into_iter().chain(areas).any(|kind| {
                let (mine, theirs) = (self.inside(&[kind]), other.inside(&[kind]));
                let pairs = || mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b)));
                match kind {
                    // An entry goes by its id and its slug.
                    "content" => pairs().any(|(a, b)| {
                        let (a, b) = (a.firsts(), b.firsts());
                        a.iter().any(|a| b.iter().any(|b| a.meets(b)))
                    }),
                    // A file goes by its name and its categories, and these by those above them.
                    "media" => pairs().next().is_some(),
                    _ => pairs().any(|(a, b)| a.meets(b)),
                }
            })
    }

    /// Whether it could match anything that is in workspaces.
    pub(super) fn is_of_content(&self) -> bool {
        let inside = |kind: &&str| self.inside(&[kind]).iter().any(|glob| !glob.is_empty());
        ["content", "schema", "media"].iter().any(inside)
    }

    /// What it leaves to match inside of `segments`.
    pub(super) fn inside(&self, segments: &[&str]) -> Vec<Glob> {
        self.glob.after(segments)
    }

    /// Whether it could match the resource or, when that is a whole, anything in it.
    pub(super) fn could_match(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        let inside = |segments: &[&str]| {
            self.counts_in(workspace) && self.inside(segments).iter().any(|glob| !glob.is_empty())
        };
        match *resource {
            Resource::Collection(type_name) => {
                self.counts_in(workspace)
                    && self.inside(&["content", type_name]).iter().any(names_an_entry)
            }
            Resource::Schemas => inside(&["schema"]),
            Resource::Media => inside(&["media"]),
            Resource::Whole(area) => self.scope == Scope::Everywhere && inside(&[area.as_str()]),
            _ => self.matches(workspace, action, resource),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether what is left of a pattern can be the id or the slug of an entry: one segment.
pub(super) fn names_an_entry(glob: &Glob) -> bool {
    !glob.is_empty() && !glob.has_border()
}

/// `workspace:<slug>:rest` and `workspace:*:rest` → where it counts, and the rest.
fn split_scope(text: &str) -> Result<(Scope, &str), &'static str> {
    let Some(scoped) = text.strip_prefix("workspace:") else {
        return Ok((Scope::Everywhere, text));
    };
    let Some((slug, rest)) = scoped.split_once(':') else {
        return Err("A resource follows after workspace:<slug>: or workspace:*:.");
    };
    if slug == "*" {
        return Ok((Scope::AllWorkspaces, rest));
    }
    let slug = WorkspaceSlug::parse(slug);
    let slug = slug.map_err(|_| "The workspace of a resource is a workspace's slug or *.")?;
    Ok((Scope::Workspace(slug), rest))
}

/// `content:<type>:read` → `content:<type>`
fn read_only_form(rest: &str) -> Option<&str> {
    let collection = rest.strip_suffix(":read")?;
    let type_name = collection.strip_prefix("content:")?;
    (!type_name.is_empty() && !type_name.contains(':')).then_some(collection)
}

/// `media:category:a/b` → `media:category:a / b`
fn normalize_category(rest: &str) -> String {
    match rest.strip_prefix("media:category:") {
        Some(path) => format!("media:category:{}", normalize(path)),
        None => rest.to_owned(),
    }
}

/// Cut at every colon; but a category's path is one segment, whatever is in it.
fn segments(rest: &str) -> Vec<&str> {
    match rest.strip_prefix("media:category:") {
        Some(path) => vec!["media", "category", path],
        None => rest.split(':').collect(),
    }
}

fn check_segments(segments: &[&str]) -> Result<(), &'static str> {
    if segments.iter().any(|segment| segment.is_empty()) {
        return Err("A resource has no empty part.");
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

const UNKNOWN_KIND: &str = "A resource starts with content, schema, media, users, roles, tokens, \
                            workspaces, backups, webhooks, updates, activity, dashboard, settings \
                            or profile.";

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
            let pattern = Pattern::parse(text);
            assert_eq!(pattern.as_ref().ok().map(Pattern::as_str), expect, "{text}");
            if let Ok(pattern) = pattern {
                assert_eq!(Pattern::parse(pattern.as_str()), Ok(pattern), "{text} again");
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
            let pattern = Pattern::parse(pattern).unwrap();
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
            let pattern = Pattern::parse(pattern).unwrap();
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
                let pattern = Pattern::parse(pattern).unwrap();
                assert!(!pattern.matches(BLOG, Action::MediaRead, &file), "{pattern} {name}");
            }
        }
        let category = CategoryPath::parse("press").unwrap();
        let file_pattern = Pattern::parse("media:press").unwrap();
        assert!(!file_pattern.matches(BLOG, Action::MediaRead, &Resource::Category(&category)));
    }

    #[test]
    fn an_entry_id_cannot_pass_for_a_border() {
        let posing = entry("posts", "a:b", "a:b");
        assert!(!Pattern::parse("content:*:b").unwrap().matches(
            BLOG,
            Action::ContentRead,
            &posing
        ));
    }

    #[test]
    fn could_match_anything_there() {
        let check = |pattern: &str, resource: Resource, expect: bool| {
            let pattern = Pattern::parse(pattern).unwrap();
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
