//! The simulator in a browser: `room`, `call` and `answer` are all that it exports.

use std::cell::RefCell;

use serde_json::{Value, json};

thread_local! {
    /// The request before a call, its answer after it.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
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
        *bytes = respond(bytes).to_string().into_bytes();
        bytes.len()
    })
}

/// Where the answer lies.
#[allow(unsafe_code)] // As above.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}

fn respond(request: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(request) {
        Ok(request) if request["ask"] == "about" => {
            let names = cell::machine::Machine::builtin_names();
            json!({ "machines": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>() })
        }
        Ok(request) => json!({ "error": format!("there is no {}", request["ask"]) }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}
