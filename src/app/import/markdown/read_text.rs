//! A text of the folder that was read.

use crate::app::import::markdown::front_matter::FrontMatter;
use crate::app::import::markdown::site_layout::TextPath;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::model::input::wording;
use crate::model::name::TypeName;

/// A text that was read.
pub(super) struct ReadText {
    /// The path of the file.
    pub(super) file: String,
    /// The content type.
    pub(super) type_name: TypeName,
    /// The facts in the path.
    pub(super) path: TextPath,
    /// The content.
    pub(super) content: FrontMatter,
}

impl ReadText {
    /// Returns the place of a key of the front matter.
    pub(super) fn place_of(&self, key: &str) -> SourcePlace {
        SourcePlace::of_file(&self.file).with_field(key)
    }

    /// Returns the value of a key as text. A list or an object is a problem.
    pub(super) fn read_scalar(&self, key: &str, report: &mut ImportReport) -> Option<String> {
        let value = self.content.values.get(key).filter(|it| !it.is_empty())?;
        let text = self.content.scalar_text(key);
        if text.is_none() {
            report.add_problem(self.place_of(key), wording::wrong_type(wording::STRING, value));
        }
        text
    }
}
