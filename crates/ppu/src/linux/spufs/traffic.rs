//! Counts of a context's transfers, on all SPEs on which it was resident.

use cell::counters::SpeCounters;

/// Declares the counts once: their fields, their names, and their differences.
macro_rules! traffic {
    ($($(#[$doc:meta])* $count:ident,)*) => {
        const COUNTS: usize = [$(stringify!($count)),*].len();

        /// Counts of a context's MFC and channels.  Each count has the name of the SPE counter from which it is taken.
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
        pub struct Traffic {
            $($(#[$doc])* pub $count: u64,)*
        }

        impl Traffic {
            /// All counts of an SPE.
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
    /// DMA commands that either queue has accepted.
    dma_commands,
    /// Bytes moved by gets.
    get_bytes,
    /// Bytes moved by puts.
    put_bytes,
    /// `getllar`, `putllc`, `putlluc` and `putqlluc` commands.
    atomic_commands,
    /// `putllc` commands that failed.
    putllc_failures,
    /// Entries that arrived in the inbound mailbox.
    mailbox_entries,
    /// Writes to the signal registers.
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
