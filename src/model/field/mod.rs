//! Fields of content types and the registry of their kinds: one file and one entry in [`KINDS`] per
//! kind.
//!
//! A kind defines how a value is accepted from a writer, how it is shown to readers, how it
//! compares in filters and sorting, and how it is described to tools. Nothing outside this folder
//! switches over kinds.

mod blocks;
mod boolean;
mod color;
mod date;
mod datetime;
mod definition;
mod definition_schema;
mod email;
mod exact_number;
mod fields;
mod html;
mod html_sanitizer;
mod json;
mod kind;
mod limits;
mod markdown;
mod media;
mod number;
mod object;
mod on_delete;
mod picture_texts;
mod previous_value;
mod range;
mod registry;
mod relation;
mod repeater;
mod row_matching;
mod select;
mod slug;
mod text;
mod textarea;
mod url;
mod value_context;
mod value_parts;
mod value_path;
mod value_text;
mod value_writer;

#[cfg(test)]
pub(super) mod kind_test;

pub(in crate::model) use crate::model::field::blocks::BLOCK_TYPE_KEYS;
pub(in crate::model) use crate::model::field::blocks::ID as BLOCK_ID;
pub use crate::model::field::definition_schema::content_type_schema;
pub use crate::model::field::definition_schema::setting_names;
pub(crate) use crate::model::field::email::is_email;
pub use crate::model::field::exact_number::ExactNumber;
pub use crate::model::field::fields::REQUIRED;
pub use crate::model::field::fields::close_schema;
pub use crate::model::field::html_sanitizer::sanitize_html;
pub use crate::model::field::html_sanitizer::sanitize_markdown_html;
pub use crate::model::field::kind::Comparable;
pub use crate::model::field::kind::Comparison;
pub use crate::model::field::kind::Field;
pub use crate::model::field::kind::Fields;
pub use crate::model::field::kind::Reference;
pub use crate::model::field::kind::ValueForm;
pub use crate::model::field::on_delete::OnDelete;
pub use crate::model::field::picture_texts::SETTINGS as PICTURE_TEXT_SETTINGS;
pub use crate::model::field::previous_value::PreviousValue;
pub use crate::model::field::previous_value::is_equivalent;
pub(in crate::model) use crate::model::field::previous_value::loose_sum;
pub use crate::model::field::registry::FIELDS_MAX;
pub use crate::model::field::registry::KINDS;
pub use crate::model::field::registry::label_from_name;
pub(in crate::model) use crate::model::field::row_matching::match_rows;
pub use crate::model::field::value_context::InputCheck;
pub use crate::model::field::value_context::PermissiveContext;
pub use crate::model::field::value_context::ValueContext;
pub use crate::model::field::value_parts::visit_parts;
pub use crate::model::field::value_path::join_path;
pub use crate::model::field::value_writer::RelationLink;
pub use crate::model::field::value_writer::ValueWriter;
pub use crate::model::field::value_writer::write_list;
