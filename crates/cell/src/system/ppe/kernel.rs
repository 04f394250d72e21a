//! The kernel executes the steps of a system call: accesses to SPEs' registers, and delays.

use crate::system::wires::Wires;

use super::events;
use super::rules::{broken, spe_of};
use super::window::{self, Word};
use crate::door::{NO_ENTRY, PpeOp, Syscall};
use crate::error::RunError;
use crate::processor::State;
use crate::system::processors::Processors;
use crate::system::processors::ppe::{KernelStep, Ppe, PpeThread};
use crate::system::spe::wake::{continue_program, start_program};
use crate::system::stage::Unit;
use crate::units::SpeId;

/// Executes the next step of a system call. Returns false if the step must wait.
///
/// # Errors
/// There is no such thread, or it was never created.
pub(crate) fn run(
    (chip, thread): (u8, usize),
    processors: &mut Processors<'_>,
    wires: &mut Wires,
) -> Result<bool, RunError> {
    let Processors { spes, ppes, .. } = processors;
    let ppe = &mut ppes[usize::from(chip)];
    let number = ppe.number_of(thread);
    let until = ppe.threads[thread].kernel_until;
    if until > wires.time.now() && ppe.sleep(thread, until, &mut wires.time) {
        return Ok(false);
    }
    let caller = &mut ppe.threads[thread];
    let Some(step) = caller.kernel.front().copied() else {
        caller.core.state = State::Ready(caller.value);
        caller.core.time = wires.time.now_in_spu_cycles();
        wires.probes.traced(|trace| trace.returned(number, wires.time.now()));
        return Ok(true);
    };
    match step {
        KernelStep::Wait(cycles) => caller.kernel_until = wires.time.now() + cycles,
        KernelStep::LoadIf(mask, _) if caller.value & mask == 0 => caller.value = NO_ENTRY,
        KernelStep::Load(ea) | KernelStep::LoadIf(_, ea) => {
            if ppe.stores == 0 && !is_locked(thread, step, ppe) {
                ppe.threads[thread].kernel.pop_front();
                window::load(thread, ea, 4, ppe, wires)?;
            }
            return Ok(false);
        }
        KernelStep::StoreIf(mask, ..) if caller.value & mask == 0 => caller.value = 0,
        KernelStep::Store(ea, value) | KernelStep::StoreIf(_, ea, value) => {
            let word = Word { bytes: 4, value: u64::from(value) };
            if !window::store(thread, ea, word, ppe, wires)? {
                return Ok(false);
            }
            ppe.threads[thread].value = 1;
        }
        KernelStep::Mask(mask) => caller.value &= mask,
        KernelStep::SignalMode(spe, number, or_mode) => {
            spes[usize::from(spe.0)].channels.signals[usize::from(number == 2)].or_mode = or_mode;
        }
        KernelStep::Start(started, argument) => {
            let spe = spe_of(started, wires)?;
            start_program(&mut spes[usize::from(spe.0)], argument, wires);
        }
        KernelStep::Join(joined) => match spes[usize::from(spe_of(joined, wires)?.0)].core.state {
            State::Stopped(code) => caller.value = u64::from(code),
            State::Idle => {
                return Err(broken("thread_join", format!("thread {} was never created", joined.0), &wires.time));
            }
            _ => return Ok(false),
        },
        KernelStep::Continue(thread) => {
            let spe = &mut spes[usize::from(spe_of(thread, wires)?.0)];
            let went_on = continue_program(spe, wires);
            went_on.map_err(|why| broken("thread_continue", format!("thread {} {why}", thread.0), &wires.time))?;
        }
        // `Tags` and `Events` read registers, so both steps wait until earlier stores are complete, as a load does.
        KernelStep::Tags(..) | KernelStep::Events(..) if ppe.stores > 0 => return Ok(false),
        KernelStep::Tags(spe, mask, update) => {
            match events::tag_status(&mut spes[usize::from(spe.0)], mask, update) {
                Some(idle) => caller.value = u64::from(idle),
                None => return Ok(events::sleep(number, None, &mut wires.time)),
            }
            wires.time.awake(number);
        }
        KernelStep::Events(wanted, until) => {
            match events::ready(wanted, spes, wires)? {
                Some(ready) => caller.value = ready.to_word(),
                None if until.is_some_and(|until| until <= wires.time.now()) => caller.value = 0,
                None => return Ok(events::sleep(number, until, &mut wires.time)),
            }
            wires.time.awake(number);
        }
    }
    ppe.threads[thread].kernel.pop_front();
    Ok(true)
}

/// Whether the other hardware thread has checked the same mailbox, but has not accessed the mailbox yet. The kernel
/// serialises the two threads, because otherwise both threads would take the same mailbox entry.
fn is_locked(thread: usize, step: KernelStep, ppe: &Ppe<'_>) -> bool {
    let mailboxes = |thread: usize| match ppe.threads[thread].core.state {
        State::Blocked(PpeOp::Syscall(
            Syscall::InMboxWrite(of, _) | Syscall::OutMboxRead(of) | Syscall::OutIntrMboxRead(of),
        )) => Some(of),
        _ => None,
    };
    let is_within = |other: &PpeThread<'_>| {
        other.loading || matches!(other.kernel.front(), Some(KernelStep::LoadIf(..) | KernelStep::StoreIf(..)))
    };
    let own = mailboxes(thread);
    let mut others = (0..).zip(&ppe.threads).filter(|(number, _)| *number != thread);
    matches!(step, KernelStep::Load(_))
        && own.is_some()
        && others.any(|(number, other)| mailboxes(number) == own && is_within(other))
}

/// The program of an SPE has stopped. A PPE thread may be waiting for the end of this program.
pub(crate) fn thread_stopped(id: SpeId, ppes: &[Ppe<'_>], wires: &mut Wires) {
    wires.time.interrupt_all();
    let placement = &wires.board.placement;
    let joins =
        |step: Option<&KernelStep>| matches!(step, Some(KernelStep::Join(thread)) if placement.spe(*thread) == id);
    for ppe in ppes.iter().filter(|ppe| ppe.threads.iter().any(|thread| joins(thread.kernel.front()))) {
        wires.time.wake(Unit::Ppe(ppe.chip), wires.time.now());
    }
}
