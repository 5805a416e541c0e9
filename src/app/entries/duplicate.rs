//! A second entry with the same values.

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::content_types;
use crate::app::entries::admin::AdminRows;
use crate::app::entries::admin::row_of;
use crate::app::entries::read::seen;
use crate::app::entries::write::Outcome;
use crate::app::entries::write::Written;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Status;
use crate::model::entry::set_key;
use crate::model::entry::unused_slug;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::list_query::Shape;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// How many characters of a title are kept behind "Copy of ".
const TITLE_CHARS_KEPT: usize = 480;

/// Makes a draft with the values of an entry that the caller reads. Fields that no two entries may
/// share are empty in it.
pub fn duplicate(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    identifier: &str,
) -> Result<Written> {
    let (asker, name, identifier) = (by.clone(), type_name.to_string(), identifier.to_string());
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let snapshot = staging.snapshot();
        let (place, index) = content_types::find(snapshot, &asker.caller, &name)?;
        let view = View::new(snapshot, asker.caller.eyes(), None);
        let ordinal = seen(&view, &asker.caller, place, &identifier)?;
        let doc = index.doc(ordinal).ok_or_else(|| Error::not_found("entry", &identifier))?;
        let of = &index.content_type.name;
        let key = Key::Entry(snapshot.workspace.clone(), of.clone(), doc.id.clone());
        let stored = staging.stored(&key)?;
        let stored = stored.ok_or_else(|| Error::not_found("entry", &identifier))?;
        let shape = Shape::default();
        let rows = AdminRows::new(&view, &asker.caller, &shape, place, staging.now());
        let rows = rows.ok_or_else(|| Error::not_found("content type", &name))?;
        let copy = Draft::of(&rows, index, &doc.id, &stored, staging, &asker)?;
        let allowed = copy.may(staging, &asker, index)?;
        copy.stage(&allowed, staging, &asker, index)
    })?;
    let outcome = Outcome::of(committed.value, Vec::new());
    outcome.told(app, committed.snapshot, by, type_name)
}

/// The copy of an entry.
struct Draft {
    id: EntryId,
    slug: String,
    title: String,
    file: Map,
    /// The fields that are not empty, and the locales in which there are values.
    changed: Vec<String>,
    locales: Vec<String>,
}

impl Draft {
    fn of(
        rows: &AdminRows<'_>,
        index: &TypeIndex,
        id: &EntryId,
        stored: &Stored,
        staging: &Staging<'_>,
        by: &By,
    ) -> Result<Draft> {
        let ty = &index.content_type;
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let read = |id: &EntryId, file: &Map| {
            Entry::read(id.clone(), ty, file.clone().into(), facts, &mut Vec::new())
        };
        let original = read(id, &stored.map);
        let row = row_of(&original);
        let root = ty.root_locale.as_deref().and_then(|it| ty.locale_index(it));
        if root.is_some_and(|it| !rows.reads(it, &row)) {
            let on = format!("`content:{}:{id}` in all its locales", ty.name);
            return Err(Error::forbidden(Action::ContentRead, &on));
        }
        let reads = |code: &str| ty.locale_index(code).is_some_and(|it| rows.reads(it, &row));
        let now = staging.now().to_string();
        let mut file = stored.map.clone();
        file.remove("id");
        set_key(&mut file, "title", copied(&original.title).into());
        set_key(&mut file, "slug", Json::Null);
        set_key(&mut file, "status", Status::Draft.as_str().into());
        set_key(&mut file, "published_at", Json::Null);
        set_key(&mut file, "created_at", now.as_str().into());
        set_key(&mut file, "updated_at", now.into());
        set_key(&mut file, "author_id", by.actor.id.as_str().into());
        set_key(&mut file, "updated_by", by.actor.id.as_str().into());
        if let Some(Json::Object(data)) = file.get_mut("data") {
            clear_unique(ty, data);
        }
        let locales = translations(ty, &mut file, reads);
        let id = staging.new_id();
        let derived = read(&id, &file);
        let slug = unused_slug(&derived.slug, |it| index.has_name(it, None));
        set_key(&mut file, "slug", slug.as_str().into());
        let (title, changed) = (derived.title.clone(), filled(ty, &derived));
        Ok(Draft { id, slug, title, file, changed, locales })
    }

    /// A new entry is judged as what it would be.
    fn may<'b>(&self, staging: &Staging<'_>, by: &'b By, index: &TypeIndex) -> Result<Allowed<'b>> {
        let ty = &index.content_type;
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let locales: Vec<&str> = self.locales.iter().map(String::as_str).collect();
        let facts = Facts {
            status: None,
            new_status: Some(Status::Draft),
            author_id: Some(&by.actor.id),
            locales: &locales,
            changed: &changed,
        };
        let on = Resource::Collection(ty.name.as_str());
        let allowed = by.caller.may(staging.workspace(), Action::ContentCreate, &on, &facts)?;
        if ty.singleton {
            let message = format!("`{}` is a single page: there is one of it.", ty.name);
            return Err(Error::invalid(FieldProblems::one("slug", message)));
        }
        Ok(allowed)
    }

    fn stage(
        self,
        allowed: &Allowed<'_>,
        staging: &mut Staging<'_>,
        by: &By,
        index: &TypeIndex,
    ) -> Result<EntryId> {
        debug_assert_eq!(allowed.action(), Action::ContentCreate);
        let of = &index.content_type.name;
        let key = Key::Entry(staging.workspace().clone(), of.clone(), self.id.clone());
        staging.create(&key, Json::Object(self.file).to_file());
        let subject = Subject::Entry {
            type_name: of.to_string(),
            id: self.id.to_string(),
            slug: self.slug,
            status: Status::Draft.as_str().to_string(),
            title: self.title,
        };
        staging.tell(Event::by(&by.actor, EventKind::ContentCreated, subject));
        Ok(self.id)
    }
}

/// Keeps the translations that the caller reads; tells in which locales there are values then.
fn translations(ty: &ContentType, file: &mut Map, reads: impl Fn(&str) -> bool) -> Vec<String> {
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
    *all = kept.map(|(code, it)| (code, translation(ty, it))).collect();
    locales.extend(all.iter().map(|(code, _)| code.to_string()));
    locales
}

fn translation(ty: &ContentType, mut translation: Json) -> Json {
    if let Json::Object(map) = &mut translation {
        if let Some(Json::String(title)) = map.get_mut("title") {
            *title = copied(title);
        }
        if let Some(Json::Object(data)) = map.get_mut("data") {
            clear_unique(ty, data);
        }
    }
    translation
}

fn copied(title: &str) -> String {
    let kept: String = title.chars().take(TITLE_CHARS_KEPT).collect();
    format!("Copy of {kept}")
}

fn clear_unique(ty: &ContentType, data: &mut Map) {
    for field in ty.data_fields().filter(|it| it.unique) {
        if let Some(value) = data.get_mut(field.name.as_str()) {
            *value = field.kind.empty();
        }
    }
}

/// What is not empty in a new entry, as grants name it.
fn filled(ty: &ContentType, entry: &Entry) -> Vec<String> {
    let own = ["title", "slug", "status", "author_id"].map(str::to_string);
    let is_filled = |name: &str| {
        let layers =
            std::iter::once(&entry.data).chain(entry.translations.iter().map(|it| &it.1.data));
        layers.filter_map(|it| it.get(name)).any(|it| !it.is_empty())
    };
    let fields = ty.data_fields().map(|it| it.name.as_str()).filter(|it| is_filled(it));
    own.into_iter().chain(fields.map(str::to_string)).collect()
}
