//! Instruction formats, instruction classes, and the two pipelines.
//!
//! Sources: Synergistic Processor Unit Instruction Set Architecture 1.2 for the formats; Cell Broadband Engine
//! Programming Handbook 1.12, appendix B, for classes and pipelines.

use serde::Serialize;

/// An instruction format: the positions of the operands in an instruction word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// 11 bits opcode, RB, RA, RT.
    Rr,
    /// 4 bits opcode, RT, RB, RA, RC.
    Rrr,
    /// 11 bits opcode, 7 bits immediate, RA, RT.
    Ri7,
    /// 10 bits opcode, 8 bits immediate, RA, RT.
    Ri8,
    /// 8 bits opcode, 10 bits immediate, RA, RT.
    Ri10,
    /// 9 bits opcode, 16 bits immediate, RT.
    Ri16,
    /// 7 bits opcode, 18 bits immediate, RT.
    Ri18,
    /// 7 bits opcode, 2 bits of branch offset, 16 bits immediate, 7 bits of branch offset.
    Lbt,
    /// 11 bits opcode, feature bits, 2 bits of branch offset, RA, 7 bits of branch offset.
    Lbti,
    /// 11 bits opcode, 14 bits stop-and-signal type.
    Stop,
}

/// The unit that executes an instruction. The unit determines the instruction's pipeline and latency.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Logic, add, compare, select, immediate loads (FX2).
    SimpleFixed,
    /// Byte sums, averages, differences and counts (FXB).
    Byte,
    /// Shifts and rotates of words and halfwords (FX3).
    Shift,
    /// Shuffle, shifts and rotates of quadwords, masks, estimates (SHUF).
    Shuffle,
    /// Loads and stores (LS).
    LoadStore,
    /// Single precision (FP6).
    Single,
    /// Integer multiply, conversions, interpolate (FP7).
    IntegerMultiply,
    /// Double precision (FPD).
    Double,
    /// Branches (BR).
    Branch,
    /// Branch hints, which issue like loads.
    Hint,
    /// Channel and special-register instructions (SPR).
    Channel,
    /// Stop and synchronisation (BR).
    Control,
    /// The no-operation of the even pipeline.
    Nop,
    /// The no-operation of the odd pipeline.
    Lnop,
}

/// The two pipelines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pipe {
    /// Pipeline 0. If an aligned pair issues in one cycle, its first instruction goes to this pipeline.
    Even,
    /// Pipeline 1. If an aligned pair issues in one cycle, its second instruction goes to this pipeline.
    Odd,
}

impl Class {
    /// The pipeline that executes this class.
    pub fn pipe(self) -> Pipe {
        match self {
            Class::SimpleFixed
            | Class::Byte
            | Class::Shift
            | Class::Single
            | Class::IntegerMultiply
            | Class::Double
            | Class::Nop => Pipe::Even,
            Class::Shuffle
            | Class::LoadStore
            | Class::Branch
            | Class::Hint
            | Class::Channel
            | Class::Control
            | Class::Lnop => Pipe::Odd,
        }
    }
}
