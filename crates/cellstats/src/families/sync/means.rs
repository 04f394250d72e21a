//! The facility that carries a message.

use cell::ea::register;

/// The facility through which a message reaches an SPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Means {
    /// The SPE's inbound mailbox, four entries deep.
    Mailbox,
    /// The SPE's first signal-notification register.
    Signal,
}

impl Means {
    /// All facilities, in the order of their FUNCTIONs.
    pub const ALL: [Means; 2] = [Means::Mailbox, Means::Signal];

    /// The problem-state register that a partner writes.
    pub fn register(self) -> u32 {
        match self {
            Means::Mailbox => register::SPU_IN_MBOX,
            Means::Signal => register::SPU_SIG_NOTIFY_1,
        }
    }
}
