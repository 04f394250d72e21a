//! PPE-assisted calls: the library functions that newlib's SPU port leaves to the PPE.
//!
//! A call stops the SPU with a code that names the library. The word after the stop instruction contains the function's
//! number in the most significant byte and the address of the arguments in the other three bytes. Each argument
//! occupies 16 bytes. The result and `errno` replace the first argument, and the program continues at the second word
//! after the stop instruction.
//!
//! MODEL: a call accesses the local store only when it begins, and completes after the duration of the call. On
//! silicon, the PPE accesses the local store at some time during the call.
//!
//! Calls for the memory of the PPE's process (`mmap`, `malloc_ea` and related calls), for directories and for processes
//! are not supported, and fail with ENOSYS. An unknown call ends the run.
//!
//! Sources: the stubs of newlib's SPU port and libgloss, `spu-elf-objdump -d`; libspe2's default
//! handlers, for the order of arguments.

pub mod arguments;
mod c99;
mod call;
mod error_text;
mod float;
pub mod format;
pub mod host;
mod posix;
mod scan;
mod spec;
mod streams;

pub use call::Calls;

use call::Call;
use cell::store::LocalStore;
use host::{Host, Refusal};
use streams::Streams;

/// The stop codes of the two libraries of calls, C99 and POSIX.1.
const C99: u32 = 0x2100;
const POSIX: u32 = 0x2101;

/// Whether a stop with this code requests a call.
pub fn is_call(code: u32) -> bool {
    matches!(code, 0x2100..=0x21ff)
}

impl<'h> Calls<'h> {
    /// A new set of calls that `host` carries out.
    pub fn new(host: Box<dyn Host + 'h>) -> Calls<'h> {
        Calls { host, streams: Streams::default() }
    }

    /// Carries out the call that a stop with this code requests. `at` is the address of the word after the stop
    /// instruction.
    ///
    /// # Errors
    /// The call does not exist, or the host ends the run.
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
