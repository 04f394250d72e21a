//! The DMA controller: which command next, and its next bus request.

use super::queue::{Entry, ListElement, Queue, Stage};
use crate::command::{Action, Command, check_block};
use crate::ea;
use crate::machine::{self as values, Machine};
use crate::request::{EntryId, Issuer, Request, RequestKind};
use crate::snapshot::Snapshot;
use crate::store::LocalStore;
use crate::units::{BusCycle, LINE_BYTES, NEVER, RampIndex, SpeId};

/// One SPE's MFC.
pub struct Mfc {
    spe: SpeId,
    ramp: RampIndex,
    /// Commands from the SPU's channels.
    pub spu_queue: Queue,
    /// Commands from the problem-state registers.
    pub proxy_queue: Queue,
    /// Requests that the bus interface holds: reads, and all others.
    outstanding: [u32; 2],
    last_was_put: bool,
    unroll_free_at: BusCycle,
    command_free_at: BusCycle,
}

/// What the DMAC did with its turn.
#[derive(Default)]
pub struct Advance {
    /// A bus request to issue.
    pub request: Option<Request>,
    /// A `putqlluc` whose turn has come.
    pub lock_line: Option<EntryId>,
    /// A command that needed no (further) bus request and has nothing outstanding.
    pub ended: Option<EntryId>,
    /// The tag group of a list that stalls and has nothing outstanding.
    pub stalled_tag: Option<u32>,
    /// When the next request can be made, if the same command certainly has one.
    pub goes_on_at: Option<BusCycle>,
}

/// What the return of a request meant for its command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returned {
    /// More are to come.
    Pending,
    /// The command has done all its work.
    Ended,
    /// The list has stalled; its tag group is given.
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
        }
    }

    /// Puts a command into a queue; false when it is full.
    ///
    /// MODEL: a broken rule is reported here.  Silicon takes the command, and raises an interrupt when
    /// its turn comes.
    ///
    /// # Errors
    /// The rule that the command breaks.
    pub fn enqueue(&mut self, command: Command, proxy: bool, now: BusCycle, machine: &Machine) -> Result<bool, String> {
        let decoded = command.check(&machine.mfc, proxy)?;
        let ready_at = now + machine.mfc.issue_bus_cycles;
        let fetch = machine.mfc.list_setup_bus_cycles + machine.mfc.list_element_bus_cycles;
        Ok(self.queue_mut(proxy).push(command, decoded, ready_at, ready_at + fetch).is_some())
    }

    /// The queue of an entry.
    pub fn queue(&self, proxy: bool) -> &Queue {
        if proxy { &self.proxy_queue } else { &self.spu_queue }
    }

    /// As [`Mfc::queue`], to change it.
    pub fn queue_mut(&mut self, proxy: bool) -> &mut Queue {
        if proxy { &mut self.proxy_queue } else { &mut self.spu_queue }
    }

    /// List commands in the SPU queue.
    pub fn lists(&self) -> usize {
        self.spu_queue.iter().filter(|(_, entry)| entry.decoded.list).count()
    }

    /// Whether it has no command at all.
    pub fn is_empty(&self) -> bool {
        self.spu_queue.occupied() | self.proxy_queue.occupied() == 0
    }

    /// Requests that the bus interface holds.
    pub fn outstanding(&self) -> u32 {
        self.outstanding.iter().sum()
    }

    /// Selects a command and takes one step with it.
    ///
    /// # Errors
    /// The rule that the command, or the list element, breaks.
    pub fn advance(&mut self, now: BusCycle, machine: &Machine, ls: &LocalStore) -> Result<Advance, (EntryId, String)> {
        let mut advance = Advance::default();
        if now < self.unroll_free_at {
            return Ok(advance);
        }
        let Some(id) = self.select(now, &machine.mfc) else { return Ok(advance) };
        let (spe, ramp) = (self.spe, self.ramp);
        let entry = self.queue_mut(id.proxy).entry_mut(id.index);
        let first = !entry.started;
        entry.started = true;
        let is_put = entry.decoded.action.is_put();
        match entry.decoded.action {
            Action::Barrier | Action::Hint => entry.stage = Stage::Ending,
            Action::PutQlluc => {
                entry.stage = Stage::Draining;
                entry.outstanding = 1;
                advance.lock_line = Some(id);
            }
            Action::Sync => advance.request = Some(entry.order_storage(spe, ramp, id)),
            Action::CacheLines if entry.command.code().0 != 0x89 => {
                advance.request = Some(entry.order_storage(spe, ramp, id));
            }
            _ => {
                entry.next_element(now, machine, ls).map_err(|rule| (id, rule))?;
                advance.request = entry.unroll(spe, ramp, id, machine).map_err(|rule| (id, rule))?;
                entry.settle();
            }
        }
        match entry.stage {
            Stage::Ending => advance.ended = Some(id),
            Stage::Stalled if entry.outstanding == 0 => advance.stalled_tag = Some(entry.command.tag),
            _ => (),
        }
        let goes_on = entry.left_bytes > 0;
        let is_read = entry.decoded.action == Action::Get;
        if advance.request.is_some() {
            self.outstanding[usize::from(!is_read)] += 1;
            self.last_was_put = is_put;
            self.unroll_free_at = now + machine.mfc.unroll_bus_cycles;
            advance.goes_on_at = (goes_on && !self.is_full(is_read, &machine.mfc)).then_some(self.unroll_free_at);
        }
        if first {
            self.command_free_at = now + machine.mfc.command_bus_cycles;
        }
        Ok(advance)
    }

    /// The earliest time at which [`Mfc::advance`] might do something, as things stand.
    pub fn next_advance(&self, values: &values::Mfc) -> BusCycle {
        let full = [true, false].map(|is_read| self.is_full(is_read, values));
        if full == [true; 2] {
            return NEVER;
        }
        let mut earliest = NEVER;
        for (_, entry) in self.spu_queue.unrolling().chain(self.proxy_queue.unrolling()) {
            if full[usize::from(entry.decoded.action != Action::Get)] {
                continue;
            }
            earliest = earliest.min(self.selectable_at(entry).max(self.unroll_free_at));
            if earliest == self.unroll_free_at {
                break;
            }
        }
        earliest
    }

    /// Whether the bus interface can hold no further read, or no further request of another kind.
    pub fn is_full(&self, is_read: bool, values: &values::Mfc) -> bool {
        let most = if is_read { values.outstanding_reads } else { values.outstanding_writes };
        self.outstanding[usize::from(!is_read)] >= most
    }

    fn selectable_at(&self, entry: &Entry) -> BusCycle {
        let ready_at =
            if entry.decoded.list && entry.left_bytes == 0 { entry.element_ready_at } else { entry.ready_at };
        if entry.started { ready_at } else { ready_at.max(self.command_free_at) }
    }

    fn select(&self, now: BusCycle, values: &values::Mfc) -> Option<EntryId> {
        let full = [true, false].map(|is_read| self.is_full(is_read, values));
        if full == [true; 2] {
            return None;
        }
        [false, true].into_iter().find_map(|proxy| {
            let queue = self.queue(proxy);
            let no_choice = queue.holds_only(self.last_was_put);
            let mut second = None;
            for (index, entry) in queue.unrolling() {
                let action = entry.decoded.action;
                if !full[usize::from(action != Action::Get)] && self.selectable_at(entry) <= now {
                    if no_choice || action.is_put() != self.last_was_put {
                        return Some(EntryId { proxy, index });
                    }
                    second = second.or(Some(EntryId { proxy, index }));
                }
            }
            second
        })
    }

    /// Takes back a request whose work is done.
    pub fn returned(&mut self, id: EntryId) -> Returned {
        let entry = self.queue_mut(id.proxy).entry_mut(id.index);
        entry.outstanding -= 1;
        let is_read = entry.decoded.action == Action::Get;
        self.outstanding[usize::from(!is_read)] -= 1;
        let entry = self.queue_mut(id.proxy).entry_mut(id.index);
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

    /// Lets the stalled lists of a tag group go on.
    pub fn acknowledge_stall(&mut self, tag: u32, now: BusCycle, machine: &Machine) {
        for (_, entry) in self.spu_queue.iter_mut() {
            if entry.stage == Stage::Stalled && entry.command.tag == tag && entry.outstanding == 0 {
                entry.stage = Stage::Unrolling;
                entry.element_ready_at = now + machine.mfc.list_element_bus_cycles;
            }
        }
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        let [reads, others] = self.outstanding.map(u64::from);
        out.word(reads << 33 | others << 1 | u64::from(self.last_was_put));
        out.deadline(self.unroll_free_at, now);
        out.deadline(self.command_free_at, now);
        self.spu_queue.capture(now, out);
        self.proxy_queue.capture(now, out);
    }
}

impl Entry {
    /// Loads the next list element if the current one is used up.
    fn next_element(&mut self, now: BusCycle, machine: &Machine, ls: &LocalStore) -> Result<(), String> {
        if self.left_bytes > 0 || self.list_left_bytes == 0 {
            return Ok(());
        }
        let at = u64::from(self.command.ea as u32) + u64::from(self.command.size - self.list_left_bytes);
        let element = ListElement::decode(ls.read_u64(at));
        if self.list_left_bytes < self.command.size {
            self.lsa = self.lsa.next_multiple_of(16);
        }
        self.list_left_bytes -= 8;
        // The flag means nothing on the last element (CBEA 9.3.7).
        self.stall_after = element.stall && self.list_left_bytes > 0;
        // The element after this one is fetched while this one is unrolled.
        self.element_ready_at = now + machine.mfc.list_element_bus_cycles;
        self.load(element, machine)
    }

    fn load(&mut self, element: ListElement, machine: &Machine) -> Result<(), String> {
        self.left_bytes = element.size;
        self.ea = self.command.ea & !0xffff_ffff | u64::from(element.eal);
        if element.size == 0 {
            return Ok(());
        }
        if element.size < 16 {
            self.lsa = self.lsa & !15 | element.eal & 15;
        }
        if u64::from(element.eal) + u64::from(element.size) > 1 << 32 {
            return Err(format!("list element at {:#x} of {} bytes crosses a 4 GB boundary", self.ea, element.size));
        }
        check_block(self.lsa, self.ea, element.size, &machine.mfc).map_err(|rule| format!("list element: {rule}"))?;
        if self.lsa + element.size > machine.mfc.local_store_bytes {
            return Err(format!(
                "local store overrun: list element of {} bytes at {:#x} passes its end at {:#x}",
                element.size, self.lsa, machine.mfc.local_store_bytes
            ));
        }
        Ok(())
    }

    /// The next bus request: up to the end of the line in main storage.
    fn unroll(
        &mut self,
        spe: SpeId,
        ramp: RampIndex,
        id: EntryId,
        machine: &Machine,
    ) -> Result<Option<Request>, String> {
        if self.left_bytes == 0 {
            return Ok(None);
        }
        let bytes = self.left_bytes.min((LINE_BYTES - self.ea % LINE_BYTES) as u32);
        let target = ea::decode(machine, self.ea, u64::from(bytes))
            .ok_or_else(|| format!("data storage: nothing is mapped at effective address {:#x}", self.ea))?;
        if matches!(target, ea::Target::Register(..)) && bytes != 4 {
            return Err(format!("data storage: problem-state registers take 4 bytes at a time, not {bytes}"));
        }
        let kind = match self.decoded.action {
            Action::Get => RequestKind::Read,
            Action::CacheLines => RequestKind::Claim,
            _ => RequestKind::Write,
        };
        let request =
            Request { kind, issuer: Issuer::Mfc(spe, id), ramp, bytes: bytes as u8, lsa: self.lsa, target, value: 0 };
        // Cache-line commands have no local-store address: whatever lies in its channel just goes on.
        self.lsa = self.lsa.wrapping_add(bytes);
        self.ea += u64::from(bytes);
        self.left_bytes -= bytes;
        self.outstanding += 1;
        Ok(Some(request))
    }

    /// Moves on to the stage that follows from what is left.
    fn settle(&mut self) {
        if self.left_bytes > 0 {
            return;
        }
        if self.stall_after {
            self.stage = Stage::Stalled;
            self.stall_after = false;
        } else if self.list_left_bytes == 0 {
            self.stage = if self.outstanding == 0 { Stage::Ending } else { Stage::Draining };
        }
    }

    /// The one request of a command that only orders.
    fn order_storage(&mut self, spe: SpeId, ramp: RampIndex, id: EntryId) -> Request {
        self.stage = Stage::Draining;
        self.outstanding = 1;
        let target = ea::Target::Memory(0);
        Request { kind: RequestKind::Sync, issuer: Issuer::Mfc(spe, id), ramp, bytes: 0, lsa: 0, target, value: 0 }
    }
}
