//! Events of the calendar.

use super::requests::Requests;
use crate::request::RequestId;
use crate::snapshot::Snapshot;
use crate::units::{EntryId, RampIndex, SpeId};

/// Something that will happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
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
    /// The PPE learns that a store of its has arrived in an SPE's window.
    Acknowledged,
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
    /// Adds it; when it happens is for the calendar to say.
    pub fn capture(&self, requests: &Requests, out: &mut Snapshot) {
        let rank = if let Event::CommandDone(spe, id) = self { out.rank(*spe, *id) } else { 0 };
        let mut put = |kind: u64, detail: u64| out.word(kind << 32 | detail);
        match self {
            Event::Response(_, outcome) => put(1, outcome.word()),
            Event::Send(_) => put(2, 0),
            Event::AtLink(_) => put(3, 0),
            Event::Crossed(_) => put(4, 0),
            Event::Deliver(_) => put(5, 0),
            Event::CommandDone(spe, id) => put(6, u64::from(spe.0) << 16 | u64::from(id.proxy) << 8 | rank),
            Event::AtomicLookup(spe) => put(7, u64::from(spe.0)),
            Event::AtomicDone(spe, status) => put(8, u64::from(spe.0) << 8 | u64::from(*status)),
            Event::MsSyncDone(spe) => put(9, u64::from(spe.0)),
            Event::Decrementer(spe) => put(10, u64::from(spe.0)),
            Event::Acknowledged => put(11, 0),
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
