//! Programs in Rust that `run` accepts in place of programs in Python.

use crate::errors::usage;
use crate::number::{byte, number};
use cell::coroutine::spu_program;
use cell::door::{ITERATIONS_MAX, Program};
use cell::units::SpeId;
use cellstats::programs::{self, BlockCopy};
use pyo3::prelude::*;

/// A compiled program, which `run` accepts in place of a program in Python.
#[pyclass(frozen, module = "cellstats._native")]
pub struct NativeProgram {
    which: Which,
}

#[derive(Clone, Copy)]
enum Which {
    Ping { iterations: u64, partner: SpeId },
    Pong { iterations: u64, partner: SpeId },
    Copy(BlockCopy),
}

impl NativeProgram {
    /// Starts the program.
    pub fn start(&self) -> Box<dyn Program> {
        match self.which {
            Which::Ping { iterations, partner } => spu_program(|spu| programs::ping(spu, iterations, partner)),
            Which::Pong { iterations, partner } => spu_program(|spu| programs::pong(spu, iterations, partner)),
            Which::Copy(copy) => spu_program(|spu| programs::double_buffered_copy(spu, copy)),
        }
    }
}

#[pymethods]
impl NativeProgram {
    /// The program `cellstats.programs.ping`.
    #[staticmethod]
    fn ping(iterations: &Bound<'_, PyAny>, partner_spe: &Bound<'_, PyAny>) -> PyResult<NativeProgram> {
        let (iterations, partner) = partners(iterations, partner_spe)?;
        Ok(NativeProgram { which: Which::Ping { iterations, partner } })
    }

    /// The program `cellstats.programs.pong`.
    #[staticmethod]
    fn pong(iterations: &Bound<'_, PyAny>, partner_spe: &Bound<'_, PyAny>) -> PyResult<NativeProgram> {
        let (iterations, partner) = partners(iterations, partner_spe)?;
        Ok(NativeProgram { which: Which::Pong { iterations, partner } })
    }

    /// The program `cellstats.programs.double_buffered_copy`.
    #[staticmethod]
    fn double_buffered_copy(
        source_ea: &Bound<'_, PyAny>,
        target_ea: &Bound<'_, PyAny>,
        total_bytes: &Bound<'_, PyAny>,
        chunk_bytes: &Bound<'_, PyAny>,
    ) -> PyResult<NativeProgram> {
        let any = 0..=u64::MAX;
        let copy = BlockCopy::new(
            number(source_ea, "effective address", any.clone())?,
            number(target_ea, "effective address", any.clone())?,
            number(total_bytes, "total_bytes", any.clone())?,
            number(chunk_bytes, "chunk_bytes", any)?,
        );
        Ok(NativeProgram { which: Which::Copy(copy.map_err(usage)?) })
    }
}

fn partners(iterations: &Bound<'_, PyAny>, partner_spe: &Bound<'_, PyAny>) -> PyResult<(u64, SpeId)> {
    let iterations = number(iterations, "iterations", 0..=ITERATIONS_MAX)?;
    Ok((iterations, SpeId(byte(partner_spe, "partner_spe", u8::MAX)?)))
}
