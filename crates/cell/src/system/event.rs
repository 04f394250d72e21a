//! What the calendar holds, and who sleeps until then.

use crate::request::RequestId;
use crate::units::{EntryId, RampIndex, SpeId};

/// Something that will happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A unit has something to do.
    Wake(Unit),
    /// Nothing else is left of this bus cycle for those SPUs that run ahead.
    SpusAhead,
    /// The combined response of a command comes back.
    Response(RequestId, Outcome),
    /// A command that got Retry goes out again.
    Resend(RequestId),
    /// A request's data have arrived.
    Deliver(RequestId),
    /// A request's data have arrived at the interface to another chip.
    AtLink(RequestId),
    /// They have crossed it.
    Crossed(RequestId),
    /// A command's end reaches its queue.
    CommandDone(SpeId, EntryId),
    /// The atomic unit has looked into its cache.
    AtomicLookup(SpeId),
    /// The atomic unit's status reaches its channel.
    AtomicDone(SpeId, u32),
    /// A multi-source synchronisation has ended.
    MsSyncDone(SpeId),
    /// A decrementer whose event is wanted turns negative, if it was not written since.
    Decrementer(SpeId),
}

/// A unit that sleeps until its next deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Spu(SpeId),
    Dmac(SpeId),
    /// An address concentrator: that of a chip or, behind those of two chips, the one above them.
    Commands(u8),
    /// The data arbiter of a chip.
    Arbiter(u8),
    /// A channel of memory, counted through all chips.
    Mic(u8),
    Ppe,
}

/// Where arbiters and SPUs begin among the deadlines: behind the PPE and three address concentrators, and
/// behind two arbiters.
pub(super) const FIRST_ARBITER: usize = 4;
pub(super) const FIRST_SPU: usize = FIRST_ARBITER + 2;

/// How a command's combined response reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Send it again.
    Retry,
    /// Data will come from this ramp.
    DataFrom(RampIndex),
    /// The memory controller has it.
    Memory,
    /// Nothing more to do.
    Done,
}
