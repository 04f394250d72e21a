//! The state behind an SPU's channels: mailboxes, signals, events, decrementer, tag and atomic status.
//!
//! Modelled elsewhere: the MFC's command queue ([`crate::mfc`]) and the effects of reading and writing a channel
//! ([`crate::system`]).
//!
//! Sources: CBEA section 9 describes each channel; table 17-2 of the Cell BE Handbook contains counts, depths and
//! blocking.

use crate::channel::event;
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

    /// Adds an entry.  If the mailbox is full, the new entry replaces the youngest entry (Handbook 19.6.6.2).
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
    /// OR mode: each write is ORed into the value.  In overwrite mode (false), a write replaces the value.
    pub or_mode: bool,
}

impl Signal {
    /// Writes the register on behalf of another unit.  The channel count saturates at 1 (Handbook 19.7).
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
    /// At least one group of the mask is complete.
    Any,
    /// Every group of the mask is complete.
    All,
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
    /// Pending events: raised and not yet acknowledged.
    pub events: u32,
    /// Enabled events.
    pub event_mask: u32,
    /// Command parameters: LSA, EAH, EAL, size, tag.
    pub parameters: [u32; 5],
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
    decrementer: u32,
    decrementer_written_at: u64,
    /// Whether the decrementer was written and has not turned negative since, so that its event is still to come.
    decrementer_expires: bool,
}

impl Channels {
    /// The state after reset.
    pub fn new(machine: &Machine) -> Channels {
        Channels {
            in_mbox: Mailbox::new(machine.mfc.inbound_mailbox_entries),
            out_mbox: Mailbox::new(machine.mfc.outbound_mailbox_entries),
            out_intr_mbox: Mailbox::new(machine.mfc.outbound_interrupt_mailbox_entries),
            signals: [Signal::default(); 2],
            events: 0,
            event_mask: 0,
            parameters: [0; 5],
            tag_mask: 0,
            tag_update: None,
            tag_status: None,
            list_stall: 0,
            atomic_status: None,
            srr0: 0,
            ms_sync_pending: false,
            decrementer: 0,
            decrementer_written_at: 0,
            decrementer_expires: false,
        }
    }

    /// Makes events pending.
    pub fn raise(&mut self, bits: u32) {
        self.events |= bits;
    }

    /// Loads the decrementer while the time base reads `ticks`.
    pub fn write_decrementer(&mut self, value: u32, ticks: u64) {
        self.decrementer = value;
        self.decrementer_written_at = ticks;
        self.decrementer_expires = true;
    }

    /// Value of the decrementer while the time base reads `ticks`.
    pub fn read_decrementer(&self, ticks: u64) -> u32 {
        self.decrementer.wrapping_sub(ticks.wrapping_sub(self.decrementer_written_at) as u32)
    }

    /// Time base, in ticks, at which the decrementer turns negative.  The change of sign raises the event, not the sign
    /// itself: a decrementer loaded with a negative value first has to count down to the positive values and then
    /// through all of them.
    ///
    /// MODEL: the event occurs once after each write, and never before the first write.  On silicon, the event recurs
    /// every 2^32 ticks, that is, every few minutes.
    pub fn decrementer_expiry_ticks(&self) -> Option<u64> {
        self.decrementer_expires.then(|| self.decrementer_written_at + u64::from(self.decrementer) + 1)
    }

    /// Whether the decrementer has turned negative when the time base reads `ticks`.  Returns true only once for each
    /// write.
    pub fn take_decrementer_expiry(&mut self, ticks: u64) -> bool {
        let expired = self.decrementer_expiry_ticks().is_some_and(|at| at <= ticks);
        self.decrementer_expires &= !expired;
        expired
    }

    /// Completes the pending tag-status request if its condition holds.  Returns whether the request was completed.
    pub fn meet_tag_update(&mut self, idle_tags: u32) -> bool {
        let complete = idle_tags & self.tag_mask;
        let met = match self.tag_update {
            None => false,
            Some(TagUpdate::Any) => complete != 0 || self.tag_mask == 0,
            Some(TagUpdate::All) => complete == self.tag_mask,
        };
        if met {
            self.tag_update = None;
            self.tag_status = Some(complete);
            self.raise(event::TAG_STATUS);
        }
        met
    }

    /// Adds the channels' state to a snapshot, without the decrementer.  The decrementer depends on absolute time.  The
    /// decrementer affects the channels only while its event is enabled, and an enabled decrementer event rules out
    /// fast-forward.
    pub fn capture(&self, out: &mut Snapshot) {
        let Channels {
            in_mbox,
            out_mbox,
            out_intr_mbox,
            signals,
            events,
            event_mask,
            parameters,
            tag_mask,
            tag_update,
            tag_status,
            list_stall,
            atomic_status,
            srr0,
            ms_sync_pending,
            // The decrementer's fields depend on absolute time (see above).
            decrementer: _,
            decrementer_written_at: _,
            decrementer_expires: _,
        } = self;
        [in_mbox, out_mbox, out_intr_mbox].iter().for_each(|mailbox| mailbox.capture(out));
        for Signal { value, pending, or_mode } in signals {
            out.word(u64::from(*value) << 2 | u64::from(*pending) << 1 | u64::from(*or_mode));
        }
        out.word(u64::from(*events) << 32 | u64::from(*event_mask));
        let [lsa, eah, eal, size, tag] = *parameters;
        [lsa, eal].iter().for_each(|part| out.word(out.address(*part)));
        [eah, size, tag].iter().for_each(|parameter| out.word(u64::from(*parameter)));
        out.word(u64::from(*tag_mask) << 32 | u64::from(*list_stall));
        out.word(tag_update.map_or(0, |update| 1 + update as u64));
        out.word(tag_status.map_or(u64::MAX, u64::from));
        out.word(atomic_status.map_or(u64::MAX, u64::from));
        out.word(u64::from(*srr0) << 1 | u64::from(*ms_sync_pending));
    }
}
