//! Branch hints: predicted targets of later branches.
//!
//! Without a hint, the SPU predicts every branch as not taken, and a taken branch costs time. Only one hint can be
//! active at a time. A hint applies to every execution of its branch until another hint replaces it. A hint has no
//! effect if there are too few instructions between the hint and its branch. If there are enough instructions but too
//! few cycles, the branch is delayed: at least `hint_spu_cycles` full cycles must pass between the issue of the hint
//! and the issue of the branch. A correctly hinted branch takes a single cycle.
//!
//! MODEL: a hint replaces the previous one in the cycle of its issue. A hint for an address without a branch does
//! nothing. Silicon would mispredict at that address, at the cost of a mispredicted branch.
//!
//! Sources: SDK 3.0 tutorial, Reducing branch mispredicts with branch hint, and Pipelines and dual-issue rules (15
//! cycles; inline and correctly hinted branches have zero-cycle delay); distributed.net's OGR core for the Cell,
//! developed on hardware (a branch stalls until 11 cycles and four pairs are between hint and branch); GCC, spu.c, for
//! the distance.

/// The active hint.
#[derive(Clone, Copy, Debug)]
struct Active {
    branch: u32,
    target: u32,
    /// The number of instructions executed before the hint.
    executed: u64,
    /// The earliest issue cycle of the hinted branch.
    ready: u64,
}

impl Active {
    /// The number of instructions between the hint and the next instruction, after `executed` instructions in total.
    fn behind(&self, executed: u64) -> u64 {
        executed.wrapping_sub(self.executed).wrapping_sub(1)
    }
}

/// The active hint, relative to the current cycle and instruction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative {
    branch: u32,
    target: u32,
    /// The number of instructions until the hint may be used.
    distance: u64,
    /// The number of cycles until the hint is ready.
    left: u64,
}

/// The branch target buffer, which holds at most one hint.
#[derive(Clone, Debug)]
pub struct Hints {
    latency_spu_cycles: u64,
    distance_instructions: u64,
    active: Option<Active>,
}

/// The prediction for a branch that is far enough behind its hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// The predicted target.
    pub target: u32,
    /// The earliest cycle in which the branch can issue.
    pub ready: u64,
}

impl Hints {
    /// A buffer without a hint.
    pub fn new(latency_spu_cycles: u64, distance_instructions: u32) -> Hints {
        Hints { latency_spu_cycles, distance_instructions: distance_instructions.into(), active: None }
    }

    /// Activates a hint that issued in cycle `now`, after `executed` instructions.
    pub fn hint(&mut self, branch: u32, target: u32, executed: u64, now: u64) {
        self.active = Some(Active { branch, target, executed, ready: now + 1 + self.latency_spu_cycles });
    }

    /// The state relative to `now`, after `executed` instructions.
    pub fn relative(&self, executed: u64, now: u64) -> Option<Relative> {
        self.active.map(|active| Relative {
            branch: active.branch,
            target: active.target,
            distance: self.distance_instructions.saturating_sub(active.behind(executed)),
            left: active.ready.saturating_sub(now),
        })
    }

    /// Restores a state in cycle `now`, after `executed` instructions.
    pub fn resume(&mut self, state: Option<&Relative>, executed: u64, now: u64) {
        self.active = state.map(|state| Active {
            branch: state.branch,
            target: state.target,
            executed: (executed + state.distance).wrapping_sub(1 + self.distance_instructions),
            ready: now + state.left,
        });
    }

    /// The prediction for the branch at `address`, before which `executed` instructions were executed.
    #[inline]
    pub fn prediction(&self, address: u32, executed: u64) -> Option<Prediction> {
        let active = self.active.filter(|active| active.branch == address)?;
        (active.behind(executed) >= self.distance_instructions)
            .then_some(Prediction { target: active.target, ready: active.ready })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_used_from_its_distance_on_and_until_the_next_one() {
        let mut hints = Hints::new(15, 8);
        hints.hint(0x80, 0x40, 100, 1000);
        let expected = Some(Prediction { target: 0x40, ready: 1016 });
        assert_eq!(hints.prediction(0x80, 108), None, "seven instructions between");
        assert_eq!(hints.prediction(0x80, 109), expected, "eight");
        assert_eq!(hints.prediction(0x80, 5000), expected);
        assert_eq!(hints.prediction(0x84, 109), None);
        hints.hint(0x90, 0x40, 200, 2000);
        assert_eq!(hints.prediction(0x80, 300), None);
    }
}
