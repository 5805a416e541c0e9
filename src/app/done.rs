//! The answer to a request after which there is nothing to show.

use schemars::JsonSchema;
use serde::Serialize;

/// The answer to a request after which there is nothing to show.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always `true`.
    #[schemars(extend("const" = true))]
    ok: bool,
}

impl Done {
    /// The only value.
    pub const OK: Done = Done { ok: true };
}
