//! Standard input, output and error, supplied by the caller of the simulator.

use super::ioctl::{self, Window};
use crate::errno::Errno;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Object, Refusal, Span, Stat, ready};
use crate::wait::Queue;
use files::Kind;
use std::cell::RefCell;
use std::rc::Rc;

/// The standard streams.
pub trait Streams {
    /// Reads up to `bytes` bytes from standard input. Returns at least one byte, except at the end of the input. This
    /// function blocks the simulator until input arrives. No simulated time passes while it blocks.
    ///
    /// # Errors
    /// The input cannot be read, or the run ends.
    fn read(&mut self, bytes: usize) -> Result<Vec<u8>, Refusal>;

    /// Writes all bytes to standard output (1) or error (2).
    ///
    /// # Errors
    /// The stream cannot be written, or the run ends.
    fn write(&mut self, stream: u32, bytes: &[u8]) -> Result<(), Refusal>;

    /// Size of the terminal to which a stream (0, 1, 2) is connected, or `None` if the stream is not a terminal.
    fn terminal(&self, stream: u32) -> Option<Window>;
}

/// Streams that have no input and discard their output.
pub struct NoStreams;

impl Streams for NoStreams {
    fn read(&mut self, _: usize) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }

    fn write(&mut self, _: u32, _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    fn terminal(&self, _: u32) -> Option<Window> {
        None
    }
}

/// One of the standard streams.
pub struct Stream {
    number: u32,
    streams: Rc<RefCell<dyn Streams>>,
    terminal: Option<Window>,
    user: u32,
}

impl Stream {
    /// The stream with this number (0, 1, 2).
    pub fn new(number: u32, streams: &Rc<RefCell<dyn Streams>>, user: u32) -> Stream {
        Stream { number, streams: Rc::clone(streams), terminal: streams.borrow().terminal(number), user }
    }

    /// Text that is reported as the stream's path.
    pub fn path(&self) -> Vec<u8> {
        match self.terminal {
            Some(_) => b"/dev/pts/0".to_vec(),
            None => format!("pipe:[{}]", self.number + 1).into_bytes(),
        }
    }
}

impl Object for Stream {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        /// Device number of the first pseudo-terminal.
        const PSEUDO_TERMINAL: u32 = 0x8800;
        let inode = u64::from(self.number) + 1;
        let stat = match self.terminal {
            Some(_) => Stat {
                special: PSEUDO_TERMINAL,
                inode: 3,
                ..Stat::new(device::DEV, inode, Kind::CharacterDevice, 0o620)
            },
            None => Stat::new(device::PIPE, inode, Kind::Fifo, 0o600),
        };
        Ok(Stat { user: self.user, ..stat })
    }

    fn file_system(&self) -> u32 {
        file_system::PIPEFS
    }

    fn seekable(&self) -> bool {
        false
    }

    fn read(&self, _: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        match self.number {
            0 => self.streams.borrow_mut().read(span.bytes as usize),
            // If the stream is a terminal, it can be read through all three descriptors.
            _ if self.terminal.is_some() => self.streams.borrow_mut().read(span.bytes as usize),
            _ => Err(Errno::EBADF.into()),
        }
    }

    fn write(&self, _: &mut Context<'_>, _: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        match self.number {
            0 if self.terminal.is_none() => return Err(Errno::EBADF.into()),
            0 => self.streams.borrow_mut().write(1, bytes)?,
            number => self.streams.borrow_mut().write(number, bytes)?,
        }
        Ok(u32::try_from(bytes.len()).unwrap_or(u32::MAX))
    }

    fn ready(&self, _: &mut Context<'_>) -> u32 {
        match self.number {
            _ if self.terminal.is_some() => ready::READ | ready::WRITE,
            0 => ready::READ,
            _ => ready::WRITE,
        }
    }

    fn queues(&self) -> Vec<Queue> {
        Vec::new()
    }

    fn pollable(&self) -> bool {
        true
    }

    fn ioctl(&self, context: &mut Context<'_>, request: u32, argument: u32) -> Result<u32, Refusal> {
        let window = self.terminal.ok_or(Errno::ENOTTY)?;
        ioctl::terminal(context, window, request, argument)
    }
}
