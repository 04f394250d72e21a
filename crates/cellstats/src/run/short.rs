//! The share of start-up in a short run.

use super::columns::Measurement;
use super::measure::measure;
use super::prepared::MeasureError;
use crate::request::Request;
use crate::settings::Settings;
use cell::machine::Machine;

/// A smaller share is not worth a word.
const SHARE_MIN: f64 = 0.05;

/// The share (0 to 1) of start-up and end in the time of a measurement that moves data in fewer iterations than usual,
/// or `None` if the share is less than 5 %.
///
/// Start-up is the time that a run of half the length takes as well: with a time `T(n)` of `n` iterations,
/// `T(n) - n * (T(n) - T(n/2)) / (n - n/2)`.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn start_up_share(
    machine: &Machine,
    request: &Request,
    whole: &Measurement,
    check: impl FnMut() -> bool,
) -> Result<Option<f64>, MeasureError> {
    let Settings { iterations, spe_program, .. } = request.settings;
    let usual = request.experiment.default_iterations(spe_program);
    let is_short = iterations < usual && whole.offered_load.is_none();
    let Some(whole_ns) = span_ns(whole).filter(|_| is_short) else { return Ok(None) };
    let half = iterations / 2;
    if half == 0 {
        return Ok(Some(1.0));
    }
    let settings = Settings { iterations: half, histogram: false, ..request.settings.clone() };
    let shorter = measure(machine, &Request { settings, ..request.clone() }, check)?;
    let share = span_ns(&shorter).map(|half_ns| {
        let iteration_ns = (whole_ns - half_ns) / (iterations - half) as f64;
        (1.0 - iterations as f64 * iteration_ns / whole_ns).clamp(0.0, 1.0)
    });
    Ok(share.filter(|share| *share >= SHARE_MIN))
}

/// Time from the first start to the last end of the loops, per byte that one iteration of all threads moves; `None` if
/// no data moves.
fn span_ns(result: &Measurement) -> Option<f64> {
    result.bandwidth_gb_s.filter(|bandwidth| *bandwidth > 0.0).map(|bandwidth| result.iterations as f64 / bandwidth)
}
