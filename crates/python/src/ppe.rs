//! PPE programs written in Python.

use crate::errors::{Pending, usage};
use crate::program::Running;
use crate::program_request::{Bulk, PpeRequest, ppe_request};
use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor, Walk};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

/// A PPE program in Python.
pub struct PythonPpe<'py> {
    py: Python<'py>,
    running: Running<'py>,
    pending: Pending,
    /// The block of memory that is being moved.
    bulk: Option<Bulk>,
}

impl<'py> PythonPpe<'py> {
    /// A program that `entry()` starts; its exceptions go to `pending`.
    pub fn new(entry: Bound<'py, PyAny>, pending: Pending) -> Self {
        PythonPpe { py: entry.py(), running: Running::new(entry), pending, bulk: None }
    }

    fn turn(&mut self, answer: u64, machine: &mut dyn Supervisor) -> PyResult<PpeStep> {
        let answer = match self.bulk.take() {
            None => answer.into_pyobject(self.py)?.into_any(),
            Some(bulk) => self.moved(bulk, machine)?,
        };
        match self.running.turn(answer, || Ok(PyTuple::empty(self.py)))? {
            Ok(request) => match ppe_request(&request)? {
                PpeRequest::Step(step) => Ok(step),
                PpeRequest::Bulk(bulk) => {
                    let walk = walk(&bulk, machine.machine().chip.main_memory_bytes)?;
                    self.bulk = Some(bulk);
                    Ok(PpeStep::Ask(PpeOp::Walk(walk)))
                }
            },
            Err(code) => Ok(PpeStep::Stop(code)),
        }
    }

    /// Moves a block of memory once the duration of the move has passed, and returns the data read, or 0 for a write.
    ///
    /// MODEL: the whole block moves at once, at the end of the duration; silicon moves it piece by piece.
    fn moved(&self, bulk: Bulk, machine: &mut dyn Supervisor) -> PyResult<Bound<'py, PyAny>> {
        Ok(match bulk {
            Bulk::Read { ea, bytes } => {
                let memory = machine.memory();
                let read = |out: &mut [u8]| {
                    memory.read(ea, out);
                    Ok(())
                };
                PyBytes::new_with(self.py, bytes as usize, read)?.into_any()
            }
            Bulk::Write { ea, bytes } => {
                machine.store(ea, &bytes);
                0u64.into_pyobject(self.py)?.into_any()
            }
        })
    }
}

/// The walk that models the time of moving a block.
///
/// # Errors
/// The block is not in main memory.
fn walk(bulk: &Bulk, memory_bytes: u64) -> PyResult<Walk> {
    let (ea, bytes, is_write) = match bulk {
        Bulk::Read { ea, bytes } => (*ea, *bytes, false),
        Bulk::Write { ea, bytes } => (*ea, bytes.len() as u64, true),
    };
    if ea.checked_add(bytes).is_none_or(|end| end > memory_bytes) {
        return Err(usage(format!(
            "{bytes} bytes at {ea:#x} are not in main memory, which ends at {memory_bytes:#x}; \
             local stores are reached by load and store, and by spe_mfcio_get and its kind"
        )));
    }
    Ok(Walk::over_block(ea, bytes, is_write))
}

impl PpeProgram for PythonPpe<'_> {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        self.turn(turn.answer, machine).map_err(|error| self.pending.keep(error))
    }
}
