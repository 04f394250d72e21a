//! This computer, measured: JSON in, JSON out.

use crate::errors::{RunError, usage};
use crate::waiting::heard;
use host::Error;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// The clock that measurements would use, as JSON.
#[pyfunction]
pub fn host_clock(py: Python<'_>) -> String {
    py.detach(host::clock)
}

/// Measures what the JSON asks for, with the interpreter left to other threads.  `stop` is as for a `Request`.
#[pyfunction]
#[pyo3(signature = (request, stop=None))]
pub fn host_measure(py: Python<'_>, request: &str, stop: Option<Py<PyAny>>) -> PyResult<String> {
    let (measured, raised) = heard(py, stop.as_ref(), |goes_on| host::measure(request, goes_on));
    // Whoever interrupted is heard even if the measurement came to its end at the same moment.
    raised.map_or(Ok(()), Err)?;
    measured.map_err(|error| match error {
        Error::Usage(line) => usage(line),
        Error::Run(line) => RunError::new_err(line),
        Error::Stopped => PyKeyboardInterrupt::new_err(()),
    })
}
