//! Writes entries piece by piece, with their relations as one caller sees them: hidden, left as ids
//! or expanded. A writer stops wherever its room ends, inside an expanded entry too, and goes on
//! there: an answer of any size is made with the same memory.

use std::sync::Arc;

use crate::model::field::Link;
use crate::query::answer::ids_from;
use crate::query::doc::Span;
use crate::query::doc::Variant;
use crate::query::include::Branch;
use crate::query::include::Include;
use crate::query::type_index::Ordinal;
use crate::query::view::View;

/// What is still to be written of an entry, the next on top. It holds places and no borrows from the
/// snapshot, so it can be kept; it has to be run on the snapshot that it began with.
#[derive(Default)]
pub struct Walk<'v> {
    todo: Vec<Todo<'v>>,
}

enum Todo<'v> {
    Text(&'static [u8]),
    Rendering(Rendering<'v>),
    Ids(Ids<'v>),
}

/// The rest of a rendering.
struct Rendering<'v> {
    of: Of<'v>,
    include: Arc<Include>,
    span: Span,
    /// The first link that may lie in the span.
    link: usize,
}

/// The rest of the ids of a link.
struct Ids<'v> {
    of: Of<'v>,
    include: Arc<Include>,
    link: usize,
    /// Where the rest begins.
    at: u32,
    branch: Option<usize>,
    begun: bool,
}

/// Whose rendering is written.
#[derive(Clone, Copy)]
pub(super) enum Of<'v> {
    /// An entry of the snapshot, by the place of its type.
    Entry(usize, Ordinal),
    /// One that was made elsewhere, of the type at this place.
    Made(usize, &'v Variant),
}

impl<'v> Of<'v> {
    fn place(self) -> usize {
        match self {
            Of::Entry(place, _) | Of::Made(place, _) => place,
        }
    }

    fn variant<'a>(self, view: &View<'a>) -> Option<&'a Variant>
    where
        'v: 'a,
    {
        match self {
            Of::Made(_, variant) => Some(variant),
            Of::Entry(place, ordinal) => {
                let index = view.snapshot.types().get(place)?;
                Some(index.doc(ordinal)?.variant(view.locale(&index.content_type)))
            }
        }
    }
}

impl<'v> Walk<'v> {
    /// Begins an entry, with these data fields alone where some are named.
    pub(super) fn begin(
        &mut self,
        view: &View<'_>,
        of: Of<'v>,
        include: &Arc<Include>,
        fields: Option<&[usize]>,
    ) {
        self.todo.clear();
        let Some(variant) = variant_of(of, view) else { return };
        let Some(fields) = fields else { return self.push(of, include, variant.entry()) };
        // Last in, first out.
        self.todo.push(Todo::Text(b"}}"));
        let members = fields.iter().map(|it| variant.member_span(*it));
        let members: Vec<Span> = members.filter(|it| it.start < it.end).collect();
        for (number, member) in members.into_iter().enumerate().rev() {
            self.push(of, include, member);
            if number > 0 {
                self.todo.push(Todo::Text(b","));
            }
        }
        self.push(of, include, variant.head());
    }

    /// Begins a stretch of a rendering.
    pub(super) fn begin_span(&mut self, of: Of<'v>, include: &Arc<Include>, span: Span) {
        self.todo.clear();
        self.push(of, include, span);
    }

    /// Whether everything is written.
    pub fn is_done(&self) -> bool {
        self.todo.is_empty()
    }

    /// Goes on writing until `out` is about so long. What has no end in itself (a rendering, a list of
    /// ids) is cut.
    pub fn run(&mut self, view: &View<'_>, out: &mut Vec<u8>, bytes_max: usize) {
        while out.len() < bytes_max
            && let Some(todo) = self.todo.pop()
        {
            match todo {
                Todo::Text(text) => out.extend_from_slice(text),
                Todo::Rendering(rendering) => self.write(view, rendering, out, bytes_max),
                Todo::Ids(ids) => self.write_ids(view, ids, out, bytes_max),
            }
        }
    }

    fn push(&mut self, of: Of<'v>, include: &Arc<Include>, span: Span) {
        let include = include.clone();
        self.todo.push(Todo::Rendering(Rendering { of, include, span, link: 0 }));
    }

    /// Writes up to the next link, and leaves the rest for later.
    fn write(
        &mut self,
        view: &View<'_>,
        mut rest: Rendering<'v>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) {
        let Some(variant) = variant_of(rest.of, view) else { return };
        let is_before = |it: &&Link| it.start < rest.span.start;
        rest.link +=
            variant.links.get(rest.link..).unwrap_or_default().iter().take_while(is_before).count();
        let link = variant.links.get(rest.link).filter(|it| it.end <= rest.span.end);
        let until = link.map_or(rest.span.end, |it| it.start);
        let room = u32::try_from(bytes_max - out.len()).unwrap_or(u32::MAX);
        let cut = until.min(rest.span.start.saturating_add(room));
        out.extend_from_slice(variant.bytes(Span { start: rest.span.start, end: cut }));
        rest.span.start = cut;
        if cut < until {
            return self.todo.push(Todo::Rendering(rest));
        }
        let Some(link) = link else { return };
        let branch = branch(&rest.include, variant, link);
        let (of, include) = (rest.of, rest.include.clone());
        let ids = Ids { of, include, link: rest.link, at: link.start, branch, begun: false };
        rest.span.start = link.end;
        rest.link += 1;
        if rest.span.start < rest.span.end {
            self.todo.push(Todo::Rendering(rest));
        }
        if link.many {
            out.push(b'[');
        }
        self.todo.push(Todo::Ids(ids));
    }

    /// Writes targets of a link until one is expanded or the room ends.
    fn write_ids(
        &mut self,
        view: &View<'_>,
        mut rest: Ids<'v>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) {
        let Some(variant) = variant_of(rest.of, view) else { return };
        let Some(link) = variant.links.get(rest.link) else { return };
        let targets = view.snapshot.targets(rest.of.place());
        let target = targets.get(usize::from(link.target)).copied().flatten();
        let ids = ids_from(variant, Span { start: rest.at, end: link.end });
        for (id, behind) in ids {
            let Some(place) = target else { break };
            let Some(ordinal) = view.target(place, id) else { continue };
            if rest.begun {
                out.push(b',');
            }
            rest.begun = true;
            rest.at = behind;
            let expanded = rest.branch.and_then(|it| rest.include.branches.get(it));
            let below = expanded.map(|it| it.below.clone());
            let of = Of::Entry(place, ordinal);
            match below {
                None => crate::stdx::json::write_string(id, out),
                Some(below) => {
                    let Some(entry) = variant_of(of, view).map(Variant::entry) else { continue };
                    if link.many {
                        self.todo.push(Todo::Ids(rest));
                    }
                    return self.push(of, &below, entry);
                }
            }
            if !link.many {
                return;
            }
            if out.len() >= bytes_max {
                return self.todo.push(Todo::Ids(rest));
            }
        }
        match (link.many, rest.begun) {
            (true, _) => out.push(b']'),
            (false, false) => out.extend_from_slice(b"null"),
            (false, true) => {}
        }
    }
}

fn variant_of<'a, 'v: 'a>(of: Of<'v>, view: &View<'a>) -> Option<&'a Variant> {
    of.variant(view)
}

/// The place of the branch that expands a link, when it is the value of an included field.
pub(super) fn branch(include: &Include, variant: &Variant, link: &Link) -> Option<usize> {
    let is_of = |it: &Branch| variant.field_span(it.field).start == link.start;
    include.branches.iter().position(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::snapshot::Snapshot;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;
    use crate::query::view::Eyes;

    fn world() -> Snapshot {
        let schema = r#"{"fields":{"lead":{"type":"relation","target":"people"},
            "friends":{"type":"relation","target":"people","multiple":true},
            "text":{}}}"#;
        let file = |lead: &str, friends: &str| {
            let text = "lorem ipsum ".repeat(20);
            format!(
                r#"{{"title":"T","status":"published","data":{{"text":"{text}","lead":{lead},"friends":{friends}}}}}"#
            )
        };
        let (a, b, c) = (
            file("\"b\"", r#"["b","gone","c","hidden","a"]"#),
            file("\"hidden\"", r#"["a","c"]"#),
            file("null", "[]"),
        );
        let hidden = r#"{"title":"H","status":"draft","data":{"friends":["a"]}}"#;
        let people = content_type("people", schema);
        snapshot(vec![index(&people, &[("a", &a), ("b", &b), ("c", &c), ("hidden", hidden)])])
    }

    /// Written through a room of so many bytes at a time.
    fn written(include: &str, fields: Option<&[usize]>, room: usize) -> (String, usize) {
        let snapshot = world();
        let view = View::new(&snapshot, Eyes::Anyone, None);
        let (place, people) = view.index("people").unwrap();
        let ty = &people.content_type;
        let paths: Vec<&str> = include.split(',').filter(|it| !it.is_empty()).collect();
        let include = Arc::new(Include::parse(&view, ty, &paths, &mut Vec::new()));
        let ordinal = people.ordinal("a").unwrap();
        let mut walk = Walk::default();
        walk.begin(&view, Of::Entry(place, ordinal), &include, fields);
        let (mut whole, mut longest) = (Vec::new(), 0);
        while !walk.is_done() {
            let mut piece = Vec::new();
            walk.run(&view, &mut piece, room);
            longest = longest.max(piece.len());
            whole.extend(piece);
        }
        (String::from_utf8(whole).unwrap(), longest)
    }

    #[test]
    fn pieces_of_any_size_make_the_same_whole() {
        for include in ["", "lead", "friends", "lead.friends,friends.friends.lead,friends.lead"] {
            for fields in [None, Some([0, 1].as_slice()), Some([1, 2].as_slice()), Some(&[])] {
                let (whole, _) = written(include, fields, usize::MAX);
                let parsed: serde_json::Value = serde_json::from_str(&whole).unwrap();
                assert_eq!(parsed["id"], "a");
                for room in [1, 7, 100, 1_000] {
                    let (pieces, longest) = written(include, fields, room);
                    assert_eq!(pieces, whole, "{include} {fields:?} {room}");
                    // Past its end a piece has no more than an id and what stands around it.
                    assert!(longest < room + 32, "{longest} of {room}");
                }
            }
        }
    }

    #[test]
    fn what_is_hidden_is_as_good_as_missing() {
        let shown = |include: &str| {
            let (whole, _) = written(include, Some(&[0, 1]), usize::MAX);
            let value: serde_json::Value = serde_json::from_str(&whole).unwrap();
            let id = |it: &serde_json::Value| it.get("id").unwrap_or(it).to_string();
            let data = &value["data"];
            let friends: Vec<String> = data["friends"].as_array().unwrap().iter().map(id).collect();
            (id(&data["lead"]), friends.join(" "), data["lead"]["data"]["lead"].clone())
        };
        let expect =
            |lead_of_lead| ("\"b\"".to_string(), "\"b\" \"c\" \"a\"".to_string(), lead_of_lead);
        assert_eq!(shown(""), expect(serde_json::Value::Null));
        assert_eq!(shown("lead,friends"), expect(serde_json::Value::Null));
    }
}
