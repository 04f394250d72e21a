//! End of threads and of the process.

use crate::errno::Errno;
use crate::kernel::End;
use crate::request::{Answer, NotDone};
use crate::syscalls::caller::{Caller, SystemCall};
use crate::tid::Tid;

/// Table rows of the exit calls.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(1, "exit", 1, exit),
    SystemCall::new(234, "exit_group", 1, exit_group),
    SystemCall::new(299, "get_robust_list", 3, get_robust_list),
    SystemCall::new(300, "set_robust_list", 2, set_robust_list),
];

/// Numbers in the list head for robust futexes.
const ROBUST_HEAD: u32 = 3;

fn exit(caller: &mut Caller<'_>) -> Answer {
    let status = caller.argument(0) as u8;
    caller.kernel.end_thread(caller.hardware, caller.tid);
    if caller.kernel.scheduler.threads.is_empty() {
        caller.kernel.end(caller.hardware, End::Exited(status));
    }
    Err(NotDone::Settled)
}

fn exit_group(caller: &mut Caller<'_>) -> Answer {
    let status = caller.argument(0) as u8;
    caller.kernel.end(caller.hardware, End::Exited(status));
    Err(NotDone::Settled)
}

fn set_robust_list(caller: &mut Caller<'_>) -> Answer {
    let [head, bytes, ..] = caller.request.arguments;
    if bytes != ROBUST_HEAD * caller.width().bytes() {
        return Err(Errno::EINVAL.into());
    }
    caller.thread()?.robust_list = head;
    Ok(0)
}

fn get_robust_list(caller: &mut Caller<'_>) -> Answer {
    let [tid, head, bytes, ..] = caller.request.arguments;
    let tid = if tid == 0 { caller.tid } else { Tid(tid) };
    let list = caller.kernel.scheduler.threads.get(&tid).ok_or(Errno::ESRCH)?.robust_list;
    let (list, size) = (caller.hardware.effective(list), ROBUST_HEAD * caller.width().bytes());
    caller.hardware.put_longs(head, &[list])?;
    caller.hardware.put_longs(bytes, &[size.into()])?;
    Ok(0)
}
