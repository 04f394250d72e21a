//! Lookahead: how long a local store is left to its own program.
//!
//! A program that runs ahead of the bus clock reads what it finds in its local store and writes what
//! others will find there, so it has to know how far it may go.  Bytes move when a line is delivered;
//! until then they can be foreseen.  A delivery that is scheduled is known to the cycle.  One that is
//! not has to get a ring first, and what is not even on the bus has its command phase before it.  So
//! SPUs need not follow each other step by step, though any of them may write to any other.
//!
//! A lookahead is never too long, which a property test checks, and may be shorter than it could be.

use super::unit::Spe;
use crate::command::Action;
use crate::mfc::Stage;
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::processors::Processors;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{BusCycle, SpeId, SpuCycles};

/// The longest lookahead, so that a run can be interrupted.
const LONGEST_BUS_CYCLES: BusCycle = 1 << 19;

/// The SPU cycles, from a program's own time on, in which nobody else touches its local store.
#[inline(never)]
pub(crate) fn of(id: SpeId, board: &Board, time: &Time, bus: &Bus, processors: &Processors<'_>) -> SpuCycles {
    // What the program does in a bus cycle comes behind all that others do there.
    let free_until = (next_visit(id, board, time, bus, processors) - 1) * time.ratio;
    (free_until + 1).saturating_sub(processors.spes[usize::from(id.0)].core.time)
}

/// The SPU cycle, since the last skip, in which a line that came or went in this bus cycle had the
/// local store's port.
///
/// MODEL: the last one of the bus cycle, and of a line that goes out when it is where it goes: that is when
/// its bytes move here.  Silicon reads it earlier.
pub(crate) fn visited_at(id: SpeId, time: &Time, bus: &Bus) -> Option<SpuCycles> {
    bus.requests.was_visited_at(id, time.now()).then_some(time.now_in_spu_cycles())
}

/// The first bus cycle, after this one, in which somebody might touch a local store.
fn next_visit(id: SpeId, board: &Board, time: &Time, bus: &Bus, processors: &Processors<'_>) -> BusCycle {
    let (now, eib) = (time.now(), &board.machine.eib);
    let (spe, visits) = (&processors.spes[usize::from(id.0)], bus.requests.visits(id));
    if spe.atomic.pending.is_some() {
        return now + 1;
    }
    // An SPE that names its own local store has no hop to make.
    let moved = bus.data[0].beats();
    let granted = now + eib.data_request_bus_cycles + moved;
    let mut first = now + LONGEST_BUS_CYCLES;
    if others_may_act(id, processors) {
        first = first.min(granted + eib.command_issue_bus_cycles + eib.command_response_bus_cycles);
    }
    if (visits.foreign + spe.mfc.outstanding()) as usize > visits.expected.len() {
        let arbiters = (0..board.chips() as u8).map(|chip| time.wakes_at(Unit::Arbiter(chip)));
        let next_grant = arbiters.min().unwrap_or(now);
        first = first.min(granted.min(next_grant.saturating_add(moved)));
    }
    let expected = visits.expected.iter().copied();
    expected.chain(list_fetches(spe)).fold(first, BusCycle::min).max(now + 1)
}

/// Whether anybody might send a command that is about this local store.
fn others_may_act(id: SpeId, processors: &Processors<'_>) -> bool {
    let busy = |spe: &Spe<'_>| !spe.mfc.is_empty() || spe.id != id && spe.core.is_running();
    processors.spes.iter().any(busy) || processors.ppe.is_running()
}

/// When the DMA controller might read a list element, or give a lock-line command to the atomic unit.
fn list_fetches(spe: &Spe<'_>) -> impl Iterator<Item = BusCycle> {
    spe.mfc.spu_queue.iter().filter_map(|(_, entry)| match entry.decoded.action {
        // It goes on as soon as the PPE changes the page table.
        _ if entry.stage == Stage::Away => (entry.list_left_bytes > 0).then_some(0),
        // The program itself has to acknowledge a stall.
        _ if entry.stage != Stage::Unrolling => None,
        Action::PutQlluc => Some(entry.ready_at),
        _ => (entry.list_left_bytes > 0).then_some(entry.element_ready_at),
    })
}
