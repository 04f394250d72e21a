//! What the machine counts, in the spirit of the chip's own performance monitor.
//!
//! Counters only ever grow, and by the same amount in each period of a repeating run: that is what
//! lets exact fast-forward leave periods out.  Maxima do not; but a period reaches the same ones as the
//! last, so they stay as they are.  How long queues are is counted as the sum of their lengths over all
//! bus cycles, which grows; divided by `bus_cycles` it is the average (see [`crate::occupancy`]).

use crate::described;
use crate::ea::Target;
use crate::request::{Issuer, Request, RequestKind};
use crate::units::BusCycle;
use serde::Serialize;
use std::collections::BTreeMap;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident,)* $(; $($(#[doc = $max_doc:literal])* $max:ident,)*)?
    })*) => {
        $(
            described! {
                $(#[$doc])*
                #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
                pub struct $name {
                    $($(#[doc = $field_doc])* pub $field: u64,)*
                    $($($(#[doc = $max_doc])* pub $max: u64,)*)?
                }
            }

            impl $name {
                /// Calls `visit` with what grows; a maximum is reached within a period, or never.
                fn visit(&mut self, visit: &mut dyn FnMut(&mut u64)) { $(visit(&mut self.$field);)* }
            }
        )*
    };
}

// What stands behind a semicolon is a maximum: it does not grow with each period.
counters! {
    /// Of one data ring.
    RingCounters {
        /// Transfers started.
        grants,
        /// Tries of a head with this home ring that failed.
        denials,
        /// Bus cycles that such heads then waited because a segment of their way was taken.
        path_taken_bus_cycles,
        /// The same because their off-ramp was busy, or others came first at it.
        off_ramp_busy_bus_cycles,
        /// The same because the ring had just started another transfer.
        start_gap_bus_cycles,
        /// Bus cycles times segments that carried a beat.
        segment_busy_bus_cycles,
        /// Bus cycles in which any of its segments carried a beat.
        busy_bus_cycles,
    }
    /// Of the command phase.
    CommandCounters {
        /// Commands ordered by the address concentrator.
        ordered,
        /// Of these, reads of MFCs and of the PPE.
        reads,
        /// Writes.
        writes,
        /// Reads of lock lines (`getllar`).
        line_reads,
        /// Claims of a line with its data.
        claims_with_data,
        /// Claims of a line without its data.
        claims,
        /// Commands that only order others (`mfcsync`, `mfceieio`).
        syncs,
        /// Of all ordered, those of MFCs.
        from_mfcs,
        /// Those of atomic units.
        from_atomic_units,
        /// Those of the PPE.
        from_ppe,
        /// Of all ordered, those to main memory.
        to_memory,
        /// Those to local stores.
        to_local_stores,
        /// Those to problem-state registers.
        to_registers,
        /// Retry responses because a cache was dealing with the line (address match).
        retries_address_match,
        /// Commands that had to wait for their line, as memory was dealing with it.
        waits_line_in_use,
        /// Commands that had to wait for room in a memory queue.
        waits_memory_queue,
        /// Commands that have arrived and wait to be ordered, times bus cycles.
        command_wait_bus_cycles,
        ;
        /// The most commands that waited together.
        commands_waiting_max,
    }
    /// Of one chip's memory controller.
    MicCounters {
        /// Reads served.
        reads,
        /// Writes served.
        writes,
        /// Lines that are ready and wait for a ring, times bus cycles.
        data_wait_bus_cycles,
        ;
        /// The most lines that waited together.
        data_waiting_max,
    }
    /// Of one chip's end of the interface to the other.
    BifCounters {
        /// Pieces of data, a line or less, that it sent.
        lines_sent,
        /// Their bytes.
        bytes_sent,
        /// Bus cycles in which its lanes carried them.
        lanes_busy_bus_cycles,
        /// Requests of its chip that had to wait for one of the places.
        place_waits,
        /// Lines that have come from the other chip and wait for a ring of this one, times bus cycles.
        data_wait_bus_cycles,
        ;
        /// The most lines that waited together.
        data_waiting_max,
    }
    /// Of one memory channel.
    MicChannelCounters {
        /// Places of the read queue that are taken, times bus cycles.
        read_queue_entry_bus_cycles,
        /// Places of the write queue that are taken, or promised to data under way, times bus cycles.
        write_queue_entry_bus_cycles,
        ;
        /// The most places of the read queue that were taken together.
        read_queue_entries_max,
        /// The most places of the write queue.
        write_queue_entries_max,
    }
    /// Of the PPE's caches.
    PpeCounters {
        /// Loads that missed the L1.
        l1_load_misses,
        /// Of these, those for which the L2 fetched the line, prefetch aside.
        l2_load_misses,
        /// Lines that prefetch fetched into the L2.
        prefetches,
        /// Lines that stores claimed, with their data or without.
        claims,
        /// Changed lines that were written back to make room.
        castouts,
        /// Lines that another unit took before they were here.
        lines_lost,
    }
    /// Of one SPE.
    SpeCounters {
        /// DMA commands taken by either queue.
        dma_commands,
        /// Lines, or parts of lines, that its gets moved.
        get_lines,
        /// Bytes that its gets moved.
        get_bytes,
        /// Lines, or parts of lines, that its puts moved.
        put_lines,
        /// Bytes that its puts moved.
        put_bytes,
        /// `getllar`, `putllc`, `putlluc` and `putqlluc` commands.
        atomic_commands,
        /// `putllc` commands that failed.
        putllc_failures,
        /// `getllar` commands served by the atomic cache.
        getllar_hits,
        /// Changed lines that its atomic cache wrote back to make room.
        castouts,
        /// Bus commands that it had to send again.
        retries,
        /// Entries that arrived in its inbound mailbox.
        mailbox_entries,
        /// Writes to its signal registers.
        signals,
        /// Channel operations that had to wait.
        channel_stalls,
        /// Commands in its SPU queue, times bus cycles.
        spu_queue_command_bus_cycles,
        /// Commands in its proxy queue, times bus cycles.
        proxy_queue_command_bus_cycles,
        /// Requests that its bus interface holds, times bus cycles.
        outstanding_line_bus_cycles,
        /// Lines that are ready at its on-ramp and wait for a ring, times bus cycles.
        data_wait_bus_cycles,
        ;
        /// The most commands that its SPU queue held.
        spu_queue_commands_max,
        /// The most commands that its proxy queue held.
        proxy_queue_commands_max,
        /// The most requests that its bus interface held.
        outstanding_lines_max,
        /// The most lines that waited at its on-ramp.
        data_waiting_max,
    }
}

described! {
    /// All counters of a run.
    #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
    pub struct Counters {
        /// Length of the run.
        pub bus_cycles: u64,
        /// Command phase.
        pub command: CommandCounters,
        /// Data rings, chip by chip, clockwise ones first.
        pub rings: Vec<RingCounters>,
        /// Memory controllers, by chip.
        pub mics: Vec<MicCounters>,
        /// Ends of the interface between two chips, by chip; none where there is one chip.
        pub bif: Vec<BifCounters>,
        /// Caches of the PPE.
        pub ppe: PpeCounters,
        /// Channels of the memory, chip by chip.
        pub mic_channels: Vec<MicChannelCounters>,
        /// SPEs, by physical number.
        pub spes: Vec<SpeCounters>,
        /// Latencies of DMA commands, by physical SPE; empty unless asked for.
        #[serde(skip)]
        pub latencies: Vec<Latencies>,
    }
}

/// A histogram of latencies: how often each one, in bus cycles, was seen.
pub type Latencies = BTreeMap<BusCycle, u64>;

impl CommandCounters {
    /// Counts a command that is ordered: what it does, whose it is, and to what.
    #[inline]
    pub fn count(&mut self, request: &Request) {
        self.ordered += 1;
        *match request.kind {
            RequestKind::Read => &mut self.reads,
            RequestKind::Write => &mut self.writes,
            RequestKind::ReadLine => &mut self.line_reads,
            RequestKind::ClaimWithData => &mut self.claims_with_data,
            RequestKind::Claim => &mut self.claims,
            RequestKind::Sync => &mut self.syncs,
        } += 1;
        *match request.issuer {
            Issuer::Mfc(..) => &mut self.from_mfcs,
            Issuer::Atomic(_) | Issuer::Castout(_) => &mut self.from_atomic_units,
            // The interface itself issues no commands.
            Issuer::Ppe | Issuer::Bif => &mut self.from_ppe,
        } += 1;
        match request.target {
            _ if request.kind == RequestKind::Sync => (),
            Target::Memory(_) => self.to_memory += 1,
            Target::LocalStore(..) => self.to_local_stores += 1,
            Target::Register(..) => self.to_registers += 1,
        }
    }
}

impl Counters {
    /// All at zero, for a machine with these numbers of chips, and of rings, channels and SPEs on all of them.
    pub fn new(chips: usize, rings: usize, mic_channels: usize, spes: usize) -> Counters {
        Counters {
            rings: vec![RingCounters::default(); rings],
            mics: vec![MicCounters::default(); chips],
            bif: vec![BifCounters::default(); if chips > 1 { chips } else { 0 }],
            mic_channels: vec![MicChannelCounters::default(); mic_channels],
            spes: vec![SpeCounters::default(); spes],
            ..Counters::default()
        }
    }

    /// Every counter, in a fixed order.
    fn values(&self) -> Vec<u64> {
        let mut values = Vec::new();
        self.clone().visit(&mut |value| values.push(*value));
        values
    }

    fn visit(&mut self, visit: &mut dyn FnMut(&mut u64)) {
        let Counters {
            // Time, and what is not a number, go their own ways.
            bus_cycles: _,
            latencies: _,
            command,
            rings,
            mics,
            bif,
            ppe,
            mic_channels,
            spes,
        } = self;
        command.visit(visit);
        rings.iter_mut().for_each(|ring| ring.visit(visit));
        mics.iter_mut().for_each(|mic| mic.visit(visit));
        bif.iter_mut().for_each(|end| end.visit(visit));
        ppe.visit(visit);
        mic_channels.iter_mut().for_each(|channel| channel.visit(visit));
        spes.iter_mut().for_each(|spe| spe.visit(visit));
    }

    /// Adds `times` the growth since `earlier`.
    pub fn repeat(&mut self, earlier: &Counters, times: u64) {
        self.repeat_latencies(earlier, times);
        let mut earlier = earlier.values().into_iter();
        self.visit(&mut |value| {
            let before = earlier.next().unwrap_or(*value);
            *value += (*value - before) * times;
        });
    }

    /// What was counted since `earlier`; maxima and latencies are those of the whole time.
    pub fn since(&self, earlier: &Counters) -> Counters {
        let mut since = self.clone();
        let mut before = earlier.values().into_iter();
        since.visit(&mut |value| *value -= before.next().unwrap_or(0));
        since.bus_cycles = self.bus_cycles - earlier.bus_cycles;
        since
    }

    /// As [`Counters::repeat`], for the latencies.
    fn repeat_latencies(&mut self, earlier: &Counters, times: u64) {
        for (latencies, earlier) in self.latencies.iter_mut().zip(&earlier.latencies) {
            for (latency, count) in latencies {
                *count += (*count - earlier.get(latency).unwrap_or(&0)) * times;
            }
        }
    }
}
