//! What the host computer answered, so that a program can run again as it ran before.
//!
//! Everything that a run learns of the host computer, and everything that it changes there, goes through a [`Host`] or
//! through [`Recorded`] streams. While a debugger may want to go back, their answers are recorded. A second run gets
//! the recorded answers in the same order, and the host computer is not asked: nothing is written twice, and input is
//! read only once. After the last recorded answer, the host computer is asked again.

use super::ioctl::Window;
use super::streams::Streams;
use crate::errno::Errno;
use crate::vfs::object::Refusal;
use ::files::{File, Place};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of bytes that are recorded.
const BYTES_MAX: usize = 256 << 20;
/// Maximum number of recorded answers that hold a file of the host computer open. A process may usually have 1024.
const FILES_MAX: usize = 512;
/// Number of bytes that each answer counts, in addition to what was read.
const ANSWER_BYTES: usize = 256;

/// An answer that can be recorded.
pub trait Answer: Clone + 'static {
    /// The answer of a host computer that must not be asked.
    fn refused() -> Self;
}

impl<T: Clone + 'static> Answer for Result<T, ::files::Errno> {
    fn refused() -> Self {
        Err(::files::Errno::EIO)
    }
}

impl<T: Clone + 'static> Answer for Result<T, Refusal> {
    fn refused() -> Self {
        Err(Errno::EIO.into())
    }
}

impl Answer for Option<Window> {
    fn refused() -> Self {
        None
    }
}

/// Whether answers are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Mode {
    /// The host computer is asked, and nothing is recorded.
    #[default]
    Live,
    /// Answers are recorded, and given again after [`Answers::rewind`].
    Recording,
    /// The host computer is no longer asked.
    Closed,
}

/// The answers of the host computer, in order.
#[derive(Default)]
pub struct Answers(RefCell<Record>);

#[derive(Default)]
struct Record {
    mode: Mode,
    given: Vec<Box<dyn Any>>,
    /// Number of recorded answers that this run has got.
    used: usize,
    bytes: usize,
    /// Number of recorded answers that hold a file open.
    files: usize,
}

impl Answers {
    /// Answers that are recorded from now on.
    pub fn recording() -> Rc<Answers> {
        Rc::new(Answers(RefCell::new(Record { mode: Mode::Recording, ..Record::default() })))
    }

    /// Whether a second run would get all answers again.
    pub fn are_complete(&self) -> bool {
        self.0.borrow().mode == Mode::Recording
    }

    /// A second run begins.
    pub fn rewind(&self) {
        self.0.borrow_mut().used = 0;
    }

    /// There will be no further run. This one gets what is left of the answers.
    pub fn finish(&self) {
        let record = &mut *self.0.borrow_mut();
        match record.used < record.given.len() {
            true => record.mode = Mode::Live,
            false => *record = Record::default(),
        }
    }

    /// From now on, the host computer is neither asked nor changed.
    pub fn close(&self) {
        *self.0.borrow_mut() = Record { mode: Mode::Closed, ..Record::default() };
    }

    /// The recorded answer to a question, or else the host computer's. `bytes` is what counts of an answer's size.
    fn answer<R: Answer>(&self, ask: impl FnOnce() -> R, bytes: impl FnOnce(&R) -> usize) -> R {
        if let Some(answer) = self.recorded() {
            return answer;
        }
        let answer = ask();
        self.record(&answer, bytes(&answer));
        answer
    }

    fn recorded<R: Answer>(&self) -> Option<R> {
        let record = &mut *self.0.borrow_mut();
        if record.mode == Mode::Closed {
            return Some(R::refused());
        }
        let answer = record.given.get(record.used)?;
        record.used += 1;
        // An answer to another question cannot come, because runs repeat exactly.
        Some(answer.downcast_ref::<R>().cloned().unwrap_or_else(R::refused))
    }

    fn record<R: Answer>(&self, answer: &R, bytes: usize) {
        let record = &mut *self.0.borrow_mut();
        if record.mode != Mode::Recording {
            return;
        }
        record.bytes = record.bytes.saturating_add(bytes).saturating_add(ANSWER_BYTES);
        record.files += usize::from(holds_a_file(answer));
        if record.bytes > BYTES_MAX || record.files > FILES_MAX {
            *record = Record::default();
            return;
        }
        record.given.push(Box::new(answer.clone()));
        record.used += 1;
    }
}

/// Whether an answer is an open file, or a location, which holds its directory open.
fn holds_a_file(answer: &dyn Any) -> bool {
    let opened: Option<&Result<Option<Rc<File>>, ::files::Errno>> = answer.downcast_ref();
    let found: Option<&Result<Place, ::files::Errno>> = answer.downcast_ref();
    matches!(opened, Some(Ok(Some(_)))) || matches!(found, Some(Ok(Place::Here(_))))
}

/// Something on the host computer.
pub struct Host<T> {
    it: Rc<T>,
    answers: Rc<Answers>,
}

impl<T> Clone for Host<T> {
    fn clone(&self) -> Host<T> {
        self.with(Rc::clone(&self.it))
    }
}

impl<T> Host<T> {
    /// Something on the host computer, whose answers belong to these.
    pub fn new(it: T, answers: &Rc<Answers>) -> Host<T> {
        Host { it: Rc::new(it), answers: Rc::clone(answers) }
    }

    /// Something else that was found by this.
    pub fn with<U>(&self, it: Rc<U>) -> Host<U> {
        Host { it, answers: Rc::clone(&self.answers) }
    }

    /// What is known without a question. Questions that are no part of the simulation may be asked here, too: their
    /// answers must not reach the program.
    pub fn known(&self) -> &T {
        &self.it
    }

    /// The answers to which this one's belong.
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Asks or changes it.
    pub fn ask<R: Answer>(&self, question: impl FnOnce(&T) -> R) -> R {
        self.answers.answer(|| question(&self.it), |_| 0)
    }

    /// Reads many items from it.
    ///
    /// # Errors
    /// As the question.
    pub fn read<I: Clone + 'static>(
        &self,
        question: impl FnOnce(&T) -> Result<Vec<I>, ::files::Errno>,
    ) -> Result<Vec<I>, ::files::Errno> {
        let bytes = |items: &Result<Vec<I>, _>| items.as_ref().map_or(0, |items| items.len() * size_of::<I>());
        self.answers.answer(|| question(&self.it), bytes)
    }
}

/// Standard streams whose answers are recorded.
pub struct Recorded {
    streams: Rc<RefCell<dyn Streams>>,
    answers: Rc<Answers>,
}

impl Recorded {
    /// These streams, whose answers belong to these.
    pub fn new(streams: &Rc<RefCell<dyn Streams>>, answers: &Rc<Answers>) -> Recorded {
        Recorded { streams: Rc::clone(streams), answers: Rc::clone(answers) }
    }
}

impl Streams for Recorded {
    fn read(&mut self, bytes: usize) -> Result<Vec<u8>, Refusal> {
        let read = || self.streams.borrow_mut().read(bytes);
        self.answers.answer(read, |bytes| bytes.as_ref().map_or(0, Vec::len))
    }

    fn write(&mut self, stream: u32, bytes: &[u8]) -> Result<(), Refusal> {
        self.answers.answer(|| self.streams.borrow_mut().write(stream, bytes), |_| 0)
    }

    fn terminal(&self, stream: u32) -> Option<Window> {
        self.answers.answer(|| self.streams.borrow().terminal(stream), |_| 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::files::{Directory, Last, Reach};
    use std::cell::Cell;

    type Number = Result<usize, ::files::Errno>;

    fn counter(answers: &Rc<Answers>) -> Host<Cell<usize>> {
        Host::new(Cell::new(0), answers)
    }

    fn next(count: &Cell<usize>) -> Number {
        count.set(count.get() + 1);
        Ok(count.get())
    }

    #[test]
    fn a_second_run_gets_the_same_answers_and_asks_only_behind_them() {
        let answers = Answers::recording();
        let host = counter(&answers);
        assert_eq!([host.ask(next), host.ask(next)], [Ok(1), Ok(2)]);
        for _ in 0..2 {
            answers.rewind();
            assert_eq!([host.ask(next), host.ask(next)], [Ok(1), Ok(2)]);
        }
        assert_eq!(host.known().get(), 2);
        assert_eq!(host.ask(next), Ok(3));
    }

    #[test]
    fn a_host_that_is_closed_is_not_asked() {
        let answers = Answers::recording();
        let host = counter(&answers);
        assert_eq!(host.ask(next), Ok(1));
        answers.close();
        answers.rewind();
        assert_eq!((host.ask(next), host.known().get()), (Err(::files::Errno::EIO), 1));
    }

    #[test]
    fn the_last_run_gets_what_is_left_of_the_answers() {
        let answers = Answers::recording();
        let host = counter(&answers);
        assert_eq!([host.ask(next), host.ask(next)], [Ok(1), Ok(2)]);
        answers.rewind();
        assert_eq!(host.ask(next), Ok(1));
        answers.finish();
        assert_eq!([host.ask(next), host.ask(next)], [Ok(2), Ok(3)]);
        answers.rewind();
        assert!(!answers.are_complete());
    }

    #[test]
    fn too_many_open_files_end_the_recording() {
        let directory = tempfile::tempdir().expect("a directory");
        let view = ::files::Files::new(Reach::All, directory.path(), &[]).expect("a view");
        let answers = Answers::recording();
        let host = Host::new(view, &answers);
        let path = |name: &str| directory.path().join(name).into_os_string().into_encoded_bytes();
        let find = |name| host.ask(|view| view.resolve(&Directory::of_machine(b"/"), &path(name), Last::Target));
        assert!(find("missing/file").is_err());
        for _ in 0..FILES_MAX {
            assert!(answers.are_complete());
            assert!(matches!(find("file"), Ok(Place::Here(_))));
        }
        assert!(answers.are_complete() && find("file").is_ok());
        assert!(!answers.are_complete());
    }

    #[test]
    fn too_many_bytes_end_the_recording() {
        let answers = Answers::recording();
        let host = counter(&answers);
        for _ in 0..2 {
            assert!(answers.are_complete());
            assert!(host.read(|_| Ok(vec![0_u8; BYTES_MAX / 2])).is_ok());
        }
        assert!(!answers.are_complete());
        assert_eq!(host.ask(next), Ok(1));
        answers.rewind();
        assert_eq!(host.ask(next), Ok(2));
    }
}
