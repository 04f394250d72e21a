//! The system calls of the SPE runtime library, and the events that a program can wait for.

use crate::bits::bits;
use crate::command::Command;
use crate::units::ThreadId;

/// The system calls that the SPE runtime library makes. The machine file contains the duration of each call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syscall {
    /// Create a thread and start its SPE with an argument.
    ThreadCreate(ThreadId, u64),
    /// Wait until a thread has stopped. Returns the thread's stop code.
    ThreadJoin(ThreadId),
    /// Resume a stopped thread at the instruction after its stop.
    ThreadContinue(ThreadId),
    /// `write()` on the file `wbox`: adds an entry to the inbound mailbox. Returns 1, or 0 if the mailbox is full.
    InMboxWrite(ThreadId, u32),
    /// `read()` on the file `mbox_stat`: returns the number of entries in the outbound mailbox.
    OutMboxStatus(ThreadId),
    /// `read()` on the file `mbox`: returns the oldest entry of the outbound mailbox, or [`NO_ENTRY`].
    OutMboxRead(ThreadId),
    /// `read()` on the file `ibox`: returns the entry of the outbound interrupt mailbox, or [`NO_ENTRY`].
    OutIntrMboxRead(ThreadId),
    /// `open()` of a signal file.
    SignalOpen(ThreadId),
    /// `write()` on the file of signal register 1 or 2, with a value.
    SignalWrite(ThreadId, u8, u32),
    /// `close()` of a signal file.
    SignalClose(ThreadId),
    /// `write()` on the file `signal1_type` or `signal2_type`: selects whether that signal register ORs successive
    /// writes or keeps only the last value.
    SignalType(ThreadId, u8, bool),
    /// `write()` on the file `mfc`: issues a command to the proxy queue. Returns 0, or the reason why the command is
    /// refused (`MFC_CMDStatus`).
    MfcCommand(ThreadId, Command),
    /// `read()` on the file `mfc`: waits for the condition, and returns the tag groups in the mask that have no proxy
    /// commands. A mask of 0 selects all groups that have received commands since they were last reported.
    MfcTagStatus(ThreadId, u32, TagUpdate),
    /// `epoll_wait()` on the event files of threads: waits for an event. The second field is the timeout in
    /// nanoseconds. Returns the set of pending events.
    EventWait(SpeEvents, Option<u64>),
}

impl Syscall {
    /// The name of the call: the system call of Linux and the file of `spufs`, or what the library does.
    pub fn name(self) -> &'static str {
        match self {
            Syscall::ThreadCreate(..) => "create thread",
            Syscall::ThreadJoin(_) => "join thread",
            Syscall::ThreadContinue(_) => "spu_run",
            Syscall::InMboxWrite(..) => "write wbox",
            Syscall::OutMboxStatus(_) => "read mbox_stat",
            Syscall::OutMboxRead(_) => "read mbox",
            Syscall::OutIntrMboxRead(_) => "read ibox",
            Syscall::SignalOpen(_) => "open signal",
            Syscall::SignalWrite(..) => "write signal",
            Syscall::SignalClose(_) => "close signal",
            Syscall::SignalType(..) => "write signal_type",
            Syscall::MfcCommand(..) => "write mfc",
            Syscall::MfcTagStatus(..) => "read mfc",
            Syscall::EventWait(..) => "epoll_wait",
        }
    }
}

/// Condition for the completion of a tag-status request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagUpdate {
    /// Complete at once.
    Immediate,
    /// Complete when at least one group has no commands.
    Any,
    /// Complete when no group has commands.
    All,
}

/// Events of threads. Each field is a mask of the 16 lowest thread numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct SpeEvents {
    /// The outbound interrupt mailbox has an entry.
    pub out_intr_mbox: u16,
    /// The inbound mailbox has room.
    pub in_mbox: u16,
    /// All proxy commands of a tag group have ended, and their end has not been reported yet
    /// ([`Syscall::MfcTagStatus`]).
    pub tag_group: u16,
    /// The program has stopped.
    pub stopped: u16,
}

impl SpeEvents {
    /// Packs the masks into one 64-bit number, with the first field in the lowest bits, because an operation's result
    /// is a single number.
    pub fn to_word(self) -> u64 {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        [stopped, tag_group, in_mbox, out_intr_mbox].into_iter().fold(0, |word, mask| word << 16 | u64::from(mask))
    }

    /// Unpacks the masks from the number that [`SpeEvents::to_word`] returned.
    pub fn from_word(word: u64) -> SpeEvents {
        let [out_intr_mbox, in_mbox, tag_group, stopped] = [0, 16, 32, 48].map(|shift| (word >> shift) as u16);
        SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped }
    }

    /// Returns all threads that occur in any of the masks.
    pub fn threads(self) -> impl Iterator<Item = ThreadId> {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        bits(out_intr_mbox | in_mbox | tag_group | stopped).map(ThreadId)
    }
}

/// The result of reading an empty mailbox (`EAGAIN`).
pub const NO_ENTRY: u64 = u64::MAX;
