//! Reasons for the failure of a measurement.

use std::fmt;

/// The reason for the failure of a measurement, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The request is wrong; the line says how to correct it.
    Usage(String),
    /// The measurement failed.
    Run(String),
    /// The caller stopped the measurement.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(line) | Error::Run(line) => f.write_str(line),
            Error::Stopped => f.write_str("stopped before its end"),
        }
    }
}

impl std::error::Error for Error {}

/// An [`Error::Usage`].
pub fn usage<T>(line: impl Into<String>) -> Result<T, Error> {
    Err(Error::Usage(line.into()))
}
