//! PPE programs written in Python.

use crate::errors::Pending;
use crate::program::Running;
use crate::question::ppe_step;
use cell::door::{PpeProgram, PpeStep, PpeTurn, Supervisor};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A PPE program in Python.
pub struct PythonPpe<'py> {
    py: Python<'py>,
    running: Running<'py>,
    pending: Pending,
}

impl<'py> PythonPpe<'py> {
    /// `entry()` will start it; its exceptions go to `pending`.
    pub fn new(entry: Bound<'py, PyAny>, pending: Pending) -> Self {
        PythonPpe { py: entry.py(), running: Running::new(entry), pending }
    }

    fn turn(&mut self, answer: u64) -> PyResult<PpeStep> {
        match self.running.turn(answer, || Ok(PyTuple::empty(self.py)))? {
            Ok(request) => ppe_step(&request),
            Err(code) => Ok(PpeStep::Stop(code)),
        }
    }
}

impl PpeProgram for PythonPpe<'_> {
    fn resume(&mut self, turn: PpeTurn, _: &mut Supervisor<'_, '_>) -> Result<PpeStep, String> {
        self.turn(turn.answer).map_err(|error| self.pending.keep(error))
    }
}
