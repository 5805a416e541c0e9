//! Files of a request on their way to the disk: each is written as it comes, by blocking threads,
//! and vanishes unless a use case moves it to its place.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::body::BodyError;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::multipart::Event;
use crate::http::multipart::Parser;
use crate::http::multipart::PartHead;
use crate::http::route::Form;
use crate::http::service::Shared;
use crate::model::media::Refusal;
use crate::model::problem::FieldProblems;
use crate::store::error::StoreError;
use crate::store::spool::Spool;
use crate::store::spool::Spooled;

/// How long an upload may take.
const TOTAL: Duration = Duration::from_secs(15 * 60);
/// The longest text beside the files.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// How much is gathered before a blocking thread is asked to write it.
const GATHERED_BYTES: usize = 256 * 1024;

/// The files of a request, all on the disk, and what was said of them.
#[derive(Default)]
pub struct Upload {
    /// The files, in the order they came.
    pub files: Vec<Spooled>,
    /// The category that they shall have; none was named when there is none.
    pub category: Option<String>,
    /// Who shall see them; everybody when that was not said.
    pub visibility: Option<String>,
}

/// Something whose drop touches the disk, and so is left to a blocking thread.
pub struct Aside<T: Send + 'static>(Option<T>);

impl<T: Send + 'static> Aside<T> {
    /// Takes charge of it.
    pub(super) fn new(it: T) -> Aside<T> {
        Aside(Some(it))
    }

    /// A look at it, unless somebody has it already.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Gives it to whoever can drop it, unless somebody has it already.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T: Send + 'static> Drop for Aside<T> {
    fn drop(&mut self) {
        if let (Some(it), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn_blocking(move || drop(it));
        }
    }
}

/// Reads a form with files.
pub(super) async fn read(
    call: &Call,
    form: Form,
    mut body: RequestBody,
    boundary: &str,
) -> Result<Aside<Upload>> {
    body.allow_total(TOTAL);
    let parser = Parser::new(boundary);
    let mut parser = parser.ok_or_else(|| Error::bad_request("The form's boundary is none."))?;
    let limit_bytes = form.body_bytes_max();
    let mut metered = Metered { body, limit_bytes, left_bytes: limit_bytes };
    metered.check_length()?;
    let mut upload = Aside(Some(Upload::default()));
    let mut part = Part::Ignored;
    loop {
        match parser.next().map_err(|flaw| Error::bad_request(flaw.to_string()))? {
            Event::Starved => {
                let chunk = metered.next_chunk().await?;
                parser.feed(&chunk.ok_or_else(|| Error::bad_request("The form breaks off."))?);
            }
            Event::Part(head) => part = Part::begin(call, form, head, count(&upload)).await?,
            Event::Data(bytes) => part.take(bytes).await?,
            Event::PartEnd => part.end(&mut upload).await?,
            Event::End => break,
        }
    }
    // What follows the last part means nothing, but the next request comes after it.
    while metered.next_chunk().await?.is_some() {}
    Ok(upload)
}

/// How many files there are so far.
fn count(upload: &Aside<Upload>) -> usize {
    upload.0.as_ref().map_or(0, |it| it.files.len())
}

/// A body of which only so much is taken.
struct Metered {
    body: RequestBody,
    limit_bytes: u64,
    left_bytes: u64,
}

impl Metered {
    fn check_length(&self) -> Result<()> {
        let too_large = self.body.content_length().is_some_and(|it| it > self.left_bytes);
        if too_large { Err(self.too_large().into()) } else { Ok(()) }
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

/// What becomes of the part that is being read.
enum Part {
    Ignored,
    Text(TextKey, Vec<u8>),
    File(Filling),
}

/// What a text beside the files says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKey {
    Category,
    Visibility,
}

impl TextKey {
    fn name(self) -> &'static str {
        match self {
            TextKey::Category => "category",
            TextKey::Visibility => "visibility",
        }
    }
}

impl Part {
    async fn begin(call: &Call, form: Form, head: PartHead, index: usize) -> Result<Part> {
        Ok(match head.name.strip_suffix("[]").unwrap_or(&head.name) {
            name if name == form.field() => {
                let name = head.filename.unwrap_or_default();
                Part::File(Filling::begin(call, form, name, index).await?)
            }
            "category" => Part::Text(TextKey::Category, Vec::new()),
            "visibility" => Part::Text(TextKey::Visibility, Vec::new()),
            _ => Part::Ignored,
        })
    }

    async fn take(&mut self, bytes: Bytes) -> Result<()> {
        match self {
            Part::Ignored => Ok(()),
            Part::File(filling) => filling.take(bytes).await,
            Part::Text(_, text) if text.len() + bytes.len() > TEXT_BYTES_MAX => {
                Err(Error::too_large("A text in the form has more than 64 KiB."))
            }
            Part::Text(_, text) => {
                text.extend_from_slice(&bytes);
                Ok(())
            }
        }
    }

    async fn end(&mut self, upload: &mut Aside<Upload>) -> Result<()> {
        match std::mem::replace(self, Part::Ignored) {
            Part::Ignored => {}
            Part::Text(key, text) => {
                let wrong = |_| Error::bad_request(format!("The {} is not UTF-8.", key.name()));
                let text = String::from_utf8(text).map_err(wrong)?;
                let upload = upload.0.get_or_insert_default();
                match key {
                    TextKey::Category => upload.category = Some(text),
                    TextKey::Visibility => upload.visibility = Some(text),
                }
            }
            // Browsers send a nameless file of nothing when none was chosen.
            Part::File(filling) if filling.name.is_empty() && filling.size == 0 => {}
            Part::File(filling) => {
                let spooled = filling.finish().await?;
                upload.0.get_or_insert_default().files.push(spooled);
            }
        }
        Ok(())
    }
}

/// A file that is being filled.
struct Filling {
    shared: Arc<Shared>,
    form: Form,
    spool: Aside<Spool>,
    /// How many files came before it.
    index: usize,
    name: String,
    /// What has come and is not yet written: in one piece, since clients may send single bytes.
    gathered: Vec<u8>,
    /// How much has come.
    size: u64,
}

impl Filling {
    async fn begin(call: &Call, form: Form, name: String, index: usize) -> Result<Filling> {
        let shared = call.shared.clone();
        let engine = shared.app.engine.clone();
        let spool = shared.turns.run(move || engine.spool()).await.map_err(Error::internal)??;
        let (spool, gathered) = (Aside(Some(spool)), Vec::new());
        Ok(Filling { shared, form, spool, index, name, gathered, size: 0 })
    }

    async fn take(&mut self, bytes: Bytes) -> Result<()> {
        self.size = self.size.saturating_add(bytes.len() as u64);
        let limit = self.form.file_bytes_max(&self.shared.app.settings().uploads);
        if self.size > limit {
            let message = Refusal::TooLarge(limit).to_string();
            let field = match self.form {
                Form::Media => format!("media[{}]", self.index),
                form => form.field().to_string(),
            };
            return Err(Error::file_too_large(FieldProblems::one(field, message)));
        }
        self.gathered.extend_from_slice(&bytes);
        if self.gathered.len() < GATHERED_BYTES { Ok(()) } else { self.write().await }
    }

    /// Writes what has been gathered. A client that leaves meanwhile leaves the file to the thread.
    async fn write(&mut self) -> Result<()> {
        let mut gathered = std::mem::take(&mut self.gathered);
        let mut spool = self.spool()?;
        let written = self.shared.turns.run(move || {
            spool.write(&gathered)?;
            gathered.clear();
            Ok::<_, StoreError>((spool, gathered))
        });
        let (spool, emptied) = written.await.map_err(Error::internal)??;
        (self.spool, self.gathered) = (Aside(Some(spool)), emptied);
        Ok(())
    }

    async fn finish(mut self) -> Result<Spooled> {
        self.write().await?;
        let spool = self.spool()?;
        let finished = self.shared.turns.run(move || spool.finish());
        let mut spooled = finished.await.map_err(Error::internal)??;
        spooled.name = std::mem::take(&mut self.name);
        Ok(spooled)
    }

    fn spool(&mut self) -> Result<Spool> {
        self.spool.take().ok_or_else(|| Error::internal("a write of this file has failed before"))
    }
}
