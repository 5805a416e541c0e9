//! References to what filters and orders can name: the entry's own keys and the fields of its type,
//! with dotted paths into objects.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::model::content_type::ContentType;
use crate::model::field::Comparable;
use crate::model::field::Comparison;
use crate::model::field::Field;
use crate::model::name::TypeName;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

/// A comparable part of an entry.
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
    /// `unpublish_at`
    UnpublishAt,
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
    /// The position among the data fields of the type.
    pub index: usize,
    /// The path through objects; empty for the field itself.
    pub path: Vec<String>,
}

impl FieldRef {
    /// Resolves `name` for entries of `ty`.
    pub fn resolve(ty: &ContentType, name: &str) -> Option<FieldRef> {
        Some(match name {
            "id" => FieldRef::Id,
            "slug" => FieldRef::Slug,
            "type" => FieldRef::Type,
            "status" => FieldRef::Status,
            "title" => FieldRef::Title,
            "published_at" => FieldRef::PublishedAt,
            "unpublish_at" => FieldRef::UnpublishAt,
            "created_at" => FieldRef::CreatedAt,
            "updated_at" => FieldRef::UpdatedAt,
            "author_id" => FieldRef::AuthorId,
            "updated_by" => FieldRef::UpdatedBy,
            _ => {
                ty.fields.find_nested(name)?;
                let mut parts = name.split('.');
                let first = parts.next()?;
                let index = ty.data_fields().position(|it| it.name.as_str() == first)?;
                FieldRef::Data(DataRef { index, path: parts.map(String::from).collect() })
            }
        })
    }

    /// Returns the way in which the values compare.
    pub fn comparison(&self, ty: &ContentType) -> Comparison {
        match self {
            FieldRef::PublishedAt
            | FieldRef::UnpublishAt
            | FieldRef::CreatedAt
            | FieldRef::UpdatedAt => Comparison::DateTime,
            FieldRef::Data(data) => {
                data.resolve_field(ty).map_or(Comparison::Json, |it| it.kind.comparison())
            }
            _ => Comparison::Text,
        }
    }

    /// Returns the target type of a relation.
    pub fn relation_target<'t>(&self, ty: &'t ContentType) -> Option<&'t TypeName> {
        let FieldRef::Data(data) = self else { return None };
        data.resolve_field(ty)?.kind.as_relation().map(|(target, _)| target)
    }

    /// Returns true if the values are JSON with relations inside, which readers see differently.
    pub fn holds_relations(&self, ty: &ContentType) -> bool {
        let FieldRef::Data(data) = self else { return false };
        let mut any = false;
        if let Some(field) = data.resolve_field(ty).filter(|it| it.kind.as_relation().is_none()) {
            field.kind.visit_relation_targets(&mut |_, _| any = true);
        }
        any
    }

    /// Returns true if the values can differ between locales.
    pub fn is_localized(&self) -> bool {
        matches!(self, FieldRef::Title | FieldRef::Data(_))
    }

    /// Returns the size of the JSON text in which the values of an entry are found, in bytes; 0 for
    /// values beside it.
    pub fn json_bytes(&self, doc: &RenderedEntry, locale: Option<usize>) -> usize {
        match self {
            FieldRef::Title => doc.variant_for(locale).title_json().len(),
            FieldRef::Data(data) => doc.variant_for(locale).field_json(data.index).len(),
            _ => 0,
        }
    }

    /// Calls `each` with every comparable value of the entry; never if it is null.
    pub fn visit_values(
        &self,
        ty: &ContentType,
        doc: &RenderedEntry,
        locale: Option<usize>,
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        let number = |at: Timestamp| Comparable::Number(at.into());
        let mut text = |value: Option<&str>| {
            value.into_iter().filter(|it| !it.is_empty()).for_each(|it| each(Comparable::Text(it)));
        };
        match self {
            FieldRef::Id => text(Some(doc.id())),
            FieldRef::Slug => text(Some(doc.slug())),
            FieldRef::Type => text(Some(ty.name.as_str())),
            FieldRef::Status => text(Some(doc.status.as_str())),
            FieldRef::AuthorId => text(doc.author_id()),
            FieldRef::UpdatedBy => text(doc.updated_by()),
            FieldRef::Title => {
                text(
                    parse_json(doc.variant_for(locale).title_json())
                        .as_ref()
                        .and_then(Json::as_str),
                );
            }
            FieldRef::CreatedAt => each(number(doc.created_at)),
            FieldRef::UpdatedAt => each(number(doc.updated_at)),
            FieldRef::PublishedAt => doc.published_at.into_iter().for_each(|it| each(number(it))),
            FieldRef::UnpublishAt => doc.unpublish_at.into_iter().for_each(|it| each(number(it))),
            FieldRef::Data(data) => data.visit_values(ty, doc, locale, each),
        }
    }
}

impl DataRef {
    fn resolve_field<'t>(&self, ty: &'t ContentType) -> Option<&'t Field> {
        let top = ty.data_fields().nth(self.index)?;
        self.path.iter().try_fold(top, |field, name| field.kind.subfields()?.get(name))
    }

    fn visit_values(
        &self,
        ty: &ContentType,
        doc: &RenderedEntry,
        locale: Option<usize>,
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        self.visit_json_values(ty, doc.variant_for(locale).field_json(self.index), each);
    }

    /// Calls `each` with every comparable value inside the JSON text of the top-level field.
    pub fn visit_json_values(
        &self,
        ty: &ContentType,
        shown: &[u8],
        each: &mut dyn FnMut(Comparable<'_>),
    ) {
        let Some(field) = self.resolve_field(ty) else { return };
        let Some(value) = parse_json(shown) else { return };
        let inner = self.path.iter().try_fold(&value, |value, key| value.as_object()?.get(key));
        let Some(inner) = inner else { return };
        if field.kind.comparison() == Comparison::Media {
            field.kind.visit_values(inner, &mut |value| {
                if let Comparable::Text(url) = value {
                    each(Comparable::Text(&url_filename(url)));
                }
            });
        } else {
            field.kind.visit_values(inner, each);
        }
    }
}

/// Returns the filename at the end of a media URL, or the text itself if there is no slash.
pub fn url_filename(url: &str) -> Cow<'_, str> {
    let last = url.rsplit_once('/').map_or(url, |(_, last)| last);
    percent_decode_str(last).decode_utf8_lossy()
}

fn parse_json(text: &[u8]) -> Option<Json> {
    if text.is_empty() { None } else { Json::parse(text).ok() }
}
