//! Requests as scenarios write them.

use std::collections::HashMap;
use std::fs;
use std::net::IpAddr;
use std::path::Path;

use crate::support::scenario::print::Names;
use crate::support::scenario::print::Show;

/// A request with the way to show its answer.
#[derive(Clone)]
pub(crate) struct Asked {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub peer: IpAddr,
    pub show: Show,
}

impl Asked {
    pub(crate) fn begin(line: &str) -> Option<Asked> {
        let (method, target) = line.split_once(' ')?;
        if !method.chars().all(|it| it.is_ascii_uppercase()) {
            return None;
        }
        Some(Asked {
            method: method.to_string(),
            target: target.trim().to_string(),
            headers: Vec::new(),
            body: Vec::new(),
            peer: IpAddr::from([127, 0, 0, 1]),
            show: Show::default(),
        })
    }

    /// The request of a table's row, which is put where it belongs: at `<row>` in the body, in
    /// headers, or as the name of a token, and at `{}` in the address; else at the address' end.
    pub(crate) fn with_row(&self, row: &str, tokens: &HashMap<String, String>) -> Asked {
        const ROW: &str = "<row>";
        let mut asked = self.clone();
        let mut is_put = self.target.contains("{}");
        asked.target = self.target.replace("{}", row);
        if row == NOBODY {
            asked.headers.retain(|(name, value)| name != "Authorization" || !value.contains(ROW));
            is_put |= asked.headers.len() < self.headers.len();
        }
        for (name, value) in asked.headers.iter_mut().filter(|(_, value)| value.contains(ROW)) {
            let token = tokens.get(row).filter(|_| name == "Authorization");
            *value = value.replace(ROW, token.map_or(row, String::as_str));
            is_put = true;
        }
        let body = String::from_utf8_lossy(&self.body);
        if body.contains(ROW) {
            asked.body = body.replace(ROW, row).into_bytes();
            is_put = true;
        }
        if !is_put {
            asked.target.push_str(row);
        }
        asked.log_in();
        asked
    }

    /// Somebody who is logged in has a cookie and a CSRF token rather than a bearer token.
    fn log_in(&mut self) {
        let of = |(name, value): &(String, String)| {
            let session = value.strip_prefix("Bearer session ")?.split_once(' ')?;
            (name == "Authorization").then(|| (session.0.to_string(), session.1.to_string()))
        };
        let Some((cookie, csrf)) = self.headers.iter().find_map(of) else { return };
        self.headers.retain(|(name, _)| name != "Authorization");
        let cookies = format!("recto_session={cookie}; __Host-recto_session={cookie}");
        self.headers.push(("Cookie".to_string(), cookies));
        if !matches!(self.method.as_str(), "GET" | "HEAD") {
            self.headers.push(("X-CSRF-Token".to_string(), csrf));
        }
    }

    pub(crate) fn take(&mut self, line: &str, tokens: &HashMap<String, String>, names: &Names) {
        let list = |text: &str| text.split(", ").map(|it| it.trim().to_string()).collect();
        if self.take_body(line, names) {
            return;
        }
        if let Some((name, value)) = line.split_once(": ") {
            let known = with_tokens(names.unmask(value), tokens);
            self.headers.push((name.to_string(), known));
            return;
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "as" => {
                let known = tokens.get(value).map(String::as_str);
                // Which one it is may be a row's to say.
                let token = known.or(Some(value).filter(|it| *it == "<row>"));
                let token = token.unwrap_or_else(|| panic!("no token {value:?}"));
                self.headers.push(("Authorization".to_string(), format!("Bearer {token}")));
                self.log_in();
            }
            "csrf" => {
                self.headers.retain(|(name, _)| name != "X-CSRF-Token");
                if value != "none" {
                    self.headers.push(("X-CSRF-Token".to_string(), value.to_string()));
                }
            }
            "from" => self.peer = value.parse().unwrap(),
            "show" => self.show.paths = list(value),
            "headers" => self.show.headers = list(value),
            "only" => self.show.only = list(value),
            "raw" => self.show.raw = true,
            "" => {}
            _ => panic!("{line:?} is neither a header nor a way to show an answer"),
        }
    }
}

/// Who has no token, in rows that say who asks.
const NOBODY: &str = "nobody";

/// What parts a form that a scenario sends.
const BOUNDARY: &str = "scenario";

impl Asked {
    /// `json {…}`, `large bytes` of white space, `body text`, `text name value`,
    /// `long name length`, `file name filename text`, or the same with `@path` of a file among the
    /// tests' data for the text; `many 3 …` is one of them three times.
    fn take_body(&mut self, line: &str, names: &Names) -> bool {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "json" => {
                self.headers.push(("Content-Type".to_string(), "application/json".to_string()));
                self.body = with_letters(&names.unmask(value)).into_bytes();
            }
            "large" => {
                self.headers.push(("Content-Type".to_string(), "application/json".to_string()));
                self.body = vec![b' '; value.parse().unwrap()];
            }
            "body" => self.body = value.as_bytes().to_vec(),
            "text" => {
                let (name, text) = value.split_once(' ').unwrap_or((value, ""));
                self.add_part(&format!("name=\"{name}\""), text.as_bytes());
            }
            "long" => {
                let (name, length) = value.split_once(' ').unwrap();
                let text = vec![b'x'; length.parse().unwrap()];
                self.add_part(&format!("name=\"{name}\""), &text);
            }
            "many" => {
                let (number, line) = value.split_once(' ').unwrap();
                for number in 1..=number.parse::<u32>().unwrap() {
                    self.take_body(&line.replace("{}", &number.to_string()), names);
                }
            }
            "file" => {
                let (name, rest) = value.split_once(' ').unwrap();
                let (filename, text) = match rest.strip_prefix('"') {
                    Some(quoted) => quoted.split_once('"').unwrap(),
                    None => rest.split_once(' ').unwrap_or((rest, "")),
                };
                let text = text.trim_start();
                let root = Path::new(env!("CARGO_MANIFEST_DIR"));
                let bytes = match text.strip_prefix('@') {
                    Some(path) => fs::read(root.join(path)).unwrap(),
                    None => text.as_bytes().to_vec(),
                };
                let about = format!("name=\"{name}\"; filename=\"{filename}\"");
                self.add_part(&about, &bytes);
            }
            _ => return false,
        }
        true
    }

    fn add_part(&mut self, about: &str, bytes: &[u8]) {
        let end = format!("--{BOUNDARY}--\r\n");
        if self.body.is_empty() {
            let form = format!("multipart/form-data; boundary={BOUNDARY}");
            self.headers.push(("Content-Type".to_string(), form));
        } else {
            self.body.truncate(self.body.len() - end.len());
        }
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {about}\r\n\r\n");
        self.body.extend([head.as_bytes(), bytes, b"\r\n", end.as_bytes()].concat());
    }
}

/// Puts so many letters in place of `<number letters>`.
fn with_letters(text: &str) -> String {
    let number = |(before, rest): (&str, &str)| {
        let (_, number) = before.rsplit_once('<')?;
        let start = before.len() - number.len() - 1;
        Some((start, number.parse().ok()?, rest.len()))
    };
    match text.split_once(" letters>").and_then(number) {
        Some((start, number, rest)) => {
            [&text[..start], &"x".repeat(number), &text[text.len() - rest..]].concat()
        }
        None => text.to_string(),
    }
}

/// Puts tokens in place of their names.
pub(crate) fn with_tokens(text: String, tokens: &HashMap<String, String>) -> String {
    tokens.iter().fold(text, |text, (name, token)| text.replace(&format!("<token {name}>"), token))
}
