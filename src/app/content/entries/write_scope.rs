//! The context of a written entry, as far as its writer may know it: entries and files to refer to,
//! and names and values already in use.

use percent_encoding::percent_decode_str;

use crate::app::access::Caller;
use crate::app::content::entries::clean_html::CleanHtml;
use crate::app::media;
use crate::model::entry::OtherEntries;
use crate::model::field::Field;
use crate::model::field::ValueContext;
use crate::model::media::Visibility;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::url_encoding;

/// The workspace of a written entry.
pub(super) struct WriteScope<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) caller: &'a Caller,
    /// The entries of the same type.
    pub(super) index: &'a TypeIndex,
    pub(super) this: Option<Ordinal>,
    pub(super) media_base: String,
    pub(super) new_id: &'a dyn Fn() -> EntryId,
    /// Returns true if the file of an entry is there, even if it cannot be read.
    pub(super) has_file: &'a dyn Fn(&TypeName, &EntryId) -> bool,
    /// The sanitized HTML of the request.
    pub(super) clean_html: &'a CleanHtml,
}

/// Returns the prefix of filenames in the media URLs of a workspace.
pub(crate) fn media_base(base_url: &str, workspace: &str) -> String {
    format!("{base_url}/media/{}/", url_encoding::encode_segment(workspace))
}

impl ValueContext for WriteScope<'_> {
    /// Returns the id of an entry. Entries that neither the caller nor everyone may see count as
    /// missing, so that guessing reveals nothing.
    fn resolve_entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        let everybody = View::new(self.view.snapshot, Viewer::Anyone, None);
        [self.view, &everybody].into_iter().find_map(|view| {
            let (place, index) = view.find_type(target.as_str())?;
            let found = view.find_entry(place, id_or_slug)?;
            index.entry_at(found).map(|it| it.id().to_string())
        })
    }

    /// Returns true if nobody sees the entry and it has no file that might be repaired.
    fn is_gone(&self, target: &TypeName, id: &str) -> bool {
        let index = self.view.snapshot.get(target.as_str());
        let is_known = index.is_some_and(|it| it.find_ordinal(id).is_some());
        !is_known && EntryId::parse(id).is_ok_and(|it| !(self.has_file)(target, &it))
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        let name = match name_or_url.strip_prefix(&self.media_base) {
            Some(segment) => {
                let name = segment.split(['?', '#']).next().unwrap_or_default();
                percent_decode_str(name).decode_utf8().ok()?.into_owned()
            }
            None => name_or_url.trim().to_string(),
        };
        let name = Filename::parse_normalized(&name).ok()?;
        let snapshot = self.view.snapshot;
        let item = snapshot.media.get(&name)?;
        let seen = item.visibility == Visibility::Public
            || media::visibility_filter(snapshot, self.caller)(item);
        seen.then(|| item.filename.to_string())
    }

    fn new_id(&self) -> String {
        (self.new_id)().to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        self.clean_html.get(text)
    }
}

impl OtherEntries for WriteScope<'_> {
    fn has_slug(&self, slug: &str) -> bool {
        self.index.has_name(slug, self.this)
    }

    fn has_value(&self, field: &Field, value: &Json) -> bool {
        self.index.has_value(field, value, self.this, &self.media_base)
    }
}
