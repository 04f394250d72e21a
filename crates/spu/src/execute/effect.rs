//! The action that remains to be done after an instruction has changed registers and local store.

/// The action that the caller takes after an instruction's computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The program continues with the next instruction.
    Next,
    /// The program continues at `target`.
    Branch {
        /// The address of the next instruction.
        target: u32,
        /// Whether interrupts are enabled at that address; `None` leaves the setting unchanged.
        interrupts: Option<bool>,
    },
    /// The program continues at `target` if an enabled event is pending (`bisled`). The link register has already been
    /// written.
    BranchIfEvent {
        /// The address at which the program continues if an event is pending.
        target: u32,
        /// Whether interrupts are enabled at that address; `None` leaves the setting unchanged.
        interrupts: Option<bool>,
    },
    /// The program continues at the address in SRR0 (`iret`).
    ReturnFromInterrupt {
        /// Whether interrupts are enabled at that address; `None` leaves the setting unchanged.
        interrupts: Option<bool>,
    },
    /// Reads channel `channel` into the preferred slot of RT, with zeros elsewhere.
    Read {
        /// The channel's number.
        channel: u8,
    },
    /// Reads the count of channel `channel` into the preferred slot of RT, with zeros elsewhere.
    Count {
        /// The channel's number.
        channel: u8,
    },
    /// Writes channel `channel`.
    Write {
        /// The channel's number.
        channel: u8,
        /// The value in the preferred slot of RT.
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
