//! The two doors through which programs drive the machine.
//!
//! An SPU program sees only what real SPU code sees: read a channel, write a channel, ask a
//! channel's count, compute for some cycles; and its own local store.  A stall is an answer that has
//! not come yet.  The PPE's door is as narrow: load, store, sync, system call, compute.  Everything with a
//! familiar name is built on these, in [`crate::spu_mfcio`] and [`crate::libspe`].  A program that is an
//! operating system besides has the machine in its hands for the length of its turn ([`Supervisor`]), and may
//! wait for the SPEs' interrupts.
//!
//! A program that repeats itself may *mark* each iteration.  With a mark it promises that, until the
//! next one, what it asks depends only on the answers it gets, and that every 32-bit word it changes
//! either ends the iteration as it began or moves by the same amount each time (modulo 2^32).
//! Exact fast-forward ([`crate::system`]) needs to know no more.

use crate::bits::bits;
use crate::channel::Channel;
use crate::command::Command;
use crate::store::LocalStore;
pub use crate::system::Supervisor;
use crate::units::{SpuCycles, ThreadId};

/// What an SPU program asks of its machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `rdch`: the answer is the value; blocking channels answer when they have one.
    Read(Channel),
    /// `wrch`: the answer is 0; blocking channels answer when there is room.
    Write(Channel, u32),
    /// `rchcnt`: the answer is the channel's count.
    Count(Channel),
    /// Work on registers and local store for this many SPU cycles.
    Compute(SpuCycles),
}

/// How a program's turn ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// It waits for an answer.
    Ask(Op),
    /// An iteration begins.  The answer is the number of iterations that the program must leave out because
    /// their outcome is known already: always fewer than `remaining`.
    Mark {
        /// Iterations that have not begun, this one included.
        remaining: u64,
    },
    /// `stop`: it has ended, or waits until the PPE lets it go on ([`Program::goes_on`]), with a code.
    Stop(u32),
}

/// What a program is told at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The answer to what it asked last; 0 at first.
    pub answer: u32,
    /// Its own time, in SPU cycles since the start of the machine.
    pub time: SpuCycles,
    /// SPU cycles from `time` on in which only the program itself reads or writes its local store.  Known only
    /// for a program that runs ahead; 0 for others.
    pub lookahead: SpuCycles,
    /// First SPU cycle at or after `time` in which DMA occupies the local-store port.
    pub line_at: Option<SpuCycles>,
    /// Whether an enabled event is pending, which interrupts a program that has interrupts enabled.
    pub event: bool,
}

/// An SPU program.
pub trait Program {
    /// Runs up to the next question.
    ///
    /// # Errors
    /// A program that cannot go on (a Python exception, say) ends its run with a line that says why.
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String>;

    /// The channel that it writes next whatever the last answer is, and the value, if that is known, as for the
    /// parameters of a DMA command: it needs no turn for that, and its next turn comes behind it.
    fn writes_anyway(&mut self) -> Option<(Channel, u32)> {
        None
    }

    /// Whether it works first and then asks for the time that this took, as an interpreter of instructions
    /// does.  It touches its local store only within its [`Turn::lookahead`], and then computes for
    /// as long as it has worked, 0 cycles if it could not begin.  What it does in a bus cycle comes after
    /// everything else in that cycle, so that it makes no difference where its turns end.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// Whether it can go on behind the stop that it has come to, when the PPE says so ([`Syscall::ThreadContinue`]).
    fn goes_on(&self) -> bool {
        false
    }

    /// Its position in its source text, for messages.
    fn place(&self) -> Option<String> {
        None
    }
}

/// Makes a program each time its thread is created; the argument is what the creator passed
/// (`argp`).
pub type ProgramFactory<'p> = Box<dyn FnMut(u64) -> Box<dyn Program + 'p> + 'p>;

/// What a PPE program asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeOp {
    /// Load 1, 2, 4 or 8 bytes from an effective address.
    Load {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
    },
    /// Store 1, 2, 4 or 8 bytes.
    Store {
        /// Effective address.
        ea: u64,
        /// Width in bytes.
        bytes: u8,
        /// What to store, right-aligned.
        value: u64,
    },
    /// Access many elements of main memory.
    Walk(Walk),
    /// Bring a line of main memory into the caches, as a load or a store of it does, but move no data: a program that
    /// reads and writes memory by itself asks for the time that this takes.
    Touch {
        /// Address in main memory.
        real: u64,
        /// The L2 has to own the line.
        store: bool,
    },
    /// Sleep until there is an interrupt, or until the time base reaches a value.  The answer is 1 if it was an
    /// interrupt: an SPE has stopped, has left its program with a fault, has written its interrupting mailbox, has
    /// taken an entry of its inbound mailbox, or has ended a proxy command; or another PPE thread has asked for it
    /// ([`Supervisor::interrupt`]).
    Wait {
        /// Ticks.
        until: Option<u64>,
    },
    /// Call the operating system.
    Syscall(Syscall),
    /// `sync`: everything before it has been performed, as all chips see it, before anything behind it.
    Sync,
    /// Work for this many processor cycles.
    Compute(SpuCycles),
    /// Read the 64-bit time base, in ticks.
    TimeBase,
}

/// A fully unrolled loop of loads, stores or copies over main memory: no access waits for the value of
/// another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Walk {
    /// What is done with each element.
    pub access: Access,
    /// Bytes of an element: 1, 2, 4, 8, or 16 for a vector.
    pub bytes: u8,
    /// Bytes from one element to the next.
    pub stride_bytes: u32,
    /// Number of elements.
    pub count: u64,
}

/// What a [`Walk`] does with its elements, and where the first one lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Loads each element.
    Load {
        /// Effective address.
        from: u64,
    },
    /// Stores one value into each element.
    Store {
        /// Effective address.
        to: u64,
        /// What to store, right-aligned; a vector has it twice.
        value: u64,
    },
    /// Owns each element's line, as a store has to, and stores nothing.
    Own {
        /// Effective address.
        to: u64,
    },
    /// Loads each element and stores it elsewhere.
    Copy {
        /// Effective address.
        from: u64,
        /// Effective address.
        to: u64,
    },
}

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

/// How a PPE program's turn ends; as [`Step`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PpeStep {
    /// It waits for an answer.
    Ask(PpeOp),
    /// As [`Step::Mark`].
    Mark {
        /// Iterations that have not begun, this one included.
        remaining: u64,
    },
    /// It has ended.
    Stop(u32),
}

/// What a PPE program is told at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PpeTurn {
    /// The answer to what it asked last; 0 at first.
    pub answer: u64,
    /// Its own time, in processor cycles since the start of the machine.
    pub time: SpuCycles,
    /// Processor cycles from `time` on until something else is due in the machine.
    pub lookahead: SpuCycles,
}

/// A PPE program.
pub trait PpeProgram {
    /// Runs up to the next question.
    ///
    /// # Errors
    /// As [`Program::resume`].
    fn resume(&mut self, turn: PpeTurn, machine: &mut Supervisor<'_, '_>) -> Result<PpeStep, String>;

    /// Whether it works first and then computes for as long as that took; its turns wait for the bus clock.
    fn runs_ahead(&self) -> bool {
        false
    }

    /// What it waits for, for messages.
    fn waits_for(&self) -> Option<String> {
        None
    }
}
