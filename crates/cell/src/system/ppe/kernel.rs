//! System calls at work: what the kernel does with SPEs' registers, and the time that it takes.

use super::events;
use super::rules::{broken, spe_of};
use super::syscall::Kernel;
use super::unit::{Ppe, PpeThread};
use super::window::{self, Word};
use crate::door::{NO_ENTRY, PpeOp, Syscall};
use crate::error::RunError;
use crate::ppe::ALL_THREADS;
use crate::processor::State;
use crate::system::board::Board;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::requests::Requests;
use crate::system::spe::wake::{continue_program, start_program};
use crate::system::stage::Unit;
use crate::system::time::Time;
use crate::units::SpeId;

/// The next step of a system call; false if it has to wait.
///
/// # Errors
/// There is no such thread, or it was never created.
pub(crate) fn run(
    thread: usize,
    board: &Board,
    time: &mut Time,
    requests: &mut Requests,
    processors: &mut Processors<'_>,
    probes: &mut Probes,
) -> Result<bool, RunError> {
    let Processors { spes, ppe, .. } = processors;
    let caller = &mut ppe.threads[thread];
    if caller.kernel_until > time.now() {
        time.wake(Unit::Ppe, caller.kernel_until);
        return Ok(false);
    }
    let Some(step) = caller.kernel.front().copied() else {
        caller.core.state = State::Ready(caller.value);
        caller.core.time = time.now_in_spu_cycles();
        return Ok(true);
    };
    match step {
        Kernel::Wait(cycles) => caller.kernel_until = time.now() + cycles,
        Kernel::LoadIf(mask, _) if caller.value & mask == 0 => caller.value = NO_ENTRY,
        Kernel::Load(ea) | Kernel::LoadIf(_, ea) => {
            if ppe.stores == 0 && !is_held(thread, step, ppe) {
                ppe.threads[thread].kernel.pop_front();
                window::load(thread, ea, 4, board, time, requests, ppe)?;
            }
            return Ok(false);
        }
        Kernel::StoreIf(mask, ..) if caller.value & mask == 0 => caller.value = 0,
        Kernel::Store(ea, value) | Kernel::StoreIf(_, ea, value) => {
            let word = Word { bytes: 4, value: u64::from(value) };
            if !window::store(thread, ea, word, board, time, requests, ppe)? {
                return Ok(false);
            }
            ppe.threads[thread].value = 1;
        }
        Kernel::Mask(mask) => caller.value &= mask,
        Kernel::SignalMode(spe, number, or_mode) => {
            spes[usize::from(spe.0)].channels.signals[usize::from(number == 2)].or_mode = or_mode;
        }
        Kernel::Start(started, argument) => {
            let spe = spe_of(started, board, time)?;
            start_program(&mut spes[usize::from(spe.0)], argument, board, time, probes);
        }
        Kernel::Join(joined) => match spes[usize::from(spe_of(joined, board, time)?.0)].core.state {
            State::Stopped(code) => caller.value = u64::from(code),
            State::Idle => {
                return Err(broken("thread_join", format!("thread {} was never created", joined.0), time));
            }
            _ => return Ok(false),
        },
        Kernel::Continue(thread) => {
            let spe = &mut spes[usize::from(spe_of(thread, board, time)?.0)];
            let went_on = continue_program(spe, board, time, probes);
            went_on.map_err(|why| broken("thread_continue", format!("thread {} {why}", thread.0), time))?;
        }
        // As a load, it sees what was stored before.
        Kernel::Tags(..) | Kernel::Events(..) if ppe.stores > 0 => return Ok(false),
        Kernel::Tags(spe, mask, update) => {
            match events::tag_status(&mut spes[usize::from(spe.0)], mask, update) {
                Some(idle) => caller.value = u64::from(idle),
                None => return Ok(events::sleep(thread, None, time)),
            }
            time.awake(thread);
        }
        Kernel::Events(wanted, until) => {
            match events::ready(wanted, spes, board, time)? {
                Some(ready) => caller.value = ready.to_word(),
                None if until.is_some_and(|until| until <= time.now()) => caller.value = 0,
                None => return Ok(events::sleep(thread, until, time)),
            }
            time.awake(thread);
        }
    }
    ppe.threads[thread].kernel.pop_front();
    Ok(true)
}

/// Whether the other hardware thread is between the look at a mailbox and the access to it: the kernel lets one after
/// the other do so, or both would take one entry.
fn is_held(thread: usize, step: Kernel, ppe: &Ppe<'_>) -> bool {
    let mailboxes = |thread: usize| match ppe.threads[thread].core.state {
        State::Blocked(PpeOp::Syscall(
            Syscall::InMboxWrite(of, _) | Syscall::OutMboxRead(of) | Syscall::OutIntrMboxRead(of),
        )) => Some(of),
        _ => None,
    };
    let is_within = |other: &PpeThread<'_>| {
        other.loading || matches!(other.kernel.front(), Some(Kernel::LoadIf(..) | Kernel::StoreIf(..)))
    };
    let own = mailboxes(thread);
    let mut others = (0..).zip(&ppe.threads).filter(|(number, _)| *number != thread);
    matches!(step, Kernel::Load(_))
        && own.is_some()
        && others.any(|(number, other)| mailboxes(number) == own && is_within(other))
}

/// A thread has stopped: the PPE may be waiting for that.
pub(crate) fn thread_stopped(id: SpeId, board: &Board, time: &mut Time, ppe: &Ppe<'_>) {
    time.interrupt(ALL_THREADS);
    let joins =
        |step: Option<&Kernel>| matches!(step, Some(Kernel::Join(thread)) if board.placement.spe(*thread) == id);
    if ppe.threads.iter().any(|thread| joins(thread.kernel.front())) {
        time.wake(Unit::Ppe, time.now());
    }
}
