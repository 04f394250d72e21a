//! A single call, and the state that all calls of a run share.

use super::arguments::string;
use super::host::{Host, Refusal, errno};
use super::streams::Streams;
use cell::store::LocalStore;

/// The PPE's side of the calls, shared by all programs of a run.
pub struct Calls<'h> {
    /// The host that carries out the calls.
    pub(super) host: Box<dyn Host + 'h>,
    /// The open streams.
    pub(super) streams: Streams,
}

/// A call whose arguments are in a local store.
pub struct Call<'c> {
    /// The program's local store.
    pub ls: &'c mut LocalStore,
    /// The address of the first argument.
    pub arguments: u32,
    /// The simulated time since the machine started.
    pub now_ns: u64,
}

/// The outcome of a call: the value to return if the call fails, and either the call's result or the host's refusal.
pub type Done = (u32, Result<u32, Refusal>);

impl Call<'_> {
    /// The value of argument `nth`.
    pub fn word(&self, nth: u32) -> u32 {
        self.ls.read_u32(self.address(nth))
    }

    /// The address of argument `nth`.
    pub fn address(&self, nth: u32) -> u64 {
        u64::from(self.arguments) + 16 * u64::from(nth)
    }

    /// The text that argument `nth` points to.
    pub fn text(&self, nth: u32) -> Vec<u8> {
        string(self.ls, self.word(nth), usize::MAX)
    }

    /// The `n` bytes that argument `nth` points to.
    pub fn bytes(&self, nth: u32, n: usize) -> Vec<u8> {
        self.ls.bytes(self.word(nth).into(), n)
    }

    /// Stores bytes at the address in argument `nth`.
    pub fn put(&mut self, nth: u32, bytes: &[u8]) {
        let address = self.word(nth);
        self.ls.write(address.into(), bytes);
    }

    /// The product of two sizes, or an error if the product exceeds the size of the local store.
    pub fn size(&self, count: u32, bytes: u32) -> Result<usize, Refusal> {
        let size = u64::from(count) * u64::from(bytes);
        if size > self.ls.size_bytes() { Err(Refusal::Errno(errno::FAULT)) } else { Ok(size as usize) }
    }

    /// Replaces the first argument by the result and `errno`.
    pub fn answer(&mut self, value: u32, errno: u32) {
        let words = [value, 0, 0, errno];
        for (at, word) in (self.address(0)..).step_by(4).zip(words) {
            self.ls.write_u32(at, word);
        }
    }
}
