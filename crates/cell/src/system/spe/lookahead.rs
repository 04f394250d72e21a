//! Lookahead: the duration for which only an SPE's own program accesses its local store.
//!
//! A program that runs ahead of the bus clock reads and writes its local store early, so the program must know when
//! another unit may access the local store next. Bytes move only when a line is delivered, and deliveries can be
//! predicted:
//!
//! ```text
//!   now ├── command phase ──┼── request of a ring ──┼── grant, beats ──┤ delivery
//!       │                   │                       └ scheduled: known to the cycle
//!       │                   └ ordered: not before a grant and its beats
//!       └ not on the bus yet: not before a command phase, a grant and its beats
//! ```
//! Therefore, SPUs need not advance in lockstep, although each SPU may write to the local store of any other.
//!
//! A lookahead is never too long; a property test checks this. A lookahead may be shorter than necessary.

use crate::command::Action;
use crate::mfc::Stage;
use crate::system::processors::Processors;
use crate::system::processors::ppe::Ppe;
use crate::system::processors::spe::Spe;
use crate::system::stage::Unit;
use crate::system::wires::Wires;
use crate::units::{BusCycle, SpeId, SpuCycles};

/// Maximum lookahead, which keeps a run interruptible.
const LONGEST_BUS_CYCLES: BusCycle = 1 << 19;

/// The number of SPU cycles, starting at a program's own time, in which no other unit accesses the program's local
/// store.
#[inline(never)]
pub(crate) fn of(id: SpeId, processors: &Processors<'_>, wires: &Wires) -> SpuCycles {
    // A lookahead program has its turn after all other units of the bus cycle.
    let free_until = (next_visit(id, processors, wires) - 1) * wires.time.ratio;
    (free_until + 1).saturating_sub(processors.spes[usize::from(id.0)].core.time)
}

/// The SPU cycle in which the local store's port was occupied, if a line was delivered in this bus cycle.
///
/// MODEL: an incoming or outgoing line occupies the local store's port in the last SPU cycle of the bus cycle that
/// delivers the line, because its bytes move in that cycle. Silicon reads an outgoing line earlier.
pub(crate) fn visited_at(id: SpeId, wires: &Wires) -> Option<SpuCycles> {
    wires.bus.requests.was_visited_at(id, wires.time.now()).then_some(wires.time.now_in_spu_cycles())
}

/// The first bus cycle after this one in which another unit might access a local store.
fn next_visit(id: SpeId, processors: &Processors<'_>, wires: &Wires) -> BusCycle {
    let (now, eib) = (wires.time.now(), &wires.board.machine.eib);
    let (spe, visits) = (&processors.spes[usize::from(id.0)], wires.bus.requests.visits(id));
    if spe.atomic.pending.is_some() {
        return now + 1;
    }
    // The shortest path has no hops: an SPE may access its own local store over the bus.
    let moved = wires.bus.data[0].beats();
    let granted = now + eib.data_request_bus_cycles + moved;
    let mut first = now + LONGEST_BUS_CYCLES;
    if others_may_act(id, processors) {
        first = first.min(granted + eib.command_issue_bus_cycles + eib.command_response_bus_cycles);
    }
    if (visits.foreign + spe.mfc.outstanding()) as usize > visits.expected.len() {
        let arbiters = (0..wires.board.chips() as u8).map(|chip| wires.time.wakes_at(Unit::Arbiter(chip)));
        let next_grant = arbiters.min().unwrap_or(now);
        first = first.min(granted.min(next_grant.saturating_add(moved)));
    }
    let expected = visits.expected.iter().copied();
    expected.chain(list_fetches(spe)).fold(first, BusCycle::min).max(now + 1)
}

/// Whether any unit might send a command that accesses this local store.
fn others_may_act(id: SpeId, processors: &Processors<'_>) -> bool {
    let busy = |spe: &Spe<'_>| !spe.mfc.is_empty() || spe.id != id && spe.core.is_running();
    processors.spes.iter().any(busy) || processors.ppes.iter().any(Ppe::is_running)
}

/// The bus cycles in which the DMAC might read a list element, or pass a lock-line command to the atomic unit.
fn list_fetches(spe: &Spe<'_>) -> impl Iterator<Item = BusCycle> {
    spe.mfc.spu_queue.iter().filter_map(|(_, entry)| match entry.decoded.action {
        // The command continues as soon as the PPE changes the page table.
        _ if entry.stage == Stage::Away => (entry.list_left_bytes > 0).then_some(0),
        // Only the program itself can acknowledge a list stall.
        _ if entry.stage != Stage::Unrolling => None,
        Action::PutQlluc => Some(entry.ready_at),
        _ => (entry.list_left_bytes > 0).then_some(entry.element_ready_at),
    })
}
