//! The communication model: costs and loads of placements, for patterns from Python.

use crate::errors::{refused, usage};
use crate::machine::{Machine, memory_named};
use crate::number::number;
use crate::waiting::heard;
use cell::placement::Placement;
use cell::units::SpeId;
use cellstats::communication_model::{self, CommunicationModel, Cost, Load, ModelSearch, Part};
use cellstats::pattern::{Pattern, Transfer};
use pyo3::prelude::*;

/// A transfer: source and destination (`None` is main memory), bytes, and repetitions.
type Row = (Option<u8>, Option<u8>, u32, u32);

/// Reads a pattern from the tuple that `Pattern.to_native` makes: name, threads, phases.
fn pattern(value: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    let parts = value.extract::<(String, u32, Vec<Vec<Row>>)>();
    let (name, threads, phases) =
        parts.map_err(|_| usage("not a pattern that a machine can have; see cellstats.patterns"))?;
    let transfer = |(source, destination, bytes, repetitions): Row| Transfer {
        repetitions,
        ..Transfer::new(source, destination, bytes)
    };
    let phases = phases.into_iter().map(|phase| phase.into_iter().map(transfer).collect()).collect();
    let pattern = Pattern { name, threads, phases };
    pattern.check_threads().map_err(|refusal| refused(&refusal))?;
    Ok(pattern)
}

/// The cost of each placement in the communication model, packed into a number (`cost_bus_cycles`).
#[pyfunction]
pub fn model_costs(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placements: &Bound<'_, PyAny>,
    memory: &str,
) -> PyResult<Vec<u64>> {
    let (pattern, machine) = (self::pattern(pattern)?, &machine.get().inner);
    let model = CommunicationModel::new(machine, memory_named(memory, machine)?);
    let placed = placements_on(machine, &pattern, &crate::number::placements(placements)?)?;
    Ok(py.detach(|| placed.iter().map(|placement| model.cost(&pattern, placement).packed()).collect()))
}

/// The bus cycles of a cost.
#[pyfunction]
pub fn cost_bus_cycles(cost: u64) -> u64 {
    Cost::bus_cycles_of(cost)
}

/// Whether all placements are tried, if at most `evaluations` may be.
#[pyfunction]
pub fn tries_all(threads: usize, spes: usize, evaluations: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    Ok(communication_model::tries_all(threads, spes, evaluations_of(evaluations)?))
}

fn evaluations_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    given.map(|given| number(given, "evaluations", 1..=u64::MAX)).transpose()
}

/// The placement on `spes` that the model judges best, as indices of `spes`, its cost, and the number of placements
/// tried. `first`: placements where descents start.
#[pyfunction]
#[pyo3(signature = (machine, pattern, spes, memory, *, seed, evaluations, first))]
#[allow(clippy::too_many_arguments)]
pub fn model_best(
    py: Python<'_>,
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    spes: Vec<u8>,
    memory: &str,
    seed: &Bound<'_, PyAny>,
    evaluations: Option<&Bound<'_, PyAny>>,
    first: Vec<Vec<usize>>,
) -> PyResult<(Vec<usize>, u64, u64)> {
    let (pattern, machine) = (self::pattern(pattern)?, &machine.get().inner);
    let model = CommunicationModel::new(machine, memory_named(memory, machine)?);
    let spes: Vec<SpeId> = spes.into_iter().map(SpeId).collect();
    let (seed, evaluations) = (number(seed, "seed", 0..=u64::MAX)?, evaluations_of(evaluations)?);
    let search = ModelSearch { evaluations, seed, starts: 10, batch: 128, first };
    let (found, raised) = heard(py, None, |goes_on| search.best(&model, &pattern, &spes, goes_on));
    match (found.map_err(usage)?, raised) {
        (Some(found), None) => Ok((found.placement, found.cost, found.evaluations)),
        (_, raised) => Err(raised.unwrap_or_else(|| usage("no placement to judge"))),
    }
}

/// The load of a part of the machine: kind, names of elements, chips, whether its rings run clockwise, bytes, and
/// number of busy bus cycles.
type LoadRow = (&'static str, Vec<String>, Vec<u8>, Option<bool>, u64, u64);

/// The loads of each phase of a pattern on a placement.
#[pyfunction]
pub fn model_loads(
    machine: &Bound<'_, Machine>,
    pattern: &Bound<'_, PyAny>,
    placement: &Bound<'_, PyAny>,
    memory: &str,
) -> PyResult<Vec<Vec<LoadRow>>> {
    let (pattern, machine) = (self::pattern(pattern)?, &machine.get().inner);
    let model = CommunicationModel::new(machine, memory_named(memory, machine)?);
    let placed = placements_on(machine, &pattern, &[crate::number::placement(placement)?])?;
    let plain = |load: Load| {
        let Part { kind, elements, chips, clockwise } = load.part;
        (kind.name(), elements, chips, clockwise, load.bytes, load.bus_cycles)
    };
    let phases = model.explanation(&pattern, &placed[0]).into_iter();
    Ok(phases.map(|phase| phase.into_iter().map(plain).collect()).collect())
}

fn placements_on(machine: &cell::machine::Machine, pattern: &Pattern, listed: &[Vec<u32>]) -> PyResult<Vec<Placement>> {
    let placed = listed.iter().map(|spes| Placement::of_threads(pattern.threads, spes, machine));
    placed.collect::<Result<_, _>>().map_err(usage)
}
