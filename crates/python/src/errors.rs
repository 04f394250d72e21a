//! The two exceptions, and the conversion of the simulator's errors into exceptions.

use cellstats::Refusal;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;

create_exception!(
    cellstats._native,
    UsageError,
    PyValueError,
    "Impossible parameters; one line that says what is wrong and what would be right."
);
create_exception!(
    cellstats._native,
    RunError,
    PyRuntimeError,
    "A simulated run that went wrong; one line with the SPE, the cycle, the command and the rule."
);

/// A [`UsageError`].
pub fn usage(line: impl Display) -> PyErr {
    UsageError::new_err(line.to_string())
}

/// A [`UsageError`] with an attribute `refusal`: the parameter, its value, what excludes the value, and the reason.
pub fn refused(refusal: &Refusal) -> PyErr {
    let error = usage(refusal.to_string());
    let parts = (refusal.parameter, &refusal.given, &refusal.with, &refusal.reason);
    match Python::attach(|py| error.value(py).setattr("refusal", parts)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Holds a Python exception until the run has ended, because the simulator cannot pass on Python exceptions.
#[derive(Clone, Default)]
pub struct Pending(Rc<RefCell<Option<PyErr>>>);

impl Pending {
    /// Keeps `error`, and returns a placeholder message for the simulator, which no user sees.
    pub fn keep(&self, error: PyErr) -> String {
        *self.0.borrow_mut() = Some(error);
        "a Python exception".to_string()
    }

    /// The exception of a failed run: the kept exception, or else the simulator's own error.
    pub fn or_run_error(&self, error: &cell::error::RunError) -> PyErr {
        self.0.borrow_mut().take().unwrap_or_else(|| RunError::new_err(error.to_string()))
    }

    /// Lets other Python threads run, then checks for signals. Returns false if a signal handler raised an exception.
    pub fn goes_on(&self, py: Python<'_>) -> bool {
        py.detach(|| ());
        match py.check_signals() {
            Ok(()) => true,
            Err(error) => {
                self.keep(error);
                false
            }
        }
    }
}
