//! Events of the calendar.

use super::requests::Requests;
use crate::request::RequestId;
use crate::snapshot::Snapshot;
use crate::units::{EntryId, RampIndex, SpeId};

/// An event of the calendar. The calendar records the bus cycle of the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A unit sends the command of a request, either for the first time or again after a Retry.
    Send(RequestId),
    /// The combined response of a command reaches the unit that sent it.
    Response(RequestId, Outcome),
    /// A request's data have arrived at the interface to the other chip.
    AtLink(RequestId),
    /// A request's data have crossed to the other chip.
    Crossed(RequestId),
    /// A request's data have arrived.
    Deliver(RequestId),
    /// The completion of a command reaches its queue.
    CommandDone(SpeId, EntryId),
    /// The atomic unit has looked up a line in its cache.
    AtomicLookup(SpeId),
    /// The atomic unit's status reaches its channel.
    AtomicDone(SpeId, u32),
    /// A multi-source synchronisation has ended.
    MsSyncDone(SpeId),
    /// A decrementer with an enabled event turns negative, unless it has been written in the meantime.
    Decrementer(SpeId),
    /// The PPE of this chip receives the acknowledgement that one of its stores has arrived in an SPE's window.
    Acknowledged(u8),
}

/// The combined response of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The unit must send the command again.
    Retry,
    /// The data will come from this ramp.
    DataFrom(RampIndex),
    /// The memory controller has accepted the request.
    Memory,
    /// The request needs no data phase.
    Done,
}

impl Event {
    /// Adds the event, without its time, to a snapshot. The calendar adds the time.
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
            Event::Acknowledged(chip) => put(11, u64::from(*chip)),
        }
        if let Some(id) = self.request() {
            requests.get(id).capture(out);
        }
    }

    /// The request of an event, if the event has a request.
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
