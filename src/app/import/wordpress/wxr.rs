//! The format of WordPress exports: RSS with elements of its own. Entities that a document declares
//! are never expanded.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::BytesStart;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// The deepest nesting of elements.
const DEPTH_MAX: usize = 32;

/// The most elements that hold posts, terms and authors.
const RECORDS_MAX: usize = 500_000;

/// The elements that are records with members.
const RECORDS: &[&str] = &["item", "wp:author", "wp:category", "wp:tag"];

/// The elements within records that have members themselves.
const GROUPS: &[&str] = &["wp:postmeta", "wp:comment"];

/// An author, a term, a post or an attachment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WxrRecord {
    /// The name of the element.
    pub(super) kind: String,
    /// The line on which it begins.
    pub(super) line: u64,
    /// The members with their texts.
    members: Vec<(String, String)>,
    /// The categories and tags.
    pub(super) terms: Vec<WxrTerm>,
    /// The custom fields.
    pub(super) meta: Vec<(String, String)>,
    /// The number of comments.
    pub(super) n_comments: usize,
}

/// A category or tag of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WxrTerm {
    /// The taxonomy, such as `post_tag`.
    pub(super) domain: String,
    /// The slug.
    pub(super) slug: String,
    /// The name that people see.
    pub(super) name: String,
}

/// A document that was read.
#[derive(Debug, Default)]
pub(super) struct WxrDocument {
    /// The records, in their order.
    pub(super) records: Vec<WxrRecord>,
    /// True if the document is an export of WordPress.
    is_export: bool,
}

impl WxrRecord {
    /// Returns the text of a member; empty if there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        self.members.iter().find(|(it, _)| it == name).map_or("", |(_, text)| text)
    }
}

/// The reader of a document.
struct WxrReader<'t> {
    text: &'t str,
    document: WxrDocument,
    /// The open elements.
    path: Vec<String>,
    record: Option<WxrRecord>,
    /// The text of the element that is open.
    value: String,
    /// The members of the group that is open.
    group: Vec<(String, String)>,
    /// The offset up to which lines are counted, and the line there.
    counted: (usize, u64),
}

impl WxrDocument {
    /// Parses a document. Fails with a line and a sentence.
    pub(super) fn parse(text: &str) -> Result<WxrDocument, (u64, String)> {
        let mut parser = Reader::from_str(text);
        let mut reader = WxrReader {
            text,
            document: WxrDocument::default(),
            path: Vec::new(),
            record: None,
            value: String::new(),
            group: Vec::new(),
            counted: (0, 1),
        };
        loop {
            let at = parser.buffer_position();
            let line = || reader_line(text, at);
            let event = parser.read_event();
            let event = event.map_err(|error| {
                (reader_line(text, parser.error_position()), format!("This is not XML: {error}."))
            })?;
            if matches!(event, Event::Eof) {
                break;
            }
            reader.take_event(&event, at).map_err(|message| (line(), message))?;
        }
        if !reader.path.is_empty() {
            return Err((1, "The document is not complete.".to_string()));
        }
        if !reader.document.is_export {
            return Err((1, "This is not an export of WordPress.".to_string()));
        }
        Ok(reader.document)
    }
}

fn reader_line(text: &str, at: u64) -> u64 {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|it| **it == b'\n').count() as u64 + 1
}

impl WxrReader<'_> {
    fn take_event(&mut self, event: &Event<'_>, at: u64) -> Result<(), String> {
        match event {
            Event::Start(start) => self.begin(start, at),
            Event::Empty(start) => {
                self.begin(start, at)?;
                self.end();
                Ok(())
            }
            Event::End(_) => {
                self.end();
                Ok(())
            }
            Event::Text(text) => {
                self.value.push_str(&text.xml_content(XmlVersion::Implicit1_0));
                Ok(())
            }
            Event::CData(text) => {
                self.value.push_str(text);
                Ok(())
            }
            Event::GeneralRef(name) => self.add_reference(name),
            Event::DocType(_) => {
                Err("A document type can declare entities, so it is refused.".to_string())
            }
            _ => Ok(()),
        }
    }

    fn add_reference(&mut self, name: &quick_xml::events::BytesRef<'_>) -> Result<(), String> {
        match name.resolve_char_ref() {
            Ok(Some(letter)) => self.value.push(letter),
            Ok(None) => {
                let text = resolve_predefined_entity(name);
                let text = text.ok_or_else(|| format!("There is no entity `{}`.", &**name))?;
                self.value.push_str(text);
            }
            Err(error) => return Err(format!("This is not a character: {error}.")),
        }
        Ok(())
    }

    fn begin(&mut self, start: &BytesStart<'_>, at: u64) -> Result<(), String> {
        let name = start.name().as_ref().to_string();
        self.value.clear();
        if self.path.len() >= DEPTH_MAX {
            return Err(format!("This is nested more than {DEPTH_MAX} levels deep."));
        }
        if name == "wp:wxr_version" {
            self.document.is_export = true;
        }
        let is_term_of_post = name == "category" && self.record.is_some();
        if is_term_of_post {
            let get = |key: &str| {
                let found = start.try_get_attribute(key).ok().flatten();
                let value = found.and_then(|it| {
                    it.normalized_value(XmlVersion::Implicit1_0).ok().map(|it| it.into_owned())
                });
                value.unwrap_or_default()
            };
            let term =
                WxrTerm { domain: get("domain"), slug: get("nicename"), name: String::new() };
            self.record.iter_mut().for_each(|it| it.terms.push(term.clone()));
        } else if RECORDS.contains(&name.as_str()) && self.record.is_none() {
            if self.document.records.len() >= RECORDS_MAX {
                return Err(format!("This has more than {RECORDS_MAX} records. Split the export."));
            }
            let line = self.count_lines(at);
            self.record = Some(WxrRecord { kind: name.clone(), line, ..WxrRecord::default() });
        } else if GROUPS.contains(&name.as_str()) {
            self.group.clear();
        }
        self.path.push(name);
        Ok(())
    }

    /// Counts the lines on from the last record: counting from the beginning each time would take
    /// long.
    fn count_lines(&mut self, at: u64) -> u64 {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.text.len());
        let between = self.text.as_bytes().get(self.counted.0..at).unwrap_or_default();
        let lines = between.iter().filter(|it| **it == b'\n').count() as u64;
        self.counted = (at, self.counted.1 + lines);
        self.counted.1
    }

    fn end(&mut self) {
        let Some(name) = self.path.pop() else { return };
        let value = std::mem::take(&mut self.value);
        let Some(record) = &mut self.record else { return };
        let parent = self.path.last().map_or("", String::as_str);
        if name == record.kind {
            self.document.records.extend(self.record.take());
        } else if name == "category" {
            if let Some(term) = record.terms.last_mut() {
                term.name = value;
            }
        } else if name == "wp:postmeta" {
            let get = |key: &str| {
                let found = self.group.iter().find(|(it, _)| it == key);
                found.map(|(_, text)| text.clone()).unwrap_or_default()
            };
            record.meta.push((get("wp:meta_key"), get("wp:meta_value")));
        } else if name == "wp:comment" {
            record.n_comments += 1;
        } else if GROUPS.contains(&parent) {
            self.group.push((name, value));
        } else if parent == record.kind {
            record.members.push((name, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_with_their_members() {
        let text = "<rss>\n<channel><wp:wxr_version>1.2</wp:wxr_version>\n<item>\n\
            <title>A &amp; &#x42;</title><content:encoded><![CDATA[<p>x</p>]]></content:encoded>\
            <category domain=\"post_tag\" nicename=\"a-b\"><![CDATA[A b]]></category>\
            <wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v</wp:meta_value></wp:postmeta>\
            <wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>\
            </item></channel></rss>";
        let document = WxrDocument::parse(text).unwrap();
        let [item] = document.records.as_slice() else { panic!("{document:?}") };
        assert_eq!((item.get("title"), item.get("content:encoded")), ("A & B", "<p>x</p>"));
        let [term] = item.terms.as_slice() else { panic!("{item:?}") };
        assert_eq!(
            (term.domain.as_str(), term.slug.as_str(), term.name.as_str()),
            ("post_tag", "a-b", "A b")
        );
        assert_eq!(item.meta, [("k".to_string(), "v".to_string())]);
        assert_eq!((item.n_comments, item.line, item.get("missing")), (1, 3, ""));
    }

    #[test]
    fn hostile_documents_are_refused() {
        let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<rss>&b;</rss>";
        let check = |text: &str, line: u64| {
            assert_eq!(WxrDocument::parse(text).unwrap_err().0, line, "{text}");
        };
        check(bomb, 2);
        check("<rss>\n&b;</rss>", 2);
        check("<rss>\n<a></rss>", 2);
        check("<rss>", 1);
        check("<rss></rss>", 1);
        check(&"<a>".repeat(100), 1);
        check("", 1);
    }
}
