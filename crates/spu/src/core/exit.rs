//! The ways in which a turn of a program ends.

/// The reason why a turn ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The turn's budget of cycles is used up.
    Budget,
    /// The program has enabled interrupts, so that a pending event may interrupt it.
    Enabled,
    /// `rdch`. The program continues after [`Spu::answer`](crate::core::Spu::answer).
    Read {
        /// The channel's number.
        channel: u8,
    },
    /// `rchcnt`, or `bisled`, which reads the count of channel 0. The program continues after
    /// [`Spu::answer`](crate::core::Spu::answer).
    Count {
        /// The channel's number.
        channel: u8,
    },
    /// `wrch`. The program continues after [`Spu::answer`](crate::core::Spu::answer), whose value is ignored.
    Write {
        /// The channel's number.
        channel: u8,
        /// The value written.
        value: u32,
    },
    /// `stop` or `stopd`. The program can continue with the next instruction.
    Stop {
        /// The stop-and-signal type.
        code: u32,
    },
    /// This instruction prevents the program from continuing.
    Fault(Fault),
}

/// An instruction that ends the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The address of the instruction.
    pub address: u32,
    /// The instruction's word.
    pub word: u32,
    /// The reason for the fault.
    pub kind: FaultKind,
}

/// The reason for a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The word does not encode an instruction.
    NoInstruction,
    /// The halt condition of a `heq`, `hgt` or `hlgt` instruction, or of one of their immediate forms, holds.
    Halt,
}
