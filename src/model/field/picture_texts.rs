//! The texts about a picture at the place where it is used: fields beside a `media` field that hold
//! its alternative text and its caption.

use crate::model::field::definition::FieldDefinition;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The setting that names the field with the alternative text.
const ALT_FIELD: &str = "alt_field";

/// The setting that names the field with the caption.
const CAPTION_FIELD: &str = "caption_field";

/// The settings that name a field on the same level.
pub const SETTINGS: [&str; 2] = [ALT_FIELD, CAPTION_FIELD];

/// The names of the fields with the texts about a picture.
#[derive(Debug)]
pub struct PictureTextFields {
    alt: Option<String>,
    caption: Option<String>,
}

impl PictureTextFields {
    /// Parses the settings of a media field. [`check_level`] checks the fields that they name.
    pub(super) fn parse(
        definition: &mut FieldDefinition<'_>,
        multiple: bool,
    ) -> Option<PictureTextFields> {
        let [alt, caption] = SETTINGS.map(|key| {
            let name = definition.get_text(key).filter(|it| !it.is_empty());
            if name.is_some() && multiple {
                definition.problems.add(key, "Only a field for a single file can have this.");
            }
            name
        });
        (alt.is_some() || caption.is_some()).then_some(PictureTextFields { alt, caption })
    }

    /// Returns the texts among the values of a level.
    pub(super) fn read(&self, level: &Map) -> PictureTexts {
        let read = |name: &String| level.get(name).and_then(Json::as_str).unwrap_or_default();
        let alt = self.alt.as_ref().map(read).filter(|it| !it.trim().is_empty());
        let caption = self.caption.as_ref().map(read);
        PictureTexts { alt: alt.map(str::to_string), caption: caption.map(str::to_string) }
    }

    /// Calls `each` for the names of the fields.
    pub fn visit_names(&self, each: &mut dyn FnMut(&str)) {
        [&self.alt, &self.caption].into_iter().flatten().for_each(|it| each(it));
    }
}

/// The texts about one picture.
pub(super) struct PictureTexts {
    /// The alternative text, unless there is none here.
    alt: Option<String>,
    /// The caption; empty if there is none here.
    caption: Option<String>,
}

impl PictureTexts {
    /// Puts the texts into the media items of a field: the alternative text takes the place of that
    /// of the file, and a picture that is described is not decorative here. The stand-in for a file
    /// that the reader may not see has no texts.
    pub(super) fn write_into(&self, shown: &mut Json) {
        let Json::Array(items) = shown else { return };
        for item in items {
            let Json::Object(item) = item else { continue };
            if !item.contains("alt") {
                continue;
            }
            if let Some(alt) = &self.alt {
                item.set("alt", alt.as_str().into());
                item.set("decorative", false.into());
            }
            if let Some(caption) = &self.caption {
                item.set("caption", caption.as_str().into());
            }
        }
    }
}

/// A definition among those of its level.
pub(super) struct LevelMember<'a> {
    /// The path of the definition.
    path: String,
    name: &'a str,
    definition: &'a Map,
}

impl<'a> LevelMember<'a> {
    /// Returns the member of a definition, unless it is none.
    pub(super) fn new(path: String, name: &'a str, definition: &'a Json) -> Option<Self> {
        Some(LevelMember { path, name, definition: definition.as_object()? })
    }

    fn kind_name(&self) -> &str {
        self.definition.get("type").and_then(Json::as_str).unwrap_or("text")
    }
}

/// Checks that media fields name fields of their level that can hold a text, each for one purpose.
pub(super) fn check_level(level: &[LevelMember<'_>], nesting: usize, problems: &mut FieldProblems) {
    let mut used: Vec<(&str, &str)> = Vec::new();
    for member in level.iter().filter(|it| it.kind_name() == "media") {
        for key in SETTINGS {
            let name = member.definition.get(key).and_then(Json::as_str).unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            let user = used.iter().find(|it| it.0 == name);
            let problem = match (check_name(level, name, nesting), user) {
                (None, Some((_, user))) => {
                    Some(format!("The field `{name}` already has a text about `{user}`."))
                }
                (problem, _) => problem,
            };
            if let Some(problem) = problem {
                problems.add(format!("{}.{key}", member.path), problem);
            }
            used.push((name, member.name));
        }
    }
}

/// Returns what is wrong with a field that should hold a text about a picture.
fn check_name(level: &[LevelMember<'_>], name: &str, nesting: usize) -> Option<String> {
    // It is no value among the others: it stands at the top level of an entry.
    if nesting == 0 && name == "title" {
        return Some("The title of the entry cannot be a text about a picture.".to_string());
    }
    let Some(sibling) = level.iter().find(|it| it.name == name) else {
        return Some(format!("There is no field `{name}` beside this one."));
    };
    let kind = sibling.kind_name();
    (!matches!(kind, "text" | "textarea"))
        .then(|| format!("The field `{name}` must be of the type `text` or `textarea`."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::field::Fields;
    use crate::stdx::json::from_text::map;

    #[test]
    fn a_text_about_a_picture_is_a_text_beside_it() {
        let check = |fields: &str, expect: &[&str]| {
            let mut problems = FieldProblems::new();
            Fields::parse(&map(fields), 0, &mut problems);
            let paths: Vec<_> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{fields}: {problems}");
        };
        let texts = r#""a":{},"b":{"type":"textarea"},"c":{"type":"markdown"},"title":{}"#;
        check(
            &format!(r#"{{{texts},"p":{{"type":"media","alt_field":"a","caption_field":"b"}}}}"#),
            &[],
        );
        check(&format!(r#"{{{texts},"p":{{"type":"media","alt_field":""}}}}"#), &[]);
        check(
            &format!(
                r#"{{{texts},"p":{{"type":"media","alt_field":"c","caption_field":"p"}},
                    "q":{{"type":"media","alt_field":"none","caption_field":"title"}}}}"#
            ),
            &["p.alt_field", "p.caption_field", "q.alt_field", "q.caption_field"],
        );
        check(
            &format!(
                r#"{{{texts},"p":{{"type":"media","alt_field":"a","caption_field":"a"}},
                    "q":{{"type":"media","alt_field":"a"}}}}"#
            ),
            &["p.caption_field", "q.alt_field"],
        );
        check(
            r#"{"o":{"type":"object","fields":{"title":{},"p":{"type":"media","alt_field":"title"}}},
                "r":{"type":"repeater","subfields":[{"key":"p","type":"media","alt_field":"x"}]},
                "x":{},
                "z":{"type":"blocks","blocks":{"b":{"fields":{
                    "p":{"type":"media","alt_field":"x"}}}}}}"#,
            &["r.subfields[0].alt_field", "z.blocks.b.fields.p.alt_field"],
        );
    }
}
