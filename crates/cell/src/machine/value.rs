//! One value of a machine: the number and its source.

use std::fmt;

/// The basis of a value: the kind of evidence for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Stated in a manual, a paper or source code of the Cell's time.
    Documented,
    /// Measured on a real machine.
    Measured,
    /// Computed from documented or measured values.
    Derived,
    /// Chosen so that the simulator reproduces published results.
    Fitted,
    /// A reasonable guess; no public source states it.
    Assumed,
    /// Chosen by the user, for an experiment.
    Mine,
}

impl Basis {
    /// Every basis, from the most to the least certain.
    pub const ALL: [Basis; 6] =
        [Basis::Documented, Basis::Measured, Basis::Derived, Basis::Fitted, Basis::Assumed, Basis::Mine];

    /// Name of the basis in machine files.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Documented => "documented",
            Basis::Measured => "measured",
            Basis::Derived => "derived",
            Basis::Fitted => "fitted",
            Basis::Assumed => "assumed",
            Basis::Mine => "mine",
        }
    }

    /// Whether a file must also state a range of plausible values.
    pub(super) fn needs_range(self) -> bool {
        matches!(self, Basis::Fitted | Basis::Assumed)
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One value of a machine with its unit, its basis and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// `section.field`, e.g. `mfc.spu_queue_entries`.
    pub key: &'static str,
    /// The unit, e.g. `bus cycles`.
    pub unit: &'static str,
    /// The kind of evidence for the value.
    pub basis: Basis,
    /// Lowest and highest plausible value; every fitted or assumed number has this range.
    pub range: Option<(u64, u64)>,
    /// Lowest and highest value that reproduce the published results as well as this value does.
    pub interval: Option<(u64, u64)>,
    /// Source of the value, in words.
    pub source: String,
    /// Meaning of the value.
    pub doc: &'static str,
    /// The machine from which the value is inherited; `None` if the machine's own file contains the value.
    pub base: Option<&'static str>,
    pub(super) payload: Payload,
}

impl Value {
    /// The value in the notation of a machine file, for example `16`, `[0, 1, 2]` or `["PPE", "SPE0", "MIC"]`.
    pub fn text(&self) -> String {
        self.payload.to_string()
    }

    pub(super) fn payload(&self) -> &Payload {
        &self.payload
    }
}

/// The types of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Payload {
    Number(u64),
    Numbers(Vec<u64>),
    Names(Vec<String>),
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Payload::Number(number) => write!(f, "{number}"),
            Payload::Numbers(numbers) => write!(f, "{numbers:?}"),
            Payload::Names(names) => write!(f, "{names:?}"),
        }
    }
}
