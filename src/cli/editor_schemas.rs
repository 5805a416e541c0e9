//! Keeps the JSON Schemas of editors in step with the content types while a server runs: when a type
//! changes through the API, they are written anew in the folders that have them.

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
use crate::model::event::EventKind;
use crate::model::event::Source;
use crate::model::event::Told;

/// The thread that writes them, until it is asked to end.
pub(super) struct Keeper {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

enum Order {
    Write,
    End,
}

impl Keeper {
    /// Follows the changes that the server makes. What people change in files is theirs: a checkout
    /// brings the schemas along.
    pub(super) fn begin(engine: &Engine, root: PathBuf) -> io::Result<Keeper> {
        let (orders, received) = mpsc::channel();
        let thread = thread::Builder::new().name("editor-schemas".to_string());
        let thread = thread.spawn(move || keep(&root, &received))?;
        let tell = orders.clone();
        engine.feed().listen(move |told| {
            if changes_schemas(told) {
                // Nobody is left to be told when the server ends.
                let _ = tell.send(Order::Write);
            }
        });
        Ok(Keeper { orders, thread })
    }

    /// Waits until all that was changed is written.
    pub(super) fn end(self) {
        let _ = self.orders.send(Order::End);
        // A thread that panicked has been logged.
        let _ = self.thread.join();
    }
}

fn changes_schemas(told: &Told) -> bool {
    let is_schema = matches!(
        told.event.kind,
        EventKind::SchemaCreated | EventKind::SchemaUpdated | EventKind::SchemaDeleted
    );
    is_schema && told.event.source != Source::Disk
}

fn keep(root: &Path, orders: &Receiver<Order>) {
    while let Ok(Order::Write) = orders.recv() {
        let mut ends = false;
        // Of many changes at once the last state counts.
        while let Ok(order) = orders.try_recv() {
            ends |= matches!(order, Order::End);
        }
        if schema::is_written(root)
            && let Err(error) = schema::write(root)
        {
            tracing::warn!(%error, "the JSON Schemas for editors cannot be written");
        }
        if ends {
            return;
        }
    }
}
