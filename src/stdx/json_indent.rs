//! Streaming indentation of compact JSON with two spaces per level. The result is that of
//! [`crate::stdx::json::Json::to_file`], without holding the whole text.

/// The state of an indented text between two pieces.
#[derive(Clone, Debug, Default)]
pub struct Indenter {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// True after an opening bracket, before its content.
    opened: bool,
}

impl Indenter {
    /// Appends the next piece of a compact JSON text, which may be split anywhere.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for byte in piece {
            self.push_byte(*byte, out);
        }
    }

    /// Appends the end of the text.
    pub fn write_end(self, out: &mut Vec<u8>) {
        out.push(b'\n');
    }

    fn push_byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.in_string {
            out.push(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        let was_opened = std::mem::take(&mut self.opened);
        match byte {
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                // An empty container stays on one line.
                if !was_opened {
                    self.break_line(out);
                }
                return out.push(byte);
            }
            _ if was_opened => self.break_line(out),
            _ => {}
        }
        out.push(byte);
        match byte {
            b'{' | b'[' => {
                self.depth += 1;
                self.opened = true;
            }
            b',' => self.break_line(out),
            b':' => out.push(b' '),
            b'"' => self.in_string = true,
            _ => {}
        }
    }

    fn break_line(&self, out: &mut Vec<u8>) {
        out.push(b'\n');
        out.resize(out.len() + 2 * self.depth, b' ');
    }
}

/// Indents a complete compact JSON text.
pub fn indent_json(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len() + json.len() / 2);
    let mut indenter = Indenter::default();
    indenter.push(json, &mut out);
    indenter.write_end(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::Json;

    #[test]
    fn looks_like_a_file() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"{"a":[],"b":{},"c":[1,-2.5e3,true,null],"d":[[],[{}],{"x":[{"y":""}]}]}"#,
            r#"{"text":"a {\"b\": [1, 2]}, \\","ä":"\\\"","\"":"\n"}"#,
        ] {
            let json = Json::parse(text.as_bytes()).unwrap();
            let (mut compact, expect) = (Vec::new(), json.to_file());
            json.write_compact(&mut compact);
            assert_eq!(indent_json(&compact), expect, "{text}");
            let (mut out, mut indenter) = (Vec::new(), Indenter::default());
            compact.chunks(1).for_each(|it| indenter.push(it, &mut out));
            indenter.write_end(&mut out);
            assert_eq!(out, expect, "{text}");
        }
    }
}
