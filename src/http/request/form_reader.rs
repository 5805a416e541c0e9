//! Reads forms with files, and bare files: each is written to the disk as it comes, by blocking
//! threads.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::blocking_pool::PoolShare;
use crate::http::request::call::Call;
use crate::http::request::route::UploadForm;
use crate::http::request::state::ServerState;
use crate::http::request::upload::DropOnThread;
use crate::http::request::upload::Upload;
use crate::http::wire::multipart::MultipartEvent;
use crate::http::wire::multipart::MultipartParser;
use crate::http::wire::multipart::PartHead;
use crate::http::wire::request_body::BodyError;
use crate::http::wire::request_body::RequestBody;
use crate::model::media::UploadRefusal;
use crate::model::problem::FieldProblems;
use crate::store::error::StoreError;
use crate::store::write::spool::Spool;
use crate::store::write::spool::Spooled;

/// The time that an upload may take.
const TOTAL: Duration = Duration::from_secs(15 * 60);
/// The longest text beside the files.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// The bytes that are collected before a blocking thread is asked to write them.
const GATHERED_BYTES: usize = 256 * 1024;

/// Reads a form with files.
pub(crate) async fn read_form(
    call: &Call,
    form: UploadForm,
    body: RequestBody,
    boundary: &str,
) -> Result<DropOnThread<Upload>> {
    let parser = MultipartParser::new(boundary);
    let mut parser =
        parser.ok_or_else(|| Error::bad_request("The boundary of the form is not valid."))?;
    let mut limited = LimitedBody::begin_body(form, body)?;
    let mut upload = DropOnThread::new(Upload::default());
    let mut part = UploadPart::Ignored;
    loop {
        match parser.next_event().map_err(|flaw| Error::bad_request(flaw.to_string()))? {
            MultipartEvent::Starved => {
                let chunk = limited.next_chunk().await?;
                parser.feed(&chunk.ok_or_else(|| Error::bad_request("The form is incomplete."))?);
            }
            MultipartEvent::Part(head) => {
                part = UploadPart::begin_part(call, form, head, count_files(&upload)).await?
            }
            MultipartEvent::Data(bytes) => part.append_bytes(bytes).await?,
            MultipartEvent::PartEnd => part.finish_part(&mut upload).await?,
            MultipartEvent::End => break,
        }
    }
    // What follows the last part means nothing, but the next request comes after it.
    while limited.next_chunk().await?.is_some() {}
    Ok(upload)
}

/// Reads a body that is a file.
pub(crate) async fn read_bare_file(
    call: &Call,
    form: UploadForm,
    body: RequestBody,
) -> Result<DropOnThread<Upload>> {
    let mut limited = LimitedBody::begin_body(form, body)?;
    let mut file = SpoolingFile::begin_file(call, form, String::new(), 0).await?;
    while let Some(chunk) = limited.next_chunk().await? {
        file.append_bytes(chunk).await?;
    }
    let mut upload = DropOnThread::new(Upload::default());
    upload.get_or_insert_default().files.push(file.finish_file().await?);
    Ok(upload)
}

/// Returns the number of files so far.
fn count_files(upload: &DropOnThread<Upload>) -> usize {
    upload.get().map_or(0, |it| it.files.len())
}

/// A body of which only so much is taken.
struct LimitedBody {
    body: RequestBody,
    limit_bytes: u64,
    left_bytes: u64,
}

impl LimitedBody {
    /// Refuses a body that says to be too large.
    fn begin_body(form: UploadForm, mut body: RequestBody) -> Result<LimitedBody> {
        body.allow_total(TOTAL);
        let limit_bytes = form.body_bytes_max();
        let limited = LimitedBody { body, limit_bytes, left_bytes: limit_bytes };
        let too_large = limited.body.content_length().is_some_and(|it| it > limit_bytes);
        if too_large { Err(limited.too_large().into()) } else { Ok(limited) }
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>> {
        let Some(chunk) = self.body.next_chunk().await? else { return Ok(None) };
        let left = self.left_bytes.checked_sub(chunk.len() as u64);
        self.left_bytes = left.ok_or(self.too_large())?;
        Ok(Some(chunk))
    }

    fn too_large(&self) -> BodyError {
        BodyError::TooLarge { limit_bytes: self.limit_bytes }
    }
}

/// The destination of the part that is being read.
enum UploadPart {
    Ignored,
    Text(TextKey, Vec<u8>),
    File(SpoolingFile),
}

/// The meaning of a text field beside the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKey {
    Category,
    Visibility,
    Options,
}

impl TextKey {
    fn name(self) -> &'static str {
        match self {
            TextKey::Category => "category",
            TextKey::Visibility => "visibility",
            TextKey::Options => "options",
        }
    }
}

impl UploadPart {
    async fn begin_part(
        call: &Call,
        form: UploadForm,
        head: PartHead,
        index: usize,
    ) -> Result<UploadPart> {
        Ok(match head.name.strip_suffix("[]").unwrap_or(&head.name) {
            name if name == form.file_field() => {
                let name = head.filename.unwrap_or_default();
                UploadPart::File(SpoolingFile::begin_file(call, form, name, index).await?)
            }
            "category" => UploadPart::Text(TextKey::Category, Vec::new()),
            "visibility" => UploadPart::Text(TextKey::Visibility, Vec::new()),
            "options" => UploadPart::Text(TextKey::Options, Vec::new()),
            _ => UploadPart::Ignored,
        })
    }

    async fn append_bytes(&mut self, bytes: Bytes) -> Result<()> {
        match self {
            UploadPart::Ignored => Ok(()),
            UploadPart::File(file) => file.append_bytes(bytes).await,
            UploadPart::Text(_, text) if text.len() + bytes.len() > TEXT_BYTES_MAX => {
                Err(Error::too_large("A text in the form has more than 64 KiB."))
            }
            UploadPart::Text(_, text) => {
                text.extend_from_slice(&bytes);
                Ok(())
            }
        }
    }

    async fn finish_part(&mut self, upload: &mut DropOnThread<Upload>) -> Result<()> {
        match std::mem::replace(self, UploadPart::Ignored) {
            UploadPart::Ignored => {}
            UploadPart::Text(key, text) => {
                let wrong = |_| Error::bad_request(format!("The {} is not UTF-8.", key.name()));
                let text = String::from_utf8(text).map_err(wrong)?;
                let upload = upload.get_or_insert_default();
                match key {
                    TextKey::Category => upload.category = Some(text),
                    TextKey::Visibility => upload.visibility = Some(text),
                    TextKey::Options => upload.options = Some(text),
                }
            }
            // Browsers send a nameless file of nothing when none was chosen.
            UploadPart::File(file) if file.name.is_empty() && file.size == 0 => {}
            UploadPart::File(file) => {
                let spooled = file.finish_file().await?;
                upload.get_or_insert_default().files.push(spooled);
            }
        }
        Ok(())
    }
}

/// A file that is being filled.
struct SpoolingFile {
    state: Arc<ServerState>,
    form: UploadForm,
    spool: DropOnThread<Spool>,
    /// The number of files before it.
    index: usize,
    name: String,
    /// The bytes that have arrived and are not yet written, in one piece, since clients may send
    /// single bytes.
    gathered: Vec<u8>,
    /// The number of bytes that have arrived.
    size: u64,
}

impl SpoolingFile {
    async fn begin_file(
        call: &Call,
        form: UploadForm,
        name: String,
        index: usize,
    ) -> Result<SpoolingFile> {
        let state = call.state.clone();
        let engine = state.app.engine.clone();
        let spool = state
            .blocking_pool
            .run(PoolShare::Whole, move || engine.folder().create_spool())
            .await
            .map_err(Error::internal)??;
        let (spool, gathered) = (DropOnThread::new(spool), Vec::new());
        Ok(SpoolingFile { state, form, spool, index, name, gathered, size: 0 })
    }

    async fn append_bytes(&mut self, bytes: Bytes) -> Result<()> {
        self.size = self.size.saturating_add(bytes.len() as u64);
        let limit = self.form.file_bytes_max(&self.state.app.settings().editable.uploads);
        if self.size > limit {
            let message = UploadRefusal::TooLarge(limit).to_string();
            let field = match self.form {
                UploadForm::Media => format!("media[{}]", self.index),
                form => form.file_field().to_string(),
            };
            return Err(Error::file_too_large(FieldProblems::from_problem(field, message)));
        }
        self.gathered.extend_from_slice(&bytes);
        if self.gathered.len() < GATHERED_BYTES { Ok(()) } else { self.write_buffer().await }
    }

    /// Writes what has been gathered. A client that leaves meanwhile leaves the file to the thread.
    async fn write_buffer(&mut self) -> Result<()> {
        let mut gathered = std::mem::take(&mut self.gathered);
        let mut spool = self.take_spool()?;
        let written = self.state.blocking_pool.run(PoolShare::Whole, move || {
            spool.write(&gathered)?;
            gathered.clear();
            Ok::<_, StoreError>((spool, gathered))
        });
        let (spool, emptied) = written.await.map_err(Error::internal)??;
        (self.spool, self.gathered) = (DropOnThread::new(spool), emptied);
        Ok(())
    }

    async fn finish_file(mut self) -> Result<Spooled> {
        self.write_buffer().await?;
        let spool = self.take_spool()?;
        let finished = self.state.blocking_pool.run(PoolShare::Whole, move || spool.finish());
        let mut spooled = finished.await.map_err(Error::internal)??;
        spooled.name = std::mem::take(&mut self.name);
        Ok(spooled)
    }

    fn take_spool(&mut self) -> Result<Spool> {
        self.spool.take().ok_or_else(|| Error::internal("a write of this file has failed before"))
    }
}
