//! System calls made: from a thread's registers to the table, and from an attempt back to its registers.

use super::call::Caller;
use super::errno::Errno;
use super::hardware::Hardware;
use super::kernel::Kernel;
use super::names;
use super::request::{Answer, NotDone, Request};
use super::signals::action::{Fate, flag};
use super::table;
use super::thread::Tid;
use super::wait::{Nanos, Restart};

impl Kernel {
    /// What the system call costs that a thread makes.
    pub fn cost_of_call(&mut self, hardware: &mut dyn Hardware, tid: Tid) -> Nanos {
        let Some(thread) = self.threads.get(&tid) else { return 0 };
        let request = Request::of(&thread.cpu);
        match table::row(request.number) {
            Some(call) => (call.cost)(&Caller { kernel: self, hardware, tid, request }),
            None => self.costs.system_call_ns,
        }
    }

    /// Makes the call of a thread, which stands behind its `sc`, or attempts it again.
    ///
    /// # Errors
    /// The run ends, with this line.
    pub fn make_call(&mut self, hardware: &mut dyn Hardware, tid: Tid) -> Result<(), String> {
        let signal = self.next_action(tid);
        let Some(thread) = self.threads.get_mut(&tid) else { return Ok(()) };
        let mut request = match thread.request.take() {
            Some(request) => request,
            None => {
                let request = Request::of(&thread.cpu);
                *self.calls_made.entry(request.number).or_default() += 1;
                request
            }
        };
        request.interrupted = signal.is_some();
        let (mut answer, mut request) = self.attempt(hardware, tid, request);
        // The call itself may have let signals through.
        let signal = signal.or_else(|| self.next_action(tid));
        if signal.is_some() && !request.interrupted && matches!(answer, Err(NotDone::Waits(_))) {
            request.interrupted = true;
            (answer, request) = self.attempt(hardware, tid, request);
        }
        if let Some(log) = self.log {
            log(&self.call_as_text(tid, &request, &answer));
        }
        self.settle_call(tid, answer, request, signal)?;
        self.settle(hardware);
        Ok(())
    }

    /// A call and its answer, for people.
    fn call_as_text(&self, tid: Tid, request: &Request, answer: &Answer) -> String {
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

    /// What an attempt leaves in the thread's registers.
    fn settle_call(&mut self, tid: Tid, answer: Answer, request: Request, signal: Option<Fate>) -> Result<(), String> {
        let Some(thread) = self.threads.get_mut(&tid) else { return Ok(()) };
        match (answer, signal) {
            (Ok(value), _) => thread.returns(value),
            (Err(NotDone::Failed(errno)), _) => thread.fails(errno),
            (Err(NotDone::Settled), _) => return Ok(()),
            (Err(NotDone::Broken(line)), _) => return Err(line),
            (Err(NotDone::Waits(wait)), None) => {
                thread.request = Some(request);
                self.sleep(tid, wait);
                return Ok(());
            }
            (Err(NotDone::Waits(wait)), Some(signal)) => {
                let handler_says = matches!(signal, Fate::Handled(action) if action.flags & flag::RESTART != 0);
                if wait.restart == Restart::AsAsked && handler_says {
                    thread.makes_again(&request);
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

    /// Attempts a call of a thread; gives the request back as the attempt left it.
    fn attempt(&mut self, hardware: &mut dyn Hardware, tid: Tid, request: Request) -> (Answer, Request) {
        let Some(call) = table::row(request.number) else {
            return (self.missing(&request), request);
        };
        let mut caller = Caller { kernel: self, hardware, tid, request };
        let answer = (call.attempt)(&mut caller);
        caller.request.attempts += 1;
        (answer, caller.request)
    }

    /// A call that the table does not have.
    fn missing(&self, request: &Request) -> Answer {
        let number = request.number;
        match names::name(number) {
            Some(name) if table::EXPECTED_ENOSYS.contains(&name) => Err(Errno::ENOSYS.into()),
            Some(name) => Err(NotDone::Broken(format!("the system call {name} ({number}) is not there"))),
            None => Err(NotDone::Broken(format!("there is no system call {number}"))),
        }
    }
}
