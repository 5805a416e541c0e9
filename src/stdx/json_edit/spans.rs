//! Spans of values in JSON text.

use std::ops::Range;

/// The span of a member or an item.
pub(crate) struct ChildSpan {
    /// The start: at its key, if it has one.
    pub(crate) start: usize,
    pub(crate) key_end: usize,
    pub(crate) value: Range<usize>,
}

/// Returns the children of the container at `span`. In text that is not valid JSON they are
/// meaningless.
pub(crate) fn find_children(text: &[u8], span: &Range<usize>) -> Vec<ChildSpan> {
    let mut children = Vec::new();
    let keyed = text.get(span.start) == Some(&b'{');
    let mut cursor = SpanCursor { text, at: span.start + 1 };
    loop {
        cursor.skip_space();
        if matches!(cursor.peek(), None | Some(b'}' | b']')) {
            return children;
        }
        let start = cursor.at;
        let mut key_end = start;
        if keyed {
            cursor.skip_string();
            key_end = cursor.at;
            cursor.skip_space();
            cursor.at += 1;
            cursor.skip_space();
        }
        let value = cursor.at;
        cursor.skip_value();
        children.push(ChildSpan { start, key_end, value: value..cursor.at });
        cursor.skip_space();
        cursor.at += usize::from(cursor.peek() == Some(b','));
    }
}

/// A cursor in valid JSON text.
pub(super) struct SpanCursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl SpanCursor<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        self.at += leading_space(self.text, self.at).len();
    }

    pub(super) fn skip_string(&mut self) {
        self.at += 1;
        let rest = |at| self.text.get(at..).unwrap_or_default();
        while let Some(step) = memchr::memchr2(b'"', b'\\', rest(self.at)) {
            let escape = self.text.get(self.at + step) == Some(&b'\\');
            self.at += step + 1 + usize::from(escape);
            if !escape {
                return;
            }
        }
        self.at = self.text.len();
    }

    fn skip_value(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                _ if depth == 0 => return self.skip_word(),
                _ => self.at += 1,
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    fn skip_word(&mut self) {
        self.at += 1;
        while self.peek().is_some_and(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it)) {
            self.at += 1;
        }
    }
}

/// Returns the white space that begins at `at`.
pub(super) fn leading_space(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.iter().take_while(|it| it.is_ascii_whitespace()).count();
    slice(rest, 0..len)
}

/// Returns the character at `at` with the white space around it.
pub(super) fn slice_around(text: &[u8], at: usize) -> &[u8] {
    let before = slice(text, 0..at).iter().rev().take_while(|it| it.is_ascii_whitespace()).count();
    slice(text, at - before..at + 1 + leading_space(text, at + 1).len())
}

/// Returns the range of the text without the surrounding white space.
pub(crate) fn trimmed_range(text: &[u8]) -> Range<usize> {
    let start = leading_space(text, 0).len();
    start..start + text.trim_ascii().len()
}

pub(super) fn slice(text: &[u8], span: Range<usize>) -> &[u8] {
    text.get(span).unwrap_or_default()
}

pub(super) fn has_newline(text: &[u8]) -> bool {
    memchr::memchr(b'\n', text).is_some()
}

pub(super) fn count_newlines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Returns the text after the last line break.
pub(super) fn after_newline(text: &[u8]) -> Option<&[u8]> {
    memchr::memrchr(b'\n', text).map(|at| slice(text, at + 1..text.len()))
}

/// Returns the text from the last line break on, or all of it if there is none.
pub(super) fn last_line(space: &[u8]) -> &[u8] {
    let Some(at) = memchr::memrchr(b'\n', space) else { return space };
    let crlf = at > 0 && space.get(at - 1) == Some(&b'\r');
    slice(space, at - usize::from(crlf)..space.len())
}
