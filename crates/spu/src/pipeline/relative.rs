//! The pipelines' state relative to the clock.
//!
//! The time of an old event no longer matters, for example when a result is already ready, a line is already buffered,
//! or a hint already has its full effect. States that differ only in the times of old events are equal here. From equal
//! states, the same instructions take the same time and lead to equal states.

use super::{Pipeline, fetch, hint};

/// The complete state that determines the timing of the next instructions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative {
    /// The registers with a pending value, each with the number of cycles until the value is ready.
    pending: Vec<(u8, u8)>,
    fetch: fetch::Relative,
    hint: Option<hint::Relative>,
}

impl Pipeline {
    /// The state before the instruction at `address`.
    pub fn relative(&self, address: u32) -> Relative {
        let left = self.ready[..128].iter().map(|ready| ready.saturating_sub(self.next));
        Relative {
            // No latency is longer than 255 cycles.
            pending: (0..)
                .zip(left)
                .filter(|(_, left)| *left > 0)
                .map(|(register, left)| (register, left as u8))
                .collect(),
            fetch: self.fetch.relative(self.next),
            hint: self.hints.relative(self.executed(address), self.next),
        }
    }

    /// Restores a state at cycle `now`, before the instruction at `address` and after `executed` instructions.
    pub fn resume(&mut self, state: &Relative, now: u64, executed: u64, address: u32) {
        self.ready[..128].fill(0);
        for (register, left) in &state.pending {
            self.ready[usize::from(*register)] = now + u64::from(*left);
        }
        self.fetch.resume(&state.fetch, now);
        self.hints.resume(state.hint.as_ref(), executed, now);
        (self.next, self.executed, self.run_start) = (now, executed, address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::timing::Timing;
    use cell::machine::Machine;

    /// Pipelines at cycle 1. A load that issued in cycle 0 will write register 3.
    fn pipeline() -> Pipeline {
        let costs = Machine::builtin("ps3").expect("a machine that is shipped").spu_pipeline;
        let mut pipeline = Pipeline::new(&costs, 0);
        let lqa_3 = decode(0x3080_0003).expect("an instruction");
        pipeline.issue(&Timing::new(&lqa_3, None, &costs));
        pipeline
    }

    #[test]
    fn what_is_on_its_way_counts_until_it_is_there() {
        let mut pipeline = pipeline();
        let loaded = pipeline.relative(4);
        assert_eq!(loaded.pending, [(3, 5)]);
        pipeline.resume(&loaded, 1000, 50, 4);
        assert_eq!((pipeline.next(), pipeline.ready(3), pipeline.executed(8)), (1000, 1005, 51));
        assert_eq!(pipeline.relative(4), loaded);
        pipeline.drain();
        assert_eq!(pipeline.relative(4).pending, []);
        // Restoring a state replaces the previous state completely.
        let nothing = pipeline.relative(4);
        pipeline.resume(&loaded, 2000, 60, 4);
        pipeline.resume(&nothing, 2001, 60, 4);
        assert_eq!(pipeline.relative(4), nothing);
    }
}
