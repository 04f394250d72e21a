//! `spu_run`.

use crate::errno::Errno;
use crate::request::Answer;
use crate::spufs::files::Node;
use crate::spufs::run::{begin, end, give_up};
use crate::syscalls::caller::Caller;
use std::rc::Rc;

/// Progress of a call.
const WANTS_SPE: u32 = 0;
const STARTED: u32 = 1;

/// `int spu_run(int fd, uint32_t *npc, uint32_t *event)`: returns `SPU_Status` after the stop.
pub fn spu_run(caller: &mut Caller<'_>) -> Answer {
    let [descriptor, npc, event, ..] = caller.request.arguments;
    let Node::Context(number) = caller.spufs_node(descriptor)? else { return Err(Errno::EINVAL.into()) };
    let spufs = Rc::clone(&caller.kernel.spufs);
    let spufs = &mut *spufs.borrow_mut();
    if caller.request.progress == WANTS_SPE {
        let at = caller.hardware.word(npc)?;
        let (tid, interrupted) = (caller.tid, caller.request.interrupted);
        if let Err(wait) = begin(number, at, tid, spufs, &mut caller.context()) {
            if interrupted {
                give_up(number, tid, spufs, &mut caller.context());
            }
            return Err(wait);
        }
        caller.request.progress = STARTED;
    }
    let status = match end(number, spufs, &mut caller.context())? {
        Ok(status) => status,
        Err((info, line)) => {
            caller.kernel.force(caller.tid, info, line);
            return Err(Errno::EINTR.into());
        }
    };
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    caller.hardware.put_word(npc, context.npc)?;
    if event != 0 {
        caller.hardware.put_word(event, context.events)?;
    }
    context.events = 0;
    Ok(status)
}
