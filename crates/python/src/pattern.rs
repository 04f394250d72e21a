//! Patterns from Python, and how long they take on many placements.

use crate::errors::usage;
use crate::machine::Machine;
use crate::measure::detached;
use crate::number::{ITERATIONS_MAX, number, placement};
use cell::placement::Placement;
use cellstats::communication_model::CommunicationModel;
use cellstats::{Function, MemoryChoice, Params, Pattern, Transfer};
use pyo3::prelude::*;

/// Source and destination (none is main memory), bytes, repetitions.
type Row = (Option<u8>, Option<u8>, u32, u32);

/// A pattern as `Pattern.to_native` of `cellstats.patterns` writes it: name, threads, phases.
pub fn pattern(value: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    let parts = value.extract::<(String, u32, Vec<Vec<Row>>)>();
    let (name, threads, phases) =
        parts.map_err(|_| usage("that is no pattern, or not one that a machine can have; see cellstats.patterns"))?;
    let transfer = |(source, destination, bytes, repetitions): Row| Transfer {
        repetitions,
        ..Transfer::new(source, destination, bytes)
    };
    let phases = phases.into_iter().map(|phase| phase.into_iter().map(transfer).collect()).collect();
    Ok(Pattern { name, threads, phases })
}

fn exchange(value: &Bound<'_, PyAny>) -> PyResult<Params> {
    let pattern = pattern(value)?;
    Ok(Params { spes: pattern.threads, pattern: Some(pattern), ..Params::new(Function::Exchange) })
}

fn placements_of(listed: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u32>>> {
    let listed = listed.try_iter().map_err(|_| usage("placements: give a list of lists of SPEs"))?;
    listed.map(|spes| placement(&spes?)).collect()
}

/// For each placement of a pattern's threads the first one that is the same run under other names.
#[pyfunction]
pub fn same_runs(
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placements: &Bound<'_, PyAny>,
) -> PyResult<Vec<usize>> {
    let params = exchange(pattern)?;
    cellstats::same_runs(&machine.get().inner, &params, &placements_of(placements)?).map_err(usage)
}

/// How long a pattern takes on each placement, in bus cycles, with the interpreter left to other threads.
/// `stop` is as for `measure`.
#[pyfunction]
#[pyo3(signature = (machine, pattern, placements, *, iterations, memory, stop=None))]
pub fn exchange_times(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placements: &Bound<'_, PyAny>,
    iterations: &Bound<'_, PyAny>,
    memory: &str,
    stop: Option<Py<PyAny>>,
) -> PyResult<Vec<u64>> {
    let iterations = number(iterations, "iterations", 1..=ITERATIONS_MAX)?;
    let memory = MemoryChoice::from_name(memory).map_err(usage)?;
    let params = Params { iterations, memory, ..exchange(pattern)? };
    let (machine, listed) = (&machine.get().inner, placements_of(placements)?);
    detached(py, stop.as_ref(), |quiet| cellstats::times(machine, &params, &listed, quiet))
}

/// What the communication model says of each placement: bus cycles, and how unevenly rings are loaded.
#[pyfunction]
pub fn model_costs(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placements: &Bound<'_, PyAny>,
    memory: &str,
) -> PyResult<Vec<(u64, u64)>> {
    let (pattern, machine) = (self::pattern(pattern)?, &machine.get().inner);
    let model = CommunicationModel::new(machine, MemoryChoice::from_name(memory).map_err(usage)?);
    let placed = placements_on(machine, &pattern, &placements_of(placements)?)?;
    Ok(py.detach(|| {
        placed
            .iter()
            .map(|placement| model.cost(&pattern, placement))
            .map(|cost| (cost.bus_cycles, cost.unevenness))
            .collect()
    }))
}

/// What each phase of a pattern loads on a placement: parts, bytes, bus cycles.
#[pyfunction]
pub fn model_loads(
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placement: &Bound<'_, PyAny>,
    memory: &str,
) -> PyResult<Vec<Vec<(String, u64, u64)>>> {
    let (pattern, machine) = (self::pattern(pattern)?, &machine.get().inner);
    let model = CommunicationModel::new(machine, MemoryChoice::from_name(memory).map_err(usage)?);
    let placed = placements_on(machine, &pattern, &[crate::number::placement(placement)?])?;
    let plain = |load: cellstats::communication_model::Load| (load.part, load.bytes, load.bus_cycles);
    let phases = model.explanation(&pattern, &placed[0]).into_iter();
    Ok(phases.map(|phase| phase.into_iter().map(plain).collect()).collect())
}

fn placements_on(machine: &cell::machine::Machine, pattern: &Pattern, listed: &[Vec<u32>]) -> PyResult<Vec<Placement>> {
    let placed = listed.iter().map(|spes| Placement::of_threads(pattern.threads, spes, machine));
    placed.collect::<Result<_, String>>().map_err(usage)
}
