//! One run, with the result of one measurement or of several that give the same run.

use super::columns::Measurement;
use super::prepared::{MeasureError, prepared};
use crate::request::Request;
use cell::machine::Machine;

/// Measures one FUNCTION on a machine.
///
/// `check` is called from time to time; if it returns false, the run is interrupted.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn measure(machine: &Machine, request: &Request, check: impl FnMut() -> bool) -> Result<Measurement, MeasureError> {
    measure_alike(machine, request, &[], check).map(|mut results| results.swap_remove(0))
}

/// Measures a request and other requests, which must give the same run ([`alike`](super::alike::alike)). The run is
/// made once. Returns a result for each request, in this order.
///
/// `check` is called from time to time; if it returns false, the run is interrupted.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn measure_alike(
    machine: &Machine,
    request: &Request,
    others: &[Request],
    check: impl FnMut() -> bool,
) -> Result<Vec<Measurement>, MeasureError> {
    let plan = request.plan(machine)?;
    let mut placements = vec![plan.placement.clone()];
    for other in others {
        placements.push(other.plan(machine)?.placement);
    }
    let (mut system, ticks) = prepared(machine, request, &plan.placement, plan.tasks)?;
    let record = system.run(u64::MAX, check)?;
    let ticks = ticks.borrow();
    let requests = std::iter::once(request).chain(others);
    let result = |(request, placement)| Measurement::new(machine, request, placement, &ticks, record.clone());
    Ok(requests.zip(&placements).map(result).collect())
}
