//! How a turn of a program ends.

/// Why a turn ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Its budget is used up; nothing is asked.
    Budget,
    /// It has enabled interrupts, and a pending event may interrupt it.
    Enabled,
    /// `rdch`: goes on with [`Spu::answer`](crate::core::Spu::answer).
    Read {
        /// Number of the channel.
        channel: u8,
    },
    /// `rchcnt`, or `bisled`, which asks for the count of channel 0: goes on with [`Spu::answer`](crate::core::Spu::answer).
    Count {
        /// Number of the channel.
        channel: u8,
    },
    /// `wrch`: goes on with [`Spu::answer`](crate::core::Spu::answer), of any value.
    Write {
        /// Number of the channel.
        channel: u8,
        /// What is written.
        value: u32,
    },
    /// `stop` or `stopd`; the program can go on behind it.
    Stop {
        /// The stop-and-signal type.
        code: u32,
    },
    /// It cannot go on; the instruction is at fault.
    Fault(Fault),
}

/// An instruction that ends a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where it lies.
    pub address: u32,
    /// Its word.
    pub word: u32,
    /// What is wrong.
    pub why: Why,
}

/// What is wrong with an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The word is no instruction.
    NoInstruction,
    /// The condition of a `heq`, `hgt`, `hlgt` or one of their immediate forms holds.
    Halt,
}
