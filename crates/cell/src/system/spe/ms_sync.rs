//! Multi-source synchronisation.
//!
//! MODEL: a multi-source synchronisation takes as long as a command phase. Silicon waits for transfers from other
//! units that were in flight. In the model, the synchronisation may end while such transfers are in flight; the
//! program sees a transfer's data only when the transfer is complete.

use super::wake::{raise, unblock};
use crate::channel::{Channel, event};
use crate::system::event::Event;
use crate::system::processors::spe::Spe;
use crate::system::wires::Wires;

/// Begins a synchronisation. Returns false if another synchronisation is pending.
pub(crate) fn begin(spe: &mut Spe<'_>, wires: &mut Wires) -> bool {
    let idle = !std::mem::replace(&mut spe.channels.ms_sync_pending, true);
    if idle {
        let eib = &wires.board.machine.eib;
        let phase = eib.command_issue_bus_cycles + eib.command_response_bus_cycles;
        wires.time.push(wires.time.now() + phase, Event::MsSyncDone(spe.id));
    }
    idle
}

/// The synchronisation has ended.
#[inline(never)]
pub(crate) fn end(spe: &mut Spe<'_>, wires: &mut Wires) {
    spe.channels.ms_sync_pending = false;
    unblock(spe, Channel::WR_MS_SYNC_REQ, wires);
    raise(spe, event::MULTI_SOURCE, wires);
}
