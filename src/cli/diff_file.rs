//! `recto diff-file`: a content file as text with one value or one line of text per line, so that
//! `git diff` shows the changes.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::cli::error::CommandError;
use crate::cli::terminal::print_text;
use crate::model::field::join_path;
use crate::stdx::json::Json;
use crate::store::codec;

/// Arguments of `recto diff-file`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffFileArgs {
    /// The file to print
    file: PathBuf,
}

pub(super) fn run(args: &DiffFileArgs) -> Result<(), CommandError> {
    let path = args.file.display().to_string();
    let bytes = fs::read(&args.file)
        .map_err(|error| CommandError::fatal_to_git(format!("cannot read {path}: {error}")))?;
    print_text(&render_text(&path, &bytes))
}

/// Renders a file as text. A file that is no JSON object stays as it is.
fn render_text(path: &str, bytes: &[u8]) -> String {
    let mut out = String::new();
    match codec::parse_document(path, bytes) {
        Ok(document) => {
            for (key, value) in document.map.iter() {
                write_value(key, value, &mut out);
            }
        }
        Err(_) => {
            for line in String::from_utf8_lossy(bytes).lines() {
                write_line(line, &mut out);
            }
        }
    }
    out
}

fn write_value(path: &str, value: &Json, out: &mut String) {
    match value {
        Json::Object(map) if !map.is_empty() => {
            for (key, value) in map.iter() {
                write_value(&join_path(path, key), value, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                write_value(&item_path(path, index, item), item, out);
            }
        }
        Json::String(text) if text.contains('\n') => {
            write_line(&format!("{path}:"), out);
            for line in text.lines() {
                write_line(&format!("    {line}"), out);
            }
        }
        Json::String(text) => write_line(&format!("{path}: {text}"), out),
        plain => {
            let mut text = Vec::new();
            plain.write_compact(&mut text);
            write_line(&format!("{path}: {}", String::from_utf8_lossy(&text)), out);
        }
    }
}

/// Names an item of an array. Blocks are named by their id, so that the following ones keep their
/// names when one is removed. Plain values have no name: a list of them changes by whole lines.
fn item_path(path: &str, index: usize, item: &Json) -> String {
    let id = item.as_object().and_then(|it| it.get("_id")).and_then(Json::as_str);
    match (id, item) {
        (Some(id), _) => format!("{path}[{id}]"),
        (None, Json::Object(_) | Json::Array(_)) => format!("{path}[{index}]"),
        (None, _) => format!("{path}[]"),
    }
}

/// Writes a line. Control characters are escaped, so that content cannot control the terminal.
fn write_line(line: &str, out: &mut String) {
    for letter in line.chars() {
        match letter {
            '\t' => out.push(letter),
            letter if letter.is_control() => {
                // Writing into a text cannot fail.
                let _ = write!(out, "{}", letter.escape_unicode());
            }
            letter => out.push(letter),
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, expect: &str) {
        assert_eq!(render_text("a.json", file.as_bytes()), expect);
    }

    #[test]
    fn each_value_has_a_line() {
        check(
            r#"{"title":"Hi","n":1.50,"data":{"body":"One\n\nTwo\u001b[2J","tags":["a","b"],"none":[],
                "rows":[{"q":"?"}],"parts":[{"_type":"p","_id":"x1","text":"T"}]}}"#,
            "title: Hi\nn: 1.5\ndata.body:\n    One\n    \n    Two\\u{1b}[2J\ndata.tags[]: a\n\
             data.tags[]: b\ndata.none: []\ndata.rows[0].q: ?\ndata.parts[x1]._type: p\n\
             data.parts[x1]._id: x1\ndata.parts[x1].text: T\n",
        );
    }

    #[test]
    fn what_is_no_json_is_shown_as_it_is() {
        check("<<<<<<< ours\n{}\n", "<<<<<<< ours\n{}\n");
    }
}
