//! `blocks`: a list of parts of different shapes, each with a type and a stable id.

use std::collections::HashSet;

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::Fields;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::ItemLimits;
use crate::model::field::limits::add_key;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::is_equivalent;
use crate::model::field::repeater::accept_rows;
use crate::model::field::repeater::render_items;
use crate::model::field::repeater::write_rows;
use crate::model::field::row_matching::PreviousRows;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_context::ValueContext;
use crate::model::field::value_path::item_path;
use crate::model::field::value_path::join_path;
use crate::model::field::value_text::refuse_type;
use crate::model::field::value_writer::ValueWriter;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::name::ICON_BYTES_MAX;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::collector::ANNOTATIONS;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_text::write_string;

pub(super) const KIND: KindEntry = KindEntry {
    name: "blocks",
    about: "An ordered list of blocks of different types.",
    parse: |definition| Box::new(BlocksField::parse(definition)),
    settings,
};

/// The key of a block's type.
const TYPE: &str = "_type";

/// The most presets of a field.
const PRESETS_MAX: usize = 50;

/// The keys of a block type in a definition.
pub(in crate::model) const BLOCK_TYPE_KEYS: &[&str] =
    &["label", "description", "icon", "group", "fields"];

/// The key of a block's id, which stays the same when the block is moved.
pub(in crate::model) const ID: &str = "_id";

#[derive(Debug)]
struct BlocksField {
    types: Vec<BlockType>,
    counts: ItemLimits,
}

#[derive(Debug)]
struct BlockType {
    name: String,
    label: Option<String>,
    description: Option<String>,
    fields: Fields,
}

impl BlocksField {
    fn parse(definition: &mut FieldDefinition<'_>) -> BlocksField {
        let mut types = Vec::new();
        if let Some(map) = definition.get_object("blocks") {
            for (name, block) in map.iter() {
                types.extend(BlockType::parse(name, block, definition));
            }
        }
        check_presets(definition);
        BlocksField { types, counts: ItemLimits::parse(definition, Some("min_items"), "max_items") }
    }

    /// Returns the type of a stored or shown block.
    fn type_of(&self, block: &Map) -> Option<&BlockType> {
        let name = block.get(TYPE)?.as_str()?;
        self.types.iter().find(|it| it.name == name)
    }

    /// Returns the blocks of a value whose type is known, with their indexes.
    fn known_blocks<'a>(
        &'a self,
        value: &'a Json,
    ) -> impl Iterator<Item = (usize, &'a BlockType, &'a Map)> {
        let blocks = value.as_array().unwrap_or_default().iter().enumerate();
        blocks.filter_map(|(index, block)| {
            let map = block.as_object()?;
            Some((index, self.type_of(map)?, map))
        })
    }

    /// Merges a block whose type has not changed.
    fn merge_block(
        &self,
        block: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Option<Json> {
        let sent = block.as_object()?;
        let block_type = self.type_of(sent)?;
        let stays = before.stored.as_object()?.get(TYPE) == sent.get(TYPE);
        stays.then(|| block_type.fields.merge_row(sent, Some(before), check))
    }

    /// Gives each block an id of its own; blocks written by hand may lack one.
    fn assign_ids(&self, blocks: &mut [Json], context: &dyn ValueContext) {
        let mut used_ids = HashSet::new();
        for block in blocks {
            let Json::Object(map) = block else { continue };
            let id = map.get(ID).and_then(Json::as_str).filter(|it| fits_id(it));
            let is_own = id.is_some_and(|it| used_ids.insert(it.to_string()));
            if is_own || self.type_of(map).is_none() {
                continue;
            }
            let id = context.new_id();
            used_ids.insert(id.clone());
            *map = with_id(map, &id);
        }
    }

    fn accept_block(&self, block: &Json, siblings: &[Json], check: &mut InputCheck<'_>) -> Json {
        let Json::Object(map) = block else {
            return refuse_type("an object", block, check.problems);
        };
        let Some(block_type) = self.type_of(map) else {
            let names: Vec<_> = self.types.iter().map(|it| it.name.as_str()).collect();
            let names = names.join(", ");
            check.problems.add(TYPE, format!("This must be one of the block types: {names}."));
            return Json::Null;
        };
        let id =
            block_id(map, check.problems).filter(|id| !siblings.iter().any(|it| has_id(it, id)));
        let mut accepted = Map::new();
        accepted.push(TYPE, block_type.name.as_str());
        accepted.push(ID, id.map_or_else(|| check.context.new_id(), str::to_string));
        block_type.fields.accept_object(map, check).into_iter().for_each(|(name, value)| {
            accepted.push(name, value);
        });
        Json::Object(accepted)
    }
}

/// Checks the presets: groups of blocks with a name that editors insert in one step. Only editors
/// use them, so the values of their blocks may be incomplete; a save checks what was inserted.
fn check_presets(definition: &mut FieldDefinition<'_>) {
    let types: HashSet<&str> = definition
        .get("blocks")
        .and_then(Json::as_object)
        .map(|types| types.iter().map(|(name, _)| name).collect())
        .unwrap_or_default();
    let presets = definition.get_list("presets");
    if presets.len() > PRESETS_MAX {
        definition.problems.add("presets", format!("There can be at most {PRESETS_MAX} presets."));
    }
    for (index, preset) in presets.iter().enumerate() {
        let path = format!("presets[{index}]");
        let Json::Object(map) = preset else {
            definition.add_type_problem(&path, "an object with `label` and `rows`", preset);
            continue;
        };
        let mut input = ObjectReader::new(map);
        input.filled_text("label");
        let rows = input.list("rows").unwrap_or_default();
        if rows.is_empty() {
            input.add_problem("rows", wording::REQUIRED);
        }
        for (row, block) in rows.iter().enumerate() {
            let name = block.as_object().and_then(|it| it.get(TYPE)).and_then(Json::as_str);
            if !name.is_some_and(|it| types.contains(it)) {
                let names = format!("This must be one of the block types: {}.", list_names(&types));
                input.add_problem(format!("rows[{row}].{TYPE}"), names);
            }
        }
        definition.problems.extend(input.into_problems().with_prefix(&path));
    }
}

fn list_names(types: &HashSet<&str>) -> String {
    let mut names: Vec<&str> = types.iter().copied().collect();
    names.sort_unstable();
    names.join(", ")
}

/// Returns the id that was sent with a block.
fn block_id<'a>(block: &'a Map, problems: &mut FieldProblems) -> Option<&'a str> {
    let sent = block.get(ID).filter(|it| !it.is_empty())?;
    let id = sent.as_str().filter(|it| fits_id(it));
    if id.is_none() {
        problems.add(ID, "An id must be 1 to 64 letters, digits, hyphens and underscores.");
    }
    id
}

/// Fills in the ids of blocks that were sent without one: a block equal to the shown block at the
/// same position gets the id of that block. Clients that do not know ids can send back what they
/// read without changing anything.
fn with_known_ids(sent: &[Json], shown: &Json) -> Vec<Json> {
    let named: HashSet<&str> = sent.iter().filter_map(id_of).collect();
    let known = |block: &Json, shown: &Json| {
        let (map, there) = (block.as_object()?, shown.as_object()?);
        let id = id_of(shown).filter(|it| !map.contains(ID) && !named.contains(it))?;
        let is_said = |(key, value): (&str, &Json)| match map.get(key) {
            Some(given) => is_equivalent(given, value) || given.is_empty() && value.is_empty(),
            None => key == ID || value.is_empty(),
        };
        let is_it = there.iter().all(is_said) && map.iter().all(|(key, _)| there.contains(key));
        is_it.then(|| Json::Object(with_id(map, id)))
    };
    let shown = shown.as_array().unwrap_or_default();
    let beside = sent.iter().zip(shown.iter().map(Some).chain(std::iter::repeat(None)));
    let block = |(sent, shown): (&Json, Option<&Json>)| {
        shown.and_then(|it| known(sent, it)).unwrap_or_else(|| sent.clone())
    };
    beside.map(block).collect()
}

fn has_id(block: &Json, id: &str) -> bool {
    id_of(block) == Some(id)
}

fn id_of(block: &Json) -> Option<&str> {
    block.as_object()?.get(ID)?.as_str()
}

/// Returns the block with this id, written after the type.
fn with_id(block: &Map, id: &str) -> Map {
    let (mut named, mut rest) = (Map::new(), block.clone());
    named.push(TYPE, rest.remove(TYPE).unwrap_or_default());
    named.push(ID, id);
    rest.remove(ID);
    rest.into_iter().for_each(|(key, value)| named.push(key, value));
    named
}

/// Returns true if a text is valid as the name of a block type or the id of a block.
fn fits_id(text: &str) -> bool {
    let fits = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(fits)
}

impl BlockType {
    fn parse(name: &str, block: &Json, definition: &mut FieldDefinition<'_>) -> Option<BlockType> {
        let path = format!("blocks.{name}");
        if !fits_id(name) {
            let problem = "A block type has 1 to 64 letters, digits, hyphens and underscores.";
            definition.problems.add(path, problem);
            return None;
        }
        let Json::Object(map) = block else {
            definition.add_type_problem(&path, "an object with `label` and `fields`", block);
            return None;
        };
        let mut found = FieldProblems::new();
        let mut settings =
            FieldDefinition { map, nesting: definition.nesting, problems: &mut found };
        let label = settings.get_text("label");
        let description = settings.get_text("description");
        check_menu_settings(&mut settings);
        let none = Map::new();
        let members = settings.get_object("fields").unwrap_or(&none);
        for reserved in [TYPE, ID].into_iter().filter(|it| members.contains(it)) {
            settings
                .problems
                .add(format!("fields.{reserved}"), "Every block already has this key.");
        }
        let fields = settings
            .parse_nested("fields", |nesting, problems| Fields::parse(members, nesting, problems));
        definition.problems.extend(found.with_prefix(&path));
        Some(BlockType { name: name.to_string(), label, description, fields })
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let mut schema = self.fields.row_schema(form);
        let mut required = vec![Value::from(TYPE)];
        if let Some(Value::Array(fields)) = schema.get_mut("required") {
            required.append(fields);
        }
        schema["required"] = required.into();
        schema["properties"][TYPE] = json!({ "const": self.name });
        schema["properties"][ID] = json!({ "type": ["string", "null"] });
        add_key(&mut schema, "title", self.label.as_deref());
        add_key(&mut schema, "description", self.description.as_deref());
        schema
    }
}

/// Checks what only the menu shows in which editors choose a block.
fn check_menu_settings(settings: &mut FieldDefinition<'_>) {
    settings.get_text("group");
    if settings.get_text("icon").is_some_and(|it| it.len() > ICON_BYTES_MAX) {
        settings.problems.add("icon", wording::too_large(ICON_BYTES_MAX));
    }
}

impl FieldKind for BlocksField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let accept = |block: &Json, before: &[Json], found: &mut FieldProblems| {
            self.accept_block(block, before, &mut InputCheck::new(check.context, found))
        };
        accept_rows("a list of blocks", input, &self.counts, check.problems, accept)
    }

    /// Matches existing blocks by their id. A block stays the same block as long as its type does.
    fn merge_changed(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        let (Json::Array(sent), Some(rows)) = (input, PreviousRows::from_value(before)) else {
            return self.accept_input(input, check);
        };
        self.counts.check_count(sent.len(), check.problems);
        let merge = |block: &Json,
                     before: Option<PreviousValue<'_>>,
                     siblings: &[Json],
                     found: &mut _| {
            match before.and_then(|it| {
                self.merge_block(block, it, &mut InputCheck::new(check.context, found))
            }) {
                Some(merged) => merged,
                None => {
                    self.accept_block(block, siblings, &mut InputCheck::new(check.context, found))
                }
            }
        };
        let sent = with_known_ids(sent, before.shown);
        let mut merged = rows.merge_rows(&sent, check.problems, id_of, merge);
        self.assign_ids(&mut merged, check.context);
        merged.into()
    }

    fn empty_value(&self) -> Json {
        Json::Array(Vec::new())
    }

    /// Shows only the type and the id of a block whose type is no longer defined, since its other
    /// members belong to a removed definition.
    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        write_rows(stored, show, |block, show| {
            let Json::Object(map) = block else {
                return block.write_compact(&mut show.out);
            };
            show.out.push(b'{');
            let mut comma = false;
            for key in [TYPE, ID] {
                let Some(value) = map.get(key).and_then(Json::as_str) else { continue };
                if std::mem::replace(&mut comma, true) {
                    show.out.push(b',');
                }
                write_string(key, &mut show.out);
                show.out.push(b':');
                write_string(value, &mut show.out);
            }
            if let Some(block_type) = self.type_of(map) {
                block_type.fields.write_members(map, show);
            }
            show.out.push(b'}');
        });
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        self.known_blocks(value)
            .for_each(|(_, block_type, block)| block_type.fields.collect_text(block, out));
    }

    fn visit_references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for (index, block_type, block) in self.known_blocks(stored) {
            let at = |path: &str| join_path(&item_path(index), path);
            block_type.fields.visit_references(block, &mut |path, it| each(&at(path), it));
        }
    }

    fn replace_media(&self, shown: &mut Json, make: &mut dyn FnMut(&str) -> Json) {
        let Json::Array(blocks) = shown else { return };
        for block in blocks {
            let Json::Object(map) = block else { continue };
            if let Some(block_type) = self.type_of(map) {
                block_type.fields.replace_media(map, make);
            }
        }
    }

    fn render_markdown(&self, shown: &Json, render: &mut dyn FnMut(&str) -> Json) -> Option<Json> {
        render_items(shown, &mut |block| {
            let block_type = self.type_of(block);
            block_type.map(|it| it.fields.render_markdown(block, render)).unwrap_or_default()
        })
    }

    fn collect_unknown_keys<'a>(&'a self, stored: &'a Json, found: &mut UnknownKeyCollector<'a>) {
        for (index, block_type, block) in self.known_blocks(stored) {
            found.look_inside_item(index, |found| {
                block_type.fields.collect_unknown_members(block, found, &[TYPE, ID]);
            });
        }
    }

    fn visit_relation_targets(&self, each: &mut dyn FnMut(&TypeName, OnDelete)) {
        self.types.iter().for_each(|it| it.fields.visit_relation_targets(each));
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let mut shapes: Vec<_> = self.types.iter().map(|it| it.json_schema(form)).collect();
        if form == ValueForm::Shown || shapes.is_empty() {
            shapes.push(json!({ "type": "object" }));
        }
        let mut schema = json!({ "type": ["array", "null"], "items": { "anyOf": shapes } });
        if form == ValueForm::Stored {
            self.counts.add_to_schema(&mut schema);
        }
        schema
    }
}

fn settings() -> Value {
    let mut settings = ItemLimits::settings_schema();
    let blocks = json!({
        "type": "object",
        "description": "The block types, by name.",
        "propertyNames": { "pattern": "^[A-Za-z0-9_-]{1,64}$" },
        "additionalProperties": {
            "type": "object",
            "properties": {
                "label": { "type": "string", "description": "The name that people see." },
                "description": {
                    "type": "string",
                    "description": "A sentence that helps to choose the block.",
                },
                "icon": {
                    "type": "string",
                    "maxLength": ICON_BYTES_MAX,
                    "description": "An icon of the admin interface.",
                },
                "group": {
                    "type": "string",
                    "description": "The heading under which the block is listed.",
                },
                "fields": { "$ref": "#/$defs/fields" },
            },
            "patternProperties": { ANNOTATIONS: {} },
            "additionalProperties": false,
        },
    });
    add_key(&mut settings, "blocks", Some(blocks));
    let presets = json!({
        "type": "array",
        "description": "Groups of blocks with a name, which editors insert in one step.",
        "maxItems": PRESETS_MAX,
        "items": {
            "type": "object",
            "required": ["label", "rows"],
            "properties": {
                "label": { "type": "string", "description": "The name that people see." },
                "rows": {
                    "type": "array",
                    "description": "The blocks as they stand in a value, without `_id`.",
                    "minItems": 1,
                    "items": { "type": "object", "required": [TYPE] },
                },
            },
            "patternProperties": { ANNOTATIONS: {} },
            "additionalProperties": false,
        },
    });
    add_key(&mut settings, "presets", Some(presets));
    settings
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"blocks","max_items":3,"blocks":{
            "hero":{"label":"Hero","description":"Opens a page","icon":"star","group":"Tops",
                "fields":{
                "title":{"type":"text","required":true},"image":{"type":"media"}}},
            "team":{"fields":{
                "people":{"type":"relation","target":"authors","multiple":true}}}},
            "presets":[{"label":"Opening","rows":[{"_type":"hero","title":"Hello"}]}]}"#,
        accepted: &[
            (
                r#"[{"title":"T","_type":"hero","_id":"x-1","extra":1}]"#,
                r#"[{"_type":"hero","_id":"x-1","title":"T","image":[]}]"#,
            ),
            (
                r#"[{"_type":"team","_id":null},{"_type":"team","_id":"a"},
                    {"_type":"team","_id":"a","people":["ann"]}]"#,
                r#"[{"_type":"team","_id":"id1","people":[]},{"_type":"team","_id":"a","people":[]},
                    {"_type":"team","_id":"id2","people":["a1"]}]"#,
            ),
            ("[]", "[]"),
            (r#""""#, "[]"),
        ],
        refused: &[
            (r#"[{"_type":"hero","title":"T"},{"_type":"hero"}]"#, "[1].title"),
            (r#"[{"_type":"gone"}]"#, "[0]._type"),
            (r#"[{"title":"T"}]"#, "[0]._type"),
            (r#"[{"_type":"team","_id":"a b"}]"#, "[0]._id"),
            (r#"[{"_type":"team","people":["a1","x"]}]"#, "[0].people[1]"),
            (r#"["hero"]"#, "[0]"),
            (r#"{"_type":"hero"}"#, ""),
            (r#"[{"_type":"team"},{"_type":"team"},{"_type":"team"},{"_type":"team"}]"#, ""),
        ],
        shown: &[
            ("null", "[]"),
            (
                r#"[{"_type":"hero","image":"a","title":"T","secret":1}]"#,
                r#"[{"_type":"hero","title":"T","image":["https://x.org/media/default/a"]}]"#,
            ),
            (
                r#"[{"_type":"gone","_id":"a","secret":1},{"secret":1},5]"#,
                r#"[{"_type":"gone","_id":"a"},{},5]"#,
            ),
            (
                r#"[{"_type":"team","_id":"a","people":["a1",{"x":1}]}]"#,
                r#"[{"_type":"team","_id":"a","people":["a1"]}]"#,
            ),
            (r#""x""#, r#""x""#),
        ],
        broken: &[
            (r#"{"blocks":[]}"#, "blocks"),
            (r#"{"blocks":{"a b":{}}}"#, "blocks.a b"),
            (r#"{"blocks":{"a":[]}}"#, "blocks.a"),
            (r#"{"blocks":{"a":{"label":5}}}"#, "blocks.a.label"),
            (r#"{"blocks":{"a":{"description":5}}}"#, "blocks.a.description"),
            (r#"{"blocks":{"a":{"icon":[]}}}"#, "blocks.a.icon"),
            (
                r#"{"blocks":{"a":{"icon":
                    "65-bytes-are-more-than-the-name-of-an-icon-may-have-in-any-schema"}}}"#,
                "blocks.a.icon",
            ),
            (r#"{"blocks":{"a":{"group":true}}}"#, "blocks.a.group"),
            (r#"{"blocks":{"a":{"fields":[]}}}"#, "blocks.a.fields"),
            (r#"{"blocks":{"a":{"fields":{"_id":{}}}}}"#, "blocks.a.fields._id"),
            (r#"{"blocks":{"a":{"fields":{"x":{"type":"slug"}}}}}"#, "blocks.a.fields.x.type"),
            (r#"{"min_items":2,"max_items":1}"#, "max_items"),
            (r#"{"presets":{}}"#, "presets"),
            (r#"{"presets":["a"]}"#, "presets[0]"),
            (r#"{"presets":[{"label":"A","rows":[{"_type":"a"}]}]}"#, "presets[0].rows[0]._type"),
            (r#"{"presets":[{"label":"A","rows":[]}]}"#, "presets[0].rows"),
            (r#"{"blocks":{"a":{}},"presets":[{"rows":[{"_type":"a"}]}]}"#, "presets[0].label"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"blocks"}"#,
        accepted: &[("[]", "[]")],
        refused: &[(r#"[{"_type":"a"}]"#, "[0]._type")],
        shown: &[],
        broken: &[],
    },
];
