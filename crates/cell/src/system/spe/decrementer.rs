//! The decrementer's event, and the alarm that raises the event.

use super::wake::raise;
use crate::channel::event;
use crate::system::event::Event;
use crate::system::processors::spe::Spe;
use crate::system::time::Time;
use crate::system::wires::Wires;

/// Sets the alarm for the decrementer event, if the program has enabled that event.
pub(crate) fn arm(spe: &Spe<'_>, time: &mut Time) {
    if spe.channels.events.mask() & event::DECREMENTER == 0 {
        return;
    }
    let Some(ticks) = spe.channels.decrementer.turns_negative_at() else { return };
    time.push(time.bus_cycle_of(ticks), Event::Decrementer(spe.id));
    // The alarm is at an absolute time, so it does not recur with the periods of a loop.
    time.fix();
}

/// The alarm expires. The decrementer may have been written since the alarm was set.
#[inline(never)]
pub(crate) fn alarm(spe: &mut Spe<'_>, wires: &mut Wires) {
    update(spe, wires.time.ticks_at(wires.time.now()), wires);
}

/// Raises the decrementer's event if the decrementer has turned negative. Even a disabled event is recorded.
pub(crate) fn update(spe: &mut Spe<'_>, ticks: u64, wires: &mut Wires) {
    if spe.channels.decrementer.take_expiry(ticks) {
        raise(spe, event::DECREMENTER, wires);
    }
}

/// The program has acknowledged events. The decrementer stops if its event was acknowledged while it was disabled
/// (RPCS3 PR 12005).
pub(crate) fn acknowledged(spe: &mut Spe<'_>, bits: u32, time: &mut Time) {
    if bits & event::DECREMENTER == 0 {
        return;
    }
    if spe.channels.events.mask() & event::DECREMENTER == 0 {
        spe.channels.decrementer.stop(time.ticks_at_spu_cycle(spe.core.time));
    }
    arm(spe, time);
}
