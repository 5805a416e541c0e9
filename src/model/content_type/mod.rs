//! Content types: the kinds of entries and their fields.

pub mod cache_policy;
pub mod declared_view;
pub mod feed;
pub mod field_effects;
pub mod field_renames;
pub mod preview_target;
pub mod type_change;
pub mod unclean_html;
mod view;

use crate::model::content_type::cache_policy::CachePolicy;
use crate::model::content_type::declared_view::DeclaredViews;
use crate::model::content_type::feed::FeedSettings;
use crate::model::content_type::preview_target::PreviewTarget;
pub use crate::model::content_type::view::ContentTypeView;
use crate::model::content_type::view::FieldDefinitions;
use crate::model::field::Field;
use crate::model::field::Fields;
use crate::model::field::OnDelete;
use crate::model::field::label_from_name;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::media::Visibility;
use crate::model::name::ICON_BYTES_MAX;
use crate::model::name::LocaleCode;
use crate::model::name::RESERVED_FIELD_NAMES;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The icon of a type that does not name one.
pub const DEFAULT_ICON: &str = "file-text";

/// The maximum number of locales of a type.
pub const LOCALES_MAX: usize = 200;

/// A content type, as its schema file describes it.
#[derive(Debug)]
pub struct ContentType {
    /// The name: the stem of the schema file.
    pub name: TypeName,
    /// The display name.
    pub label: String,
    /// The display name of one entry, in the singular.
    pub label_singular: Option<String>,
    /// The name of an icon.
    pub icon: String,
    /// True if the type has exactly one entry, whose id and slug are the type's name.
    pub singleton: bool,
    /// The field that provides an explicit slug.
    pub slug_field: String,
    /// The field that an automatic slug is derived from.
    pub slug_source: String,
    /// The locales; empty if the type is not localized.
    pub locales: Vec<LocaleCode>,
    /// The locale of reads that do not name one.
    pub default_locale: Option<LocaleCode>,
    /// The locale of the values at the root of an entry file. It never changes once chosen.
    pub root_locale: Option<LocaleCode>,
    /// True if the type is hidden from anonymous requests.
    pub private: bool,
    /// True if a published entry is worked on beside what is live: whoever may not publish changes
    /// it in a change.
    pub drafts: bool,
    /// The pages of a site that show an entry before it is public.
    pub preview: Vec<PreviewTarget>,
    /// The feeds of the type, and its part of the sitemap.
    pub feed: Option<FeedSettings>,
    /// The time for which caches may keep anonymous answers with its entries.
    pub cache: CachePolicy,
    /// The lists of entries with names.
    pub views: DeclaredViews,
    /// All fields, including `title` and `slug`.
    pub fields: Fields,
    /// The target types of the relations of this type, each once.
    pub relation_targets: Vec<TypeName>,
    /// The target types whose entries cannot be deleted without checking the entries of this type,
    /// because some relation blocks the deletion or has to be cleared.
    pub guarded_targets: Vec<TypeName>,
    /// The checksum of the schema file.
    pub sum: Checksum,
    /// The content of the file as read.
    pub source: Map,
}

impl ContentType {
    /// Parses a schema file. Returns `None` if there are defects; the caller decides what they mean
    /// (a request is rejected, a file raises a problem).
    pub fn parse(name: TypeName, schema: &Json) -> (Option<ContentType>, FieldProblems) {
        let mut input = match ObjectReader::from_json(schema) {
            Ok(input) => input,
            Err(problems) => return (None, problems),
        };
        let locales = read_locales(&mut input);
        let default_locale = read_locale(&mut input, "default_locale", &locales);
        let default_locale = default_locale.or_else(|| locales.first().cloned());
        let root_locale = read_locale(&mut input, "root_locale", &[]);
        let fields = read_fields(&mut input);
        let label =
            read_text(&mut input, "label").unwrap_or_else(|| label_from_name(name.as_str()));
        let label_singular = read_text(&mut input, "label_singular");
        let icon = read_text(&mut input, "icon").filter(|it| it.len() <= ICON_BYTES_MAX);
        let singleton = input.flag("singleton").unwrap_or_default();
        let slug_field = read_text(&mut input, "slug_field");
        let slug_source = read_text(&mut input, "slug_source");
        let parsed = ContentType {
            label,
            label_singular,
            icon: icon.unwrap_or_else(|| DEFAULT_ICON.to_string()),
            singleton,
            slug_field: slug_field.unwrap_or_else(|| "slug".to_string()),
            slug_source: slug_source.unwrap_or_else(|| "title".to_string()),
            private: read_visibility(&mut input) == Visibility::Private,
            drafts: input.flag("drafts").unwrap_or_default(),
            preview: PreviewTarget::read_all(&mut input),
            feed: FeedSettings::read(&mut input, |it| fields.get(it).map(Field::kind_name)),
            cache: CachePolicy::read(&mut input),
            views: DeclaredViews::read(&mut input),
            relation_targets: collect_targets(&fields, |_| true),
            guarded_targets: collect_targets(&fields, |it| it != OnDelete::Keep),
            sum: schema.compute_checksum(),
            source: input.members().map(|(key, value)| (key.to_string(), value.clone())).collect(),
            root_locale: root_locale.or_else(|| default_locale.clone()),
            name,
            locales,
            default_locale,
            fields,
        };
        let problems = input.into_problems();
        let usable = problems.is_empty();
        (usable.then_some(parsed), problems)
    }

    /// Returns true if entries have values per locale.
    pub fn is_localized(&self) -> bool {
        !self.locales.is_empty()
    }

    /// Returns the fields whose values are stored under `data`: all but `title` and `slug`.
    pub fn data_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|it| !is_top_level(it.name.as_str()))
    }

    /// Returns the field under `data` that is the slug, and gets the same value on writes. A field
    /// of another kind is none: its value is what the slug is made from.
    pub fn find_slug_copy(&self) -> Option<&Field> {
        let mut fields = self.data_fields();
        fields.find(|it| it.name.as_str() == self.slug_field && it.kind_name() == "slug")
    }

    /// Returns the index of `locale` in the type's locales.
    pub fn locale_index(&self, locale: &str) -> Option<usize> {
        self.locales.iter().position(|it| it.as_str() == locale)
    }

    /// Returns the index of the locale that best matches `asked` (RFC 4647, lookup): the exact
    /// match, or the first match as subtags are removed from the end. A request for `de-AT` is
    /// answered in `de`.
    pub fn match_locale(&self, asked: &str) -> Option<usize> {
        let mut range = asked;
        loop {
            if let Some(index) = self.locale_index(range) {
                return Some(index);
            }
            range = range.rsplit_once(['-', '_'])?.0;
        }
    }

    /// Returns the type as both APIs show it. The admin API adds what it alone shows.
    pub fn view(&self) -> ContentTypeView<'_> {
        ContentTypeView {
            name: self.name.as_str(),
            label: &self.label,
            label_singular: self.label_singular.as_deref(),
            icon: &self.icon,
            singleton: self.singleton,
            slug_field: &self.slug_field,
            slug_source: &self.slug_source,
            locales: &self.locales,
            default_locale: self.default_locale.as_ref().map_or("", |it| it.as_str()),
            visibility: if self.private { Visibility::Private } else { Visibility::Public },
            drafts: self.drafts,
            feed: self.feed.as_ref(),
            fields: FieldDefinitions(&self.fields),
        }
    }

    /// Returns the members of its [`view`](Self::view) and those that the public API does not show,
    /// to compare them with those of a request.
    pub fn to_map(&self) -> Map {
        let mut map = self.view().to_map();
        let fields = map.remove("fields");
        if !self.preview.is_empty() {
            let targets = self.preview.iter().map(PreviewTarget::to_json);
            map.push("preview", targets.collect::<Vec<_>>());
        }
        if !self.cache.is_empty() {
            map.push("cache", self.cache.to_json());
        }
        if !self.views.is_empty() {
            map.push("views", self.views.to_json());
        }
        map.push("fields", fields);
        map
    }
}

/// Returns true if the value of a field is stored at the top level of an entry, not under `data`.
pub fn is_top_level(field: &str) -> bool {
    matches!(field, "title" | "slug")
}

/// Returns the targets of the relations that `wanted` accepts, each once.
fn collect_targets(fields: &Fields, wanted: impl Fn(OnDelete) -> bool) -> Vec<TypeName> {
    let mut found: Vec<TypeName> = Vec::new();
    fields.visit_relation_targets(&mut |target, on_delete| {
        if wanted(on_delete) && !found.contains(target) {
            found.push(target.clone());
        }
    });
    found
}

/// Reads a string; an empty one counts as missing.
fn read_text(input: &mut ObjectReader<'_>, key: &str) -> Option<String> {
    input.text(key).filter(|it| !it.is_empty()).map(str::to_string)
}

/// Reads the visibility. An invalid value counts as private: its author meant to restrict access.
fn read_visibility(input: &mut ObjectReader<'_>) -> Visibility {
    if input.value("visibility").is_none_or(Json::is_empty) {
        return Visibility::Public;
    }
    let visibility = input.choice("visibility", Visibility::NAMES, Visibility::parse);
    visibility.unwrap_or(Visibility::Private)
}

fn read_locales(input: &mut ObjectReader<'_>) -> Vec<LocaleCode> {
    let items = input.list("locales").unwrap_or_default();
    if items.len() > LOCALES_MAX {
        input.add_problem("locales", wording::too_many(LOCALES_MAX, "locales"));
    }
    let items = items.get(..LOCALES_MAX).unwrap_or(items);
    let mut locales: Vec<LocaleCode> = Vec::new();
    for (index, code) in input.parse_items("locales", items, LocaleCode::parse) {
        if locales.contains(&code) {
            let message = format!("The locale `{code}` occurs twice.");
            input.add_problem(format!("locales[{index}]"), message);
        } else {
            locales.push(code);
        }
    }
    locales
}

/// Reads a locale code. It must be one of `known`, unless that list is empty.
fn read_locale(
    input: &mut ObjectReader<'_>,
    key: &str,
    known: &[LocaleCode],
) -> Option<LocaleCode> {
    let text = read_text(input, key)?;
    let code = input.accept(key, LocaleCode::parse(&text))?;
    if known.is_empty() || known.contains(&code) {
        return Some(code);
    }
    input.add_problem(key, format!("`{code}` is not among the locales."));
    None
}

/// Reads all fields. `title` and `slug` are added in front if the file does not define them.
fn read_fields(input: &mut ObjectReader<'_>) -> Fields {
    let given = input.object("fields").cloned().unwrap_or_default();
    let reserved = |name: &str| RESERVED_FIELD_NAMES.contains(&name);
    for (name, _) in given.iter().filter(|(name, _)| reserved(name)) {
        input.add_problem(format!("fields.{name}"), "This name is reserved for the entry itself.");
    }
    let all: Map =
        with_builtin_fields(given).into_iter().filter(|(name, _)| !reserved(name)).collect();
    let mut found = FieldProblems::new();
    let fields = Fields::parse(&all, 0, &mut found);
    input.add_problems("fields", found);
    fields
}

/// Returns the definitions with `title` and `slug` added in front if they are missing.
pub fn with_builtin_fields(given: Map) -> Map {
    let own = [("title", title_definition()), ("slug", slug_definition())];
    let missing = own.into_iter().filter(|(name, _)| !given.contains(name));
    let mut all: Map = missing.map(|(name, it)| (name.to_string(), it.into())).collect();
    given.into_iter().for_each(|(name, it)| all.push(name, it));
    all
}

fn title_definition() -> Map {
    let mut map = Map::new();
    map.push("type", "text");
    map.push("label", "Title");
    map.push("required", true);
    map
}

fn slug_definition() -> Map {
    let mut map = Map::new();
    map.push("type", "slug");
    map.push("label", "Slug");
    map
}
