//! By what messages go.

use cell::ea::register;

/// By what a message reaches an SPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Means {
    /// Its inbound mailbox, four entries deep.
    Mailbox,
    /// Its first signal-notification register.
    Signal,
}

impl Means {
    /// Both, in the order of their FUNCTIONs.
    pub const ALL: [Means; 2] = [Means::Mailbox, Means::Signal];

    /// The problem-state register that a partner writes.
    pub fn register(self) -> u32 {
        match self {
            Means::Mailbox => register::SPU_IN_MBOX,
            Means::Signal => register::SPU_SIG_NOTIFY_1,
        }
    }
}
