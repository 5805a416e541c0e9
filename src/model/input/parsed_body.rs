//! The input of a use case, with the problems found in the body.

use crate::model::problem::FieldProblems;

/// The values of a request body and their problems. A use case decides the permission on the values
/// first: only callers who may make the change are told the problems of their body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedBody<T> {
    /// The values. Those with a problem are missing or have their defaults.
    pub values: T,
    /// The problems.
    pub problems: FieldProblems,
}

impl<T> ParsedBody<T> {
    /// Returns other values made of these, with the same problems.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> ParsedBody<U> {
        ParsedBody { values: make(self.values), problems: self.problems }
    }

    /// Returns the values if there are no problems.
    pub fn into_result(self) -> Result<T, FieldProblems> {
        self.problems.into_result(self.values)
    }

    /// Checks that there are no problems.
    pub fn check(&self) -> Result<(), FieldProblems> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems.clone()) }
    }
}
