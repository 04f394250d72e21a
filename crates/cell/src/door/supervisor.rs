//! Operations that an operating system on the PPE can perform during a program's turn.

use super::calls::Syscall;
use super::spu::Program;
use crate::channels::Channels;
use crate::command::Command;
use crate::counters::SpeCounters;
use crate::error::RunError;
use crate::machine::Machine;
use crate::mfc::Stage;
use crate::page_table::{Access, BadAddress, Mapping, PageTable};
use crate::placement::Placement;
use crate::record::TransferRecord;
use crate::store::{LocalStore, Store};
use crate::units::{BusCycle, ContextId, SpeId};
use std::rc::Rc;

/// A command in a queue of an MFC.
#[derive(Clone, Copy, Debug)]
pub struct QueuedCommand {
    /// Whether the PPE issued the command.
    pub proxy: bool,
    /// The command as issued.
    pub command: Command,
    /// Progress of the command.
    pub stage: Stage,
}

/// The machine, as privileged software on the PPE sees it.
///
/// The calls take effect at once, and the program spends the duration of the calls afterwards. The process's own
/// accesses through its mapped windows go over the bus ([`super::PpeOp::Load`]). An SPE that is started through this
/// trait is *supervised*: if its program or its DMA breaks a rule, the program ends but the run does not, and
/// [`Supervisor::take_end`] returns the error.
pub trait Supervisor {
    /// The values of the machine file.
    fn machine(&self) -> &Machine;

    /// The SPE of each thread.
    fn placement(&self) -> &Placement;

    /// The time base, in ticks.
    fn time_base(&self) -> u64;

    /// Interrupts a PPE thread at once if it sleeps, otherwise as soon as it sleeps.
    fn interrupt(&mut self, thread: usize);

    /// Whether the calling thread was interrupted since it last slept or called this function.
    fn take_interrupt(&mut self) -> bool;

    /// Main memory, by real address. Use [`Supervisor::store`] to write bytes that other units may have reserved.
    fn memory(&mut self) -> &mut Store;

    /// Writes main memory. Invalidates all other units' copies of the written lines and their reservations on these
    /// lines.
    fn store(&mut self, real: u64, bytes: &[u8]);

    /// Invalidates all other units' copies and reservations of a line that the PPE's thread has written.
    fn take_line(&mut self, line: u64);

    /// Whether another unit has reserved the line or caches it for atomic access.
    fn is_of_others(&self, line: u64) -> bool;

    /// Clears the thread's reservation.
    fn clear_reservation(&mut self);

    /// Whether a load of the line hits the L1. A hit makes the line the most recently used one.
    fn load_hits(&mut self, line: u64) -> bool;

    /// Whether the L2 owns the line, so that a store does not wait for the bus.
    fn store_hits(&mut self, line: u64) -> bool;

    /// Number of times that a line left the PPE's caches or the PPE lost ownership of a line. While this number is
    /// unchanged, lines that hit before still hit.
    fn cache_generation(&self) -> u64;

    /// The process's page table, which is created empty on first use.
    fn pages(&mut self) -> &Rc<PageTable>;

    /// Maps pages of the process, replacing earlier mappings.
    fn map(&mut self, ea: u32, bytes: u32, mapping: Mapping, access: Access);

    /// Maps shared memory, whose frames come from [`PageTable::take_frames`].
    fn map_frames(&mut self, ea: u32, frames: &[u32], huge: bool, access: Access);

    /// Ends the caller's hold of the frames of shared memory.
    fn drop_frames(&mut self, frames: &[u32]);

    /// Unmaps pages of the process.
    fn unmap(&mut self, ea: u32, bytes: u32);

    /// Marks pages of the process as absent (`away`) or present. Unprivileged accesses to absent pages, including DMA
    /// commands, wait until the pages are present.
    fn set_away(&mut self, ea: u32, bytes: u32, away: bool);

    /// Whether any transfer is in flight to or from the main memory behind pages of the process.
    fn is_in_use(&mut self, ea: u32, bytes: u32) -> bool;

    /// Moves pages of the process to an unmapped address range.
    fn move_pages(&mut self, from: u32, to: u32, bytes: u32);

    /// Reads the process's storage, including mapped local stores.
    ///
    /// # Errors
    /// Part of the range is not mapped, or is not storage.
    fn read(&mut self, ea: u64, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes the process's storage, including mapped local stores.
    ///
    /// # Errors
    /// Part of the range is not mapped, or is not storage. All bytes before that part have been written.
    fn write(&mut self, ea: u64, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Whether a system call would wait for an SPE if it were issued now.
    fn would_wait(&self, call: Syscall) -> bool;

    /// Number of SPEs on all chips.
    fn spe_count(&self) -> u8;

    /// An SPE's local store.
    fn local_store(&mut self, spe: SpeId) -> &mut LocalStore;

    /// Reads a problem-state register, or `SPU_OutIntrMbox`, with its side effects.
    ///
    /// # Errors
    /// The access, or the proxy command that it issues, breaks a rule.
    fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError>;

    /// Writes a problem-state register, with its side effects.
    ///
    /// # Errors
    /// No such register exists.
    fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError>;

    /// Mask of the tag groups that have no commands in the proxy queue.
    fn idle_proxy_tags(&mut self, spe: SpeId) -> u32;

    /// Starts a supervised program on an SPE, in the process's address space.
    fn start(&mut self, spe: SpeId, program: Box<dyn Program>);

    /// The counters of an SPE since the start of the run, for all contexts that ran on it.
    fn spe_counters(&self, spe: SpeId) -> &SpeCounters;

    /// An SPE's channels.
    fn channels(&mut self, spe: SpeId) -> &mut Channels;

    /// Whether a command of an SPE waits for a page that is absent ([`Supervisor::set_away`]).
    fn waits_for_page(&mut self, spe: SpeId) -> bool;

    /// What an SPE's program does, for people: it runs, waits for a channel, or has stopped.
    fn doing(&mut self, spe: SpeId) -> String;

    /// The commands in the two queues of an SPE's MFC, oldest first: those of the SPU, then those of the PPE.
    fn commands(&mut self, spe: SpeId) -> Vec<QueuedCommand>;

    /// The last transfers over the rings, if they are kept ([`crate::system::System::keep_last_transfers`]).
    fn transfers(&mut self) -> Vec<TransferRecord>;

    /// The names of the ramps in transfers.
    fn elements(&self) -> Vec<String>;

    /// The current bus cycle.
    fn bus_cycle(&self) -> BusCycle;

    /// Whether an SPE's program has ended and [`Supervisor::take_end`] has not been called.
    fn has_ended(&mut self, spe: SpeId) -> bool;

    /// Returns the outcome of an SPE's program: its stop code, or the rule that it broke. Returns `None` while the
    /// program runs, and after the outcome has been returned once.
    fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>>;

    /// Ends an SPE's program at its current instruction.
    fn halt(&mut self, spe: SpeId);

    /// Suspends an SPE so that its context can be saved: the program gets no more turns, and the MFC starts no more
    /// commands.
    fn suspend(&mut self, spe: SpeId);

    /// Creates a context in its reset state, outside any SPE. The context's DMA commands use the process's page table.
    fn new_context(&mut self) -> ContextId;

    /// The channels and the local store of a context that is not on an SPE.
    fn saved(&mut self, id: ContextId) -> Option<(&mut Channels, &mut LocalStore)>;

    /// Deletes a context that is not on an SPE.
    fn drop_context(&mut self, id: ContextId);

    /// Removes the context from a suspended SPE and leaves the SPE idle. Returns `None` while a bus request from or to
    /// the context is still in flight.
    fn save(&mut self, spe: SpeId) -> Option<ContextId>;

    /// Restores a context to an idle SPE, resumes the context, and frees the context's number.
    fn restore(&mut self, spe: SpeId, id: ContextId);
}
