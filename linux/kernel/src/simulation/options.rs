//! Options of a run.

use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::Window;
use cell::units::BusCycle;
use files::Reach;
use std::path::PathBuf;

/// Options of a run.
pub struct Options<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// Placement: the SPEs for contexts, in order of preference.
    pub placement: Placement,
    /// Maximum duration of the run.
    pub limit_bus_cycles: BusCycle,
    /// Path of the program's file.
    pub program: PathBuf,
    /// `argv`.
    pub arguments: Vec<Vec<u8>>,
    /// `envp`, as `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Whether the stack and all mappings are below 2 GB.
    pub low_addresses: bool,
    /// Read-only directories that contain system files. A system file is taken from the first directory that contains
    /// it.
    pub system_roots: Vec<PathBuf>,
    /// The user's files that the program may access.
    pub reach: Reach,
    /// The current directory.
    pub directory: PathBuf,
    /// Window to trace. The run ends with the traced window.
    pub window: Option<Window>,
    /// Whether to profile the SPEs by instruction and the PPE by function.
    pub profile: bool,
}
