//! Any text is a request or is refused in one line; the first byte chooses the machine.
#![no_main]

#[path = "../request.rs"]
mod request;

use cell::machine::Machine;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let (names, Ok(text)) = (Machine::builtin_names(), std::str::from_utf8(text)) else { return };
    let name = names[usize::from(*first) % names.len()];
    request::read_request(text, &Machine::builtin(name).expect("it is built in"));
});
