//! Choice of the chips that run the threads, and of the memory that holds their data. On the blades, `numactl` made
//! both choices.

use crate::choices::{meaning, shown, word, words};
use crate::refusal::Refusal;
use cell::ea;
use cell::machine::Machine;
use cell::units::SpeId;

/// The chips whose SPEs are used, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cells {
    /// Only the SPEs of one chip.
    Only(u8),
    /// The SPEs of both chips, starting with this chip.
    First(u8),
}

impl Cells {
    /// All choices, with their words.
    pub const ALL: [(Cells, &str); 4] =
        [(Cells::Only(0), "0"), (Cells::Only(1), "1"), (Cells::First(0), "01"), (Cells::First(1), "10")];
    /// All words.
    pub const WORDS: [&'static str; 4] = words(&Cells::ALL);

    /// Its name.
    pub fn name(self) -> &'static str {
        word(&Cells::ALL, self)
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// There is no such choice.
    pub fn from_name(name: &str) -> Result<Cells, Refusal> {
        let unknown = || Refusal::of("cells", "give 0, 1, 01 or 10").given(shown(name));
        meaning(&Cells::ALL, name).ok_or_else(unknown)
    }

    /// Checks that a machine has these chips.
    ///
    /// # Errors
    /// The machine has only one chip.
    pub fn check(self, machine: &Machine) -> Result<(), Refusal> {
        if machine.bif.chips == 1 && self != Cells::Only(0) {
            let reason = format!("{} has one Cell, give 0", machine.name);
            return Err(Refusal::of("cells", reason).given(self.name()));
        }
        Ok(())
    }
}

/// The memory that holds buffers and atomic variables; control blocks are always in the memory of chip 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryChoice {
    /// The memory of one chip.
    At(u8),
    /// The memory of both chips, interleaved by pages as with `numactl --interleave`.
    Interleaved,
}

impl MemoryChoice {
    /// All choices, with their words.
    pub const ALL: [(MemoryChoice, &str); 3] =
        [(MemoryChoice::At(0), "0"), (MemoryChoice::At(1), "1"), (MemoryChoice::Interleaved, "interleave")];
    /// All words.
    pub const WORDS: [&'static str; 3] = words(&MemoryChoice::ALL);

    /// Its name.
    pub fn name(self) -> &'static str {
        word(&MemoryChoice::ALL, self)
    }

    /// The choice with this name.
    ///
    /// # Errors
    /// There is no such choice.
    pub fn from_name(name: &str) -> Result<MemoryChoice, Refusal> {
        let unknown = || Refusal::of("memory", "give 0, 1 or interleave").given(shown(name));
        meaning(&MemoryChoice::ALL, name).ok_or_else(unknown)
    }

    /// Checks that a machine has this memory.
    ///
    /// # Errors
    /// The machine lacks this memory.
    pub fn check(self, machine: &Machine) -> Result<(), Refusal> {
        match machine.bif.chips {
            1 if self != MemoryChoice::At(0) => {
                let reason = format!("{} has one Cell with one memory, give 0", machine.name);
                Err(Refusal::of("memory", reason).given(self.name()))
            }
            _ => Ok(()),
        }
    }

    /// First effective address of this memory, and its size in bytes.
    pub fn region(self, machine: &Machine) -> (u64, u64) {
        match self {
            MemoryChoice::At(chip) => (ea::memory_base(machine, chip), ea::memory_base(machine, 1)),
            MemoryChoice::Interleaved => (ea::INTERLEAVED_BASE, ea::interleaved_bytes(machine)),
        }
    }

    /// The name of this memory in messages.
    pub fn of_machine(self, machine: &Machine) -> &'static str {
        match (machine.bif.chips, self) {
            (1, _) => "main memory",
            (_, MemoryChoice::At(0)) => "the memory of Cell 0",
            (_, MemoryChoice::At(_)) => "the memory of Cell 1",
            (_, MemoryChoice::Interleaved) => "interleaved memory",
        }
    }
}

/// The SPEs that threads may run on, in the order in which threads receive them. If `cells` is `None`, threads may run
/// on all SPEs, in the machine's own order.
pub fn usable_spes(machine: &Machine, cells: Option<Cells>) -> Vec<SpeId> {
    let mut spes: Vec<SpeId> = machine.chip.spes.iter().map(|spe| SpeId(*spe as u8)).collect();
    match cells {
        Some(Cells::Only(chip)) => spes.retain(|spe| machine.chip_of(*spe) == chip),
        // The sort is stable, so SPEs keep the machine's own order within a chip.
        Some(Cells::First(chip)) => spes.sort_by_key(|spe| machine.chip_of(*spe) != chip),
        None => (),
    }
    spes
}

/// The usable SPEs in groups; a random placement shuffles threads only within a group. If the request chooses chips,
/// each chip is a group, since each thread must stay on its chip.
pub fn groups_of_spes(machine: &Machine, cells: Option<Cells>) -> Vec<Vec<SpeId>> {
    let usable = usable_spes(machine, cells);
    let together = |a: &SpeId, b: &SpeId| cells.is_none() || machine.chip_of(*a) == machine.chip_of(*b);
    usable.chunk_by(together).map(<[SpeId]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spes(cells: Option<Cells>) -> Vec<u8> {
        let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
        usable_spes(&machine, cells).iter().map(|spe| spe.0).collect()
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
