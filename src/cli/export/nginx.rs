//! The part of a configuration with which nginx serves an export as the live server would.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

use crate::cli::export::addresses::QUERY_FOLDER;
use crate::cli::export::exporter::OTHER_ENDINGS;
use crate::cli::export::host_rules::HEADERS_FILE;
use crate::cli::export::host_rules::HostedFile;
use crate::cli::export::host_rules::Hosting;
use crate::cli::export::host_rules::NGINX_FILE;
use crate::cli::export::host_rules::REDIRECTS_FILE;
use crate::cli::export::host_rules::title_case;
use crate::cli::export::manifest::Head;
use crate::cli::export::manifest::MANIFEST_FILE;

const ABOUT: &str = "\
# Written by `recto export`, and anew by every export. It belongs into a `server` block:
#
#     root /srv/export;
#     include /srv/export/_nginx.conf;
#
# A parameter chooses a file in `query`. Its value has to be plain: it becomes part of a path.
set $recto_query /query/none;
";

/// The parameters that choose a file, with the values that they may have.
const PARAMETERS: [(&str, &str); 4] = [
    ("locale", "^[A-Za-z0-9_-]+$"),
    ("part", "^[0-9]+$"),
    ("w", "^[0-9]+$"),
    ("preset", "^[A-Za-z0-9_-]+$"),
];

/// The types of the files of a folder by their endings; the empty one is that of files without.
type Kinds<'h> = BTreeMap<String, &'h str>;

/// Returns the configuration for an export.
pub(super) fn write_config(hosting: &Hosting) -> String {
    let mut text = ABOUT.to_string();
    for (name, pattern) in PARAMETERS {
        text.push_str(&format!(
            "if ($arg_{name} ~ \"{pattern}\") {{ set $recto_query /query/{name}=$arg_{name}; }}\n"
        ));
    }
    for hidden in [MANIFEST_FILE, HEADERS_FILE, REDIRECTS_FILE, NGINX_FILE] {
        text.push_str(&format!("location = /{hidden} {{ return 404; }}\n"));
    }
    text.push_str(&format!("location ^~ /{QUERY_FOLDER}/ {{ return 404; }}\n"));
    let mut folders: BTreeMap<&str, Vec<&HostedFile>> = BTreeMap::new();
    for file in &hosting.files {
        let (folder, _) = file.path.rsplit_once('/').unwrap_or_default();
        folders.entry(folder).or_default().push(file);
    }
    for (folder, files) in &folders {
        write_folder(folder, files, &mut text);
    }
    for (from, to) in &hosting.moved {
        let mut body = render_head(&hosting.common);
        body.push_str("  absolute_redirect off;\n");
        body.push_str(&format!("  return 301 {}$is_args$args;\n", quote(to)));
        text.push_str(&format!("location = {} {{\n{body}}}\n", quote(&decode(from))));
    }
    text
}

/// Writes the location of the files of a folder, and those of files that are not like most.
fn write_folder(folder: &str, files: &[&HostedFile], text: &mut String) {
    let plain = || files.iter().filter(|it| it.query.is_none());
    let usual = find_usual(plain().map(|it| strip_kind(&it.head)));
    let kinds = collect_kinds(files);
    let body = format!("{}{}{}", render_head(&usual), render_kinds(&kinds), render_files(files));
    let place = quote(&decode(&format!("{folder}/")));
    text.push_str(&format!("location ^~ {place} {{\n{body}}}\n"));
    for file in plain() {
        let (head, mut own_kinds) = (strip_kind(&file.head), kinds.clone());
        own_kinds.extend(kind_of(file).map(|it| (ending_of(file), it)));
        if head == usual && own_kinds == kinds {
            continue;
        }
        let own =
            format!("{}{}{}", render_head(&head), render_kinds(&own_kinds), render_files(files));
        text.push_str(&format!("location = {} {{\n{own}}}\n", quote(&decode(&file.path))));
    }
}

/// Returns the value that is there most often.
fn find_usual<T: Ord + Default>(values: impl Iterator<Item = T>) -> T {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|it| *counts.entry(it).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(it, _)| it).unwrap_or_default()
}

/// Returns the most frequent type of each ending.
fn collect_kinds<'h>(files: &[&'h HostedFile]) -> Kinds<'h> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in files {
        found.entry(ending_of(file)).or_default().extend(kind_of(file));
    }
    found.into_iter().map(|(ending, kinds)| (ending, find_usual(kinds.into_iter()))).collect()
}

fn kind_of(file: &HostedFile) -> Option<&str> {
    file.head.get("content-type").map(String::as_str)
}

fn strip_kind(head: &Head) -> Head {
    let mut head = head.clone();
    head.remove("content-type");
    head
}

/// Returns the ending of the file, as nginx looks it up.
fn ending_of(file: &HostedFile) -> String {
    let name = file.place.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default()
}

fn render_head(head: &Head) -> String {
    let field = |(name, value): (&String, &String)| {
        format!("  add_header {} {};\n", title_case(name), quote(value))
    };
    head.iter().map(field).collect()
}

fn render_kinds(kinds: &Kinds<'_>) -> String {
    let endings = kinds.iter().filter(|(ending, _)| !ending.is_empty());
    let types: String =
        endings.map(|(ending, kind)| format!(" {} {ending};", quote(kind))).collect();
    let other = kinds.get("").map(|it| format!("  default_type {};\n", quote(it)));
    format!("  types {{{types} }}\n{}", other.unwrap_or_default())
}

/// Writes where the file of an address is looked for.
fn render_files(files: &[&HostedFile]) -> String {
    let mut places = String::new();
    if files.iter().any(|it| it.query.is_some()) {
        places.push_str(" $recto_query$uri");
        let renamed = |ending: &&&str| {
            let is_it = |it: &&HostedFile| it.place == format!("{}.{ending}", it.expected_place());
            files.iter().copied().any(|it| it.query.is_some() && is_it(&it))
        };
        for ending in OTHER_ENDINGS.iter().filter(renamed) {
            places.push_str(&format!(" $recto_query$uri.{ending}"));
        }
        if files.iter().any(|it| it.query.is_some() && it.is_list()) {
            places.push_str(" $recto_query$uri/index.json");
        }
    }
    let lists = if files.iter().any(|it| it.is_list()) { " $uri/index.json" } else { "" };
    format!("  try_files{places} $uri{lists} =404;\n")
}

fn decode(path: &str) -> String {
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}

/// Writes a text as a value of a configuration.
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
