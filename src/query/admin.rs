//! Writes entries as the admin API shows them: with files by their names, the values of every
//! translation and what is wrong with them. What the caller may not see is hidden here as anywhere:
//! targets of relations, and locales that no grant reaches.

use std::sync::Arc;
use std::sync::LazyLock;

use serde::Serialize;

use crate::model::content_type::ContentType;
use crate::model::entry::Finding;
use crate::model::grant::Row;
use crate::query::answer::Level;
use crate::query::doc::Doc;
use crate::query::doc::Variant;
use crate::query::doc::Whole;
use crate::query::include::Include;
use crate::query::list_query::Shape;
use crate::query::type_index::TypeIndex;
use crate::query::view::Eyes;
use crate::query::view::View;
use crate::stdx::json::write_string;
use crate::stdx::sum::Sum;

/// Expands nothing.
static NOTHING: LazyLock<Arc<Include>> = LazyLock::new(Arc::default);

/// Something wrong in the file of an entry, as it is shown beside its values.
#[derive(Serialize)]
struct Defect<'a> {
    kind: &'static str,
    severity: crate::model::problem::Severity,
    field: Option<&'a str>,
    message: &'a str,
}

/// Writes the entries of one type for one caller.
pub struct AdminWriter<'a> {
    view: &'a View<'a>,
    shape: &'a Shape,
    place: usize,
    index: &'a TypeIndex,
    /// How the values that a locale sees are written, and how those of translations are.
    seen: Level<'a>,
    plain: Level<'a>,
    /// The same eyes in each locale of the type.
    locales: Vec<View<'a>>,
}

impl<'a> AdminWriter<'a> {
    /// A writer of entries of the type at `place`; nothing when there is no such type.
    pub fn new(
        view: &'a View<'a>,
        eyes: Eyes<'a>,
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
            seen: Level::new(view, place, &shape.include),
            plain: Level::new(view, place, &NOTHING),
            locales: locales.map(|it| View::new(view.snapshot, eyes, Some(it))).collect(),
        })
    }

    /// The place of the locale that is shown; none for the default.
    pub fn locale(&self) -> Option<usize> {
        self.view.locale(&self.index.content_type)
    }

    /// Whether the caller may see what an entry with these facts says in a locale of the type.
    pub fn reads(&self, locale: usize, row: &Row<'_>) -> bool {
        self.locales.get(locale).is_some_and(|it| it.admits(self.place, row))
    }

    /// Appends the JSON object of an entry, which has these facts and whose file has this sum.
    pub fn entry(
        &self,
        whole: &Whole,
        row: &Row<'_>,
        findings: &[Finding],
        rev: Sum,
        out: &mut Vec<u8>,
    ) {
        let ty = &self.index.content_type;
        self.values(&self.seen, &whole.seen, out);
        out.pop(); // the brace: there is more to say
        let seen = |it: &&(usize, Variant)| self.reads(it.0, row);
        let translations: Vec<_> = whole.translations.iter().filter(seen).collect();
        out.extend_from_slice(b",\"translations\":{");
        for (number, (locale, variant)) in translations.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            write_string(ty.locales.get(*locale).map_or("", |it| it.as_str()), out);
            out.push(b':');
            self.values(&self.plain, variant, out);
        }
        out.extend_from_slice(b"},\"locales\":");
        let present = present(ty, &translations, |it| self.reads(it, row));
        crate::model::field::write_list(out, present.into_iter(), |out, it| write_string(it, out));
        let hides = self.plain.hides(&whole.seen)
            || whole.translations.iter().any(|(_, it)| self.plain.hides(it));
        let told = |it: &&Finding| self.may_be_told(&it.path, row, hides);
        self.end(findings.iter().filter(told), rev, out);
    }

    /// Appends an entry whose file cannot be had right now: what is known of it without.
    pub fn bare(&self, doc: &Doc, out: &mut Vec<u8>) {
        self.values(&self.seen, doc.variant(self.locale()), out);
        out.pop();
        out.extend_from_slice(b",\"translations\":{},\"locales\":[]");
        self.end(std::iter::empty(), doc.rev, out);
    }

    fn values(&self, level: &Level<'_>, variant: &Variant, out: &mut Vec<u8>) {
        match &self.shape.fields {
            None => level.write(variant, variant.entry(), out),
            Some(fields) => level.write_fields(variant, fields, out),
        }
    }

    fn end<'f>(&self, findings: impl Iterator<Item = &'f Finding>, rev: Sum, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"problems\":");
        crate::model::field::write_list(out, findings, |out, it| {
            let field = Some(it.path.as_str()).filter(|it| !it.is_empty());
            let (kind, severity) = (it.kind.as_str(), it.kind.severity());
            let defect = Defect { kind, severity, field, message: &it.message };
            // Texts alone: that cannot fail.
            let _ = serde_json::to_writer(out, &defect);
        });
        out.extend_from_slice(b",\"etag\":\"");
        rev.write_hex(out);
        out.extend_from_slice(b"\"}");
    }

    /// What is wrong with a value that holds relations could tell of those that are hidden, and what
    /// is wrong in a locale of what that says.
    fn may_be_told(&self, path: &str, row: &Row<'_>, hides: bool) -> bool {
        let ty = &self.index.content_type;
        let inside = path.split_once("data.").map_or(path, |(_, rest)| rest);
        let field = ty.fields.get(inside.split(['.', '[']).next().unwrap_or_default());
        let mut holds = false;
        if let Some(field) = field {
            field.kind.relation_targets(&mut |_| holds = true);
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
        !(hides && holds) && locale.is_none_or(|it| self.reads(it, row))
    }
}

/// The locales in which an entry has values: the root's, and those of its translations.
fn present<'t>(
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
