//! Events of the calendar, and the units that sleep until one.

use super::requests::Requests;
use crate::request::RequestId;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, EntryId, RampIndex, SpeId};

/// Something that will happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A unit has something to do.
    Wake(Unit),
    /// All other events of this cycle are done; run the lookahead SPUs.
    Lookahead,
    /// A command goes out, for the first time a while after its request was made, or again after a Retry.
    Send(RequestId),
    /// The combined response of a command comes back.
    Response(RequestId, Outcome),
    /// A request's data have arrived at the interface to another chip.
    AtLink(RequestId),
    /// They have crossed it.
    Crossed(RequestId),
    /// A request's data have arrived.
    Deliver(RequestId),
    /// A command's end reaches its queue.
    CommandDone(SpeId, EntryId),
    /// The atomic unit has looked into its cache.
    AtomicLookup(SpeId),
    /// The atomic unit's status reaches its channel.
    AtomicDone(SpeId, u32),
    /// A multi-source synchronisation has ended.
    MsSyncDone(SpeId),
    /// A decrementer with an enabled event turns negative, unless it was written since.
    Decrementer(SpeId),
}

/// A unit that sleeps until its next deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Spu(SpeId),
    Dmac(SpeId),
    /// An address concentrator: that of a chip or, behind those of two chips, the one above them.
    Commands(u8),
    /// A channel of memory, counted through all chips.
    Mic(u8),
    /// The data arbiter of a chip.
    Arbiter(u8),
    Ppe,
}

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

impl Event {
    /// Adds an event `distance` bus cycles from now; `detail` says which deadline it is, or which lookahead SPUs
    /// have a turn.
    pub fn capture(&self, distance: BusCycle, detail: u64, requests: &Requests, out: &mut Snapshot) {
        let rank = if let Event::CommandDone(spe, id) = self { out.rank(*spe, *id) } else { 0 };
        let mut put = |kind: u64, detail: u64| out.word(distance << 32 | kind << 24 | detail);
        match self {
            Event::Wake(_) => put(1, detail),
            Event::Lookahead => put(12, detail),
            Event::Send(_) => put(3, 0),
            Event::Response(_, outcome) => put(2, outcome.word()),
            Event::AtLink(_) => put(10, 0),
            Event::Crossed(_) => put(11, 0),
            Event::Deliver(_) => put(4, 0),
            Event::CommandDone(spe, id) => put(5, u64::from(spe.0) << 16 | u64::from(id.proxy) << 8 | rank),
            Event::AtomicLookup(spe) => put(6, u64::from(spe.0)),
            Event::AtomicDone(spe, status) => put(7, u64::from(spe.0) << 8 | u64::from(*status)),
            Event::MsSyncDone(spe) => put(8, u64::from(spe.0)),
            Event::Decrementer(spe) => put(9, u64::from(spe.0)),
        }
        if let Some(id) = self.request() {
            requests.get(id).capture(out);
        }
    }

    /// The request that an event is about.
    fn request(&self) -> Option<RequestId> {
        match *self {
            Event::Send(id) | Event::Response(id, _) | Event::AtLink(id) | Event::Crossed(id) | Event::Deliver(id) => {
                Some(id)
            }
            _ => None,
        }
    }
}

impl Outcome {
    fn word(self) -> u64 {
        match self {
            Outcome::Retry => 0,
            Outcome::Memory => 1,
            Outcome::Done => 2,
            Outcome::DataFrom(ramp) => 3 + u64::from(ramp),
        }
    }
}
