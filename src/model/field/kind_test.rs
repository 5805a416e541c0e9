//! Tests of the contract of field kinds, run for each entry of the registry with the samples in the
//! file of the kind.

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json::from_text::json;

/// A definition and samples of its values. All texts are JSON.
pub(in crate::model) struct Sample {
    /// A definition without defects.
    pub(in crate::model) definition: &'static str,
    /// Inputs and their stored forms.
    pub(super) accepted: &'static [(&'static str, &'static str)],
    /// Inputs and the path of their only problem.
    pub(super) refused: &'static [(&'static str, &'static str)],
    /// Invalid stored values and their shown forms.
    pub(super) shown: &'static [(&'static str, &'static str)],
    /// Definitions (the type is added) and the path of their only problem.
    pub(super) broken: &'static [(&'static str, &'static str)],
}

/// The samples of each kind, in the order of [`KINDS`].
pub(in crate::model) const ALL_SAMPLES: &[(&str, &[Sample])] = &[
    ("text", text::SAMPLES),
    ("textarea", textarea::SAMPLES),
    ("markdown", markdown::SAMPLES),
    ("html", html::SAMPLES),
    ("number", number::SAMPLES),
    ("range", range::SAMPLES),
    ("boolean", boolean::SAMPLES),
    ("select", select::SAMPLES),
    ("date", date::SAMPLES),
    ("datetime", datetime::SAMPLES),
    ("media", media::SAMPLES),
    ("slug", slug::SAMPLES),
    ("json", json::SAMPLES),
    ("relation", relation::SAMPLES),
    ("repeater", repeater::SAMPLES),
    ("color", color::SAMPLES),
    ("email", email::SAMPLES),
    ("url", url::SAMPLES),
    ("object", object::SAMPLES),
    ("blocks", blocks::SAMPLES),
];

const MEDIA_BASE: &str = "https://x.org/media/default/";

/// A context with two files, three authors and consecutive ids.
#[derive(Default)]
struct SmallWorld {
    ids: Cell<u32>,
}

impl ValueContext for SmallWorld {
    fn resolve_entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String> {
        let authors = [("a1", "ann"), ("b2", "bob"), ("c3", "cleo")];
        let found = authors.iter().find(|it| it.0 == id_or_slug || it.1 == id_or_slug);
        found.filter(|_| *target == "authors").map(|it| it.0.to_string())
    }

    fn resolve_media(&self, name_or_url: &str) -> Option<String> {
        let name = name_or_url.strip_prefix(MEDIA_BASE).unwrap_or(name_or_url).replace("%20", " ");
        ["hero.png", "a b.pdf"].contains(&name.as_str()).then_some(name)
    }

    fn new_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id{}", self.ids.get())
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        sanitize_html(text)
    }
}

/// Parses a definition as that of a field `x`.
pub(super) fn parse(definition: &str) -> (Option<Field>, FieldProblems) {
    let mut problems = FieldProblems::new();
    let name = FieldName::parse("x").unwrap();
    let field = Field::parse(name, &json(definition), 0, &mut problems);
    (field, problems)
}

fn field(definition: &str) -> Field {
    let (field, problems) = parse(definition);
    assert!(problems.is_empty(), "{definition}: {problems}");
    field.unwrap()
}

fn accept(field: &Field, input: &Json) -> Result<Json, FieldProblems> {
    let mut problems = FieldProblems::new();
    let accepted =
        field.kind.accept_input(input, &mut InputCheck::new(&SmallWorld::default(), &mut problems));
    problems.into_result(accepted)
}

fn show(field: &Field, stored: &Json) -> (String, Vec<RelationLink>) {
    let targets = [TypeName::parse("authors").unwrap()];
    let mut show = ValueWriter {
        out: Vec::new(),
        media_base: MEDIA_BASE,
        links: Vec::new(),
        targets: &targets,
    };
    field.kind.write_shown(stored, &mut show);
    (String::from_utf8(show.out).unwrap(), show.links)
}

fn check_schema(field: &Field, form: ValueForm, value: &Json) {
    let schema = field.json_schema(form);
    let validator = jsonschema::draft202012::new(&schema)
        .unwrap_or_else(|error| panic!("{form:?} of {field:?}: {error}: {schema}"));
    if let Err(error) = validator.validate(&Value::from(value)) {
        panic!("{form:?} of {field:?} does not take {value:?}: {error}: {schema}");
    }
}

/// Checks the properties of every accepted value.
fn check_stored(field: &Field, stored: &Json) {
    let again = accept(field, stored);
    assert_eq!(again.as_ref(), Ok(stored), "accepted twice: {field:?}");
    check_schema(field, ValueForm::Stored, stored);
    check_schema(field, ValueForm::Input, stored);
    let (shown, _) = show(field, stored);
    let shown = json(&shown);
    check_schema(field, ValueForm::Shown, &shown);
    check_values(field, &shown);
    let mut problems = FieldProblems::new();
    let mut entry = Map::new();
    entry.push("x", stored.clone());
    let field = parse(&String::from_utf8(Json::from(field.definition.clone()).to_file()).unwrap());
    Fields(field.0.into_iter().collect()).check_object(&entry, &mut problems);
    assert!(problems.is_empty(), "checked: {problems}");
}

/// Checks that comparable values have the form that the comparison announces.
fn check_values(field: &Field, shown: &Json) {
    let numeric = matches!(
        field.kind.comparison(),
        Comparison::Number | Comparison::Bool | Comparison::Date | Comparison::DateTime
    );
    let mut count = 0;
    field.kind.visit_values(shown, &mut |value| {
        count += 1;
        assert_eq!(matches!(value, Comparable::Number(_)), numeric, "{field:?}");
    });
    let expect = match shown {
        Json::Array(items) => items.iter().filter(|it| !it.is_empty()).count(),
        single => usize::from(!single.is_empty()),
    };
    assert_eq!(count, expect, "values of {shown:?} in {field:?}");
}

#[test]
fn every_kind_has_samples() {
    for (index, kind) in KINDS.iter().enumerate() {
        let name = kind.name;
        assert!(
            ALL_SAMPLES.get(index).is_some_and(|it| it.0 == name),
            "`{name}` has no samples: add (\"{name}\", {name}::SAMPLES) as line {} of \
             `ALL_SAMPLES` in kind_test.rs",
            index + 1
        );
    }
    assert_eq!(ALL_SAMPLES.len(), KINDS.len(), "`ALL_SAMPLES` has kinds that `KINDS` lacks");
    assert!(ALL_SAMPLES.iter().all(|it| it.1.iter().any(|it| !it.accepted.is_empty())));
    for (kind, samples) in ALL_SAMPLES {
        for sample in *samples {
            let definition = field(sample.definition).definition;
            assert_eq!(definition.get("type").and_then(Json::as_str), Some(*kind));
        }
    }
}

#[test]
fn nothing_is_a_value_of_every_kind() {
    for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
        let field = field(sample.definition);
        let empty = field.kind.empty_value();
        check_stored(&field, &empty);
        assert_eq!(accept(&field, &Json::Null).as_ref(), Ok(&empty), "{field:?}");
        assert_eq!(json(&show(&field, &Json::Null).0), empty, "{field:?}");
    }
}

#[test]
fn what_comes_in_is_stored_in_one_form() {
    for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
        let field = field(sample.definition);
        for (input, stored) in sample.accepted {
            let (input, stored) = (json(input), json(stored));
            assert_eq!(accept(&field, &input).as_ref(), Ok(&stored), "{input:?} for {field:?}");
            // The schema does not describe that any empty value means no value.
            if !input.is_empty() {
                check_schema(&field, ValueForm::Input, &input);
            }
            check_stored(&field, &stored);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_where_it_stands() {
    for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
        let field = field(sample.definition);
        for (input, path) in sample.refused {
            let problems = accept(&field, &json(input)).expect_err(input);
            assert!(problems.get(path).is_some(), "{input}: {problems:?}");
            for (_, sentence) in problems.iter() {
                assert!(sentence.ends_with('.'), "{sentence}");
                assert!(sentence.starts_with(|it: char| it.is_uppercase() || "`\"".contains(it)));
            }
        }
    }
}

#[test]
fn what_does_not_fit_any_more_is_shown() {
    for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
        let field = field(sample.definition);
        for (stored, shown) in sample.shown {
            assert_eq!(json(&show(&field, &json(stored)).0), json(shown), "{stored}: {field:?}");
        }
    }
}

#[test]
fn what_is_shown_comes_back_as_it_was() {
    for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
        let field = field(sample.definition);
        for (_, stored) in sample.accepted {
            let shown = json(&show(&field, &json(stored)).0);
            assert_eq!(accept(&field, &shown), Ok(json(stored)), "{shown:?} for {field:?}");
        }
    }
}

#[test]
fn defects_of_definitions_are_told_where_they_are() {
    for (kind, samples) in ALL_SAMPLES {
        for (definition, path) in samples.iter().flat_map(|it| it.broken) {
            let mut map = json(definition).as_object().unwrap().clone();
            map.push("type", *kind);
            let text = String::from_utf8(Json::from(map).to_file()).unwrap();
            let problems = parse(&text).1;
            assert_eq!(problems.iter().map(|it| it.0).collect::<Vec<_>>(), [*path], "{text}");
        }
    }
}

#[test]
fn all_defects_of_a_definition_are_told_at_once() {
    let (_, problems) = parse(r#"{"type":"text","pattern":"(","max_length":"x","required":1}"#);
    assert_eq!(problems.len(), 3, "{problems}");
}

#[test]
fn links_say_where_relations_stand() {
    let check = |definition: &str, stored: &str, expect: &[(&str, bool)]| {
        let (shown, links) = show(&field(definition), &json(stored));
        let found: Vec<_> =
            links.iter().map(|it| (&shown[it.start as usize..it.end as usize], it.many)).collect();
        assert_eq!(found, expect);
    };
    check(r#"{"type":"relation","target":"authors"}"#, r#""a1""#, &[(r#""a1""#, false)]);
    check(r#"{"type":"relation","target":"authors"}"#, "5", &[("null", false)]);
    let rows = r#"{"type":"repeater","subfields":[{"key":"n","type":"text"},
        {"key":"a","type":"relation","target":"authors","multiple":true}]}"#;
    check(
        rows,
        r#"[{"n":"x","a":["a1"]},{"n":"y","a":["b2","a1"]}]"#,
        &[(r#"["a1"]"#, true), (r#"["b2","a1"]"#, true)],
    );
}

#[test]
fn references_are_found_however_deep() {
    let definition = r#"{"type":"object","fields":{
        "image":{"type":"media"},
        "rows":{"type":"repeater","subfields":[{"key":"parts","type":"blocks","blocks":{
            "team":{"fields":{"people":{"type":"relation","target":"authors","multiple":true,
                "on_delete":"block"},"lead":{"type":"relation","target":"authors"}}}}}]}}}"#;
    let stored = json(
        r#"{"image":["hero.png","../x"],"rows":[{},{"parts":[{"_type":"team","_id":"a",
            "people":["a1",5],"lead":"b2"},{"_type":"gone","lead":"c3"}]}]}"#,
    );
    let field = field(definition);
    let mut found = Vec::new();
    field.kind.visit_references(&stored, &mut |path, reference| {
        found.push(match reference {
            Reference::Entry { target, id, .. } => format!("{path} {target} {id}"),
            Reference::Media(name) => format!("{path} {name}"),
        });
    });
    assert_eq!(
        found,
        [
            "image[0] hero.png",
            "rows[1].parts[0].people[0] authors a1",
            "rows[1].parts[0].lead authors b2"
        ]
    );
    let mut targets = Vec::new();
    field.kind.visit_relation_targets(&mut |target, on_delete| {
        assert_eq!(*target, "authors");
        targets.push(on_delete);
    });
    assert_eq!(targets, [OnDelete::Block, OnDelete::Keep]);
}

#[test]
fn searched_text_is_found_however_deep() {
    let definition = r#"{"type":"object","fields":{
        "a":{"type":"text"},"b":{"type":"textarea"},"c":{"type":"markdown"},"d":{"type":"html"},
        "e":{"type":"select","multiple":true,"options":["x",2]},"f":{"type":"email"},
        "g":{"type":"url"},"h":{"type":"number"},"i":{"type":"slug"},"j":{"type":"json"},
        "k":{"type":"color"},
        "rows":{"type":"repeater","subfields":[{"key":"n","type":"text"}]},
        "parts":{"type":"blocks","blocks":{"p":{"fields":{"n":{"type":"text"}}}}}}}"#;
    // A slug is only allowed at the top level.
    let definition = definition.replace(r#""i":{"type":"slug"},"#, "");
    let value = json(
        r##"{"a":"A","b":"B","c":"C","d":"<p>D</p>","e":["x",2],"f":"F","g":"G","h":5,"j":"J",
            "k":"#fff","rows":[{"n":"R1"},{"n":"R2"}],"parts":[{"_type":"p","n":"P"},{"n":"Q"}]}"##,
    );
    let mut out = String::new();
    field(&definition).kind.collect_text(&value, &mut out);
    let pieces: Vec<_> = out.lines().map(str::trim).collect();
    assert_eq!(pieces, ["A", "B", "C", "D", "x", "2", "F", "G", "R1", "R2", "P"]);
}

#[test]
fn objects_are_reached_with_dots() {
    let field = field(
        r#"{"type":"object","fields":{"a":{"type":"object","fields":{"b":{"type":"number"}}}}}"#,
    );
    let fields = Fields(vec![field]);
    let comparison = fields.find_nested("x.a.b").map(|it| it.kind.comparison());
    assert_eq!(comparison, Some(Comparison::Number));
    assert!(fields.find_nested("x.a.c").is_none());
    assert!(fields.find_nested("x.a.b.c").is_none());
}

#[test]
fn values_of_json_are_its_items() {
    let values = |shown: &str| {
        let mut found = Vec::new();
        field(r#"{"type":"json"}"#).kind.visit_values(&json(shown), &mut |value| {
            found.push(format!("{value:?}"));
        });
        found
    };
    let one = format!("{:?}", Comparable::WrittenNumber(1.0_f64.into(), "1"));
    assert_eq!(values(r#"["a",1]"#), [r#"Text("a")"#, one.as_str()]);
    assert_eq!(values(r#"{"a": 1}"#), [r#"Text("{\"a\":1}")"#]);
}

#[test]
fn stored_values_are_judged_by_themselves() {
    let definitions = json(
        r#"{"title":{"required":true},"size":{"type":"number"},"image":{"type":"media"},
            "author":{"type":"relation","target":"authors"},
            "more":{"required":true,"visible_if":{"size":[1,2]}},
            "rows":{"type":"repeater","subfields":[{"key":"n","required":true}]}}"#,
    );
    let mut problems = FieldProblems::new();
    let fields = Fields::parse(definitions.as_object().unwrap(), 0, &mut problems);
    assert!(problems.is_empty(), "{problems}");
    let check = |stored: &str, expect: &[&str]| {
        let mut problems = FieldProblems::new();
        fields.check_object(json(stored).as_object().unwrap(), &mut problems);
        assert_eq!(problems.iter().map(|it| it.0).collect::<Vec<_>>(), expect, "{stored}");
    };
    check(r#"{"title":"T"}"#, &[]);
    check(r#"{"title":"T","size":null,"image":"any.png","author":"any","rows":[{"n":"x"}]}"#, &[]);
    check(r#"{"title":null,"rows":[{"n":"x"},{}]}"#, &["rows[1].n", "title"]);
    check(r#"{"title":"T","size":"5"}"#, &["size"]);
    check(r#"{"title":"T","size":1}"#, &["more"]);
    check(r#"{"title":5,"image":["../x"],"author":"no id"}"#, &["title", "image[0]", "author"]);
}

#[test]
fn required_is_told_once_and_only_of_what_is_visible() {
    let definitions = json(
        r#"{"a":{"type":"number","required":true},"b":{"required":true,"visible_if":{"a":1}}}"#,
    );
    let fields = Fields::parse(definitions.as_object().unwrap(), 0, &mut FieldProblems::new());
    let check = |input: &str, expect: &[(&str, &str)]| {
        let (context, mut problems) = (PermissiveContext::sanitizing(), FieldProblems::new());
        let mut check = InputCheck::new(&context, &mut problems);
        fields.accept_object(json(input).as_object().unwrap(), &mut check);
        assert_eq!(problems.iter().collect::<Vec<_>>(), expect, "{input}");
    };
    check("{}", &[("a", REQUIRED)]);
    check(r#"{"a":"x"}"#, &[("a", "This is not a number.")]);
    check(r#"{"a":"1"}"#, &[("b", REQUIRED)]);
    check(r#"{"a":"1","b":"y"}"#, &[]);
}

/// Generates values of all types, including texts that some kind accepts.
fn any_json() -> impl Strategy<Value = Json> {
    let texts = [
        "",
        " ",
        "a",
        " a b ",
        "5",
        "1.50",
        "yes",
        "2026-05-03",
        "2026-05-03 12:00",
        "#FFF",
        "ann",
        "x@y.org",
        "https://x.org",
        "hero.png",
        "<p>a<pre>\n\nb",
        "a\r\r\nb",
        "hero",
        "team",
    ];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::from),
        (-200_i64..200).prop_map(Json::from),
        any::<f64>()
            .prop_map(|it| { serde_json::Number::from_f64(it).map_or(Json::Null, Json::Number) }),
        prop::sample::select(texts.to_vec()).prop_map(Json::from),
        "\\PC{0,8}".prop_map(Json::from),
    ];
    let keys = ["a", "name", "title", "kind", "note", "image", "author", "parts", "people"];
    let keys = [keys.as_slice(), &["_type", "_id", "id", "size", "shown", "why"]].concat();
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let keys = prop::sample::subsequence(keys.clone(), 0..5);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            (keys, prop::collection::vec(inner, 5)).prop_map(|(keys, values)| {
                let members = keys.into_iter().map(str::to_string).zip(values);
                Json::Object(members.collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_was_accepted_is_accepted_again(input in any_json()) {
        for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
            let field = field(sample.definition);
            if let Ok(stored) = accept(&field, &input) {
                check_stored(&field, &stored);
            }
        }
    }

    #[test]
    fn anything_can_be_shown_and_looked_at(stored in any_json()) {
        for sample in ALL_SAMPLES.iter().flat_map(|it| it.1) {
            let field = field(sample.definition);
            let shown = json(&show(&field, &stored).0);
            field.kind.visit_values(&shown, &mut |_| {});
            field.kind.collect_text(&stored, &mut String::new());
            field.kind.visit_references(&stored, &mut |_, _| {});
        }
    }

    #[test]
    fn any_definition_can_be_read(definition in any_json(), kind in 0..KINDS.len()) {
        let mut map = definition.as_object().cloned().unwrap_or_default();
        map.set("type", KINDS[kind].name.into());
        let mut problems = FieldProblems::new();
        let name = FieldName::parse("x").unwrap();
        let parsed = Field::parse(name, &Json::Object(map), 0, &mut problems);
        prop_assert!(parsed.is_some());
    }
}
