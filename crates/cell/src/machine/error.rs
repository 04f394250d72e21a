//! The error type of machine files.

use std::fmt;

/// The reason why a machine could not be created. It is displayed as one line: the file's name, the error, and the
/// correct form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineError {
    origin: String,
    position: Option<Position>,
    key: String,
    message: String,
}

/// A position in a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    line: usize,
    column: Option<usize>,
}

impl Position {
    /// Returns the number of the text line that contains byte `offset` of `text`.
    pub fn line(text: &str, offset: usize) -> Position {
        Position { column: None, ..Position::line_and_column(text, offset) }
    }

    /// Returns the line number and column of byte `offset` of `text`.
    pub fn line_and_column(text: &str, offset: usize) -> Position {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        Position { line, column: Some(column) }
    }
}

impl MachineError {
    /// `key` is the subject of the message; it is empty if the message concerns the whole file.
    pub(super) fn new(
        origin: &str,
        position: Option<Position>,
        key: impl Into<String>,
        message: impl Into<String>,
    ) -> MachineError {
        MachineError { origin: origin.into(), position, key: key.into(), message: message.into() }
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = self.origin.clone();
        if let Some(position) = self.position {
            line += &format!(":{}", position.line);
            if let Some(column) = position.column {
                line += &format!(":{column}");
            }
        }
        if !self.key.is_empty() {
            line += &format!(": {}", self.key);
        }
        line += &format!(": {}", self.message);
        // A quoted key may contain control characters; escape them to keep the message on one line.
        for character in line.chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for MachineError {}

/// Returns the text `; did you mean NAME?` with the candidate that is most similar to `word`, or `None` if no candidate
/// is similar.
pub(super) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const NEAR: f64 = 0.6;
    candidates
        .into_iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(word, name), name))
        .filter(|(similarity, _)| *similarity >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!("; did you mean {name}?"))
}
