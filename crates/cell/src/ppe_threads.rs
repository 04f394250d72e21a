//! Runs more PPE programs than the PPEs have hardware threads.
//!
//! The programs share the hardware threads through one queue, in the order in which they become ready. A program that
//! waits (for an SPE thread to stop, for events or for proxy commands) yields its hardware thread to another program,
//! and takes no time while it waits.
//!
//! MODEL: a program yields to the next ready program after each of its operations, and the switch takes no time.
//! Linux, in contrast, runs a thread for a whole time slice, and a switch takes some microseconds.

use crate::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor, Syscall};
use crate::machine::Machine;
use crate::units::THREADS_PER_PPE;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Converts any number of programs into one program for each hardware thread of all PPEs. The resulting programs share
/// the work of running all given programs.
pub fn share<'p>(programs: Vec<Box<dyn PpeProgram + 'p>>, machine: &Machine) -> Vec<Box<dyn PpeProgram + 'p>> {
    let hardware_threads = THREADS_PER_PPE * machine.bif.chips as usize;
    if programs.len() <= hardware_threads {
        return programs;
    }
    let ready = (0..programs.len()).collect();
    let threads =
        programs.into_iter().map(|program| Thread { program, state: State::Ready(0), deadline: None }).collect();
    let pool = Rc::new(RefCell::new(Pool { threads, ready, asleep: Vec::new() }));
    let thread = |index| {
        Box::new(HardwareThread { index, hardware_threads, pool: Rc::clone(&pool), current: None })
            as Box<dyn PpeProgram>
    };
    (0..hardware_threads).map(thread).collect()
}

/// A program and its state.
struct Thread<'p> {
    program: Box<dyn PpeProgram + 'p>,
    state: State,
    /// End of the program's wait for events, in ticks of the time base.
    deadline: Option<u64>,
}

#[derive(Clone, Copy)]
enum State {
    /// The program has received the result of its last operation.
    Ready(u64),
    /// The program has requested this operation. A hardware thread executes the operation once the operation no longer
    /// has to wait.
    Asking(PpeOp),
    Ended,
}

/// All programs.
struct Pool<'p> {
    threads: Vec<Thread<'p>>,
    /// Programs that can continue, in the order in which they became ready.
    ready: VecDeque<usize>,
    /// Programs that wait, in the order in which they began to wait.
    asleep: Vec<usize>,
}

struct HardwareThread<'p> {
    index: usize,
    hardware_threads: usize,
    pool: Rc<RefCell<Pool<'p>>>,
    /// The program whose operation is in progress.
    current: Option<usize>,
}

impl Pool<'_> {
    /// Records the result of a program's operation.
    fn answered(&mut self, number: usize, answer: u64, machine: &dyn Supervisor) {
        let thread = &mut self.threads[number];
        let again = match thread.state {
            // Another program consumed the event first, so this program waits again.
            State::Asking(PpeOp::Syscall(Syscall::EventWait(..))) if answer == 0 => {
                thread.deadline.is_none_or(|at| at > machine.time_base())
            }
            _ => false,
        };
        if again {
            self.asleep.push(number);
            return;
        }
        (thread.state, thread.deadline) = (State::Ready(answer), None);
        self.ready.push_back(number);
    }

    /// Moves each program whose wait is over to the ready queue.
    fn wake(&mut self, machine: &mut dyn Supervisor) {
        let Pool { threads, ready, asleep } = self;
        asleep.retain(|number| {
            let waits = waits(&threads[*number], machine);
            if !waits {
                ready.push_back(*number);
            }
            waits
        });
    }

    /// Resumes the next ready program, and returns its number and its operation.
    fn next(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<Option<(usize, PpeOp)>, String> {
        while let Some(number) = self.ready.pop_front() {
            let thread = &mut self.threads[number];
            if let State::Ready(answer) = thread.state {
                thread.state = match thread.program.resume(PpeTurn { answer, ..turn }, machine)? {
                    PpeStep::Ask(op) => State::Asking(op),
                    // Marks are ignored, because programs that share hardware threads never repeat exactly.
                    PpeStep::Mark { .. } => State::Asking(PpeOp::Compute(0)),
                    PpeStep::Stop(_) => State::Ended,
                };
                if let State::Asking(PpeOp::Syscall(Syscall::EventWait(_, Some(ns)))) = thread.state {
                    thread.deadline = Some(machine.time_base().saturating_add(ticks(ns, machine)));
                }
            }
            match thread.state {
                State::Asking(_) if waits(thread, machine) => self.asleep.push(number),
                State::Asking(op) => return Ok(Some((number, at_once(op)))),
                State::Ready(_) | State::Ended => (),
            }
        }
        Ok(None)
    }

    /// Earliest end of a timed wait.
    fn deadline(&self) -> Option<u64> {
        self.asleep.iter().filter_map(|number| self.threads[*number].deadline).min()
    }

    fn all_ended(&self) -> bool {
        self.threads.iter().all(|thread| matches!(thread.state, State::Ended))
    }
}

impl PpeProgram for HardwareThread<'_> {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        let pool = &mut *self.pool.borrow_mut();
        if let Some(number) = self.current.take() {
            pool.answered(number, turn.answer, machine);
        }
        pool.wake(machine);
        let next = pool.next(turn, machine)?;
        let ended = pool.all_ended();
        if ended || !pool.ready.is_empty() {
            (0..self.hardware_threads).filter(|index| *index != self.index).for_each(|index| machine.interrupt(index));
        }
        Ok(match next {
            Some((number, op)) => {
                self.current = Some(number);
                PpeStep::Ask(op)
            }
            None if ended => PpeStep::Stop(0),
            None => PpeStep::Ask(PpeOp::Wait { until: pool.deadline() }),
        })
    }

    fn waits_for(&self) -> Option<String> {
        let pool = self.pool.try_borrow().ok()?;
        let what = |number: &usize| match pool.threads[*number].state {
            State::Asking(PpeOp::Syscall(Syscall::ThreadJoin(thread))) => {
                format!("PPE program {number} waits for thread {} to stop", thread.0)
            }
            State::Asking(PpeOp::Syscall(Syscall::MfcTagStatus(thread, ..))) => {
                format!("PPE program {number} waits for proxy commands of thread {}", thread.0)
            }
            _ => format!("PPE program {number} waits for events of threads"),
        };
        let waiting: Vec<String> = pool.asleep.iter().map(what).collect();
        // Each hardware thread could continue any waiting program; only the first hardware thread lists the waiting
        // programs.
        Some(if self.index == 0 { waiting.join(", ") } else { format!("PPE thread {} has no program", self.index) })
    }
}

/// Whether the operation that a program has requested would have to wait.
fn waits(thread: &Thread<'_>, machine: &mut dyn Supervisor) -> bool {
    let State::Asking(PpeOp::Syscall(call)) = thread.state else { return false };
    thread.deadline.is_none_or(|at| at > machine.time_base()) && machine.would_wait(call)
}

/// Returns an operation whose wait is over, changed so that the operation does not wait again.
fn at_once(op: PpeOp) -> PpeOp {
    match op {
        PpeOp::Syscall(Syscall::EventWait(wanted, _)) => PpeOp::Syscall(Syscall::EventWait(wanted, Some(0))),
        op => op,
    }
}

/// Converts nanoseconds to ticks of the time base, rounded up.
fn ticks(ns: u64, machine: &dyn Supervisor) -> u64 {
    let ticks = (u128::from(ns) * u128::from(machine.machine().chip.timebase_hz)).div_ceil(1_000_000_000);
    u64::try_from(ticks).unwrap_or(u64::MAX)
}
