//! The end of threads, and of the process.

use super::robust;
use crate::linux::call::{Caller, SystemCall};
use crate::linux::errno::Errno;
use crate::linux::hardware::Hardware;
use crate::linux::kernel::{End, Kernel};
use crate::linux::request::{Answer, NotDone};
use crate::linux::thread::Tid;

/// The rows of this family.
pub const CALLS: &[SystemCall] = &[
    SystemCall::new(1, "exit", 1, exit),
    SystemCall::new(234, "exit_group", 1, exit_group),
    SystemCall::new(299, "get_robust_list", 3, get_robust_list),
    SystemCall::new(300, "set_robust_list", 2, set_robust_list),
];

/// Size of the head of a list of robust futexes.
const ROBUST_HEAD_BYTES: u32 = 12;

fn exit(caller: &mut Caller<'_>) -> Answer {
    let status = caller.argument(0) as u8;
    caller.kernel.end_thread(caller.hardware, caller.tid);
    if caller.kernel.threads.is_empty() {
        caller.kernel.end(caller.hardware, End::Exited(status));
    }
    Err(NotDone::Settled)
}

fn exit_group(caller: &mut Caller<'_>) -> Answer {
    let status = caller.argument(0) as u8;
    caller.kernel.end(caller.hardware, End::Exited(status));
    Err(NotDone::Settled)
}

impl Kernel {
    /// Ends a thread: whoever joins it learns that, and whoever waits for its locks.
    pub fn end_thread(&mut self, hardware: &mut dyn Hardware, tid: Tid) {
        let Some(thread) = self.threads.get(&tid) else { return };
        let (list, address) = (thread.robust_list, thread.clear_child_tid);
        // Bad addresses are the program's own loss here.
        let _ = robust::release(self, hardware, tid, list);
        if address != 0 && hardware.put_word(address, 0).is_ok() {
            self.futexes.wake(&mut self.wakes, address, 1, u32::MAX);
        }
        self.futexes.forget(tid);
        self.forget_thread(tid);
    }

    /// Ends the process: files get back what they have mapped, and both hardware threads hear of it.
    pub fn end(&mut self, hardware: &mut dyn Hardware, how: End) {
        if self.end.is_some() {
            return;
        }
        self.end = Some(how);
        self.space.write_back(hardware, &(0..u32::MAX));
        self.wake_all_places(hardware);
    }
}

fn set_robust_list(caller: &mut Caller<'_>) -> Answer {
    let [head, bytes, ..] = caller.request.arguments;
    if bytes != ROBUST_HEAD_BYTES {
        return Err(Errno::EINVAL.into());
    }
    caller.thread()?.robust_list = head;
    Ok(0)
}

fn get_robust_list(caller: &mut Caller<'_>) -> Answer {
    let [tid, head, bytes, ..] = caller.request.arguments;
    let tid = if tid == 0 { caller.tid } else { Tid(tid) };
    let list = caller.kernel.threads.get(&tid).ok_or(Errno::ESRCH)?.robust_list;
    caller.hardware.put_word(head, list)?;
    caller.hardware.put_word(bytes, ROBUST_HEAD_BYTES)?;
    Ok(0)
}
