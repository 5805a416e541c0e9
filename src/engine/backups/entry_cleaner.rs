//! The cleaning of entries on their way out of a backup: an archive may come from anywhere, so
//! their HTML is made harmless as in any other write.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::backups::request::BackupError;
use crate::engine::backups::restore_request::EntryCleaning;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::engine::parse::file_parser;
use crate::engine::workspaces::registry::Workspaces;
use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::entry::entry_file;
use crate::model::field::FIELDS_MAX;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::store::archive::BackupSelection;
use crate::store::archive::reader::ArchiveFile;
use crate::store::archive::reader::ArchiveReader;
use crate::store::codec;
use crate::store::layout::Key;

/// Content types by workspace and name.
type TypeMap = BTreeMap<(WorkspaceSlug, TypeName), Arc<ContentType>>;

/// The cleaner of the entries that a restore brings.
pub(crate) struct EntryCleaner {
    clean: EntryCleaning,
    /// The types as they are after the restore.
    types: TypeMap,
}

impl EntryCleaner {
    /// Returns the cleaner that a restore asks for; nothing if entries come back byte by byte.
    pub(crate) fn from_order(
        order: &RestoreRequest,
        opened: &mut ArchiveReader,
        selection: &BackupSelection,
        workspaces: &Workspaces,
    ) -> Result<Option<EntryCleaner>, BackupError> {
        let Some(clean) = order.clean_entry else { return Ok(None) };
        let (restored, served) = (read_types(opened, selection)?, list_types(workspaces));
        let (mut types, prevailing) =
            if order.overwrite { (served, restored) } else { (restored, served) };
        types.extend(prevailing);
        Ok(Some(EntryCleaner { clean, types }))
    }

    /// Returns the content type of the entry in a file, if it is one.
    pub(crate) fn find_type(&self, key: &Key) -> Option<&ContentType> {
        let (ws, of) = match key {
            Key::Entry(ws, of, _) | Key::Trash(ws, of, _) | Key::Revision(ws, of, ..) => (ws, of),
            Key::Proposal(ws, _, of, _) | Key::ProposalBase(ws, _, of, _) => (ws, of),
            _ => return None,
        };
        self.types.get(&(ws.clone(), of.clone())).map(|it| &**it)
    }

    /// Returns the cleaned file of an entry, be it live, proposed, replaced or deleted; nothing if
    /// the file is clean, or no entry.
    pub(crate) fn clean_file(&self, key: &Key, bytes: &[u8]) -> Option<Vec<u8>> {
        let ty = self.find_type(key)?;
        let mut file = codec::parse_document(&key.path(), bytes).ok()?.map;
        let renames = match key {
            Key::Revision(..) => Renames::from_type(ty),
            _ => Renames::default(),
        };
        // A revision keeps the names that its fields had, and readers rename them. A value that is
        // taken out may uncover that of a former name.
        for round in 0..=FIELDS_MAX {
            let mut shown = file.clone();
            renames.apply_to_file(&mut shown);
            let mut cleaned = shown.clone();
            (self.clean)(ty, &mut cleaned, &mut FieldProblems::new());
            if cleaned == shown {
                return (round > 0).then(|| json_edit::rewrite_json(bytes, &Json::Object(file)));
            }
            take_over(&mut file, shown, cleaned);
        }
        // Values that never become clean are left out.
        for path in entry_file::data_paths(&file) {
            entry_file::value_mut(&mut file, &path).into_iter().for_each(|it| *it = Json::Null);
        }
        Some(json_edit::rewrite_json(bytes, &Json::Object(file)))
    }
}

/// Puts cleaned values into a file, under the names that they have there.
fn take_over(file: &mut Map, mut shown: Map, mut cleaned: Map) {
    for path in entry_file::data_paths(file) {
        let data = entry_file::value_mut(file, &path);
        let shown = entry_file::value_mut(&mut shown, &path);
        let cleaned = entry_file::value_mut(&mut cleaned, &path);
        let (Some(Json::Object(data)), Some(Json::Object(shown)), Some(Json::Object(cleaned))) =
            (data, shown, cleaned)
        else {
            continue;
        };
        let names: Vec<String> = data.iter().map(|(name, _)| name.to_string()).collect();
        for (name, before) in shown.iter() {
            let Some(after) = cleaned.get(name).filter(|it| *it != before) else { continue };
            for stored in &names {
                if let Some(value) = data.get_mut(stored).filter(|it| *it == before) {
                    *value = after.clone();
                }
            }
        }
    }
}

/// Reads the types that a restore brings.
fn read_types(
    opened: &mut ArchiveReader,
    selection: &BackupSelection,
) -> Result<TypeMap, BackupError> {
    let selected = opened.list_files().filter(|it| selection.includes_key(&it.key));
    let schemas = selected.filter(|it| matches!(it.key, Key::Schema(..)));
    let schemas: Vec<ArchiveFile> = schemas.cloned().collect();
    let mut types = TypeMap::new();
    for file in schemas {
        let Key::Schema(ws, name) = &file.key else { continue };
        let bytes = opened.read_whole(&file)?;
        let ty = file_parser::parse_content_type(name, &file.path, &bytes).value;
        types.extend(ty.map(|it| ((ws.clone(), name.clone()), it)));
    }
    Ok(types)
}

/// Lists the types that are served.
fn list_types(workspaces: &Workspaces) -> TypeMap {
    let mut types = TypeMap::new();
    for (ws, workspace) in workspaces {
        for index in workspace.current_snapshot().types() {
            let ty = &index.content_type;
            types.insert((ws.clone(), ty.name.clone()), ty.clone());
        }
    }
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes out a text that says that it is bad.
    fn take_out_bad(_: &ContentType, file: &mut Map, _: &mut FieldProblems) {
        if let Some(text) = entry_file::value_mut(file, "data.text")
            && *text == Json::from("bad")
        {
            *text = Json::Null;
        }
    }

    fn cleaner(renames: &str) -> EntryCleaner {
        let (ws, of) = (WorkspaceSlug::parse("main").unwrap(), TypeName::parse("posts").unwrap());
        let schema = format!(r#"{{"fields":{{"text":{{}}}},"renames":{renames}}}"#);
        let schema = Json::parse(schema.as_bytes()).unwrap();
        let ty = Arc::new(ContentType::parse(of.clone(), &schema).0.unwrap());
        EntryCleaner { clean: take_out_bad, types: TypeMap::from([((ws, of), ty)]) }
    }

    #[test]
    fn entries_are_cleaned_wherever_they_are() {
        let check = |path: &str, before: &str, expect: Option<&str>| {
            let key = Key::parse(&format!("workspaces/{path}.json")).unwrap();
            let cleaned = cleaner("[]").clean_file(&key, before.as_bytes());
            let cleaned = cleaned.map(|it| Json::parse(&it).unwrap());
            let expect = expect.map(|it| Json::parse(it.as_bytes()).unwrap());
            assert_eq!(cleaned, expect, "{path}: {before}");
        };
        let (good, bad) = (r#"{"data": {"text":"good"}}"#, r#"{"x": 1, "data": {"text":"bad"}}"#);
        let clean = Some(r#"{"x":1,"data":{"text":null}}"#);
        check("main/content/posts/a", good, None);
        check("main/content/posts/a", bad, clean);
        check("main/trash/posts/a", bad, clean);
        check("main/revisions/posts/a/01jz8x3m5q7v9c2a", bad, clean);
        check("main/changes/c/content/posts/a", bad, clean);
        check("main/changes/c/base/posts/a", bad, clean);
        // Others are no entries of the type.
        check("main/content/pages/a", bad, None);
        check("shop/content/posts/a", bad, None);
        check("main/schemas/posts", bad, None);
    }

    #[test]
    fn revisions_hide_nothing_under_former_names() {
        const RENAMES: &str = r#"[{"from":"old","to":"text"},{"from":"c","to":"old"},
            {"from":"e","to":"c"}]"#;
        let check = |before: &str, expect: Option<&str>| {
            let key = Key::parse("workspaces/main/revisions/posts/a/01jz8x3m5q7v9c2a.json");
            let cleaned = cleaner(RENAMES).clean_file(&key.unwrap(), before.as_bytes());
            let cleaned = cleaned.map(|it| Json::parse(&it).unwrap());
            assert_eq!(cleaned, expect.map(|it| Json::parse(it.as_bytes()).unwrap()), "{before}");
        };
        check(r#"{"data":{"old":"good"}}"#, None);
        check(r#"{"data":{"old":"bad"}}"#, Some(r#"{"data":{"old":null}}"#));
        let both = r#"{"data":{"text":null,"old":null}}"#;
        check(r#"{"data":{"text":"bad","old":"bad"}}"#, Some(both));
        let other = r#"{"data":{"text":null,"old":"good"}}"#;
        check(r#"{"data":{"text":"bad","old":"good"}}"#, Some(other));
        // It is shown as `c`, in another revision than this as `old` or `text`.
        check(r#"{"data":{"e":"bad"}}"#, None);
        check(r#"{"data":{"old":"bad","e":"kept"}}"#, Some(r#"{"data":{"old":null,"e":"kept"}}"#));
    }
}
