//! Measurements of this computer: requests and answers are JSON.

use crate::errors::{RunError, usage};
use crate::waiting::heard;
use host::Error;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The clock that measurements use, as JSON.
#[pyfunction]
pub fn host_clock(py: Python<'_>) -> String {
    py.detach(host::clock)
}

/// Where measurements count hardware events, or why they do not, as JSON.
#[pyfunction]
pub fn host_counters(py: Python<'_>) -> String {
    py.detach(host::counters)
}

/// Runs the measurement that the JSON describes, with the interpreter lock released. `stop` has the same meaning as in
/// `Request`.
#[pyfunction]
#[pyo3(signature = (request, stop=None))]
pub fn host_measure(py: Python<'_>, request: &str, stop: Option<Py<PyAny>>) -> PyResult<String> {
    let (measured, raised) = heard(py, stop.as_ref(), |goes_on| host::measure(request, goes_on));
    // An interrupt is raised even if the measurement ended at the same moment.
    raised.map_or(Ok(()), Err)?;
    measured.map_err(|error| match error {
        Error::Usage(line) => usage(line),
        Error::Run(line) => RunError::new_err(line),
        Error::Stopped => PyKeyboardInterrupt::new_err(()),
    })
}
