//! What an operating system on the PPE has in its hands for the length of a program's turn.

use super::calls::Syscall;
use super::spu::Program;
use crate::channels::Channels;
use crate::counters::SpeCounters;
use crate::error::RunError;
use crate::machine::Machine;
use crate::page_table::{Access, BadAddress, Mapping, PageTable};
use crate::placement::Placement;
use crate::store::{LocalStore, Store};
use crate::units::{ContextId, SpeId};
use std::rc::Rc;

/// The machine, as privileged software on the PPE sees it.
///
/// What it does here it does at once, and asks for the time of it afterwards.  What a process does itself, through the
/// windows that are mapped for it, goes over the bus ([`super::PpeOp::Load`]).  An SPE that is started here is
/// *supervised*: a rule that its program or its DMA breaks ends that program, and not the run, and is there to be
/// asked for.
pub trait Supervisor {
    /// The machine's values.
    fn machine(&self) -> &Machine;

    /// Which SPEs threads are placed on.
    fn placement(&self) -> &Placement;

    /// The time base, in ticks.
    fn time_base(&self) -> u64;

    /// Interrupts a PPE thread that sleeps, or will.
    fn interrupt(&mut self, thread: usize);

    /// Whether there was an interrupt for the thread since it slept or was asked last.
    fn take_interrupt(&mut self) -> bool;

    /// Main memory, by real address.  Bytes that others might have reserved are for [`Supervisor::store`] to write.
    fn memory(&mut self) -> &mut Store;

    /// Writes main memory, and takes the lines, with all reservations, from everybody else.
    fn store(&mut self, real: u64, bytes: &[u8]);

    /// Takes a line that the PPE's thread has written from everybody else, with all reservations.
    fn take_line(&mut self, line: u64);

    /// Whether somebody else has reserved a line or cached it for atomic access.
    fn is_of_others(&self, line: u64) -> bool;

    /// Reserves a line of main memory for the thread (`lwarx`): from now on others share it with the PPE.
    fn reserve(&mut self, line: u64);

    /// Whether the thread's reservation of a line still holds; it has none afterwards (`stwcx.`).
    fn take_reservation(&mut self, line: u64) -> bool;

    /// Whether the L1 has a line, which is used with that.
    fn load_hits(&mut self, line: u64) -> bool;

    /// Whether the L2 owns a line, so that a store to it waits for nobody.
    fn store_hits(&mut self, line: u64) -> bool;

    /// Counts the lines that left the PPE's caches or its ownership: what was known of hits before that is out of date.
    fn cache_generation(&self) -> u64;

    /// The process's page table; there is an empty one from the first use on.
    fn pages(&mut self) -> &Rc<PageTable>;

    /// Maps pages of the process; what was mapped there is unmapped.
    fn map(&mut self, ea: u32, bytes: u32, mapping: Mapping, access: Access);

    /// Unmaps pages of the process.
    fn unmap(&mut self, ea: u32, bytes: u32);

    /// Lets what is not privileged wait before pages of the process, DMA commands among it, until they are mapped anew;
    /// or no longer.
    fn set_away(&mut self, ea: u32, bytes: u32, away: bool);

    /// Whether something is under way to or from the main memory of pages of the process.
    fn is_in_use(&mut self, ea: u32, bytes: u32) -> bool;

    /// Moves pages of the process to another address, where nothing is mapped.
    fn move_pages(&mut self, from: u32, to: u32, bytes: u32);

    /// Reads the process's storage, local stores that are mapped among it.
    ///
    /// # Errors
    /// Something of it is not mapped, or is no storage.
    fn read(&mut self, ea: u64, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes the process's storage, local stores that are mapped among it.
    ///
    /// # Errors
    /// Something of it is not mapped, or is no storage; what lies before it is written.
    fn write(&mut self, ea: u64, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Whether a system call would have to wait for an SPE, if it was made now.
    fn would_wait(&self, call: Syscall) -> bool;

    /// SPEs of all chips.
    fn spe_count(&self) -> u8;

    /// An SPE's local store.
    fn local_store(&mut self, spe: SpeId) -> &mut LocalStore;

    /// Reads a problem-state register, or `SPU_OutIntrMbox`, with its side effects.
    ///
    /// # Errors
    /// The rule that the access, or the proxy command that it gives, breaks.
    fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError>;

    /// Writes a problem-state register, with its side effects.
    ///
    /// # Errors
    /// There is no such register.
    fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError>;

    /// Tag groups without commands in the proxy queue, as a mask.
    fn idle_proxy_tags(&mut self, spe: SpeId) -> u32;

    /// Starts a program on an SPE, supervised, in the process's address space.
    fn start(&mut self, spe: SpeId, program: Box<dyn Program>);

    /// What an SPE has counted so far, whoever was on it.
    fn spe_counters(&self, spe: SpeId) -> &SpeCounters;

    /// An SPE's channels.
    fn channels(&mut self, spe: SpeId) -> &mut Channels;

    /// Whether an SPE's program has ended, and nobody has asked how.
    fn has_ended(&mut self, spe: SpeId) -> bool;

    /// How an SPE's program has ended: its stop code, or the rule that it broke.  Nothing while it runs; told once.
    fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>>;

    /// Ends an SPE's program wherever it stands.
    fn halt(&mut self, spe: SpeId);

    /// Keeps an SPE from starting anything new, so that it can be saved: its program has no more turns, its MFC no
    /// more commands.
    fn suspend(&mut self, spe: SpeId);

    /// A context after reset, on no SPE yet; its DMA commands go through the process's page table.
    fn new_context(&mut self) -> ContextId;

    /// The channels and the local store of a context that is on no SPE.
    fn saved(&mut self, id: ContextId) -> Option<(&mut Channels, &mut LocalStore)>;

    /// Forgets a context that is on no SPE.
    fn drop_context(&mut self, id: ContextId);

    /// Takes the context of an SPE that is suspended, and leaves an SPE at rest; nothing while something of it is
    /// still under way.
    fn save(&mut self, spe: SpeId) -> Option<ContextId>;

    /// Puts a context on an SPE at rest, and lets it go on; its number is free again.
    fn restore(&mut self, spe: SpeId, id: ContextId);
}
