//! Wildcard patterns over segments. `*` matches any text, also across segments; no other character
//! is special.
//!
//! Segments are never joined to one text: the border between two segments is a unit of its own that
//! no character of a name can match. A file called `category:press` is therefore not in the
//! category `press`.

/// A unit of a pattern or of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GlobUnit {
    Byte(u8),
    /// The border between two segments.
    Border,
    /// The wildcard; only in patterns.
    Anything,
}

/// A pattern with wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Box<[GlobUnit]>);

impl Glob {
    /// Creates a pattern for one segment.
    pub(super) fn from_segment(text: &str) -> Glob {
        Glob::from_segments(&[text])
    }

    /// Creates a pattern for several segments.
    pub(super) fn from_segments(segments: &[&str]) -> Glob {
        let wild = iter_units(segments).map(|unit| match unit {
            GlobUnit::Byte(b'*') => GlobUnit::Anything,
            unit => unit,
        });
        let mut pattern: Vec<GlobUnit> = wild.collect();
        pattern.dedup_by(|a, b| *a == GlobUnit::Anything && a == b);
        Glob(pattern.into())
    }

    /// Returns true if the pattern is a single wildcard.
    pub(super) fn is_anything(&self) -> bool {
        *self.0 == [GlobUnit::Anything]
    }

    /// Returns true if the pattern only matches the empty text.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the pattern requires more than one segment.
    pub(super) fn has_border(&self) -> bool {
        self.0.contains(&GlobUnit::Border)
    }

    /// Returns the text of a pattern without wildcards and borders.
    pub(super) fn as_literal(&self) -> Option<String> {
        let byte =
            |unit: &GlobUnit| if let GlobUnit::Byte(byte) = unit { Some(*byte) } else { None };
        String::from_utf8(self.0.iter().map(byte).collect::<Option<_>>()?).ok()
    }

    /// Returns true if the pattern matches the text. After a mismatch only the last wildcard is
    /// extended: the matches of the earlier ones can stay.
    pub(super) fn matches(&self, segments: &[&str]) -> bool {
        let pattern = &self.0;
        let mut text = iter_units(segments);
        let mut at = 0;
        let mut retry = None;
        loop {
            if pattern.get(at) == Some(&GlobUnit::Anything) {
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

    /// Returns true if this pattern matches every text that the other one matches. The other's
    /// wildcards can stand for any text, so only wildcards of this pattern may cover them.
    pub(super) fn contains(&self, other: &Glob) -> bool {
        let (mut mine, mut theirs, mut retry) = (0, 0, None);
        loop {
            if self.0.get(mine) == Some(&GlobUnit::Anything) {
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

    /// Returns true if some text matches both patterns.
    pub(super) fn overlaps_with(&self, other: &Glob) -> bool {
        // The positions in the other pattern that the units so far can reach.
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
                    (GlobUnit::Anything, _) => {
                        next.iter_mut().skip(at).for_each(|it| *it = true);
                        break;
                    }
                    (_, Some(GlobUnit::Anything)) => at,
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

    /// Marks the position after a wildcard as reached where the one before is: a wildcard can match
    /// the empty text.
    fn skip_wildcards(&self, reached: &mut [bool]) {
        for (at, unit) in self.0.iter().enumerate() {
            if *unit == GlobUnit::Anything
                && reached.get(at) == Some(&true)
                && let Some(behind) = reached.get_mut(at + 1)
            {
                *behind = true;
            }
        }
    }

    /// Returns the patterns for the first of several segments.
    pub(super) fn first_segments(&self) -> Vec<Glob> {
        let ends = self.0.iter().enumerate().filter(|(_, unit)| !matches!(unit, GlobUnit::Byte(_)));
        let border = self.0.iter().position(|it| *it == GlobUnit::Border).unwrap_or(self.0.len());
        let before = |(at, unit): (usize, &GlobUnit)| {
            let end = if *unit == GlobUnit::Anything { at + 1 } else { at };
            (at <= border).then(|| self.0.get(..end)).flatten().map(|it| Glob(it.into()))
        };
        ends.filter_map(before).collect()
    }

    /// Returns what is left to match after the given segments and the border behind them: one
    /// pattern for each way to match them, or none.
    pub(super) fn strip_segments(&self, segments: &[&str]) -> Vec<Glob> {
        let mut places = Vec::new();
        self.add_position(0, &mut places);
        for unit in iter_units(segments).chain([GlobUnit::Border]) {
            let mut next = Vec::new();
            for at in places {
                match self.0.get(at) {
                    Some(GlobUnit::Anything) => self.add_position(at, &mut next),
                    Some(wanted) if *wanted == unit => self.add_position(at + 1, &mut next),
                    _ => {}
                }
            }
            places = next;
        }
        // A wildcard covers the patterns that begin after it.
        let behind_wildcard = |at: usize| at > 0 && self.0.get(at - 1) == Some(&GlobUnit::Anything);
        let covered = |at: &usize| behind_wildcard(*at) && places.contains(&(at - 1));
        let ends = places.iter().filter(|at| !covered(at));
        ends.filter_map(|at| self.0.get(*at..)).map(|rest| Glob(rest.into())).collect()
    }

    /// Adds a position in the pattern, and the next one if a wildcard can match the empty text.
    fn add_position(&self, at: usize, places: &mut Vec<usize>) {
        if places.contains(&at) {
            return;
        }
        places.push(at);
        if self.0.get(at) == Some(&GlobUnit::Anything) {
            self.add_position(at + 1, places);
        }
    }
}

/// Returns the units of a text: its bytes, with borders between the segments.
fn iter_units<'a>(segments: &'a [&'a str]) -> impl Iterator<Item = GlobUnit> + Clone + 'a {
    segments.iter().enumerate().flat_map(|(index, segment)| {
        let border = (index > 0).then_some(GlobUnit::Border);
        border.into_iter().chain(segment.bytes().map(GlobUnit::Byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    #[test]
    fn wildcards_cross_borders_and_characters_do_not() {
        let check = |pattern: &[&str], text: &[&str], expect: bool| {
            assert_eq!(Glob::from_segments(pattern).matches(text), expect, "{pattern:?} {text:?}");
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
            let rest = Glob::from_segments(pattern).strip_segments(&["content", "posts"]);
            let expect: Vec<_> = expect.iter().map(|text| Glob::from_segment(text)).collect();
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

    /// All texts of up to 8 letters: the shortest one that two patterns of up to 5 match is no
    /// longer.
    static SHORT_TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let longer = |texts: &Vec<String>| {
            let texts =
                texts.iter().flat_map(|it| ["a", "b", "c"].map(|more| format!("{it}{more}")));
            texts.collect()
        };
        let of_length = std::iter::successors(Some(vec![String::new()]), |it| Some(longer(it)));
        of_length.take(9).flatten().collect()
    });

    proptest! {
        #[test]
        fn after_a_prefix_agrees_with_the_whole(
            pattern in "[ab*]{0,6}", first in "[ab]{0,4}", second in "[ab]{0,4}",
        ) {
            for pattern in [Glob::from_segment(&pattern), Glob::from_segments(&[&pattern, &pattern])] {
                let rest = pattern.strip_segments(&[&first]);
                prop_assert_eq!(
                    rest.iter().any(|glob| glob.matches(&[&second])),
                    pattern.matches(&[&first, &second])
                );
            }
        }

        #[test]
        fn patterns_contain_and_meet(a in "[ab*]{0,5}", b in "[ab*]{0,5}") {
            let (a, b) = (Glob::from_segment(&a), Glob::from_segment(&b));
            let both = |text: &String| a.matches(&[text]) && b.matches(&[text]);
            prop_assert_eq!(a.overlaps_with(&b), SHORT_TEXTS.iter().any(both));
            prop_assert_eq!(b.overlaps_with(&a), a.overlaps_with(&b));
            let within = |text: &String| a.matches(&[text]) || !b.matches(&[text]);
            prop_assert_eq!(a.contains(&b), SHORT_TEXTS.iter().all(within));
        }

        #[test]
        fn first_segments(
            pattern in "[ab*]{0,4}", more in "[ab*]{0,3}", first in "[ab]{0,3}", second in "[ab]{0,3}",
        ) {
            for pattern in [Glob::from_segment(&pattern), Glob::from_segments(&[&pattern, &more])] {
                if pattern.matches(&[&first, &second]) {
                    prop_assert!(pattern.first_segments().iter().any(|it| it.matches(&[&first])));
                }
            }
        }

        #[test]
        fn a_text_matches_itself_and_the_wildcard(text in "[a-z:/ ]{0,20}") {
            prop_assert!(Glob::from_segment(&text).matches(&[&text]));
            prop_assert!(Glob::from_segment("*").matches(&[&text]));
            let literal = Glob::from_segment(&text).as_literal();
            prop_assert_eq!(literal.as_deref(), Some(text.as_str()));
        }
    }
}
