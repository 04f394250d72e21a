//! The chips' processors, with their units and registers.
//!
//! The behaviour of the units is in the modules `spe`, `ppe` and `journey`.

pub(super) mod context;
pub(super) mod ppe;
mod proxy;
pub(super) mod spe;

use super::board::Board;
use crate::door::PpeProgram;
use crate::machine::Machine;
use crate::page_table::PageTable;
use crate::units::SpeId;
use context::SpeContext;
use ppe::Ppe;
use spe::Spe;
use std::rc::Rc;

/// The processors of all chips.
pub(crate) struct Processors<'p> {
    pub spes: Vec<Spe<'p>>,
    /// The PPE of the first chip, and the PPE of the second chip if it has a program.
    pub ppes: Vec<Ppe<'p>>,
    /// Contexts that are not on an SPE, by number.
    pub contexts: Vec<Option<SpeContext<'p>>>,
    /// The page table of the process that an operating system runs.
    pub pages: Option<Rc<PageTable>>,
}

/// The reason why a processor's turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pause {
    /// The processor must wait for the clock or for another unit.
    Waits,
    /// The program has made a mark, and waits for the number of iterations to skip.
    Marked,
    /// The program has ended.
    Stopped,
}

impl<'p> Processors<'p> {
    /// All processors at rest.
    pub fn new(board: &Board) -> Self {
        let spe = |n| Spe::new(SpeId(n), board.topology.spe_ramp(SpeId(n)), &board.machine);
        let spes = (0..board.topology.spe_count() as u8).map(spe).collect();
        Processors { spes, ppes: vec![Ppe::new(0, &board.machine)], contexts: Vec::new(), pages: None }
    }

    /// The PPE of a chip.
    #[inline]
    pub fn ppe(&mut self, chip: u8) -> &mut Ppe<'p> {
        &mut self.ppes[usize::from(chip)]
    }

    /// Loads a program into the next hardware thread without a program, if there is such a thread.
    pub fn load_ppe(&mut self, program: Box<dyn PpeProgram + 'p>, machine: &Machine) {
        let loaded = self.ppes.len() as u8;
        if self.ppes.iter().all(Ppe::is_full) && u32::from(loaded) < machine.bif.chips {
            self.ppes.push(Ppe::new(loaded, machine));
        }
        if let Some(ppe) = self.ppes.last_mut() {
            ppe.load(program);
        }
    }

    #[inline]
    pub fn spe(&mut self, id: SpeId) -> &mut Spe<'p> {
        &mut self.spes[usize::from(id.0)]
    }
}
