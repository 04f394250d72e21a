//! System calls in which the kernel waits for events of SPEs, or for the completion of proxy commands.
//!
//! A waiting thread sleeps until an SPE interrupts the PPE, and then checks its condition again.
use crate::system::wires::Wires;

use super::rules::spe_of;
use crate::door::{SpeEvents, Syscall, TagUpdate};
use crate::error::RunError;
use crate::processor::State;
use crate::system::processors::spe::Spe;
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::{BusCycle, SpeId};

/// The pending events among the wanted events, or `None` if no wanted event is pending.
///
/// # Errors
/// A thread has no SPE.
pub(crate) fn ready(wanted: SpeEvents, spes: &[Spe<'_>], wires: &Wires) -> Result<Option<SpeEvents>, RunError> {
    let mut ready = SpeEvents::default();
    for thread in wanted.threads() {
        let spe = &spes[usize::from(spe_of(thread, wires)?.0)];
        let bit = |holds: bool| u16::from(holds) << thread.0;
        ready.out_intr_mbox |= wanted.out_intr_mbox & bit(!spe.channels.out_intr_mbox.is_empty());
        ready.in_mbox |= wanted.in_mbox & bit(spe.channels.in_mbox.free() > 0);
        ready.tag_group |= wanted.tag_group & bit(spe.proxy.unreported & spe.mfc.proxy_queue.idle_tags() != 0);
        ready.stopped |= wanted.stopped & bit(matches!(spe.core.state, State::Stopped(_)));
    }
    Ok((ready != SpeEvents::default()).then_some(ready))
}

/// Reports the tag groups of `mask` that have no proxy commands, or returns `None` while `update` is not satisfied.
pub(crate) fn tag_status(spe: &mut Spe<'_>, mask: u32, update: TagUpdate) -> Option<u32> {
    enough_idle_tags(spe, mask, update).inspect(|idle| spe.proxy.unreported &= !idle)
}

fn enough_idle_tags(spe: &Spe<'_>, mask: u32, update: TagUpdate) -> Option<u32> {
    let mask = if mask == 0 { spe.proxy.unreported } else { mask };
    let idle = spe.mfc.proxy_queue.idle_tags() & mask;
    let enough = match update {
        TagUpdate::Immediate => true,
        TagUpdate::Any => idle != 0 || mask == 0,
        TagUpdate::All => idle == mask,
    };
    enough.then_some(idle)
}

/// Whether a system call would wait for an SPE.
pub(crate) fn would_wait(call: Syscall, spes: &[Spe<'_>], wires: &Wires) -> bool {
    let spe = |thread| spe_of(thread, wires).ok().map(|id| &spes[usize::from(id.0)]);
    match call {
        Syscall::ThreadJoin(thread) => spe(thread).is_some_and(|spe| spe.core.is_running()),
        Syscall::MfcTagStatus(thread, mask, update) => {
            spe(thread).is_some_and(|spe| enough_idle_tags(spe, mask, update).is_none())
        }
        Syscall::EventWait(wanted, _) => matches!(ready(wanted, spes, wires), Ok(None)),
        _ => false,
    }
}

/// Puts a thread, by its number among the threads of all PPEs, to sleep after a check, until an SPE interrupts the
/// thread or until a given bus cycle. Always returns false, because the thread does not continue.
pub(crate) fn sleep(thread: usize, until: Option<BusCycle>, time: &mut Time) -> bool {
    // Drop an earlier interrupt, because the check has already seen its effect.
    time.take_interrupt(thread);
    time.listen(thread);
    until.into_iter().for_each(|at| time.wake(Unit::ppe_of(thread), at));
    false
}

/// Checks that the threads of these events are placed on SPEs.
///
/// # Errors
/// A thread has no SPE.
pub(crate) fn check(events: SpeEvents, wires: &Wires) -> Result<(), RunError> {
    events.threads().try_for_each(|thread| spe_of(thread, wires).map(|_: SpeId| ()))
}
