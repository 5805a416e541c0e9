//! A field definition during parsing.

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The maximum nesting depth of definitions: repeaters, objects and blocks inside one another.
pub(super) const NESTING_MAX: usize = 5;

/// A field definition during parsing: typed access to its settings, and the defects with their
/// paths.
#[derive(Debug)]
pub struct FieldDefinition<'a> {
    /// The definition as written.
    pub map: &'a Map,
    /// The nesting depth of this definition.
    pub nesting: usize,
    /// The defects so far, with paths below the field.
    pub problems: &'a mut FieldProblems,
}

impl<'a> FieldDefinition<'a> {
    /// Returns the value of a key, unless it is `null`.
    pub fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|it| !matches!(it, Json::Null))
    }

    /// Adds a problem about a setting of the wrong type.
    pub fn add_type_problem(&mut self, key: &str, wanted: &str, got: &Json) {
        self.problems.add(key, wording::wrong_type(wanted, got));
    }

    fn read<T>(&mut self, read: impl FnOnce(&mut ObjectReader<'a>) -> T) -> T {
        let mut input = ObjectReader::new(self.map);
        let value = read(&mut input);
        self.problems.extend(input.into_problems());
        value
    }

    /// Returns a text, if given.
    pub fn get_text(&mut self, key: &str) -> Option<String> {
        self.read(|it| it.text(key)).map(str::to_string)
    }

    /// Returns a boolean, or `otherwise`.
    pub fn get_flag(&mut self, key: &str, otherwise: bool) -> bool {
        self.read(|it| it.flag(key)).unwrap_or(otherwise)
    }

    /// Returns a finite number, if given.
    pub fn get_number(&mut self, key: &str) -> Option<f64> {
        self.read(|it| it.number(key)).filter(|it| it.is_finite())
    }

    /// Returns a count, if given.
    pub fn get_count(&mut self, key: &str) -> Option<usize> {
        let number = self.get_number(key)?;
        if number > f64::from(u32::MAX) {
            self.problems.add(key, wording::not_whole_within(0, u32::MAX));
            return None;
        }
        if number < 0.0 || number.fract() != 0.0 {
            self.problems.add(key, wording::not_whole_from(0));
            return None;
        }
        Some(number as usize)
    }

    /// Returns a list; an empty one if none is given.
    pub fn get_list(&mut self, key: &str) -> &'a [Json] {
        self.read(|it| it.list(key)).unwrap_or_default()
    }

    /// Returns an object, if given.
    pub fn get_object(&mut self, key: &str) -> Option<&'a Map> {
        self.read(|it| it.object(key))
    }

    /// Parses the definitions inside this one, unless they are nested too deep. Their problems get
    /// paths below `path`.
    pub fn parse_nested<T: Default>(
        &mut self,
        path: &str,
        read: impl FnOnce(usize, &mut FieldProblems) -> T,
    ) -> T {
        if self.nesting >= NESTING_MAX {
            self.problems
                .add("type", format!("Fields can be nested at most {NESTING_MAX} levels deep."));
            return T::default();
        }
        let mut found = FieldProblems::new();
        let nested = read(self.nesting + 1, &mut found);
        self.problems.extend(found.with_prefix(path));
        nested
    }

    /// Returns `visible_if`: names of fields with the values that make this field visible.
    pub(super) fn get_conditions(&mut self) -> Vec<(String, Vec<Json>)> {
        let Some(map) = self.get("visible_if").filter(|it| !it.is_empty()).and_then(|value| {
            let map = value.as_object();
            if map.is_none() {
                self.add_type_problem(
                    "visible_if",
                    "a map from a field to a value or a list",
                    value,
                );
            }
            map
        }) else {
            return Vec::new();
        };
        let wanted = |value: &Json| match value {
            Json::Array(values) => values.clone(),
            single => vec![single.clone()],
        };
        map.iter().map(|(name, value)| (name.to_string(), wanted(value))).collect()
    }
}
