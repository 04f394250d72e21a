//! One measurement.

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
    let plan = request.plan(machine)?;
    let (mut system, ticks) = prepared(machine, request, &plan.placement, plan.tasks)?;
    let record = system.run(u64::MAX, check)?;
    let ticks = ticks.borrow();
    Ok(Measurement::new(machine, request, &plan.placement, &ticks, record))
}
