//! The simulator for browsers: it answers requests in JSON.
//!
//! The module exports `room`, `call` and `answer`, and imports nothing. A caller allocates a buffer with `room`,
//! writes a request there, calls `call`, and reads the answer at the address that `answer` returns. [`respond`] lists
//! the requests. This crate only converts; `cellstats` interprets the requests.

mod about;
mod ask;
mod machine;

pub use ask::{Sessions, respond};

use std::cell::RefCell;

thread_local! {
    /// Buffer that holds the request before a call, and the answer after the call.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSIONS: RefCell<Sessions> = RefCell::default();
}

/// Allocates a buffer for a request of `length` bytes, and returns the buffer's address.
#[allow(unsafe_code)] // No other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Answers the request in the buffer, and returns the length of the answer.
#[allow(unsafe_code)] // As above.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = SESSIONS.with_borrow_mut(|sessions| respond(bytes, sessions)).into_bytes();
        bytes.len()
    })
}

/// Address of the answer.
#[allow(unsafe_code)] // As above.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}
