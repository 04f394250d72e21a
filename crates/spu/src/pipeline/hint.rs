//! Branch hints: the predicted targets of branches to come.
//!
//! Without a hint the SPU predicts that a branch is not taken, and loses time if it is.  One hint is active
//! at a time; it holds for every execution of its branch, until another hint replaces it.  A hint too few
//! instructions ahead of its branch is not used.  If it is far enough ahead, but too late in time, the
//! branch waits for it: the cycles that the hint takes lie between the two, those of both not counted.  A branch
//! that goes where it was hinted to takes its own cycle and no other.
//!
//! MODEL: a hint replaces the one before in the cycle of its issue.  A hint that names an address
//! without a branch does nothing; silicon would mispredict there, and lose the time of a missed branch.
//!
//! Sources: SDK 3.0 tutorial, Reducing branch mispredicts with branch hint, and Pipelines and dual-issue rules
//! (15 cycles; inline and correctly hinted branches have zero-cycle delay); distributed.net's OGR core for the
//! Cell, written against hardware (11 cycles and four pairs lie between them, or the branch stalls until they do);
//! GCC, spu.c, for the distance.

/// The active hint.
#[derive(Clone, Copy, Debug)]
struct Active {
    branch: u32,
    target: u32,
    /// Instructions executed before the hint.
    executed: u64,
    /// Earliest issue of its branch.
    ready: u64,
}

impl Active {
    /// Instructions executed since.  The hint itself was executed, too, but does not lie between.
    fn behind(&self, executed: u64) -> u64 {
        executed.wrapping_sub(self.executed).wrapping_sub(1)
    }
}

/// The active hint relative to the present.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative {
    branch: u32,
    target: u32,
    /// Instructions until it may be used.
    distance: u64,
    /// Cycles until it is ready.
    left: u64,
}

/// The branch target buffer: at most one hint.
#[derive(Clone, Debug)]
pub struct Hints {
    latency_spu_cycles: u64,
    distance_instructions: u64,
    active: Option<Active>,
}

/// The prediction for a branch that was hinted in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Predicted target.
    pub target: u32,
    /// Earliest cycle of its issue.
    pub ready: u64,
}

impl Hints {
    /// No hint active.
    pub fn new(latency_spu_cycles: u64, distance_instructions: u32) -> Hints {
        Hints { latency_spu_cycles, distance_instructions: distance_instructions.into(), active: None }
    }

    /// Takes a hint that issued at `now`, with the number of instructions executed before it.
    pub fn hint(&mut self, branch: u32, target: u32, executed: u64, now: u64) {
        self.active = Some(Active { branch, target, executed, ready: now + 1 + self.latency_spu_cycles });
    }

    /// The state relative to `now`, with the number of instructions executed until now.
    pub fn relative(&self, executed: u64, now: u64) -> Option<Relative> {
        self.active.map(|active| Relative {
            branch: active.branch,
            target: active.target,
            distance: self.distance_instructions.saturating_sub(active.behind(executed)),
            left: active.ready.saturating_sub(now),
        })
    }

    /// Goes on from a state at `now`, with the number of instructions executed until now.
    pub fn resume(&mut self, state: Option<&Relative>, executed: u64, now: u64) {
        self.active = state.map(|state| Active {
            branch: state.branch,
            target: state.target,
            executed: (executed + state.distance).wrapping_sub(1 + self.distance_instructions),
            ready: now + state.left,
        });
    }

    /// The prediction for the branch at `address`, with the number of instructions executed before it.
    #[inline]
    pub fn expected(&self, address: u32, executed: u64) -> Option<Expected> {
        let active = self.active.filter(|active| active.branch == address)?;
        (active.behind(executed) >= self.distance_instructions)
            .then_some(Expected { target: active.target, ready: active.ready })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_used_from_its_distance_on_and_until_the_next_one() {
        let mut hints = Hints::new(15, 8);
        hints.hint(0x80, 0x40, 100, 1000);
        let expected = Some(Expected { target: 0x40, ready: 1016 });
        assert_eq!(hints.expected(0x80, 108), None, "seven instructions between");
        assert_eq!(hints.expected(0x80, 109), expected, "eight");
        assert_eq!(hints.expected(0x80, 5000), expected);
        assert_eq!(hints.expected(0x84, 109), None);
        hints.hint(0x90, 0x40, 200, 2000);
        assert_eq!(hints.expected(0x80, 300), None);
    }
}
