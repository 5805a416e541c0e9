//! The content types among replicated files, by which entries are read and their HTML is sanitized.

use std::collections::BTreeMap;

use crate::app::content::entries::clean_file;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The content types of one side, or of both together.
#[derive(Debug, Default)]
pub struct ReplicatedTypes(BTreeMap<TypeName, ContentType>);

impl ReplicatedTypes {
    /// Reads the types among files. Of several definitions of a type, the last counts.
    pub fn read<'f>(
        files: impl Iterator<Item = (&'f ReplicatedFile, &'f ReplicatedValue)>,
    ) -> ReplicatedTypes {
        let mut types = BTreeMap::new();
        for (file, value) in files {
            if let (ReplicatedFile::Schema(name), ReplicatedValue::Json(map)) = (file, value)
                && let (Some(ty), _) = ContentType::parse(name.clone(), &Json::Object(map.clone()))
            {
                types.insert(name.clone(), ty);
            }
        }
        ReplicatedTypes(types)
    }

    /// Sanitizes the HTML of an entry. What cannot be sanitized is taken out.
    pub fn sanitize_entry(&self, file: &ReplicatedFile, map: &mut Map) {
        let ReplicatedFile::Entry(of, _) = file else { return };
        if let Some(ty) = self.0.get(of) {
            clean_file(ty, map, &mut FieldProblems::new());
        }
    }

    /// Returns the names by which an entry is found, without regard to case: its id and its slug.
    pub(super) fn list_names(&self, file: &ReplicatedFile, value: &ReplicatedValue) -> Vec<String> {
        let (ReplicatedFile::Entry(of, id), ReplicatedValue::Json(map)) = (file, value) else {
            return Vec::new();
        };
        let Some(ty) = self.0.get(of).filter(|it| !it.singleton) else { return Vec::new() };
        let slug = Entry::read_slug(id, ty, map);
        vec![casefold(id).into_owned(), casefold(&slug).into_owned()]
    }
}
