//! Any bytes are an executable, which ends or fails with an error of one line, or are refused.
#![no_main]

#[path = "../executable.rs"]
mod executable;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    executable::run_file(bytes);
    executable::run_words(bytes);
});
