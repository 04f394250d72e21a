//! `measure`: the functions of CellStats.

use crate::errors::{RunError, usage};
use crate::machine::Machine;
use crate::number::{ITERATIONS_MAX, number, optional_word, placement as spes_of};
use crate::pattern::pattern as pattern_of;
use crate::text::{joined, shown};
use cellstats::{
    Cells, Function, HotTarget, Level, MeasureError, MemoryChoice, Params, PlacementChoice, Placements, PpePath,
    SpeProgram, StartSpe, TraceSpan, TransferOp,
};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// As many as there are of all at most.
const RANDOM_PLACEMENTS_MAX: u64 = 1_000_000;

/// What can be measured.
#[pyfunction]
pub fn function_names() -> Vec<&'static str> {
    Function::ALL.iter().map(|(_, name)| *name).collect()
}

/// Measures one function; the result as JSON.  With `check_only` the parameters are checked as for a
/// run, nothing is run, and the answer is empty.  `stop` is an event: the run ends as interrupted once
/// `stop.is_set()`, which is how another thread than the main one hears of Ctrl-C.  With a `trace`, bus
/// cycles to skip and to look at, the measurement is looked at instead, and what happened in that window
/// comes out as JSON.  With `breakdown`, one DMA is taken apart.  With `placements`, "all" or how many at
/// random by the seed, nothing is run; a list of placements comes out, and which of them are the same run.
#[pyfunction]
#[pyo3(signature = (
    machine, function, *, spes, private, iterations, size_bytes, list_elements, stride_bytes, spe_to_spe,
    ppe, spe_program, batch, op, target, level, threads, pattern, histogram, cells, memory, placement, seed, random_placement,
    fast_forward, check_only=false, stop=None, trace=None, placements=None, breakdown=false
))]
#[allow(clippy::too_many_arguments)]
pub fn measure(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    function: &str,
    spes: Option<&Bound<'_, PyAny>>,
    private: bool,
    iterations: Option<&Bound<'_, PyAny>>,
    size_bytes: Option<&Bound<'_, PyAny>>,
    list_elements: Option<&Bound<'_, PyAny>>,
    stride_bytes: Option<&Bound<'_, PyAny>>,
    spe_to_spe: bool,
    ppe: &Bound<'_, PyAny>,
    spe_program: &str,
    batch: Option<&Bound<'_, PyAny>>,
    op: Option<&str>,
    target: Option<&str>,
    level: Option<&str>,
    threads: Option<&Bound<'_, PyAny>>,
    pattern: Option<&Bound<'_, PyAny>>,
    histogram: bool,
    cells: Option<&str>,
    memory: Option<&str>,
    placement: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    random_placement: bool,
    fast_forward: bool,
    check_only: bool,
    stop: Option<Py<PyAny>>,
    trace: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    placements: Option<&Bound<'_, PyAny>>,
    breakdown: bool,
) -> PyResult<String> {
    let function = Function::from_name(function)
        .ok_or_else(|| usage(format!("unknown function {function:?}; known are {}", joined(function_names()))))?;
    let defaults = Params::new(function);
    let uniform = function == Function::Uniform;
    let seed = seed.map(|seed| number(seed, "--seed", 0..=u64::MAX)).transpose()?;
    let listed = placements.map(|which| placements_choice(which, seed.unwrap_or(0))).transpose()?;
    let mut params = Params {
        private,
        size_bytes: optional_word(size_bytes, "-b")?,
        list_elements: optional_word(list_elements, "-l")?,
        stride_bytes: stride_bytes.map(|stride| number(stride, "-t", 0..=u64::from(u32::MAX))).transpose()?,
        spe_to_spe,
        ppe: ppe_path(ppe)?,
        spe_program: word_of(SpeProgram::ALL, spe_program, "--spe-program")?,
        batch: optional_word(batch, "--batch")?.unwrap_or(defaults.batch),
        op: op.map(|name| word_of(TransferOp::ALL, name, "--op")).transpose()?.or(defaults.op),
        target: target.map(hot_target).transpose()?,
        level: level.map(|name| word_of(Level::ALL, name, "--level")).transpose()?.or(defaults.level),
        threads: optional_word(threads, "--threads")?,
        pattern: pattern.map(pattern_of).transpose()?,
        histogram,
        cells: cells.map(Cells::from_name).transpose().map_err(usage)?,
        memory: memory.map(MemoryChoice::from_name).transpose().map_err(usage)?.unwrap_or(defaults.memory),
        placement: placement_choice(
            placement,
            seed.filter(|_| listed.is_none() && (!uniform || random_placement)),
            random_placement,
        )?,
        seed: seed.filter(|_| uniform).unwrap_or(0),
        fast_forward,
        ..defaults
    };
    let machine = &machine.get().inner;
    let flag = if private { "-N" } else { "-n" };
    params.spes = optional_word(spes, flag)?.unwrap_or_else(|| params.default_spes(machine));
    let iterations = iterations.map(|n| number(n, "-i", 0..=ITERATIONS_MAX)).transpose()?;
    params.iterations = iterations.unwrap_or_else(|| params.default_iterations());
    if let Some(which) = listed {
        let runs = cellstats::placements(machine, &params, which).map_err(usage)?;
        return Ok(serde_json::to_string(&runs).unwrap_or_default());
    }
    if check_only {
        return cellstats::check(machine, &params).map(|()| String::new()).map_err(usage);
    }
    let span = |(skip, window): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<TraceSpan> {
        let most = TraceSpan::BUS_CYCLES_MAX;
        let skip_bus_cycles = number(&skip, "--skip", 0..=most)?;
        Ok(TraceSpan { skip_bus_cycles, bus_cycles: number(&window, "--window", 1..=most)? })
    };
    let what = match trace.map(span).transpose()? {
        Some(span) => What::Trace(span),
        None if breakdown => What::Breakdown,
        None => What::Result,
    };
    run(py, machine, &params, what, stop.as_ref())
}

/// What is to come out.
#[derive(Clone, Copy)]
enum What {
    Result,
    Trace(TraceSpan),
    Breakdown,
}

/// Measures with the interpreter left to other threads.
fn run(
    py: Python<'_>,
    machine: &cell::machine::Machine,
    params: &Params,
    what: What,
    stop: Option<&Py<PyAny>>,
) -> PyResult<String> {
    detached(py, stop, |quiet| match what {
        What::Result => cellstats::measure_with(machine, params, starter(machine, params)?, quiet).map(|m| m.to_json()),
        What::Trace(span) => {
            cellstats::trace_with(machine, params, span, starter(machine, params)?, quiet).map(|trace| trace.to_json())
        }
        What::Breakdown => cellstats::breakdown(machine, params, quiet).map(|breakdown| breakdown.to_json()),
    })
}

/// Who starts the programs of the SPEs.
fn starter(machine: &cell::machine::Machine, params: &Params) -> Result<StartSpe, MeasureError> {
    match params.spe_program {
        SpeProgram::Builtin => Ok(cellstats::builtin(params)),
        SpeProgram::C => cellstats::start_in_c(machine).map_err(MeasureError::Usage),
    }
}

/// Does what takes long with the interpreter left to other threads; it goes on as long as what it is given says.
pub fn detached<T: Send>(
    py: Python<'_>,
    stop: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, MeasureError> + Send,
) -> PyResult<T> {
    let (done, raised) = py.detach(|| {
        let mut raised = None;
        let mut quiet = || match Python::attach(|py| py.check_signals().and_then(|()| not_stopped(py, stop))) {
            Ok(()) => true,
            Err(error) => {
                raised = Some(error);
                false
            }
        };
        let done = work(&mut quiet);
        (done, raised)
    });
    match (done, raised) {
        (Ok(done), _) => Ok(done),
        (Err(MeasureError::Usage(line)), _) => Err(usage(line)),
        (Err(MeasureError::Run(_)), Some(raised)) => Err(raised),
        (Err(MeasureError::Run(error)), None) => Err(RunError::new_err(error.to_string())),
    }
}

/// KeyboardInterrupt when the event `stop` is set.
pub fn not_stopped(py: Python<'_>, stop: Option<&Py<PyAny>>) -> PyResult<()> {
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

/// What a word means, of those that a flag takes.
fn word_of<T: Copy, const N: usize>(all: [(T, &'static str); N], name: &str, flag: &str) -> PyResult<T> {
    let found = all.iter().find(|(_, known)| *known == name).map(|(meant, _)| *meant);
    found.ok_or_else(|| usage(format!("{flag} {name:?}: give one of {}", joined(all.map(|(_, known)| known)))))
}

fn hot_target(name: &str) -> PyResult<HotTarget> {
    match name.parse() {
        _ if name == "memory" => Ok(HotTarget::Memory),
        Ok(thread) => Ok(HotTarget::Thread(thread)),
        Err(_) => Err(usage(format!("--target {name:?}: give memory or the number of an SPE's thread"))),
    }
}

fn placements_choice(which: &Bound<'_, PyAny>, seed: u64) -> PyResult<Placements> {
    if which.extract::<String>().is_ok_and(|which| which == "all") {
        return Ok(Placements::All);
    }
    Ok(Placements::Random(number(which, "--placements", 1..=RANDOM_PLACEMENTS_MAX)? as u32, seed))
}

fn placement_choice(
    placement: Option<&Bound<'_, PyAny>>,
    seed: Option<u64>,
    random: bool,
) -> PyResult<PlacementChoice> {
    match (placement, seed, random) {
        (None, seed, true) => Ok(PlacementChoice::Random(seed.unwrap_or(0))),
        (Some(_), _, true) => Err(usage("--placement is either random or a list of SPEs")),
        (_, Some(seed), false) => Err(usage(format!(
            "--seed {seed} is for a random placement or uniform traffic; give --placement random or -f uniform"
        ))),
        (Some(placement), None, false) => Ok(PlacementChoice::Explicit(spes_of(placement)?)),
        (None, None, false) => Ok(PlacementChoice::Default),
    }
}
