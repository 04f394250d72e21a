//! What the machine counts, in the spirit of the chip's own performance monitor.
//!
//! Counters only ever grow, and by the same amount in each period of a repeating run: that is what
//! lets exact fast-forward leave periods out.

use serde::Serialize;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
            pub struct $name { $($(#[$field_doc])* pub $field: u64,)* }

            impl $name {
                fn visit(&mut self, visit: &mut dyn FnMut(&mut u64)) { $(visit(&mut self.$field);)* }
            }
        )*
    };
}

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
    }
    /// Of the command phase.
    CommandCounters {
        /// Commands ordered by the address concentrator.
        ordered,
        /// Retry responses because the line was in use (address match).
        retries_address_match,
        /// Commands that had to wait for room in a memory queue.
        waits_memory_queue,
    }
    /// Of the memory controller.
    MicCounters {
        /// Reads served.
        reads,
        /// Writes served.
        writes,
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
        /// Entries that arrived in its inbound mailbox.
        mailbox_entries,
        /// Writes to its signal registers.
        signals,
        /// Channel operations that had to wait.
        channel_stalls,
    }
}

/// All counters of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counters {
    /// Command phase.
    pub command: CommandCounters,
    /// Data rings, clockwise ones first.
    pub rings: Vec<RingCounters>,
    /// Memory controller.
    pub mic: MicCounters,
    /// SPEs, by physical number.
    pub spes: Vec<SpeCounters>,
}

impl Counters {
    /// All at zero.
    pub fn new(rings: usize, spes: usize) -> Counters {
        Counters {
            rings: vec![RingCounters::default(); rings],
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
        self.command.visit(visit);
        self.rings.iter_mut().for_each(|ring| ring.visit(visit));
        self.mic.visit(visit);
        self.spes.iter_mut().for_each(|spe| spe.visit(visit));
    }

    /// Adds `times` the growth since `earlier`.
    pub fn repeat(&mut self, earlier: &Counters, times: u64) {
        let mut earlier = earlier.values().into_iter();
        self.visit(&mut |value| {
            let before = earlier.next().unwrap_or(*value);
            *value += (*value - before) * times;
        });
    }
}
