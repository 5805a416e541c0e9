//! Media metadata: the `media-meta` file of a media file.

use crate::model::input::ObjectReader;
use crate::model::media::category::CategoryPath;
use crate::model::media::framing::CropArea;
use crate::model::media::framing::FocalPoint;
use crate::model::media::framing::read_crop;
use crate::model::media::framing::read_focus;
use crate::model::media::visibility::Visibility;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The keys of a `media-meta` file.
pub const KEYS: &[&str] = &[
    "category",
    "alt",
    "decorative",
    "title",
    "focus",
    "crop",
    "visibility",
    "uploaded_by",
    "uploaded_at",
    RENAMED,
];

/// The metadata of a media file. All of it is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaMeta {
    /// The category of the file.
    pub category: Option<CategoryPath>,
    /// The alternative text.
    pub alt: String,
    /// True for a picture that needs no alternative text, because it says nothing.
    pub decorative: bool,
    /// The title.
    pub title: String,
    /// The point of a picture that stays in view.
    pub focus: Option<FocalPoint>,
    /// The part of a picture that is shown.
    pub crop: Option<CropArea>,
    /// The visibility.
    pub visibility: Visibility,
    /// The user who uploaded the file.
    pub uploaded_by: Option<String>,
    /// The time of the upload.
    pub uploaded_at: Option<Timestamp>,
    /// The former names of the file, oldest first.
    pub renamed: Vec<FormerName>,
}

/// A former name of a file. Revisions from that time refer to the file by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerName {
    /// The former name.
    pub name: Filename,
    /// The time when it was replaced.
    pub until: Timestamp,
}

/// The key that stores former names.
const RENAMED: &str = "renamed";

/// The maximum number of former names kept per file.
const FORMER_NAMES_MAX: usize = 100;

impl FormerName {
    /// Parses the list of former names. Invalid items, written by hand, are skipped.
    fn parse_all(input: &mut ObjectReader<'_>) -> Vec<FormerName> {
        let items = input.list(RENAMED).unwrap_or_default();
        let text = |item: &Json, key| Some(item.as_object()?.get(key)?.as_str()?.to_owned());
        let former = |item| {
            let name = Filename::parse(&text(item, "name")?).ok()?;
            Some(FormerName { name, until: Timestamp::parse(&text(item, "until")?)? })
        };
        items.iter().filter_map(former).collect()
    }

    /// Returns the members of a `media-meta` file with this former name appended.
    pub fn append_to(&self, before: &Map) -> Map {
        let mut item = Map::new();
        item.push("name", self.name.as_str());
        item.push("until", self.until.to_string());
        let mut items = before.get(RENAMED).and_then(Json::as_array).unwrap_or_default().to_vec();
        items.push(Json::Object(item));
        let first = items.len().saturating_sub(FORMER_NAMES_MAX);
        let mut map = before.clone();
        map.set(RENAMED, Json::Array(items.split_off(first)));
        map
    }
}

impl MediaMeta {
    /// Parses a `media-meta` file. Unknown keys are ignored. An invalid visibility counts as
    /// private: nobody writes one to make a file public, which is the default.
    pub fn parse(json: &Json) -> (MediaMeta, FieldProblems) {
        let mut input = match ObjectReader::from_json(json) {
            Ok(input) => input,
            Err(problems) => return (MediaMeta::unreadable(), problems),
        };
        let category = read_category(&mut input);
        let mut text = |key: &str| input.text(key).map(str::to_owned);
        let (alt, title, uploaded_by) = (text("alt"), text("title"), text("uploaded_by"));
        let meta = MediaMeta {
            category,
            alt: alt.unwrap_or_default(),
            decorative: input.flag("decorative").unwrap_or_default(),
            title: title.unwrap_or_default(),
            focus: read_focus(&mut input).flatten(),
            crop: read_crop(&mut input).flatten(),
            visibility: read_visibility(&mut input),
            uploaded_by,
            uploaded_at: input.time("uploaded_at"),
            renamed: FormerName::parse_all(&mut input),
        };
        (meta, input.into_problems())
    }

    /// Returns the metadata used while the `media-meta` file cannot be read. The file counts as
    /// private, since it may be one.
    pub fn unreadable() -> MediaMeta {
        MediaMeta { visibility: Visibility::Private, ..MediaMeta::default() }
    }
}

fn read_category(input: &mut ObjectReader<'_>) -> Option<CategoryPath> {
    let text = input.text("category").filter(|it| !it.trim().is_empty())?;
    input.accept("category", CategoryPath::parse(text))
}

fn read_visibility(input: &mut ObjectReader<'_>) -> Visibility {
    if input.value("visibility").is_none() {
        return Visibility::Public;
    }
    let visibility = input.choice("visibility", Visibility::NAMES, Visibility::parse);
    visibility.unwrap_or(Visibility::Private)
}

/// A change of the metadata of a file. `None` keeps the current value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetaChange {
    /// The alternative text; empty to remove it.
    pub alt: Option<String>,
    /// True for a picture that needs no alternative text.
    pub decorative: Option<bool>,
    /// The title; empty to remove it.
    pub title: Option<String>,
    /// The focal point; `Some(None)` to remove it.
    pub focus: Option<Option<FocalPoint>>,
    /// The area that is shown; `Some(None)` to remove it.
    pub crop: Option<Option<CropArea>>,
    /// The category; `Some(None)` to remove it.
    pub category: Option<Option<CategoryPath>>,
    /// The visibility.
    pub visibility: Option<Visibility>,
    /// The user who uploads the file.
    pub uploaded_by: Option<String>,
    /// The time of the upload.
    pub uploaded_at: Option<Timestamp>,
}

impl MetaChange {
    /// Returns the new members of the `media-meta` file. Defaults are not written; unknown members
    /// and the order of all members stay.
    pub fn apply_to(&self, before: &Map) -> Map {
        let mut map = before.clone();
        let text = |text: &String| (!text.is_empty()).then(|| Json::from(text.as_str()));
        let category =
            |path: &Option<CategoryPath>| path.as_ref().map(|it| Json::from(it.as_str()));
        let visibility =
            |it: &Visibility| (*it != Visibility::default()).then(|| Json::from(it.as_str()));
        put_member(&mut map, "category", self.category.as_ref().map(category));
        put_member(&mut map, "alt", self.alt.as_ref().map(text));
        let decorative = self.decorative.map(|it| it.then_some(Json::from(true)));
        put_member(&mut map, "decorative", decorative);
        put_member(&mut map, "title", self.title.as_ref().map(text));
        let focus = self.focus.map(|it| it.map(FocalPoint::to_json));
        put_member(&mut map, "focus", focus);
        put_member(&mut map, "crop", self.crop.map(|it| it.map(CropArea::to_json)));
        put_member(&mut map, "visibility", self.visibility.as_ref().map(visibility));
        put_member(&mut map, "uploaded_by", self.uploaded_by.as_ref().map(text));
        let time = self.uploaded_at.map(|it| Some(Json::from(it.to_string())));
        put_member(&mut map, "uploaded_at", time);
        map
    }
}

/// Sets a member, removes it, or leaves it unchanged.
fn put_member(map: &mut Map, key: &str, change: Option<Option<Json>>) {
    match change {
        None => {}
        Some(Some(value)) => map.set(key, value),
        Some(None) => _ = map.remove(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_a_file() {
        let check = |text: &str, expect: MediaMeta, reported: &[&str]| {
            let (meta, problems) = MediaMeta::parse(&Json::parse(text.as_bytes()).unwrap());
            assert_eq!(meta, expect, "{text}");
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, reported, "{text}");
        };
        let none = MediaMeta::default;
        check("{}", none(), &[]);
        check(r#"{"category":"","alt":null,"colour":7}"#, none(), &[]);
        check(
            r#"{"category":"Press/Logos","alt":"a","decorative":true,"title":"t","visibility":"private",
                "uploaded_by":"u","uploaded_at":"2026-05-03T12:00:00Z"}"#,
            MediaMeta {
                category: CategoryPath::parse("Press / Logos").ok(),
                alt: "a".into(),
                decorative: true,
                title: "t".into(),
                focus: None,
                crop: None,
                visibility: Visibility::Private,
                uploaded_by: Some("u".into()),
                uploaded_at: Timestamp::parse("2026-05-03T12:00:00Z"),
                renamed: Vec::new(),
            },
            &[],
        );
        check(r#"{"visibility":"secret"}"#, MediaMeta::unreadable(), &["visibility"]);
        check(r#"{"visibility":null}"#, none(), &[]);
        check(r#"{"visibility":true}"#, MediaMeta::unreadable(), &["visibility"]);
        check("[]", MediaMeta::unreadable(), &[""]);
        check(
            r#"{"category":"a\u0000","alt":7,"decorative":"yes","uploaded_at":"soon"}"#,
            none(),
            &["category", "alt", "decorative", "uploaded_at"],
        );
        check(r#"{"focus":[2,0],"crop":[0,0]}"#, none(), &["focus", "crop"]);
    }

    #[test]
    fn former_names_are_remembered() {
        let former = |name: &str, seconds| FormerName {
            name: Filename::parse(name).unwrap(),
            until: Timestamp::from_seconds(seconds),
        };
        let read = |map: &Map| MediaMeta::parse(&Json::Object(map.clone())).0.renamed;
        let mut map = Map::new();
        map.push("alt", "a");
        map = former("a.png", 0).append_to(&map);
        map = former("b c.png", 60).append_to(&map);
        let text = r#"{"alt":"a","renamed":[{"name":"a.png","until":"1970-01-01T00:00:00Z"},{"name":"b c.png","until":"1970-01-01T00:01:00Z"}]}"#;
        assert_eq!(serde_json::to_string(&Json::Object(map.clone())).unwrap(), text);
        assert_eq!(read(&map), [former("a.png", 0), former("b c.png", 60)]);
        for seconds in 0..200 {
            map = former("d.png", seconds).append_to(&map);
        }
        assert_eq!(read(&map).len(), FORMER_NAMES_MAX);
        assert_eq!(read(&map).last(), Some(&former("d.png", 199)));
        let odd =
            r#"{"renamed":[5,{},{"name":"../x","until":"1970-01-01T00:00:00Z"},{"name":"a"}]}"#;
        let odd = Json::parse(odd.as_bytes()).unwrap();
        assert_eq!(MediaMeta::parse(&odd), (MediaMeta::default(), FieldProblems::new()));
    }

    #[test]
    fn only_what_is_not_the_default_is_written() {
        let check = |before: &str, change: MetaChange, expect: &str| {
            let before = Json::parse(before.as_bytes()).unwrap();
            let after = change.apply_to(before.as_object().unwrap());
            assert_eq!(serde_json::to_string(&Json::Object(after)).unwrap(), expect);
        };
        let none = MetaChange::default;
        let alt = |it: &str| MetaChange { alt: Some(it.into()), ..none() };
        let seen = |it: Visibility| MetaChange { visibility: Some(it), ..none() };
        let press = CategoryPath::parse("Press").ok();
        check("{}", none(), "{}");
        check("{}", alt("a"), r#"{"alt":"a"}"#);
        check(r#"{"alt":"a","x":[1]}"#, alt(""), r#"{"x":[1]}"#);
        check(r#"{"x":1,"alt":"a","title":"t"}"#, alt("b"), r#"{"x":1,"alt":"b","title":"t"}"#);
        check(r#"{"alt":""}"#, none(), r#"{"alt":""}"#);
        let decorative = |it: bool| MetaChange { decorative: Some(it), ..none() };
        check("{}", decorative(true), r#"{"decorative":true}"#);
        check(r#"{"decorative":true}"#, decorative(false), "{}");
        check("{}", seen(Visibility::Private), r#"{"visibility":"private"}"#);
        check(r#"{"visibility":"private"}"#, seen(Visibility::Public), "{}");
        check("{}", MetaChange { category: Some(press), ..none() }, r#"{"category":"Press"}"#);
        check(r#"{"category":"Press"}"#, MetaChange { category: Some(None), ..none() }, "{}");
        let focus = MediaMeta::parse(&Json::parse(br#"{"focus":[0.5,0.25]}"#).unwrap()).0.focus;
        let focused = MetaChange { focus: Some(focus), ..none() };
        check(r#"{"alt":"a"}"#, focused, r#"{"alt":"a","focus":[0.5,0.25]}"#);
        check(r#"{"focus":[0,0]}"#, MetaChange { focus: Some(None), ..none() }, "{}");
        let upload = MetaChange {
            title: Some(String::new()),
            uploaded_by: Some("tok_1".into()),
            uploaded_at: Some(Timestamp::from_seconds(0)),
            ..none()
        };
        check("{}", upload, r#"{"uploaded_by":"tok_1","uploaded_at":"1970-01-01T00:00:00Z"}"#);
    }
}
