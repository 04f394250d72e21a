//! SPU programs in Python: generators and coroutines that receive one `send` for each turn.

use crate::errors::{Pending, usage};
use crate::local_store::NativeLocalStore;
use crate::number::word;
use crate::program_request::spu_step;
use crate::text::shown;
use cell::door::{Program, Step, Turn};
use cell::store::LocalStore;
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A generator or coroutine; its function is called in the first turn.
pub struct Running<'py> {
    entry: Bound<'py, PyAny>,
    send: Option<Bound<'py, PyAny>>,
}

impl<'py> Running<'py> {
    /// Runs the generator or coroutine that `entry` returns.
    pub fn new(entry: Bound<'py, PyAny>) -> Self {
        Running { entry, send: None }
    }

    /// Runs one turn, and returns the value that the program yields, or its stop code. `arguments` are for the first
    /// turn.
    pub fn turn(
        &mut self,
        answer: impl IntoPyObject<'py>,
        arguments: impl FnOnce() -> PyResult<Bound<'py, PyTuple>>,
    ) -> PyResult<Result<Bound<'py, PyAny>, u32>> {
        let py = self.entry.py();
        let outcome = match &self.send {
            Some(send) => send.call1((answer,)),
            None => {
                let send = sender(&self.entry.call1(arguments()?)?)?;
                self.send.insert(send).call1((py.None(),))
            }
        };
        match outcome {
            Ok(request) => Ok(Ok(request)),
            Err(error) if error.is_instance_of::<PyStopIteration>(py) => {
                Ok(Err(stop_code(&error.value(py).getattr("value")?)?))
            }
            Err(error) => Err(error),
        }
    }
}

fn sender<'py>(running: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    running.getattr("send").map_err(|_| {
        usage(format!(
            "a program returned {} when it was called; write it as an async function, or as a generator function",
            shown(running)
        ))
    })
}

fn stop_code(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    if value.is_none() { Ok(0) } else { word(value, "the stop code that a program returned,") }
}

/// An SPU program in Python.
pub struct PythonProgram<'py> {
    running: Running<'py>,
    argument: u64,
    local_store: Option<Bound<'py, NativeLocalStore>>,
    pending: Pending,
    /// Whether the program has returned.
    ended: bool,
}

impl<'py> PythonProgram<'py> {
    /// A program that `entry(local_store, argument)` starts; its exceptions go to `pending`.
    pub fn new(entry: Bound<'py, PyAny>, argument: u64, pending: Pending) -> Self {
        PythonProgram { running: Running::new(entry), argument, local_store: None, pending, ended: false }
    }

    fn turn(&mut self, answer: u32, store: &mut LocalStore) -> PyResult<Step> {
        let py = self.running.entry.py();
        let lent = match &self.local_store {
            Some(lent) => lent,
            None => self.local_store.insert(Bound::new(py, NativeLocalStore::new(store.size_bytes()))?),
        };
        lent.get().lend(store);
        let arguments = || (lent, self.argument).into_pyobject(py);
        let outcome = self.running.turn(u64::from(answer), arguments);
        lent.get().take_back(store);
        let outcome = outcome?;
        self.ended = outcome.is_err();
        match outcome {
            Ok(request) => spu_step(&request),
            Err(code) => Ok(Step::Stop(code)),
        }
    }
}

impl Program for PythonProgram<'_> {
    fn resume(&mut self, turn: Turn, local_store: &mut LocalStore) -> Result<Step, String> {
        self.turn(turn.answer, local_store).map_err(|error| self.pending.keep(error))
    }

    fn goes_on(&self) -> bool {
        !self.ended
    }
}
