//! The action on a relation when its target entry is deleted.

use crate::model::field::definition::FieldDefinition;

/// The action on a relation when its target entry is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OnDelete {
    /// The value stays, and reads as if it were empty.
    #[default]
    Keep,
    /// The entry cannot be deleted.
    Block,
    /// The value is removed.
    Clear,
}

impl OnDelete {
    /// All actions.
    pub const ALL: [OnDelete; 3] = [OnDelete::Keep, OnDelete::Block, OnDelete::Clear];

    /// Returns the name used in definitions.
    pub fn as_str(self) -> &'static str {
        match self {
            OnDelete::Keep => "keep",
            OnDelete::Block => "block",
            OnDelete::Clear => "clear",
        }
    }

    /// Parses the setting of a definition.
    pub(super) fn parse(definition: &mut FieldDefinition<'_>) -> OnDelete {
        let Some(text) = definition.get_text("on_delete") else { return OnDelete::Keep };
        let known = OnDelete::ALL.into_iter().find(|it| it.as_str() == text);
        known.unwrap_or_else(|| {
            let message = format!("This is `keep`, `block` or `clear`, not `{text}`.");
            definition.problems.add("on_delete", message);
            OnDelete::Keep
        })
    }
}
