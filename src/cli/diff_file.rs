//! `recto diff-file`: a file of content as text in which each value and each line of a text stands on a
//! line of its own, so that `git diff` shows what changed.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::cli::error::Error;
use crate::model::field::join;
use crate::stdx::json::Json;
use crate::store::codec;

/// Arguments of `recto diff-file`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffFileArgs {
    /// The file
    file: PathBuf,
}

pub(super) fn run(args: &DiffFileArgs) -> Result<(), Error> {
    let path = args.file.display().to_string();
    let bytes = fs::read(&args.file)
        .map_err(|error| Error::fatal_to_git(format!("cannot read {path}: {error}")))?;
    super::print(&text(&path, &bytes))
}

/// The file as text; one that is no JSON object as it is.
fn text(path: &str, bytes: &[u8]) -> String {
    let mut out = String::new();
    match codec::parse(path, bytes) {
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
                write_value(&join(path, key), value, out);
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

/// A block is named by its id, so that those behind it keep their names when it is taken out. Plain
/// values have none: a list of them changes by whole lines.
fn item_path(path: &str, index: usize, item: &Json) -> String {
    let id = item.as_object().and_then(|it| it.get("_id")).and_then(Json::as_str);
    match (id, item) {
        (Some(id), _) => format!("{path}[{id}]"),
        (None, Json::Object(_) | Json::Array(_)) => format!("{path}[{index}]"),
        (None, _) => format!("{path}[]"),
    }
}

/// Control characters are spelt out: what stands in content must not steer a terminal.
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
        assert_eq!(text("a.json", file.as_bytes()), expect);
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
