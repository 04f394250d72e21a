//! What the process has said about signals.

use super::number::{Default as Doing, Signal, SignalSet};
use super::pending::Pending;
use super::stack::AlternateStack;

/// `sa_flags`
pub mod flag {
    /// The handler gets the whole story.
    pub const SIGINFO: u32 = 4;
    /// It runs on the alternate stack.
    pub const ONSTACK: u32 = 0x0800_0000;
    /// Calls that it interrupts are made again.
    pub const RESTART: u32 = 0x1000_0000;
    /// The signal is not blocked meanwhile.
    pub const NODEFER: u32 = 0x4000_0000;
    /// It is for one time only.
    pub const RESETHAND: u32 = 0x8000_0000;
}

/// Handlers that are none.
const DEFAULT: u32 = 0;
const IGNORE: u32 = 1;

/// What is done about a signal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Action {
    /// Address of the handler; 0: the default; 1: nothing.
    pub handler: u32,
    /// See [`flag`].
    pub flags: u32,
    /// `sa_restorer`, which PowerPC does not use.
    pub restorer: u32,
    /// Blocked while the handler runs.
    pub mask: SignalSet,
}

/// What becomes of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Nothing.
    Dropped,
    /// A handler.
    Handled(Action),
    /// The process ends.
    Ends,
    /// The process stops.
    Stops,
}

/// The signals of a process.
pub struct Signals {
    actions: [Action; 65],
    /// Pending signals of the process as a whole.
    pub pending: Pending,
    /// Whether signals may be pending that no thread has looked at.
    pub unchecked: bool,
    /// The last signal that an instruction caused, with an explanation for people.
    pub fault: Option<(Signal, String)>,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals { actions: [Action::default(); 65], pending: Pending::default(), unchecked: false, fault: None }
    }
}

impl Signals {
    /// What is done about a signal.
    pub fn action(&self, signal: Signal) -> Action {
        self.actions.get(usize::from(signal.0)).copied().unwrap_or_default()
    }

    /// Changes that.
    pub fn set_action(&mut self, signal: Signal, action: Action) {
        if let Some(place) = self.actions.get_mut(usize::from(signal.0)) {
            *place = action;
        }
    }

    /// What becomes of a signal.
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

/// The signals of a thread.
#[derive(Clone, Default, Debug)]
pub struct ThreadSignals {
    /// Not delivered now.
    pub mask: SignalSet,
    /// The mask that comes back when a call ends that changed it for as long as it waits.
    pub saved_mask: Option<SignalSet>,
    /// Sent to this thread.
    pub pending: Pending,
    /// Waited for by `sigtimedwait`, so that it wakes for them although they are blocked.
    pub awaited: SignalSet,
    /// Where handlers may run.
    pub stack: AlternateStack,
}

impl ThreadSignals {
    /// Whether a signal would wake the thread.
    pub fn accepts(&self, signal: Signal) -> bool {
        !self.mask.has(signal) || self.awaited.has(signal)
    }
}
