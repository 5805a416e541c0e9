//! The text indexes of large types, built in the background once they are served: otherwise the
//! first person who searches would wait for them.

use std::io;
use std::sync::Arc;
use std::thread;
use std::thread::JoinHandle;

use crate::engine::Engine;
use crate::stdx::processor::lower_thread_priority;

/// The number of entries from which on a type is prepared for searching. The first search of a
/// smaller one takes less than a fifth of a second.
const LARGE_MIN: usize = 5_000;

impl Engine {
    /// Builds the text indexes of large types on a thread that gives way to all others. Who
    /// searches meanwhile waits for the same index.
    ///
    /// # Errors
    ///
    /// Fails if no thread can be started.
    pub fn spawn_text_indexing(self: &Arc<Self>) -> io::Result<JoinHandle<()>> {
        let engine = self.clone();
        let work = move || {
            lower_thread_priority();
            engine.build_text_indexes(LARGE_MIN);
        };
        thread::Builder::new().name("text-index".to_owned()).spawn(work)
    }

    /// Builds the text indexes of all types with so many entries, one after the other.
    fn build_text_indexes(&self, entries_min: usize) {
        for slug in self.workspaces().keys() {
            let names = self.snapshot(slug.as_str()).map(|it| {
                let large = it.types().iter().filter(|it| it.len() >= entries_min);
                large.map(|it| it.content_type.name.clone()).collect::<Vec<_>>()
            });
            for name in names.into_iter().flatten() {
                // The newest one: building those before it took its time.
                let snapshot = self.snapshot(slug.as_str());
                if let Some(index) = snapshot.as_ref().and_then(|it| it.get(name.as_str())) {
                    index.build_text();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineOptions;
    use crate::stdx::clock::SystemClock;

    #[test]
    fn large_types_are_prepared_and_small_ones_are_not() {
        let data = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = data.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("workspaces/default/workspace.json", "{}");
        for (ty, count) in [("posts", 3), ("pages", 2)] {
            write(&format!("workspaces/default/schemas/{ty}.json"), r#"{"fields":{}}"#);
            for number in 0..count {
                let path = format!("workspaces/default/content/{ty}/e{number}.json");
                write(&path, r#"{"title":"T","status":"published"}"#);
            }
        }
        let options = EngineOptions::new(data.path().to_path_buf(), Arc::new(SystemClock));
        let engine = Engine::open(options).unwrap();
        engine.build_text_indexes(3);
        let snapshot = engine.snapshot("default").unwrap();
        let has_text = |ty: &str| snapshot.get(ty).unwrap().has_text();
        assert_eq!((has_text("posts"), has_text("pages")), (true, false));
        engine.close();
    }
}
