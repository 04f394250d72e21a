//! The effect of an instruction on the pipelines, as stored in the decoded instruction.

/// A number that no state has.
const UNKNOWN: u16 = u16::MAX;

/// The effect of an instruction that issues in a given pipeline state. States are identified by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state before the instruction.
    pub state: u16,
    /// The state after the instruction.
    pub next: u16,
    /// The state after the instruction if it is a correctly predicted taken branch.
    pub taken: u16,
    /// The state after the instruction if it is a mispredicted branch.
    pub missed: u16,
    /// Cycles from the previous instruction's issue to this instruction's issue, plus any following cycles in which
    /// nothing issues.
    pub cycles: u8,
}

impl Transition {
    /// The transition of an instruction that has not been executed.
    pub const UNKNOWN: Transition =
        Transition { state: UNKNOWN, next: UNKNOWN, taken: UNKNOWN, missed: UNKNOWN, cycles: 0 };
}
