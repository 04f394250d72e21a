//! The DMA controller, which selects a command and creates its next bus request.

use super::mmu::Mmu;
use super::queue::{Entry, Queue, Stage};
use crate::command::{Action, Command, DmaFault};
use crate::machine::{self as values, Machine};
use crate::page_table::BadAddress;
use crate::request::Request;
use crate::snapshot::Snapshot;
use crate::store::LocalStore;
use crate::units::{BusCycle, EntryId, RampIndex, SpeId};

/// One SPE's MFC.
pub struct Mfc {
    spe: SpeId,
    ramp: RampIndex,
    /// Commands from the SPU's channels.
    pub spu_queue: Queue,
    /// Commands from the problem-state registers.
    pub proxy_queue: Queue,
    /// Number of read requests and number of other requests in the bus interface.
    pub(super) outstanding: [u32; 2],
    pub(super) last_was_put: bool,
    pub(super) unroll_free_at: BusCycle,
    pub(super) command_free_at: BusCycle,
    /// The translation of effective addresses.
    pub mmu: Mmu,
    /// For gets and for puts, the oldest entry of the SPU queue, if both are certain to be selected in turn until one of
    /// them has no more requests, or until a command is added or ends.
    pub(super) certain: Option<[Option<u8>; 2]>,
}

/// Result of one turn of the DMAC.
#[derive(Default)]
pub struct Advance {
    /// A bus request to send.
    pub request: Option<Request>,
    /// A `putqlluc` that was selected.
    pub lock_line: Option<EntryId>,
    /// A command that has ended: no request remains to be sent or is outstanding.
    pub ended: Option<EntryId>,
    /// The tag group of a list command that stalls and has no outstanding requests.
    pub stalled_tag: Option<u32>,
}

/// Effect of a completed request on its command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// The command is not complete yet.
    Pending,
    /// The command has ended.
    Ended,
    /// The list command has stalled; holds the command's tag group.
    Stalled(u32),
}

impl Mfc {
    /// An idle MFC.
    pub fn new(spe: SpeId, ramp: RampIndex, machine: &Machine) -> Mfc {
        Mfc {
            spe,
            ramp,
            spu_queue: Queue::new(machine.mfc.spu_queue_entries),
            proxy_queue: Queue::new(machine.mfc.proxy_queue_entries),
            outstanding: [0; 2],
            last_was_put: true,
            unroll_free_at: 0,
            command_free_at: 0,
            mmu: Mmu::new(machine),
            certain: None,
        }
    }

    /// Adds a command to a queue. Returns false if the queue is full.
    ///
    /// MODEL: a command that breaks a rule is refused when it is issued. Silicon accepts the command, and raises an
    /// interrupt when it executes the command.
    ///
    /// # Errors
    /// Returns the rule that the command breaks.
    pub fn enqueue(
        &mut self,
        command: Command,
        proxy: bool,
        now: BusCycle,
        machine: &Machine,
    ) -> Result<bool, DmaFault> {
        let decoded = command.check(&machine.mfc, proxy)?;
        let ready_at = now + machine.mfc.issue_bus_cycles;
        let element_ready_at = ready_at + machine.mfc.list_element_bus_cycles;
        self.certain = None;
        let queue = self.queue_mut(proxy);
        let Some(index) = queue.push(command, decoded, ready_at, element_ready_at) else { return Ok(false) };
        queue.entry_mut(index).lsa = command.local_store_address(&machine.mfc);
        Ok(true)
    }

    /// Notes when the newest command of the SPU queue was offered to the program.
    pub fn newest_was_offered(&mut self, at: BusCycle) {
        if let Some(newest) = self.spu_queue.newest() {
            self.spu_queue.entry_mut(newest).offered_at = Some(at);
        }
    }

    /// Removes a command that has ended.
    pub fn remove(&mut self, id: EntryId) -> Option<Entry> {
        self.certain = None;
        self.queue_mut(id.proxy).remove(id.index)
    }

    /// The proxy queue or the SPU queue.
    #[inline(always)]
    pub fn queue(&self, proxy: bool) -> &Queue {
        if proxy { &self.proxy_queue } else { &self.spu_queue }
    }

    #[inline(always)]
    fn queue_mut(&mut self, proxy: bool) -> &mut Queue {
        if proxy { &mut self.proxy_queue } else { &mut self.spu_queue }
    }

    /// Number of list commands in the SPU queue.
    pub fn lists(&self) -> usize {
        self.spu_queue.iter().filter(|(_, entry)| entry.decoded.list).count()
    }

    /// Whether both queues are empty.
    pub fn is_empty(&self) -> bool {
        self.spu_queue.occupied() | self.proxy_queue.occupied() == 0
    }

    /// Number of requests in the bus interface.
    pub fn outstanding(&self) -> u32 {
        self.outstanding.iter().sum()
    }

    /// Returns the next request, if it is certain which command is selected, and if that command's transfer continues.
    /// Otherwise returns `None`, and [`Mfc::advance`] selects a command.
    #[inline(always)]
    pub fn go_on(&mut self, now: BusCycle, values: &values::Mfc) -> Option<Request> {
        let certain = self.certain?;
        if now < self.unroll_free_at {
            return None;
        }
        let selectable = |put: bool| certain[usize::from(put)].filter(|_| !self.is_full(!put, values));
        let other = selectable(!self.last_was_put);
        let index = other.or_else(|| selectable(self.last_was_put))?;
        let put = self.last_was_put ^ other.is_some();
        let id = EntryId { proxy: false, index };
        debug_assert_eq!(self.select(now, values), Some(id));
        let request = self.spu_queue.entry_mut(index).next_of_many(self.spe, self.ramp, id)?;
        self.outstanding[usize::from(put)] += 1;
        self.last_was_put = put;
        self.unroll_free_at = now + values.unroll_bus_cycles;
        Some(request)
    }

    /// Selects a command and performs one step of it.
    ///
    /// # Errors
    /// Returns the rule that the command or its list element breaks.
    pub fn advance(
        &mut self,
        now: BusCycle,
        machine: &Machine,
        ls: &LocalStore,
    ) -> Result<Advance, (EntryId, DmaFault)> {
        let mut advance = Advance::default();
        if now < self.unroll_free_at {
            return Ok(advance);
        }
        let Some(id) = self.select(now, &machine.mfc) else { return Ok(advance) };
        let (spe, ramp) = (self.spe, self.ramp);
        let queue = if id.proxy { &mut self.proxy_queue } else { &mut self.spu_queue };
        let first = !queue.has_started(id.index);
        queue.mark_started(id.index);
        let entry = queue.entry_mut(id.index);
        let is_put = entry.decoded.action.is_put();
        match entry.decoded.action {
            Action::Barrier | Action::Hint => entry.stage = Stage::Ending,
            Action::PutQlluc => {
                advance.lock_line = entry.is_given_to_atomic_unit(&mut self.mmu, now, machine).then_some(id)
            }
            Action::Sync | Action::StoreLines => advance.request = Some(entry.order_storage(spe, ramp, id)),
            Action::GetLlar | Action::PutLlc | Action::PutLluc => unreachable!("the atomic unit takes them at once"),
            Action::Get | Action::Put | Action::ZeroLines => {
                entry.next_element(now, machine, ls).map_err(|fault| (id, fault))?;
                match entry.unroll((spe, ramp, id), &mut self.mmu, now, machine) {
                    Ok(request) => advance.request = request,
                    Err(DmaFault::Storage(BadAddress::Away(_))) => entry.stage = Stage::Away,
                    Err(fault) => return Err((id, fault)),
                }
                entry.update_stage();
            }
        }
        let goes_on = entry.left_bytes > 0 && entry.stage == Stage::Unrolling && entry.translated_at <= now;
        let is_read = entry.decoded.action == Action::Get;
        match entry.stage {
            Stage::Unrolling => (),
            stage => {
                match stage {
                    Stage::Ending => advance.ended = Some(id),
                    Stage::Stalled if entry.outstanding == 0 => advance.stalled_tag = Some(entry.command.tag),
                    _ => (),
                }
                queue.stage_changed(id.index);
            }
        }
        if !goes_on {
            self.certain = None;
        } else if self.certain.is_none() && advance.request.is_some() {
            self.certain = self.certain_next(now);
        }
        if advance.request.is_some() {
            self.outstanding[usize::from(!is_read)] += 1;
            self.last_was_put = is_put;
            self.unroll_free_at = now + machine.mfc.unroll_bus_cycles;
        }
        if first {
            self.command_free_at = now + machine.mfc.command_bus_cycles;
        }
        Ok(advance)
    }

    /// Whether the bus interface has no room for another read (if `is_read`), or for another request that is not a
    /// read.
    #[inline(always)]
    pub fn is_full(&self, is_read: bool, values: &values::Mfc) -> bool {
        let most = if is_read { values.outstanding_reads } else { values.outstanding_writes };
        self.outstanding[usize::from(!is_read)] >= most
    }

    /// Records that a request of a command is complete.
    #[inline(always)]
    pub fn returned(&mut self, id: EntryId) -> Returned {
        let queue = if id.proxy { &mut self.proxy_queue } else { &mut self.spu_queue };
        let entry = queue.entry_mut(id.index);
        entry.outstanding -= 1;
        self.outstanding[usize::from(entry.decoded.action != Action::Get)] -= 1;
        if entry.outstanding > 0 {
            return Returned::Pending;
        }
        match entry.stage {
            Stage::Stalled => Returned::Stalled(entry.command.tag),
            Stage::Draining => {
                entry.stage = Stage::Ending;
                Returned::Ended
            }
            _ => Returned::Pending,
        }
    }

    /// Resumes the stalled lists of a tag group.
    pub fn acknowledge_stall(&mut self, tag: u32, now: BusCycle, machine: &Machine) {
        self.certain = None;
        let is_stalled =
            |entry: &Entry| entry.stage == Stage::Stalled && entry.command.tag == tag && entry.outstanding == 0;
        let stalled = self.spu_queue.iter().filter(|(_, entry)| is_stalled(entry));
        for index in stalled.map(|(index, _)| index).collect::<Vec<_>>() {
            let entry = self.spu_queue.entry_mut(index);
            entry.stage = Stage::Unrolling;
            entry.element_ready_at = now + machine.mfc.list_element_bus_cycles;
            self.spu_queue.stage_changed(index);
        }
    }

    /// Stops a command that has broken a rule, until the program acknowledges a stall of the command's tag group.
    pub fn give_up(&mut self, id: EntryId) {
        self.certain = None;
        let queue = self.queue_mut(id.proxy);
        queue.entry_mut(id.index).stage = Stage::Stalled;
        queue.stage_changed(id.index);
    }

    /// Whether no command has an outstanding request, so that all commands wait to be selected.
    pub fn is_quiet(&self) -> bool {
        let waits = |(_, entry): (u8, &Entry)| {
            matches!(entry.stage, Stage::Unrolling | Stage::Stalled | Stage::Away) && entry.outstanding == 0
        };
        self.outstanding() == 0 && self.spu_queue.iter().chain(self.proxy_queue.iter()).all(waits)
    }

    /// Moves this MFC, with all its commands, to another SPE, where it begins without translations.
    pub fn move_to(&mut self, spe: SpeId, ramp: RampIndex, machine: &Machine) {
        (self.spe, self.ramp) = (spe, ramp);
        self.mmu.forget(machine);
        self.forget_mappings();
    }

    /// Drops the cached targets of all commands because the page table has changed. Returns whether a command was
    /// waiting for such a change.
    pub fn forget_mappings(&mut self) -> bool {
        let mut some_waited = false;
        for queue in [&mut self.spu_queue, &mut self.proxy_queue] {
            queue.iter_mut().for_each(|entry| entry.mapped = None);
            let waiting: Vec<u8> =
                queue.iter().filter(|(_, entry)| entry.stage == Stage::Away).map(|(n, _)| n).collect();
            some_waited |= !waiting.is_empty();
            for index in waiting {
                queue.entry_mut(index).stage = Stage::Unrolling;
                queue.stage_changed(index);
            }
        }
        some_waited
    }

    /// Whether a command waits for a change of the page table.
    pub fn waits_for_page(&self) -> bool {
        self.spu_queue.iter().chain(self.proxy_queue.iter()).any(|(_, entry)| entry.stage == Stage::Away)
    }

    /// Adds the MFC's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        // `spe` and `ramp` identify the MFC.
        let Mfc {
            spe: _,
            ramp: _,
            spu_queue,
            proxy_queue,
            outstanding,
            last_was_put,
            unroll_free_at,
            command_free_at,
            // Derived from the queue.
            certain: _,
            mmu,
        } = self;
        let [reads, others] = outstanding.map(u64::from);
        out.word(reads << 33 | others << 1 | u64::from(*last_was_put));
        out.deadline(*unroll_free_at, now);
        out.deadline(*command_free_at, now);
        spu_queue.capture(now, out);
        proxy_queue.capture(now, out);
        mmu.capture(now, out);
    }
}
