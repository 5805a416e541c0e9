//! `media`: files of the media library, by name; readers see their URLs.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Before;
use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::Reference;
use crate::model::field::Show;
use crate::model::field::World;
use crate::model::field::before::Holding;
use crate::model::field::item_path;
use crate::model::field::limits::Counts;
use crate::model::field::limits::count_setting;
use crate::model::field::same;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "media",
    about: "Files of the media library: a list of names, also for a single one.",
    parse: |definition| Box::new(Media::parse(definition)),
    settings: || {
        json!({
            "multiple": { "type": "boolean", "description": "Whether it may be several files." },
            "accept": {
                "description": "What files fit, as MIME types like image/png or image/*.",
                "anyOf": [
                    { "type": "array", "items": { "type": "string" } },
                    { "type": "string", "description": "Several are separated by commas." },
                ],
            },
            "max_files": count_setting("The most files, when it may be several."),
        })
    },
};

#[derive(Debug)]
struct Media {
    multiple: bool,
    accept: Vec<Pattern>,
    counts: Counts,
}

/// What a file may be.
#[derive(Debug)]
enum Pattern {
    Any,
    /// `image/` for `image/*`.
    Family(String),
    Exact(String),
    /// As in `accept` of HTML: `pdf` for `.pdf`.
    Extension(String),
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(extension) = text.strip_prefix('.') {
            return (!extension.is_empty()).then(|| Pattern::Extension(extension.to_string()));
        }
        let (family, kind) = text.split_once('/')?;
        match (family, kind) {
            ("", _) | (_, "") => None,
            ("*", "*") => Some(Pattern::Any),
            (_, "*") => Some(Pattern::Family(format!("{family}/"))),
            _ => Some(Pattern::Exact(text)),
        }
    }

    fn fits(&self, name: &Filename) -> bool {
        let mime = || mime_guess::from_ext(name.extension()).first_raw().unwrap_or_default();
        match self {
            Pattern::Any => true,
            Pattern::Family(family) => mime().starts_with(family.as_str()),
            Pattern::Exact(exact) => mime() == exact,
            Pattern::Extension(extension) => name.extension().eq_ignore_ascii_case(extension),
        }
    }
}

impl Media {
    fn parse(definition: &mut Definition<'_>) -> Media {
        Media {
            multiple: definition.flag("multiple", false),
            accept: patterns(definition),
            counts: Counts::parse(definition, None, "max_files"),
        }
    }

    /// The name of the file that was sent.
    fn file(&self, input: &Json, world: &dyn World) -> Result<String, String> {
        let Json::String(text) = input else {
            return Err(format!("This is the name of a file, not {}.", input.kind()));
        };
        let name = world.media(text).and_then(|it| Filename::parse(&it).ok());
        let Some(name) = name else {
            return Err(format!("There is no file `{text}`."));
        };
        if !self.accept.is_empty() && !self.accept.iter().any(|it| it.fits(&name)) {
            return Err(format!("The file `{name}` is not of a type that fits here."));
        }
        Ok(name.to_string())
    }
}

fn patterns(definition: &mut Definition<'_>) -> Vec<Pattern> {
    let texts: Vec<&str> = match definition.get("accept") {
        None => return Vec::new(),
        Some(Json::String(text)) => text.split(',').filter(|it| !it.trim().is_empty()).collect(),
        Some(Json::Array(items)) => {
            items.iter().map(|it| it.as_str().unwrap_or_default()).collect()
        }
        Some(other) => {
            definition.wrong("accept", "a list of MIME types", other);
            return Vec::new();
        }
    };
    let mut patterns = Vec::with_capacity(texts.len());
    for (index, text) in texts.into_iter().enumerate() {
        match Pattern::parse(text) {
            Some(pattern) => patterns.push(pattern),
            None => definition
                .problems
                .add(format!("accept[{index}]"), "This is a MIME type like image/png or image/*."),
        }
    }
    patterns
}

/// The items of a list; a single text counts as a list of one.
fn files(value: &Json) -> &[Json] {
    match value {
        Json::Array(items) => items,
        Json::String(text) if !text.is_empty() => std::slice::from_ref(value),
        _ => &[],
    }
}

/// The names of a stored value that can be ones: readers see a URL for each.
fn names(stored: &Json) -> impl Iterator<Item = &str> {
    files(stored).iter().filter_map(Json::as_str).filter(|it| Filename::fits(it))
}

impl FieldKind for Media {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        let items = match input {
            empty if empty.is_empty() => return self.empty(),
            Json::Array(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut names = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match self.file(item, world) {
                Ok(name) => names.push(Json::String(name)),
                Err(problem) if input.as_array().is_some() => {
                    problems.add(item_path(index), problem);
                }
                Err(problem) => problems.add("", problem),
            }
        }
        if self.multiple {
            self.counts.check(items.len(), problems);
        } else if items.len() > 1 {
            problems.add("", format!("This takes one file, not {}.", items.len()));
        }
        Json::Array(names)
    }

    /// Files that stay are known by their URL and need not exist any more.
    fn merge(
        &self,
        input: &Json,
        before: Before<'_>,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Option<Json> {
        if same(input, before.shown) {
            return None;
        }
        let names = names(before.stored);
        let shown = files(before.shown).iter().filter_map(Json::as_str);
        let world = Holding::new(world, shown.zip(names));
        before.unless_stored(self.accept(input, &world, problems))
    }

    fn empty(&self) -> Json {
        Json::Array(Vec::new())
    }

    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        show.out.push(b'[');
        let mut names = names(stored);
        if let Some(first) = names.next() {
            show.media_url(first);
        }
        for name in names {
            show.out.push(b',');
            show.media_url(name);
        }
        show.out.push(b']');
    }

    fn comparison(&self) -> Comparison {
        Comparison::Media
    }

    fn references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        let is_list = stored.as_array().is_some();
        for (index, item) in files(stored).iter().enumerate() {
            let Some(name) = item.as_str().filter(|it| Filename::fits(it)) else { continue };
            let path = if is_list { item_path(index) } else { String::new() };
            each(&path, Reference::Media(name));
        }
    }

    fn json_schema(&self, face: Face) -> Value {
        let list = |items: Value| json!({ "type": ["array", "null"], "items": items });
        match face {
            Face::Shown => list(json!({ "type": "string", "format": "uri" })),
            Face::Input => json!({
                "type": ["array", "string", "null"],
                "items": { "type": "string" },
            }),
            Face::Stored => {
                let mut schema = list(json!({ "type": "string" }));
                schema["type"] = json!(["array", "string", "null"]);
                if self.multiple {
                    self.counts.describe(&mut schema);
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
