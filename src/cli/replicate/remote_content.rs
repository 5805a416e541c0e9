//! The content of the other server, of which only what is not known here is fetched.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use percent_encoding::NON_ALPHANUMERIC;
use percent_encoding::utf8_percent_encode;

use crate::app::replication::base::ReplicationBase;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::lines::ListingLine;
use crate::app::replication::lines::ReplicatedLine;
use crate::app::replication::listing::PATH_SEPARATOR;
use crate::app::replication::local::LocalContent;
use crate::app::replication::plan::RemoteFiles;
use crate::app::replication::replicated_types::ReplicatedTypes;
use crate::cli::error::CommandError;
use crate::net::recto_client::ClientError;
use crate::net::recto_client::RectoClient;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;

/// The number of unknown files from which all are fetched in one request.
const FETCHED_ONE_BY_ONE_MAX: usize = 400;

/// The longest list of paths in an address.
const PATHS_BYTES_MAX: usize = 1_400;

/// The most values in a line: more than people write into 8 MiB.
const VALUES_MAX: usize = 2_000_000;

/// The files of the other server, with the checksums that it gave.
#[derive(Debug, Default)]
pub(super) struct RemoteContent {
    pub(super) files: RemoteFiles,
    /// The checksums of JSON files.
    pub(super) sums: BTreeMap<ReplicatedFile, Checksum>,
}

impl RemoteContent {
    /// Fetches what the token may see.
    pub(super) fn fetch(
        client: &RectoClient,
        local: &LocalContent,
        base: &ReplicationBase,
    ) -> Result<RemoteContent, CommandError> {
        let mut content = RemoteContent::default();
        let (lines, unseen) = fetch_lines(client, "")?;
        content.files.unseen = unseen.into_iter().collect();
        let mut unknown = BTreeSet::new();
        for line in lines {
            if line.sum.is_some() && line.sum.as_ref() == base.sanitized.get(&line.file) {
                content.files.sanitized.insert(line.file.clone());
            }
            match content.find_known(&line, local, base) {
                Some(value) => content.add(line, value),
                None => _ = unknown.insert(line.file),
            }
        }
        let mut fetched = BTreeSet::new();
        for query in list_queries(&unknown) {
            let (lines, unseen) = fetch_lines(client, &query)?;
            content.files.unseen.extend(unseen);
            for line in lines {
                // What is known already may have changed since; the other server will say so.
                let is_wanted = unknown.remove(&line.file);
                if let Some(value) = line.to_value().filter(|_| is_wanted) {
                    fetched.insert(line.file.clone());
                    content.add(line, value);
                }
            }
        }
        if let Some(file) = unknown.first() {
            let message = format!("{file} changed on the server while it was read: run it again");
            return Err(CommandError::failed(message));
        }
        content.sanitize_entries(&fetched, local, base);
        Ok(content)
    }

    /// Sanitizes the HTML of entries that were fetched. Writing them here does so, and what it
    /// removes must not count as a change of this side the next time. Nor must what the server
    /// removed from an entry when it was sent.
    fn sanitize_entries(
        &mut self,
        fetched: &BTreeSet<ReplicatedFile>,
        local: &LocalContent,
        base: &ReplicationBase,
    ) {
        let types = ReplicatedTypes::read(local.values.iter().chain(&self.files.values));
        for file in fetched {
            if let Some(ReplicatedValue::Json(map)) = self.files.values.get_mut(file) {
                types.sanitize_entry(file, map);
            }
            let (sent, there) = (base.values.get(file), self.files.values.get(file));
            if file.is_same(sent, there) {
                continue;
            }
            let mut clean = sent.cloned();
            if let Some(ReplicatedValue::Json(map)) = &mut clean {
                types.sanitize_entry(file, map);
            }
            if file.is_same(clean.as_ref(), there) {
                self.files.sanitized.insert(file.clone());
            }
        }
    }

    /// Returns the checksums that some files have now.
    pub(super) fn fetch_sums(
        client: &RectoClient,
        files: &BTreeSet<ReplicatedFile>,
    ) -> Result<BTreeMap<ReplicatedFile, Checksum>, CommandError> {
        let mut sums = BTreeMap::new();
        for query in list_queries(files) {
            let (lines, _) = fetch_lines(client, &query)?;
            let lines = lines.into_iter().filter(|it| files.contains(&it.file));
            sums.extend(lines.filter_map(|it| Some((it.file, it.sum?))));
        }
        Ok(sums)
    }

    /// Returns the value of a file if it is one that is here.
    fn find_known(
        &self,
        line: &ReplicatedLine,
        local: &LocalContent,
        base: &ReplicationBase,
    ) -> Option<ReplicatedValue> {
        if let ReplicatedFile::Media(_) = line.file {
            return line.to_value();
        }
        let file = &line.file;
        if line.sum.is_some() && base.sums.get(file) == line.sum.as_ref() {
            return base.values.get(file).cloned();
        }
        let here = local.values.get(file)?;
        let json = Json::Object(here.as_map()?.clone());
        (Some(json.compute_checksum()) == line.sum).then(|| here.clone())
    }

    fn add(&mut self, line: ReplicatedLine, value: ReplicatedValue) {
        if let (Some(sum), ReplicatedValue::Json(_)) = (line.sum, &value) {
            self.sums.insert(line.file.clone(), sum);
        }
        self.files.values.insert(line.file, value);
    }
}

/// Lists the queries that ask for the content of files.
fn list_queries(files: &BTreeSet<ReplicatedFile>) -> Vec<String> {
    const CONTENT: &str = "content=1";
    if files.len() > FETCHED_ONE_BY_ONE_MAX {
        return vec![CONTENT.to_string()];
    }
    let mut queries: Vec<String> = Vec::new();
    for file in files {
        let path = utf8_percent_encode(&file.path(), NON_ALPHANUMERIC).to_string();
        match queries.last_mut().filter(|it| it.len() + path.len() < PATHS_BYTES_MAX) {
            Some(query) => {
                let separator = PATH_SEPARATOR.to_string();
                query.extend(utf8_percent_encode(&separator, NON_ALPHANUMERIC));
                query.push_str(&path);
            }
            None => queries.push(format!("{CONTENT}&paths={path}")),
        }
    }
    queries
}

/// Returns the lines of an answer, and what the token does not see.
fn fetch_lines(
    client: &RectoClient,
    query: &str,
) -> Result<(Vec<ReplicatedLine>, Vec<String>), CommandError> {
    const STRANGE: &str = "the answer is not one of Recto, or of a newer version";
    let (mut lines, mut unseen) = (Vec::new(), None);
    let fetched = client.list_files(query, |line| {
        let json = Json::parse_within(line, VALUES_MAX).ok();
        match json.as_ref().and_then(ListingLine::parse).ok_or(STRANGE)? {
            ListingLine::File(line) => lines.push(line),
            ListingLine::End(paths) => unseen = Some(paths),
        }
        Ok(())
    });
    fetched.map_err(command_error)?;
    let unseen = unseen.ok_or_else(|| CommandError::failed("the answer ends too early"))?;
    Ok((lines, unseen))
}

/// Returns the error of a request. What the server says of single files is part of it.
pub(super) fn command_error(error: ClientError) -> CommandError {
    let mut text = match &error {
        ClientError::Refused { status, .. } if status.as_u16() == 412 => {
            "the server changed since the plan was made: run the command again".to_string()
        }
        error => format!("the server: {error}"),
    };
    if let ClientError::Refused { fields, .. } = error {
        for (place, message) in fields {
            text.push_str(&format!("\n{place}: {message}"));
        }
    }
    // Whatever the other server says, it does not control the terminal.
    let is_shown = |it: &char| !it.is_control() || *it == '\n';
    CommandError::failed(text.chars().filter(is_shown).collect::<String>())
}
