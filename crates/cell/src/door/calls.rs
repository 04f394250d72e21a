//! The system calls of the SPE runtime library, and the events that a program can wait for.

use crate::bits::bits;
use crate::command::Command;
use crate::units::ThreadId;

/// The system calls that the SPE runtime library makes.  The machine file contains the duration of each call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syscall {
    /// Create a thread and start its SPE with an argument.
    ThreadCreate(ThreadId, u64),
    /// Wait until a thread has stopped.  The answer is the thread's stop code.
    ThreadJoin(ThreadId),
    /// Resume a stopped thread at the instruction after its stop.
    ThreadContinue(ThreadId),
    /// `write()` on the file `wbox`: adds an entry to the inbound mailbox.  The answer is 1, or 0 if the mailbox is
    /// full.
    InMboxWrite(ThreadId, u32),
    /// `read()` on `mbox_stat`: the number of entries in the outbound mailbox.
    OutMboxStatus(ThreadId),
    /// `read()` on `mbox`: the oldest entry, or [`NO_ENTRY`].
    OutMboxRead(ThreadId),
    /// `read()` on `ibox`: the entry of the outbound interrupt mailbox, or [`NO_ENTRY`].
    OutIntrMboxRead(ThreadId),
    /// `open()` of a signal file.
    SignalOpen(ThreadId),
    /// `write()` on the file of signal register 1 or 2, with a value.
    SignalWrite(ThreadId, u8, u32),
    /// `close()` of a signal file.
    SignalClose(ThreadId),
    /// `write()` on a file `signal1_type` or `signal2_type`: selects whether signal register 1 or 2 ORs successive
    /// writes or keeps only the last value.
    SignalType(ThreadId, u8, bool),
    /// `write()` on the file `mfc`: a command for the proxy queue.  The answer is 0, or the reason why the command is
    /// refused (`MFC_CMDStatus`).
    MfcCommand(ThreadId, Command),
    /// `read()` on the file `mfc`: waits for the condition, and returns the tag groups of the mask that have no proxy
    /// commands.  A mask of 0 selects all groups that have received commands since they were last reported.
    MfcTagStatus(ThreadId, u32, TagUpdate),
    /// `epoll_wait()` on files of threads: waits for an event.  The second field is the timeout in nanoseconds.  The
    /// answer is the set of pending events.
    EventWait(SpeEvents, Option<u64>),
}

/// Condition under which a tag-status request is answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagUpdate {
    /// Answer at once.
    Immediate,
    /// Answer when at least one group has no commands.
    Any,
    /// Answer when none of the groups has commands.
    All,
}

/// Events of threads.  Each field is a mask of the 16 lowest thread numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct SpeEvents {
    /// The outbound interrupt mailbox has an entry.
    pub out_intr_mbox: u16,
    /// The inbound mailbox has room.
    pub in_mbox: u16,
    /// All proxy commands of a tag group have ended, and this has not been reported yet ([`Syscall::MfcTagStatus`]).
    pub tag_group: u16,
    /// The program has stopped.
    pub stopped: u16,
}

impl SpeEvents {
    /// Packs the masks into one word, with the first field in the lowest bits, because an answer is a single number.
    pub fn to_word(self) -> u64 {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        [stopped, tag_group, in_mbox, out_intr_mbox].into_iter().fold(0, |word, mask| word << 16 | u64::from(mask))
    }

    /// Unpacks the masks from one word.
    pub fn from_word(word: u64) -> SpeEvents {
        let [out_intr_mbox, in_mbox, tag_group, stopped] = [0, 16, 32, 48].map(|shift| (word >> shift) as u16);
        SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped }
    }

    /// The threads that occur in any of the masks.
    pub fn threads(self) -> impl Iterator<Item = ThreadId> {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        bits(out_intr_mbox | in_mbox | tag_group | stopped).map(ThreadId)
    }
}

/// The answer to a mailbox read that found no entry (`EAGAIN`).
pub const NO_ENTRY: u64 = u64::MAX;
