//! Starts the programs of the SPEs: the built-in programs, or the executable of `programs/cellstats`.
//!
//! The executable is embedded in this crate, so that no compiler is needed.

use crate::choices::SpeProgram;
use crate::refusal::Refusal;
use crate::spe;
use cell::door::Program;
use cell::machine::Machine;
use cell::units::SpeId;
use spu::calls::Calls;
use spu::calls::host::NoFiles;
use spu::elf::Image;
use spu::program::{SpuProgram, Start};
use spu::report::Report;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const EXECUTABLE: &[u8] = include_bytes!("../../../programs/cellstats/cellstats.elf");

/// Starts the program of an SPE. The argument is the effective address of its control block, or 0 for a thread that has
/// nothing to do.
pub type StartSpe = Rc<dyn Fn(SpeId, u64) -> Box<dyn Program>>;

/// Returns the function that starts the chosen SPE programs.
///
/// # Errors
/// The embedded file is not an executable; a test rules this out.
pub fn starter(machine: &Machine, spe_program: SpeProgram) -> Result<StartSpe, Refusal> {
    match spe_program {
        SpeProgram::Builtin => Ok(Rc::new(|_, control_ea| spe::program(control_ea))),
        SpeProgram::C => start_in_c(machine).map_err(Refusal::new),
    }
}

fn start_in_c(machine: &Machine) -> Result<StartSpe, String> {
    let image = Arc::new(Image::parse(EXECUTABLE)?);
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(NoFiles))));
    let machine = machine.clone();
    Ok(Rc::new(move |spe, argp| {
        let start = Start { spe, argp, envp: 0, arguments: Vec::new() };
        let report = Rc::new(RefCell::new(Report::<()>::default()));
        Box::new(SpuProgram::new(&machine, Arc::clone(&image), start, Rc::clone(&calls), report))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Address of the DMA lists, the first data in a local store (`crate::addresses`); the executable must end below
    /// it.
    const LISTS_LSA: u32 = 0x4000;
    const STACK_BYTES_MIN: u32 = 2048;

    #[test]
    fn program_and_stack_end_before_the_buffers_begin() {
        let image = Image::parse(EXECUTABLE).unwrap();
        let end = image.segments.iter().map(|(address, bytes)| address + bytes.len() as u32).max().unwrap();
        let stack = image.symbols["__stack"];
        assert!(stack < LISTS_LSA && end + STACK_BYTES_MIN <= stack, "{end:#x} {stack:#x}");
    }
}
