//! The instructions of a turn: of a long one, or one by one under a debugger.

use super::floating::{self, Ended};
use super::machine::Machine;
use super::storage::Storage;
use super::view::View;
use crate::debug::Debugging;
use crate::kernel::Kernel;
use crate::threads::thread::Thread;
use crate::tid::Tid;
use crate::width::Width;
use ppu::core::Exit;
use ppu::memory::Memory;
use ppu::predecode::Code;

/// Cycles between two samples of a profile. The number is prime, so that the sampling does not resonate with a loop of
/// the program. A turn of a profiled program is not longer, and its end is a sample.
pub const SAMPLE_CYCLES: u64 = 1009;

/// Executes a thread's instructions, for `budget` cycles from `time`.
pub fn execute(
    tid: Tid,
    (time, budget): (u64, u64),
    kernel: &mut Kernel,
    hardware: &mut Machine<'_>,
    storage: &mut Storage,
) -> (u64, Ended) {
    let Some(thread) = kernel.scheduler.threads.get_mut(&tid) else { return (0, Ended::By(Exit::Budget)) };
    let (supervisor, code) = (&mut *hardware.supervisor, &mut *hardware.code);
    match hardware.width {
        Width::Narrow => execute_as(thread, &mut View::<false>::new(supervisor, storage, time), code, budget),
        Width::Wide => execute_as(thread, &mut View::<true>::new(supervisor, storage, time), code, budget),
    }
}

/// Executes a thread's instructions one by one, and lets the debugger stop before each of them. The instructions take
/// the same time as by [`execute`].
pub fn step(
    tid: Tid,
    (time, budget): (u64, u64),
    kernel: &mut Kernel,
    hardware: &mut Machine<'_>,
    storage: &mut Storage,
    debugging: &mut Debugging,
) -> (u64, Ended) {
    let mut spent = 0;
    loop {
        if debugging.before(kernel, hardware, tid) {
            return (spent, Ended::By(Exit::Budget));
        }
        let Some(thread) = kernel.scheduler.threads.get_mut(&tid) else { return (spent, Ended::By(Exit::Budget)) };
        let (supervisor, code) = (&mut *hardware.supervisor, &mut *hardware.code);
        let executed_before = code.instructions;
        let (took, ended) = match hardware.width {
            Width::Narrow => step_as(thread, &mut View::<false>::new(supervisor, storage, time + spent), code),
            Width::Wide => step_as(thread, &mut View::<true>::new(supervisor, storage, time + spent), code),
        };
        spent += took;
        debugging.completed += hardware.code.instructions - executed_before;
        if matches!(ended, Ended::By(Exit::Budget | Exit::SystemCall)) {
            debugging.executed(tid);
        }
        if spent >= budget || ended != Ended::By(Exit::Budget) {
            return (spent, ended);
        }
    }
}

fn step_as<M: Memory>(thread: &mut Thread, memory: &mut M, code: &mut Code) -> (u64, Ended) {
    match thread.float_exceptions {
        0 => plain(thread.cpu.step(memory, code)),
        _ => floating::run(&mut thread.cpu, memory, code, 1),
    }
}

/// Result of a turn of a thread that has not enabled floating-point exceptions.
fn plain((spent, exit): (u64, Exit)) -> (u64, Ended) {
    (spent, Ended::By(exit))
}

fn execute_as<M: Memory>(thread: &mut Thread, memory: &mut M, code: &mut Code, budget: u64) -> (u64, Ended) {
    match thread.float_exceptions {
        0 => plain(thread.cpu.run(memory, code, budget)),
        _ => floating::run(&mut thread.cpu, memory, code, budget),
    }
}
