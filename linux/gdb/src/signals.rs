//! The numbers of signals in GDB's protocol, which are those of no operating system.

use gdbstub::common::Signal as Gdb;
use linux::signals::number::Signal;

/// Pairs of a signal and its number in the protocol. All other signals are real-time signals.
const PAIRS: [(Signal, Gdb); 30] = [
    (Signal::SIGHUP, Gdb::SIGHUP),
    (Signal::SIGINT, Gdb::SIGINT),
    (Signal::SIGQUIT, Gdb::SIGQUIT),
    (Signal::SIGILL, Gdb::SIGILL),
    (Signal::SIGTRAP, Gdb::SIGTRAP),
    (Signal::SIGABRT, Gdb::SIGABRT),
    (Signal::SIGBUS, Gdb::SIGBUS),
    (Signal::SIGFPE, Gdb::SIGFPE),
    (Signal::SIGKILL, Gdb::SIGKILL),
    (Signal::SIGUSR1, Gdb::SIGUSR1),
    (Signal::SIGSEGV, Gdb::SIGSEGV),
    (Signal::SIGUSR2, Gdb::SIGUSR2),
    (Signal::SIGPIPE, Gdb::SIGPIPE),
    (Signal::SIGALRM, Gdb::SIGALRM),
    (Signal::SIGTERM, Gdb::SIGTERM),
    (Signal::SIGCHLD, Gdb::SIGCHLD),
    (Signal::SIGCONT, Gdb::SIGCONT),
    (Signal::SIGSTOP, Gdb::SIGSTOP),
    (Signal::SIGTSTP, Gdb::SIGTSTP),
    (Signal::SIGTTIN, Gdb::SIGTTIN),
    (Signal::SIGTTOU, Gdb::SIGTTOU),
    (Signal::SIGURG, Gdb::SIGURG),
    (Signal::SIGXCPU, Gdb::SIGXCPU),
    (Signal::SIGXFSZ, Gdb::SIGXFSZ),
    (Signal::SIGVTALRM, Gdb::SIGVTALRM),
    (Signal::SIGPROF, Gdb::SIGPROF),
    (Signal::SIGWINCH, Gdb::SIGWINCH),
    (Signal::SIGIO, Gdb::SIGIO),
    (Signal::SIGPWR, Gdb::SIGPWR),
    (Signal::SIGSYS, Gdb::SIGSYS),
];

/// The number of a signal in the protocol.
pub fn to_gdb(signal: Signal) -> Gdb {
    let known = PAIRS.iter().find(|(linux, _)| *linux == signal).map(|(_, gdb)| *gdb);
    known.unwrap_or(match signal.0 {
        32 => Gdb::SIG32,
        number @ 33..=63 => Gdb(Gdb::SIG33.0 + (number - 33)),
        64 => Gdb::SIG64,
        _ => Gdb::UNKNOWN,
    })
}

/// The signal with a number of the protocol.
pub fn from_gdb(gdb: Gdb) -> Option<Signal> {
    (1..=64).filter_map(Signal::of).find(|signal| to_gdb(*signal) == gdb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signal_that_the_protocol_knows_has_its_own_number() {
        for signal in (1..=64).filter_map(Signal::of) {
            // The protocol has no number for a stack fault of a coprocessor.
            let back = (signal != Signal::SIGSTKFLT).then_some(signal);
            assert_eq!(from_gdb(to_gdb(signal)).filter(|_| back.is_some()), back);
        }
        assert_eq!(
            [to_gdb(Signal::SIGBUS), to_gdb(Signal::SIGUSR1), to_gdb(Signal(34))].map(|gdb| gdb.0),
            [10, 30, 46]
        );
    }
}
