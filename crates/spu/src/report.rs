//! A program's report: number of instructions, channel times and a profile, but no memory contents.

use cell::channel::Channel;
use cell::door::Op;
use cell::units::SpuCycles;

/// The number of executions of a channel instruction, and their total time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChannelTime {
    /// The number of executions.
    pub count: u64,
    /// The total time in SPU cycles, including the cycles in which the channel blocked.
    pub spu_cycles: SpuCycles,
}

/// The times of channel instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelTimes {
    reads: [ChannelTime; 128],
    writes: [ChannelTime; 128],
    counts: [ChannelTime; 128],
}

impl Default for ChannelTimes {
    fn default() -> Self {
        let none = [ChannelTime::default(); 128];
        ChannelTimes { reads: none, writes: none, counts: none }
    }
}

impl ChannelTimes {
    /// Records that a channel operation completed after `spu_cycles`.
    pub fn answered(&mut self, op: Op, spu_cycles: SpuCycles) {
        let (times, channel) = match op {
            Op::Read(channel) => (&mut self.reads, channel),
            Op::Write(channel, _) => (&mut self.writes, channel),
            Op::Count(channel) => (&mut self.counts, channel),
            Op::Compute(_) => return,
        };
        if let Some(time) = times.get_mut(usize::from(channel.0)) {
            time.count += 1;
            time.spu_cycles += spu_cycles;
        }
    }

    /// The executed channel instructions, grouped by mnemonic, each with its channel and time.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Channel, ChannelTime)> {
        let all = [("rdch", &self.reads), ("wrch", &self.writes), ("rchcnt", &self.counts)];
        all.into_iter().flat_map(|(mnemonic, times)| {
            let numbered = (0..).map(Channel).zip(times.iter().copied());
            numbered.filter(|(_, time)| time.count > 0).map(move |(channel, time)| (mnemonic, channel, time))
        })
    }
}

/// The report of a program, during its run and afterwards.
#[derive(Default)]
pub struct Report<P> {
    /// The number of instructions executed.
    pub instructions: u64,
    /// The times of channel instructions.
    pub waits: ChannelTimes,
    /// The profile, or `()` for a run without a profile.
    pub probe: P,
}

impl<P> Report<P> {
    /// An empty report.
    pub fn new(probe: P) -> Report<P> {
        Report { instructions: 0, waits: ChannelTimes::default(), probe }
    }
}
