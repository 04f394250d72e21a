//! More programs of the PPE than it has hardware threads.
//!
//! They share the hardware threads, from one queue, in the order in which they are ready.  A program that waits, for a
//! thread to stop, for events or for proxy commands, gives its place to another one and costs nothing.
//!
//! MODEL: a program gives its place to the next one that is ready after everything that it asks, and the change takes
//! no time.  Linux lets a thread run for a slice of time, and changes within some microseconds.

use crate::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor, Syscall};
use crate::ppe::THREADS;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Programs for the hardware threads, which run all of these.
pub fn share<'p>(programs: Vec<Box<dyn PpeProgram + 'p>>) -> Vec<Box<dyn PpeProgram + 'p>> {
    if programs.len() <= THREADS {
        return programs;
    }
    let ready = (0..programs.len()).collect();
    let threads =
        programs.into_iter().map(|program| Thread { program, state: State::Ready(0), deadline: None }).collect();
    let pool = Rc::new(RefCell::new(Pool { threads, ready, asleep: Vec::new() }));
    let place = |place| Box::new(Place { place, pool: Rc::clone(&pool), current: None }) as Box<dyn PpeProgram>;
    (0..THREADS).map(place).collect()
}

/// A program, and where it stands.
struct Thread<'p> {
    program: Box<dyn PpeProgram + 'p>,
    state: State,
    /// When its wait for events ends, in ticks.
    deadline: Option<u64>,
}

#[derive(Clone, Copy)]
enum State {
    /// It has its answer.
    Ready(u64),
    /// It asks this, and does so on a hardware thread if it does not have to wait for it.
    Asking(PpeOp),
    Ended,
}

/// All programs.
struct Pool<'p> {
    threads: Vec<Thread<'p>>,
    /// Those that can go on, in their order.
    ready: VecDeque<usize>,
    /// Those that wait, in the order in which they began to.
    asleep: Vec<usize>,
}

/// A hardware thread.
struct Place<'p> {
    place: usize,
    pool: Rc<RefCell<Pool<'p>>>,
    /// The program whose question is being answered.
    current: Option<usize>,
}

impl Pool<'_> {
    /// A program's question was answered.
    fn answered(&mut self, number: usize, answer: u64, machine: &dyn Supervisor) {
        let thread = &mut self.threads[number];
        let again = match thread.state {
            // Somebody else was faster.
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

    /// Those whose waits are over are ready.
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

    /// The question of the next program that can go on.
    fn next(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<Option<(usize, PpeOp)>, String> {
        while let Some(number) = self.ready.pop_front() {
            let thread = &mut self.threads[number];
            if let State::Ready(answer) = thread.state {
                thread.state = match thread.program.resume(PpeTurn { answer, ..turn }, machine)? {
                    PpeStep::Ask(op) => State::Asking(op),
                    // What one of many does never repeats exactly.
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

    /// When the first wait ends by itself.
    fn deadline(&self) -> Option<u64> {
        self.asleep.iter().filter_map(|number| self.threads[*number].deadline).min()
    }

    fn all_ended(&self) -> bool {
        self.threads.iter().all(|thread| matches!(thread.state, State::Ended))
    }
}

impl PpeProgram for Place<'_> {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        let pool = &mut *self.pool.borrow_mut();
        if let Some(number) = self.current.take() {
            pool.answered(number, turn.answer, machine);
        }
        pool.wake(machine);
        let next = pool.next(turn, machine)?;
        let ended = pool.all_ended();
        if ended || !pool.ready.is_empty() {
            (0..THREADS).filter(|place| *place != self.place).for_each(|place| machine.interrupt(place));
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
        // Any of the hardware threads could go on with them; one says so.
        Some(if self.place == 0 { waiting.join(", ") } else { format!("PPE thread {} has no program", self.place) })
    }
}

/// Whether what a program asks would have to wait.
fn waits(thread: &Thread<'_>, machine: &mut dyn Supervisor) -> bool {
    let State::Asking(PpeOp::Syscall(call)) = thread.state else { return false };
    thread.deadline.is_none_or(|at| at > machine.time_base()) && machine.would_wait(call)
}

/// A question whose wait is over, so that it does not wait again.
fn at_once(op: PpeOp) -> PpeOp {
    match op {
        PpeOp::Syscall(Syscall::EventWait(wanted, _)) => PpeOp::Syscall(Syscall::EventWait(wanted, Some(0))),
        op => op,
    }
}

/// Ticks of the time base that are no fewer than so many nanoseconds.
fn ticks(ns: u64, machine: &dyn Supervisor) -> u64 {
    let ticks = (u128::from(ns) * u128::from(machine.machine().chip.timebase_hz)).div_ceil(1_000_000_000);
    u64::try_from(ticks).unwrap_or(u64::MAX)
}
