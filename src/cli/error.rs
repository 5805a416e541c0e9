//! Why a command did not do what was asked, in one plain sentence, with the exit code it leaves.

use std::fmt;
use std::process::ExitCode;

use crate::store::error::StoreError;

/// A command ended without what was asked for.
#[derive(Debug)]
pub struct Error {
    message: String,
    exit_code: u8,
}

impl Error {
    /// The command was understood and did not succeed: exit code 1.
    pub fn failed(message: impl fmt::Display) -> Error {
        Error { message: message.to_string(), exit_code: 1 }
    }

    /// Arguments or settings make no sense, or there is nothing to work on: exit code 2.
    pub fn usage(message: impl fmt::Display) -> Error {
        Error { message: message.to_string(), exit_code: 2 }
    }

    /// A tool of git cannot go on: git takes exit codes above 128 as that, and lower ones as
    /// conflicts.
    pub fn fatal_to_git(message: impl fmt::Display) -> Error {
        Error { message: message.to_string(), exit_code: 255 }
    }

    /// What the command leaves behind.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_code)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        Error::failed(error)
    }
}
