//! What filters and orders can name: the entry's own keys and the type's fields, dotted into
//! objects.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::model::field::Field;
use crate::model::name::TypeName;
use crate::query::doc::Doc;
use crate::stdx::json::Json;

/// A comparable place of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldRef {
    /// `id`
    Id,
    /// `slug`
    Slug,
    /// `type`
    Type,
    /// `status`
    Status,
    /// `title`
    Title,
    /// `published_at`
    PublishedAt,
    /// `created_at`
    CreatedAt,
    /// `updated_at`
    UpdatedAt,
    /// `author_id`
    AuthorId,
    /// `updated_by`
    UpdatedBy,
    /// A field of the type.
    Data(DataRef),
}

/// A field below `data`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRef {
    /// Its place among the type's data fields.
    pub index: usize,
    /// The way through objects, empty for the field itself.
    pub path: Vec<String>,
}

impl FieldRef {
    /// Finds what `name` means for entries of `ty`.
    pub fn resolve(ty: &ContentType, name: &str) -> Option<FieldRef> {
        Some(match name {
            "id" => FieldRef::Id,
            "slug" => FieldRef::Slug,
            "type" => FieldRef::Type,
            "status" => FieldRef::Status,
            "title" => FieldRef::Title,
            "published_at" => FieldRef::PublishedAt,
            "created_at" => FieldRef::CreatedAt,
            "updated_at" => FieldRef::UpdatedAt,
            "author_id" => FieldRef::AuthorId,
            "updated_by" => FieldRef::UpdatedBy,
            _ => {
                ty.fields.find(name)?;
                let mut parts = name.split('.');
                let first = parts.next()?;
                let index = ty.data_fields().position(|it| it.name.as_str() == first)?;
                FieldRef::Data(DataRef { index, path: parts.map(String::from).collect() })
            }
        })
    }

    /// How its values compare.
    pub fn comparison(&self, ty: &ContentType) -> Comparison {
        match self {
            FieldRef::PublishedAt | FieldRef::CreatedAt | FieldRef::UpdatedAt => {
                Comparison::DateTime
            }
            FieldRef::Data(data) => {
                data.field(ty).map_or(Comparison::Json, |it| it.kind.comparison())
            }
            _ => Comparison::Text,
        }
    }

    /// The type that a relation points to.
    pub fn relation<'t>(&self, ty: &'t ContentType) -> Option<&'t TypeName> {
        let FieldRef::Data(data) = self else { return None };
        data.field(ty)?.kind.relation().map(|(target, _)| target)
    }

    /// Whether its values are JSON with relations inside, of which readers see different ones.
    pub fn holds_relations(&self, ty: &ContentType) -> bool {
        let FieldRef::Data(data) = self else { return false };
        let mut any = false;
        if let Some(field) = data.field(ty).filter(|it| it.kind.relation().is_none()) {
            field.kind.relation_targets(&mut |_| any = true);
        }
        any
    }

    /// Whether its values differ between locales.
    pub fn is_localized(&self) -> bool {
        matches!(self, FieldRef::Title | FieldRef::Data(_))
    }

    /// Calls `each` with every comparable value of the entry here; with none when it is null.
    pub fn values(
        &self,
        ty: &ContentType,
        doc: &Doc,
        locale: Option<usize>,
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        let mut text = |value: Option<&str>| {
            value.into_iter().filter(|it| !it.is_empty()).for_each(|it| each(Comparable::Text(it)));
        };
        match self {
            FieldRef::Id => text(Some(doc.id.as_str())),
            FieldRef::Slug => text(Some(&doc.slug)),
            FieldRef::Type => text(Some(ty.name.as_str())),
            FieldRef::Status => text(Some(doc.status.as_str())),
            FieldRef::AuthorId => text(doc.author_id.as_deref()),
            FieldRef::UpdatedBy => text(doc.updated_by.as_deref()),
            FieldRef::Title => {
                text(parse(doc.variant(locale).title()).as_ref().and_then(Json::as_str));
            }
            FieldRef::CreatedAt => each(Comparable::Number(doc.created_at.seconds() as f64)),
            FieldRef::UpdatedAt => each(Comparable::Number(doc.updated_at.seconds() as f64)),
            FieldRef::PublishedAt => {
                let at = doc.published_at.into_iter();
                at.for_each(|it| each(Comparable::Number(it.seconds() as f64)));
            }
            FieldRef::Data(data) => data.values(ty, doc, locale, each),
        }
    }
}

impl DataRef {
    fn field<'t>(&self, ty: &'t ContentType) -> Option<&'t Field> {
        let top = ty.data_fields().nth(self.index)?;
        self.path.iter().try_fold(top, |field, name| field.kind.subfields()?.get(name))
    }

    fn values(
        &self,
        ty: &ContentType,
        doc: &Doc,
        locale: Option<usize>,
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        self.values_in(ty, doc.variant(locale).field(self.index), each);
    }

    /// Calls `each` with every comparable value inside the JSON text of its top field.
    pub fn values_in(&self, ty: &ContentType, shown: &[u8], each: &mut dyn FnMut(Comparable<'_>)) {
        let Some(field) = self.field(ty) else { return };
        let Some(value) = parse(shown) else { return };
        let inner = self.path.iter().try_fold(&value, |value, key| value.as_object()?.get(key));
        let Some(inner) = inner else { return };
        if field.kind.comparison() == Comparison::Media {
            field.kind.values(inner, &mut |value| {
                if let Comparable::Text(url) = value {
                    each(Comparable::Text(&filename(url)));
                }
            });
        } else {
            field.kind.values(inner, each);
        }
    }
}

/// The filename at the end of a media URL, or the text itself.
pub fn filename(url: &str) -> Cow<'_, str> {
    let last = url.rsplit_once('/').map_or(url, |(_, last)| last);
    percent_decode_str(last).decode_utf8_lossy()
}

fn parse(text: &[u8]) -> Option<Json> {
    if text.is_empty() { None } else { Json::parse(text).ok() }
}
