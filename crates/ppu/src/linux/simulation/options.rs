//! What is run, and how.

use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::Window;
use cell::units::BusCycle;
use files::Reach;
use std::fmt;
use std::path::PathBuf;

/// What is run, and how.
pub struct Options<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The SPEs that contexts get, in this order.
    pub placement: Placement,
    /// A longer run fails.
    pub limit_bus_cycles: BusCycle,
    /// The program's file, wherever it lies.
    pub program: PathBuf,
    /// `argv`; the first is how the program is called.
    pub arguments: Vec<Vec<u8>>,
    /// `envp`, as `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Directories in which the system's files lie, for reading only; a file is taken from the first that has it.
    pub system_roots: Vec<PathBuf>,
    /// How far the program may reach into the files of the user.
    pub reach: Reach,
    /// The current directory.
    pub directory: PathBuf,
    /// The part of the run that is to be traced; the run ends with it.
    pub window: Option<Window>,
    /// Whether what SPEs execute is counted, instruction by instruction, and the PPE's time function by function.
    pub profile: bool,
}

/// Why there is no outcome: one line for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The program cannot be run: it is none, or something is missing.
    Usage(String),
    /// The run cannot go on.
    Run(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Refusal::Usage(line) | Refusal::Run(line)) = self;
        f.write_str(line)
    }
}
