//! The response for one entry, and what it has in common with a list of them.

use bytes::Bytes;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::grant::Action;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::type_index::Ordinal;
use crate::query::render::entry_writer::EntryWriter;
use crate::query::request::include::ExpansionCount;
use crate::query::request::include::ExpansionLimitError;
use crate::query::request::include::ExpansionStop;
use crate::query::request::include::IncludeLimits;
use crate::query::request::include::QUICK_LOOKS_MAX;
use crate::stdx::checksum::Checksum;
use crate::stdx::json_indent;
use crate::stdx::json_text::write_string;

/// The parameter that requests of the admin API may name their workspace with.
pub(crate) const WORKSPACE_PARAM: &str = "workspace";

/// One entry, finished.
#[derive(Clone)]
pub struct EntryResponse {
    /// The whole body.
    pub body: Bytes,
    /// The sum of the file's content.
    pub rev: Checksum,
    /// The sum of the body.
    pub variant: Checksum,
}

/// The entry of this id or slug that the caller sees. One that everybody sees is refused, any other
/// is as good as missing.
pub(crate) fn find_visible(
    view: &View<'_>,
    caller: &Caller,
    place: usize,
    identifier: &str,
) -> Result<Ordinal> {
    if let Some(ordinal) = view.find_entry(place, identifier) {
        return Ok(ordinal);
    }
    let everybody = View::new(view.snapshot, Viewer::Anyone, None);
    let public = everybody.find_entry(place, identifier).is_some();
    let index = view.snapshot.types().get(place);
    let name = index.map_or("", |it| it.content_type.name.as_str());
    Err(if public && !caller.is_anonymous() {
        Error::forbidden(Action::ContentRead, &format!("`content:{name}:{identifier}`"))
    } else {
        Error::not_found("entry", identifier)
    })
}

/// Returns the size of what is expanded in these entries. Returns nothing if counting takes more
/// effort than is allowed.
pub(super) fn count_expanded(
    writer: &EntryWriter<'_>,
    page: &[Ordinal],
    limits: &IncludeLimits,
    effort: Effort,
) -> Result<Option<ExpansionCount>> {
    let looks_max = if effort == Effort::Quick { QUICK_LOOKS_MAX } else { usize::MAX };
    match writer.count_expanded(page, limits, looks_max) {
        Ok(expanded) => Ok(Some(expanded)),
        Err(ExpansionStop::TooManyLooks) => Ok(None),
        Err(ExpansionStop::Limit(limit)) => Err(include_limit_error(limit)),
    }
}

/// Returns the error of an answer that would expand more than a limit allows.
fn include_limit_error(limit: ExpansionLimitError) -> Error {
    let message = match limit {
        ExpansionLimitError::DeepEntries(most) => {
            format!("This would expand more than {most} entries.")
        }
        ExpansionLimitError::Entries(most) => format!(
            "This would expand more than {most} entries, the limit `include.max_entries`. Request \
             fewer at once."
        ),
        ExpansionLimitError::Bytes(most) => format!(
            "This would expand more than {most} bytes, the limit `include.max_bytes`. Request \
             fewer at once."
        ),
    };
    Error::invalid(FieldProblems::from_problem("include", message))
}

/// The remarks in the answer to a write, beside the entry.
#[derive(Clone, Copy, Default)]
pub(super) struct WriteRemarks<'a> {
    /// The warnings about ignored values.
    pub(super) warnings: &'a [String],
    /// The change that the entry was written into.
    pub(super) change: Option<&'a EntryId>,
}

impl WriteRemarks<'_> {
    /// Appends the member `meta`, if there is anything to say.
    pub(super) fn write_meta(self, out: &mut Vec<u8>) {
        if self.warnings.is_empty() && self.change.is_none() {
            return;
        }
        out.extend_from_slice(b",\"meta\":{");
        if let Some(change) = self.change {
            out.extend_from_slice(b"\"change\":");
            write_string(change, out);
        }
        if !self.warnings.is_empty() {
            if self.change.is_some() {
                out.push(b',');
            }
            write_warnings(self.warnings, out);
        }
        out.push(b'}');
    }
}

pub(super) fn write_warnings(warnings: &[String], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"warnings\":");
    crate::model::field::write_list(out, warnings.iter(), |out, it| write_string(it, out));
}

/// The same JSON, indented.
pub fn indent_json(body: &[u8]) -> Vec<u8> {
    json_indent::indent_json(body)
}
