//! Signal numbers, and sets of signals.

use crate::width::Width;
use std::fmt;

/// Size in bytes of a signal set in the `rt_` system calls.
pub const SET_BYTES: u32 = 8;

/// A signal number from 1 to 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(pub u8);

/// Default action of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Default {
    /// The process ends.
    End,
    /// The signal is ignored.
    Ignore,
    /// The process stops until it receives `SIGCONT`.
    Stop,
}

macro_rules! signals {
    ($($name:ident $number:literal $default:ident $text:literal;)*) => {
        impl Signal {
            $(#[doc = $text] pub const $name: Signal = Signal($number);)*

            /// Name of the signal in the C library's header, or `None` if it has no name.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($name)),)*
                    _ => None,
                }
            }

            /// Default action.
            pub fn default_action(self) -> Default {
                match self.0 {
                    $($number => Default::$default,)*
                    _ => Default::End,
                }
            }

            /// Description of the signal, as returned by `strsignal`.
            pub fn text(self) -> &'static str {
                match self.0 {
                    $($number => $text,)*
                    _ => "Real-time signal.",
                }
            }
        }
    };
}

signals! {
    SIGHUP 1 End "Hangup.";
    SIGINT 2 End "Interrupt.";
    SIGQUIT 3 End "Quit.";
    SIGILL 4 End "Illegal instruction.";
    SIGTRAP 5 End "Trap.";
    SIGABRT 6 End "Aborted.";
    SIGBUS 7 End "Bus error.";
    SIGFPE 8 End "Arithmetic exception.";
    SIGKILL 9 End "Killed.";
    SIGUSR1 10 End "User-defined signal 1.";
    SIGSEGV 11 End "Segmentation fault.";
    SIGUSR2 12 End "User-defined signal 2.";
    SIGPIPE 13 End "Broken pipe.";
    SIGALRM 14 End "Alarm clock.";
    SIGTERM 15 End "Terminated.";
    SIGSTKFLT 16 End "Stack fault.";
    SIGCHLD 17 Ignore "Child status changed.";
    SIGCONT 18 Ignore "Continued.";
    SIGSTOP 19 Stop "Stopped.";
    SIGTSTP 20 Stop "Stopped by the terminal.";
    SIGTTIN 21 Stop "Stopped by input.";
    SIGTTOU 22 Stop "Stopped by output.";
    SIGURG 23 Ignore "Urgent condition.";
    SIGXCPU 24 End "Processor time limit exceeded.";
    SIGXFSZ 25 End "File size limit exceeded.";
    SIGVTALRM 26 End "Virtual timer expired.";
    SIGPROF 27 End "Profiling timer expired.";
    SIGWINCH 28 Ignore "Window changed.";
    SIGIO 29 End "Input or output possible.";
    SIGPWR 30 End "Power failure.";
    SIGSYS 31 End "Bad system call.";
}

/// First real-time signal.
const REAL_TIME: u8 = 32;
const LAST: u8 = 64;

impl Signal {
    /// The signal with this number.
    pub fn of(number: u32) -> Option<Signal> {
        u8::try_from(number).ok().filter(|number| (1..=LAST).contains(number)).map(Signal)
    }

    /// Whether this is a real-time signal. Each instance of a real-time signal is queued.
    pub fn is_real_time(self) -> bool {
        self.0 >= REAL_TIME
    }

    /// Whether this is `SIGKILL` or `SIGSTOP`, which can be neither caught nor blocked.
    pub fn is_final(self) -> bool {
        self == Signal::SIGKILL || self == Signal::SIGSTOP
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "signal {}", self.0),
        }
    }
}

/// A set of signals as a bit mask. Bit 0 stands for signal 1.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SignalSet(pub u64);

impl SignalSet {
    /// A set that contains one signal.
    pub fn only(signal: Signal) -> SignalSet {
        SignalSet(1 << (signal.0.wrapping_sub(1) & 63))
    }

    /// Whether a signal is in this set.
    pub fn has(self, signal: Signal) -> bool {
        self.0 & SignalSet::only(signal).0 != 0
    }

    /// Union of two sets.
    pub fn with(self, other: SignalSet) -> SignalSet {
        SignalSet(self.0 | other.0)
    }

    /// The signals in this set that are not in another set.
    pub fn without(self, other: SignalSet) -> SignalSet {
        SignalSet(self.0 & !other.0)
    }

    /// The signals in this set that can be blocked.
    pub fn blockable(self) -> SignalSet {
        self.without(SignalSet::only(Signal::SIGKILL).with(SignalSet::only(Signal::SIGSTOP)))
    }

    /// Reads a set from memory. In a 32-bit process, it consists of two words, of which the first holds signals 1 to
    /// 32. In a 64-bit process, it is one doubleword.
    pub fn from_bytes(bytes: [u8; 8], width: Width) -> SignalSet {
        SignalSet(u64::from_be_bytes(bytes).rotate_left(width.pick(32, 0)))
    }

    /// Converts the set to its form in memory.
    pub fn to_bytes(self, width: Width) -> [u8; 8] {
        self.0.rotate_left(width.pick(32, 0)).to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_lie_in_memory_with_the_first_signals_in_the_first_word() {
        let set = SignalSet::only(Signal::SIGHUP).with(SignalSet::only(Signal(33)));
        assert_eq!(set.to_bytes(Width::Narrow), [0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(SignalSet::only(Signal::SIGSEGV).to_bytes(Width::Narrow), [0, 0, 4, 0, 0, 0, 0, 0]);
        assert_eq!(SignalSet::only(Signal::SIGSEGV).to_bytes(Width::Wide), [0, 0, 0, 0, 0, 0, 4, 0]);
        for width in [Width::Narrow, Width::Wide] {
            assert_eq!(SignalSet::from_bytes(set.to_bytes(width), width), set);
        }
        assert!(set.has(Signal(33)) && !set.has(Signal(1 + 33)));
        assert!(!SignalSet(u64::MAX).blockable().has(Signal::SIGKILL));
    }

    #[test]
    fn numbers_are_those_of_a_signal_or_none() {
        assert_eq!(Signal::of(11), Some(Signal::SIGSEGV));
        assert_eq!((Signal::of(0), Signal::of(65), Signal::of(256 + 11)), (None, None, None));
        assert_eq!(format!("{:?} {:?}", Signal::SIGBUS, Signal(40)), "SIGBUS signal 40");
    }
}
