//! Pipes.

use super::ioctl::FIONREAD;
use crate::errno::Errno;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Edges, Object, Refusal, Span, Stat, ready};
use crate::wait::{Queue, Wakes};
use files::Kind;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Capacity of a pipe.
///
/// MODEL: the capacity of a pipe is a number of bytes. In Linux, the capacity is a number of pages, which can be
/// partly filled.
pub const PIPE_BYTES: usize = 65_536;
/// Maximum size of an atomic write.
pub const ATOMIC_BYTES: usize = 4096;

/// The shared state of both ends of a pipe.
struct Pipe {
    bytes: RefCell<VecDeque<u8>>,
    /// Queue that is woken by every read, write and close.
    changed: Queue,
    state: RefCell<State>,
    number: u64,
}

struct State {
    /// Number of open file descriptions of the read end.
    readers: u32,
    /// Number of open file descriptions of the write end.
    writers: u32,
    edges: Edges,
}

impl Pipe {
    fn arrives(&self, wakes: &mut Wakes) {
        self.state.borrow_mut().edges.arrivals += 1;
        wakes.wake(self.changed);
    }

    fn departs(&self, wakes: &mut Wakes) {
        self.state.borrow_mut().edges.departures += 1;
        wakes.wake(self.changed);
    }

    fn stat(&self, user: u32) -> Stat {
        Stat { user, ..Stat::new(device::PIPE, self.number, Kind::Fifo, 0o600) }
    }

    fn waits(&self) -> Refusal {
        Refusal::Waits(vec![self.changed])
    }
}

/// The read end of a pipe.
pub struct ReadEnd(Rc<Pipe>, u32);

/// The write end of a pipe.
pub struct WriteEnd(Rc<Pipe>, u32);

/// Creates a pipe. Returns the read end, the write end, and the text that is reported as the pipe's path.
pub fn pipe(wakes: &mut Wakes, number: u64, user: u32) -> (ReadEnd, WriteEnd, Vec<u8>) {
    let changed = wakes.new_queue();
    let state = RefCell::new(State { readers: 1, writers: 1, edges: Edges::default() });
    let pipe = Rc::new(Pipe { bytes: RefCell::default(), changed, state, number });
    (ReadEnd(Rc::clone(&pipe), user), WriteEnd(pipe, user), format!("pipe:[{number}]").into_bytes())
}

impl Object for ReadEnd {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.0.stat(self.1))
    }

    fn file_system(&self) -> u32 {
        file_system::PIPEFS
    }

    /// Reopens this end of the pipe through its descriptor number in `/proc`.
    fn opened(&self, _: &mut Context<'_>, _: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        self.0.state.borrow_mut().readers += 1;
        Ok(None)
    }

    fn seekable(&self) -> bool {
        false
    }

    fn read(&self, context: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let mut bytes = self.0.bytes.borrow_mut();
        if bytes.is_empty() && span.bytes > 0 {
            return if self.0.state.borrow().writers == 0 { Ok(Vec::new()) } else { Err(self.0.waits()) };
        }
        let count = bytes.len().min(span.bytes as usize);
        let taken: Vec<u8> = bytes.drain(..count).collect();
        if count > 0 {
            self.0.departs(context.wakes);
        }
        Ok(taken)
    }

    fn ready(&self, _: &mut Context<'_>) -> u32 {
        let hung_up = if self.0.state.borrow().writers == 0 { ready::HUP } else { 0 };
        if self.0.bytes.borrow().is_empty() { hung_up } else { hung_up | ready::READ }
    }

    fn queues(&self) -> Vec<Queue> {
        vec![self.0.changed]
    }

    fn edges(&self) -> Edges {
        self.0.state.borrow().edges
    }

    fn ioctl(&self, context: &mut Context<'_>, request: u32, argument: u32) -> Result<u32, Refusal> {
        if request != FIONREAD {
            return Err(Errno::ENOTTY.into());
        }
        let count = self.0.bytes.borrow().len() as u32;
        context.hardware.put_word(argument, count)?;
        Ok(0)
    }

    fn closes(&self, context: &mut Context<'_>) {
        let mut state = self.0.state.borrow_mut();
        state.readers = state.readers.saturating_sub(1);
        drop(state);
        self.0.departs(context.wakes);
    }
}

impl Object for WriteEnd {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        Ok(self.0.stat(self.1))
    }

    fn file_system(&self) -> u32 {
        file_system::PIPEFS
    }

    /// Reopens this end of the pipe through its descriptor number in `/proc`.
    fn opened(&self, _: &mut Context<'_>, _: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        self.0.state.borrow_mut().writers += 1;
        Ok(None)
    }

    fn seekable(&self) -> bool {
        false
    }

    fn write(&self, context: &mut Context<'_>, _: u64, new: &[u8]) -> Result<u32, Refusal> {
        if self.0.state.borrow().readers == 0 {
            return Err(Errno::EPIPE.into());
        }
        let mut bytes = self.0.bytes.borrow_mut();
        let room = PIPE_BYTES.saturating_sub(bytes.len());
        let least = if new.len() <= ATOMIC_BYTES { new.len() } else { 1 };
        if room < least {
            return Err(self.0.waits());
        }
        let taken = new.get(..new.len().min(room)).unwrap_or_default();
        bytes.extend(taken);
        self.0.arrives(context.wakes);
        Ok(taken.len() as u32)
    }

    fn takes_all(&self) -> bool {
        true
    }

    fn ready(&self, _: &mut Context<'_>) -> u32 {
        // A pipe is writable if it has room for an atomic write.
        let room = PIPE_BYTES.saturating_sub(self.0.bytes.borrow().len());
        let writable = if room >= ATOMIC_BYTES { ready::WRITE } else { 0 };
        if self.0.state.borrow().readers == 0 { writable | ready::ERR } else { writable }
    }

    fn queues(&self) -> Vec<Queue> {
        vec![self.0.changed]
    }

    fn edges(&self) -> Edges {
        self.0.state.borrow().edges
    }

    fn closes(&self, context: &mut Context<'_>) {
        let mut state = self.0.state.borrow_mut();
        state.writers = state.writers.saturating_sub(1);
        drop(state);
        self.0.arrives(context.wakes);
    }
}
