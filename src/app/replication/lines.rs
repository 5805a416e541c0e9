//! Lines about files: what a server answers, and what is kept of the last time.

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// A line about a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicatedLine {
    /// The file.
    pub file: ReplicatedFile,
    /// The checksum of its content, or of its bytes.
    pub sum: Option<Checksum>,
    /// The number of bytes of a media file.
    pub size: Option<u64>,
    /// The content of a JSON file, if it was asked for.
    pub content: Option<Map>,
}

/// A line of an answer about files.
#[derive(Clone, Debug, PartialEq)]
pub enum ListingLine {
    /// A file.
    File(ReplicatedLine),
    /// The last line, with the paths of what the reader may not see.
    End(Vec<String>),
}

impl ReplicatedLine {
    /// Returns the line as JSON.
    pub fn to_json(&self) -> Json {
        let mut map = Map::new();
        map.push("kind", "file");
        map.push("path", self.file.path());
        if let Some(sum) = self.sum {
            map.push("sum", sum.to_string());
        }
        if let Some(size) = self.size.and_then(|it| i64::try_from(it).ok()) {
            map.push("size", size);
        }
        if let Some(content) = &self.content {
            map.push("content", content.clone());
        }
        Json::Object(map)
    }

    /// Returns the value of the file, if the line has it.
    pub fn to_value(&self) -> Option<ReplicatedValue> {
        match (&self.file, &self.content) {
            (ReplicatedFile::Media(_), _) => {
                Some(ReplicatedValue::Bytes { sum: self.sum?, size: self.size? })
            }
            (_, content) => content.clone().map(ReplicatedValue::Json),
        }
    }

    /// Returns the line of a file with this value. `sum` is the one of a JSON file on the server.
    pub fn of_value(
        file: &ReplicatedFile,
        value: &ReplicatedValue,
        sum: Option<Checksum>,
    ) -> ReplicatedLine {
        let file = file.clone();
        match value {
            ReplicatedValue::Json(map) => {
                ReplicatedLine { file, sum, size: None, content: Some(map.clone()) }
            }
            ReplicatedValue::Bytes { sum, size } => {
                ReplicatedLine { file, sum: Some(*sum), size: Some(*size), content: None }
            }
        }
    }
}

impl ListingLine {
    /// Parses a line; nothing if it is not one. Paths are taken only if they are those of content.
    pub fn parse(json: &Json) -> Option<ListingLine> {
        let map = json.as_object()?;
        let text = |key: &str| map.get(key).and_then(Json::as_str);
        match text("kind")? {
            "end" => {
                let unseen = map.get("unseen").and_then(Json::as_array).unwrap_or_default();
                let texts = unseen.iter().map(|it| it.as_str().map(str::to_string));
                Some(ListingLine::End(texts.collect::<Option<_>>()?))
            }
            "file" => {
                let file = ReplicatedFile::parse(text("path")?)?;
                let sum = match text("sum") {
                    Some(text) => Some(Checksum::parse_hex(text)?),
                    None => None,
                };
                let size = map.get("size").map(parse_size);
                let size = if let Some(size) = size { Some(size?) } else { None };
                let content = map.get("content").map(|it| it.as_object().cloned());
                let content = if let Some(content) = content { Some(content?) } else { None };
                Some(ListingLine::File(ReplicatedLine { file, sum, size, content }))
            }
            _ => None,
        }
    }
}

fn parse_size(json: &Json) -> Option<u64> {
    let Json::Number(number) = json else { return None };
    number.as_u64()
}
