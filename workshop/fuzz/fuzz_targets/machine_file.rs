//! Any bytes are a machine file or are refused in one line.
#![no_main]

#[path = "../generator.rs"]
#[allow(dead_code)]
mod generator;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| generator::read_machine(bytes));
