//! `measure`: the functions of CellStats.

use crate::errors::{RunError, usage};
use crate::machine::Machine;
use crate::number::{ITERATIONS_MAX, number, optional_word, placement as spes_of, word};
use crate::text::{joined, shown};
use cell::functions::{self, Function, MeasureError, Params, PlacementChoice, PpePath};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// What can be measured.
#[pyfunction]
pub fn function_names() -> Vec<&'static str> {
    Function::ALL.iter().map(|(_, name)| *name).collect()
}

/// Measures one function; the result as JSON.  With `check_only` the parameters are checked as for a
/// run, nothing is run, and the answer is empty.  `stop` is an event: the run ends as interrupted once
/// `stop.is_set()`, which is how another thread than the main one hears of Ctrl-C.
#[pyfunction]
#[pyo3(signature = (
    machine, function, *, spes, private, iterations, size_bytes, list_elements, stride_bytes, spe_to_spe,
    ppe, batch, placement, seed, random_placement, fast_forward, check_only=false, stop=None
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
    check_only: bool,
    stop: Option<Py<PyAny>>,
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
    let machine = &machine.get().inner;
    if check_only {
        return functions::check(machine, &params).map(|()| String::new()).map_err(usage);
    }
    run(py, machine, &params, stop.as_ref())
}

/// Measures with the interpreter left to other threads.
fn run(
    py: Python<'_>,
    machine: &cell::machine::Machine,
    params: &Params,
    stop: Option<&Py<PyAny>>,
) -> PyResult<String> {
    let (measured, raised) = py.detach(|| {
        let mut raised = None;
        let quiet = || match Python::attach(|py| py.check_signals().and_then(|()| not_stopped(py, stop))) {
            Ok(()) => true,
            Err(error) => {
                raised = Some(error);
                false
            }
        };
        (functions::measure(machine, params, quiet), raised)
    });
    match (measured, raised) {
        (Ok(measurement), _) => Ok(measurement.to_json()),
        (Err(MeasureError::Usage(line)), _) => Err(usage(line)),
        (Err(MeasureError::Run(_)), Some(raised)) => Err(raised),
        (Err(MeasureError::Run(error)), None) => Err(RunError::new_err(error.to_string())),
    }
}

/// KeyboardInterrupt when the event `stop` is set.
fn not_stopped(py: Python<'_>, stop: Option<&Py<PyAny>>) -> PyResult<()> {
    match stop {
        Some(stop) if stop.call_method0(py, "is_set")?.is_truthy(py)? => Err(PyKeyboardInterrupt::new_err(())),
        _ => Ok(()),
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
