//! The state behind an SPU's channels: mailboxes, signals, events, decrementer, tag and atomic status.
//!
//! Modelled elsewhere: the MFC's command queue (`mfc`) and the effects of reading and writing a channel
//! ([`crate::system`]).
//!
//! Sources: CBEA section 9 describes each channel; table 17-2 of the Cell BE Handbook contains counts, depths and
//! blocking.

use crate::decrementer::Decrementer;
use crate::last_gets::LastGets;
use crate::machine::Machine;
use crate::snapshot::Snapshot;
use std::collections::VecDeque;

/// A mailbox of 32-bit entries.
#[derive(Clone, Debug)]
pub struct Mailbox {
    entries: VecDeque<u32>,
    capacity: usize,
}

impl Mailbox {
    fn new(capacity: u32) -> Mailbox {
        Mailbox { entries: VecDeque::new(), capacity: capacity as usize }
    }

    /// Number of entries.
    pub fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Whether the mailbox is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of free entries.
    pub fn free(&self) -> u32 {
        (self.capacity - self.entries.len()) as u32
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().copied()
    }

    /// Removes and returns the oldest entry.
    pub fn pop(&mut self) -> Option<u32> {
        self.entries.pop_front()
    }

    /// Adds an entry. If the mailbox is full, the new entry replaces the youngest entry (Handbook 19.6.6.2).
    pub fn push_or_replace(&mut self, value: u32) {
        if self.entries.len() == self.capacity {
            self.entries.pop_back();
        }
        self.entries.push_back(value);
    }

    fn capture(&self, out: &mut Snapshot) {
        // A constant of the machine: `capacity`.
        let Mailbox { entries, capacity: _ } = self;
        out.word(entries.len() as u64);
        entries.iter().for_each(|entry| out.word(u64::from(*entry)));
    }
}

/// One signal-notification register.
#[derive(Clone, Copy, Default, Debug)]
pub struct Signal {
    value: u32,
    pending: bool,
    /// OR mode: each write is ORed into the value. In overwrite mode (false), a write replaces the value.
    pub or_mode: bool,
}

impl Signal {
    /// Writes the register on behalf of another unit. The channel count saturates at 1 (Handbook 19.7).
    pub fn write(&mut self, value: u32) {
        self.value = if self.or_mode { self.value | value } else { value };
        self.pending = true;
    }

    /// Reads and clears the register on behalf of the SPU; returns `None` if there is no unread value.
    pub fn read(&mut self) -> Option<u32> {
        std::mem::take(&mut self.pending).then(|| std::mem::take(&mut self.value))
    }

    /// The value that the SPU has not read yet; `None` if there is no such value.
    pub fn pending(&self) -> Option<u32> {
        self.pending.then_some(self.value)
    }

    /// Channel count.
    pub fn count(&self) -> u32 {
        u32::from(self.pending)
    }
}

/// Condition of a pending request for tag status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagUpdate {
    /// No condition.
    Immediate,
    /// At least one group of the mask is complete.
    Any,
    /// Every group of the mask is complete.
    All,
}

/// Pending SPU events.
///
/// The count of `SPU_RdEventStat` is a state of its own: an event sets the count, and only a read of the channel clears
/// it. So a read can return no event at all, if the event was acknowledged or masked before the read (a phantom event).
#[derive(Clone, Copy, Default, Debug)]
pub struct Events {
    pending: u32,
    mask: u32,
    count: bool,
}

impl Events {
    /// Makes events pending. Returns whether an enabled event is among them.
    pub fn raise(&mut self, bits: u32) -> bool {
        self.pending |= bits;
        let enabled = bits & self.mask != 0;
        self.count_if(enabled);
        enabled
    }

    /// Enables exactly the events of `mask`.
    pub fn set_mask(&mut self, mask: u32) {
        self.mask = mask;
        self.count_if(self.enabled() != 0);
    }

    /// Removes events. If enabled events remain, they are reported again. An acknowledgement of nothing has no effect
    /// (RPCS3 PR 17796).
    pub fn acknowledge(&mut self, bits: u32) {
        self.pending &= !bits;
        self.count_if(bits != 0 && self.enabled() != 0);
    }

    /// Reads the enabled pending events and clears the count; returns `None` if the count is 0.
    pub fn read(&mut self) -> Option<u32> {
        std::mem::take(&mut self.count).then(|| self.enabled())
    }

    /// Whether the channel count of `SPU_RdEventStat` is 1.
    #[inline]
    pub fn count(&self) -> bool {
        self.count
    }

    /// Enabled events.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// Events that were raised and not acknowledged, enabled or not.
    pub fn pending(&self) -> u32 {
        self.pending
    }

    fn enabled(&self) -> u32 {
        self.pending & self.mask
    }

    /// Sets the count. In the optimized build, rustc 1.95 compiles `self.count |= enabled` in [`Events::raise`] so that a
    /// signal sets the count for the mask of the other signal.
    fn count_if(&mut self, enabled: bool) {
        if enabled {
            self.count = true;
        }
    }
}

/// The state behind one SPU's channels.
#[derive(Clone, Debug)]
pub struct Channels {
    /// Inbound mailbox, read by the SPU.
    pub in_mbox: Mailbox,
    /// Outbound mailbox, written by the SPU.
    pub out_mbox: Mailbox,
    /// Outbound interrupt mailbox, written by the SPU.
    pub out_intr_mbox: Mailbox,
    /// The two signal registers.
    pub signals: [Signal; 2],
    /// SPU events.
    pub events: Events,
    /// The decrementer, whose event is among the SPU events.
    pub decrementer: Decrementer,
    /// Command parameters: LSA, EAH, EAL, size, tag.
    pub parameters: [u32; 5],
    /// The last `get` commands that were given, for reports.
    pub last_gets: LastGets,
    /// Tag groups selected for tag status.
    pub tag_mask: u32,
    /// Pending request for tag status.
    pub tag_update: Option<TagUpdate>,
    /// Tag status that the SPU has not read yet.
    pub tag_status: Option<u32>,
    /// Tag groups with a stalled list command.
    pub list_stall: u32,
    /// Status of the last atomic command, until the SPU reads it.
    pub atomic_status: Option<u32>,
    /// Save/restore register 0.
    pub srr0: u32,
    /// Whether a multi-source synchronization is in progress.
    pub ms_sync_pending: bool,
}

impl Channels {
    /// The state after reset.
    pub fn new(machine: &Machine) -> Channels {
        Channels {
            in_mbox: Mailbox::new(machine.mfc.inbound_mailbox_entries),
            out_mbox: Mailbox::new(machine.mfc.outbound_mailbox_entries),
            out_intr_mbox: Mailbox::new(machine.mfc.outbound_interrupt_mailbox_entries),
            signals: [Signal::default(); 2],
            events: Events::default(),
            decrementer: Decrementer::default(),
            parameters: [0; 5],
            last_gets: LastGets::default(),
            tag_mask: 0,
            tag_update: None,
            tag_status: None,
            list_stall: 0,
            atomic_status: None,
            srr0: 0,
            ms_sync_pending: false,
        }
    }

    /// Completes the pending tag-status request if its condition holds. Returns whether the request was completed.
    pub fn meet_tag_update(&mut self, idle_tags: u32) -> bool {
        let complete = idle_tags & self.tag_mask;
        let met = match self.tag_update {
            None => false,
            Some(TagUpdate::Immediate) => true,
            Some(TagUpdate::Any) => complete != 0,
            Some(TagUpdate::All) => complete == self.tag_mask,
        };
        if met {
            self.tag_update = None;
            self.tag_status = Some(complete);
        }
        met
    }

    /// Adds the channels' state to a snapshot, without the decrementer. The decrementer depends on absolute time. The
    /// decrementer affects the channels only while its event is enabled, and an enabled decrementer event rules out
    /// fast-forward.
    pub fn capture(&self, out: &mut Snapshot) {
        let Channels {
            in_mbox,
            out_mbox,
            out_intr_mbox,
            signals,
            events: Events { pending, mask, count },
            parameters,
            // For reports only: no program sees these.
            last_gets: _,
            tag_mask,
            tag_update,
            tag_status,
            list_stall,
            atomic_status,
            srr0,
            ms_sync_pending,
            // The decrementer depends on absolute time (see above).
            decrementer: _,
        } = self;
        [in_mbox, out_mbox, out_intr_mbox].iter().for_each(|mailbox| mailbox.capture(out));
        for Signal { value, pending, or_mode } in signals {
            out.word(u64::from(*value) << 2 | u64::from(*pending) << 1 | u64::from(*or_mode));
        }
        out.word(u64::from(*pending) << 32 | u64::from(*mask));
        let [lsa, eah, eal, size, tag] = *parameters;
        [lsa, eal].iter().for_each(|part| out.word(out.address(*part)));
        [eah, size, tag].iter().for_each(|parameter| out.word(u64::from(*parameter)));
        out.word(u64::from(*tag_mask) << 32 | u64::from(*list_stall));
        out.word(tag_update.map_or(0, |update| 1 + update as u64));
        out.word(tag_status.map_or(u64::MAX, u64::from));
        out.word(atomic_status.map_or(u64::MAX, u64::from));
        out.word(u64::from(*srr0) << 2 | u64::from(*ms_sync_pending) << 1 | u64::from(*count));
    }
}
