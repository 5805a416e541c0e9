//! Requests and commands of scenarios, given one by one: for tests that choose them as they go.

use std::fs;
use std::path::Path;

use bytes::Bytes;
use http::HeaderMap;

use crate::support::scenario::asked::Asked;
use crate::support::scenario::stage::Stage;

impl Stage {
    /// Asks as a step of a scenario does: `line` has the method and the address, `more` the lines
    /// below it.
    pub(crate) fn ask_with(&self, line: &str, more: &[&str]) -> (u16, HeaderMap, Bytes) {
        let mut asked = Asked::begin(line).unwrap();
        more.iter().for_each(|it| asked.take(it, &self.tokens, &self.names));
        self.ask(&asked, &asked.target)
    }

    /// Does what a line says that is a command.
    pub(crate) fn do_command(&mut self, line: &str) {
        assert!(self.command(line, &mut std::iter::empty().peekable()), "{line:?}");
    }

    /// Adopts all edits of files.
    pub(crate) fn settle(&self) {
        self.engine().follower().refresh_until_settled();
    }

    /// Where the data folder is.
    pub(crate) fn folder_path(&self) -> &Path {
        self.folder.path()
    }

    /// The text of a file of the folder; empty if there is none.
    pub(crate) fn read_text(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap_or_default()
    }
}
