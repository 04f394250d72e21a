//! The counters of the machine, in the spirit of the chip's own performance monitor.
//!
//! Counters only grow, and by the same amount in each period of a repeating run.  So exact fast-forward can
//! skip periods.  Maxima do not grow by a constant, but each period reaches the same ones as the
//! last, so a skip leaves them alone.  The length of a queue is counted as the sum of its lengths over all
//! bus cycles.  This sum grows; divided by `bus_cycles` it is the average length (see [`crate::occupancy`]).
//!
//! A new counter is a row below, and the line that counts.

use crate::ea::Target;
use crate::request::{Issuer, Request, RequestKind};
use crate::units::BusCycle;
use serde::Serialize;
use std::collections::BTreeMap;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident,)* $(; $($(#[$max_doc:meta])* $max:ident,)*)?
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
            pub struct $name {
                $($(#[$field_doc])* pub $field: u64,)*
                $($($(#[$max_doc])* pub $max: u64,)*)?
            }

            impl $name {
                /// Calls `visit` with every counter, but not with maxima: a period reaches them, or no period does.
                fn visit(&mut self, visit: &mut dyn FnMut(&mut u64)) { $(visit(&mut self.$field);)* }
            }
        )*
    };
}

// The fields after a semicolon are maxima: they do not grow with each period.
counters! {
    /// Counters of one data ring.
    RingCounters {
        /// Transfers started.
        grants,
        /// Requests of lines with this home ring that the arbiter denied.
        denials,
        /// Bus cycles that denied lines with this home ring waited because a segment of their path was taken.
        path_taken_bus_cycles,
        /// Bus cycles that they waited because their off-ramp was busy, or promised to other lines.
        off_ramp_busy_bus_cycles,
        /// Bus cycles that they waited because the ring had just started another transfer.
        start_gap_bus_cycles,
        /// Segments that carried a beat, times bus cycles.
        segment_busy_bus_cycles,
        /// Bus cycles in which at least one of its segments carried a beat.
        busy_bus_cycles,
    }
    /// Counters of the command phase.
    CommandCounters {
        /// Commands ordered by the address concentrator.
        ordered,
        /// Reads of MFCs and of the PPE, among all ordered commands.
        reads,
        /// Writes, among all ordered commands.
        writes,
        /// Reads of lock lines (`getllar`).
        line_reads,
        /// Claims of a line with its data.
        claims_with_data,
        /// Claims of a line without its data.
        claims,
        /// Commands that only order others (`mfcsync`, `mfceieio`).
        syncs,
        /// Commands of MFCs, among all ordered commands.
        from_mfcs,
        /// Commands of atomic units.
        from_atomic_units,
        /// Commands of the PPE.
        from_ppe,
        /// Commands to main memory, among all ordered commands.
        to_memory,
        /// Commands to local stores.
        to_local_stores,
        /// Commands to problem-state registers.
        to_registers,
        /// Retry responses because a cache was dealing with the line (address match).
        retries_address_match,
        /// Commands that had to wait because memory was dealing with their line.
        waits_line_in_use,
        /// Commands that had to wait for room in a memory queue.
        waits_memory_queue,
        /// Commands that had arrived and waited to be ordered, times bus cycles.
        command_wait_bus_cycles,
        ;
        /// The most commands that waited together.
        commands_waiting_max,
    }
    /// Counters of one chip's memory controller.
    MicCounters {
        /// Reads served.
        reads,
        /// Writes served.
        writes,
        /// Lines that were ready and waited for a ring, times bus cycles.
        data_wait_bus_cycles,
        ;
        /// The most lines that waited together.
        data_waiting_max,
    }
    /// Counters of one chip's end of the interface to the other chip.
    BifCounters {
        /// Pieces of data that it sent, each a line or less.
        lines_sent,
        /// Bytes that it sent.
        bytes_sent,
        /// Bus cycles in which its lanes carried data.
        lanes_busy_bus_cycles,
        /// Requests of its chip that had to wait for a slot of the interface.
        place_waits,
        /// Lines that had come from the other chip and waited for a ring of this one, times bus cycles.
        data_wait_bus_cycles,
        ;
        /// The most lines that waited together.
        data_waiting_max,
    }
    /// Counters of one memory channel.
    MicChannelCounters {
        /// Occupied entries of the read queue, times bus cycles.
        read_queue_entry_bus_cycles,
        /// Occupied entries of the write queue, including those reserved for data under way, times bus cycles.
        write_queue_entry_bus_cycles,
        ;
        /// The most entries of the read queue that were occupied together.
        read_queue_entries_max,
        /// The most entries of the write queue that were occupied together.
        write_queue_entries_max,
    }
    /// Counters of the PPE's caches.
    PpeCounters {
        /// Loads that missed the L1.
        l1_load_misses,
        /// Loads that missed the L1 and for which the L2 fetched the line.  Prefetches do not count.
        l2_load_misses,
        /// Lines that were prefetched into the L2.
        prefetches,
        /// Lines that stores claimed, with or without their data.
        claims,
        /// Changed lines that were evicted and written back.
        castouts,
        /// Lines that another unit took before they had arrived.
        lines_lost,
    }
    /// Counters of one SPE.
    SpeCounters {
        /// DMA commands that entered one of the queues.
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
        /// Changed lines that its atomic cache evicted and wrote back.
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
        /// Requests that its bus interface held, times bus cycles.
        outstanding_line_bus_cycles,
        /// Lines that were ready at its on-ramp and waited for a ring, times bus cycles.
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

/// All counters of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counters {
    /// Length of the run.
    pub bus_cycles: u64,
    /// Counters of the command phase.
    pub command: CommandCounters,
    /// Data rings, chip by chip, clockwise ones first.
    pub rings: Vec<RingCounters>,
    /// Memory controllers, by chip.
    pub mics: Vec<MicCounters>,
    /// Ends of the interface between two chips, by chip; empty on a machine of one chip.
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

/// A histogram of latencies: the number of commands for each latency in bus cycles.
pub type Latencies = BTreeMap<BusCycle, u64>;

impl CommandCounters {
    /// Counts an ordered command by its kind, its issuer and its target.
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
    /// Counters at zero, for a machine with these numbers of chips, and of rings, channels and SPEs on all chips.
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
            // Time and histograms are handled elsewhere.
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

    /// The growth since `earlier`; maxima and latencies are those of the whole time.
    pub fn since(&self, earlier: &Counters) -> Counters {
        let mut since = self.clone();
        let mut before = earlier.values().into_iter();
        since.visit(&mut |value| *value -= before.next().unwrap_or(0));
        since.bus_cycles = self.bus_cycles - earlier.bus_cycles;
        since
    }

    /// The part of [`Counters::repeat`] for latencies.
    fn repeat_latencies(&mut self, earlier: &Counters, times: u64) {
        for (latencies, earlier) in self.latencies.iter_mut().zip(&earlier.latencies) {
            for (latency, count) in latencies {
                *count += (*count - earlier.get(latency).unwrap_or(&0)) * times;
            }
        }
    }
}
