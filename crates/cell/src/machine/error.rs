//! The one error of machine files.

use std::fmt;

/// Why a machine could not be made; displays as one line that starts with the file's name and says
/// what is wrong and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineError {
    origin: String,
    place: Option<Place>,
    key: String,
    message: String,
}

/// A place in a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: Option<usize>,
}

impl Place {
    /// The line that holds byte `offset` of `text`.
    pub fn line(text: &str, offset: usize) -> Place {
        Place { column: None, ..Place::line_and_column(text, offset) }
    }

    /// The line and column of byte `offset` of `text`.
    pub fn line_and_column(text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        Place { line, column: Some(column) }
    }
}

impl MachineError {
    /// `key` is what the message is about; empty where it is about the whole file.
    pub(super) fn new(
        origin: &str,
        place: Option<Place>,
        key: impl Into<String>,
        message: impl Into<String>,
    ) -> MachineError {
        MachineError { origin: origin.into(), place, key: key.into(), message: message.into() }
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = self.origin.clone();
        if let Some(place) = self.place {
            line += &format!(":{}", place.line);
            if let Some(column) = place.column {
                line += &format!(":{column}");
            }
        }
        if !self.key.is_empty() {
            line += &format!(": {}", self.key);
        }
        line += &format!(": {}", self.message);
        // A quoted key may hold anything; the message stays one line.
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

/// `; did you mean NAME?` for the candidate nearest to `word`, or nothing where none is near.
pub(super) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const NEAR: f64 = 0.6;
    candidates
        .into_iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(word, name), name))
        .filter(|(similarity, _)| *similarity >= NEAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!("; did you mean {name}?"))
}
