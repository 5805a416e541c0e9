//! The rules that hosts of files need for an export: header fields and redirects, in the notation
//! that Netlify and Cloudflare Pages share.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::cli::export::addresses::LIST_FILE;
use crate::cli::export::addresses::QUERY_FOLDER;
use crate::cli::export::manifest::Head;
use crate::cli::export::manifest::Manifest;
use crate::stdx::url_encoding::encode_segment;

/// The rules for header fields.
pub(super) const HEADERS_FILE: &str = "_headers";

/// The rules for redirects.
pub(super) const REDIRECTS_FILE: &str = "_redirects";

/// The part of a configuration for nginx.
pub(super) const NGINX_FILE: &str = "_nginx.conf";

/// The rules that Cloudflare Pages reads of each file.
const CLOUDFLARE_HEADERS_MAX: usize = 100;
const CLOUDFLARE_REDIRECTS_MAX: usize = 2_000;

const CONTENT_TYPE: &str = "content-type";

/// An exported file as hosts see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HostedFile {
    /// The path of its address, with escapes and without a parameter.
    pub(super) path: String,
    /// The parameter of its address.
    pub(super) query: Option<(String, String)>,
    /// The path at which the host has it, with escapes.
    pub(super) place: String,
    pub(super) head: Head,
}

/// An export as hosts see it.
pub(super) struct Hosting {
    pub(super) files: Vec<HostedFile>,
    /// The new addresses of entries that have moved, by their old ones.
    pub(super) moved: BTreeMap<String, String>,
    /// The header fields that all answers have.
    pub(super) common: Head,
    /// The folders in which all files are.
    pub(super) roots: BTreeSet<String>,
}

impl Hosting {
    pub(super) fn of_manifest(manifest: &Manifest, base_path: &str) -> Hosting {
        let mut files: Vec<HostedFile> = manifest
            .files()
            .map(|(target, record, head)| HostedFile::new(base_path, target, &record.path, head))
            .collect();
        files.sort();
        let moved =
            manifest.moved.iter().map(|(from, to)| (format!("{base_path}{from}"), to.clone()));
        let common = find_shared(files.iter().map(|it| &it.head), &BTreeSet::from([CONTENT_TYPE]));
        let roots = files.iter().map(|it| it.root(base_path)).collect();
        Hosting { moved: moved.collect(), common, roots, files }
    }

    /// Returns the text of `_headers`, and the number of its rules.
    pub(super) fn write_headers(&self) -> (String, usize) {
        let mut rules: Vec<(String, Head)> =
            self.roots.iter().map(|it| (format!("{it}/*"), self.common.clone())).collect();
        rules.extend(self.list_folder_rules());
        rules.retain(|(_, head)| !head.is_empty());
        let mut text = String::new();
        for (pattern, head) in &rules {
            text.push_str(&format!("{pattern}\n"));
            for (name, value) in head {
                // Writing to a string never fails.
                let _ = writeln!(text, "  {}: {value}", title_case(name));
            }
        }
        (text, rules.len())
    }

    /// Returns rules with the header fields that not all files have, for single files and for the
    /// files of whole folders. Rules never overlap in a field: hosts join the values then.
    fn list_folder_rules(&self) -> Vec<(String, Head)> {
        let mut places: BTreeMap<(&str, &str), Head> = BTreeMap::new();
        for file in &self.files {
            let own = file.head.iter().filter(|(name, _)| !self.common.contains_key(*name));
            let own: Head = own.map(|(name, value)| (name.clone(), value.clone())).collect();
            let shown = file.place.strip_suffix(&format!("/{LIST_FILE}")).unwrap_or(&file.place);
            let (folder, _) = shown.rsplit_once('/').unwrap_or_default();
            places.insert((folder, shown), own);
        }
        let mut folders: BTreeMap<&str, Vec<(&str, Head)>> = BTreeMap::new();
        for ((folder, place), head) in places {
            folders.entry(folder).or_default().push((place, head));
        }
        let has_below = |folder: &str| {
            let below = format!("{folder}/");
            folders.keys().any(|it| it.starts_with(&below))
        };
        let (mut rules, mut leaves) = (Vec::new(), Vec::new());
        for (folder, files) in &folders {
            if has_below(folder) {
                rules.extend(merge_files(folder, files));
            } else {
                leaves.push((*folder, add_leaf_rules(files, &mut rules)));
            }
        }
        rules.extend(merge_leaves(&leaves, folders.keys().copied().collect()));
        rules
    }

    /// Returns the text of `_redirects`, and the number of its rules.
    pub(super) fn write_redirects(&self) -> (String, usize) {
        let mut lines: Vec<String> =
            self.moved.iter().map(|(from, to)| format!("{from} {to} 301")).collect();
        lines.extend(self.list_query_rules());
        let lists = self.files.iter().filter(|it| it.query.is_none() && it.is_list());
        lines.extend(lists.map(|it| format!("{} {} 200", it.path, it.place)));
        let count = lines.len();
        (lines.into_iter().map(|it| it + "\n").collect(), count)
    }

    /// Returns rewrites of addresses with a parameter. All entries of a folder have a file for each
    /// locale, while pictures have different sizes.
    fn list_query_rules(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut folders = BTreeSet::new();
        for file in &self.files {
            let Some((key, value)) = &file.query else { continue };
            let value = encode_segment(value);
            if key == "locale" && !file.is_list() {
                let (folder, _) = file.path.rsplit_once('/').unwrap_or_default();
                let (place, _) = file.place.rsplit_once('/').unwrap_or_default();
                folders.insert(format!("{folder}/* {key}={value} {place}/:splat 200!"));
                continue;
            }
            if key == "w" || key == "preset" {
                lines.push(format!("{} {key}={value} v=:v {} 200!", file.path, file.place));
            }
            lines.push(format!("{} {key}={value} {} 200!", file.path, file.place));
        }
        lines.extend(folders);
        lines
    }

    /// Returns what the operator should know of the numbers of rules.
    pub(super) fn describe_limits(headers: usize, redirects: usize) -> Vec<String> {
        let mut notes = Vec::new();
        for (file, count, most) in [
            (HEADERS_FILE, headers, CLOUDFLARE_HEADERS_MAX),
            (REDIRECTS_FILE, redirects, CLOUDFLARE_REDIRECTS_MAX),
        ] {
            if count > most {
                notes.push(format!(
                    "{file} has {count} rules; Cloudflare Pages reads the first {most}"
                ));
            }
        }
        notes
    }
}

impl HostedFile {
    fn new(base_path: &str, target: &str, path: &str, head: &Head) -> HostedFile {
        let (address, query) = target.split_once('?').map_or((target, None), |(a, b)| (a, Some(b)));
        let query = query.and_then(|it| it.split_once('=')).map(|(key, value)| {
            let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
            (key.to_string(), value.into_owned())
        });
        let place: String = path.split('/').map(|it| format!("/{}", encode_place(it))).collect();
        HostedFile { path: format!("{base_path}{address}"), query, place, head: head.clone() }
    }

    /// Returns the place of the file if it has the name of its address.
    pub(super) fn expected_place(&self) -> String {
        match &self.query {
            Some((key, value)) => {
                format!("/{QUERY_FOLDER}/{key}={}{}", encode_segment(value), self.path)
            }
            None => self.path.clone(),
        }
    }

    /// Returns true if the file lies in the folder of what is below its address.
    pub(super) fn is_list(&self) -> bool {
        let (folder, name) = self.place.rsplit_once('/').unwrap_or_default();
        name == LIST_FILE && folder.ends_with(&self.path)
    }

    /// Returns the folder with everything of its kind: the API of a workspace, its media, or what
    /// is at addresses with a parameter.
    fn root(&self, base_path: &str) -> String {
        if self.query.is_some() {
            return format!("/{QUERY_FOLDER}");
        }
        let below = self.path.strip_prefix(base_path).unwrap_or(&self.path);
        let depth = if below.starts_with("/api/") { 4 } else { 2 };
        let names: Vec<&str> = below.split('/').skip(1).take(depth).collect();
        format!("{base_path}/{}", names.join("/"))
    }
}

/// Encodes the name of a folder or file. The names of parameters are readable.
fn encode_place(name: &str) -> String {
    match name.split_once('=') {
        Some((key, value)) => format!("{key}={}", encode_segment(value)),
        None => encode_segment(name).to_string(),
    }
}

/// Returns the rules of the files of a folder that has folders, too: one for all of them, if they
/// say the same.
fn merge_files(folder: &str, files: &[(&str, Head)]) -> Vec<(String, Head)> {
    match files {
        [(_, first), others @ ..]
            if !others.is_empty() && others.iter().all(|it| it.1 == *first) =>
        {
            vec![(format!("{folder}/:name"), first.clone())]
        }
        files => files.iter().map(|(place, head)| (place.to_string(), head.clone())).collect(),
    }
}

/// Adds the rules of the files of a folder without folders, and returns the fields that all of them
/// share.
fn add_leaf_rules(files: &[(&str, Head)], rules: &mut Vec<(String, Head)>) -> Head {
    let shared = find_shared(files.iter().map(|(_, head)| head), &BTreeSet::new());
    for (place, head) in files {
        let own = head.iter().filter(|(name, _)| !shared.contains_key(*name));
        // Hosts know the types of files by their endings.
        let own = own.filter(|(name, value)| *name != CONTENT_TYPE || !is_guessed(place, value));
        let own: Head = own.map(|(name, value)| (name.clone(), value.clone())).collect();
        if !own.is_empty() {
            rules.push((place.to_string(), own));
        }
    }
    shared
}

/// Returns the rules for the files of whole folders: one for all folders in a folder, if they say
/// the same and are all that is there.
fn merge_leaves(leaves: &[(&str, Head)], folders: BTreeSet<&str>) -> Vec<(String, Head)> {
    let parent = |it: &str| it.rsplit_once('/').map(|(parent, _)| parent.to_string());
    let mut groups: BTreeMap<String, Vec<&(&str, Head)>> = BTreeMap::new();
    for leaf in leaves {
        groups.entry(parent(leaf.0).unwrap_or_default()).or_default().push(leaf);
    }
    let mut rules = Vec::new();
    for (parent, leaves) in groups {
        let below = format!("{parent}/");
        let n_below = folders.iter().filter(|it| it.starts_with(&below)).count();
        match leaves.as_slice() {
            [first, others @ ..]
                if !others.is_empty()
                    && n_below == leaves.len()
                    && others.iter().all(|it| it.1 == first.1) =>
            {
                rules.push((format!("{parent}/:name/*"), first.1.clone()));
            }
            leaves => rules.extend(leaves.iter().map(|it| (format!("{}/*", it.0), it.1.clone()))),
        }
    }
    rules
}

fn is_guessed(place: &str, kind: &str) -> bool {
    mime_guess::from_path(place).first_raw() == Some(kind)
}

/// Returns the fields that all heads have with one value, except for `but`.
pub(super) fn find_shared<'h>(
    mut heads: impl Iterator<Item = &'h Head>,
    but: &BTreeSet<&str>,
) -> Head {
    let Some(first) = heads.next() else { return Head::new() };
    let mut shared = first.clone();
    shared.retain(|name, _| !but.contains(name.as_str()));
    for head in heads {
        shared.retain(|name, value| head.get(name) == Some(value));
    }
    shared
}

/// Writes the name of a field as people know it.
pub(super) fn title_case(name: &str) -> String {
    let word = |it: &str| {
        let (first, rest) = it.split_at(it.len().min(1));
        format!("{}{rest}", first.to_ascii_uppercase())
    };
    name.split('-').map(word).collect::<Vec<_>>().join("-")
}
