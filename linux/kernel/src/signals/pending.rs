//! Pending signals: signals that were sent but are not yet delivered.

use super::number::{Signal, SignalSet};
use crate::identity::USER;
use crate::tid::PROCESS;
use crate::width::Width;

/// Information about a signal for its handler (`siginfo_t`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Info {
    pub signal: Signal,
    /// Cause of the signal (`si_code`).
    pub code: i32,
    /// The three words after `si_code`. For a fault, the first word is the address. For a signal sent by a program,
    /// the words are the sender's process number, the sender's user number, and a value. For a timer, the words are
    /// the timer's number, the overrun count, and a value.
    pub fields: [u32; 3],
    /// Left half of the address or of the value, in a 64-bit process.
    pub upper: u32,
}

/// Values of `si_code`.
pub mod code {
    /// `kill`
    pub const USER: i32 = 0;
    pub const KERNEL: i32 = 0x80;
    pub const TIMER: i32 = -2;
    /// `tgkill`
    pub const TKILL: i32 = -6;
    /// `SIGSEGV`: the address is not mapped.
    pub const SEGV_MAPERR: i32 = 1;
    /// `SIGSEGV`: the page does not permit the access.
    pub const SEGV_ACCERR: i32 = 2;
    /// `SIGBUS`: misaligned.
    pub const BUS_ADRALN: i32 = 1;
    /// `SIGILL`: no such instruction.
    pub const ILL_ILLOPC: i32 = 1;
    /// `SIGFPE`: a division by zero.
    pub const FPE_FLTDIV: i32 = 3;
    /// `SIGFPE`: an overflow.
    pub const FPE_FLTOVF: i32 = 4;
    /// `SIGFPE`: an underflow.
    pub const FPE_FLTUND: i32 = 5;
    /// `SIGFPE`: an inexact result.
    pub const FPE_FLTRES: i32 = 6;
    /// `SIGFPE`: an invalid operation.
    pub const FPE_FLTINV: i32 = 7;
    /// `SIGFPE`: something else.
    pub const FPE_FLTUNK: i32 = 14;
    /// `SIGTRAP`: a trap instruction.
    pub const TRAP_BRKPT: i32 = 1;
}

/// Size of a `siginfo_t`.
pub const INFO_BYTES: usize = 128;

impl Info {
    /// A signal that the process sends to itself by a system call.
    pub fn from_self(signal: Signal, code: i32) -> Info {
        Info { signal, code, fields: [PROCESS.0, USER, 0], upper: 0 }
    }

    /// A signal caused by an access or an instruction at an address.
    pub fn fault(signal: Signal, code: i32, address: u64) -> Info {
        Info { signal, code, fields: [address as u32, 0, 0], upper: (address >> 32) as u32 }
    }

    /// Converts the `siginfo_t` to its form in memory. In a 64-bit process, the fields after `si_code` begin at a
    /// multiple of 8 bytes, and an address or a value has 64 bits.
    pub fn to_bytes(self, width: Width) -> [u8; INFO_BYTES] {
        let mut bytes = [0; INFO_BYTES];
        let [first, second, third] = self.fields;
        let start = [u32::from(self.signal.0), 0, self.code as u32];
        let rest = match (width, self.is_fault()) {
            (Width::Narrow, _) => [first, second, third, 0, 0],
            (Width::Wide, true) => [0, self.upper, first, 0, 0],
            (Width::Wide, false) => [0, first, second, self.upper, third],
        };
        for (field, word) in bytes.chunks_exact_mut(4).zip(start.into_iter().chain(rest)) {
            field.copy_from_slice(&word.to_be_bytes());
        }
        bytes
    }
}

/// Signals of instructions, whose information is an address.
const FAULTS: [Signal; 5] = [Signal::SIGILL, Signal::SIGTRAP, Signal::SIGBUS, Signal::SIGFPE, Signal::SIGSEGV];

impl Info {
    /// Whether an instruction has caused the signal.
    fn is_fault(self) -> bool {
        self.code > code::USER && self.code < code::KERNEL && FAULTS.contains(&self.signal)
    }
}

/// Pending signals in the order in which they were sent.
#[derive(Clone, Default, Debug)]
pub struct Pending(Vec<Info>);

/// Maximum number of pending signals.
const QUEUED: usize = 4096;

impl Pending {
    /// Adds a signal. An ordinary signal that is already pending is not added again. Returns false if the queue is
    /// full.
    pub fn add(&mut self, info: Info) -> bool {
        if !info.signal.is_real_time() && self.set().has(info.signal) {
            return true;
        }
        let room = self.0.len() < QUEUED;
        if room {
            self.0.push(info);
        }
        room
    }

    /// Puts a signal back at the front of the queue.
    pub fn put_back(&mut self, info: Info) {
        self.0.insert(0, info);
    }

    /// Takes the next pending signal that is in a set: the earliest instance of the signal with the lowest number.
    pub fn take(&mut self, of: SignalSet) -> Option<Info> {
        let (at, _) =
            self.0.iter().enumerate().filter(|(_, info)| of.has(info.signal)).min_by_key(|(_, i)| i.signal)?;
        Some(self.0.remove(at))
    }

    /// Drops all pending instances of a signal.
    pub fn drop_signal(&mut self, signal: Signal) {
        self.0.retain(|info| info.signal != signal);
    }

    /// The set of pending signals.
    pub fn set(&self) -> SignalSet {
        self.0.iter().fold(SignalSet::default(), |set, info| set.with(SignalSet::only(info.signal)))
    }

    /// Whether no signal is pending.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_signals_wait_once_and_real_time_ones_as_often_as_they_are_sent() {
        let mut pending = Pending::default();
        let info = |number, value| Info { signal: Signal(number), code: code::TIMER, fields: [1, 2, value], upper: 0 };
        for info in [info(40, 1), info(10, 2), info(10, 3), info(40, 4), info(2, 5)] {
            assert!(pending.add(info));
        }
        let all = SignalSet(u64::MAX);
        assert_eq!(pending.take(SignalSet::only(Signal(9))), None);
        let taken: Vec<u32> = std::iter::from_fn(|| pending.take(all)).map(|info| info.fields[2]).collect();
        assert_eq!(taken, [5, 2, 1, 4]);
        assert!(pending.is_empty());
    }
}
