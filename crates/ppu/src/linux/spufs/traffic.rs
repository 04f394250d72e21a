//! What a context has moved, on whichever SPEs it was.

use cell::counters::SpeCounters;

/// Counts of a context's MFC and channels, named as those of SPEs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// DMA commands taken by either queue.
    pub dma_commands: u64,
    /// Bytes that its gets moved.
    pub get_bytes: u64,
    /// Bytes that its puts moved.
    pub put_bytes: u64,
    /// `getllar`, `putllc`, `putlluc` and `putqlluc` commands.
    pub atomic_commands: u64,
    /// `putllc` commands that failed.
    pub putllc_failures: u64,
    /// Entries that arrived in its inbound mailbox.
    pub mailbox_entries: u64,
    /// Writes to its signal registers.
    pub signals: u64,
    /// Channel operations that had to wait.
    pub channel_stalls: u64,
}

impl Traffic {
    /// All that an SPE has counted.
    pub fn of(counters: &SpeCounters) -> Traffic {
        Traffic {
            dma_commands: counters.dma_commands,
            get_bytes: counters.get_bytes,
            put_bytes: counters.put_bytes,
            atomic_commands: counters.atomic_commands,
            putllc_failures: counters.putllc_failures,
            mailbox_entries: counters.mailbox_entries,
            signals: counters.signals,
            channel_stalls: counters.channel_stalls,
        }
    }

    /// Each count, with its name.
    pub fn named(&self) -> [(&'static str, u64); 8] {
        let Traffic {
            dma_commands,
            get_bytes,
            put_bytes,
            atomic_commands,
            putllc_failures,
            mailbox_entries,
            signals,
            channel_stalls,
        } = *self;
        [
            ("dma_commands", dma_commands),
            ("get_bytes", get_bytes),
            ("put_bytes", put_bytes),
            ("atomic_commands", atomic_commands),
            ("putllc_failures", putllc_failures),
            ("mailbox_entries", mailbox_entries),
            ("signals", signals),
            ("channel_stalls", channel_stalls),
        ]
    }

    /// Adds what was counted from `before` to `now`.
    pub fn add(&mut self, before: &Traffic, now: &Traffic) {
        let grown = |now: u64, before: u64| now.saturating_sub(before);
        self.dma_commands += grown(now.dma_commands, before.dma_commands);
        self.get_bytes += grown(now.get_bytes, before.get_bytes);
        self.put_bytes += grown(now.put_bytes, before.put_bytes);
        self.atomic_commands += grown(now.atomic_commands, before.atomic_commands);
        self.putllc_failures += grown(now.putllc_failures, before.putllc_failures);
        self.mailbox_entries += grown(now.mailbox_entries, before.mailbox_entries);
        self.signals += grown(now.signals, before.signals);
        self.channel_stalls += grown(now.channel_stalls, before.channel_stalls);
    }
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
