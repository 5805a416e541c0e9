//! The files that are replicated, and their values.

use std::fmt;

use crate::model::field::is_equivalent;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The beginning of paths from which a key is parsed. The name of the workspace does not matter.
const ANY_WORKSPACE: &str = "workspaces/default/";

/// The keys of entries that each side sets by itself. They do not tell entries apart.
const ENTRY_STAMPS: &[&str] = &["created_at", "updated_at", "updated_by"];

/// The same of the metadata of media files.
const META_STAMPS: &[&str] = &["uploaded_at", "uploaded_by"];

/// A file of a workspace that is replicated, in the order in which files are written: what others
/// refer to comes first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReplicatedFile {
    /// The definition of a content type.
    Schema(TypeName),
    /// The bytes of a media file.
    Media(Filename),
    /// The metadata of a media file.
    MediaMeta(Filename),
    /// An entry.
    Entry(TypeName, EntryId),
}

/// The value of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplicatedValue {
    /// The content of a JSON file.
    Json(Map),
    /// The bytes of a media file, which stay where they are.
    Bytes {
        /// Their checksum.
        sum: Checksum,
        /// Their number.
        size: u64,
    },
}

impl ReplicatedFile {
    /// Parses the path of a file below its workspace, such as `content/posts/a1.json`. Any other
    /// path is nothing, so that nobody reaches other files by one.
    pub fn parse(path: &str) -> Option<ReplicatedFile> {
        let key = Key::parse(&format!("{ANY_WORKSPACE}{path}"))?;
        ReplicatedFile::from_key(&key).filter(|it| it.path() == path)
    }

    /// Returns the file with a key, if it is replicated.
    pub fn from_key(key: &Key) -> Option<ReplicatedFile> {
        match key.clone() {
            Key::Schema(_, name) => Some(ReplicatedFile::Schema(name)),
            Key::Media(_, name) => Some(ReplicatedFile::Media(name)),
            Key::MediaMeta(_, name) => Some(ReplicatedFile::MediaMeta(name)),
            Key::Entry(_, of, id) => Some(ReplicatedFile::Entry(of, id)),
            _ => None,
        }
    }

    /// Returns the key of the file in a workspace.
    pub fn key(&self, ws: &WorkspaceSlug) -> Key {
        let ws = ws.clone();
        match self.clone() {
            ReplicatedFile::Schema(name) => Key::Schema(ws, name),
            ReplicatedFile::Media(name) => Key::Media(ws, name),
            ReplicatedFile::MediaMeta(name) => Key::MediaMeta(ws, name),
            ReplicatedFile::Entry(of, id) => Key::Entry(ws, of, id),
        }
    }

    /// Returns the path below the workspace.
    pub fn path(&self) -> String {
        match self {
            ReplicatedFile::Schema(name) => format!("schemas/{name}.json"),
            ReplicatedFile::Media(name) => format!("media/{name}"),
            ReplicatedFile::MediaMeta(name) => format!("media-meta/{name}.json"),
            ReplicatedFile::Entry(of, id) => format!("content/{of}/{id}.json"),
        }
    }

    /// Returns the type of an entry.
    pub(super) fn entry_type(&self) -> Option<&TypeName> {
        if let ReplicatedFile::Entry(of, _) = self { Some(of) } else { None }
    }

    /// Returns the file without which this one cannot be: the definition of an entry's type, or the
    /// media file that metadata is about. Others are their own.
    pub(super) fn owner(&self) -> ReplicatedFile {
        match self {
            ReplicatedFile::Entry(of, _) => ReplicatedFile::Schema(of.clone()),
            ReplicatedFile::MediaMeta(name) => ReplicatedFile::Media(name.clone()),
            ReplicatedFile::Schema(_) | ReplicatedFile::Media(_) => self.clone(),
        }
    }

    /// Returns the keys that each side sets by itself.
    pub(super) fn stamps(&self) -> &'static [&'static str] {
        match self {
            ReplicatedFile::Entry(..) => ENTRY_STAMPS,
            ReplicatedFile::MediaMeta(_) => META_STAMPS,
            ReplicatedFile::Schema(_) | ReplicatedFile::Media(_) => &[],
        }
    }

    /// Returns true if two values of the file say the same. Metadata that says nothing is none.
    pub fn is_same(&self, one: Option<&ReplicatedValue>, other: Option<&ReplicatedValue>) -> bool {
        let says = |it: Option<&ReplicatedValue>| match (self, it) {
            (_, Some(ReplicatedValue::Json(map))) => {
                let told = self.without_stamps(map);
                let is_silent = matches!(self, ReplicatedFile::MediaMeta(_)) && told.is_empty();
                (!is_silent).then_some(ReplicatedValue::Json(told))
            }
            (_, it) => it.cloned(),
        };
        match (self, says(one), says(other)) {
            (
                ReplicatedFile::Entry(..) | ReplicatedFile::MediaMeta(_),
                Some(ReplicatedValue::Json(one)),
                Some(ReplicatedValue::Json(other)),
            ) => is_equivalent(&Json::Object(one), &Json::Object(other)),
            // The order of the fields of a type is the one in which people see them.
            (_, one, other) => one == other,
        }
    }

    fn without_stamps(&self, map: &Map) -> Map {
        let kept = map.iter().filter(|(key, _)| !self.stamps().contains(key));
        kept.map(|(key, value)| (key.to_string(), value.clone())).collect()
    }
}

/// The path.
impl fmt::Display for ReplicatedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path())
    }
}

impl ReplicatedValue {
    /// Returns the content of a JSON file.
    pub fn as_map(&self) -> Option<&Map> {
        if let ReplicatedValue::Json(map) = self { Some(map) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn only_paths_of_content_are_files() {
        for path in
            ["schemas/posts.json", "media/a b.png", "media-meta/a b.png.json", "content/p/x-1.json"]
        {
            let file = ReplicatedFile::parse(path).unwrap();
            assert_eq!(file.path(), path);
            let key = file.key(&WorkspaceSlug::parse("site").unwrap());
            assert_eq!(key.path(), format!("workspaces/site/{path}"));
        }
        for path in [
            "",
            "/",
            "workspace.json",
            "../../system/users/a.json",
            "content/../../../x.json",
            "content/posts/../a.json",
            "content/posts/a/b.json",
            "/content/posts/a.json",
            "content//posts/a.json",
            "content/posts/.a.json",
            "media/../schemas/a.json",
            "media/..",
            "media/a\\b",
            "media/a\0",
            "trash/posts/a.json",
            "revisions/posts/a/b.json",
            "changes/c/change.json",
            "media-revisions/a.png/b.png",
        ] {
            assert_eq!(ReplicatedFile::parse(path), None, "{path}");
        }
    }

    #[test]
    fn what_each_side_sets_by_itself_makes_no_difference() {
        let check = |path: &str, one: Option<&str>, other: Option<&str>, expect: bool| {
            let value = |it: Option<&str>| it.map(|it| ReplicatedValue::Json(map(it)));
            let file = ReplicatedFile::parse(path).unwrap();
            assert_eq!(
                file.is_same(value(one).as_ref(), value(other).as_ref()),
                expect,
                "{path} {one:?} {other:?}"
            );
        };
        let entry = "content/posts/a.json";
        check(entry, Some(r#"{"title":"a","updated_at":"x"}"#), Some(r#"{"title":"a"}"#), true);
        check(entry, Some(r#"{"a":1,"b":2}"#), Some(r#"{"b":2.0,"a":1}"#), true);
        check(entry, Some(r#"{"title":"a"}"#), Some(r#"{"title":"b"}"#), false);
        check(entry, Some("{}"), None, false);
        let meta = "media-meta/a.png.json";
        check(meta, Some(r#"{"uploaded_by":"u"}"#), None, true);
        check(meta, Some(r#"{"alt":"u"}"#), None, false);
        check("schemas/a.json", Some(r#"{"a":1,"b":2}"#), Some(r#"{"b":2,"a":1}"#), false);
    }
}
