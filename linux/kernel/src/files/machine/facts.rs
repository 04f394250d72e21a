//! Facts about the machine and the process, shown in `/proc` and `/sys`.

use cell::machine::Machine;
use cell::units::THREADS_PER_PPE;
use std::ops::Range;

/// SPEs of a chip.
const SPES_PER_CHIP: u32 = 8;

/// Facts about the simulated machine and its process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Clock frequency of the processors.
    pub clock_hz: u64,
    /// Frequency of the time base.
    pub timebase_hz: u64,
    /// Main memory.
    pub main_memory_bytes: u64,
    /// Size of a huge page.
    pub huge_page_bytes: u32,
    /// Chip number of each SPE that programs may use.
    pub spes: Vec<u32>,
    /// Number of chips.
    pub chips: u32,
    /// The process.
    pub process: Process,
}

/// Facts about the process.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Process {
    /// Process number.
    pub number: u32,
    /// Number of the parent process.
    pub parent: u32,
    /// User number.
    pub user: u32,
    /// Absolute path of the program.
    pub program: Vec<u8>,
    /// `argv`
    pub arguments: Vec<Vec<u8>>,
    /// `envp`
    pub environment: Vec<Vec<u8>>,
}

impl Facts {
    /// Collects the facts about a machine and a process.
    pub fn new(machine: &Machine, process: Process) -> Facts {
        Facts {
            clock_hz: machine.chip.processor_clock_hz,
            timebase_hz: machine.chip.timebase_hz,
            main_memory_bytes: machine.chip.main_memory_bytes,
            huge_page_bytes: machine.translation.huge_page_bytes,
            spes: machine.chip.spes.iter().map(|spe| spe / SPES_PER_CHIP).collect(),
            chips: machine.bif.chips.max(1),
            process,
        }
    }

    /// Number of hardware threads of all PPEs.
    pub fn processors(&self) -> u32 {
        threads_of(self.chips - 1).end
    }

    /// Whether the machine is a PlayStation 3: it has one chip, and fewer than eight SPEs for programs.
    pub fn is_console(&self) -> bool {
        self.chips == 1 && (self.spes.len() as u32) < SPES_PER_CHIP
    }
}

/// The hardware threads of a chip's PPE.
pub fn threads_of(chip: u32) -> Range<u32> {
    let threads = THREADS_PER_PPE as u32;
    chip * threads..(chip + 1) * threads
}
