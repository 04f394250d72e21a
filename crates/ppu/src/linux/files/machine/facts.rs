//! What the simulated machine tells of itself in files.

use cell::machine::Machine;

/// Elements of a chip that are SPEs.
const SPES_PER_CHIP: u32 = 8;
/// Hardware threads of a chip's PPE.
pub const THREADS_PER_CHIP: u32 = 2;

/// What the simulated machine tells of itself, and of the process, in files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Clock of the processors.
    pub clock_hz: u64,
    /// Rate of the time base.
    pub timebase_hz: u64,
    /// Main memory.
    pub main_memory_bytes: u64,
    /// The chip of each SPE that programs may use.
    pub spes: Vec<u32>,
    /// Chips.
    pub chips: u32,
    /// The process.
    pub process: Process,
}

/// What is told of the process.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Process {
    /// Its number.
    pub number: u32,
    /// That of the process that started it.
    pub parent: u32,
    /// Its user.
    pub user: u32,
    /// The absolute path of its program.
    pub program: Vec<u8>,
    /// `argv`
    pub arguments: Vec<Vec<u8>>,
    /// `envp`
    pub environment: Vec<Vec<u8>>,
}

impl Facts {
    /// Of a machine on which this process runs.
    pub fn new(machine: &Machine, process: Process) -> Facts {
        Facts {
            clock_hz: machine.chip.processor_clock_hz,
            timebase_hz: machine.chip.timebase_hz,
            main_memory_bytes: machine.chip.main_memory_bytes,
            spes: machine.chip.spes.iter().map(|spe| spe / SPES_PER_CHIP).collect(),
            chips: machine.bif.chips.max(1),
            process,
        }
    }

    /// Hardware threads of all PPEs.
    pub fn processors(&self) -> u32 {
        self.chips * THREADS_PER_CHIP
    }

    /// Whether it is a PlayStation 3: one chip, of which not all SPEs are there for programs.
    pub fn is_console(&self) -> bool {
        self.chips == 1 && (self.spes.len() as u32) < SPES_PER_CHIP
    }

    /// The range of numbers of its processors, as the kernel writes it.
    pub fn processor_range(&self) -> String {
        format!("0-{}\n", self.processors() - 1)
    }
}
