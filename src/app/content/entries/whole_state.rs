//! Whole states that take the place of an entry: earlier ones that are restored, deleted ones that
//! come back, and proposed ones that are published. What they do not change is not judged.

use std::collections::BTreeSet;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::KEYS;
use crate::model::entry::LocalizedEntry;
use crate::model::entry::Translation;
use crate::model::entry::entry_file;
use crate::model::field::Field;
use crate::model::field::is_equivalent;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The entries among which a state takes its place.
pub(crate) struct StateScope<'a> {
    /// The entries of the type.
    pub(crate) index: &'a TypeIndex,
    /// The entry itself.
    pub(crate) this: Option<Ordinal>,
    /// The prefix of filenames in media URLs.
    pub(crate) media_base: &'a str,
}

impl StateScope<'_> {
    /// Judges the changed values of a state: whether they fit their fields, and whether unique ones
    /// are free. `findings` are those of reading the state.
    pub(crate) fn check_changed(
        &self,
        new: &Entry,
        changed: &[String],
        mut findings: Vec<EntryFinding>,
    ) -> FieldProblems {
        new.check_values(&self.index.content_type, &mut findings);
        let mut problems = FieldProblems::new();
        for finding in findings.iter().filter(|it| changed.iter().any(|name| *name == field_of(it)))
        {
            let path = finding.path.strip_prefix("data.").unwrap_or(&finding.path);
            problems.add(path, finding.message.as_str());
        }
        self.refuse_taken_values(new, |name| changed.iter().any(|it| it == name), &mut problems);
        problems
    }

    /// Judges the unique values of a state that comes back as it was: whether all are still free.
    pub(crate) fn check_unique(&self, new: &Entry) -> FieldProblems {
        let mut problems = FieldProblems::new();
        self.refuse_taken_values(new, |_| true, &mut problems);
        problems
    }

    /// Adds a problem for each judged value that is unique and that another entry has.
    fn refuse_taken_values(
        &self,
        new: &Entry,
        is_judged: impl Fn(&str) -> bool,
        problems: &mut FieldProblems,
    ) {
        for field in self.index.content_type.fields.iter().filter(|it| it.unique) {
            let name = field.name.as_str();
            // Slugs are unique whatever their definition says, and are checked on their own.
            if name != "slug" && is_judged(name) && self.is_taken(field, new) {
                problems.add(name, "Another entry already has this value.");
            }
        }
    }

    /// Returns true if another entry has the value of this field, as any locale shows it.
    fn is_taken(&self, field: &Field, new: &Entry) -> bool {
        let ty = &self.index.content_type;
        let locales = std::iter::once(None).chain(ty.locales.iter().map(Some));
        let mut shown = locales.filter_map(|locale| {
            let values = LocalizedEntry::new(ty, new, locale);
            match field.name.as_str() {
                "title" => Some(Json::from(values.title(ty))),
                _ => values.get_value(field).cloned(),
            }
        });
        shown.any(|it| {
            !it.is_empty() && self.index.has_value(field, &it, self.this, self.media_base)
        })
    }
}

/// Returns the field of a finding.
fn field_of(finding: &EntryFinding) -> &str {
    let inside = finding.path.split_once("data.").map(|(_, rest)| rest);
    let inside = inside.or_else(|| finding.path.rsplit_once('.').map(|(_, last)| last));
    inside.unwrap_or(&finding.path).split(['.', '[']).next().unwrap_or_default()
}

/// Lists the changed fields, as grants name them. Former slugs count as the slug: their addresses
/// lead to the entry, too.
pub(crate) fn list_changed_fields(ty: &ContentType, old: &Entry, new: &Entry) -> Vec<String> {
    let translated = |entry: &Entry, of: &dyn Fn(&Translation) -> Json| {
        let mut all: Vec<(String, Json)> =
            entry.translations.iter().map(|(code, it)| (code.to_string(), of(it))).collect();
        all.retain(|(_, it)| !it.is_empty());
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    };
    let title = |it: &Translation| it.title.as_deref().into();
    let own = [
        ("title", old.title != new.title || translated(old, &title) != translated(new, &title)),
        ("slug", old.slug != new.slug || old.former_slugs != new.former_slugs),
        ("status", old.status != new.status),
        ("published_at", old.published_at != new.published_at),
        ("unpublish_at", old.unpublish_at != new.unpublish_at),
        ("author_id", old.author_id != new.author_id),
    ];
    let differs = |name: &str| {
        let value = |it: &Translation| it.data.get(name).cloned().unwrap_or_default();
        let root = |entry: &Entry| entry.data.get(name).cloned().unwrap_or_default();
        root(old) != root(new) || translated(old, &value) != translated(new, &value)
    };
    let fields = ty.data_fields().map(|it| it.name.as_str()).filter(|it| differs(it));
    let own = own.into_iter().filter(|it| it.1).map(|it| it.0);
    own.chain(fields).map(str::to_string).collect()
}

/// Lists the changed keys of files that belong to no field, as if they were fields: so only grants
/// without limits to fields, or that name them, allow their change.
pub(crate) fn list_changed_unknown_keys(ty: &ContentType, old: &Map, new: &Map) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut compare = |path: &str, is_known: &dyn Fn(&str) -> bool| {
        let layers = [entry_file::get_data(old, path), entry_file::get_data(new, path)];
        collect_changed_keys(layers, is_known, &mut found);
    };
    let is_field = |key: &str| ty.data_fields().any(|it| it.name.as_str() == key);
    let paths: BTreeSet<String> =
        entry_file::data_paths(old).into_iter().chain(entry_file::data_paths(new)).collect();
    for path in &paths {
        compare(path, &is_field);
        if let Some(translation) = path.strip_suffix(".data") {
            compare(translation, &|key: &str| matches!(key, "title" | "data"));
        }
    }
    compare("translations", &LocaleCode::fits);
    // The id is the name of the file, whatever is in it.
    let is_own = |key: &str| key == "id" || KEYS.contains(&key);
    collect_changed_keys([Some(old), Some(new)], &is_own, &mut found);
    found.into_iter().collect()
}

/// Adds the keys whose values differ between two objects, but for the known ones.
fn collect_changed_keys(
    layers: [Option<&Map>; 2],
    is_known: &dyn Fn(&str) -> bool,
    found: &mut BTreeSet<String>,
) {
    let value = |layer: Option<&Map>, key: &str| {
        layer.and_then(|it| it.get(key)).cloned().unwrap_or_default()
    };
    let [old, new] = layers;
    let keys = layers.into_iter().flatten().flat_map(Map::iter).map(|(key, _)| key);
    for key in keys.filter(|it| !is_known(it)) {
        if !is_equivalent(&value(old, key), &value(new, key)) {
            found.insert(key.to_string());
        }
    }
}
