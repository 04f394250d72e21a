//! An operating system on the PPE, which can access the whole machine during its turn.
//!
//! An operation of privileged software on SPEs takes effect at once. The machine file contains the operation's
//! duration, as for all system calls. The program spends this duration afterwards. A process's accesses to its mapped
//! windows go over the bus ([`crate::door::PpeOp::Load`]).
//!
//! An SPE that is started here is *supervised*: if its program or its DMA breaks a rule, the program ends instead of
//! the run, and the operating system can read the broken rule.

use super::events;
use crate::channels::Channels;
use crate::counters::SpeCounters;
use crate::door::{Program, QueuedCommand, Supervisor, Syscall};
use crate::ea::Target;
use crate::error::RunError;
use crate::machine::Machine;
use crate::page_table::{Access, AccessKind, BadAddress, Mapping, PAGE_BYTES, PageTable};
use crate::placement::Placement;
use crate::record::TransferRecord;
use crate::store::{LocalStore, Store};
use crate::system::memory::Memory;
use crate::system::probes::transfer_log::TransferLog;
use crate::system::processors::Processors;
use crate::system::processors::context::{SpeContext, keep};
use crate::system::processors::ppe::Ppe;
use crate::system::processors::spe::Spe;
use crate::system::snoop::{Owner, take_line};
use crate::system::spe::wake::wake_dmac;
use crate::system::spe::{context, registers};
use crate::system::time::Time;
use crate::system::wires::Wires;
use crate::units::{BusCycle, ContextId, LINE_BYTES, SpeId, SpuCycles};
use std::rc::Rc;

/// The machine during the turn of a PPE program: a [`Supervisor`].
pub(crate) struct Held<'a, 'p> {
    pub(in crate::system) chip: u8,
    /// The thread's number on its PPE.
    pub(in crate::system) thread: usize,
    pub(in crate::system) memory: &'a mut Memory,
    pub(in crate::system) processors: &'a mut Processors<'p>,
    pub(in crate::system) wires: &'a mut Wires,
}

impl Supervisor for Held<'_, '_> {
    fn machine(&self) -> &Machine {
        &self.wires.board.machine
    }

    fn placement(&self) -> &Placement {
        &self.wires.board.placement
    }

    fn time_base(&self) -> u64 {
        self.wires.time.ticks_at(self.wires.time.now())
    }

    fn interrupt(&mut self, thread: usize) {
        self.wires.time.interrupt(thread);
    }

    fn take_interrupt(&mut self) -> bool {
        let number = self.processors.ppe(self.chip).number_of(self.thread);
        self.wires.time.take_interrupt(number)
    }

    fn memory(&mut self) -> &mut Store {
        &mut self.memory.store
    }

    fn store(&mut self, real: u64, bytes: &[u8]) {
        self.memory.store.write(real, bytes);
        let end = real + bytes.len() as u64;
        for line in real / LINE_BYTES..end.div_ceil(LINE_BYTES) {
            self.take_line(line);
        }
    }

    fn take_line(&mut self, line: u64) {
        take_line(line, Owner::Ppe(self.chip), self.processors, self.wires);
        self.processors.ppe(self.chip).stored(self.thread, line);
    }

    fn is_of_others(&self, line: u64) -> bool {
        let Processors { spes, ppes, .. } = &*self.processors;
        let of_other_ppe = |ppe: &Ppe<'_>| ppe.chip != self.chip && ppe.memory.state(line).is_some();
        let of_other_thread = |ppe: &Ppe<'_>| ppe.reservations[1 - self.thread] == Some(line);
        spes.iter().any(|spe| spe.atomic.state(line).is_some())
            || ppes.iter().any(|ppe| of_other_ppe(ppe) || ppe.chip == self.chip && of_other_thread(ppe))
    }

    fn clear_reservation(&mut self) {
        self.processors.ppe(self.chip).reservations[self.thread] = None;
    }

    fn load_hits(&mut self, line: u64) -> bool {
        self.processors.ppe(self.chip).memory.load_hits(line)
    }

    fn store_hits(&mut self, line: u64) -> bool {
        self.processors.ppe(self.chip).memory.store_hits(line)
    }

    fn cache_generation(&self) -> u64 {
        self.processors.ppes[usize::from(self.chip)].memory.generation()
    }

    fn pages(&mut self) -> &Rc<PageTable> {
        self.processors.pages.get_or_insert_with(|| Rc::new(PageTable::new(&self.wires.board.machine)))
    }

    fn map(&mut self, ea: u32, bytes: u32, mapping: Mapping, access: Access) {
        let pages = self.changed_pages();
        pages.map(ea, bytes, mapping, access, &mut self.memory.store);
    }

    fn map_frames(&mut self, ea: u32, frames: &[u32], huge: bool, access: Access) {
        let pages = self.changed_pages();
        pages.map_frames(ea, frames, huge, access, &mut self.memory.store);
    }

    fn drop_frames(&mut self, frames: &[u32]) {
        let pages = self.changed_pages();
        pages.drop_frames(frames, &mut self.memory.store);
    }

    fn unmap(&mut self, ea: u32, bytes: u32) {
        let pages = self.changed_pages();
        pages.unmap(ea, bytes, &mut self.memory.store);
    }

    fn set_away(&mut self, ea: u32, bytes: u32, away: bool) {
        let pages = self.changed_pages();
        pages.set_away(ea, bytes, away);
    }

    fn is_in_use(&mut self, ea: u32, bytes: u32) -> bool {
        let pages = Rc::clone(self.pages());
        let pending = self.processors.spes.iter().flat_map(|spe| [spe.atomic.pending, spe.atomic.queued]);
        let mut lock_lines = pending.flatten().map(|pending| pending.line * LINE_BYTES);
        let requests = &self.wires.bus.requests;
        lock_lines.any(|real| pages.holds(ea, bytes, real))
            || requests.any_about(|target| matches!(target, Target::Memory(real) if pages.holds(ea, bytes, real)))
    }

    fn move_pages(&mut self, from: u32, to: u32, bytes: u32) {
        let pages = self.changed_pages();
        pages.move_pages(from, to, bytes, &mut self.memory.store);
    }

    fn read(&mut self, ea: u64, out: &mut [u8]) -> Result<(), BadAddress> {
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

    fn write(&mut self, ea: u64, bytes: &[u8]) -> Result<(), BadAddress> {
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

    fn would_wait(&self, call: Syscall) -> bool {
        events::would_wait(call, &self.processors.spes, self.wires)
    }

    fn spe_count(&self) -> u8 {
        self.processors.spes.len() as u8
    }

    fn local_store(&mut self, spe: SpeId) -> &mut LocalStore {
        &mut self.processors.spe(spe).local_store
    }

    fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError> {
        let Held { processors, wires, .. } = self;
        registers::read(processors.spe(spe), offset, wires)
    }

    fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError> {
        let Held { processors, wires, .. } = self;
        registers::write(processors.spe(spe), offset, value, wires)
    }

    fn idle_proxy_tags(&mut self, spe: SpeId) -> u32 {
        self.processors.spe(spe).mfc.proxy_queue.idle_tags()
    }

    fn start(&mut self, spe: SpeId, program: Box<dyn Program>) {
        let pages = Rc::clone(self.pages());
        let Held { processors, wires, .. } = self;
        context::start(processors.spe(spe), program, pages, wires);
    }

    fn spe_counters(&self, spe: SpeId) -> &SpeCounters {
        &self.wires.probes.counters.spes[usize::from(spe.0)]
    }

    fn channels(&mut self, spe: SpeId) -> &mut Channels {
        &mut self.processors.spe(spe).channels
    }

    fn waits_for_page(&mut self, spe: SpeId) -> bool {
        self.processors.spe(spe).mfc.waits_for_page()
    }

    fn doing(&mut self, spe: SpeId) -> String {
        self.processors.spe(spe).doing()
    }

    fn commands(&mut self, spe: SpeId) -> Vec<QueuedCommand> {
        let mfc = &self.processors.spe(spe).mfc;
        let of = |proxy: bool| {
            let queue = mfc.queue(proxy);
            queue.by_age().map(move |index| {
                let entry = queue.entry(index);
                QueuedCommand { proxy, command: entry.command, stage: entry.stage }
            })
        };
        of(false).chain(of(true)).collect()
    }

    fn transfers(&mut self) -> Vec<TransferRecord> {
        self.wires.probes.transfers.iter().flat_map(TransferLog::rows).cloned().collect()
    }

    fn elements(&self) -> Vec<String> {
        self.wires.board.topology.names()
    }

    fn bus_cycle(&self) -> BusCycle {
        self.wires.time.now()
    }

    fn has_ended(&mut self, spe: SpeId) -> bool {
        let spe = self.processors.spe(spe);
        spe.end.is_some() || spe.fault.is_some()
    }

    fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>> {
        context::take_end(self.processors.spe(spe))
    }

    fn halt(&mut self, spe: SpeId) {
        context::halt(self.processors.spe(spe));
    }

    fn suspend(&mut self, spe: SpeId) {
        self.processors.spe(spe).suspended = true;
    }

    fn new_context(&mut self) -> ContextId {
        let pages = Rc::clone(self.pages());
        let context = SpeContext::new(&self.wires.board.machine, &pages);
        keep(context, &mut self.processors.contexts)
    }

    fn saved(&mut self, id: ContextId) -> Option<(&mut Channels, &mut LocalStore)> {
        let context = self.processors.contexts.get_mut(id.index())?.as_mut()?;
        Some((&mut context.channels, &mut context.local_store))
    }

    fn drop_context(&mut self, id: ContextId) {
        self.processors.contexts.get_mut(id.index()).and_then(Option::take);
    }

    fn save(&mut self, spe: SpeId) -> Option<ContextId> {
        let Held { processors, wires, .. } = self;
        let context = context::save(processors.spe(spe), wires)?;
        Some(keep(context, &mut processors.contexts))
    }

    fn restore(&mut self, spe: SpeId, id: ContextId) {
        let Held { processors, wires, .. } = self;
        if let Some(saved) = processors.contexts.get_mut(id.index()).and_then(Option::take) {
            context::restore(processors.spe(spe), saved, wires);
        }
    }
}

impl Held<'_, '_> {
    /// Returns the page table so that the caller can change it, and resumes the commands that wait for such a change.
    fn changed_pages(&mut self) -> Rc<PageTable> {
        for spe in &mut self.processors.spes {
            if spe.mfc.forget_mappings() {
                wake_dmac(spe, self.wires);
            }
        }
        Rc::clone(self.pages())
    }

    /// Visits a span of the process's storage, page by page, until `piece` returns false.
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

/// The lookahead of a PPE thread: the number of SPU cycles until the next event or the next turn of another unit. In
/// the same bus cycle, only SPUs have their turns after the PPE, and SPUs see everything that the PPE has done.
pub(super) fn lookahead(own_time: SpuCycles, time: &Time) -> SpuCycles {
    let next = time.next_at().map_or(SpuCycles::MAX, |at| at.max(time.now() + 1).saturating_mul(time.ratio));
    next.saturating_sub(own_time)
}

/// Ends the program of a supervised SPE with the rule that was broken, and continues the run.
///
/// # Errors
/// The SPE is not supervised, or the error is not an SPE's. The run ends.
pub(crate) fn supervise(error: RunError, time: &mut Time, processors: &mut Processors<'_>) -> Result<(), RunError> {
    match error {
        RunError::Rule { spe: Some(id), .. } if processors.spe(id).supervised => {
            let spe: &mut Spe<'_> = processors.spe(id);
            context::halt(spe);
            spe.fault.get_or_insert(error);
            time.interrupt_all();
            Ok(())
        }
        error => Err(error),
    }
}
