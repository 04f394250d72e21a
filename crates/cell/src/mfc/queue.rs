//! A command queue of the MFC: its entries, tag groups, and the dependencies between commands.

use crate::command::{Command, Decoded};
use crate::ea::Target;
use crate::snapshot::Snapshot;
use crate::units::BusCycle;

/// Progress of a command.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The command waits for the DMAC to select it and to unroll it into bus requests.
    Unrolling,
    /// A list command waits for the SPU to acknowledge a stall.
    Stalled,
    /// The command addresses a context that is not on an SPE, and waits for a change of the page table.
    Away,
    /// All requests have been sent, but some are still outstanding.
    Draining,
    /// All requests are complete, but the end of the command has not been reported yet.
    Ending,
}

/// One element of a DMA list, as stored in the local store (CBEA 7.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListElement {
    /// Stall-and-notify bit.
    pub stall: bool,
    /// Size in bytes.
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

/// A queued command and its progress.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The command as issued.
    pub command: Command,
    /// The decoded opcode.
    pub decoded: Decoded,
    /// Progress of the command.
    pub stage: Stage,
    /// Earliest time of the first selection.
    pub ready_at: BusCycle,
    /// When the command was offered to the program, if it was, in bus cycles since the start of the run.
    pub offered_at: Option<BusCycle>,
    /// For a list command: time at which the fetch of the next list element from the local store is complete.
    pub element_ready_at: BusCycle,
    /// Time at which the translation of the next byte is available.
    pub translated_at: BusCycle,
    /// Bit mask of the entries that must end before this command.
    pub waits_for: u32,
    /// Number of outstanding requests.
    pub outstanding: u32,
    /// Local-store address of the next byte.
    pub lsa: u32,
    /// Effective address of the next byte.
    pub ea: u64,
    /// Target of the next byte, and the number of bytes from there to the end of the region. The value is `None` until
    /// the first request of a transfer or list element.
    pub mapped: Option<(Target, u64)>,
    /// Number of bytes of the transfer, or of the current list element, that have not been requested yet.
    pub left_bytes: u32,
    /// Size in bytes of the list elements that have not been fetched yet.
    pub list_left_bytes: u32,
    /// Whether the list stalls after the current element (stall-and-notify).
    pub stall_after: bool,
}

impl Entry {
    /// Whether the command may be selected as soon as its `ready_at` is reached.
    fn may_be_selected(&self) -> bool {
        self.stage == Stage::Unrolling && self.waits_for == 0
    }

    /// Adds the entry's state to a snapshot, relative to `now`. `started` is true if the entry has been selected
    /// before. The snapshot identifies other entries by their rank in `by_age`.
    fn capture(&self, by_age: &[u8], started: bool, now: BusCycle, out: &mut Snapshot) {
        let Entry {
            command: Command { opcode, lsa: command_lsa, ea: command_ea, size, tag },
            // `decoded` is a function of the opcode.
            decoded: _,
            stage,
            ready_at,
            offered_at,
            element_ready_at,
            translated_at,
            waits_for,
            outstanding,
            lsa,
            ea,
            // `mapped` is a function of `ea`.
            mapped: _,
            left_bytes,
            list_left_bytes,
            stall_after,
        } = *self;
        out.word(stage as u64);
        out.word(u64::from(opcode) << 32 | out.address(command_lsa));
        out.word(out.address(command_ea));
        out.word(u64::from(size) << 32 | u64::from(tag));
        out.word(u64::from(outstanding) << 32 | out.address(lsa));
        out.word(out.address(ea));
        out.word(u64::from(left_bytes) << 32 | u64::from(list_left_bytes));
        let awaited = by_age.iter().enumerate().filter(|(_, other)| waits_for >> **other & 1 == 1);
        let awaited = awaited.fold(0, |mask, (rank, _)| mask | 1 << rank);
        out.word(awaited << 32 | u64::from(started) << 1 | u64::from(stall_after));
        out.deadline(ready_at, now);
        if let Some(at) = offered_at {
            // An absolute time, so that no state repeats while an offered command is in the queue.
            out.word(at);
        }
        out.deadline(element_ready_at, now);
        out.deadline(translated_at, now);
    }
}

/// A queue with a fixed number of entries.
#[derive(Clone, Debug)]
pub struct Queue {
    entries: Vec<Option<Entry>>,
    /// Indices of the entries with commands, oldest first.
    by_age: Vec<u8>,
    /// Masks of entries: `occupied` entries contain a command, and `unrolling` entries may be selected as soon as their
    /// `ready_at` is reached.
    occupied: u32,
    unrolling: u32,
    /// Masks of entries: those that have been selected before (`started`), those that wait for other entries
    /// (`waiting`), and those with a barrier (`barriers`).
    started: u32,
    waiting: u32,
    barriers: u32,
    puts: u32,
    /// Number of unfinished commands by tag group.
    tag_commands: [u32; 32],
    /// Tag groups without commands, as a bit mask.
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

    /// Number of free entries.
    pub fn free(&self) -> u32 {
        self.entries.len() as u32 - self.occupied.count_ones()
    }

    /// Whether the queue contains only put commands (if `puts` is true) or only get commands (if `puts` is false).
    pub fn holds_only(&self, puts: bool) -> bool {
        if puts { self.puts == self.occupied.count_ones() } else { self.puts == 0 }
    }

    /// Occupied entries, as a bit mask.
    pub fn occupied(&self) -> u32 {
        self.occupied
    }

    /// The entry of the command that was issued last.
    pub fn newest(&self) -> Option<u8> {
        self.by_age.last().copied()
    }

    /// Tag groups without commands, as a bit mask.
    pub fn idle_tags(&self) -> u32 {
        self.idle_tags
    }

    /// Adds a command. Returns the command's entry, or `None` if the queue is full.
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
            offered_at: None,
            element_ready_at,
            translated_at: 0,
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
        self.barriers |= u32::from(decoded.barrier || decoded.action.orders_queue()) << index;
        self.by_age.push(index as u8);
        self.puts += u32::from(decoded.action.is_put());
        self.tag_commands[command.tag as usize & 31] += 1;
        self.idle_tags &= !(1 << (command.tag & 31));
        Some(index as u8)
    }

    /// Returns the mask of earlier commands for which a new command must wait (CBEA 7.7, 7.9).
    fn dependencies(&self, new: &Command, decoded: &Decoded) -> u32 {
        let orders_all = decoded.action.orders_queue();
        if !(orders_all || decoded.fence || decoded.barrier) && self.barriers == 0 {
            return 0;
        }
        self.iter().fold(0, |mask, (index, earlier)| {
            let same_tag = earlier.command.tag == new.tag;
            let in_group_order = same_tag && (decoded.fence || decoded.barrier || earlier.decoded.barrier);
            let behind_barrier = earlier.decoded.action.orders_queue();
            if orders_all || in_group_order || behind_barrier { mask | 1 << index } else { mask }
        })
    }

    /// Removes a command, and releases the commands that waited for its end.
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
            self.release_waiters(index);
        }
        Some(entry)
    }

    fn release_waiters(&mut self, index: u8) {
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

    /// Whether at least one command waits for other commands.
    pub fn some_wait(&self) -> bool {
        self.waiting != 0
    }

    /// Records that an entry has been selected.
    #[inline(always)]
    pub fn mark_started(&mut self, index: u8) {
        self.started |= 1 << index;
    }

    /// Whether an entry has been selected before.
    #[inline(always)]
    pub fn has_started(&self, index: u8) -> bool {
        self.started >> index & 1 == 1
    }

    /// Whether at least one of the commands that may be selected now has been selected before.
    #[inline(always)]
    pub fn any_in_progress(&self) -> bool {
        self.unrolling & self.started != 0
    }

    /// Updates the masks after a change of an entry's stage.
    #[inline(always)]
    pub fn stage_changed(&mut self, index: u8) {
        let may_be_selected = self.entry(index).may_be_selected();
        self.unrolling = self.unrolling & !(1 << index) | u32::from(may_be_selected) << index;
    }

    /// Returns the entry at this index, which must be occupied.
    #[inline(always)]
    pub fn entry(&self, index: u8) -> &Entry {
        self.entries[index as usize].as_ref().expect("an occupied entry")
    }

    /// Like [`Queue::entry`], but mutable.
    #[inline(always)]
    pub fn entry_mut(&mut self, index: u8) -> &mut Entry {
        self.entries[index as usize].as_mut().expect("an occupied entry")
    }

    /// All commands, mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().flatten()
    }

    /// All commands with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &Entry)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| Some((index as u8, entry.as_ref()?)))
    }

    /// Returns the commands that may be selected as soon as their `ready_at` is reached, oldest first.
    #[inline(always)]
    pub fn unrolling(&self) -> impl Iterator<Item = (u8, &Entry)> {
        let unrolling = self.by_age.iter().filter(|index| self.unrolling >> **index & 1 == 1);
        unrolling.map(|index| (*index, self.entry(*index)))
    }

    /// Indices of the occupied entries, oldest command first.
    pub fn by_age(&self) -> impl Iterator<Item = u8> {
        self.by_age.iter().copied()
    }

    /// Adds the queue's state to a snapshot, relative to `now`.
    pub fn capture(&self, now: BusCycle, out: &mut Snapshot) {
        let Queue {
            entries,
            by_age,
            started,
            // Derived from the entries.
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
