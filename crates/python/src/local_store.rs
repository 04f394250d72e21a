//! The local store of a program in Python.
//!
//! The machine owns the bytes and lends them for each turn of the program. Lending moves a small handle and does not
//! copy the bytes. Between turns, a program cannot read its local store.

use crate::errors::usage;
use crate::number::number;
use cell::store::{LocalStore, Store};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The local store of the SPE on which a program runs.
#[pyclass(frozen, module = "cellstats._native")]
pub struct NativeLocalStore {
    size_bytes: u64,
    /// The store during a turn of the program.
    lent: Mutex<Option<Store>>,
}

impl NativeLocalStore {
    pub fn new(size_bytes: u64) -> NativeLocalStore {
        NativeLocalStore { size_bytes, lent: Mutex::new(None) }
    }

    /// Lends the store at the start of a turn.
    pub fn lend(&self, store: &mut LocalStore) {
        *self.lock() = Some(std::mem::take(store));
    }

    /// Takes the store back at the end of a turn.
    pub fn take_back(&self, store: &mut LocalStore) {
        if let Some(lent) = self.lock().take() {
            *store = lent;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Store>> {
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that `n` bytes at `addr` are in the local store. Hardware would wrap at the end; here an address beyond
    /// the end is an error of the program.
    fn check(&self, addr: u64, n: u64) -> PyResult<()> {
        if n > self.size_bytes - addr {
            let size = self.size_bytes;
            return Err(usage(format!("{n} bytes at {addr:#x} are not in the local store, which ends at {size:#x}")));
        }
        Ok(())
    }
}

#[pymethods]
impl NativeLocalStore {
    /// Size in bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.size_bytes
    }

    /// The `n` bytes at `addr`.
    fn read<'py>(
        &self,
        py: Python<'py>,
        addr: &Bound<'py, PyAny>,
        n: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let addr = number(addr, "local-store address", 0..=self.size_bytes)?;
        let n = number(n, "size", 0..=self.size_bytes)?;
        self.check(addr, n)?;
        // The bytes are copied first, because allocating memory in Python may run code that reads this local store
        // again.
        let bytes = self.lock().as_ref().ok_or_else(closed)?.bytes(addr, n as usize);
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes `data` at `addr`.
    fn write(&self, addr: &Bound<'_, PyAny>, data: &[u8]) -> PyResult<()> {
        let addr = number(addr, "local-store address", 0..=self.size_bytes)?;
        self.check(addr, data.len() as u64)?;
        self.lock().as_mut().ok_or_else(closed)?.write(addr, data);
        Ok(())
    }
}

fn closed() -> PyErr {
    PyRuntimeError::new_err("a local store can be used only by its own program while that runs, not from outside")
}
