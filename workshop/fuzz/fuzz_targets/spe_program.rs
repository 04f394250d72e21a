//! Any programs on two SPEs and the PPE end, perhaps with an error.
#![no_main]

#[path = "../generator.rs"]
#[allow(dead_code)]
mod generator;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    generator::run_programs(bytes);
});
