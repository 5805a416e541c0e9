//! The state that two servers had in common when content was last pulled or pushed: for each other
//! server and workspace a file among those that are not committed to git.
//!
//! Without it everything that differs is in conflict, but nothing is lost.

use std::collections::BTreeMap;

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::lines::ListingLine;
use crate::app::replication::lines::ReplicatedLine;
use crate::app::replication::plan::FileValues;
use crate::app::replication::plan::ReplicationPlan;
use crate::app::replication::plan::ReplicationStep;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The key of the checksum of a file that the other server sanitized.
const SANITIZED: &str = "sanitized";

/// The two workspaces that a base is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicationPair {
    /// The URL of the other server.
    pub url: String,
    /// Its workspace.
    pub remote: WorkspaceSlug,
    /// The workspace here.
    pub local: WorkspaceSlug,
}

/// The state that both had in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplicationBase {
    /// The values of the files.
    pub values: FileValues,
    /// The checksums of files of the other server that say the same.
    pub sums: BTreeMap<ReplicatedFile, Checksum>,
    /// The checksums of the media files that the other server stored otherwise than they were sent:
    /// it sanitized them.
    pub sanitized: BTreeMap<ReplicatedFile, Checksum>,
}

impl ReplicationPair {
    /// Returns a name for the file of the base, which differs from that of all other pairs.
    pub fn name(&self) -> String {
        let mut summer = ChecksumBuilder::new();
        summer.add_part(self.url.as_bytes()).add_part(self.remote.as_bytes());
        summer.add_part(self.local.as_bytes()).finish().to_string()
    }

    fn to_json(&self) -> Json {
        let mut map = Map::new();
        map.push("url", self.url.as_str());
        map.push("remote", self.remote.as_str());
        map.push("local", self.local.as_str());
        Json::Object(map)
    }
}

impl ReplicationBase {
    /// Returns what both sides have in common once a plan is carried out: the state of the side
    /// whose changes were brought over. What is not seen is as it was. `sums` are the checksums of
    /// the `remote` files.
    pub fn advance(
        &self,
        source: &FileValues,
        remote: &FileValues,
        sums: &BTreeMap<ReplicatedFile, Checksum>,
        plan: &ReplicationPlan,
    ) -> ReplicationBase {
        let mut next = ReplicationBase { values: source.clone(), ..ReplicationBase::default() };
        for file in &plan.unseen {
            match self.values.get(file) {
                Some(value) => _ = next.values.insert(file.clone(), value.clone()),
                None => _ = next.values.remove(file),
            }
        }
        for (file, value) in &next.values {
            let sum = match remote.get(file) {
                there @ Some(_) if file.is_same(there, Some(value)) => sums.get(file),
                Some(_) => None,
                // The checksum is the one of the value that was in common before.
                None => self.sums.get(file).filter(|_| self.values.get(file) == Some(value)),
            };
            next.sums.extend(sum.map(|sum| (file.clone(), *sum)));
        }
        for (file, sum) in &self.sanitized {
            let sent = self.values.get(file);
            if sent.is_some() && next.values.get(file) == sent {
                next.sanitized.insert(file.clone(), *sum);
            }
        }
        next
    }

    /// Records that a step was sent: from now on both sides have in common what is `here`. `sum` is
    /// the checksum of the file that the other server has: of a media file in any case, of others
    /// if it is as it was sent.
    pub fn record_sent(
        &mut self,
        step: &ReplicationStep,
        here: Option<&ReplicatedValue>,
        sum: Option<Checksum>,
    ) {
        let file = &step.file;
        match here {
            Some(value) => _ = self.values.insert(file.clone(), value.clone()),
            None => _ = self.values.remove(file),
        }
        self.sums.remove(file);
        self.sanitized.remove(file);
        match (here, sum) {
            (Some(ReplicatedValue::Bytes { sum: sent, .. }), Some(sum)) if sum != *sent => {
                self.sanitized.insert(file.clone(), sum);
            }
            // A merged file has changes of the other side, too, which the next pull has to read.
            (Some(ReplicatedValue::Json(_)), Some(sum))
                if file.is_same(step.after.as_ref(), here) =>
            {
                self.sums.insert(file.clone(), sum);
            }
            _ => {}
        }
    }

    /// Returns the bytes of its file: the pair, and a line for each file.
    pub fn render(&self, pair: &ReplicationPair) -> Vec<u8> {
        let mut out = Vec::new();
        let mut push = |json: &Json| {
            // Writing JSON into memory cannot fail.
            let _ = serde_json::to_writer(&mut out, json);
            out.push(b'\n');
        };
        push(&pair.to_json());
        for (file, value) in &self.values {
            let line = ReplicatedLine::of_value(file, value, self.sums.get(file).copied());
            let mut json = line.to_json();
            if let (Json::Object(map), Some(sum)) = (&mut json, self.sanitized.get(file)) {
                map.push(SANITIZED, sum.to_string());
            }
            push(&json);
        }
        out
    }

    /// Parses the bytes of its file. A file that is broken or about another pair is nothing.
    pub fn parse(bytes: &[u8], pair: &ReplicationPair) -> Option<ReplicationBase> {
        let mut lines = bytes.strip_suffix(b"\n")?.split(|it| *it == b'\n');
        if Json::parse(lines.next()?).ok()? != pair.to_json() {
            return None;
        }
        let mut base = ReplicationBase::default();
        for line in lines {
            let json = Json::parse(line).ok()?;
            let ListingLine::File(line) = ListingLine::parse(&json)? else { return None };
            let sanitized =
                json.as_object().and_then(|it| it.get(SANITIZED)).and_then(Json::as_str);
            if let Some(sum) = sanitized.and_then(Checksum::parse_hex) {
                base.sanitized.insert(line.file.clone(), sum);
            }
            base.values.insert(line.file.clone(), line.to_value()?);
            if let (Some(sum), Some(_)) = (line.sum, &line.content) {
                base.sums.insert(line.file, sum);
            }
        }
        Some(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn a_base_is_read_as_it_was_written() {
        let slug = |text: &str| WorkspaceSlug::parse(text).unwrap();
        let url = "https://cms.example".to_string();
        let pair = ReplicationPair { url, remote: slug("site"), local: slug("default") };
        let file = |path: &str| ReplicatedFile::parse(path).unwrap();
        let (entry, media) = (file("content/posts/a.json"), file("media/a.svg"));
        let base = ReplicationBase {
            values: FileValues::from([
                (entry.clone(), ReplicatedValue::Json(map(r#"{"title":"A"}"#))),
                (media.clone(), ReplicatedValue::Bytes { sum: Checksum(1), size: 2 }),
            ]),
            sums: BTreeMap::from([(entry, Checksum(3))]),
            sanitized: BTreeMap::from([(media, Checksum(4))]),
        };
        let bytes = base.render(&pair);
        assert_eq!(ReplicationBase::parse(&bytes, &pair), Some(base));
        let other = ReplicationPair { remote: slug("other"), ..pair };
        assert_eq!(ReplicationBase::parse(&bytes, &other), None);
    }
}
