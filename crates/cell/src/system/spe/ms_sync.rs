//! Multi-source synchronisation.
//!
//! MODEL: a multi-source synchronisation takes as long as a command phase.  Silicon waits for the
//! transfers from other units that were under way; here those are seen when they are complete.

use super::unit::Spe;
use super::wake::{raise, unblock};
use crate::channel::{Channel, event};
use crate::system::board::Board;
use crate::system::event::Event;
use crate::system::probes::set::Probes;
use crate::system::time::Time;

/// Begins a synchronisation; false if one is under way.
pub(crate) fn begin(spe: &mut Spe<'_>, board: &Board, time: &mut Time) -> bool {
    let idle = !std::mem::replace(&mut spe.channels.ms_sync_pending, true);
    if idle {
        let eib = &board.machine.eib;
        let phase = eib.command_issue_bus_cycles + eib.command_response_bus_cycles;
        time.push(time.now() + phase, Event::MsSyncDone(spe.id));
    }
    idle
}

/// The synchronisation has ended.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, time: &mut Time, probes: &mut Probes) {
    spe.channels.ms_sync_pending = false;
    unblock(spe, Channel::WR_MS_SYNC_REQ, time, probes);
    raise(spe, event::MULTI_SOURCE, time, probes);
}
