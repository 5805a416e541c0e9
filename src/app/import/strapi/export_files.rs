//! The files of an export: lines of JSON with schemas, records, links between them, and settings.

use std::collections::BTreeMap;
use std::collections::HashMap;

use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::source::ImportSource;
use crate::store::source::TEXT_BYTES_MAX;

/// The type of media files.
pub(super) const FILE: &str = "plugin::upload.file";

/// The type of locales.
const LOCALE: &str = "plugin::i18n.locale";

/// The setting with the default locale.
const DEFAULT_LOCALE: &str = "plugin_i18n_default_locale";

/// The beginning of the names of settings about the forms of types.
const FORMS: &str = "plugin_content_manager_configuration_content_types::";

/// A record of a table: one locale and version of an entry, a file, a locale…
#[derive(Debug)]
pub(super) struct StrapiRow {
    /// The file and the line.
    pub(super) file: String,
    pub(super) line: u64,
    /// The number within its type, which links name.
    pub(super) number: String,
    pub(super) data: Map,
}

impl StrapiRow {
    /// Returns the place of the record.
    pub(super) fn place(&self) -> SourcePlace {
        SourcePlace::of_file(&self.file).with_line(self.line)
    }

    /// Returns a text that is not empty.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Json::as_str).filter(|it| !it.is_empty())
    }
}

/// A schema of a content type or a component.
#[derive(Debug)]
pub(super) struct StrapiSchema {
    pub(super) place: SourcePlace,
    pub(super) map: Map,
}

/// A record that a field refers to: its type and number.
pub(super) type Target = (String, String);

/// The content of an export.
#[derive(Debug, Default)]
pub(super) struct StrapiExport {
    /// The folder in which the parts of the export are.
    pub(super) root: String,
    pub(super) schemas: BTreeMap<String, StrapiSchema>,
    rows: HashMap<String, Vec<StrapiRow>>,
    /// The targets by type, number and field of the record that refers to them, with their
    /// position.
    links: HashMap<(String, String, String), Vec<(f64, Target)>>,
    /// The main field of each type.
    main_fields: HashMap<String, String>,
    default_locale: Option<String>,
}

impl StrapiExport {
    /// Reads an export. Returns `None` if the source is none, or has lines that are broken.
    pub(super) fn read(
        source: &dyn ImportSource,
        report: &mut ImportReport,
    ) -> Option<StrapiExport> {
        let paths = source.files().iter().map(|it| it.path.as_str());
        let mut starts = paths.clone().filter_map(|it| {
            let start = it.find("schemas/schemas_")?;
            it.get(..start).filter(|root| root.is_empty() || root.ends_with('/'))
        });
        let mut export =
            StrapiExport { root: starts.next()?.to_string(), ..StrapiExport::default() };
        let parts: [(&str, AddRecord); 4] = [
            ("schemas", StrapiExport::add_schema),
            ("entities", StrapiExport::add_row),
            ("links", StrapiExport::add_link),
            ("configuration", StrapiExport::add_setting),
        ];
        for (folder, add) in parts {
            let prefix = format!("{}{folder}/", export.root);
            let files = paths.clone().filter(|it| it.starts_with(&prefix));
            for path in files.filter(|it| it.ends_with(".jsonl")) {
                let text = match source.read_text(path, TEXT_BYTES_MAX) {
                    Ok(text) => text,
                    Err(error) => {
                        let message = format!("The file cannot be read: {error}.");
                        report.add_problem(SourcePlace::of_file(path), message);
                        continue;
                    }
                };
                export.add_lines(path, &text, add, report);
            }
        }
        export.links.values_mut().for_each(|it| it.sort_by(|a, b| a.0.total_cmp(&b.0)));
        report.problems.is_empty().then_some(export)
    }

    fn add_lines(&mut self, path: &str, text: &str, add: AddRecord, report: &mut ImportReport) {
        for (line, number) in text.lines().zip(1_u64..) {
            let place = SourcePlace::of_file(path).with_line(number);
            match Json::parse(line.as_bytes()) {
                _ if line.trim().is_empty() => {}
                Ok(Json::Object(map)) => add(self, map, place),
                Ok(_) => report.add_problem(place, "A line is an object."),
                Err(error) => {
                    report.add_problem(place, format!("This is not JSON: {}.", error.message));
                }
            }
        }
    }

    fn add_schema(&mut self, map: Map, place: SourcePlace) {
        if let Some(uid) = map.get("uid").and_then(Json::as_str) {
            self.schemas.insert(uid.to_string(), StrapiSchema { place, map });
        }
    }

    fn add_row(&mut self, mut map: Map, place: SourcePlace) {
        let of = map.get("type").and_then(Json::as_str).map(str::to_string);
        let number = map.get("id").and_then(to_number);
        let (Some(of), Some(number)) = (of, number) else { return };
        let Some(Json::Object(data)) = map.remove("data") else { return };
        let (file, line) = (place.file.unwrap_or_default(), place.line.unwrap_or_default());
        self.rows.entry(of).or_default().push(StrapiRow { file, line, number, data });
    }

    /// Adds a link. Those of files lead from the file to the record with it.
    fn add_link(&mut self, map: Map, _: SourcePlace) {
        let side = |name: &str| {
            let side = map.get(name)?.as_object()?;
            let of = side.get("type")?.as_str()?.to_string();
            let field = side.get("field").and_then(Json::as_str).unwrap_or_default().to_string();
            let position = side.get("pos").and_then(Json::as_f64).unwrap_or_default();
            Some(((of, to_number(side.get("ref")?)?), field, position))
        };
        let (Some(left), Some(right)) = (side("left"), side("right")) else { return };
        let is_file = left.0.0 == FILE && left.1 == "related";
        let (from, to) = if is_file { (&right, &left) } else { (&left, &right) };
        let ((of, number), field, _) = from.clone();
        // The position within the field is that at its own side, for files that of the record.
        let position = if is_file { right.2 } else { left.2 };
        self.links.entry((of, number, field)).or_default().push((position, to.0.clone()));
    }

    fn add_setting(&mut self, map: Map, _: SourcePlace) {
        let Some(setting) = map.get("value").and_then(Json::as_object) else { return };
        let Some(key) = setting.get("key").and_then(Json::as_str) else { return };
        let value = match setting.get("value") {
            Some(Json::String(text)) => {
                Json::parse(text.as_bytes()).unwrap_or_else(|_| Json::from(text.as_str()))
            }
            Some(other) => other.clone(),
            None => return,
        };
        if key == DEFAULT_LOCALE {
            self.default_locale = value.as_str().map(str::to_string);
        }
        let main = || value.as_object()?.get("settings")?.as_object()?.get("mainField")?.as_str();
        if let (Some(uid), Some(field)) = (key.strip_prefix(FORMS), main()) {
            self.main_fields.insert(uid.to_string(), field.to_string());
        }
    }

    /// Returns the records of a type.
    pub(super) fn rows(&self, uid: &str) -> &[StrapiRow] {
        self.rows.get(uid).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the targets of a field of a record, in their order.
    pub(super) fn targets(&self, uid: &str, number: &str, field: &str) -> Vec<&Target> {
        let key = (uid.to_string(), number.to_string(), field.to_string());
        let found = self.links.get(&key).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(|(_, target)| target).collect()
    }

    /// Returns the field by which people know the entries of a type.
    pub(super) fn main_field(&self, uid: &str) -> Option<&str> {
        self.main_fields.get(uid).map(String::as_str)
    }

    /// Returns the locales, the default one first.
    pub(super) fn locales(&self) -> Vec<String> {
        let mut codes: Vec<String> =
            self.rows(LOCALE).iter().filter_map(|it| it.text("code")).map(str::to_string).collect();
        let default = self.default_locale.clone().or_else(|| codes.first().cloned());
        let default = default.unwrap_or_else(|| "en".to_string());
        codes.retain(|it| *it != default);
        codes.insert(0, default);
        codes
    }

    /// Returns true if everybody may read the entries of a type: the public role has the
    /// permission.
    pub(super) fn is_public(&self, uid: &str) -> bool {
        let roles = self.rows("plugin::users-permissions.role").iter();
        let public: Vec<&str> = roles
            .filter(|it| it.text("type") == Some("public"))
            .map(|it| it.number.as_str())
            .collect();
        let permission = "plugin::users-permissions.permission";
        self.rows(permission).iter().any(|it| {
            let action = it.text("action").and_then(|it| it.strip_prefix(uid));
            let is_read = matches!(action, Some(".find" | ".findOne"));
            let roles = || self.targets(permission, &it.number, "role");
            is_read && roles().iter().any(|(_, number)| public.contains(&number.as_str()))
        })
    }
}

/// The reader of one line.
type AddRecord = fn(&mut StrapiExport, Map, SourcePlace);

/// Returns a number as text; numbers of large tables are texts.
pub(super) fn to_number(value: &Json) -> Option<String> {
    match value {
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    }
}
