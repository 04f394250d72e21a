//! One call, and what all calls of a run share.

use super::arguments::string;
use super::host::{Host, Refusal, errno};
use super::streams::Streams;
use cell::store::LocalStore;

/// The PPE's side of the calls of all programs of a run.
pub struct Calls<'h> {
    /// Who carries them out.
    pub(super) host: Box<dyn Host + 'h>,
    /// The streams that are open.
    pub(super) streams: Streams,
}

/// One call: its arguments in a local store.
pub struct Call<'c> {
    /// The program's local store.
    pub ls: &'c mut LocalStore,
    /// Where the first argument lies.
    pub arguments: u32,
    /// Simulated time since the start of the machine.
    pub now_ns: u64,
}

/// The outcome of a call: the value that would report a failure, and what happened.
pub type Done = (u32, Result<u32, Refusal>);

impl Call<'_> {
    /// An argument.
    pub fn word(&self, nth: u32) -> u32 {
        self.ls.read_u32(self.place(nth))
    }

    /// The address of an argument.
    pub fn place(&self, nth: u32) -> u64 {
        u64::from(self.arguments) + 16 * u64::from(nth)
    }

    /// The text to which an argument points.
    pub fn text(&self, nth: u32) -> Vec<u8> {
        string(self.ls, self.word(nth), usize::MAX)
    }

    /// `n` bytes to which an argument points.
    pub fn bytes(&self, nth: u32, n: usize) -> Vec<u8> {
        self.ls.bytes(self.word(nth).into(), n)
    }

    /// Puts bytes where an argument points to.
    pub fn put(&mut self, nth: u32, bytes: &[u8]) {
        let address = self.word(nth);
        self.ls.write(address.into(), bytes);
    }

    /// The product of two sizes, if the local store has as many bytes.
    pub fn size(&self, count: u32, bytes: u32) -> Result<usize, Refusal> {
        let size = u64::from(count) * u64::from(bytes);
        if size > self.ls.size_bytes() { Err(Refusal::Errno(errno::FAULT)) } else { Ok(size as usize) }
    }

    /// The result and `errno` replace the first argument.
    pub fn answer(&mut self, value: u32, errno: u32) {
        let words = [value, 0, 0, errno];
        for (at, word) in (self.place(0)..).step_by(4).zip(words) {
            self.ls.write_u32(at, word);
        }
    }
}
