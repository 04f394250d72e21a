//! The machine in the hands of an operating system on the PPE, for the length of a program's turn.
//!
//! What privileged software does with SPEs it does here at once, and the program asks for the time of it
//! afterwards: its costs are values of the machine, as those of all system calls.  What a process does itself,
//! through the windows that are mapped for it, goes over the bus ([`crate::door::PpeOp::Load`]).
//!
//! An SPE that is started here is *supervised*: a rule that its program or its DMA breaks ends that program, and
//! not the run, and is there to be asked for.

use super::events;
use super::unit::Ppe;
use crate::channels::Channels;
use crate::counters::SpeCounters;
use crate::door::{Program, Syscall};
use crate::ea::Target;
use crate::error::RunError;
use crate::machine::Machine;
use crate::page_table::{Access, AccessKind, BadAddress, Mapping, PAGE_BYTES, PageTable};
use crate::placement::Placement;
use crate::ppe::THREADS;
use crate::store::{LocalStore, Store};
use crate::system::board::Board;
use crate::system::bus::Bus;
use crate::system::journey::snoop::take_line;
use crate::system::memory::Memory;
use crate::system::probes::set::Probes;
use crate::system::processors::Processors;
use crate::system::spe::context::{ContextId, SpeContext};
use crate::system::spe::unit::Spe;
use crate::system::spe::{context, registers};
use crate::system::time::Time;
use crate::units::{LINE_BYTES, SpeId, SpuCycles};
use std::rc::Rc;

/// All PPE threads, as a mask.
pub(crate) const ALL_THREADS: u32 = (1 << THREADS) - 1;

/// The machine, as privileged software on the PPE sees it.
pub struct Supervisor<'a, 'p> {
    pub(super) thread: usize,
    pub(super) board: &'a Board,
    pub(super) time: &'a mut Time,
    pub(super) bus: &'a mut Bus,
    pub(super) memory: &'a mut Memory,
    pub(super) processors: &'a mut Processors<'p>,
    pub(super) probes: &'a mut Probes,
}

impl Supervisor<'_, '_> {
    /// The hardware thread whose turn it is.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// The machine's values.
    pub fn machine(&self) -> &Machine {
        &self.board.machine
    }

    /// Which SPEs threads are placed on.
    pub fn placement(&self) -> &Placement {
        &self.board.placement
    }

    /// The time base, in ticks.
    pub fn time_base(&self) -> u64 {
        self.time.ticks_at(self.time.now())
    }

    /// Bus cycles since the start.
    pub fn bus_cycles(&self) -> u64 {
        self.time.bus_cycles()
    }

    /// Interrupts a PPE thread that sleeps, or will.
    pub fn interrupt(&mut self, thread: usize) {
        self.time.interrupt(1 << thread);
    }

    /// Whether there was an interrupt for the thread since it slept or was asked last.
    pub fn take_interrupt(&mut self) -> bool {
        self.time.take_interrupt(self.thread)
    }

    /// Main memory, by real address.  Bytes that others might have reserved are for [`Supervisor::store`] to write.
    pub fn memory(&mut self) -> &mut Store {
        &mut self.memory.store
    }

    /// Writes main memory, and takes the lines, with all reservations, from everybody else.
    pub fn store(&mut self, real: u64, bytes: &[u8]) {
        self.memory.store.write(real, bytes);
        let end = real + bytes.len() as u64;
        for line in real / LINE_BYTES..end.div_ceil(LINE_BYTES) {
            self.take_line(line);
        }
    }

    /// Takes a line that the PPE's thread has written from everybody else, with all reservations.
    pub fn take_line(&mut self, line: u64) {
        take_line(line, None, self.time, self.processors, self.probes);
        let thread = self.thread;
        for (_, reservation) in self.processors.ppe.reservations.iter_mut().enumerate().filter(|(n, _)| *n != thread) {
            reservation.take_if(|reserved| *reserved == line);
        }
    }

    /// The lines that somebody else has reserved or cached for atomic access.
    pub fn lines_of_others(&self) -> impl Iterator<Item = u64> {
        let Processors { spes, ppe, .. } = &*self.processors;
        let thread = self.thread;
        let threads = ppe.reservations.iter().enumerate().filter(move |(n, _)| *n != thread);
        spes.iter().flat_map(|spe| spe.atomic.lines()).chain(threads.filter_map(|(_, line)| *line))
    }

    /// Reserves a line of main memory for the thread (`lwarx`): from now on others share it with the PPE.
    pub fn reserve(&mut self, line: u64) {
        self.processors.spes.iter_mut().for_each(|spe| spe.atomic.snoop_read(line));
        self.processors.ppe.reservations[self.thread] = Some(line);
    }

    /// Whether the thread's reservation of a line still holds; it has none afterwards (`stwcx.`).
    pub fn take_reservation(&mut self, line: u64) -> bool {
        self.processors.ppe.reservations[self.thread].take() == Some(line)
    }

    /// Whether the L1 has a line, which is used with that.
    pub fn load_hits(&mut self, line: u64) -> bool {
        self.processors.ppe.memory.load_hits(line)
    }

    /// Whether the L2 owns a line, so that a store to it waits for nobody.
    pub fn store_hits(&mut self, line: u64) -> bool {
        self.processors.ppe.memory.store_hits(line)
    }

    /// Counts the lines that left the PPE's caches or its ownership: what was known of hits before that is out of date.
    pub fn cache_generation(&self) -> u64 {
        self.processors.ppe.memory.generation()
    }

    /// The process's page table; there is an empty one from the first use on.
    pub fn pages(&mut self) -> &Rc<PageTable> {
        let bytes = self.board.machine.chip.main_memory_bytes;
        self.processors.pages.get_or_insert_with(|| Rc::new(PageTable::new(bytes)))
    }

    /// Maps pages of the process; what was mapped there is unmapped.
    pub fn map(&mut self, ea: u32, bytes: u32, mapping: Mapping, access: Access) {
        let pages = self.changed_pages();
        pages.map(ea, bytes, mapping, access, &mut self.memory.store);
    }

    /// Unmaps pages of the process.
    pub fn unmap(&mut self, ea: u32, bytes: u32) {
        let pages = self.changed_pages();
        pages.unmap(ea, bytes, &mut self.memory.store);
    }

    /// Moves pages of the process to another address, where nothing is mapped.
    pub fn move_pages(&mut self, from: u32, to: u32, bytes: u32) {
        let pages = self.changed_pages();
        pages.move_pages(from, to, bytes, &mut self.memory.store);
    }

    /// The page table, which is about to change.
    fn changed_pages(&mut self) -> Rc<PageTable> {
        self.processors.spes.iter_mut().for_each(|spe| spe.mfc.forget_mappings());
        Rc::clone(self.pages())
    }

    /// Reads the process's storage, local stores that are mapped among it.
    ///
    /// # Errors
    /// Something of it is not mapped, or is no storage.
    pub fn read(&mut self, ea: u64, out: &mut [u8]) -> Result<(), BadAddress> {
        self.pieces(ea, out.len(), AccessKind::Kernel, |machine, target, at, n| {
            match target {
                Target::Memory(real) => machine.memory.store.read(real, &mut out[at..at + n]),
                Target::LocalStore(spe, offset) => {
                    machine.processors.spe(spe).local_store.read(offset.into(), &mut out[at..at + n]);
                }
                Target::Register(..) => return false,
            }
            true
        })
    }

    /// Writes the process's storage, local stores that are mapped among it.
    ///
    /// # Errors
    /// Something of it is not mapped, or is no storage; what lies before it is written.
    pub fn write(&mut self, ea: u64, bytes: &[u8]) -> Result<(), BadAddress> {
        self.pieces(ea, bytes.len(), AccessKind::Kernel, |machine, target, at, n| {
            match target {
                Target::Memory(real) => machine.store(real, &bytes[at..at + n]),
                Target::LocalStore(spe, offset) => {
                    machine.processors.spe(spe).local_store.write(offset.into(), &bytes[at..at + n]);
                }
                Target::Register(..) => return false,
            }
            true
        })
    }

    /// Goes through a span of the process's storage, page by page, until `piece` refuses.
    fn pieces(
        &mut self,
        ea: u64,
        bytes: usize,
        kind: AccessKind,
        mut piece: impl FnMut(&mut Self, Target, usize, usize) -> bool,
    ) -> Result<(), BadAddress> {
        let mut done = 0;
        while done < bytes {
            let at = ea + done as u64;
            let n = (bytes - done).min((u64::from(PAGE_BYTES) - at % u64::from(PAGE_BYTES)) as usize);
            let (target, _) = self.pages().region(at, kind)?;
            if !piece(self, target, done, n) {
                return Err(BadAddress::Forbidden(at));
            }
            done += n;
        }
        Ok(())
    }
}

/// System calls of others.
impl Supervisor<'_, '_> {
    /// Whether a system call would have to wait for an SPE, if it was made now.
    pub fn would_wait(&self, call: Syscall) -> bool {
        events::would_wait(call, &self.processors.spes, self.board, self.time)
    }
}

/// SPEs.
impl<'p> Supervisor<'_, 'p> {
    /// SPEs of all chips.
    pub fn spe_count(&self) -> u8 {
        self.processors.spes.len() as u8
    }

    /// An SPE's local store.
    pub fn local_store(&mut self, spe: SpeId) -> &mut LocalStore {
        &mut self.processors.spe(spe).local_store
    }

    /// Reads a problem-state register, or `SPU_OutIntrMbox`, with its side effects.
    ///
    /// # Errors
    /// The rule that the access, or the proxy command that it gives, breaks.
    pub fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError> {
        let Supervisor { board, time, bus, processors, probes, .. } = self;
        registers::read(processors.spe(spe), offset, board, time, bus, probes)
    }

    /// Writes a problem-state register, with its side effects.
    ///
    /// # Errors
    /// There is no such register.
    pub fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError> {
        let Supervisor { board, time, processors, probes, .. } = self;
        registers::write(processors.spe(spe), offset, value, board, time, probes)
    }

    /// Lets a signal-notification register, 0 or 1, collect writes by OR, or keep the last one.
    pub fn set_signal_mode(&mut self, spe: SpeId, register: usize, or_mode: bool) {
        if let Some(signal) = self.processors.spe(spe).channels.signals.get_mut(register) {
            signal.or_mode = or_mode;
        }
    }

    /// Tag groups without commands in the proxy queue, as a mask.
    pub fn idle_proxy_tags(&mut self, spe: SpeId) -> u32 {
        self.processors.spe(spe).mfc.proxy_queue.idle_tags()
    }

    /// Starts a program on an SPE, supervised, in the process's address space.
    pub fn start(&mut self, spe: SpeId, program: Box<dyn Program + 'p>) {
        let pages = Rc::clone(self.pages());
        let Supervisor { board, time, processors, probes, .. } = self;
        context::start(processors.spe(spe), program, pages, board, time, probes);
    }

    /// What an SPE has counted so far, whoever was on it.
    pub fn spe_counters(&self, spe: SpeId) -> &SpeCounters {
        &self.probes.counters.spes[usize::from(spe.0)]
    }

    /// An SPE's channels.
    pub fn channels(&mut self, spe: SpeId) -> &mut Channels {
        &mut self.processors.spe(spe).channels
    }

    /// Whether an SPE's program has ended, and nobody has asked how.
    pub fn has_ended(&mut self, spe: SpeId) -> bool {
        let spe = self.processors.spe(spe);
        spe.end.is_some() || spe.fault.is_some()
    }

    /// How an SPE's program has ended: its stop code, or the rule that it broke.  Nothing while it runs; told once.
    pub fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>> {
        context::take_end(self.processors.spe(spe))
    }

    /// Ends an SPE's program wherever it stands.
    pub fn halt(&mut self, spe: SpeId) {
        context::halt(self.processors.spe(spe));
    }

    /// Keeps an SPE from starting anything new, so that it can be saved: its program has no more turns, its MFC no
    /// more commands.
    pub fn suspend(&mut self, spe: SpeId) {
        self.processors.spe(spe).suspended = true;
    }

    /// A context after reset, on no SPE yet; its DMA commands go through the process's page table.
    pub fn new_context(&mut self) -> ContextId {
        let pages = Rc::clone(self.pages());
        let context = SpeContext::new(&self.board.machine, &pages);
        ContextId::keep(context, &mut self.processors.contexts)
    }

    /// A context that is on no SPE.
    pub fn context(&mut self, id: ContextId) -> Option<&mut SpeContext<'p>> {
        self.processors.contexts.get_mut(id.index())?.as_mut()
    }

    /// Forgets a context that is on no SPE.
    pub fn drop_context(&mut self, id: ContextId) {
        self.processors.contexts.get_mut(id.index()).and_then(Option::take);
    }

    /// Takes the context of an SPE that is suspended, and leaves an SPE at rest; nothing while something of it is
    /// still under way.
    pub fn save(&mut self, spe: SpeId) -> Option<ContextId> {
        let Supervisor { board, time, bus, processors, probes, .. } = self;
        let context = context::save(processors.spe(spe), board, time, bus, probes)?;
        Some(ContextId::keep(context, &mut processors.contexts))
    }

    /// Puts a context on an SPE at rest, and lets it go on; its number is free again.
    pub fn restore(&mut self, spe: SpeId, id: ContextId) {
        let Supervisor { board, time, bus, processors, probes, .. } = self;
        if let Some(saved) = processors.contexts.get_mut(id.index()).and_then(Option::take) {
            context::restore(processors.spe(spe), saved, board, time, bus, probes);
        }
    }
}

/// A thread's turn: how long until something else is due.  What comes behind the PPE in this bus cycle is SPUs, and
/// sees what the PPE has done in it.
pub(super) fn lookahead(own_time: SpuCycles, time: &Time) -> SpuCycles {
    let next = time.next_at().map_or(SpuCycles::MAX, |at| at.max(time.now() + 1).saturating_mul(time.ratio));
    next.saturating_sub(own_time)
}

/// Takes the reservations of PPE threads on a line that somebody else has written.
pub(crate) fn lose_reservations(line: u64, ppe: &mut Ppe<'_>) {
    ppe.reservations.iter_mut().for_each(|reservation| {
        reservation.take_if(|reserved| *reserved == line);
    });
}

/// Whether an SPE's rules are its supervisor's business; its program ends with the rule that was broken.
///
/// # Errors
/// Nobody asked for it: the run ends.
pub(crate) fn supervise(error: RunError, time: &mut Time, processors: &mut Processors<'_>) -> Result<(), RunError> {
    match error {
        RunError::Rule { spe: Some(id), .. } if processors.spe(id).supervised => {
            let spe: &mut Spe<'_> = processors.spe(id);
            context::halt(spe);
            spe.fault.get_or_insert(error);
            time.interrupt(ALL_THREADS);
            Ok(())
        }
        error => Err(error),
    }
}
