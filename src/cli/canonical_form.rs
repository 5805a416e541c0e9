//! The canonical form of a file: keys in a given order, two spaces of indentation, unescaped text,
//! one line feed at the end. Works on the text, so that numbers keep their digits as written.

use std::ops::Range;

use crate::model::content_type::ContentType;
use crate::model::content_type::type_change;
use crate::model::entry::KEYS;
use crate::stdx::json_edit::spans::ChildSpan;
use crate::stdx::json_edit::spans::find_children;
use crate::stdx::json_edit::spans::trimmed_range;
use crate::stdx::json_text::write_string;

/// Returns an entry in canonical form, with the fields in the order of its type, if it is known.
/// Returns `None` only if the text is not JSON.
pub(super) fn canonical_entry(text: &str, ty: Option<&ContentType>) -> Option<Vec<u8>> {
    let mut root = JsonNode::read_document(text)?;
    let fields: Vec<&str> =
        ty.into_iter().flat_map(ContentType::data_fields).map(|it| it.name.as_str()).collect();
    let locales: Vec<&str> = ty.iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
    root.order_members(KEYS);
    root.for_each_under("data", |data| data.order_members(&fields));
    root.for_each_under("translations", |translations| {
        translations.order_members(&locales);
        translations.for_each_member(|translation| {
            translation.order_members(KEYS);
            translation.for_each_under("data", |data| data.order_members(&fields));
        });
    });
    Some(root.to_bytes())
}

/// Returns a schema in canonical form, or `None` if the text is not JSON.
pub(super) fn canonical_schema(text: &str) -> Option<Vec<u8>> {
    let mut root = JsonNode::read_document(text)?;
    root.order_members(type_change::KEYS);
    Some(root.to_bytes())
}

/// A JSON value whose numbers keep their text.
enum JsonNode<'a> {
    Plain(&'a str),
    Text(String),
    Array(Vec<JsonNode<'a>>),
    Object(Vec<(String, JsonNode<'a>)>),
}

impl<'a> JsonNode<'a> {
    fn read_document(text: &'a str) -> Option<JsonNode<'a>> {
        JsonNode::read(text, trimmed_range(text.as_bytes()))
    }

    fn read(text: &'a str, span: Range<usize>) -> Option<JsonNode<'a>> {
        let source = text.get(span.clone())?;
        let children = || find_children(text.as_bytes(), &span).into_iter();
        let member = |it: ChildSpan| {
            let name = serde_json::from_str(text.get(it.start..it.key_end)?).ok()?;
            Some((name, JsonNode::read(text, it.value)?))
        };
        Some(match source.as_bytes().first()? {
            b'{' => JsonNode::Object(children().map(member).collect::<Option<_>>()?),
            b'[' => {
                let items = children().map(|it| JsonNode::read(text, it.value));
                JsonNode::Array(items.collect::<Option<_>>()?)
            }
            b'"' => JsonNode::Text(serde_json::from_str(source).ok()?),
            _ => JsonNode::Plain(source),
        })
    }

    /// Moves the named members to the front, in the order of `names`; the others keep their order.
    fn order_members(&mut self, names: &[&str]) {
        if let JsonNode::Object(members) = self {
            let place = |name: &String| names.iter().position(|known| known == name);
            members.sort_by_key(|(name, _)| place(name).unwrap_or(names.len()));
        }
    }

    fn for_each_under(&mut self, wanted: &str, change: impl Fn(&mut JsonNode<'a>)) {
        if let JsonNode::Object(members) = self {
            members.iter_mut().filter(|(name, _)| name == wanted).for_each(|(_, it)| change(it));
        }
    }

    fn for_each_member(&mut self, change: impl Fn(&mut JsonNode<'a>)) {
        if let JsonNode::Object(members) = self {
            members.iter_mut().for_each(|(_, it)| change(it));
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_node(0, &mut out);
        out.push(b'\n');
        out
    }

    fn write_node(&self, depth: usize, out: &mut Vec<u8>) {
        match self {
            JsonNode::Plain(text) => out.extend_from_slice(text.as_bytes()),
            JsonNode::Text(text) => write_string(text, out),
            JsonNode::Array(items) => {
                write_list(b"[]", items, depth, out, |item, out| item.write_node(depth + 1, out));
            }
            JsonNode::Object(members) => {
                write_list(b"{}", members, depth, out, |(name, value), out| {
                    write_string(name, out);
                    out.extend_from_slice(b": ");
                    value.write_node(depth + 1, out);
                });
            }
        }
    }
}

fn write_list<T>(
    [open, close]: &[u8; 2],
    items: &[T],
    depth: usize,
    out: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>),
) {
    out.push(*open);
    for (index, item) in items.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\n" } else { b"\n" });
        out.extend(std::iter::repeat_n(b' ', 2 * (depth + 1)));
        write(item, out);
    }
    if !items.is_empty() {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', 2 * depth));
    }
    out.push(*close);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::name::TypeName;
    use crate::stdx::json::Json;

    fn check(text: &str, expect: &str) {
        let schema =
            br#"{"locales":["en","de"],"fields":{"b":{"type":"text"},"a":{"type":"text"}}}"#;
        let name = TypeName::parse("posts").unwrap();
        let ty = ContentType::parse(name, &Json::parse(schema).unwrap()).0.unwrap();
        let found = canonical_entry(text, Some(&ty)).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), expect);
    }

    #[test]
    fn keys_come_in_order_and_unknown_ones_after() {
        check(
            r#"{"x":[],"data":{"z":1,"a":2,"b":[3]},"title":"t","translations":{"de":{"data":{"a":1,"b":2},"title":"u"}}}"#,
            r#"{
  "title": "t",
  "data": {
    "b": [
      3
    ],
    "a": 2,
    "z": 1
  },
  "translations": {
    "de": {
      "title": "u",
      "data": {
        "b": 2,
        "a": 1
      }
    }
  },
  "x": []
}
"#,
        );
    }

    #[test]
    fn values_stay_what_they_are() {
        check(
            "{\"n\":[1.0,1e3,123456789012345678901234567890,-0],\r\n\t\"t\":\"\\u00e4\\n\\\"\\\\\",\"o\":{ }}",
            "{\n  \"n\": [\n    1.0,\n    1e3,\n    123456789012345678901234567890,\n    -0\n  ],\n  \
             \"t\": \"ä\\n\\\"\\\\\",\n  \"o\": {}\n}\n",
        );
    }

    proptest! {
        #[test]
        fn the_second_time_changes_nothing(text in "[\\[{\"a:1,}\\] ]{0,24}") {
            if Json::parse(text.as_bytes()).is_ok() {
                let once = canonical_entry(&text, None).unwrap();
                let again = canonical_entry(std::str::from_utf8(&once).unwrap(), None).unwrap();
                prop_assert_eq!(Json::parse(&once).unwrap(), Json::parse(text.as_bytes()).unwrap());
                prop_assert_eq!(once, again);
            }
        }
    }
}
