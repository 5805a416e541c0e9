//! Indents compact JSON as it comes, two spaces a level: what [`crate::stdx::json::Json::to_file`]
//! would make of the whole, without having the whole.

/// How an indented text stands between two pieces.
#[derive(Clone, Debug, Default)]
pub struct Indenter {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// A bracket was opened, and nothing has come yet of what it holds.
    opened: bool,
}

impl Indenter {
    /// Appends the next piece of a compact JSON text, cut anywhere.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for byte in piece {
            self.byte(*byte, out);
        }
    }

    /// Appends what ends a text.
    pub fn end(self, out: &mut Vec<u8>) {
        out.push(b'\n');
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
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
                // What holds nothing stays on one line.
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

/// The whole of a compact JSON text, indented.
pub fn indented(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len() + json.len() / 2);
    let mut indenter = Indenter::default();
    indenter.push(json, &mut out);
    indenter.end(&mut out);
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
            assert_eq!(indented(&compact), expect, "{text}");
            let (mut out, mut indenter) = (Vec::new(), Indenter::default());
            compact.chunks(1).for_each(|it| indenter.push(it, &mut out));
            indenter.end(&mut out);
            assert_eq!(out, expect, "{text}");
        }
    }
}
