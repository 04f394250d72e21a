//! Dispatch of system calls: finds the table row of a thread's call, and stores the result in the thread's registers.

use super::caller::Caller;
use super::table;
use crate::errno::Errno;
use crate::hardware::Hardware;
use crate::kernel::Kernel;
use crate::names;
use crate::request::{Answer, NotDone, Request};
use crate::signals::action::{Fate, flag};
use crate::threads::deliver::next_fate;
use crate::threads::scheduler::Scheduler;
use crate::tid::Tid;
use crate::wait::{Nanos, Restart};

/// Cost of the system call that a thread is about to make.
pub fn cost_of_call(kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) -> Nanos {
    let Some(thread) = kernel.scheduler.threads.get(&tid) else { return 0 };
    let request = Request::of(&thread.cpu, hardware);
    match table::row(request.number) {
        Some(call) => (call.cost)(&Caller { kernel, hardware, tid, request }),
        None => kernel.costs.system_call_ns,
    }
}

/// Makes the system call of a thread that has just executed `sc`, or attempts a waiting call again.
///
/// # Errors
/// The simulation cannot continue, and ends with this message.
pub fn make_call(kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid) -> Result<(), String> {
    let signal = next_fate(&mut kernel.signals, &mut kernel.scheduler.threads, tid);
    let Some(thread) = kernel.scheduler.threads.get_mut(&tid) else { return Ok(()) };
    let mut request = match thread.request.take() {
        Some(request) => request,
        None => {
            let request = Request::of(&thread.cpu, hardware);
            *kernel.calls_made.entry(request.number).or_default() += 1;
            request
        }
    };
    request.interrupted = signal.is_some();
    let (mut answer, mut request) = attempt(kernel, hardware, tid, request);
    // The system call may have unblocked signals.
    let signal = signal.or_else(|| next_fate(&mut kernel.signals, &mut kernel.scheduler.threads, tid));
    if signal.is_some() && !request.interrupted && matches!(answer, Err(NotDone::Waits(_))) {
        request.interrupted = true;
        (answer, request) = attempt(kernel, hardware, tid, request);
    }
    if let Some(log) = kernel.log {
        log(&call_as_text(tid, &request, &answer));
    }
    settle(&mut kernel.scheduler, tid, answer, request, signal)?;
    kernel.scheduler.wake(hardware, &mut kernel.wakes);
    Ok(())
}

/// Human-readable text for a system call and its result.
fn call_as_text(tid: Tid, request: &Request, answer: &Answer) -> String {
    let number = request.number;
    let name = names::name(number).map_or(format!("call {number}"), str::to_string);
    let count = table::row(number).map_or(request.arguments.len(), |call| call.arguments);
    let arguments: Vec<String> = request.arguments.iter().take(count).map(|n| format!("{n:#x}")).collect();
    let answer = match answer {
        Ok(value) => format!("{value:#x}"),
        Err(why) => format!("{why:?}"),
    };
    format!("{} {name}({}) = {answer}", tid.0, arguments.join(", "))
}

/// Stores the result of an attempt in the thread's registers, or puts the thread to sleep.
fn settle(
    scheduler: &mut Scheduler,
    tid: Tid,
    answer: Answer,
    request: Request,
    signal: Option<Fate>,
) -> Result<(), String> {
    let Some(thread) = scheduler.threads.get_mut(&tid) else { return Ok(()) };
    match (answer, signal) {
        (Ok(value), _) => thread.returns(u64::from(request.upper) << 32 | u64::from(value)),
        (Err(NotDone::Failed(errno)), _) => thread.fails(errno),
        (Err(NotDone::Settled), _) => return Ok(()),
        (Err(NotDone::Broken(line)), _) => return Err(line),
        (Err(NotDone::Waits(wait)), None) => {
            thread.request = Some(request);
            scheduler.sleep(tid, wait);
            return Ok(());
        }
        (Err(NotDone::Waits(wait)), Some(signal)) => {
            let handler_restarts = matches!(signal, Fate::Handled(action) if action.flags & flag::RESTART != 0);
            if wait.restart == Restart::AsAsked && handler_restarts {
                thread.restarts(&request);
            } else {
                thread.fails(Errno::EINTR);
            }
            return Ok(());
        }
    }
    if let Some(mask) = thread.signals.saved_mask.take() {
        thread.signals.mask = mask;
    }
    Ok(())
}

/// Attempts a system call. Returns the result and the updated request.
fn attempt(kernel: &mut Kernel, hardware: &mut dyn Hardware, tid: Tid, request: Request) -> (Answer, Request) {
    let Some(call) = table::row(request.number) else {
        return (missing(&request), request);
    };
    let mut caller = Caller { kernel, hardware, tid, request };
    let answer = (call.attempt)(&mut caller);
    caller.request.attempts += 1;
    (answer, caller.request)
}

/// Result of a system call that is not in the table.
fn missing(request: &Request) -> Answer {
    let number = request.number;
    match names::name(number) {
        Some(name) if table::EXPECTED_ENOSYS.contains(&name) => Err(Errno::ENOSYS.into()),
        Some(name) => Err(NotDone::Broken(format!("the system call {name} ({number}) is not there"))),
        None => Err(NotDone::Broken(format!("there is no system call {number}"))),
    }
}
