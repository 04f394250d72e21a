//! A trace of a measurement: all events in a window of its bus cycles.

use super::prepared::MeasureError;
use super::session::Session;
use super::span::TraceSpan;
use crate::request::Request;
use cell::machine::Machine;
use cell::trace::Trace;

/// Runs a measurement until a window of its measured part ends, and returns the events of the window.
///
/// `check` is called from time to time; if it returns false, the run is interrupted.
///
/// # Errors
/// Invalid parameters, a run that failed, or a run that ended before the window began.
pub fn trace(
    machine: &Machine,
    request: &Request,
    span: TraceSpan,
    check: impl FnMut() -> bool,
) -> Result<Trace, MeasureError> {
    Session::new(machine, request)?.window(span, check)
}
