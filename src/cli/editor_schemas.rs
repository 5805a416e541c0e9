//! The thread that keeps the JSON Schemas for editors up to date while a server runs: when a
//! content type changes through the API, it writes them again in the folders that have them.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::thread;
use std::thread::JoinHandle;

use crate::cli::schema;
use crate::engine::Engine;
use crate::model::event::EmittedEvent;
use crate::model::event::EventKind;
use crate::model::event::EventSource;

/// The handle of the thread that writes the schemas.
pub(super) struct EditorSchemaWriter {
    orders: Sender<WriterMessage>,
    thread: JoinHandle<()>,
}

enum WriterMessage {
    Write,
    End,
}

impl EditorSchemaWriter {
    /// Starts the thread. It follows the changes made through the server, not those made in files:
    /// a checkout brings its own schemas.
    pub(super) fn spawn(engine: &Engine, root: PathBuf) -> io::Result<EditorSchemaWriter> {
        let (orders, received) = mpsc::channel();
        let thread = thread::Builder::new().name("editor-schemas".to_string());
        let thread = thread.spawn(move || run_writer(&root, &received))?;
        let sender = orders.clone();
        engine.outbox().feed().add_listener(move |emitted| {
            if changes_schemas(emitted) {
                // The server is shutting down if no one receives this.
                let _ = sender.send(WriterMessage::Write);
            }
        });
        Ok(EditorSchemaWriter { orders, thread })
    }

    /// Waits until all changes are written, then ends the thread.
    pub(super) fn finish(self) {
        let _ = self.orders.send(WriterMessage::End);
        // A thread that panicked has been logged.
        let _ = self.thread.join();
    }
}

fn changes_schemas(emitted: &EmittedEvent) -> bool {
    let is_schema = matches!(
        emitted.event.kind,
        EventKind::SchemaCreated | EventKind::SchemaUpdated | EventKind::SchemaDeleted
    );
    is_schema && emitted.event.source != EventSource::Disk
}

fn run_writer(root: &Path, orders: &Receiver<WriterMessage>) {
    while let Ok(WriterMessage::Write) = orders.recv() {
        let mut ends = false;
        // Only the last of several changes matters.
        while let Ok(order) = orders.try_recv() {
            ends |= matches!(order, WriterMessage::End);
        }
        if schema::has_schemas(root)
            && let Err(error) = schema::write_schemas(root)
        {
            tracing::warn!(%error, "the JSON Schemas for editors cannot be written");
        }
        if ends {
            return;
        }
    }
}
