//! Calls that a program makes of the PPE: the library functions that newlib's SPU port has carried out there.
//!
//! Such a call stops the SPU with a code that names the library.  The word behind the stop has the
//! function's number in its highest byte and, below, the address of the arguments, 16 bytes for
//! each.  The result and `errno` replace the first of them, and the program goes on behind that word.
//!
//! MODEL: the bytes of a call are read and written at its beginning; the time it takes follows.
//! Silicon's host touches the local store at some time in between.
//!
//! Left out: the memory of the PPE's process (`mmap`, `malloc_ea` and their kind), directories,
//! processes.  A call that is unknown ends the run; one that is known and left out fails with ENOSYS.
//!
//! Sources: the stubs of newlib's SPU port and libgloss, `spu-elf-objdump -d`; libspe2's default
//! handlers, for the order of arguments.

mod c99;
mod float;
pub mod format;
pub mod host;
mod posix;
mod scan;
mod streams;

use cell::store::LocalStore;
use host::{Host, Refusal};
use streams::Streams;

/// Stop codes of the two libraries.
const C99: u32 = 0x2100;
const POSIX: u32 = 0x2101;

/// Whether a stop code is a call.
pub fn is_call(code: u32) -> bool {
    matches!(code, 0x2100..=0x21ff)
}

/// The PPE's side of the calls of all programs of a run.
pub struct Calls<'h> {
    host: Box<dyn Host + 'h>,
    streams: Streams,
}

/// One call: its arguments in a local store.
struct Call<'c> {
    ls: &'c mut LocalStore,
    arguments: u32,
    /// Simulated time since the start of the machine.
    now_ns: u64,
}

/// What a call does: the value that says that it failed, and what happened.
type Done = (u32, Result<u32, Refusal>);

impl<'h> Calls<'h> {
    /// Calls that `host` carries out.
    pub fn new(host: Box<dyn Host + 'h>) -> Calls<'h> {
        Calls { host, streams: Streams::default() }
    }

    /// Carries out the call of a stop with this code; `at` is the address of the word behind the stop.
    ///
    /// # Errors
    /// There is no such call, or the host wants the run to end.
    pub fn call(&mut self, code: u32, ls: &mut LocalStore, at: u32, now_ns: u64) -> Result<(), String> {
        let word = ls.read_u32(at.into());
        let (function, arguments) = (word >> 24, word & 0x00ff_ffff);
        let mut call = Call { ls, arguments, now_ns };
        let done = match code {
            C99 => self.c99(function, &mut call),
            POSIX => self.posix(function, &mut call),
            _ => None,
        };
        let Some((failed, done)) = done else {
            return Err(format!(
                "function {function} of library {code:#x} is not provided; there are those of C99 (0x2100) and POSIX (0x2101)"
            ));
        };
        match done {
            Ok(value) => call.answer(value, 0),
            Err(Refusal::Errno(errno)) => call.answer(failed, errno),
            Err(Refusal::End(why)) => return Err(why),
        }
        Ok(())
    }
}

impl Call<'_> {
    /// An argument.
    fn word(&self, nth: u32) -> u32 {
        self.ls.read_u32(self.place(nth))
    }

    /// Where an argument lies.
    fn place(&self, nth: u32) -> u64 {
        u64::from(self.arguments) + 16 * u64::from(nth)
    }

    /// The text to which an argument points.
    fn text(&self, nth: u32) -> Vec<u8> {
        string(self.ls, self.word(nth), usize::MAX)
    }

    /// `n` bytes to which an argument points.
    fn bytes(&self, nth: u32, n: usize) -> Vec<u8> {
        self.ls.bytes(self.word(nth).into(), n)
    }

    /// Puts bytes where an argument points to.
    fn put(&mut self, nth: u32, bytes: &[u8]) {
        let address = self.word(nth);
        self.ls.write(address.into(), bytes);
    }

    /// The product of two sizes, if the local store has as many bytes.
    fn size(&self, count: u32, bytes: u32) -> Result<usize, Refusal> {
        let size = u64::from(count) * u64::from(bytes);
        if size > self.ls.size_bytes() { Err(Refusal::Errno(host::errno::FAULT)) } else { Ok(size as usize) }
    }

    fn answer(&mut self, value: u32, errno: u32) {
        let words = [value, 0, 0, errno];
        for (at, word) in (self.place(0)..).step_by(4).zip(words) {
            self.ls.write_u32(at, word);
        }
    }
}

/// The bytes from `address` to the next zero, at most so many, and not more than a local store has.
fn string(ls: &LocalStore, address: u32, most: usize) -> Vec<u8> {
    let most = (ls.size_bytes() as usize).min(most);
    let mut text = Vec::new();
    let mut piece = [0; 64];
    while text.len() < most {
        ls.read(u64::from(address) + text.len() as u64, &mut piece);
        let n = piece.iter().position(|byte| *byte == 0);
        text.extend_from_slice(&piece[..n.unwrap_or(piece.len())]);
        if n.is_some() {
            break;
        }
    }
    text.truncate(most);
    text
}
