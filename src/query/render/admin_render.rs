//! The rendering of entries for the admin API: with filenames instead of URLs, the values of every
//! translation, and their problems. Hides from the caller what the public API hides too: targets of
//! relations, and locales that no grant covers.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::LazyLock;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryFinding;
use crate::model::grant::EntryRow;
use crate::model::problem::ProblemKind;
use crate::model::problem::Severity;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::entry_writer::IncludeLevel;
use crate::query::render::rendered_entry::AdminRendering;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;
use crate::query::request::include::Include;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;
use crate::stdx::json_schema::reference_schema;
use crate::stdx::json_text::write_string;

/// The empty include tree.
static NOTHING: LazyLock<Arc<Include>> = LazyLock::new(Arc::default);

/// An entry in the form that an [`AdminWriter`] writes. There are no values of this type: it gives
/// the schema its name.
pub enum AdminEntry {}

impl JsonSchema for AdminEntry {
    fn schema_name() -> Cow<'static, str> {
        "AdminEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An entry with all its stored values: files by name, relations by id \
                as far as the caller sees their targets.",
            "allOf": [
                reference_schema(generator, "EntryHead"),
                {
                    "type": "object",
                    "required": ["type", "data", "translations", "locales", "problems", "etag"],
                    "properties": {
                        "type": {
                            "type": "string",
                            "description": "The name of the content type.",
                        },
                        "locale": { "type": "string", "description": "The locale of the values." },
                        "data": {
                            "type": "object",
                            "description": "The values in the requested locale.",
                        },
                        "translations": {
                            "type": "object",
                            "additionalProperties": generator.subschema_for::<AdminTranslation>(),
                            "description": "The values that other locales than the root locale \
                                have themselves, by locale.",
                        },
                        "locales": {
                            "type": "array",
                            "items": { "type": "string" },
                            "description": "The locales in which the entry has values.",
                        },
                        "problems": {
                            "type": "array",
                            "items": generator.subschema_for::<Defect<'_>>(),
                            "description": "The problems of the file, as far as the caller may \
                                know of them.",
                        },
                        "etag": { "type": "string", "description": "The tag for `If-Match`." },
                    },
                },
            ],
        })
    }
}

/// The values of a locale in the form that an [`AdminWriter`] writes; the name of their schema.
enum AdminTranslation {}

impl JsonSchema for AdminTranslation {
    fn schema_name() -> Cow<'static, str> {
        "Translation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The values that an entry has in one locale itself, without fallbacks.",
            "type": "object",
            "required": ["data"],
            "properties": {
                "title": { "type": ["string", "null"], "description": "The title." },
                "data": { "type": "object", "description": "The values of the fields." },
            },
        })
    }
}

/// A problem in the file of an entry, shown beside its values.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EntryDefect")]
struct Defect<'a> {
    /// The kind of problem.
    kind: ProblemKind,
    /// The severity.
    severity: Severity,
    /// The path in the entry's file, such as `data.rows[2].key`.
    field: Option<&'a str>,
    /// A sentence about the defect.
    message: &'a str,
}

/// A writer of the entries of one type for one caller.
pub struct AdminWriter<'a> {
    view: &'a View<'a>,
    shape: &'a Shape,
    place: usize,
    index: &'a TypeIndex,
    /// The level that renders the values resolved for the locale.
    resolved: IncludeLevel<'a>,
    plain: IncludeLevel<'a>,
    /// The view of the same caller in each locale of the type.
    locales: Vec<View<'a>>,
}

impl<'a> AdminWriter<'a> {
    /// Returns a writer of entries of the type at position `place`, or `None` if there is no such
    /// type.
    pub fn new(
        view: &'a View<'a>,
        viewer: Viewer<'a>,
        shape: &'a Shape,
        place: usize,
    ) -> Option<AdminWriter<'a>> {
        let index = view.snapshot.types().get(place)?;
        let locales = index.content_type.locales.iter();
        Some(AdminWriter {
            view,
            shape,
            place,
            index,
            resolved: IncludeLevel::new(view, place, &shape.include),
            plain: IncludeLevel::new(view, place, &NOTHING),
            locales: locales.map(|it| View::new(view.snapshot, viewer, Some(it))).collect(),
        })
    }

    /// Returns the position of the locale that is shown; `None` for the default.
    pub fn shown_locale(&self) -> Option<usize> {
        self.view.resolve_locale(&self.index.content_type)
    }

    /// Returns true if the caller may see the values of an entry with this row in a locale of the
    /// type.
    pub fn reads_locale(&self, locale: usize, row: &EntryRow<'_>) -> bool {
        self.locales.get(locale).is_some_and(|it| it.admits_row(self.place, row))
    }

    /// Appends the JSON object of an entry. `row` describes the entry, `rev` is the checksum of its
    /// file.
    pub fn write_entry(
        &self,
        rendering: &AdminRendering,
        row: &EntryRow<'_>,
        findings: &[EntryFinding],
        rev: Checksum,
        out: &mut Vec<u8>,
    ) {
        let ty = &self.index.content_type;
        self.write_values(&self.resolved, &rendering.seen, out);
        out.pop(); // more members follow the brace
        let seen = |it: &&(usize, Variant)| self.reads_locale(it.0, row);
        let translations: Vec<_> = rendering.translations.iter().filter(seen).collect();
        out.extend_from_slice(b",\"translations\":{");
        for (number, (locale, variant)) in translations.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            write_string(ty.locales.get(*locale).map_or("", |it| it.as_str()), out);
            out.push(b':');
            self.write_values(&self.plain, variant, out);
        }
        out.extend_from_slice(b"},\"locales\":");
        let present = list_present_locales(ty, &translations, |it| self.reads_locale(it, row));
        crate::model::field::write_list(out, present.into_iter(), |out, it| write_string(it, out));
        let hides = self.plain.hides_links(&rendering.seen)
            || rendering.translations.iter().any(|(_, it)| self.plain.hides_links(it));
        let is_shown = |it: &&EntryFinding| self.may_show_finding(&it.path, row, hides);
        self.write_end(findings.iter().filter(is_shown), rev, out);
    }

    /// Appends an entry whose file cannot be read at the moment, with the data in memory.
    pub fn write_without_file(&self, doc: &RenderedEntry, out: &mut Vec<u8>) {
        self.write_values(&self.resolved, doc.variant_for(self.shown_locale()), out);
        out.pop();
        out.extend_from_slice(b",\"translations\":{},\"locales\":[]");
        self.write_end(std::iter::empty(), doc.rev, out);
    }

    fn write_values(&self, level: &IncludeLevel<'_>, variant: &Variant, out: &mut Vec<u8>) {
        match &self.shape.fields {
            None => level.write_span(variant, variant.entry_span(), out),
            Some(fields) => level.write_fields(variant, fields, out),
        }
    }

    fn write_end<'f>(
        &self,
        findings: impl Iterator<Item = &'f EntryFinding>,
        rev: Checksum,
        out: &mut Vec<u8>,
    ) {
        out.extend_from_slice(b",\"problems\":");
        crate::model::field::write_list(out, findings, |out, it| {
            let field = Some(it.path.as_str()).filter(|it| !it.is_empty());
            let (kind, severity) = (it.kind, it.kind.severity());
            let defect = Defect { kind, severity, field, message: &it.message };
            // The defect has only text members, so this cannot fail.
            let _ = serde_json::to_writer(out, &defect);
        });
        out.extend_from_slice(b",\"etag\":\"");
        rev.write_hex(out);
        out.extend_from_slice(b"\"}");
    }

    /// Returns true if the caller may see a problem. Problems of values with relations could reveal
    /// hidden targets, and problems of a locale reveal its values.
    fn may_show_finding(&self, path: &str, row: &EntryRow<'_>, hides: bool) -> bool {
        let ty = &self.index.content_type;
        let inside = path.split_once("data.").map_or(path, |(_, rest)| rest);
        let field = ty.fields.get(inside.split(['.', '[']).next().unwrap_or_default());
        let mut holds = false;
        if let Some(field) = field {
            field.kind.visit_relation_targets(&mut |_, _| holds = true);
        }
        let translation = path.strip_prefix("translations.");
        let locale = match translation.and_then(|it| it.split('.').next()) {
            Some(code) => match ty.locale_index(code) {
                Some(place) => Some(place),
                None => return false,
            },
            None if field.is_some_and(|it| it.localized) => {
                ty.root_locale.as_ref().and_then(|it| ty.locale_index(it))
            }
            None => None,
        };
        !(hides && holds) && locale.is_none_or(|it| self.reads_locale(it, row))
    }
}

/// Returns the locales in which an entry has values: the root locale and those of its translations.
fn list_present_locales<'t>(
    ty: &'t ContentType,
    translations: &[&(usize, Variant)],
    reads: impl Fn(usize) -> bool,
) -> Vec<&'t str> {
    let is_there = |place: usize, code: &str| {
        let is_root = ty.root_locale.as_deref() == Some(code) && reads(place);
        is_root || translations.iter().any(|it| it.0 == place)
    };
    let locales = ty.locales.iter().enumerate().map(|(place, code)| (place, code.as_str()));
    locales.filter(|(place, code)| is_there(*place, code)).map(|(_, code)| code).collect()
}
