//! CellStats: what the tool measures, and how (abellan2008ps3, section 3).
//!
//! Every FUNCTION runs the same way.  The PPE marshals a control block for each SPE, creates the
//! threads and synchronises them by mailbox; each SPE fetches its control block by DMA, reports that
//! and waits for the go-ahead, warms up, loops, reads its decrementer and mails the ticks; the PPE
//! computes the averages.  `params` says what may be asked, `layout` where the bytes are, `spe` and
//! `ppe` are the two programs, `result` is what comes out.

pub mod communication_model;
pub mod programs;

mod accesses;
mod breakdown;
mod c_program;
mod chips;
mod control_block;
mod exchange;
mod function;
mod histogram;
mod iterations;
mod layout;
mod params;
mod pattern;
mod placements;
mod ppe;
mod result;
mod script;
mod spe;
mod spe_program;
mod trace;
mod traffic;
mod transfers;

pub use breakdown::{BREAKDOWN_SCHEMA_VERSION, Breakdown, Component, breakdown};
pub use c_program::start_in_c;
pub use chips::{Cells, MemoryChoice};
pub use function::Function;
pub use histogram::{Bin, Distribution};
pub use params::{HotTarget, Level, Params, PlacementChoice, PpePath, TransferOp};
pub use pattern::{End, Pattern, Transfer};
pub use placements::{Placements, Runs, placements, same_runs, times};
pub use result::{Measurement, PerSpe, PerThread};
pub use spe_program::{SpeProgram, StartSpe, builtin};
pub use trace::{TraceSpan, trace, trace_with};

use cell::error::RunError;
use cell::machine::Machine;
use cell::system::System;
use cell::units::ThreadId;
use layout::Layout;
use spe_program::only_builtin;
use std::cell::RefCell;
use std::rc::Rc;

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureError {
    /// The parameters do not fit together, or not the machine; one line.
    Usage(String),
    /// The run failed.
    Run(RunError),
}

impl std::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MeasureError::Usage(line) => f.write_str(line),
            MeasureError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MeasureError {}

/// Says whether `measure` would run these parameters on a machine, and runs nothing.
///
/// # Errors
/// One line: what is wrong, and what would be right.
pub fn check(machine: &Machine, params: &Params) -> Result<(), String> {
    Layout::new(machine, params).map(drop)
}

/// Measures one FUNCTION on a machine, with the built-in programs.
///
/// `check` is called now and then; the run ends as interrupted when it returns false.
///
/// # Errors
/// Bad parameters, or a run that failed.
pub fn measure(machine: &Machine, params: &Params, check: impl FnMut() -> bool) -> Result<Measurement, MeasureError> {
    measure_with(machine, params, only_builtin(params)?, check)
}

/// Measures one FUNCTION, with programs of the caller's on the SPEs: those that `params.spe_program` names.
///
/// # Errors
/// As [`measure`].
pub fn measure_with(
    machine: &Machine,
    params: &Params,
    start: StartSpe,
    check: impl FnMut() -> bool,
) -> Result<Measurement, MeasureError> {
    let layout = Layout::new(machine, params).map_err(MeasureError::Usage)?;
    let (mut system, ticks) = prepared_with(machine, params, &layout, start);
    let record = system.run(u64::MAX, check).map_err(MeasureError::Run)?;
    let ticks = ticks.borrow();
    Ok(Measurement::new(machine, params, &layout, &ticks, record))
}

/// A machine with the built-in programs of a measurement, and where the PPE's will leave the ticks.
fn prepared<'p>(machine: &Machine, params: &Params, layout: &Layout) -> (System<'p>, ppe::Ticks) {
    prepared_with(machine, params, layout, builtin(params))
}

/// As [`prepared`], with these programs on the SPEs.
fn prepared_with<'p>(machine: &Machine, params: &Params, layout: &Layout, start: StartSpe) -> (System<'p>, ppe::Ticks) {
    let mut system = System::new(machine, layout.placement.clone());
    if params.fast_forward {
        system.enable_fast_forward();
    }
    if params.histogram {
        system.record_latencies(spe::MEASURED_TAG);
    }
    let threads = || (0..params.spes as u8).map(ThreadId);
    system.count_measured_part(
        threads().filter(|thread| traffic::role(params, *thread) != traffic::Role::Holder).count(),
    );
    for thread in threads() {
        let (start, spe) = (Rc::clone(&start), layout.placement.spe(thread));
        system.load(thread, Box::new(move |argument| start(spe, argument)));
    }
    if params.is_by_ppe() {
        let ticks = Rc::new(RefCell::new(vec![None; layout.ppe_parts.len()]));
        for (nth, part) in layout.ppe_parts.iter().enumerate() {
            system.load_ppe(accesses::program(*part, nth, Rc::clone(&ticks)));
        }
        return (system, ticks);
    }
    let ticks = Rc::new(RefCell::new(vec![None; params.spes as usize]));
    system.load_ppe(ppe::program(params.clone(), layout.clone(), Rc::clone(&ticks)));
    (system, ticks)
}
