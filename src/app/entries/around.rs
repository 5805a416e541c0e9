//! What stands around an entry that is written, as far as its writer may know of it: entries and
//! files to refer to, and the names and values that others have already.

use percent_encoding::percent_decode_str;

use crate::app::access::Caller;
use crate::app::entries::clean_html::CleanHtml;
use crate::app::media;
use crate::model::entry::Others;
use crate::model::field::Field;
use crate::model::field::World;
use crate::model::media::Visibility;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Eyes;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::percent;

/// A workspace around an entry.
pub(super) struct Around<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) caller: &'a Caller,
    /// The entries of the same type, and which of them it is.
    pub(super) index: &'a TypeIndex,
    pub(super) this: Option<Ordinal>,
    pub(super) media_base: String,
    pub(super) new_id: &'a dyn Fn() -> EntryId,
    /// The HTML that was sent, made harmless.
    pub(super) clean_html: &'a CleanHtml,
}

/// What stands before filenames in the media URLs of a workspace.
pub(in crate::app) fn media_base(base_url: &str, workspace: &str) -> String {
    format!("{base_url}/media/{}/", percent::segment(workspace))
}

impl World for Around<'_> {
    /// What neither the caller nor everybody sees is as good as missing, so that nobody finds out by
    /// guessing.
    fn entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        let everybody = View::new(self.view.snapshot, Eyes::Anyone, None);
        [self.view, &everybody].into_iter().find_map(|view| {
            let (place, index) = view.index(target.as_str())?;
            let found = view.find(place, id_or_slug)?;
            index.doc(found).map(|it| it.id.to_string())
        })
    }

    fn media(&self, name_or_url: &str) -> Option<String> {
        let name = match name_or_url.strip_prefix(&self.media_base) {
            Some(segment) => {
                let name = segment.split(['?', '#']).next().unwrap_or_default();
                percent_decode_str(name).decode_utf8().ok()?.into_owned()
            }
            None => name_or_url.trim().to_string(),
        };
        let name = Filename::normalized(&name).ok()?;
        let snapshot = self.view.snapshot;
        let item = snapshot.media.get(&name)?;
        let seen =
            item.visibility == Visibility::Public || media::sight(snapshot, self.caller)(item);
        seen.then(|| item.filename.to_string())
    }

    fn new_id(&self) -> String {
        (self.new_id)().to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        self.clean_html.get(text)
    }
}

impl Others for Around<'_> {
    fn has_slug(&self, slug: &str) -> bool {
        self.index.has_name(slug, self.this)
    }

    fn has_value(&self, field: &Field, value: &Json) -> bool {
        self.index.has_value(field, value, self.this, &self.media_base)
    }
}
