//! `assign` and `Search`: placement of threads on cores.

use crate::errors::usage;
use crate::number::number;
use crate::text::shown;
use place::problem::{CORES_MAX, COST_MAX};
use place::search::{self, All, BATCH_MAX, Local, LocalOptions};
use place::{Effort, Problem};
use pyo3::prelude::*;

/// Solves a quadratic assignment. Returns the core of each thread, the cost, and a lower bound.
#[pyfunction]
#[pyo3(signature = (flow, distance, *, linear, seed, starts, moves, nodes))]
#[allow(clippy::too_many_arguments)]
pub fn assign(
    py: Python<'_>,
    flow: &Bound<'_, PyAny>,
    distance: &Bound<'_, PyAny>,
    linear: Option<&Bound<'_, PyAny>>,
    seed: &Bound<'_, PyAny>,
    starts: Option<&Bound<'_, PyAny>>,
    moves: Option<&Bound<'_, PyAny>>,
    nodes: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<usize>, u64, u64)> {
    let linear = linear.map(|linear| matrix(linear, "linear")).transpose()?;
    let problem = Problem::new(&matrix(flow, "flow")?, &matrix(distance, "distance")?, linear.as_deref());
    let problem = problem.map_err(usage)?;
    let usual = Effort::of(&problem, number(seed, "seed", 0..=u64::MAX)?);
    let or = |given: Option<&Bound<'_, PyAny>>, what, usual, most| {
        given.map_or(Ok(usual), |given| number(given, what, 0..=most))
    };
    let effort = Effort {
        starts: or(starts, "starts", usual.starts.into(), u32::MAX.into())? as u32,
        moves: or(moves, "moves", usual.moves, u64::MAX)?,
        nodes: or(nodes, "nodes", usual.nodes, u64::MAX)?,
        ..usual
    };
    let (found, raised) = py.detach(|| {
        let mut raised = None;
        let found = place::assign(&problem, &effort, || match Python::attach(|py| py.check_signals()) {
            Ok(()) => true,
            Err(error) => {
                raised = Some(error);
                false
            }
        });
        (found, raised)
    });
    raised.map_or(Ok((found.placement, found.cost, found.lower_bound)), Err)
}

/// A search that proposes placements and receives their costs.
#[pyclass(module = "cellstats._native")]
pub struct Search(Box<dyn search::Search + Send + Sync>);

#[pymethods]
impl Search {
    #[staticmethod]
    fn all(threads: &Bound<'_, PyAny>, cores: &Bound<'_, PyAny>) -> PyResult<Search> {
        let all = All::new(count(threads, "threads")?, count(cores, "cores")?).map_err(usage)?;
        Ok(Search(Box::new(all)))
    }

    #[staticmethod]
    #[pyo3(signature = (threads, cores, *, seed, starts, evaluations, first))]
    fn local(
        threads: &Bound<'_, PyAny>,
        cores: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        starts: &Bound<'_, PyAny>,
        evaluations: &Bound<'_, PyAny>,
        first: &Bound<'_, PyAny>,
    ) -> PyResult<Search> {
        let first = matrix(first, "first")?;
        let options = LocalOptions {
            seed: number(seed, "seed", 0..=u64::MAX)?,
            starts: number(starts, "starts", 1..=u64::MAX)?,
            evaluations: number(evaluations, "evaluations", 1..=u64::MAX)?,
            first: first.into_iter().map(|row| row.into_iter().map(|core| core as usize).collect()).collect(),
        };
        let local = Local::new(count(threads, "threads")?, count(cores, "cores")?, options).map_err(usage)?;
        Ok(Search(Box::new(local)))
    }

    fn ask(&mut self, batch: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<usize>>> {
        let batch = number(batch, "batch", 1..=BATCH_MAX)? as usize;
        Ok(self.0.ask(batch).to_vec())
    }

    fn tell(&mut self, costs: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.tell(&row(costs, "costs", u64::MAX, usize::MAX)?).map_err(usage)
    }

    #[getter]
    fn best(&self) -> Option<(Vec<usize>, u64)> {
        self.0.best().map(|(placement, cost)| (placement.to_vec(), cost))
    }

    #[getter]
    fn told(&self) -> u64 {
        self.0.told()
    }
}

fn count(value: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    number(value, what, 1..=CORES_MAX as u64).map(|count| count as usize)
}

/// Reads a matrix row by row. Reading stops at the largest valid size, so that an endless iterable ends too.
fn matrix(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec<u64>>> {
    let rows = value.try_iter().map_err(|_| no_row(value, what, "rows"))?;
    rows.take(CORES_MAX + 1).map(|values| row(&values?, what, COST_MAX, CORES_MAX + 1)).collect()
}

fn row(value: &Bound<'_, PyAny>, what: &str, most: u64, columns: usize) -> PyResult<Vec<u64>> {
    let values = value.try_iter().map_err(|_| no_row(value, what, "whole numbers"))?;
    values.take(columns).map(|value| number(&value?, &format!("{what}:"), 0..=most)).collect()
}

fn no_row(value: &Bound<'_, PyAny>, what: &str, of: &str) -> PyErr {
    usage(format!("{what}: {} is not a list of {of}", shown(value)))
}
