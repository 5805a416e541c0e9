//! JSON in the many ways in which people lay it out.

use recto::stdx::json::Json;
use recto::stdx::json_text::write_string;

use crate::support::random_content::Draw;

/// JSON the way somebody writes it by hand.
pub(crate) struct Layout {
    indent: &'static str,
    newline: &'static str,
    colon: &'static str,
    bom: bool,
    end: bool,
}

impl Layout {
    pub(crate) fn draw(draw: &mut Draw<'_>) -> Layout {
        Layout {
            indent: draw.pick(&["  ", "    ", "\t", " "]),
            newline: draw.pick(&["\n", "\n", "\r\n"]),
            colon: draw.pick(&[": ", ":", " : "]),
            bom: draw.chance(10),
            end: draw.chance(70),
        }
    }

    pub(crate) fn text(&self, json: &Json) -> Vec<u8> {
        let mut out = Vec::new();
        if self.bom {
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        self.value(json, 0, &mut out);
        if self.end {
            out.extend_from_slice(self.newline.as_bytes());
        }
        out
    }

    fn line(&self, depth: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(self.newline.as_bytes());
        (0..depth).for_each(|_| out.extend_from_slice(self.indent.as_bytes()));
    }

    fn value(&self, json: &Json, depth: usize, out: &mut Vec<u8>) {
        let comma = |number: usize, out: &mut Vec<u8>| {
            if number > 0 {
                out.push(b',');
            }
            self.line(depth + 1, out);
        };
        match json {
            Json::Object(map) if !map.is_empty() => {
                out.push(b'{');
                for (number, (key, value)) in map.iter().enumerate() {
                    comma(number, out);
                    write_string(key, out);
                    out.extend_from_slice(self.colon.as_bytes());
                    self.value(value, depth + 1, out);
                }
                self.line(depth, out);
                out.push(b'}');
            }
            Json::Array(items) if items.iter().any(|it| !it.is_empty()) => {
                out.push(b'[');
                for (number, value) in items.iter().enumerate() {
                    comma(number, out);
                    self.value(value, depth + 1, out);
                }
                self.line(depth, out);
                out.push(b']');
            }
            other => other.write_compact(out),
        }
    }
}
