//! What is left to be done after an instruction's work on registers and local store.

/// What an instruction leaves to be done, besides going on with the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Next,
    /// The program goes on at `target`.
    Branch {
        /// Address of the next instruction.
        target: u32,
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// The program goes on at `target` if an enabled event is pending (`bisled`); the link is set already.
    BranchIfEvent {
        /// Address of the next instruction if so.
        target: u32,
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// The program goes on at the address in SRR0 (`iret`).
    ReturnFromInterrupt {
        /// Whether interrupts are enabled there; as before if none.
        interrupts: Option<bool>,
    },
    /// Channel `channel` is read; its value goes into the preferred slot of RT, zeros elsewhere.
    Read {
        /// Number of the channel.
        channel: u8,
    },
    /// The count of channel `channel` is read, into RT likewise.
    Count {
        /// Number of the channel.
        channel: u8,
    },
    /// Channel `channel` is written.
    Write {
        /// Number of the channel.
        channel: u8,
        /// The preferred slot of RT.
        value: u32,
    },
    /// `stop` or `stopd`.
    Stop {
        /// The stop-and-signal type.
        code: u32,
    },
    /// A conditional halt whose condition holds.
    Halt,
}
