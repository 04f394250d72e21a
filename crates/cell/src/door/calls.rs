//! The system calls of the SPE runtime library, and what can be waited for.

use crate::bits::bits;
use crate::command::Command;
use crate::units::ThreadId;

/// The system calls that the SPE runtime library makes; what each costs is a machine value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syscall {
    /// Create a thread and start its SPE with an argument.
    ThreadCreate(ThreadId, u64),
    /// Wait until a thread has stopped; answers its stop code.
    ThreadJoin(ThreadId),
    /// Let a thread that has stopped go on behind its stop.
    ThreadContinue(ThreadId),
    /// `write()` on the file `wbox`: one entry to the inbound mailbox; answers 1, or 0 if it is full.
    InMboxWrite(ThreadId, u32),
    /// `read()` on `mbox_stat`: how many entries wait in the outbound mailbox.
    OutMboxStatus(ThreadId),
    /// `read()` on `mbox`: the entry, or [`NO_ENTRY`].
    OutMboxRead(ThreadId),
    /// `read()` on `ibox`: the entry of the interrupting mailbox, or [`NO_ENTRY`].
    OutIntrMboxRead(ThreadId),
    /// `open()` of a signal file.
    SignalOpen(ThreadId),
    /// `write()` on a signal file: register 1 or 2, value.
    SignalWrite(ThreadId, u8, u32),
    /// `close()` of a signal file.
    SignalClose(ThreadId),
    /// `write()` on a file `signal1_type` or `signal2_type`: register 1 or 2 collects writes by OR, or
    /// keeps the last one.
    SignalType(ThreadId, u8, bool),
    /// `write()` on the file `mfc`: a command for the proxy queue; answers 0, or why it is not taken
    /// (`MFC_CMDStatus`).
    MfcCommand(ThreadId, Command),
    /// `read()` on the file `mfc`: which of some tag groups, a mask, have no proxy commands, as soon as that is so for
    /// as many as asked for.  A mask of 0 means all groups that got commands and were not told of since.
    MfcTagStatus(ThreadId, u32, TagUpdate),
    /// `epoll_wait()` on files of threads: waits until there is an event, or so many nanoseconds; answers the events
    /// that there are.
    EventWait(SpeEvents, Option<u64>),
}

/// When a tag status is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagUpdate {
    /// At once.
    Immediate,
    /// When one of the groups has no commands.
    Any,
    /// When none of them has.
    All,
}

/// Events of threads: masks of the threads' numbers, of the lowest 16.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct SpeEvents {
    /// The interrupting outbound mailbox has an entry.
    pub out_intr_mbox: u16,
    /// The inbound mailbox has room.
    pub in_mbox: u16,
    /// A tag group has no proxy commands any more, and nobody was told ([`Syscall::MfcTagStatus`]).
    pub tag_group: u16,
    /// The program has stopped.
    pub stopped: u16,
}

impl SpeEvents {
    /// All in one number, as the answer to a question is one: the last mask is the highest.
    pub fn to_word(self) -> u64 {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        [stopped, tag_group, in_mbox, out_intr_mbox].into_iter().fold(0, |word, mask| word << 16 | u64::from(mask))
    }

    /// From one number.
    pub fn from_word(word: u64) -> SpeEvents {
        let [out_intr_mbox, in_mbox, tag_group, stopped] = [0, 16, 32, 48].map(|shift| (word >> shift) as u16);
        SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped }
    }

    /// The threads of which something is asked.
    pub fn threads(self) -> impl Iterator<Item = ThreadId> {
        let SpeEvents { out_intr_mbox, in_mbox, tag_group, stopped } = self;
        bits(out_intr_mbox | in_mbox | tag_group | stopped).map(ThreadId)
    }
}

/// The answer of a mailbox read that found nothing (`EAGAIN`).
pub const NO_ENTRY: u64 = u64::MAX;
