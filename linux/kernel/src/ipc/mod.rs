//! System V IPC: segments of shared memory, and sets of semaphores.
//!
//! The process is the only user of its objects, which do not outlive the run.
//!
//! Sources: `shmget(2)`, `shmop(2)`, `shmctl(2)`, `semget(2)`, `semop(2)`, `semctl(2)`; Linux, `asm/ipcbuf.h`,
//! `asm/shmbuf.h` and `asm/sembuf.h` of PowerPC.

pub mod semaphores;
pub mod shared_memory;
pub mod table;

use semaphores::Set;
use shared_memory::Shared;
use table::Table;

/// The objects of the process.
#[derive(Default)]
pub struct Ipc {
    /// Segments of shared memory.
    pub segments: Table<Shared>,
    /// Sets of semaphores.
    pub sets: Table<Set>,
}
