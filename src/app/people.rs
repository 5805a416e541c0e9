//! What people and tokens are called, for those who are shown who did something.

use crate::app::App;
use crate::model::name::TokenId;

/// The name of whoever entries, revisions and the trash name by this id; nothing when they are gone.
pub fn name_of(app: &App, id: &str) -> Option<String> {
    let installation = app.engine.installation();
    match id.strip_prefix("tok_") {
        Some(token) => {
            let token = TokenId::parse(token).ok()?;
            installation.token(&token).map(|it| it.record.name.clone())
        }
        None => installation.user(id).map(|it| it.record.shown_name().to_string()),
    }
}
