//! A command queue of the MFC: entries, tag groups, and which command must wait for which.

use crate::command::{Action, Command, Decoded};
use crate::ea::Target;
use crate::snapshot::Snapshot;
use crate::units::BusCycle;

/// Where a command stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Waits for its turn to be unrolled into bus requests.
    Unrolling,
    /// A list command that waits for the SPU to acknowledge a stall.
    Stalled,
    /// Waits for the page table to change: its effective address is that of a context that is on no SPE.
    Away,
    /// All requests are out; some have not come back.
    Draining,
    /// All requests have come back; its end has yet to be reported.
    Ending,
}

/// One element of a DMA list, as it lies in the local store (CBEA 7.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListElement {
    /// Stall-and-notify bit.
    pub stall: bool,
    /// Bytes.
    pub size: u32,
    /// Low half of the effective address.
    pub eal: u32,
}

impl ListElement {
    /// Decodes the eight bytes of an element.
    pub fn decode(word: u64) -> ListElement {
        ListElement { stall: word >> 63 == 1, size: (word >> 32) as u32 & 0x7fff, eal: word as u32 }
    }
}

/// A queued command and how far it has come.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As given.
    pub command: Command,
    /// What it means.
    pub decoded: Decoded,
    /// Stage.
    pub stage: Stage,
    /// Earliest time of its selection.
    pub ready_at: BusCycle,
    /// For a list: when the next element has come from the local store.
    pub element_ready_at: BusCycle,
    /// Entries (as a bit mask) that must end first.
    pub waits_for: u32,
    /// Requests that have not come back.
    pub outstanding: u32,
    /// Next byte's local-store address.
    pub lsa: u32,
    /// Next byte's effective address.
    pub ea: u64,
    /// What lies at the next byte's effective address, and for how many bytes it goes on; known from the first request
    /// of a transfer or an element on.
    pub mapped: Option<(Target, u64)>,
    /// Bytes that are still to be requested, of the transfer or the current element.
    pub left_bytes: u32,
    /// List bytes that are still to be fetched.
    pub list_left_bytes: u32,
    /// Whether the current element ends with stall-and-notify.
    pub stall_after: bool,
}

impl Entry {
    /// Whether it may be selected once its time has come.
    fn may_be_selected(&self) -> bool {
        self.stage == Stage::Unrolling && self.waits_for == 0
    }

    /// Adds its state, relative to `now`, and whether it has been selected once; other entries are named by their rank
    /// in `by_age`.
    fn capture(&self, by_age: &[u8], started: bool, now: BusCycle, out: &mut Snapshot) {
        let Entry {
            command: Command { opcode, lsa: command_lsa, ea: command_ea, size, tag },
            // A function of the opcode.
            decoded: _,
            stage,
            ready_at,
            element_ready_at,
            waits_for,
            outstanding,
            lsa,
            ea,
            // A function of `ea`.
            mapped: _,
            left_bytes,
            list_left_bytes,
            stall_after,
        } = *self;
        out.word(stage as u64);
        out.word(u64::from(opcode) << 32 | u64::from(command_lsa));
        out.word(command_ea);
        out.word(u64::from(size) << 32 | u64::from(tag));
        out.word(u64::from(outstanding) << 32 | u64::from(lsa));
        out.word(ea);
        out.word(u64::from(left_bytes) << 32 | u64::from(list_left_bytes));
        let awaited = by_age.iter().enumerate().filter(|(_, other)| waits_for >> **other & 1 == 1);
        let awaited = awaited.fold(0, |mask, (rank, _)| mask | 1 << rank);
        out.word(awaited << 32 | u64::from(started) << 1 | u64::from(stall_after));
        out.deadline(ready_at, now);
        out.deadline(element_ready_at, now);
    }
}

/// A queue of `capacity` entries.
#[derive(Clone, Debug)]
pub struct Queue {
    entries: Vec<Option<Entry>>,
    /// Indices of the commands, the oldest first.
    by_age: Vec<u8>,
    /// Entries as bit masks: those with a command, and those whose command may be selected once its time has come.
    occupied: u32,
    unrolling: u32,
    /// Of all commands, those that have been selected once, those that wait for others, and those with a barrier.
    started: u32,
    waiting: u32,
    barriers: u32,
    puts: u32,
    /// Commands per tag group that have not ended.
    tag_commands: [u32; 32],
    /// Tag groups without any, as a bit mask.
    idle_tags: u32,
}

impl Queue {
    /// An empty queue.
    pub fn new(capacity: u32) -> Queue {
        Queue {
            entries: (0..capacity).map(|_| None).collect(),
            by_age: Vec::new(),
            occupied: 0,
            unrolling: 0,
            started: 0,
            waiting: 0,
            barriers: 0,
            puts: 0,
            tag_commands: [0; 32],
            idle_tags: !0,
        }
    }

    /// Free entries.
    pub fn free(&self) -> u32 {
        self.entries.len() as u32 - self.occupied.count_ones()
    }

    /// Whether all its commands are puts, or all are gets.
    pub fn holds_only(&self, puts: bool) -> bool {
        if puts { self.puts == self.occupied.count_ones() } else { self.puts == 0 }
    }

    /// Occupied entries, as a bit mask.
    pub fn occupied(&self) -> u32 {
        self.occupied
    }

    /// The entry of the command given last.
    pub fn newest(&self) -> Option<u8> {
        self.by_age.last().copied()
    }

    /// Tag groups without commands, as a bit mask.
    pub fn idle_tags(&self) -> u32 {
        self.idle_tags
    }

    /// Adds a command; `None` when the queue is full.
    pub fn push(
        &mut self,
        command: Command,
        decoded: Decoded,
        ready_at: BusCycle,
        element_ready_at: BusCycle,
    ) -> Option<u8> {
        let index = (!self.occupied).trailing_zeros() as usize;
        if index >= self.entries.len() {
            return None;
        }
        let waits_for = self.dependencies(&command, &decoded);
        let (left_bytes, list_left_bytes) = if decoded.list { (0, command.size) } else { (command.size, 0) };
        self.entries[index] = Some(Entry {
            command,
            decoded,
            stage: Stage::Unrolling,
            ready_at,
            element_ready_at,
            waits_for,
            outstanding: 0,
            lsa: command.lsa,
            ea: command.ea,
            mapped: None,
            left_bytes,
            list_left_bytes,
            stall_after: false,
        });
        self.occupied |= 1 << index;
        self.unrolling |= u32::from(waits_for == 0) << index;
        self.waiting |= u32::from(waits_for != 0) << index;
        self.barriers |= u32::from(decoded.barrier || decoded.action == Action::Barrier) << index;
        self.by_age.push(index as u8);
        self.puts += u32::from(decoded.action.is_put());
        self.tag_commands[command.tag as usize & 31] += 1;
        self.idle_tags &= !(1 << (command.tag & 31));
        Some(index as u8)
    }

    /// Which earlier commands a new one has to wait for (CBEA 7.7, 7.9).
    fn dependencies(&self, new: &Command, decoded: &Decoded) -> u32 {
        let orders_all = decoded.action == Action::Barrier;
        if !(orders_all || decoded.fence || decoded.barrier) && self.barriers == 0 {
            return 0;
        }
        self.iter().fold(0, |mask, (index, earlier)| {
            let same_tag = earlier.command.tag == new.tag;
            let held_back = same_tag && (decoded.fence || decoded.barrier || earlier.decoded.barrier);
            let behind_barrier = earlier.decoded.action == Action::Barrier;
            if orders_all || held_back || behind_barrier { mask | 1 << index } else { mask }
        })
    }

    /// Takes a command out; those that waited for it wait no more.
    pub fn remove(&mut self, index: u8) -> Option<Entry> {
        let entry = self.entries[index as usize].take()?;
        let others = !(1 << index);
        for mask in [&mut self.occupied, &mut self.unrolling, &mut self.started, &mut self.waiting, &mut self.barriers]
        {
            *mask &= others;
        }
        if let Some(age) = self.by_age.iter().position(|other| *other == index) {
            self.by_age.remove(age);
        }
        self.puts -= u32::from(entry.decoded.action.is_put());
        let tag = entry.command.tag & 31;
        self.tag_commands[tag as usize] -= 1;
        self.idle_tags |= u32::from(self.tag_commands[tag as usize] == 0) << tag;
        if self.waiting != 0 {
            self.wait_no_more_for(index);
        }
        Some(entry)
    }

    fn wait_no_more_for(&mut self, index: u8) {
        for (nth, other) in self.entries.iter_mut().enumerate() {
            if let Some(other) = other
                && other.waits_for >> index & 1 == 1
            {
                other.waits_for &= !(1 << index);
                self.waiting &= !(u32::from(other.waits_for == 0) << nth);
                self.unrolling |= u32::from(other.may_be_selected()) << nth;
            }
        }
    }

    /// Whether a command waits for others.
    pub fn some_wait(&self) -> bool {
        self.waiting != 0
    }

    /// An entry has been selected.
    #[inline(always)]
    pub fn note_started(&mut self, index: u8) {
        self.started |= 1 << index;
    }

    /// Whether an entry has been selected once.
    #[inline(always)]
    pub fn has_started(&self, index: u8) -> bool {
        self.started >> index & 1 == 1
    }

    /// Whether one of the commands that may be selected has been selected before.
    #[inline(always)]
    pub fn some_go_on(&self) -> bool {
        self.unrolling & self.started != 0
    }

    /// An entry's stage has changed.
    #[inline(always)]
    pub fn stage_changed(&mut self, index: u8) {
        let may_be_selected = self.entry(index).may_be_selected();
        self.unrolling = self.unrolling & !(1 << index) | u32::from(may_be_selected) << index;
    }

    /// The entry with this index, which must be occupied.
    #[inline(always)]
    pub fn entry(&self, index: u8) -> &Entry {
        self.entries[index as usize].as_ref().expect("an occupied entry")
    }

    /// As [`Queue::entry`], to change it.
    #[inline(always)]
    pub fn entry_mut(&mut self, index: u8) -> &mut Entry {
        self.entries[index as usize].as_mut().expect("an occupied entry")
    }

    /// All commands, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().flatten()
    }

    /// All commands, by index.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &Entry)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| Some((index as u8, entry.as_ref()?)))
    }

    /// The commands that may be selected once their time has come, the oldest first.
    #[inline(always)]
    pub fn unrolling(&self) -> impl Iterator<Item = (u8, &Entry)> {
        let unrolling = self.by_age.iter().filter(|index| self.unrolling >> **index & 1 == 1);
        unrolling.map(|index| (*index, self.entry(*index)))
    }

    /// The occupied entries, those of the oldest commands first.
    pub fn by_age(&self) -> impl Iterator<Item = u8> {
        self.by_age.iter().copied()
    }

    /// Adds its state, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        let Queue {
            entries,
            by_age,
            started,
            // What the entries say, at hand.
            occupied: _,
            unrolling: _,
            waiting: _,
            barriers: _,
            puts: _,
            tag_commands: _,
            idle_tags: _,
        } = self;
        out.word(by_age.len() as u64);
        for index in by_age {
            if let Some(entry) = &entries[usize::from(*index)] {
                entry.capture(by_age, started >> index & 1 == 1, now, out);
            }
        }
    }
}
