//! The context of a value: the questions about its workspace that a field may ask.

use crate::model::field::html_sanitizer::sanitize_html;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;

/// The lookups in the workspace that kinds need to accept a value.
pub trait ValueContext {
    /// Returns the id of the active entry of `target` with this id or slug.
    fn resolve_entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String>;

    /// Returns true if it is known that there is no such entry, not even one hidden from the
    /// writer. The default is for contexts that do not know.
    fn is_gone(&self, _target: &TypeName, _id: &str) -> bool {
        false
    }

    /// Returns the filename of an existing media file, given by its filename or its absolute URL in
    /// this workspace.
    fn resolve_media(&self, name_or_url: &str) -> Option<String>;

    /// Returns a new id for a part of a value: at most 64 letters, digits, `-` and `_`.
    fn new_id(&self) -> String;

    /// Returns the harmless part of an HTML text, or a sentence that explains why it is rejected.
    fn clean_html(&self, text: &str) -> Result<String, String>;
}

/// The lookups and the problems of a value while it is accepted.
pub struct InputCheck<'a> {
    /// The lookups.
    pub context: &'a dyn ValueContext,
    /// The problems, each with its path below the field.
    pub problems: &'a mut FieldProblems,
}

impl<'a> InputCheck<'a> {
    /// Creates a check that adds to these problems.
    pub fn new(context: &'a dyn ValueContext, problems: &'a mut FieldProblems) -> InputCheck<'a> {
        InputCheck { context, problems }
    }
}

/// A context in which every reference is valid, for checking values on their own. HTML is what its
/// function makes of a text.
#[derive(Clone, Copy, Debug)]
pub struct PermissiveContext<C>(pub C);

impl PermissiveContext<fn(&str) -> Result<String, String>> {
    /// Creates a context that sanitizes HTML, as a write does.
    pub fn sanitizing() -> Self {
        PermissiveContext(sanitize_html)
    }
}

impl<C: Fn(&str) -> Result<String, String>> ValueContext for PermissiveContext<C> {
    fn resolve_entry(&self, _target: &TypeName, id_or_slug: &str) -> Option<String> {
        Some(id_or_slug.to_string())
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        Some(name_or_url.to_string())
    }

    fn new_id(&self) -> String {
        "new".to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        (self.0)(text)
    }
}
