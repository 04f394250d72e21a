//! Patterns of traffic: who transfers with whom.

use super::function::Function;
use super::params::{HotTarget, Params};
use crate::units::ThreadId;

/// A thread's part in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Transfers with main memory.
    WithMemory,
    /// Transfers with a thread.
    With(ThreadId),
    /// Transfers with any other, by chance.
    WithAny,
    /// Lends its local store.
    Passive,
}

/// What a thread of a pattern does.
pub fn part(params: &Params, thread: ThreadId) -> Part {
    let (i, n) = (thread.0, params.spes as u8);
    match (params.function, params.target) {
        (Function::HotSpot, Some(HotTarget::Thread(hot))) if u32::from(i) == hot => Part::Passive,
        (Function::HotSpot, Some(HotTarget::Thread(hot))) => Part::With(ThreadId(hot as u8)),
        (Function::Complement, _) => Part::With(ThreadId(n - 1 - i)),
        (Function::Pairwise, _) => Part::With(ThreadId(i ^ 1)),
        (Function::Uniform, _) => Part::WithAny,
        (Function::Couples, _) if i % 2 == 1 => Part::Passive,
        (Function::Couples, _) => Part::With(ThreadId(i + 1)),
        (Function::Cycle, _) => Part::With(ThreadId((i + 1) % n)),
        _ => Part::WithMemory,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(function: Function, spes: u32, target: Option<HotTarget>) -> Vec<Part> {
        let params = Params { spes, target, ..Params::new(function) };
        (0..spes as u8).map(|thread| part(&params, ThreadId(thread))).collect()
    }

    fn with(threads: [u8; 4]) -> Vec<Part> {
        threads.map(|thread| Part::With(ThreadId(thread))).to_vec()
    }

    #[test]
    fn every_pattern_has_the_partners_of_its_paper() {
        assert_eq!(parts(Function::Complement, 4, None), with([3, 2, 1, 0]));
        assert_eq!(parts(Function::Pairwise, 4, None), with([1, 0, 3, 2]));
        assert_eq!(parts(Function::Cycle, 4, None), with([1, 2, 3, 0]));
        assert_eq!(parts(Function::Couples, 4, None)[1], Part::Passive);
        assert_eq!(parts(Function::Couples, 4, None)[2], Part::With(ThreadId(3)));
        assert_eq!(parts(Function::HotSpot, 2, None), [Part::WithMemory; 2]);
    }

    #[test]
    fn the_hot_spe_itself_transfers_nothing() {
        let parts = parts(Function::HotSpot, 3, Some(HotTarget::Thread(1)));
        assert_eq!(parts, [Part::With(ThreadId(1)), Part::Passive, Part::With(ThreadId(1))]);
    }
}
