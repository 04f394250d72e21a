//! `measure`: the functions of CellStats.

use crate::errors::{RunError, usage};
use crate::machine::Machine;
use crate::number::{ITERATIONS_MAX, number, optional_word, placement as spes_of, word};
use crate::text::{joined, shown};
use cell::functions::{self, Function, MeasureError, Params, PlacementChoice, PpePath, TraceSpan};
use pyo3::prelude::*;

/// What can be measured.
#[pyfunction]
pub fn function_names() -> Vec<&'static str> {
    Function::ALL.iter().map(|(_, name)| *name).collect()
}

/// Measures one function; the result as JSON.  With a `trace`, bus cycles to skip and to look at, the measurement is
/// looked at instead, and what happened in that window comes out as JSON.
#[pyfunction]
#[pyo3(signature = (
    machine, function, *, spes, private, iterations, size_bytes, list_elements, stride_bytes, spe_to_spe,
    ppe, batch, placement, seed, random_placement, fast_forward, trace=None
))]
#[allow(clippy::too_many_arguments)]
pub fn measure(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    function: &str,
    spes: &Bound<'_, PyAny>,
    private: bool,
    iterations: &Bound<'_, PyAny>,
    size_bytes: Option<&Bound<'_, PyAny>>,
    list_elements: Option<&Bound<'_, PyAny>>,
    stride_bytes: Option<&Bound<'_, PyAny>>,
    spe_to_spe: bool,
    ppe: &Bound<'_, PyAny>,
    batch: &Bound<'_, PyAny>,
    placement: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    random_placement: bool,
    fast_forward: bool,
    trace: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
) -> PyResult<String> {
    let function = Function::from_name(function)
        .ok_or_else(|| usage(format!("unknown function {function:?}; known are {}", joined(function_names()))))?;
    let params = Params {
        spes: word(spes, if private { "-N" } else { "-n" })?,
        private,
        iterations: number(iterations, "-i", 0..=ITERATIONS_MAX)?,
        size_bytes: optional_word(size_bytes, "-b")?,
        list_elements: optional_word(list_elements, "-l")?,
        stride_bytes: stride_bytes.map(|stride| number(stride, "-t", 0..=u64::from(u32::MAX))).transpose()?,
        spe_to_spe,
        ppe: ppe_path(ppe)?,
        batch: word(batch, "--batch")?,
        placement: placement_choice(placement, seed, random_placement)?,
        fast_forward,
        ..Params::new(function)
    };
    let span = |(skip, window): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<TraceSpan> {
        let most = TraceSpan::BUS_CYCLES_MAX;
        let skip_bus_cycles = number(&skip, "--skip", 0..=most)?;
        Ok(TraceSpan { skip_bus_cycles, bus_cycles: number(&window, "--window", 1..=most)? })
    };
    run(py, &machine.get().inner, &params, trace.map(span).transpose()?)
}

/// Measures with the interpreter left to other threads.
fn run(
    py: Python<'_>,
    machine: &cell::machine::Machine,
    params: &Params,
    trace: Option<TraceSpan>,
) -> PyResult<String> {
    let (measured, raised) = py.detach(|| {
        let mut raised = None;
        let quiet = || match Python::attach(|py| py.check_signals()) {
            Ok(()) => true,
            Err(error) => {
                raised = Some(error);
                false
            }
        };
        let json = match trace {
            None => functions::measure(machine, params, quiet).map(|measurement| measurement.to_json()),
            Some(span) => functions::trace(machine, params, span, quiet).map(|trace| trace.to_json()),
        };
        (json, raised)
    });
    match (measured, raised) {
        (Ok(json), _) => Ok(json),
        (Err(MeasureError::Usage(line)), _) => Err(usage(line)),
        (Err(MeasureError::Run(_)), Some(raised)) => Err(raised),
        (Err(MeasureError::Run(error)), None) => Err(RunError::new_err(error.to_string())),
    }
}

fn ppe_path(name: &Bound<'_, PyAny>) -> PyResult<PpePath> {
    match name.extract::<String>().as_deref() {
        Ok("library") => Ok(PpePath::Library),
        Ok("mmio") => Ok(PpePath::Mmio),
        _ => Err(usage(format!("--ppe {}: the ways from the PPE to an SPE are library and mmio", shown(name)))),
    }
}

fn placement_choice(
    placement: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    random: bool,
) -> PyResult<PlacementChoice> {
    let seed = seed.map(|seed| number(seed, "--seed", 0..=u64::MAX)).transpose()?;
    match (placement, seed, random) {
        (None, seed, true) => Ok(PlacementChoice::Random(seed.unwrap_or(0))),
        (Some(_), _, true) => Err(usage("--placement is either random or a list of SPEs")),
        (_, Some(seed), false) => {
            Err(usage(format!("--seed {seed} is for a random placement; give --placement random")))
        }
        (Some(placement), None, false) => Ok(PlacementChoice::Explicit(spes_of(placement)?)),
        (None, None, false) => Ok(PlacementChoice::Default),
    }
}
