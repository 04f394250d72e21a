//! The facility that carries a message.

use cell::ea::register;

/// The facility through which a message reaches an SPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Facility {
    /// The SPE's inbound mailbox, four entries deep.
    Mailbox,
    /// The SPE's first signal-notification register.
    Signal,
}

impl Facility {
    /// All facilities, in the order of their FUNCTIONs.
    pub const ALL: [Facility; 2] = [Facility::Mailbox, Facility::Signal];

    /// The problem-state register that a partner writes.
    pub fn register(self) -> u32 {
        match self {
            Facility::Mailbox => register::SPU_IN_MBOX,
            Facility::Signal => register::SPU_SIG_NOTIFY_1,
        }
    }
}
