//! The duplication of entries.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::admin_view::AdminRenderer;
use crate::app::content::entries::admin_view::row_of;
use crate::app::content::entries::entry_response::find_visible;
use crate::app::content::entries::write::EntryOutcome;
use crate::app::content::entries::write::WrittenEntry;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::EntryStatus;
use crate::model::entry::FileFacts;
use crate::model::entry::fill_slug_field;
use crate::model::entry::find_unused_slug;
use crate::model::entry::set_key;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;
use crate::query::execute::view::View;
use crate::query::index::type_index::TypeIndex;
use crate::query::request::list_query::Shape;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;

/// The most characters of a title kept after "Copy of ".
const TITLE_CHARS_KEPT: usize = 480;

/// Creates a draft with the values of an entry that the caller may read. Unique fields are left
/// empty.
pub fn duplicate(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    identifier: &str,
) -> Result<WrittenEntry> {
    let (requester, name, identifier) = (by.clone(), type_name.to_string(), identifier.to_string());
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let snapshot = staging.snapshot();
        let (place, index) = content_types::find(snapshot, &requester.caller, &name)?;
        let view = View::new(snapshot, requester.caller.viewer(), None);
        let ordinal = find_visible(&view, &requester.caller, place, &identifier)?;
        let doc = index.entry_at(ordinal).ok_or_else(|| Error::not_found("entry", &identifier))?;
        let of = &index.content_type.name;
        let key = Key::Entry(snapshot.workspace.clone(), of.clone(), doc.to_id());
        let stored = staging.read_stored(&key)?;
        let stored = stored.ok_or_else(|| Error::not_found("entry", &identifier))?;
        let shape = Shape::default();
        let rows = AdminRenderer::new(&view, &requester.caller, &shape, place, staging.now());
        let rows = rows.ok_or_else(|| Error::not_found("content type", &name))?;
        let id = doc.to_id();
        let copy = DuplicateDraft::from_entry(&rows, index, &id, &stored, staging, &requester)?;
        let permit = copy.check_permission(staging, &requester, index)?;
        Ok::<_, Error>(copy.stage_duplicate(&permit, staging, index))
    })?;
    let outcome = EntryOutcome::without_locale(committed.value, Vec::new());
    outcome.render_written(app, committed.snapshot, by, type_name)
}

/// The copy of an entry.
struct DuplicateDraft {
    id: EntryId,
    slug: String,
    title: String,
    file: Map,
    /// The fields with values, and the locales in which there are values.
    changed: Vec<String>,
    locales: Vec<String>,
}

impl DuplicateDraft {
    fn from_entry(
        rows: &AdminRenderer<'_>,
        index: &TypeIndex,
        id: &EntryId,
        stored: &StoredFile,
        staging: &Staging<'_>,
        by: &Requester,
    ) -> Result<DuplicateDraft> {
        let ty = &index.content_type;
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let read = |id: &EntryId, file: &Map| {
            Entry::read(id.clone(), ty, file.clone().into(), facts, &mut Vec::new())
        };
        let original = read(id, stored.map());
        let row = row_of(&original);
        let root = ty.root_locale.as_deref().and_then(|it| ty.locale_index(it));
        if root.is_some_and(|it| !rows.may_read(it, &row)) {
            let on = format!("`content:{}:{id}` in all its locales", ty.name);
            return Err(Error::forbidden(Action::ContentRead, &on));
        }
        let reads = |code: &str| ty.locale_index(code).is_some_and(|it| rows.may_read(it, &row));
        let now = staging.now().to_string();
        let mut file = stored.map().clone();
        file.remove("id");
        set_key(&mut file, "title", copy_title(&original.title).into());
        set_key(&mut file, "slug", Json::Null);
        file.remove("former_slugs");
        set_key(&mut file, "status", EntryStatus::Draft.as_str().into());
        set_key(&mut file, "published_at", Json::Null);
        file.remove("unpublish_at");
        set_key(&mut file, "created_at", now.as_str().into());
        set_key(&mut file, "updated_at", now.into());
        set_key(&mut file, "author_id", by.actor.id.as_str().into());
        set_key(&mut file, "updated_by", by.actor.id.as_str().into());
        if let Some(Json::Object(data)) = file.get_mut("data") {
            clear_unique(ty, data);
        }
        let locales = retain_readable_translations(ty, &mut file, reads);
        let id = staging.new_id();
        let derived = read(&id, &file);
        let slug = find_unused_slug(&derived.slug, |it| index.has_name(it, None));
        set_key(&mut file, "slug", slug.as_str().into());
        fill_slug_field(ty, &mut file, &slug);
        let (title, changed) = (derived.title.clone(), list_filled_fields(ty, &derived));
        Ok(DuplicateDraft { id, slug, title, file, changed, locales })
    }

    /// Checks the permission to create the copy: a new entry is judged by its future state.
    fn check_permission(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        index: &TypeIndex,
    ) -> Result<Permit> {
        let ty = &index.content_type;
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let locales: Vec<&str> = self.locales.iter().map(String::as_str).collect();
        let facts = Facts {
            status: None,
            new_status: Some(EntryStatus::Draft),
            author_id: Some(&by.actor.id),
            locales: &locales,
            changed: &changed,
        };
        let on = Resource::Collection(ty.name.as_str());
        let permit =
            by.check_permission(staging.workspace(), Action::ContentCreate, &on, &facts)?;
        if ty.singleton {
            let message = sentence!(
                "`{name}` is a single page, which cannot be duplicated.",
                name = ty.name.as_str(),
            );
            return Err(Error::invalid(FieldProblems::from_problem("slug", message)));
        }
        Ok(permit)
    }

    fn stage_duplicate(
        self,
        permit: &Permit,
        staging: &mut Staging<'_>,
        index: &TypeIndex,
    ) -> EntryId {
        debug_assert_eq!(permit.action(), Action::ContentCreate);
        let of = &index.content_type.name;
        let key = Key::Entry(staging.workspace().clone(), of.clone(), self.id.clone());
        staging.write(permit).create(&key, SummedContent::from_json(Json::Object(self.file)));
        let subject = Subject::Entry {
            type_name: of.to_string(),
            id: self.id.to_string(),
            slug: self.slug,
            status: EntryStatus::Draft.as_str().to_string(),
            title: self.title,
        };
        staging.write(permit).add_event(EventKind::ContentCreated, subject);
        self.id
    }
}

/// Keeps the translations that the caller may read. Returns the locales that have values then.
fn retain_readable_translations(
    ty: &ContentType,
    file: &mut Map,
    reads: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut locales: Vec<String> = [&ty.root_locale, &ty.default_locale]
        .into_iter()
        .flatten()
        .map(|it| it.to_string())
        .collect();
    if !ty.is_localized() {
        locales.clear();
    }
    let Some(Json::Object(all)) = file.get_mut("translations") else { return locales };
    let kept = std::mem::take(all).into_iter().filter(|(code, _)| reads(code));
    *all = kept.map(|(code, it)| (code, copy_translation(ty, it))).collect();
    locales.extend(all.iter().map(|(code, _)| code.to_string()));
    locales
}

fn copy_translation(ty: &ContentType, mut translation: Json) -> Json {
    if let Json::Object(map) = &mut translation {
        if let Some(Json::String(title)) = map.get_mut("title") {
            *title = copy_title(title);
        }
        if let Some(Json::Object(data)) = map.get_mut("data") {
            clear_unique(ty, data);
        }
    }
    translation
}

fn copy_title(title: &str) -> String {
    let kept: String = title.chars().take(TITLE_CHARS_KEPT).collect();
    format!("Copy of {kept}")
}

fn clear_unique(ty: &ContentType, data: &mut Map) {
    for field in ty.data_fields().filter(|it| it.unique) {
        if let Some(value) = data.get_mut(field.name.as_str()) {
            *value = field.kind.empty_value();
        }
    }
}

/// Returns the fields of a new entry that are not empty, as grants name them.
fn list_filled_fields(ty: &ContentType, entry: &Entry) -> Vec<String> {
    let own = ["title", "slug", "status", "author_id"].map(str::to_string);
    let is_filled = |name: &str| {
        let layers =
            std::iter::once(&entry.data).chain(entry.translations.iter().map(|it| &it.1.data));
        layers.filter_map(|it| it.get(name)).any(|it| !it.is_empty())
    };
    let fields = ty.data_fields().map(|it| it.name.as_str()).filter(|it| is_filled(it));
    own.into_iter().chain(fields.map(str::to_string)).collect()
}
