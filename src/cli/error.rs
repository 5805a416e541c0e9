//! The error of a command: one plain sentence and the exit code of the process.

use std::fmt;
use std::process::ExitCode;

use crate::store::error::StoreError;

/// The error of a command that did not do its task.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
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

    /// Returns the error of a workspace that the folder does not have.
    pub fn no_workspace(name: impl fmt::Display) -> CommandError {
        CommandError::usage(format!("there is no workspace `{name}`"))
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

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        match error {
            StoreError::Places(message) => CommandError::usage(message),
            error => CommandError::failed(error),
        }
    }
}
