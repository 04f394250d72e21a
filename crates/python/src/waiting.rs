//! Runs long work with the interpreter lock released, but still handles signals.

use crate::errors::{RunError, refused};
use cellstats::MeasureError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Runs long work. The `work` closure receives a check, and stops once the check returns false.
pub fn detached<T: Send>(
    py: Python<'_>,
    stop: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, MeasureError> + Send,
) -> PyResult<T> {
    let (done, raised) = heard(py, stop, work);
    match (done, raised) {
        (Ok(done), _) => Ok(done),
        (Err(MeasureError::Refused(refusal)), _) => Err(refused(&refusal)),
        (Err(MeasureError::Run(_)), Some(raised)) => Err(raised),
        (Err(MeasureError::Run(error)), None) => Err(RunError::new_err(error.to_string())),
    }
}

/// Runs long work and returns its outcome, with the exception that interrupted it, if any.
pub fn heard<T: Send>(
    py: Python<'_>,
    stop: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send,
) -> (T, Option<PyErr>) {
    py.detach(|| {
        let mut raised = None;
        let mut goes_on = || match Python::attach(|py| py.check_signals().and_then(|()| not_stopped(py, stop))) {
            Ok(()) => true,
            Err(error) => {
                raised = Some(error);
                false
            }
        };
        let done = work(&mut goes_on);
        (done, raised)
    })
}

/// Raises KeyboardInterrupt if the event `stop` is set.
fn not_stopped(py: Python<'_>, stop: Option<&Py<PyAny>>) -> PyResult<()> {
    match stop {
        Some(stop) if stop.call_method0(py, "is_set")?.is_truthy(py)? => Err(PyKeyboardInterrupt::new_err(())),
        _ => Ok(()),
    }
}
