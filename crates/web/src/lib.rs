//! The simulator in a browser: a request in JSON goes in, an answer in JSON comes out.
//!
//! `room`, `call` and `answer` are all that the module exports, and it imports nothing: whoever calls asks for room,
//! writes a request there, and reads the answer from where it lies.  [`respond`] says what can be asked.
//! This crate converts, and decides nothing: what a request means is for `cellstats` to say.

mod about;
mod ask;
mod machine;
mod place;

pub use ask::{Sessions, respond};

use std::cell::RefCell;

thread_local! {
    /// The request before a call, its answer after it.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSIONS: RefCell<Sessions> = RefCell::default();
}

/// Room for a request of that many bytes.
#[allow(unsafe_code)] // No other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Answers the request that lies in the room, and says how long the answer is.
#[allow(unsafe_code)] // As above.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = SESSIONS.with_borrow_mut(|sessions| respond(bytes, sessions)).into_bytes();
        bytes.len()
    })
}

/// Where the answer lies.
#[allow(unsafe_code)] // As above.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}
