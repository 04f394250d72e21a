//! `Request`: one checked measurement, and the tables of FUNCTIONs and parameters.

use crate::errors::refused;
use crate::machine::Machine;
use crate::number::{number, placements};
use crate::waiting::detached;
use cellstats::{Computer, Parameter, Placements, Refusal, Row, TraceSpan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Names of all FUNCTIONs that can be measured, such as `dmaget`.
#[pyfunction]
pub fn function_names() -> Vec<&'static str> {
    cellstats::functions().collect()
}

/// The help for all FUNCTIONs: headings, and rows of names and descriptions.
#[pyfunction]
pub fn function_help() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    cellstats::help().into_iter().map(|(heading, rows)| (heading, rows.to_vec())).collect()
}

/// A row for each parameter of a measurement; Python builds its tables from these rows.
#[pyfunction]
pub fn parameters(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let with_flags = Parameter::ALL.iter().filter(|(_, _, row)| !row.cell.is_empty() || !row.host.is_empty());
    let dict = |(_, name, row): &(Parameter, &str, Row)| {
        let dict = PyDict::new(py);
        dict.set_item("name", name)?;
        dict.set_item("kind", row.kind.name())?;
        dict.set_item("flags", row.flags)?;
        dict.set_item("metavar", row.metavar)?;
        dict.set_item("help", row.help)?;
        dict.set_item("cell", row.cell.trim())?;
        dict.set_item("host", row.host)?;
        dict.set_item("default", row.default)?;
        dict.set_item("least", row.least)?;
        dict.set_item("words", row.words)?;
        dict.set_item("host_words", row.host_words)?;
        dict.set_item("column", row.column)?;
        dict.set_item("doubles", row.doubles)?;
        dict.set_item("particular", row.why_not.is_some())?;
        Ok(dict)
    };
    with_flags.map(dict).collect()
}

/// The JSON Schema of a result.
#[pyfunction]
pub fn result_schema() -> String {
    cellstats::result_schema().to_string()
}

/// Raises a `UsageError` if the host cannot measure a FUNCTION with these parameters.
#[pyfunction]
pub fn refuse_on_host(function: &str, given: Vec<String>) -> PyResult<()> {
    if !host::measures(function) {
        let refusal = Refusal::of(Parameter::Function, "the host does not measure it");
        return Err(refused(&refusal.given(function)));
    }
    let given: Vec<_> = given.iter().filter_map(|name| Some((Parameter::from_name(name)?, None))).collect();
    match cellstats::refusal(function, &given, Computer::Host) {
        Some(refusal) => Err(refused(&refusal.with(format!("{function} on the host")))),
        None => Ok(()),
    }
}

/// For each request, the index of the first request that gives the same run. All requests must be on the same machine.
#[pyfunction]
pub fn alike(requests: Vec<PyRef<'_, Request>>) -> Vec<usize> {
    match requests.first() {
        Some(first) => cellstats::alike(&first.machine, requests.iter().map(|request| &request.inner)),
        None => Vec::new(),
    }
}

/// A measurement on a machine. Results are JSON.
///
/// `stop` is an event: a run ends as interrupted once `stop.is_set()` returns true. Through `stop`, threads other than
/// the main thread learn of Ctrl-C.
#[pyclass(frozen, module = "cellstats._native")]
pub struct Request {
    machine: cell::machine::Machine,
    inner: cellstats::Request,
}

#[pymethods]
impl Request {
    /// Reads a request: a FUNCTION and its parameters, in JSON.
    #[new]
    fn new(machine: &Bound<'_, Machine>, text: &str) -> PyResult<Request> {
        let machine = machine.get().inner.clone();
        let inner = cellstats::Request::parse(text, &machine).map_err(|refusal| refused(&refusal))?;
        Ok(Request { machine, inner })
    }

    /// Raises the error that a measurement would raise, without running it.
    fn check(&self) -> PyResult<()> {
        self.inner.check(&self.machine).map_err(|refusal| refused(&refusal))
    }

    /// Number of measured iterations: the requested number, or else the FUNCTION's default.
    fn iterations(&self) -> u64 {
        self.inner.settings.iterations
    }

    /// Runs the measurement and returns the result. `start_up`: whether a short run also tells the share of start-up.
    #[pyo3(signature = (stop=None, *, start_up=false))]
    fn measure(&self, py: Python<'_>, stop: Option<Py<PyAny>>, start_up: bool) -> PyResult<String> {
        let measured = |check: &mut dyn FnMut() -> bool| {
            let mut result = cellstats::measure(&self.machine, &self.inner, &mut *check)?;
            if start_up {
                result.start_up_share = cellstats::start_up_share(&self.machine, &self.inner, &result, check)?;
            }
            Ok(result)
        };
        detached(py, stop.as_ref(), measured).map(|measurement| measurement.to_json())
    }

    /// Runs the measurement, which must give the same run as the `others`. Returns the result of each.
    #[pyo3(signature = (others, stop=None))]
    fn measure_alike(
        &self,
        py: Python<'_>,
        others: Vec<PyRef<'_, Request>>,
        stop: Option<Py<PyAny>>,
    ) -> PyResult<Vec<String>> {
        let others: Vec<cellstats::Request> = others.iter().map(|other| other.inner.clone()).collect();
        let measured =
            |check: &mut dyn FnMut() -> bool| cellstats::measure_alike(&self.machine, &self.inner, &others, check);
        let results = detached(py, stop.as_ref(), measured)?;
        Ok(results.iter().map(|measurement| measurement.to_json()).collect())
    }

    /// The trace of `window` bus cycles, after `skip` bus cycles of the measured part.
    #[pyo3(signature = (skip, window, stop=None))]
    fn trace(
        &self,
        py: Python<'_>,
        skip: &Bound<'_, PyAny>,
        window: &Bound<'_, PyAny>,
        stop: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let span = TraceSpan {
            skip_bus_cycles: number(skip, "skip", 0..=u64::MAX)?,
            bus_cycles: number(window, "window", 0..=u64::MAX)?,
        };
        let traced = |check: &mut dyn FnMut() -> bool| cellstats::trace(&self.machine, &self.inner, span, check);
        detached(py, stop.as_ref(), traced).map(|trace| trace.to_json())
    }

    /// The breakdown of one DMA of the measurement.
    #[pyo3(signature = (stop=None))]
    fn breakdown(&self, py: Python<'_>, stop: Option<Py<PyAny>>) -> PyResult<String> {
        let apart = |check: &mut dyn FnMut() -> bool| cellstats::breakdown(&self.machine, &self.inner, check);
        detached(py, stop.as_ref(), apart).map(|breakdown| breakdown.to_json())
    }

    /// Placements for the measurement, grouped by identical runs: `all`, one of each of the `orbits`, or a number of
    /// random placements from a seed.
    #[pyo3(signature = (which, seed))]
    fn placements(&self, which: &Bound<'_, PyAny>, seed: &Bound<'_, PyAny>) -> PyResult<String> {
        let which = match which.extract::<&str>() {
            Ok("all") => Placements::All,
            Ok("orbits") => Placements::Orbits,
            _ => {
                let count = number(which, "placements", 1..=Placements::RANDOM_MAX)? as u32;
                Placements::Random(count, number(seed, "seed", 0..=u64::MAX)?)
            }
        };
        let runs = cellstats::placements(&self.machine, &self.inner, which).map_err(|refusal| refused(&refusal))?;
        Ok(serde_json::to_string(&runs).unwrap_or_default())
    }

    /// For each listed placement, the index of the first placement that gives the same run.
    fn same_runs(&self, listed: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let listed = placements(listed)?;
        cellstats::same_runs(&self.machine, &self.inner, &listed).map_err(|refusal| refused(&refusal))
    }

    /// Bus cycles of the measurement on each listed placement.
    #[pyo3(signature = (listed, stop=None))]
    fn times(&self, py: Python<'_>, listed: &Bound<'_, PyAny>, stop: Option<Py<PyAny>>) -> PyResult<Vec<u64>> {
        let listed = placements(listed)?;
        detached(py, stop.as_ref(), |check| cellstats::times(&self.machine, &self.inner, &listed, check))
    }
}
