//! The decrementer's event, and the alarm that is set for it.

use super::unit::Spe;
use super::wake::raise;
use crate::channel::event;
use crate::system::event::Event;
use crate::system::probes::set::Probes;
use crate::system::time::Time;

/// Sets the alarm for the decrementer event, if the program wants it.
pub(crate) fn arm(spe: &Spe<'_>, time: &mut Time) {
    if spe.channels.event_mask & event::DECREMENTER == 0 {
        return;
    }
    let Some(expiry_ticks) = spe.channels.decrementer_expiry_ticks() else { return };
    time.push(time.bus_cycle_of(expiry_ticks), Event::Decrementer(spe.id));
    // An alarm is set for a moment of absolute time, which no period of a loop brings back.
    time.fix();
}

/// The alarm rings, for a decrementer that may have been written since.
#[inline(never)]
pub(crate) fn alarm(spe: &mut Spe<'_>, time: &mut Time, probes: &mut Probes) {
    settle(spe, time.ticks_at(time.now()), time, probes);
}

/// Raises the decrementer's event if it has turned negative: events are kept whether they are wanted or not.
pub(crate) fn settle(spe: &mut Spe<'_>, ticks: u64, time: &mut Time, probes: &mut Probes) {
    if spe.channels.take_decrementer_expiry(ticks) {
        raise(spe, event::DECREMENTER, time, probes);
    }
}
