//! Which entries show which media files: found in what readers get, in all locales, so that a
//! picture inside a text counts as much as one in a media field.
//!
//! Nothing is kept for it: finished renderings are searched for media URLs, which goes about as fast
//! as memory is read. One pass answers for all files at once.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem::Finder;
use percent_encoding::percent_decode;

use crate::model::name::FieldName;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::doc::Variant;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;

/// What media URLs and those of thumbnails have in common.
const BEGINNING: &[u8] = b"/media";

/// A field of an entry that shows a file.
#[derive(Clone, Copy, Debug)]
pub struct Use<'s> {
    /// The place of its content type in the snapshot.
    pub place: usize,
    /// The place of the entry in its type.
    pub ordinal: Ordinal,
    /// The content type.
    pub index: &'s TypeIndex,
    /// The entry.
    pub doc: &'s Doc,
    /// The field, the outermost one.
    pub field: &'s FieldName,
}

/// Looks for media URLs of one workspace.
pub struct Search {
    finder: Finder<'static>,
    /// What follows the beginning up to the name: of files, and of thumbnails.
    folders: [Vec<u8>; 2],
}

/// A media URL in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Mention<'t> {
    /// Where its path begins.
    pub start: usize,
    /// Where the name in it is, as it stands there.
    pub segment: Range<usize>,
    /// The name that this stands for.
    pub name: Cow<'t, str>,
}

impl Search {
    /// In a workspace.
    pub fn of(ws: &WorkspaceSlug) -> Search {
        let folders = [format!("/{ws}/").into_bytes(), format!("-thumbs/{ws}/").into_bytes()];
        Search { finder: Finder::new(BEGINNING), folders }
    }

    /// The files that a text mentions, or a rendering.
    pub fn mentions<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = Mention<'t>> {
        self.finder.find_iter(text).filter_map(move |start| {
            let folder = start + BEGINNING.len();
            let rest = text.get(folder..)?;
            let (before, name) =
                self.folders.iter().find_map(|it| Some((it, rest.strip_prefix(it.as_slice())?)))?;
            let (name, first) = (until_end(name), folder + before.len());
            let segment = first..first + name.len();
            (!name.is_empty()).then(|| Mention { start, segment, name: named(name) })
        })
    }
}

/// The names of all files that some entry shows.
pub fn used(snapshot: &Snapshot) -> HashSet<Box<str>> {
    let search = Search::of(&snapshot.workspace);
    let mut used: HashSet<Box<str>> = HashSet::new();
    let docs = snapshot.types().iter().flat_map(|index| index.iter());
    for variant in docs.flat_map(|(_, doc)| doc.variants()) {
        for mention in search.mentions(&variant.body) {
            if !used.contains(&*mention.name) {
                used.insert(mention.name.into());
            }
        }
    }
    used
}

/// Where files are shown that are `wanted`: each field once a file, with the file's name.
pub fn uses<'s>(snapshot: &'s Snapshot, wanted: impl Fn(&str) -> bool) -> Vec<(Box<str>, Use<'s>)> {
    let search = Search::of(&snapshot.workspace);
    let mut uses: Vec<(Box<str>, Use<'s>)> = Vec::new();
    for (place, index) in snapshot.types().iter().enumerate() {
        for (ordinal, doc) in index.iter() {
            let first = uses.len();
            for variant in doc.variants() {
                for Mention { start, name, .. } in search.mentions(&variant.body) {
                    let field = || field_at(index, variant, start);
                    let Some(field) = wanted(&name).then(field).flatten() else { continue };
                    let known = uses.get(first..).unwrap_or_default();
                    if !known.iter().any(|(of, it)| **of == *name && it.field == field) {
                        uses.push((name.into(), Use { place, ordinal, index, doc, field }));
                    }
                }
            }
        }
    }
    uses
}

/// The field whose value is at this place of a rendering.
fn field_at<'s>(index: &'s TypeIndex, variant: &Variant, at: usize) -> Option<&'s FieldName> {
    let at = u32::try_from(at).ok()?;
    let mut fields = index.content_type.data_fields().enumerate();
    let found = fields.find(|(place, _)| {
        let span = variant.field_span(*place);
        span.start <= at && at < span.end
    });
    found.map(|(_, field)| &field.name)
}

/// A segment of a URL inside a JSON text, which may be HTML or Markdown.
fn until_end(text: &[u8]) -> &[u8] {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\/?#&<>()[]".contains(byte);
    let end = text.iter().position(ends).unwrap_or(text.len());
    let segment = text.get(..end).unwrap_or_default();
    // What ends a sentence, or stands around a word in Markdown.
    let in_name = segment.iter().rposition(|byte| !b".,;:!*".contains(byte));
    in_name.and_then(|last| segment.get(..=last)).unwrap_or_default()
}

/// The name that a segment stands for, as it is on the disk.
fn named(segment: &[u8]) -> Cow<'_, str> {
    let name = percent_decode(segment).decode_utf8_lossy();
    if name.is_ascii() {
        return name;
    }
    let composed = Filename::normalized(&name).map(|it| Cow::Owned(it.to_string()));
    composed.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

    fn library() -> Snapshot {
        let posts = content_type(
            "posts",
            r#"{"locales":["en","de"],"fields":{"cover":{"type":"media"},
            "text":{"type":"markdown"},"rows":{"type":"repeater","subfields":[
                {"key":"image","type":"media","multiple":true}]}}}"#,
        );
        let files = [
            ("a", r#"{"data":{"cover":["a.png"],"rows":[{"image":["b c.png","a.png"]}]}}"#),
            ("b", r#"{"title":"/media/main/t.png","data":{"text":"![](/media/main/a.png)"}}"#),
            (
                "c",
                r#"{"data":{"cover":["d.png"]},
                "translations":{"de":{"data":{"cover":["ä.png"]}}}}"#,
            ),
            (
                "d",
                r#"{"data":{"text":"<img src=\"https://x.org/media-thumbs/main/e.png?v=1\"> /media/other/f.png /media/main/ /media/main/g%2Epng"}}"#,
            ),
        ];
        snapshot(vec![index(&posts, &files)])
    }

    #[test]
    fn files_are_found_wherever_they_are_shown() {
        let snapshot = library();
        let check = |name: &str, expect: &[&str]| {
            let found = uses(&snapshot, |it| it == name);
            let found: Vec<String> =
                found.iter().map(|(_, it)| format!("{} {}", it.doc.id, it.field)).collect();
            assert_eq!(found, expect, "{name}");
        };
        check("a.png", &["a cover", "a rows", "b text"]);
        check("b c.png", &["a rows"]);
        check("d.png", &["c cover"]);
        check("ä.png", &["c cover"]);
        check("e.png", &["d text"]);
        check("g.png", &["d text"]);
        // Titles are no URLs, and another workspace has files of its own.
        check("t.png", &[]);
        check("f.png", &[]);
    }

    #[test]
    fn one_pass_finds_all() {
        let used = used(&library());
        let mut names: Vec<&str> = used.iter().map(|it| &**it).collect();
        names.sort_unstable();
        // A title may count: nothing is deleted for it.
        assert_eq!(names, ["a.png", "b c.png", "d.png", "e.png", "g.png", "t.png", "ä.png"]);
    }
}
