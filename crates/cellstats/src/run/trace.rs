//! A measurement looked at closely: what happens in its first bus cycles, or in later ones.

use super::prepared::MeasureError;
use super::session::Session;
use super::span::TraceSpan;
use crate::request::Request;
use cell::machine::Machine;
use cell::trace::Trace;

/// Runs a measurement up to the end of a window of its measured part, and tells what happened there.
///
/// `check` is called now and then; the run ends as interrupted when it returns false.
///
/// # Errors
/// Parameters that cannot be, a run that failed, or one that ended before the window began.
pub fn trace(
    machine: &Machine,
    request: &Request,
    span: TraceSpan,
    check: impl FnMut() -> bool,
) -> Result<Trace, MeasureError> {
    Session::new(machine, request)?.window(span, check)
}
