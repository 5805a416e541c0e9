//! The deletion of single translations of entries.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::target_entry::TargetEntry;
use crate::app::content::entries::write::EntryEdit;
use crate::app::content::entries::write::WrittenEntry;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::model::content_type::ContentType;
use crate::model::grant::Action;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Deletes the translation of an entry in a locale that is neither the default nor that of its root
/// values. The previous state is kept as a revision.
pub fn delete_translation(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    identifier: &str,
    locale: &str,
    precondition: Precondition,
) -> Result<WrittenEntry> {
    let (requester, locale) = (by.clone(), locale.to_string());
    let mut gone = Map::new();
    gone.push(locale.as_str(), Json::Null);
    let mut body = Map::new();
    body.push("locale", locale.as_str());
    body.push("translations", gone);
    let edit = EntryEdit {
        type_name: type_name.to_string(),
        identifier: identifier.to_string(),
        body: Arc::new(body),
        clean_html: Arc::default(),
        precondition,
        event: RevisionEvent::Translation,
    };
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let snapshot = staging.snapshot();
        let (_, index) = content_types::find(snapshot, &requester.caller, &edit.type_name)?;
        check_locale(&index.content_type, &locale)?;
        let (name, action) = (&edit.type_name, Action::ContentUpdate);
        let identifier = &edit.identifier;
        let found = TargetEntry::find_entry(
            snapshot,
            &requester,
            action,
            name,
            identifier,
            Some(&edit.body),
        )?;
        let stored = found.read_file(staging)?;
        let outcome = edit.stage_edit(staging, &requester)?;
        let translations = stored.map().get("translations").and_then(Json::as_object);
        if translations.is_none_or(|it| !it.contains(&locale)) {
            return Err(missing_translation(&locale));
        }
        Ok(outcome)
    })?;
    let mut outcome = committed.value;
    // The response shows the entry as read without a locale.
    outcome.forget_locale();
    outcome.render_written(app, committed.snapshot, by, type_name)
}

fn missing_translation(locale: &str) -> Error {
    Error::not_found("translation", locale)
}

fn check_locale(ty: &ContentType, locale: &str) -> Result<()> {
    if ty.locale_index(locale).is_none() {
        return Err(missing_translation(locale));
    }
    let is = |it: &Option<crate::model::name::LocaleCode>| it.as_deref() == Some(locale);
    if is(&ty.default_locale) || is(&ty.root_locale) {
        let message = "Other locales fall back to the values of this locale. They are deleted only \
                       with the whole entry.";
        return Err(Error::invalid(FieldProblems::from_problem("locale", message)));
    }
    Ok(())
}
