//! The canonical form of a file: keys in a given order, two spaces, text unescaped, line feeds, one
//! at the end. Works on the text, so that numbers keep the digits they were written with.

use crate::model::content_type::ContentType;
use crate::model::entry::KEYS;
use crate::model::schema;
use crate::stdx::json::write_string;

/// An entry of this type, or of one that is not known. Nothing when the text is no JSON.
pub(super) fn entry(text: &str, ty: Option<&ContentType>) -> Option<Vec<u8>> {
    let mut root = Reader::new(text).document()?;
    let fields: Vec<&str> =
        ty.into_iter().flat_map(ContentType::data_fields).map(|it| it.name.as_str()).collect();
    let locales: Vec<&str> = ty.iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
    root.order(KEYS);
    root.each_under("data", |data| data.order(&fields));
    root.each_under("translations", |translations| {
        translations.order(&locales);
        translations.each_member(|translation| {
            translation.order(KEYS);
            translation.each_under("data", |data| data.order(&fields));
        });
    });
    Some(root.to_file())
}

/// A schema. Nothing when the text is no JSON.
pub(super) fn schema(text: &str) -> Option<Vec<u8>> {
    let mut root = Reader::new(text).document()?;
    root.order(schema::KEYS);
    Some(root.to_file())
}

/// A JSON value whose numbers are as they were written.
enum Node<'a> {
    Plain(&'a str),
    Text(String),
    Array(Vec<Node<'a>>),
    Object(Vec<(String, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// Puts the named members first, in their order; the others follow in theirs.
    fn order(&mut self, names: &[&str]) {
        if let Node::Object(members) = self {
            let place = |name: &String| names.iter().position(|known| known == name);
            members.sort_by_key(|(name, _)| place(name).unwrap_or(names.len()));
        }
    }

    fn each_under(&mut self, wanted: &str, change: impl Fn(&mut Node<'a>)) {
        if let Node::Object(members) = self {
            members.iter_mut().filter(|(name, _)| name == wanted).for_each(|(_, it)| change(it));
        }
    }

    fn each_member(&mut self, change: impl Fn(&mut Node<'a>)) {
        if let Node::Object(members) = self {
            members.iter_mut().for_each(|(_, it)| change(it));
        }
    }

    fn to_file(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(0, &mut out);
        out.push(b'\n');
        out
    }

    fn write(&self, depth: usize, out: &mut Vec<u8>) {
        match self {
            Node::Plain(text) => out.extend_from_slice(text.as_bytes()),
            Node::Text(text) => write_string(text, out),
            Node::Array(items) => {
                write_list(b"[]", items, depth, out, |item, out| item.write(depth + 1, out));
            }
            Node::Object(members) => {
                write_list(b"{}", members, depth, out, |(name, value), out| {
                    write_string(name, out);
                    out.extend_from_slice(b": ");
                    value.write(depth + 1, out);
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

/// Reads text that has been found to be JSON of bounded depth; anything else ends in nothing.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text }
    }

    fn document(mut self) -> Option<Node<'a>> {
        let node = self.node()?;
        self.skip_space();
        self.rest.is_empty().then_some(node)
    }

    fn node(&mut self) -> Option<Node<'a>> {
        self.skip_space();
        match self.rest.as_bytes().first()? {
            b'{' => self.list('}', |it| it.member()).map(Node::Object),
            b'[' => self.list(']', Reader::node).map(Node::Array),
            b'"' => self.text().map(Node::Text),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\t', '\r', '\n']);
                self.take(end.unwrap_or(self.rest.len())).map(Node::Plain)
            }
        }
    }

    fn member(&mut self) -> Option<(String, Node<'a>)> {
        self.skip_space();
        let name = self.text()?;
        self.skip_space();
        self.rest = self.rest.strip_prefix(':')?;
        Some((name, self.node()?))
    }

    /// From the opening bracket to behind the closing one.
    fn list<T>(&mut self, close: char, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take(1)?;
        self.skip_space();
        let mut items = Vec::new();
        if let Some(rest) = self.rest.strip_prefix(close) {
            self.rest = rest;
            return Some(items);
        }
        loop {
            items.push(read(self)?);
            self.skip_space();
            let found = self.take(1)?;
            if found.starts_with(close) {
                return Some(items);
            }
            if found != "," {
                return None;
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        let mut escaped = false;
        let end = self.rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })?;
        serde_json::from_str(self.take(end + 2)?).ok()
    }

    fn take(&mut self, bytes: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }
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
        let found = entry(text, Some(&ty)).unwrap();
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
                let once = entry(&text, None).unwrap();
                let again = entry(std::str::from_utf8(&once).unwrap(), None).unwrap();
                prop_assert_eq!(Json::parse(&once).unwrap(), Json::parse(text.as_bytes()).unwrap());
                prop_assert_eq!(once, again);
            }
        }
    }
}
