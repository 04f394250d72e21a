//! The body of a fuzz target: any text is a request or is refused in one line.
//!
//! The body does not depend on libFuzzer, so the crate's own tests can run it on random text.

use cell::machine::Machine;
use cell::units::ThreadId;
use cellstats::{MeasureError, Request, measure};

/// Maximum number of measured iterations.
const ITERATIONS_MAX: u64 = 20;
/// Maximum number of bytes that a thread moves in an iteration, and of warm-up iterations.
const BYTES_MAX: u64 = 1 << 16;
const WARM_UP_MAX: u64 = 4096;

/// Reads a text as a request; checks the request, and measures it if that is quick.
///
/// # Panics
/// A message is not one line.
pub fn read_request(text: &str, machine: &Machine) {
    let mut request = match Request::parse(text, machine) {
        Ok(request) => request,
        Err(refusal) => return one_line(&refusal.to_string(), text),
    };
    request.settings.iterations = request.settings.iterations.min(ITERATIONS_MAX);
    if let Err(refusal) = request.check(machine) {
        return one_line(&refusal.to_string(), text);
    }
    if takes_long(&request) {
        return;
    }
    match measure(machine, &request, || true) {
        Ok(measured) => assert!(measured.to_json().starts_with('{'), "{text}"),
        Err(MeasureError::Refused(refusal)) => panic!("refused after it was checked: {refusal}: {text}"),
        Err(MeasureError::Run(error)) => panic!("{error}: {text}"),
    }
}

/// Whether the request moves many bytes or warms up for long.
fn takes_long(request: &Request) -> bool {
    let Request { experiment, settings, .. } = request;
    let moved = (0..16).filter_map(|thread| experiment.bytes_of_thread(ThreadId(thread)));
    moved.max().is_some_and(|bytes| bytes > BYTES_MAX) || experiment.warm_up(settings.iterations) > WARM_UP_MAX
}

fn one_line(said: &str, text: &str) {
    let short = said.chars().count() < 1000;
    assert!(!said.is_empty() && short && !said.chars().any(char::is_control), "{said:?}: {text}");
}
