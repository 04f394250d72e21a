//! The counters of the machine, in the spirit of the chip's own performance monitor.
//!
//! Counters only grow. In a repeating run, a counter grows by the same amount in each period. Exact fast-forward can
//! therefore skip periods. Maxima are an exception: every period reaches the same maxima, so skipping periods leaves
//! them unchanged. The length of a queue is counted as the sum of its lengths over all bus cycles. Divided by
//! `bus_cycles`, this growing sum is the average length (see `occupancy`).
//!
//! To add a counter, add a row below and a statement that increments the counter.

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
                /// Calls `visit` with every counter except maxima, because every period reaches the same maxima.
                fn visit(&mut self, visit: &mut dyn FnMut(&mut u64)) { $(visit(&mut self.$field);)* }
            }
        )*
    };
}

// The fields after a semicolon are maxima: they do not grow with each period.
counters! {
    /// Counters of one data ring.
    RingCounters {
        /// Transfers started on this ring.
        grants,
        /// Ready lines with this home ring that received no grant when the arbiter looked. A line that only waits for
        /// the head of another queue is not counted.
        denials,
        /// Bus cycles that denied lines waited because a segment of their path was taken.
        path_taken_bus_cycles,
        /// Bus cycles that denied lines waited because their off-ramp was busy or other lines had precedence there.
        off_ramp_busy_bus_cycles,
        /// Bus cycles that denied lines waited because the ring, or another ring of its direction, had just started a
        /// transfer.
        start_gap_bus_cycles,
        /// Segments that carried a beat, summed over bus cycles.
        segment_busy_bus_cycles,
        /// Bus cycles in which at least one segment of the ring carried a beat.
        busy_bus_cycles,
    }
    /// Counters of the command phase.
    CommandCounters {
        /// Commands ordered by the address concentrator; a repeated command counts each time.
        ordered,
        /// Ordered reads of MFCs and of the PPE.
        reads,
        /// Ordered writes, including write-backs of atomic caches.
        writes,
        /// Ordered reads of lock lines (`getllar`).
        line_reads,
        /// Ordered claims of a line together with its data (`putllc` or `putlluc` of a line that is not cached).
        claims_with_data,
        /// Ordered claims without data: of a line that is cached already, or by `sdcrz`.
        claims,
        /// Ordered commands that only order other commands (`mfcsync`, `mfceieio`). The six counters from `reads` to
        /// `syncs` add up to `ordered`.
        syncs,
        /// Ordered commands of MFCs.
        from_mfcs,
        /// Ordered commands of atomic units.
        from_atomic_units,
        /// Ordered commands of the PPE. The three counters from `from_mfcs` to `from_ppe` add up to `ordered`.
        from_ppe,
        /// Ordered commands, except `syncs`, to main memory.
        to_memory,
        /// Ordered commands to local stores.
        to_local_stores,
        /// Ordered commands to problem-state registers.
        to_registers,
        /// Retry responses because a cache was dealing with the line (address match).
        retries_address_match,
        /// Commands that had to wait because memory was dealing with their line.
        waits_line_in_use,
        /// Commands that had to wait for room in a queue of the memory controller.
        waits_memory_queue,
        /// Commands that wait at the address concentrator, summed over bus cycles.
        command_wait_bus_cycles,
        ;
        /// Maximum number of commands waiting at once, including the command whose turn it was.
        commands_waiting_max,
    }
    /// Counters of one chip's memory controller.
    MicCounters {
        /// Reads served.
        reads,
        /// Writes served.
        writes,
        /// Lines that wait for a ring at the memory's on-ramp, summed over bus cycles.
        data_wait_bus_cycles,
        ;
        /// Maximum number of lines ready at once, including the granted line.
        data_waiting_max,
    }
    /// Counters of one chip's end of the interface to the other chip.
    BifCounters {
        /// Lines, or parts of lines, that the chip sent to the other chip.
        lines_sent,
        /// Bytes that the chip sent to the other chip.
        bytes_sent,
        /// Bus cycles in which the lanes carried data of this chip.
        lanes_busy_bus_cycles,
        /// Requests of the chip, for data on either side, that had to wait for an entry of the interface.
        place_waits,
        /// Lines from the other chip that wait for a ring at IOIF0's on-ramp, summed over bus cycles.
        data_wait_bus_cycles,
        ;
        /// Maximum number of lines ready at once, including the granted line.
        data_waiting_max,
    }
    /// Counters of one memory channel.
    MicChannelCounters {
        /// Entries of the read queue in use, summed over bus cycles.
        read_queue_entry_bus_cycles,
        /// Entries of the write queue in use or reserved for data in transit, summed over bus cycles.
        write_queue_entry_bus_cycles,
        ;
        /// Maximum number of entries of the read queue in use at once.
        read_queue_entries_max,
        /// Maximum number of entries of the write queue in use at once.
        write_queue_entries_max,
    }
    /// Counters of the PPE's caches.
    PpeCounters {
        /// Loads that missed the L1.
        l1_load_misses,
        /// Lines that the L2 had to fetch for loads that missed the L1, except prefetched lines.
        l2_load_misses,
        /// Lines that were prefetched into the L2.
        prefetches,
        /// Lines that stores claimed, with or without the lines' data.
        claims,
        /// Changed lines that the L2 wrote back to make room.
        castouts,
        /// Lines whose ownership another unit took before the lines arrived.
        lines_lost,
    }
    /// Counters of one SPE.
    SpeCounters {
        /// DMA commands that entered one of the queues.
        dma_commands,
        /// Lines, or parts of lines, moved by its get commands.
        get_lines,
        /// Bytes moved by its get commands.
        get_bytes,
        /// Lines, or parts of lines, moved by its put commands.
        put_lines,
        /// Bytes moved by its put commands.
        put_bytes,
        /// `getllar`, `putllc`, `putlluc` and `putqlluc` commands.
        atomic_commands,
        /// `putllc` commands that failed.
        putllc_failures,
        /// `getllar` commands served by the atomic cache.
        getllar_hits,
        /// Changed lock lines that its atomic cache wrote back to make room.
        castouts,
        /// Retry responses to commands of its MFC or atomic unit.
        retries,
        /// Entries that arrived in its inbound mailbox.
        mailbox_entries,
        /// Writes to its signal registers.
        signals,
        /// Channel operations that had to wait.
        channel_stalls,
        /// Commands in its SPU queue, summed over bus cycles.
        spu_queue_command_bus_cycles,
        /// Commands in its proxy queue, summed over bus cycles.
        proxy_queue_command_bus_cycles,
        /// Unfinished requests (of at most one line each) in its bus interface, summed over bus cycles.
        outstanding_line_bus_cycles,
        /// Lines that wait for a ring at its on-ramp, summed over bus cycles.
        data_wait_bus_cycles,
        ;
        /// Maximum number of commands in its SPU queue at once.
        spu_queue_commands_max,
        /// Maximum number of commands in its proxy queue at once.
        proxy_queue_commands_max,
        /// Maximum number of requests in its bus interface at once.
        outstanding_lines_max,
        /// Maximum number of lines ready at its on-ramp at once, including the granted line.
        data_waiting_max,
    }
}

described! {
    /// All counters of a run.
    #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
    pub struct Counters {
        /// Duration of the counted part of the run, in bus cycles.
        pub bus_cycles: u64,
        /// Command phase of the bus.
        pub command: CommandCounters,
        /// Data rings, chip by chip, clockwise rings first.
        pub rings: Vec<RingCounters>,
        /// Memory controllers, by chip.
        pub mics: Vec<MicCounters>,
        /// Ends of the interface between two chips, by chip; empty on a machine with one chip.
        pub bif: Vec<BifCounters>,
        /// Caches of the PPE.
        pub ppe: PpeCounters,
        /// Channels of the memory, chip by chip.
        pub mic_channels: Vec<MicChannelCounters>,
        /// SPEs, by physical number, including idle SPEs.
        pub spes: Vec<SpeCounters>,
        /// Latencies of DMA commands, by physical SPE; empty unless requested.
        #[serde(skip)]
        pub latencies: Vec<Latencies>,
    }
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
            Issuer::Ppe(_) | Issuer::Bif => &mut self.from_ppe,
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
    /// Creates counters that are zero, for this number of chips and for the total numbers of rings, channels and SPEs
    /// on all chips.
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

    /// Multiplies the growth since `earlier`: adds it `times` more times.
    pub fn repeat(&mut self, earlier: &Counters, times: u64) {
        self.grow(earlier, |growth| growth * times);
    }

    /// Adds the growth that `more` returns for the growth since `earlier`.
    pub fn grow(&mut self, earlier: &Counters, more: impl Fn(u64) -> u64) {
        for (latencies, earlier) in self.latencies.iter_mut().zip(&earlier.latencies) {
            for (latency, count) in latencies {
                *count += more(*count - earlier.get(latency).unwrap_or(&0));
            }
        }
        let mut earlier = earlier.values().into_iter();
        self.visit(&mut |value| {
            let before = earlier.next().unwrap_or(*value);
            *value += more(*value - before);
        });
    }

    /// Returns the growth of all counters since `earlier`. The maxima and latencies are those of the whole run.
    pub fn since(&self, earlier: &Counters) -> Counters {
        let mut since = self.clone();
        let mut before = earlier.values().into_iter();
        since.visit(&mut |value| *value -= before.next().unwrap_or(0));
        since.bus_cycles = self.bus_cycles - earlier.bus_cycles;
        since
    }
}
