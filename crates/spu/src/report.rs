//! What a program reports, besides its memory: instructions, channel times, a profile.

use cell::channel::Channel;
use cell::door::Op;
use cell::units::SpuCycles;

/// Executions of a channel instruction, and their time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ChannelTime {
    /// Executions.
    pub count: u64,
    /// SPU cycles, those in which the channel blocked included.
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
    /// Notes that an operation got its answer.
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

    /// Instruction and channel, in order, with its times, of those that were executed.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Channel, ChannelTime)> {
        let all = [("rdch", &self.reads), ("wrch", &self.writes), ("rchcnt", &self.counts)];
        all.into_iter().flat_map(|(mnemonic, times)| {
            let numbered = (0..).map(Channel).zip(times.iter().copied());
            numbered.filter(|(_, time)| time.count > 0).map(move |(channel, time)| (mnemonic, channel, time))
        })
    }
}

/// What is known of a program while it runs, and after.
#[derive(Default)]
pub struct Report<P> {
    /// Instructions executed.
    pub instructions: u64,
    /// Channel instructions.
    pub waits: ChannelTimes,
    /// The profile, if one is wanted.
    pub probe: P,
}

impl<P> Report<P> {
    /// Nothing known yet.
    pub fn new(probe: P) -> Report<P> {
        Report { instructions: 0, waits: ChannelTimes::default(), probe }
    }
}
