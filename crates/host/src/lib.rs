//! Measures this computer: the cost of CellStats FUNCTIONs between the computer's CPUs.
//!
//! Each FUNCTION is implemented by a `Primitive` in its own file. `team` runs a primitive on pinned threads that start
//! every sample together (`barrier`), `sampler` chooses the length and number of samples, and `clock` measures time.
//! The answer contains the raw samples and counts of disturbances. The caller chooses CPUs and working sets, and
//! handles statistics, interpretation of the samples, and topology.
//!
//! The crate supports only Linux on x86-64 and AArch64. No other crate has unsafe code. This crate needs unsafe code
//! for system calls (`os`, `pthread`, `counters`), the clock, and loops over memory that a compiler must neither remove nor merge
//! (`walk`).

// Outside Linux, most of the crate is unused.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod answer;
mod choices;
mod clock;
mod error;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux;
mod request;

pub use error::Error;

/// The clock that measurements use on this computer, as JSON.
pub fn clock() -> String {
    serde_json::to_string(clock::Clock::get()).unwrap_or_default()
}

/// Where measurements on this computer count hardware events, or why they do not, as JSON.
pub fn counters() -> String {
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    let counted = linux::counters::probe();
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let counted = answer::Counted::NoSystemCall;
    serde_json::to_string(&counted).unwrap_or_default()
}

/// Whether this computer can measure the FUNCTION with this name.
pub fn measures(function: &str) -> bool {
    request::Function::from_name(function).is_some()
}

/// Runs the measurement that the JSON requests. `go_on` is called several times per second, and stops the measurement
/// by returning false.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn measure(request: &str, go_on: &mut dyn FnMut() -> bool) -> Result<String, Error> {
    linux::measure(request, go_on)
}

/// Returns an error, because this system cannot be measured.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub fn measure(_request: &str, _go_on: &mut dyn FnMut() -> bool) -> Result<String, Error> {
    error::usage("--machine host needs Linux on x86-64 or AArch64")
}
