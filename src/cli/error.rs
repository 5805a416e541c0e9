//! The error of a command: one plain sentence and the exit code of the process.

use std::fmt;
use std::process::ExitCode;

use crate::store::error::StoreError;

/// The error of a command that did not do its task.
#[derive(Debug)]
pub struct CommandError {
    message: String,
    exit_code: u8,
}

impl CommandError {
    /// Returns the error of a valid command that did not succeed: exit code 1.
    pub fn failed(message: impl fmt::Display) -> CommandError {
        CommandError { message: message.to_string(), exit_code: 1 }
    }

    /// Returns the error of invalid arguments or settings, or of a missing data folder: exit code
    /// 2.
    pub fn usage(message: impl fmt::Display) -> CommandError {
        CommandError { message: message.to_string(), exit_code: 2 }
    }

    /// Returns the error of a git helper that cannot go on: exit code 255. Git takes codes above
    /// 128 as a failure and lower ones as a number of conflicts.
    pub fn fatal_to_git(message: impl fmt::Display) -> CommandError {
        CommandError { message: message.to_string(), exit_code: 255 }
    }

    /// Returns the exit code of the process.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_code)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        match error {
            StoreError::Places(message) => CommandError::usage(message),
            error => CommandError::failed(error),
        }
    }
}
