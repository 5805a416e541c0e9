//! The display names of users and tokens, for records of who did something.

use crate::app::App;
use crate::model::name::TokenId;

/// Returns the name of the user or token with this author id; `None` if it no longer exists.
pub fn find_display_name(app: &App, id: &str) -> Option<String> {
    let installation = app.engine.installation();
    match id.strip_prefix("tok_") {
        Some(token) => {
            let token = TokenId::parse(token).ok()?;
            installation.token(&token).map(|it| it.record.name.clone())
        }
        None => installation.user(id).map(|it| it.record.shown_name().to_string()),
    }
}
