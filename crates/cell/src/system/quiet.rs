//! How long a local store is left to its own program.
//!
//! A program that runs ahead of the bus clock reads what it finds in its local store and writes what
//! others will find there, so it has to know how far it may go.  Bytes move when a line is delivered;
//! until then they can be foreseen.  A delivery that is scheduled is known to the cycle.  One that is
//! not has to get a ring first, and what is not even on the bus has its command phase before it.  So
//! SPUs need not follow each other step by step, though any of them may write to any other.
//!
//! The answer is never too long, which a property test asks, and may be shorter than it could be.

use super::{Spe, System, Unit};
use crate::command::Action;
use crate::ea::Target;
use crate::mfc::Stage;
use crate::request::{Issuer, Request, RequestId};
use crate::units::{BusCycle, SpeId, SpuCycles};

/// The longest answer.  Those who wait for the run's end may want to interrupt it.
const LONGEST_BUS_CYCLES: BusCycle = 1 << 19;

/// Requests that will touch a local store.
#[derive(Default)]
pub(crate) struct Visits {
    /// Those of other units that are under way.
    foreign: u32,
    /// When those that have a ring, of whichever unit, will do so.
    expected: Vec<BusCycle>,
    /// When the last of these did.
    last: Option<BusCycle>,
}

impl Visits {
    /// Whether a line came or went in this bus cycle.
    pub(super) fn was_visited_at(&self, now: BusCycle) -> bool {
        self.last == Some(now)
    }
}

impl System<'_> {
    /// So many SPU cycles, from a program's own time on, nobody else touches its local store.
    pub(super) fn quiet(&self, id: SpeId) -> SpuCycles {
        // What the program does in a bus cycle comes behind all that others do there.
        let free_until = (self.next_visit(id) - 1) * self.ratio;
        (free_until + 1).saturating_sub(self.spes[usize::from(id.0)].core.time)
    }

    /// The SPU cycle, since the last skip, in which a line that came or went in this bus cycle had the
    /// local store's port.
    ///
    /// MODEL: the last one of the bus cycle, and of a line that goes out when it is where it goes: that is when
    /// its bytes move here.  Silicon reads it earlier.
    pub(super) fn visited_at(&self, id: SpeId) -> Option<SpuCycles> {
        let now = self.now();
        self.spes[usize::from(id.0)].visits.was_visited_at(now).then_some(now * self.ratio)
    }

    /// The first bus cycle, after this one, in which somebody might touch a local store.
    fn next_visit(&self, id: SpeId) -> BusCycle {
        let (now, eib) = (self.now(), &self.machine.eib);
        let spe = &self.spes[usize::from(id.0)];
        if spe.atomic.pending.is_some() {
            return now + 1;
        }
        // An SPE that names its own local store has no hop to make.
        let moved = self.chips[0].data.beats();
        let granted = now + eib.data_request_bus_cycles + moved;
        let mut first = now + LONGEST_BUS_CYCLES;
        if self.others_may_act(id) {
            first = first.min(granted + eib.command_issue_bus_cycles + eib.command_response_bus_cycles);
        }
        let expected = &spe.visits.expected;
        if (spe.visits.foreign + spe.mfc.outstanding()) as usize > expected.len() {
            let arbiters = (0..self.chips.len() as u8).map(|chip| self.wakes[self.unit_index(Unit::Arbiter(chip))]);
            let next_grant = arbiters.min().unwrap_or(now);
            first = first.min(granted.min(next_grant.saturating_add(moved)));
        }
        let expected = expected.iter().copied();
        expected.chain(self.list_fetch(id)).fold(first, BusCycle::min).max(now + 1)
    }

    /// Whether anybody might send a command that is about this local store.
    fn others_may_act(&self, id: SpeId) -> bool {
        let busy = |(n, spe): (usize, &Spe<'_>)| !spe.mfc.is_empty() || n != usize::from(id.0) && spe.core.is_running();
        self.spes.iter().enumerate().any(busy) || self.ppe.threads.iter().any(|thread| thread.core.is_running())
    }

    /// When the DMA controller might read a list element, or give a lock-line command to the atomic unit.
    fn list_fetch(&self, id: SpeId) -> impl Iterator<Item = BusCycle> {
        self.spes[usize::from(id.0)].mfc.spu_queue.iter().filter_map(|(_, entry)| match entry.decoded.action {
            // The program itself has to acknowledge a stall.
            _ if entry.stage != Stage::Unrolling => None,
            Action::PutQlluc => Some(entry.ready_at),
            _ => (entry.list_left_bytes > 0).then_some(entry.element_ready_at),
        })
    }

    /// Takes a request in.
    pub(super) fn add_request(&mut self, request: Request) -> RequestId {
        if let Some(spe) = visited(&request) {
            self.spe(spe).visits.foreign += 1;
        }
        self.requests.add(request)
    }

    /// Forgets a request that has done its work.
    pub(super) fn remove_request(&mut self, id: RequestId) {
        if let Some(spe) = visited(self.requests.get(id)) {
            self.spe(spe).visits.foreign -= 1;
        }
        self.requests.remove(id);
    }

    /// A request's data have a ring, and will be where they go at `at`.
    pub(super) fn expect_visit(&mut self, id: RequestId, at: BusCycle) {
        for spe in hosts(self.requests.get(id)) {
            self.spe(spe).visits.expected.push(at);
        }
    }

    /// A request's data are where the ring was to bring them.
    pub(super) fn end_visit(&mut self, id: RequestId) {
        let now = self.now();
        for spe in hosts(self.requests.get(id)) {
            let expected = &mut self.spe(spe).visits.expected;
            if let Some(place) = expected.iter().position(|at| *at == now) {
                expected.swap_remove(place);
                self.spe(spe).visits.last = Some(now);
            }
        }
    }
}

/// The SPE whose local store is a request's target.
fn visited(request: &Request) -> Option<SpeId> {
    match request.target {
        Target::LocalStore(spe, _) => Some(spe),
        _ => None,
    }
}

/// The SPEs whose local stores a request touches.
fn hosts(request: &Request) -> impl Iterator<Item = SpeId> + use<> {
    let own = match request.issuer {
        Issuer::Mfc(spe, _) => Some(spe),
        _ => None,
    };
    own.into_iter().chain(visited(request))
}
