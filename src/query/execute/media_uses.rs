//! The search for entries that show media files. It covers the rendered output in all locales, so
//! that a picture inside a text counts like one in a media field.
//!
//! There is no index: finished renderings are searched for media URLs, at about the speed of
//! reading memory. One pass answers for all files at once.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem::Finder;
use percent_encoding::percent_decode;

use crate::model::name::FieldName;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;

/// The common prefix of the URLs of media files and thumbnails.
const BEGINNING: &[u8] = b"/media";

/// A use of a file: a field of an entry that shows it.
#[derive(Clone, Copy, Debug)]
pub struct MediaUse<'s> {
    /// The position of the content type in the snapshot.
    pub place: usize,
    /// The ordinal of the entry in its type.
    pub ordinal: Ordinal,
    /// The content type.
    pub index: &'s TypeIndex,
    /// The entry.
    pub doc: &'s RenderedEntry,
    /// The outermost field.
    pub field: &'s FieldName,
}

/// A search for media URLs of one workspace.
pub struct MediaUrlFinder {
    finder: Finder<'static>,
    /// The continuations of the prefix up to the name: of files, and of thumbnails.
    folders: [Vec<u8>; 2],
}

/// A media URL in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct MediaMention<'t> {
    /// The offset at which the path begins.
    pub start: usize,
    /// The range of the name in the text.
    pub segment: Range<usize>,
    /// The decoded filename.
    pub name: Cow<'t, str>,
}

impl MediaUrlFinder {
    /// Returns a search for the URLs of a workspace.
    pub fn for_workspace(ws: &WorkspaceSlug) -> MediaUrlFinder {
        let folders = [format!("/{ws}/").into_bytes(), format!("-thumbs/{ws}/").into_bytes()];
        MediaUrlFinder { finder: Finder::new(BEGINNING), folders }
    }

    /// Iterates over the files that a text or a rendering mentions.
    pub fn find_mentions<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = MediaMention<'t>> {
        self.finder.find_iter(text).filter_map(move |start| {
            let folder = start + BEGINNING.len();
            let rest = text.get(folder..)?;
            let (before, name) =
                self.folders.iter().find_map(|it| Some((it, rest.strip_prefix(it.as_slice())?)))?;
            let (name, first) = (trim_segment(name), folder + before.len());
            let segment = first..first + name.len();
            (!name.is_empty()).then(|| MediaMention { start, segment, name: decode_name(name) })
        })
    }
}

/// Returns the names of all files that some entry shows.
pub fn collect_used_files(snapshot: &Snapshot) -> HashSet<Box<str>> {
    let search = MediaUrlFinder::for_workspace(&snapshot.workspace);
    let mut used: HashSet<Box<str>> = HashSet::new();
    let docs = snapshot.types().iter().flat_map(|index| index.iter());
    for variant in docs.flat_map(|(_, doc)| doc.variants()) {
        for mention in search.find_mentions(variant.body()) {
            if !used.contains(&*mention.name) {
                used.insert(mention.name.into());
            }
        }
    }
    used
}

/// Returns the uses of the `wanted` files, each field once for each file, with the name of the
/// file.
pub fn find_uses<'s>(
    snapshot: &'s Snapshot,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(Box<str>, MediaUse<'s>)> {
    let search = MediaUrlFinder::for_workspace(&snapshot.workspace);
    let mut uses: Vec<(Box<str>, MediaUse<'s>)> = Vec::new();
    for (place, index) in snapshot.types().iter().enumerate() {
        for (ordinal, doc) in index.iter() {
            let first = uses.len();
            for variant in doc.variants() {
                for MediaMention { start, name, .. } in search.find_mentions(variant.body()) {
                    let field = || field_at(index, variant, start);
                    let Some(field) = wanted(&name).then(field).flatten() else { continue };
                    let known = uses.get(first..).unwrap_or_default();
                    if !known.iter().any(|(of, it)| **of == *name && it.field == field) {
                        uses.push((name.into(), MediaUse { place, ordinal, index, doc, field }));
                    }
                }
            }
        }
    }
    uses
}

/// Returns the field whose value is at this offset of a rendering.
fn field_at<'s>(index: &'s TypeIndex, variant: &Variant, at: usize) -> Option<&'s FieldName> {
    let at = u32::try_from(at).ok()?;
    let mut fields = index.content_type.data_fields().enumerate();
    let found = fields.find(|(place, _)| {
        let span = variant.field_span(*place);
        span.start <= at && at < span.end
    });
    found.map(|(_, field)| &field.name)
}

/// Returns a segment of a URL inside a JSON text, which may be HTML or Markdown.
fn trim_segment(text: &[u8]) -> &[u8] {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'\\/?#&<>()[]".contains(byte);
    let end = text.iter().position(ends).unwrap_or(text.len());
    let segment = text.get(..end).unwrap_or_default();
    // Punctuation at the end of a sentence, or around a word in Markdown.
    let in_name = segment.iter().rposition(|byte| !b".,;:!*".contains(byte));
    in_name.and_then(|last| segment.get(..=last)).unwrap_or_default()
}

/// Returns the filename that a segment encodes, in the normalized form of files on the disk.
fn decode_name(segment: &[u8]) -> Cow<'_, str> {
    let name = percent_decode(segment).decode_utf8_lossy();
    if name.is_ascii() {
        return name;
    }
    let composed = Filename::parse_normalized(&name).map(|it| Cow::Owned(it.to_string()));
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
            let found = find_uses(&snapshot, |it| it == name);
            let found: Vec<String> =
                found.iter().map(|(_, it)| format!("{} {}", it.doc.id(), it.field)).collect();
            assert_eq!(found, expect, "{name}");
        };
        check("a.png", &["a cover", "a rows", "b text"]);
        check("b c.png", &["a rows"]);
        check("d.png", &["c cover"]);
        check("ä.png", &["c cover"]);
        check("e.png", &["d text"]);
        check("g.png", &["d text"]);
        // Titles are no URLs, and other workspaces have their own files.
        check("t.png", &[]);
        check("f.png", &[]);
    }

    #[test]
    fn one_pass_finds_all() {
        let used = collect_used_files(&library());
        let mut names: Vec<&str> = used.iter().map(|it| &**it).collect();
        names.sort_unstable();
        // A match in a title is acceptable: no file is deleted because of it.
        assert_eq!(names, ["a.png", "b c.png", "d.png", "e.png", "g.png", "t.png", "ä.png"]);
    }
}
