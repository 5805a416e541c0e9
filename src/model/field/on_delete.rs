//! The action on a relation when its target entry is deleted.

use crate::model::field::definition::FieldDefinition;
use crate::model::input::wording;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// The action on a relation when its target entry is deleted.
    #[derive(Default)]
    pub enum OnDelete {
        /// The value stays, and reads as if it were empty.
        #[default]
        Keep = "keep",
        /// The entry cannot be deleted.
        Block = "block",
        /// The value is removed.
        Clear = "clear",
    }
}

impl OnDelete {
    /// Parses the setting of a definition.
    pub(super) fn parse_setting(definition: &mut FieldDefinition<'_>) -> OnDelete {
        let Some(text) = definition.get_text("on_delete") else { return OnDelete::Keep };
        OnDelete::parse(&text).unwrap_or_else(|| {
            let allowed = OnDelete::ALL.iter().map(|it| it.as_str());
            definition.problems.add("on_delete", wording::not_one_of(allowed));
            OnDelete::Keep
        })
    }
}
