//! Programs written as `async fn`.
//!
//! A *question* is an operation that a program asks the machine to perform, and the *answer* is the operation's result.
//! A future puts its question into a slot that it shares with its driver, and stays pending. The driver puts the
//! answer into the slot and polls the future again. There is no executor, no waker and no thread: the machine decides
//! when to answer.
//!
//! A future may put several questions into the slot at once if no question depends on an earlier answer. For example,
//! a DMA command consists of six channel writes. The driver passes the questions to the machine one by one, and polls
//! the future only after the last answer.

use crate::channel::Channel;
use crate::door::{Op, PpeProgram, PpeStep, PpeTurn, Program, Step, Supervisor, Turn};
use crate::store::LocalStore;
use crate::units::SpuCycles;
use std::cell::{Cell, RefCell, RefMut};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Maximum number of questions in a slot: the six channel writes of a DMA command.
const QUESTIONS_MAX: usize = 6;

/// State shared by a future and its driver: the questions, then the answer to the last question.
struct Slot<Q, A> {
    /// Questions in reverse order: the next question is at index `left - 1`.
    questions: [Cell<Option<Q>>; QUESTIONS_MAX],
    left: Cell<usize>,
    answer: Cell<Option<A>>,
}

/// A future that asks one question after another. The output of the future is the answer to the last question.
struct Asking<'s, Q, A, F> {
    slot: &'s Slot<Q, A>,
    /// Closure that creates the questions. The values that it captures are smaller than the questions.
    questions: Option<F>,
}

impl<Q: Copy, A: Copy, F: FnOnce() -> [Q; N] + Unpin, const N: usize> Future for Asking<'_, Q, A, F> {
    type Output = A;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<A> {
        if let Some(questions) = self.questions.take() {
            const { assert!(N <= QUESTIONS_MAX) };
            for (entry, question) in self.slot.questions.iter().zip(questions().into_iter().rev()) {
                entry.set(Some(question));
            }
            self.slot.left.set(N);
            return Poll::Pending;
        }
        match self.slot.answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        }
    }
}

type Body = Pin<Box<dyn Future<Output = u32>>>;

impl<Q: Copy, A: Copy> Slot<Q, A> {
    fn new() -> Rc<Self> {
        Rc::new(Slot { questions: Default::default(), left: Cell::new(0), answer: Cell::new(None) })
    }

    fn ask<const N: usize>(&self, questions: impl FnOnce() -> [Q; N] + Unpin) -> impl Future<Output = A> {
        Asking { slot: self, questions: Some(questions) }
    }

    /// Takes the next question, if one is left.
    #[inline]
    fn next_question(&self) -> Option<Q> {
        self.take_if(Some)
    }

    /// Takes the next question, if one is left and `wanted` accepts it.
    #[inline]
    fn take_if<W>(&self, wanted: impl FnOnce(Q) -> Option<W>) -> Option<W> {
        let left = self.left.get().checked_sub(1)?;
        let taken = wanted(self.questions.get(left)?.get()?)?;
        self.left.set(left);
        Some(taken)
    }

    /// Polls `body` with an answer. Returns the next question, or the stop code.
    fn drive(&self, body: &mut Body, answer: A) -> Result<Result<Q, u32>, String> {
        self.answer.set(Some(answer));
        match body.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(code) => Ok(Err(code)),
            Poll::Pending => match self.next_question() {
                Some(question) => Ok(Ok(question)),
                None => Err("the program awaited something that is not its machine".to_string()),
            },
        }
    }
}

/// An SPU program's handle to its machine. The functions with familiar names are in [`crate::spu_mfcio`].
#[derive(Clone)]
pub struct Spu {
    slot: Rc<Slot<Step, u32>>,
    local_store: Rc<RefCell<LocalStore>>,
    /// Tags that the program has reserved, as a bit mask.
    tags_taken: Rc<Cell<u32>>,
    /// Number of iterations in a tour of the program's loop.
    tour: Rc<Cell<u32>>,
    /// The program's own time.
    time: Rc<Cell<SpuCycles>>,
    /// When the program's next commands were offered to the program.
    offered_at: Rc<Cell<Option<SpuCycles>>>,
}

impl Spu {
    /// Passes a step to the machine and waits for the answer.
    pub(crate) fn step(&self, step: Step) -> impl Future<Output = u32> {
        self.slot.ask(move || [step])
    }

    /// Asks several questions one after another, and returns the answer to the last question.
    pub(crate) fn ask_in_turn<const N: usize>(
        &self,
        ops: impl FnOnce() -> [Op; N] + Unpin,
    ) -> impl Future<Output = u32> {
        self.slot.ask(move || ops().map(Step::Ask))
    }

    /// Borrows the program's local store. The borrow must end before the next `await`.
    pub fn ls(&self) -> RefMut<'_, LocalStore> {
        self.local_store.borrow_mut()
    }

    /// Number of iterations in a tour of the program's loop.
    pub(crate) fn tour(&self) -> &Cell<u32> {
        &self.tour
    }

    /// The program's own time, in SPU cycles since the start of the run.
    pub fn time(&self) -> SpuCycles {
        self.time.get()
    }

    /// Sets the time from which the latencies of the following commands count ([`Program::offered_at`]).
    pub fn offered_at(&self, at: SpuCycles) {
        self.offered_at.set(Some(at));
    }

    /// The tags that the program has reserved, as a bit mask.
    pub(crate) fn tags_taken(&self) -> &Cell<u32> {
        &self.tags_taken
    }
}

/// Makes a [`Program`] from an `async` function.
pub fn spu_program<F>(main: impl FnOnce(Spu) -> F) -> Box<dyn Program>
where
    F: Future<Output = u32> + 'static,
{
    let tour = Rc::new(Cell::new(1));
    let (slot, local_store) = (Slot::new(), Rc::default());
    let spu =
        Spu { slot, local_store, tags_taken: Rc::default(), tour, time: Rc::default(), offered_at: Rc::default() };
    Box::new(SpuCoroutine { body: Box::pin(main(spu.clone())), spu, ended: false })
}

struct SpuCoroutine {
    body: Body,
    spu: Spu,
    ended: bool,
}

impl Program for SpuCoroutine {
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String> {
        if let Some(step) = self.spu.slot.next_question() {
            return Ok(step);
        }
        self.spu.time.set(turn.time);
        // The handle contains the local store only during the turn. Each swap exchanges a few words and copies no
        // stored bytes.
        std::mem::swap(&mut *self.spu.local_store.borrow_mut(), local_store);
        let outcome = self.spu.slot.drive(&mut self.body, turn.answer);
        std::mem::swap(&mut *self.spu.local_store.borrow_mut(), local_store);
        let outcome = outcome?;
        self.ended = outcome.is_err();
        Ok(outcome.unwrap_or_else(Step::Stop))
    }

    fn goes_on(&self) -> bool {
        !self.ended
    }

    fn tour(&self) -> u32 {
        self.spu.tour.get()
    }

    fn offered_at(&self) -> Option<SpuCycles> {
        self.spu.offered_at.get()
    }

    fn writes_anyway(&mut self) -> Option<(Channel, u32)> {
        self.spu.slot.take_if(|step| match step {
            Step::Ask(Op::Write(channel, value)) => Some((channel, value)),
            _ => None,
        })
    }
}

/// A PPE program's handle to its machine. The functions with familiar names are in `libspe`.
#[derive(Clone)]
pub struct Ppe {
    slot: Rc<Slot<PpeStep, u64>>,
}

impl Ppe {
    /// Passes a step to the machine and waits for the answer.
    pub(crate) fn step(&self, step: PpeStep) -> impl Future<Output = u64> {
        self.slot.ask(move || [step])
    }
}

/// Makes a [`PpeProgram`] from an `async` function.
pub fn ppe_program<F>(main: impl FnOnce(Ppe) -> F) -> Box<dyn PpeProgram>
where
    F: Future<Output = u32> + 'static,
{
    let ppe = Ppe { slot: Slot::new() };
    Box::new(PpeCoroutine { body: Box::pin(main(ppe.clone())), ppe })
}

struct PpeCoroutine {
    body: Body,
    ppe: Ppe,
}

impl PpeProgram for PpeCoroutine {
    fn resume(&mut self, turn: PpeTurn, _: &mut dyn Supervisor) -> Result<PpeStep, String> {
        Ok(self.ppe.slot.drive(&mut self.body, turn.answer)?.unwrap_or_else(PpeStep::Stop))
    }
}
