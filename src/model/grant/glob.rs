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
        fn a_text_matches_itself_and_the_wildcard(text in "[a-z:/ ]{0,20}") {
            prop_assert!(Glob::flat(&text).matches(&[&text]));
            prop_assert!(Glob::flat("*").matches(&[&text]));
            let literal = Glob::flat(&text).literal();
            prop_assert_eq!(literal.as_deref(), Some(text.as_str()));
        }
    }
}
