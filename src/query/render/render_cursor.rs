//! The piecewise writing of entries, with their relations as one caller sees them: hidden, left as
//! ids or expanded. A cursor stops when its output is full, inside an expanded entry too, and
//! continues there: a response of any size takes the same memory.

use std::sync::Arc;

use crate::model::field::RelationLink;
use crate::query::execute::view::View;
use crate::query::index::type_index::Ordinal;
use crate::query::render::link_ids::link_ids;
use crate::query::render::link_ids::span_ids;
use crate::query::render::rendered_entry::Variant;
use crate::query::render::span_table::BodySpan;
use crate::query::request::include::Include;
use crate::query::request::include::IncludeBranch;

/// The remaining output of an entry, as a stack. It holds positions and no borrows from the
/// snapshot, so it can be kept; it must run on the snapshot that it started with.
#[derive(Default)]
pub struct RenderCursor<'v> {
    todo: Vec<RenderStep<'v>>,
}

enum RenderStep<'v> {
    Text(&'static [u8]),
    Rendering(PendingSpan<'v>),
    Ids(PendingIds<'v>),
}

/// The rest of a rendering.
struct PendingSpan<'v> {
    of: RenderSource<'v>,
    include: Arc<Include>,
    span: BodySpan,
    /// The index of the first link that may lie in the span.
    link: usize,
}

/// The rest of the ids of a link.
struct PendingIds<'v> {
    of: RenderSource<'v>,
    include: Arc<Include>,
    link: usize,
    /// The offset at which the rest begins.
    at: u32,
    branch: Option<usize>,
    started: bool,
}

/// The source of a rendering.
#[derive(Clone, Copy)]
pub(in crate::query) enum RenderSource<'v> {
    /// An entry of the snapshot, by the position of its type.
    Entry(usize, Ordinal),
    /// A rendering made elsewhere, of the type at this position.
    Made(usize, &'v Variant),
}

impl<'v> RenderSource<'v> {
    fn type_place(self) -> usize {
        match self {
            RenderSource::Entry(place, _) | RenderSource::Made(place, _) => place,
        }
    }

    fn resolve_variant<'a>(self, view: &View<'a>) -> Option<&'a Variant>
    where
        'v: 'a,
    {
        match self {
            RenderSource::Made(_, variant) => Some(variant),
            RenderSource::Entry(place, ordinal) => {
                let index = view.snapshot.types().get(place)?;
                Some(index.entry_at(ordinal)?.variant_for(view.resolve_locale(&index.content_type)))
            }
        }
    }
}

impl<'v> RenderCursor<'v> {
    /// Starts an entry, with only some data fields if `fields` is given.
    pub(in crate::query) fn begin_entry(
        &mut self,
        view: &View<'_>,
        of: RenderSource<'v>,
        include: &Arc<Include>,
        fields: Option<&[usize]>,
    ) {
        self.todo.clear();
        let Some(variant) = variant_of(of, view) else { return };
        let Some(fields) = fields else { return self.push(of, include, variant.entry_span()) };
        // The stack is filled in reverse.
        self.todo.push(RenderStep::Text(b"}}"));
        let members = fields.iter().map(|it| variant.member_span(*it));
        let members: Vec<BodySpan> = members.filter(|it| it.start < it.end).collect();
        for (number, member) in members.into_iter().enumerate().rev() {
            self.push(of, include, member);
            if number > 0 {
                self.todo.push(RenderStep::Text(b","));
            }
        }
        self.push(of, include, variant.head_span());
    }

    /// Starts a span of a rendering.
    pub(in crate::query) fn begin_span(
        &mut self,
        of: RenderSource<'v>,
        include: &Arc<Include>,
        span: BodySpan,
    ) {
        self.todo.clear();
        self.push(of, include, span);
    }

    /// Returns true if everything is written.
    pub fn is_done(&self) -> bool {
        self.todo.is_empty()
    }

    /// Continues until `out` has about `bytes_max` bytes. Renderings and lists of ids are cut.
    pub fn run(&mut self, view: &View<'_>, out: &mut Vec<u8>, bytes_max: usize) {
        while out.len() < bytes_max
            && let Some(todo) = self.todo.pop()
        {
            match todo {
                RenderStep::Text(text) => out.extend_from_slice(text),
                RenderStep::Rendering(rendering) => {
                    self.write_span(view, rendering, out, bytes_max)
                }
                RenderStep::Ids(ids) => self.write_ids(view, ids, out, bytes_max),
            }
        }
    }

    fn push(&mut self, of: RenderSource<'v>, include: &Arc<Include>, span: BodySpan) {
        let include = include.clone();
        self.todo.push(RenderStep::Rendering(PendingSpan { of, include, span, link: 0 }));
    }

    /// Writes up to the next link that is not shown as it is, and keeps the rest for later.
    fn write_span(
        &mut self,
        view: &View<'_>,
        mut rest: PendingSpan<'v>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) {
        let Some(variant) = variant_of(rest.of, view) else { return };
        let is_before = |it: &RelationLink| it.start < rest.span.start;
        rest.link += variant.links_from(rest.link).take_while(is_before).count();
        let room = u32::try_from(bytes_max - out.len()).unwrap_or(u32::MAX);
        let full_at = rest.span.start.saturating_add(room);
        // Links that are not reached this time are looked at another time, and only then.
        let is_reached = |it: &RelationLink| it.end <= rest.span.end && it.start < full_at;
        let mut reached = variant.links_from(rest.link).take_while(is_reached).zip(rest.link..);
        let changed = reached.find(|(it, _)| !is_plain(view, &rest, variant, it));
        let link = changed.map(|(it, position)| {
            rest.link = position;
            it
        });
        let until = link.map_or(rest.span.end, |it| it.start);
        let cut = until.min(full_at);
        out.extend_from_slice(variant.slice_bytes(BodySpan { start: rest.span.start, end: cut }));
        rest.span.start = cut;
        if cut < until {
            return self.todo.push(RenderStep::Rendering(rest));
        }
        let Some(link) = link else { return };
        let branch = find_branch_index(&rest.include, variant, &link);
        let (of, include) = (rest.of, rest.include.clone());
        let ids =
            PendingIds { of, include, link: rest.link, at: link.start, branch, started: false };
        rest.span.start = link.end;
        rest.link += 1;
        if rest.span.start < rest.span.end {
            self.todo.push(RenderStep::Rendering(rest));
        }
        if link.many {
            out.push(b'[');
        }
        self.todo.push(RenderStep::Ids(ids));
    }

    /// Writes targets of a link until one is expanded or the output is full.
    fn write_ids(
        &mut self,
        view: &View<'_>,
        mut rest: PendingIds<'v>,
        out: &mut Vec<u8>,
        bytes_max: usize,
    ) {
        let Some(variant) = variant_of(rest.of, view) else { return };
        let Some(link) = variant.links_from(rest.link).next() else { return };
        let targets = view.snapshot.relation_targets(rest.of.type_place());
        let target = targets.get(usize::from(link.target)).copied().flatten();
        let ids = span_ids(variant, BodySpan { start: rest.at, end: link.end });
        for (id, behind) in ids {
            let Some(place) = target else { break };
            let Some(ordinal) = view.find_linked(place, id) else { continue };
            if rest.started {
                out.push(b',');
            }
            rest.started = true;
            rest.at = behind;
            let expanded = rest.branch.and_then(|it| rest.include.branches.get(it));
            let below = expanded.map(|it| it.below.clone());
            let of = RenderSource::Entry(place, ordinal);
            match below {
                // Ids need no escapes.
                None => {
                    out.push(b'"');
                    out.extend_from_slice(id);
                    out.push(b'"');
                }
                Some(below) => {
                    let Some(entry) = variant_of(of, view).map(Variant::entry_span) else {
                        continue;
                    };
                    if link.many {
                        self.todo.push(RenderStep::Ids(rest));
                    }
                    return self.push(of, &below, entry);
                }
            }
            if !link.many {
                return;
            }
            if out.len() >= bytes_max {
                return self.todo.push(RenderStep::Ids(rest));
            }
        }
        match (link.many, rest.started) {
            (true, _) => out.push(b']'),
            (false, false) => out.extend_from_slice(b"null"),
            (false, true) => {}
        }
    }
}

/// The longest link that is looked through before the text around it is written.
const PLAIN_LINK_BYTES_MAX: u32 = 1_024;

/// Returns true if a link is short, not expanded, and names only entries that the caller sees: then
/// it stays as it is.
fn is_plain(view: &View<'_>, of: &PendingSpan<'_>, variant: &Variant, link: &RelationLink) -> bool {
    if link.end - link.start > PLAIN_LINK_BYTES_MAX
        || find_branch_index(&of.include, variant, link).is_some()
    {
        return false;
    }
    let targets = view.snapshot.relation_targets(of.of.type_place());
    let target = targets.get(usize::from(link.target)).copied().flatten();
    let sees = |id: &[u8]| target.is_some_and(|it| view.find_by_id(it, id).is_some());
    link_ids(variant, link).all(sees)
}

fn variant_of<'a, 'v: 'a>(of: RenderSource<'v>, view: &View<'a>) -> Option<&'a Variant> {
    of.resolve_variant(view)
}

/// Returns the index of the branch that expands a link, if it is the value of an included field.
pub(in crate::query) fn find_branch_index(
    include: &Include,
    variant: &Variant,
    link: &RelationLink,
) -> Option<usize> {
    let is_of = |it: &IncludeBranch| variant.field_span(it.field).start == link.start;
    include.branches.iter().position(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::execute::view::Viewer;
    use crate::query::index::snapshot::Snapshot;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

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

    /// Writes everything in pieces of `room` bytes. Returns the text and the longest piece.
    fn written(include: &str, fields: Option<&[usize]>, room: usize) -> (String, usize) {
        let snapshot = world();
        let view = View::new(&snapshot, Viewer::Anyone, None);
        let (place, people) = view.find_type("people").unwrap();
        let ty = &people.content_type;
        let paths: Vec<&str> = include.split(',').filter(|it| !it.is_empty()).collect();
        let include = Arc::new(Include::parse(&view, ty, &paths, &mut Vec::new()));
        let ordinal = people.find_ordinal("a").unwrap();
        let mut walk = RenderCursor::default();
        walk.begin_entry(&view, RenderSource::Entry(place, ordinal), &include, fields);
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
                    // A piece exceeds its room by one id and its punctuation at most.
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
