//! What an instruction does to the pipelines, as a decoded instruction remembers it.

/// The number of no state.
const UNKNOWN: u16 = u16::MAX;

/// What an instruction does in a state of the pipelines. States are their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state before the instruction.
    pub state: u16,
    /// The state after it.
    pub next: u16,
    /// The state after it if it is a branch that is taken.
    pub taken: u16,
    /// The state after it if it is a branch that was mispredicted.
    pub missed: u16,
    /// Cycles from the previous instruction's issue to this one's, plus the following cycles in which nothing issues.
    pub cycles: u8,
}

impl Transition {
    /// The transition of an instruction that has not been executed.
    pub const UNKNOWN: Transition =
        Transition { state: UNKNOWN, next: UNKNOWN, taken: UNKNOWN, missed: UNKNOWN, cycles: 0 };
}
