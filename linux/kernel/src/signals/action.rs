//! Signal actions, masks, and pending signals of the process and of a thread.

use super::number::{Default as Doing, Signal, SignalSet};
use super::pending::Pending;
use super::stack::AlternateStack;

/// `sa_flags`
pub mod flag {
    /// The handler receives a `siginfo_t` and a `ucontext_t`.
    pub const SIGINFO: u32 = 4;
    /// The handler runs on the alternate stack.
    pub const ONSTACK: u32 = 0x0800_0000;
    /// Interrupted calls are restarted.
    pub const RESTART: u32 = 0x1000_0000;
    /// The handler's own signal is not blocked while the handler runs.
    pub const NODEFER: u32 = 0x4000_0000;
    /// The action is reset to the default when the handler begins.
    pub const RESETHAND: u32 = 0x8000_0000;
}

/// Special values of the handler address.
const DEFAULT: u32 = 0;
const IGNORE: u32 = 1;

/// Action of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Action {
    /// Address of the handler, or 0 for the default, or 1 to ignore the signal.
    pub handler: u32,
    /// See [`flag`].
    pub flags: u32,
    /// `sa_restorer`, which PowerPC does not use.
    pub restorer: u32,
    /// Signals to be blocked while the handler runs.
    pub mask: SignalSet,
}

/// Effect of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The signal is ignored.
    Dropped,
    /// A handler runs.
    Handled(Action),
    /// The process ends.
    Ends,
    /// The process stops.
    Stops,
}

/// Signals of the process.
pub struct Signals {
    actions: [Action; 65],
    /// Pending signals that were sent to the whole process.
    pub pending: Pending,
    /// Whether threads must check for pending signals.
    pub unchecked: bool,
    /// The last signal caused by an instruction, with a human-readable explanation.
    pub fault: Option<(Signal, String)>,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals { actions: [Action::default(); 65], pending: Pending::default(), unchecked: false, fault: None }
    }
}

impl Signals {
    /// The action of a signal.
    pub fn action(&self, signal: Signal) -> Action {
        self.actions.get(usize::from(signal.0)).copied().unwrap_or_default()
    }

    /// Sets the action of a signal.
    pub fn set_action(&mut self, signal: Signal, action: Action) {
        if let Some(entry) = self.actions.get_mut(usize::from(signal.0)) {
            *entry = action;
        }
    }

    /// The effect that a signal would have on the process.
    pub fn fate(&self, signal: Signal) -> Fate {
        match (self.action(signal), signal.default_action()) {
            (Action { handler: IGNORE, .. }, _) => Fate::Dropped,
            (Action { handler: DEFAULT, .. }, Doing::End) => Fate::Ends,
            (Action { handler: DEFAULT, .. }, Doing::Ignore) => Fate::Dropped,
            (Action { handler: DEFAULT, .. }, Doing::Stop) => Fate::Stops,
            (action, _) => Fate::Handled(action),
        }
    }
}

#[derive(Clone, Default, Debug)]
pub struct ThreadSignals {
    /// Blocked signals.
    pub mask: SignalSet,
    /// The mask to be restored after a system call that temporarily replaces the mask.
    pub saved_mask: Option<SignalSet>,
    /// Signals sent to this thread.
    pub pending: Pending,
    /// Signals awaited by `sigtimedwait`. These signals wake the thread even while they are blocked.
    pub awaited: SignalSet,
    /// The alternate signal stack.
    pub stack: AlternateStack,
}

impl ThreadSignals {
    /// Whether a signal would wake the thread, if the thread is waiting.
    pub fn accepts(&self, signal: Signal) -> bool {
        !self.mask.has(signal) || self.awaited.has(signal)
    }
}
