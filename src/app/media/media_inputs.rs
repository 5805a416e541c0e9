//! The bodies of requests that change the metadata of media files, and media categories.

use schemars::JsonSchema;

use crate::app::media::body_fields;
use crate::app::media::body_fields::FILES_MAX;
use crate::app::media::body_fields::TEXT_CHARS_MAX;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::media::CropArea;
use crate::model::media::FocalPoint;
use crate::model::media::MetaChange;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;
use crate::model::media::read_crop;
use crate::model::media::read_focus;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;

/// The texts and the framing of a media file. What is not sent stays as it is.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "MediaMetaInput")]
pub struct MediaDetailsInput {
    /// The alternative text; an empty text removes it.
    #[schemars(length(max = TEXT_CHARS_MAX))]
    alt: Option<String>,
    /// True for a picture that needs no alternative text, because it says nothing.
    decorative: Option<bool>,
    /// The title; an empty text removes it.
    #[schemars(length(max = TEXT_CHARS_MAX))]
    title: Option<String>,
    /// The point of a picture that stays in view: x and y from 0 to 1; `null` for the middle.
    #[schemars(with = "Option<[f64; 2]>", extend("nullable" = true))]
    focus: Option<Option<FocalPoint>>,
    /// The part of a picture that variants show: x, y, width and height from 0 to 1; `null` for all
    /// of it.
    #[schemars(with = "Option<[f64; 4]>", extend("nullable" = true))]
    crop: Option<Option<CropArea>>,
}

impl MediaDetailsInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<MediaDetailsInput> {
        let mut input = ObjectReader::new(body);
        let alt = body_fields::read_text(&mut input, "alt");
        let decorative = input.flag("decorative");
        let title = body_fields::read_text(&mut input, "title");
        let (focus, crop) = (read_focus(&mut input), read_crop(&mut input));
        input.finish(MediaDetailsInput { alt, decorative, title, focus, crop })
    }

    pub(super) fn into_change(self) -> MetaChange {
        let MediaDetailsInput { alt, decorative, title, focus, crop } = self;
        MetaChange { alt, decorative, title, focus, crop, ..MetaChange::default() }
    }
}

/// The visibility of a media file.
#[derive(Debug, JsonSchema)]
pub struct VisibilityInput {
    /// The new visibility.
    #[schemars(with = "Visibility")]
    visibility: Option<Visibility>,
}

impl VisibilityInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<VisibilityInput> {
        let mut input = ObjectReader::new(body);
        let visibility = body_fields::read_visibility(&mut input);
        input.finish(VisibilityInput { visibility })
    }

    pub(super) fn into_change(self) -> MetaChange {
        MetaChange { visibility: self.visibility, ..MetaChange::default() }
    }
}

/// The visibility of several media files.
#[derive(Debug, JsonSchema)]
pub struct BulkVisibilityInput {
    /// The names of the files.
    #[schemars(with = "Vec<String>", length(min = 1, max = FILES_MAX))]
    files: Vec<(usize, String)>,
    /// The new visibility of all of them.
    #[schemars(with = "Visibility")]
    visibility: Option<Visibility>,
}

impl BulkVisibilityInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<BulkVisibilityInput> {
        let mut input = ObjectReader::new(body);
        let visibility = body_fields::read_visibility(&mut input);
        let files = body_fields::read_files(&mut input);
        input.finish(BulkVisibilityInput { files, visibility })
    }

    pub(super) fn into_bulk_change(self) -> BulkChange {
        let change = MetaChange { visibility: self.visibility, ..MetaChange::default() };
        BulkChange { files: self.files, change }
    }
}

/// The category of several media files.
#[derive(Debug, JsonSchema)]
pub struct BulkCategory {
    /// The names of the files.
    #[schemars(with = "Vec<String>", length(min = 1, max = FILES_MAX))]
    files: Vec<(usize, String)>,
    /// The path; empty removes the category.
    #[schemars(with = "String")]
    category: Option<CategoryPath>,
}

impl BulkCategory {
    pub(super) fn parse(body: &Map) -> ParsedBody<BulkCategory> {
        let mut input = ObjectReader::new(body);
        let category = body_fields::read_category(&mut input).flatten();
        let files = body_fields::read_files(&mut input);
        input.finish(BulkCategory { files, category })
    }

    pub(super) fn into_bulk_change(self) -> BulkChange {
        let change = MetaChange { category: Some(self.category), ..MetaChange::default() };
        BulkChange { files: self.files, change }
    }
}

/// The same change of several files, which are named with their indexes in the body.
pub(super) struct BulkChange {
    pub(super) files: Vec<(usize, String)>,
    pub(super) change: MetaChange,
}

/// The category of a media file.
#[derive(Debug, JsonSchema)]
pub struct CategoryOfFileInput {
    /// The path, such as `Photos / Travel`. The category is created if it does not exist; an empty
    /// text removes the file from its category.
    #[schemars(with = "String")]
    category: Option<Option<CategoryPath>>,
}

impl CategoryOfFileInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<CategoryOfFileInput> {
        let mut input = ObjectReader::new(body);
        let category = body_fields::read_category(&mut input);
        input.finish(CategoryOfFileInput { category })
    }

    pub(super) fn into_change(self) -> MetaChange {
        MetaChange { category: self.category, ..MetaChange::default() }
    }
}

/// A new media category.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "NewCategory")]
pub struct NewCategoryInput {
    /// The name, or a path below `parent`, such as `Photos / Travel`. Missing parents are created.
    #[schemars(with = "String")]
    name: Option<CategoryPath>,
    /// The path of the parent; without it, the category is at the top.
    #[schemars(with = "Option<String>")]
    parent: String,
}

impl NewCategoryInput {
    fn parse(body: &Map) -> ParsedBody<NewCategoryInput> {
        let mut input = ObjectReader::new(body);
        let parent = body_fields::read_text(&mut input, "parent").unwrap_or_default();
        if !parent.trim().is_empty() {
            input.accept("parent", CategoryPath::parse(&parent));
        }
        // The name is also parsed on its own, so that its problems are reported under its field.
        let name = body_fields::read_path(&mut input, "name");
        input.finish(NewCategoryInput { name, parent })
    }

    /// Returns the whole path of the new category.
    pub(super) fn parse_path(body: &Map) -> Result<CategoryPath, FieldProblems> {
        let NewCategoryInput { name, parent } = NewCategoryInput::parse(body).into_result()?;
        let name = name.map(|it| it.to_string()).unwrap_or_default();
        CategoryPath::parse(&format!("{parent}/{name}"))
            .map_err(|error| FieldProblems::from_problem("name", error.message()))
    }
}

/// The new path of a media category.
#[derive(Debug, JsonSchema)]
pub struct CategoryNameInput {
    /// The whole new path, such as `Photos / Travel`.
    #[schemars(with = "String")]
    pub(super) name: Option<CategoryPath>,
}

impl CategoryNameInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<CategoryNameInput> {
        let mut input = ObjectReader::new(body);
        let name = body_fields::read_path(&mut input, "name");
        input.finish(CategoryNameInput { name })
    }
}
