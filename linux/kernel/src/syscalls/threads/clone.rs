//! Creation of threads.
//!
//! MODEL: there are no other processes. `fork` and its variants end the run with a message.

use crate::errno::Errno;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::threads::thread::Thread;
use crate::tid::Tid;

/// Table rows of the calls that create threads.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(2, "fork", 0, |_| no_process("fork")),
    SystemCall::new(7, "waitpid", 3, |_| no_child()),
    SystemCall::new(11, "execve", 3, |_| no_process("execve")),
    SystemCall::new(114, "wait4", 4, |_| no_child()),
    SystemCall::new(120, "clone", 5, clone).costing(|caller| caller.kernel.costs.clone_ns),
    SystemCall::new(189, "vfork", 0, |_| no_process("vfork")),
    SystemCall::new(207, "gettid", 0, |caller| Ok(caller.tid.0)),
    SystemCall::new(232, "set_tid_address", 1, set_tid_address),
    SystemCall::new(272, "waitid", 5, |_| no_child()),
    SystemCall::new(362, "execveat", 5, |_| no_process("execveat")),
];

/// Flags of `clone`.
const VM: u32 = 0x100;
const SIGHAND: u32 = 0x800;
const THREAD: u32 = 0x1_0000;
const SETTLS: u32 = 0x8_0000;
const PARENT_SETTID: u32 = 0x10_0000;
const CHILD_CLEARTID: u32 = 0x20_0000;
const CHILD_SETTID: u32 = 0x100_0000;

/// Maximum number of threads of a process.
const THREADS: usize = 4096;

fn no_process(name: &str) -> Answer {
    let line = format!("the program starts another process ({name}); only threads of one process are simulated");
    Err(NotDone::Broken(line))
}

fn no_child() -> Answer {
    Err(Errno::ECHILD.into())
}

fn clone(caller: &mut Caller<'_>) -> Answer {
    // The thread pointer is in r2, and in r13 in a 64-bit process.
    let [flags, stack, parent_tid, tls, child_tid, ..] = caller.request.arguments;
    if flags & (VM | SIGHAND | THREAD) != VM | SIGHAND | THREAD {
        return no_process("clone");
    }
    if caller.kernel.scheduler.threads.len() >= THREADS {
        return Err(Errno::EAGAIN.into());
    }
    let tid = caller.kernel.scheduler.new_tid();
    for (flag, address) in [(PARENT_SETTID, parent_tid), (CHILD_SETTID, child_tid)] {
        if flags & flag != 0 {
            caller.hardware.put_word(address, tid.0)?;
        }
    }
    let (mut thread, width) = (child(caller, tid)?, caller.width());
    if stack != 0 {
        thread.cpu.set_doubleword(1, width.pick(stack.into(), caller.request.longs[1]));
    }
    if flags & SETTLS != 0 {
        thread.cpu.set_doubleword(width.pick(2, 13), width.pick(tls.into(), caller.request.longs[3]));
    }
    if flags & CHILD_CLEARTID != 0 {
        thread.clear_child_tid = child_tid;
    }
    caller.kernel.scheduler.threads.insert(tid, thread);
    caller.kernel.scheduler.make_ready(caller.hardware, tid);
    Ok(tid.0)
}

/// A copy of the calling thread, in which `clone` returns 0.
fn child(caller: &mut Caller<'_>, tid: Tid) -> Result<Thread, NotDone> {
    let own = caller.kernel.wakes.new_queue();
    let parent = caller.thread()?;
    let mut thread = Thread::new(tid, parent.cpu.clone(), own);
    (thread.affinity, thread.ppe) = (parent.affinity, parent.ppe);
    thread.name = parent.name;
    thread.float_exceptions = parent.float_exceptions;
    thread.signals.mask = parent.signals.mask;
    thread.returns(0);
    Ok(thread)
}

fn set_tid_address(caller: &mut Caller<'_>) -> Answer {
    let address = caller.argument(0);
    caller.thread()?.clear_child_tid = address;
    Ok(caller.tid.0)
}
