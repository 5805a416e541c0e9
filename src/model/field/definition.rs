//! A definition while its kind reads it.

use crate::model::field::Fields;
use crate::model::field::NESTING_MAX;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// A definition while its kind reads it: settings by key, each defect with its path.
#[derive(Debug)]
pub struct Definition<'a> {
    /// The definition as written.
    pub map: &'a Map,
    /// How many definitions this one is inside of.
    pub nesting: usize,
    /// Defects so far, with paths below the field.
    pub problems: &'a mut FieldProblems,
}

impl<'a> Definition<'a> {
    /// What stands under the key, unless it is `null`.
    pub fn get(&self, key: &str) -> Option<&'a Json> {
        self.map.get(key).filter(|it| !matches!(it, Json::Null))
    }

    /// Adds the problem of a setting that is of another type than it should be.
    pub fn wrong(&mut self, key: &str, wanted: &str, got: &Json) {
        self.problems.add(key, format!("This is {wanted}, not {}.", got.kind()));
    }

    /// A text, if given.
    pub fn text(&mut self, key: &str) -> Option<String> {
        match self.get(key)? {
            Json::String(text) => Some(text.clone()),
            other => {
                self.wrong(key, "a text", other);
                None
            }
        }
    }

    /// A truth value, or `otherwise`.
    pub fn flag(&mut self, key: &str, otherwise: bool) -> bool {
        match self.get(key) {
            None => otherwise,
            Some(Json::Bool(value)) => *value,
            Some(other) => {
                self.wrong(key, "true or false", other);
                otherwise
            }
        }
    }

    /// A finite number, if given.
    pub fn number(&mut self, key: &str) -> Option<f64> {
        match self.get(key)? {
            Json::Number(number) => number.as_f64().filter(|it| it.is_finite()),
            other => {
                self.wrong(key, "a number", other);
                None
            }
        }
    }

    /// A count, if given.
    pub fn count(&mut self, key: &str) -> Option<usize> {
        let number = self.number(key)?;
        if number < 0.0 || number.fract() != 0.0 || number > f64::from(u32::MAX) {
            self.problems.add(key, "This is a whole number, 0 or more.");
            return None;
        }
        Some(number as usize)
    }

    /// A list, empty unless given.
    pub fn list(&mut self, key: &str) -> &'a [Json] {
        match self.get(key) {
            None => &[],
            Some(Json::Array(items)) => items,
            Some(other) => {
                self.wrong(key, "a list", other);
                &[]
            }
        }
    }

    /// An object, if given.
    pub fn object(&mut self, key: &str) -> Option<&'a Map> {
        match self.get(key)? {
            Json::Object(map) => Some(map),
            other => {
                self.wrong(key, "an object", other);
                None
            }
        }
    }

    /// Reads definitions inside this one, unless it is nested too deep already. Their problems are
    /// found below `path`.
    pub fn nested(
        &mut self,
        path: &str,
        read: impl FnOnce(usize, &mut FieldProblems) -> Fields,
    ) -> Fields {
        if self.nesting >= NESTING_MAX {
            self.problems.add("type", format!("Fields are nested at most {NESTING_MAX} deep."));
            return Fields::default();
        }
        let mut found = FieldProblems::new();
        let fields = read(self.nesting + 1, &mut found);
        self.problems.extend(found.at(path));
        fields
    }

    /// `visible_if`: field names with the values that make this field visible.
    pub(super) fn conditions(&mut self) -> Vec<(String, Vec<Json>)> {
        let Some(map) = self.get("visible_if").filter(|it| !it.is_empty()).and_then(|value| {
            let map = value.as_object();
            if map.is_none() {
                self.wrong("visible_if", "a map from a field to a value or a list", value);
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
