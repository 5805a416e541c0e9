//! Saved views of lists: a query and columns for the entries of a type. Those of a user are in the
//! user's file, by workspace and type; shared ones in the file of the workspace, by type.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The key of the views in both files.
pub const VIEWS: &str = "views";

/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 100;

/// The most bytes of a query.
pub const QUERY_BYTES_MAX: usize = 4_096;

/// The most columns of a view.
pub const COLUMNS_MAX: usize = 50;

/// The sentence about an id that is there twice.
pub const SAME_ID: &str = "Another view has this id.";

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SavedView {
    /// The unique id.
    pub id: String,
    /// The name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    pub name: String,
    /// The query string of the list.
    #[schemars(length(max = QUERY_BYTES_MAX))]
    pub query: String,
    /// The columns to show, in their order.
    #[schemars(length(max = COLUMNS_MAX))]
    pub columns: Vec<String>,
}

/// The saved views of one type in a file.
#[derive(Debug, Default)]
pub struct StoredViews {
    /// The views that can be read.
    pub views: Vec<SavedView>,
    /// The reasons why the others cannot be read.
    pub problems: FieldProblems,
    /// All items of the list, with the ids of the views that can be read.
    items: Vec<(Option<String>, Json)>,
}

impl SavedView {
    fn read(mut input: ObjectReader<'_>) -> Result<SavedView, FieldProblems> {
        let id = input.required_text("id").unwrap_or_default().to_string();
        let name = input.required_text("name").unwrap_or_default().to_string();
        let query = input.text("query").unwrap_or_default().to_string();
        let columns = input.texts("columns").unwrap_or_default();
        let columns = columns.into_iter().map(str::to_string).collect();
        input.into_result(SavedView { id, name, query, columns })
    }

    /// Sets the members of the view in its file.
    fn write_to(&self, map: &mut Map) {
        map.set("id", self.id.as_str().into());
        map.set("name", self.name.as_str().into());
        map.set("query", self.query.as_str().into());
        let columns: Vec<Json> = self.columns.iter().map(|it| it.as_str().into()).collect();
        map.set("columns", columns.into());
    }
}

impl StoredViews {
    /// Reads the list of a type. Items that cannot be read, perhaps written by hand, are skipped.
    pub fn read(json: Option<&Json>) -> StoredViews {
        let mut stored = StoredViews::default();
        let Some(json) = json.filter(|it| **it != Json::Null) else { return stored };
        let Some(items) = json.as_array() else {
            stored.problems.add("", wording::wrong_type(wording::LIST, json));
            return stored;
        };
        for (place, item) in items.iter().enumerate() {
            let read = ObjectReader::from_json(item).and_then(SavedView::read);
            let is_known = |id: &str| stored.views.iter().any(|it| it.id == id);
            let read = read.and_then(|view| match is_known(&view.id) {
                true => Err(FieldProblems::from_problem("id", SAME_ID)),
                false => Ok(view),
            });
            let id = read.as_ref().ok().map(|it| it.id.clone());
            stored.items.push((id, item.clone()));
            match read {
                Ok(view) => stored.views.push(view),
                Err(found) => stored.problems.extend(found.with_prefix(&format!("[{place}]"))),
            }
        }
        stored
    }

    /// Returns the list with other views in the place of those that can be read. What else the file
    /// says stays: keys that mean nothing, and items that cannot be read.
    pub fn replace_views(&self, views: &[SavedView]) -> Json {
        let written = views.iter().map(|view| {
            let known = self.items.iter().find(|(id, _)| id.as_deref() == Some(view.id.as_str()));
            let known = known.and_then(|(_, item)| item.as_object());
            let mut map = known.cloned().unwrap_or_default();
            view.write_to(&mut map);
            Json::from(map)
        });
        let unreadable = self.items.iter().filter(|(id, _)| id.is_none());
        let kept = unreadable.map(|(_, item)| item.clone());
        written.chain(kept).collect::<Vec<Json>>().into()
    }
}

/// Returns the problems of the shared views in the file of a workspace.
pub fn find_problems_in_workspace(views: &Map) -> FieldProblems {
    let mut found = FieldProblems::new();
    for (of, list) in views.iter() {
        found.extend(StoredViews::read(Some(list)).problems.with_prefix(of));
    }
    found.with_prefix(VIEWS)
}

/// Returns the problems of the views in the file of a user.
pub fn find_problems_in_user(file: &Json) -> FieldProblems {
    let mut found = FieldProblems::new();
    let views = file.as_object().and_then(|it| it.get(VIEWS)).and_then(Json::as_object);
    for (ws, types) in views.into_iter().flat_map(Map::iter) {
        match types {
            Json::Object(types) => {
                for (of, list) in types.iter() {
                    let problems = StoredViews::read(Some(list)).problems;
                    found.extend(problems.with_prefix(of).with_prefix(ws));
                }
            }
            Json::Null => {}
            other => found.add(ws, wording::wrong_type(wording::OBJECT, other)),
        }
    }
    found.with_prefix(VIEWS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;
    use crate::stdx::json::from_text::map;

    #[test]
    fn what_cannot_be_read_is_told_and_kept() {
        let list = r#"[{"id":"a","name":"A","note":1},{"name":"B"},7,{"id":"a","name":"C"},
            {"id":"d","name":"D","query":5,"columns":[1]}]"#;
        let stored = StoredViews::read(Some(&json(list)));
        assert_eq!(stored.views.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["a"]);
        let told: Vec<&str> = stored.problems.iter().map(|(path, _)| path).collect();
        assert_eq!(told, ["[1].id", "[2]", "[3].id", "[4].query", "[4].columns"]);

        let mut view = stored.views[0].clone();
        view.name = "A2".to_string();
        let new = SavedView { id: "n".to_string(), name: "N".to_string(), ..view.clone() };
        let expect = r#"[{"id":"a","name":"A2","note":1,"query":"","columns":[]},
            {"id":"n","name":"N","query":"","columns":[]},
            {"name":"B"},7,{"id":"a","name":"C"},{"id":"d","name":"D","query":5,"columns":[1]}]"#;
        assert_eq!(stored.replace_views(&[view, new]), json(expect));
        let kept = r#"[{"name":"B"},7,{"id":"a","name":"C"},
            {"id":"d","name":"D","query":5,"columns":[1]}]"#;
        assert_eq!(stored.replace_views(&[]), json(kept));
    }

    #[test]
    fn wrong_shapes_are_found_at_their_places() {
        let paths = |found: FieldProblems| -> Vec<String> {
            found.iter().map(|(path, _)| path.to_string()).collect()
        };
        let shared = map(r#"{"posts":[{"id":"a"}],"pages":{},"notes":null}"#);
        assert_eq!(
            paths(find_problems_in_workspace(&shared)),
            ["views.posts[0].name", "views.pages"]
        );
        let user = json(r#"{"views":{"main":{"posts":["x"]},"other":[]}}"#);
        assert_eq!(paths(find_problems_in_user(&user)), ["views.main.posts[0]", "views.other"]);
        assert!(find_problems_in_user(&json("{}")).is_empty());
    }
}
