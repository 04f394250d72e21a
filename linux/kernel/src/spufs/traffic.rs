//! Transfer counts of a context, summed over all SPEs on which the context was resident.

use cell::counters::SpeCounters;

/// Declares the counts in one place, from which fields, names and differences are generated.
macro_rules! traffic {
    ($($(#[$doc:meta])* $count:ident,)*) => {
        const COUNTS: usize = [$(stringify!($count)),*].len();

        /// MFC and channel counts of a context. Each count has the name of the SPE counter from which it is taken.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct Traffic {
            $($(#[$doc])* pub $count: u64,)*
        }

        impl Traffic {
            /// Copies the counts from an SPE's counters.
            pub fn of(counters: &SpeCounters) -> Traffic {
                Traffic { $($count: counters.$count,)* }
            }

            /// The counts with their names.
            pub fn named(&self) -> [(&'static str, u64); COUNTS] {
                [$((stringify!($count), self.$count),)*]
            }

            /// Adds the difference between the counts `before` and `now`.
            pub fn add(&mut self, before: &Traffic, now: &Traffic) {
                $(self.$count += now.$count.saturating_sub(before.$count);)*
            }
        }
    };
}

traffic! {
    /// DMA commands accepted by the MFC's two queues.
    dma_commands,
    /// Bytes moved by `get` commands.
    get_bytes,
    /// Bytes moved by `put` commands.
    put_bytes,
    /// `getllar`, `putllc`, `putlluc` and `putqlluc` commands.
    atomic_commands,
    /// `putllc` commands that failed.
    putllc_failures,
    /// Entries that were written to the inbound mailbox.
    mailbox_entries,
    /// Number of writes to the signal-notification registers.
    signals,
    /// Channel operations that had to wait.
    channel_stalls,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_has_what_was_counted_while_it_was_there() {
        let at = |get_bytes, signals| Traffic::of(&SpeCounters { get_bytes, signals, ..SpeCounters::default() });
        let mut traffic = Traffic::default();
        traffic.add(&at(100, 1), &at(356, 1));
        traffic.add(&at(0, 7), &at(16, 9));
        assert_eq!(traffic, Traffic { get_bytes: 272, signals: 2, ..Traffic::default() });
    }
}
