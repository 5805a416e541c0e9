//! Replies with entries, as both APIs give them.

use std::io;

use bytes::Bytes;
use http::StatusCode;
use http::header;

use crate::app::content::entries;
use crate::app::content::entries::AnswerBody;
use crate::app::content::entries::EntryResponse;
use crate::app::content::entries::EntryStream;
use crate::app::content::entries::FrameLimit;
use crate::app::content::entries::WrittenEntry;
use crate::app::error::Result;
use crate::http::api::reply::reply_json;
use crate::http::api::reply::with_entry_tag;
use crate::http::request::call::Call;
use crate::http::request::error::JSON;
use crate::http::request::query_warnings;
use crate::http::wire::pulled_body::FrameSource;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::query::request::list_query;
use crate::stdx::checksum::Checksum;

/// The frames of entries that are streamed.
struct EntryFrames(Box<EntryStream>);

impl Iterator for EntryFrames {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<io::Result<Bytes>> {
        self.0.next().map(Ok)
    }
}

impl FrameSource for EntryFrames {
    fn is_next_quick(&self) -> bool {
        self.0.is_next_quick()
    }

    fn next_quick(&mut self) -> Option<io::Result<Bytes>> {
        self.0.make_frame(FrameLimit::Quick).map(Ok)
    }
}

/// Entries, streamed when they are long.
pub(crate) fn reply_entries(body: AnswerBody) -> Reply {
    match body {
        AnswerBody::Whole(bytes) => reply_json(bytes),
        AnswerBody::Streamed(stream) => Reply::new(StatusCode::OK)
            .with_header(header::CONTENT_TYPE, JSON)
            .with_body(ReplyBody::from_quick_frames(EntryFrames(stream))),
    }
}

/// The entry that was written, in the locale that the request asks for, else that of its body.
pub(crate) fn reply_written(call: &Call, written: WrittenEntry) -> Result<Reply> {
    if call.query().is_empty() {
        return Ok(reply_entry(written.shown));
    }
    let params = call.parse_query()?;
    let locale = list_query::requested_locale(&params);
    let about_locale = locale.and_then(|it| written.describe_unknown_locale(it));
    let mut shown = match locale {
        Some(locale) => written.render_in(locale)?,
        None => written.shown,
    };
    let about_others = query_warnings::list_warnings(call.route, &params);
    let warnings = about_locale.into_iter().chain(about_others).collect();
    let json = query_warnings::add_warnings(shown.body.to_vec(), warnings);
    let body = if params.get_flag("pretty") { entries::indent_json(&json) } else { json };
    if body != shown.body {
        shown.variant = Checksum::of_bytes(&body);
        shown.body = body.into();
    }
    Ok(reply_entry(shown))
}

/// One entry with its tag.
pub(crate) fn reply_entry(shown: EntryResponse) -> Reply {
    with_entry_tag(reply_json(shown.body), shown.rev, shown.variant)
}
