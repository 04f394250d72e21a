//! Words that parameters accept, and their meanings.

use crate::refusal::Refusal;

/// The meaning of a word, if the word is known.
pub fn meaning<T: Copy>(all: &[(T, &'static str)], word: &str) -> Option<T> {
    all.iter().find(|(_, known)| *known == word).map(|(meant, _)| *meant)
}

/// The meaning of a word that was given for a parameter.
///
/// # Errors
/// The parameter does not accept this word.
pub fn choice<T: Copy>(
    all: &[(T, &'static str)],
    word: &str,
    parameter: impl Into<&'static str>,
) -> Result<T, Refusal> {
    meaning(all, word).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(_, known)| *known).collect();
        Refusal::of(parameter, format!("give one of {}", known.join(", "))).given(format!("{word:?}"))
    })
}

/// The word for a choice.
pub fn word<T: Copy + PartialEq>(all: &[(T, &'static str)], choice: T) -> &'static str {
    all.iter().find(|(known, _)| *known == choice).map_or("", |(_, word)| word)
}

/// The number of a choice in the order of all choices.
pub fn number<T: Copy + PartialEq>(all: &[(T, &'static str)], choice: T) -> u32 {
    all.iter().position(|(known, _)| *known == choice).unwrap_or(0) as u32
}

/// All accepted words, in the order of the choices.
pub const fn words<T: Copy, const N: usize>(all: &[(T, &'static str); N]) -> [&'static str; N] {
    let (mut words, mut nth) = ([""; N], 0);
    while nth < N {
        words[nth] = all[nth].1;
        nth += 1;
    }
    words
}

/// Formats a word for a message, with quotes if the word is empty or has invisible characters.
pub fn shown(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|character| character.is_ascii_graphic());
    if plain { word.to_string() } else { format!("{word:?}") }
}

/// The PPE's method of access to an SPE's mailboxes and signals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpePath {
    /// Access through the runtime library and the operating system.
    Library,
    /// Direct loads and stores of the problem-state registers.
    Mmio,
}

impl PpePath {
    /// All choices, with their words.
    pub const ALL: [(PpePath, &str); 2] = [(PpePath::Library, "library"), (PpePath::Mmio, "mmio")];
    /// All words.
    pub const WORDS: [&'static str; 2] = words(&PpePath::ALL);
}

/// What the SPEs run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpeProgram {
    /// The programs of this crate, whose code takes the time that the machine's `software` values state.
    Builtin,
    /// An executable compiled from C, whose code takes the time of its simulated instructions.
    C,
}

impl SpeProgram {
    /// All choices, with their words.
    pub const ALL: [(SpeProgram, &str); 2] = [(SpeProgram::Builtin, "builtin"), (SpeProgram::C, "c")];
    /// All words.
    pub const WORDS: [&'static str; 2] = words(&SpeProgram::ALL);
}

/// Direction of DMAs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TransferOp {
    /// DMAs to the SPE that issues them.
    Get,
    /// DMAs from the SPE that issues them.
    Put,
    /// `get` and `put` commands alternately.
    Copy,
}

impl TransferOp {
    /// All choices, with their words.
    pub const ALL: [(TransferOp, &str); 3] =
        [(TransferOp::Get, "get"), (TransferOp::Put, "put"), (TransferOp::Copy, "copy")];
    /// All words.
    pub const WORDS: [&'static str; 3] = words(&TransferOp::ALL);

    /// Number of DMAs in one iteration.
    pub fn transfers(self) -> u64 {
        if self == TransferOp::Copy { 2 } else { 1 }
    }
}

/// Where accesses go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// The PPE's first-level cache.
    L1,
    /// The PPE's second-level cache.
    L2,
    /// The second-level cache, with one access per cache line; every access counts as a whole cache line.
    L1L2,
    /// Main memory, with buffers much larger than the L2.
    Memory,
    /// The local store of an SPU.
    Ls,
}

impl Level {
    /// All choices, with their words.
    pub const ALL: [(Level, &str); 5] =
        [(Level::L1, "l1"), (Level::L2, "l2"), (Level::L1L2, "l1l2"), (Level::Memory, "memory"), (Level::Ls, "ls")];
    pub const WORDS: [&'static str; 5] = words(&Level::ALL);
}

/// The times at which DMAs are offered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Injection {
    /// At equal intervals, from a random first time on.
    Periodic,
    /// In every SPU cycle with the same probability, regardless of earlier cycles.
    #[default]
    Bernoulli,
    /// In bursts of random length at the peak of the port, with random pauses.
    Bursts,
}

impl Injection {
    /// All choices, with their words.
    pub const ALL: [(Injection, &str); 3] =
        [(Injection::Periodic, "periodic"), (Injection::Bernoulli, "bernoulli"), (Injection::Bursts, "bursts")];
    /// All words.
    pub const WORDS: [&'static str; 3] = words(&Injection::ALL);
}
