//! Words that a parameter may be, and what they mean.

use crate::parameter::Parameter;
use crate::refusal::Refusal;

/// What a word means, if it is one of these.
pub fn meaning<T: Copy>(all: &[(T, &'static str)], word: &str) -> Option<T> {
    all.iter().find(|(_, known)| *known == word).map(|(meant, _)| *meant)
}

/// What a word means, of those that a parameter takes.
///
/// # Errors
/// It is none of them.
pub fn choice<T: Copy>(all: &[(T, &'static str)], word: &str, parameter: Parameter) -> Result<T, Refusal> {
    meaning(all, word).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(_, known)| *known).collect();
        Refusal::of(parameter, format!("give one of {}", known.join(", "))).given(format!("{word:?}"))
    })
}

/// The word for a choice.
pub fn word<T: Copy + PartialEq>(all: &[(T, &'static str)], choice: T) -> &'static str {
    all.iter().find(|(known, _)| *known == choice).map_or("", |(_, word)| word)
}

/// A word in a message: in quotes where it could not be seen otherwise.
pub fn shown(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|character| character.is_ascii_graphic());
    if plain { word.to_string() } else { format!("{word:?}") }
}

/// How the PPE reaches an SPE's mailboxes and signals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpePath {
    /// Through the runtime library, and so the operating system.
    Library,
    /// By loads and stores to the problem-state registers.
    Mmio,
}

impl PpePath {
    /// All of them, with their words.
    pub const ALL: [(PpePath, &str); 2] = [(PpePath::Library, "library"), (PpePath::Mmio, "mmio")];
}

/// What the SPEs run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpeProgram {
    /// The programs of this crate, which charge their own code as machine values of `software`.
    Builtin,
    /// An executable compiled from C, whose code takes as long as its instructions do.
    C,
}

impl SpeProgram {
    /// All of them, with their words.
    pub const ALL: [(SpeProgram, &str); 2] = [(SpeProgram::Builtin, "builtin"), (SpeProgram::C, "c")];
}

/// Which way DMAs go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TransferOp {
    /// To the SPE that issues them.
    Get,
    /// From it.
    Put,
    /// Both, in turn.
    Copy,
}

impl TransferOp {
    /// All of them, with their words.
    pub const ALL: [(TransferOp, &str); 3] =
        [(TransferOp::Get, "get"), (TransferOp::Put, "put"), (TransferOp::Copy, "copy")];

    /// DMAs of one iteration.
    pub fn transfers(self) -> u64 {
        if self == TransferOp::Copy { 2 } else { 1 }
    }
}
