//! CellStats' SPE side in C: the executable of `programs/cellstats`, for measurements to run.
//!
//! It is part of this crate, so that the tool includes the program and no compiler is needed.

use crate::calls::Calls;
use crate::calls::host::NoFiles;
use crate::elf::Image;
use crate::program::{SpuProgram, Start};
use crate::report::Report;
use cell::functions::StartSpe;
use cell::machine::Machine;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const EXECUTABLE: &[u8] = include_bytes!("../../../programs/cellstats/cellstats.elf");

/// Starts the program on SPEs of a machine, for [`cell::functions::measure_with`].
///
/// # Errors
/// It is no executable, which a test rules out.
pub fn start_in_c(machine: &Machine) -> Result<StartSpe, String> {
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

    /// The PPE's side uses the local store from the lists on (`cell::functions::layout`).
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
