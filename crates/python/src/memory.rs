//! Main memory after a run.

use crate::errors::usage;
use crate::number::number;
use cell::store::Store;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Main memory at the end of a run.
#[pyclass(frozen, module = "cellstats._native")]
pub struct NativeMemory {
    store: Store,
}

impl NativeMemory {
    pub fn new(store: Store) -> NativeMemory {
        NativeMemory { store }
    }
}

#[pymethods]
impl NativeMemory {
    /// Bytes of main memory; its effective addresses start at 0.
    #[getter]
    fn size(&self) -> u64 {
        self.store.size_bytes()
    }

    /// The `size` bytes at effective address `ea`.
    fn read<'py>(
        &self,
        py: Python<'py>,
        ea: &Bound<'py, PyAny>,
        size: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let room = self.store.size_bytes();
        let ea = number(ea, "effective address", 0..=room)?;
        let size = number(size, "size", 0..=room)?;
        if size > room - ea {
            return Err(usage(format!("{size} bytes at {ea:#x} are not in main memory, which ends at {room:#x}")));
        }
        PyBytes::new_with(py, size as usize, |out| {
            self.store.read(ea, out);
            Ok(())
        })
    }
}
