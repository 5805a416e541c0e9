//! Wildcards over segments. `*` stands for anything, across segments too; nothing else is special.
//!
//! Texts are never joined: the border between two segments is a unit of its own, which no character
//! of a name can pass for. So a file that is called `category:press` is not in the category `press`.

/// One unit of a pattern or of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Byte(u8),
    /// Between two segments.
    Border,
    /// The wildcard; in patterns only.
    Anything,
}

/// A pattern with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Box<[Unit]>);

impl Glob {
    /// A pattern for one segment.
    pub(super) fn flat(text: &str) -> Glob {
        Glob::segments(&[text])
    }

    /// A pattern for several segments.
    pub(super) fn segments(segments: &[&str]) -> Glob {
        let wild = units(segments).map(|unit| match unit {
            Unit::Byte(b'*') => Unit::Anything,
            unit => unit,
        });
        let mut pattern: Vec<Unit> = wild.collect();
        pattern.dedup_by(|a, b| *a == Unit::Anything && a == b);
        Glob(pattern.into())
    }

    /// Whether the pattern is nothing but the wildcard.
    pub(super) fn is_anything(&self) -> bool {
        *self.0 == [Unit::Anything]
    }

    /// Whether the pattern stands for the empty text alone.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the pattern asks for more than one segment.
    pub(super) fn has_border(&self) -> bool {
        self.0.contains(&Unit::Border)
    }

    /// The text of a pattern without wildcards and borders.
    pub(super) fn literal(&self) -> Option<String> {
        let byte = |unit: &Unit| if let Unit::Byte(byte) = unit { Some(*byte) } else { None };
        String::from_utf8(self.0.iter().map(byte).collect::<Option<_>>()?).ok()
    }

    /// Whether the text fits the pattern. After a mismatch only the last wildcard is tried at the
    /// next place: what the earlier ones took can stay as it is.
    pub(super) fn matches(&self, segments: &[&str]) -> bool {
        let pattern = &self.0;
        let mut text = units(segments);
        let mut at = 0;
        let mut retry = None;
        loop {
            if pattern.get(at) == Some(&Unit::Anything) {
                at += 1;
                if at == pattern.len() {
                    return true;
                }
                retry = Some((at, text.clone()));
                continue;
            }
            match (text.next(), pattern.get(at)) {
                (None, wanted) => return wanted.is_none(),
                (Some(unit), Some(wanted)) if unit == *wanted => at += 1,
                _ => {
                    let Some((after_wildcard, from)) = &mut retry else { return false };
                    from.next();
                    (at, text) = (*after_wildcard, from.clone());
                }
            }
        }
    }

    /// Whether every text that fits another pattern fits this one: whatever the other's wildcards
    /// stand for, wildcards of this one must take it.
    pub(super) fn contains(&self, other: &Glob) -> bool {
        let (mut mine, mut theirs, mut retry) = (0, 0, None);
        loop {
            if self.0.get(mine) == Some(&Unit::Anything) {
                mine += 1;
                retry = Some((mine, theirs));
                continue;
            }
            match (other.0.get(theirs), self.0.get(mine)) {
                (None, wanted) if wanted.is_none() => return true,
                (Some(unit), Some(wanted)) if unit == wanted => {
                    (mine, theirs) = (mine + 1, theirs + 1)
                }
                (None, _) => return false,
                _ => {
                    let Some((after_wildcard, from)) = &mut retry else { return false };
                    *from += 1;
                    (mine, theirs) = (*after_wildcard, *from);
                }
            }
        }
    }

    /// Whether some text fits both patterns.
    pub(super) fn meets(&self, other: &Glob) -> bool {
        // Which places of the other can be reached with the units of this one that came before.
        let mut reached = vec![false; other.0.len() + 1];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        other.skip_wildcards(&mut reached);
        for unit in &self.0 {
            let mut next = vec![false; reached.len()];
            for (at, _) in reached.iter().enumerate().filter(|(_, it)| **it) {
                let theirs = other.0.get(at);
                let step = match (unit, theirs) {
                    (Unit::Anything, _) => {
                        next.iter_mut().skip(at).for_each(|it| *it = true);
                        break;
                    }
                    (_, Some(Unit::Anything)) => at,
                    (unit, Some(wanted)) if unit == wanted => at + 1,
                    _ => continue,
                };
                if let Some(place) = next.get_mut(step) {
                    *place = true;
                }
            }
            other.skip_wildcards(&mut next);
            reached = next;
        }
        reached.last() == Some(&true)
    }

    /// A wildcard may stand for nothing: whoever stands before it stands behind it too.
    fn skip_wildcards(&self, reached: &mut [bool]) {
        for (at, unit) in self.0.iter().enumerate() {
            if *unit == Unit::Anything
                && reached.get(at) == Some(&true)
                && let Some(behind) = reached.get_mut(at + 1)
            {
                *behind = true;
            }
        }
    }

    /// The patterns of what can be the first of several segments.
    pub(super) fn firsts(&self) -> Vec<Glob> {
        let ends = self.0.iter().enumerate().filter(|(_, unit)| !matches!(unit, Unit::Byte(_)));
        let border = self.0.iter().position(|it| *it == Unit::Border).unwrap_or(self.0.len());
        let before = |(at, unit): (usize, &Unit)| {
            let end = if *unit == Unit::Anything { at + 1 } else { at };
            (at <= border).then(|| self.0.get(..end)).flatten().map(|it| Glob(it.into()))
        };
        ends.filter_map(before).collect()
    }

    /// What is left to match once the given segments and the border after them have been read: one
    /// pattern for each way to get there, none when there is no way.
    pub(super) fn after(&self, segments: &[&str]) -> Vec<Glob> {
        let mut places = Vec::new();
        self.stand_at(0, &mut places);
        for unit in units(segments).chain([Unit::Border]) {
            let mut next = Vec::new();
            for at in places {
                match self.0.get(at) {
                    Some(Unit::Anything) => self.stand_at(at, &mut next),
                    Some(wanted) if *wanted == unit => self.stand_at(at + 1, &mut next),
                    _ => {}
                }
            }
            places = next;
        }
        // A wildcard covers whatever begins behind it.
        let behind_wildcard = |at: usize| at > 0 && self.0.get(at - 1) == Some(&Unit::Anything);
        let covered = |at: &usize| behind_wildcard(*at) && places.contains(&(at - 1));
        let ends = places.iter().filter(|at| !covered(at));
        ends.filter_map(|at| self.0.get(*at..)).map(|rest| Glob(rest.into())).collect()
    }

    /// Adds a place in the pattern, and the one behind it when a wildcard may stand for nothing.
    fn stand_at(&self, at: usize, places: &mut Vec<usize>) {
        if places.contains(&at) {
            return;
        }
        places.push(at);
        if self.0.get(at) == Some(&Unit::Anything) {
            self.stand_at(at + 1, places);
        }
    }
}

/// The units of a text: its bytes, with borders between the segments.
fn units<'a>(segments: &'a [&'a str]) -> impl Iterator<Item = Unit> + Clone + 'a {
    segments.iter().enumerate().flat_map(|(index, segment)| {
        let border = (index > 0).then_some(Unit::Border);
        border.into_iter().chain(segment.bytes().map(Unit::Byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wildcards_cross_borders_and_characters_do_not() {
        let check = |pattern: &[&str], text: &[&str], expect: bool| {
            assert_eq!(Glob::segments(pattern).matches(text), expect, "{pattern:?} {text:?}");
        };
        check(&["*"], &["media", "a"], true);
        check(&["media", "*"], &["media", "category", "press"], true);
        check(&["media", "category", "*"], &["media", "category:press"], false);
        check(&["media", "category:*"], &["media", "category", "press"], false);
        check(&["a*b*c"], &["a-b-b-c"], true);
        check(&["a*b*c"], &["a-c-b"], false);
        check(&["**"], &[""], true);
        check(&["a"], &["ab"], false);
        check(&["ab"], &["a"], false);
        check(&["a*"], &["a"], true);
        check(&["*a"], &["aa"], true);
        check(&["content", "posts", "*"], &["content", "posts", "*"], true);
        check(&["content", "posts", "x"], &["content", "posts", "*"], false);
        check(&["?"], &["a"], false);
        check(&["", "a"], &["a"], false);
    }

    #[test]
    fn what_is_left_after_a_prefix() {
        let check = |pattern: &[&str], expect: &[&str]| {
            let rest = Glob::segments(pattern).after(&["content", "posts"]);
            let expect: Vec<_> = expect.iter().map(|text| Glob::flat(text)).collect();
            assert_eq!(rest, expect, "{pattern:?}");
        };
        check(&["*"], &["*"]);
        check(&["content", "*"], &["*"]);
        check(&["content", "posts", "*"], &["*"]);
        check(&["content", "posts", "a*"], &["a*"]);
        check(&["content", "pages", "*"], &[]);
        check(&["content", "posts"], &[]);
        check(&["con*"], &["*"]);
    }

    proptest! {
        #[test]
        fn after_a_prefix_agrees_with_the_whole(
            pattern in "[ab*]{0,6}", first in "[ab]{0,4}", second in "[ab]{0,4}",
        ) {
            for pattern in [Glob::flat(&pattern), Glob::segments(&[&pattern, &pattern])] {
                let rest = pattern.after(&[&first]);
                prop_assert_eq!(
                    rest.iter().any(|glob| glob.matches(&[&second])),
                    pattern.matches(&[&first, &second])
                );
            }
        }

        #[test]
        fn patterns_contain_and_meet(a in "[ab*]{0,5}", b in "[ab*]{0,5}") {
            let (a, b) = (Glob::flat(&a), Glob::flat(&b));
            let mut texts = vec![String::new()];
            for _ in 0..7 {
                let longer = texts.iter().flat_map(|it| ["a", "b", "c"].map(|more| format!("{it}{more}")));
                texts.extend(longer.collect::<Vec<_>>());
                texts.sort();
                texts.dedup();
            }
            let both = |text: &String| a.matches(&[text]) && b.matches(&[text]);
            prop_assert_eq!(a.meets(&b), texts.iter().any(both));
            prop_assert_eq!(b.meets(&a), a.meets(&b));
            let within = |text: &String| a.matches(&[text]) || !b.matches(&[text]);
            prop_assert_eq!(a.contains(&b), texts.iter().all(within));
        }

        #[test]
        fn first_segments(
            pattern in "[ab*]{0,4}", more in "[ab*]{0,3}", first in "[ab]{0,3}", second in "[ab]{0,3}",
        ) {
            for pattern in [Glob::flat(&pattern), Glob::segments(&[&pattern, &more])] {
                if pattern.matches(&[&first, &second]) {
                    prop_assert!(pattern.firsts().iter().any(|it| it.matches(&[&first])));
                }
            }
        }

        #[test]
        fn a_text_matches_itself_and_the_wildcard(text in "[a-z:/ ]{0,20}") {
            prop_assert!(Glob::flat(&text).matches(&[&text]));
            prop_assert!(Glob::flat("*").matches(&[&text]));
            let literal = Glob::flat(&text).literal();
            prop_assert_eq!(literal.as_deref(), Some(text.as_str()));
        }
    }
}
