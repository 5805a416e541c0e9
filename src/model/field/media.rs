//! `media`: names of files in the media library; readers see their URLs.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::ItemLimits;
use crate::model::field::limits::count_setting;
use crate::model::field::picture_texts::PictureTextFields;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::RetainedReferences;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_context::ValueContext;
use crate::model::field::value_path::item_path;
use crate::model::field::value_writer::ValueWriter;
use crate::model::input::wording;
use crate::model::name::Filename;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "media",
    about: "Files of the media library: a list of filenames, even for a single file.",
    parse: |definition| Box::new(MediaField::parse(definition)),
    settings: || {
        json!({
            "multiple": { "type": "boolean", "description": "True if the field accepts several \
                                                             files." },
            "accept": {
                "description": "The accepted MIME types, such as image/png or image/*.",
                "anyOf": [
                    { "type": "array", "items": { "type": "string" } },
                    { "type": "string", "description": "Several types are separated by commas." },
                ],
            },
            "max_files": count_setting(
                "The maximum number of files, if the field accepts several."),
            "alt_field": {
                "type": "string",
                "description": "The text or textarea field beside this one that holds the \
                                alternative text of the picture here. Only for a single file.",
            },
            "caption_field": {
                "type": "string",
                "description": "The text or textarea field beside this one that holds the \
                                caption of the picture. Only for a single file.",
            },
        })
    },
};

#[derive(Debug)]
struct MediaField {
    multiple: bool,
    accept: Vec<MediaTypePattern>,
    counts: ItemLimits,
    texts: Option<PictureTextFields>,
}

/// A pattern for the allowed files.
#[derive(Debug)]
enum MediaTypePattern {
    Any,
    /// `image/` for `image/*`.
    Family(String),
    Exact(String),
    /// A file extension, as in the `accept` attribute of HTML: `pdf` for `.pdf`.
    Extension(String),
}

impl MediaTypePattern {
    fn parse(text: &str) -> Option<MediaTypePattern> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(extension) = text.strip_prefix('.') {
            return (!extension.is_empty())
                .then(|| MediaTypePattern::Extension(extension.to_string()));
        }
        let (family, kind) = text.split_once('/')?;
        match (family, kind) {
            ("", _) | (_, "") => None,
            ("*", "*") => Some(MediaTypePattern::Any),
            (_, "*") => Some(MediaTypePattern::Family(format!("{family}/"))),
            _ => Some(MediaTypePattern::Exact(text)),
        }
    }

    fn matches_file(&self, name: &Filename) -> bool {
        let mime = || mime_guess::from_ext(name.extension()).first_raw().unwrap_or_default();
        match self {
            MediaTypePattern::Any => true,
            MediaTypePattern::Family(family) => mime().starts_with(family.as_str()),
            MediaTypePattern::Exact(exact) => mime() == exact,
            MediaTypePattern::Extension(extension) => {
                name.extension().eq_ignore_ascii_case(extension)
            }
        }
    }
}

impl MediaField {
    fn parse(definition: &mut FieldDefinition<'_>) -> MediaField {
        let multiple = definition.get_flag("multiple", false);
        MediaField {
            multiple,
            accept: parse_patterns(definition),
            counts: ItemLimits::parse(definition, None, "max_files"),
            texts: PictureTextFields::parse(definition, multiple),
        }
    }

    /// Returns the name of the file that was sent.
    fn accept_file(&self, input: &Json, context: &dyn ValueContext) -> Result<String, Sentence> {
        let Json::String(text) = input else {
            return Err(wording::wrong_type("the name of a file", input).into());
        };
        let name = context.resolve_media(text).and_then(|it| Filename::parse(&it).ok());
        let Some(name) = name else {
            return Err(sentence!("There is no file `{name}`.", name = text.as_str()));
        };
        if !self.accept.is_empty() && !self.accept.iter().any(|it| it.matches_file(&name)) {
            return Err(sentence!(
                "This field does not accept the type of the file `{name}`.",
                name = name.as_str(),
            ));
        }
        Ok(name.to_string())
    }
}

fn parse_patterns(definition: &mut FieldDefinition<'_>) -> Vec<MediaTypePattern> {
    let texts: Vec<&str> = match definition.get("accept") {
        None => return Vec::new(),
        Some(Json::String(text)) => text.split(',').filter(|it| !it.trim().is_empty()).collect(),
        Some(Json::Array(items)) => {
            items.iter().map(|it| it.as_str().unwrap_or_default()).collect()
        }
        Some(other) => {
            definition.add_type_problem("accept", "a list of MIME types", other);
            return Vec::new();
        }
    };
    let mut patterns = Vec::with_capacity(texts.len());
    for (index, text) in texts.into_iter().enumerate() {
        match MediaTypePattern::parse(text) {
            Some(pattern) => patterns.push(pattern),
            None => definition.problems.add(
                format!("accept[{index}]"),
                "This must be a MIME type, such as image/png or image/*.",
            ),
        }
    }
    patterns
}

/// Returns the items of a list; a single text counts as a list of one.
fn list_files(value: &Json) -> &[Json] {
    match value {
        Json::Array(items) => items,
        Json::String(text) if !text.is_empty() => std::slice::from_ref(value),
        _ => &[],
    }
}

/// Returns the valid filenames of a stored value; readers see a URL for each.
fn list_filenames(stored: &Json) -> impl Iterator<Item = &str> {
    list_files(stored).iter().filter_map(Json::as_str).filter(|it| Filename::fits(it))
}

impl FieldKind for MediaField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let items = match input {
            empty if empty.is_empty() => return self.empty_value(),
            Json::Array(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut names = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match self.accept_file(item, check.context) {
                Ok(name) => names.push(Json::String(name)),
                Err(problem) if input.as_array().is_some() => {
                    check.problems.add(item_path(index), problem);
                }
                Err(problem) => check.problems.add("", problem),
            }
        }
        if self.multiple {
            self.counts.check_count(items.len(), check.problems);
        } else if items.len() > 1 {
            let count = items.len();
            check.problems.add("", sentence!("This field accepts one file, not {count}.", count));
        }
        Json::Array(names)
    }

    /// Files that stay are identified by their URL and need not exist any more.
    fn merge_changed(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        let names = list_filenames(before.stored);
        let shown = list_files(before.shown).iter().filter_map(Json::as_str);
        let context = RetainedReferences::new(check.context, shown.zip(names));
        self.accept_input(input, &mut InputCheck::new(&context, check.problems))
    }

    fn empty_value(&self) -> Json {
        Json::Array(Vec::new())
    }

    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        show.out.push(b'[');
        let mut names = list_filenames(stored);
        if let Some(first) = names.next() {
            show.write_media_url(first);
        }
        for name in names {
            show.out.push(b',');
            show.write_media_url(name);
        }
        show.out.push(b']');
    }

    fn comparison(&self) -> Comparison {
        Comparison::Media
    }

    fn visit_references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        let is_list = stored.as_array().is_some();
        for (index, item) in list_files(stored).iter().enumerate() {
            let Some(name) = item.as_str().filter(|it| Filename::fits(it)) else { continue };
            let path = if is_list { item_path(index) } else { String::new() };
            each(&path, Reference::Media(name));
        }
    }

    fn replace_media(&self, shown: &mut Json, make: &mut dyn FnMut(&str) -> Json) {
        let Json::Array(items) = shown else { return };
        for item in items {
            if let Some(url) = item.as_str() {
                *item = make(url);
            }
        }
    }

    fn picture_text_fields(&self) -> Option<&PictureTextFields> {
        self.texts.as_ref()
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let list = |items: Value| json!({ "type": ["array", "null"], "items": items });
        match form {
            ValueForm::Shown => list(json!({ "type": "string", "format": "uri" })),
            ValueForm::Input => json!({
                "type": ["array", "string", "null"],
                "items": { "type": "string" },
            }),
            ValueForm::Stored => {
                let mut schema = list(json!({ "type": "string" }));
                schema["type"] = json!(["array", "string", "null"]);
                if self.multiple {
                    self.counts.add_to_schema(&mut schema);
                } else {
                    schema["maxItems"] = 1.into();
                }
                schema
            }
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"media"}"#,
        accepted: &[
            (r#"["hero.png"]"#, r#"["hero.png"]"#),
            (r#""hero.png""#, r#"["hero.png"]"#),
            (r#""https://x.org/media/default/a%20b.pdf""#, r#"["a b.pdf"]"#),
            (r#""""#, "[]"),
            ("[]", "[]"),
        ],
        refused: &[
            (r#""none.png""#, ""),
            (r#"["none.png"]"#, "[0]"),
            (r#"["hero.png","a b.pdf"]"#, ""),
            ("5", ""),
            (r#"[5]"#, "[0]"),
        ],
        shown: &[
            (r#""a b.pdf""#, r#"["https://x.org/media/default/a%20b.pdf"]"#),
            (
                r#"["a","b"]"#,
                r#"["https://x.org/media/default/a","https://x.org/media/default/b"]"#,
            ),
            (r#"["../a",5,"ä\"<","b"]"#, r#"["https://x.org/media/default/b"]"#),
            ("null", "[]"),
            ("5", "[]"),
            (r#"{"a":1}"#, "[]"),
        ],
        broken: &[
            (r#"{"multiple":"yes"}"#, "multiple"),
            (r#"{"accept":5}"#, "accept"),
            (r#"{"accept":["image/*","png"]}"#, "accept[1]"),
            (r#"{"max_files":-1}"#, "max_files"),
            (r#"{"alt_field":5}"#, "alt_field"),
            (r#"{"multiple":true,"caption_field":"legend"}"#, "caption_field"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"media","multiple":true,"max_files":2,"accept":["image/*",".txt"]}"#,
        accepted: &[(r#"["hero.png","hero.png"]"#, r#"["hero.png","hero.png"]"#)],
        refused: &[
            (r#"["hero.png","a b.pdf","none.png"]"#, "[1]"),
            (r#"["hero.png","hero.png","hero.png"]"#, ""),
        ],
        shown: &[],
        broken: &[],
    },
];
