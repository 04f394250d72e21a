//! Which chip's SPEs threads run on, and which chip's memory their data lie in: what `numactl` decided on
//! the blades.

use super::params::{Params, PlacementChoice};
use super::pattern::Pattern;
use cell::ea;
use cell::machine::Machine;
use cell::units::SpeId;

/// Which chips' SPEs are used, and in what order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cells {
    /// Only those of one chip.
    Only(u8),
    /// All, those of this chip first.
    First(u8),
}

impl Cells {
    /// All of them, with their names on the command line.
    pub const ALL: [(Cells, &str); 4] =
        [(Cells::Only(0), "0"), (Cells::Only(1), "1"), (Cells::First(0), "01"), (Cells::First(1), "10")];

    /// Its name.
    pub fn name(self) -> &'static str {
        Cells::ALL.iter().find(|(cells, _)| *cells == self).map_or("", |(_, name)| name)
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// One line with those that there are.
    pub fn from_name(name: &str) -> Result<Cells, String> {
        let found = Cells::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(cells, _)| *cells).ok_or_else(|| format!("--cells {name}: give 0, 1, 01 or 10"))
    }
}

/// Where in main memory buffers and atomic variables lie; control blocks are always at chip 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryChoice {
    /// At one chip.
    At(u8),
    /// At both, page by page, as `numactl --interleave` does it.
    Interleaved,
}

impl MemoryChoice {
    /// All of them, with their names on the command line.
    pub const ALL: [(MemoryChoice, &str); 3] =
        [(MemoryChoice::At(0), "0"), (MemoryChoice::At(1), "1"), (MemoryChoice::Interleaved, "interleave")];

    /// Its name.
    pub fn name(self) -> &'static str {
        MemoryChoice::ALL.iter().find(|(choice, _)| *choice == self).map_or("", |(_, name)| name)
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// One line with those that there are.
    pub fn from_name(name: &str) -> Result<MemoryChoice, String> {
        let found = MemoryChoice::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(choice, _)| *choice).ok_or_else(|| format!("--memory {name}: give 0, 1 or interleave"))
    }

    /// Checks that a machine has it.
    ///
    /// # Errors
    /// One line.
    pub fn check(self, machine: &Machine) -> Result<(), String> {
        match machine.bif.chips {
            1 if self != MemoryChoice::At(0) => {
                let (memory, name) = (self.name(), &machine.name);
                Err(format!("--memory {memory}: {name} has one Cell with one memory, give 0"))
            }
            _ => Ok(()),
        }
    }

    /// Where it begins, and how many bytes there are.
    pub fn region(self, machine: &Machine) -> (u64, u64) {
        match self {
            MemoryChoice::At(chip) => (ea::memory_base(machine, chip), ea::memory_base(machine, 1)),
            MemoryChoice::Interleaved => (ea::INTERLEAVED_BASE, ea::interleaved_bytes(machine)),
        }
    }

    /// What its bytes are called in messages.
    pub fn of_machine(self, machine: &Machine) -> &'static str {
        match (machine.bif.chips, self) {
            (1, _) => "main memory",
            (_, MemoryChoice::At(0)) => "the memory of Cell 0",
            (_, MemoryChoice::At(_)) => "the memory of Cell 1",
            (_, MemoryChoice::Interleaved) => "interleaved memory",
        }
    }
}

impl Params {
    /// The SPEs that threads may run on, in the order in which they get them.
    pub fn usable_spes(&self, machine: &Machine) -> Vec<SpeId> {
        let mut spes: Vec<SpeId> = machine.chip.spes.iter().map(|spe| SpeId(*spe as u8)).collect();
        match self.cells {
            Some(Cells::Only(chip)) => spes.retain(|spe| machine.chip_of(*spe) == chip),
            // Sorting keeps the machine's own order within a chip.
            Some(Cells::First(chip)) => spes.sort_by_key(|spe| machine.chip_of(*spe) != chip),
            None => (),
        }
        spes
    }

    /// The same in groups, within which chance, or all placements, exchange them: by chip if somebody says
    /// which chips are used, as each thread then has its chip.
    pub fn groups_of_spes(&self, machine: &Machine) -> Vec<Vec<SpeId>> {
        let usable = self.usable_spes(machine);
        let together = |a: &SpeId, b: &SpeId| self.cells.is_none() || machine.chip_of(*a) == machine.chip_of(*b);
        usable.chunk_by(together).map(<[SpeId]>::to_vec).collect()
    }

    /// Whether it uses buffers or variables in main memory.
    pub fn uses_memory(&self) -> bool {
        use super::Function::{Complement, Couples, Cycle, Exchange, HotSpot, Pairwise, Uniform};
        match self.function {
            HotSpot => !matches!(self.target, Some(super::HotTarget::Thread(_))),
            Complement | Pairwise | Uniform | Couples | Cycle => false,
            function if function.is_access() => self.is_by_ppe(),
            Exchange => self.pattern.as_ref().is_some_and(Pattern::uses_memory),
            function => function.is_atomic() || function.is_dma() && !self.spe_to_spe,
        }
    }

    /// Checks that the machine has what was chosen, and that the choice means something.
    pub(super) fn check_chips(&self, machine: &Machine) -> Result<(), String> {
        let (one_chip, name) = (machine.bif.chips == 1, &machine.name);
        if let Some(cells) = self.cells {
            if self.ppe_threads() > 0 {
                let (cells, name) = (cells.name(), self.function.name());
                return Err(format!("--cells {cells} with {name}: no SPE takes part, leave --cells out"));
            }
            if one_chip && cells != Cells::Only(0) {
                return Err(format!("--cells {}: {name} has one Cell, give 0", cells.name()));
            }
            if matches!(self.placement, PlacementChoice::Explicit(_)) {
                return Err(format!(
                    "--cells {}: the list of SPEs says which Cells they are on, leave --cells out",
                    cells.name()
                ));
            }
        }
        self.memory.check(machine)?;
        let (memory, function) = (self.memory.name(), self.function.name());
        if self.function.is_access() && self.memory == MemoryChoice::Interleaved {
            return Err(format!(
                "--memory {memory} with {function}: the PPE walks through one chip's memory, give 0 or 1"
            ));
        }
        if self.memory != MemoryChoice::At(0) && !self.uses_memory() {
            let with = if self.spe_to_spe { "-s" } else { function };
            return Err(format!("--memory {memory} with {with}: no buffer is in main memory, leave --memory out"));
        }
        Ok(())
    }

    /// Checks that there are as many SPEs as threads.
    pub(super) fn check_enough_spes(&self, machine: &Machine) -> Result<(), String> {
        let (n, most) = (self.spes, self.usable_spes(machine).len() as u32);
        let flag = if self.private { "-N" } else { "-n" };
        let where_ = match self.cells {
            Some(Cells::Only(chip)) if machine.bif.chips > 1 => format!(" on Cell {chip}"),
            _ => String::new(),
        };
        let name = &machine.name;
        match most {
            0 => Err(format!("--cells: {name} has no SPEs{where_} to use, leave --cells out")),
            _ if n == 0 || n > most => {
                Err(format!("{flag} {n}: {name} has {most} SPEs{where_} to use, give 1 to {most}"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Function;

    fn spes(cells: Option<Cells>) -> Vec<u8> {
        let params = Params { cells, ..Params::new(Function::DmaGet) };
        let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        params.usable_spes(&machine).iter().map(|spe| spe.0).collect()
    }

    #[test]
    fn cells_choose_spes_and_their_order() {
        assert_eq!(spes(Some(Cells::Only(1))), (8..16).collect::<Vec<_>>());
        assert_eq!(spes(Some(Cells::First(0))), (0..16).collect::<Vec<_>>());
        assert_eq!(spes(Some(Cells::First(1))), (8..16).chain(0..8).collect::<Vec<_>>());
        assert_eq!(spes(None), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for (cells, name) in Cells::ALL {
            assert_eq!((Cells::from_name(name), cells.name()), (Ok(cells), name));
        }
        for (choice, name) in MemoryChoice::ALL {
            assert_eq!((MemoryChoice::from_name(name), choice.name()), (Ok(choice), name));
        }
        assert!(Cells::from_name("2").is_err() && MemoryChoice::from_name("2").is_err());
    }

    #[test]
    fn each_memory_has_its_half_and_interleaving_both() {
        let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        let half = machine.chip.main_memory_bytes / 2;
        assert_eq!(MemoryChoice::At(0).region(&machine), (0, half));
        assert_eq!(MemoryChoice::At(1).region(&machine), (half, half));
        let (base, bytes) = MemoryChoice::Interleaved.region(&machine);
        assert_eq!(base, ea::INTERLEAVED_BASE);
        assert!(half < bytes && bytes <= 2 * half);
    }
}
