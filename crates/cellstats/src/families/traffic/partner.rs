//! Traffic patterns: the partner of each thread.

use cell::units::ThreadId;

/// A traffic pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// All SPEs transfer with main memory, or with one SPE (kistler2006; jimenez2007 4.2.1).
    HotSpot,
    /// Thread `i` transfers with thread `n - 1 - i` (kistler2006).
    Complement,
    /// For even `i`, threads `i` and `i + 1` transfer with each other (kistler2006).
    Pairwise,
    /// Every DMA goes to a random thread (kistler2006).
    Uniform,
    /// Each even-numbered thread transfers with the next thread, which is passive (jimenez2007 4.2.4).
    Couples,
    /// Thread `i` transfers with thread `i + 1`, and the last thread with the first (jimenez2007 4.2.5).
    Cycle,
}

impl Shape {
    /// All patterns, in the order of their FUNCTIONs.
    pub const ALL: [Shape; 6] =
        [Shape::HotSpot, Shape::Complement, Shape::Pairwise, Shape::Uniform, Shape::Couples, Shape::Cycle];
}

/// The target of a hot spot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HotTarget {
    /// Main memory.
    Memory,
    /// The local store of a thread that is otherwise idle.
    Thread(u32),
}

/// The partner of a thread in a traffic pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partner {
    /// Main memory.
    Memory,
    /// Another thread.
    Thread(ThreadId),
    /// A different partner for each DMA, chosen at random from the other threads.
    Any,
    /// No partner: the thread is passive, and other threads use its local store.
    Nobody,
}

/// The partner of a thread, in a pattern of `threads` threads.
pub fn partner(shape: Shape, target: HotTarget, threads: u32, thread: ThreadId) -> Partner {
    let (i, n) = (thread.0, threads as u8);
    match (shape, target) {
        (Shape::HotSpot, HotTarget::Thread(hot)) if u32::from(i) == hot => Partner::Nobody,
        (Shape::HotSpot, HotTarget::Thread(hot)) => Partner::Thread(ThreadId(hot as u8)),
        (Shape::HotSpot, HotTarget::Memory) => Partner::Memory,
        (Shape::Complement, _) => Partner::Thread(ThreadId(n - 1 - i)),
        (Shape::Pairwise, _) => Partner::Thread(ThreadId(i ^ 1)),
        (Shape::Uniform, _) => Partner::Any,
        (Shape::Couples, _) if i % 2 == 1 => Partner::Nobody,
        (Shape::Couples, _) => Partner::Thread(ThreadId(i + 1)),
        (Shape::Cycle, _) => Partner::Thread(ThreadId((i + 1) % n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partners(shape: Shape, threads: u32, target: HotTarget) -> Vec<Partner> {
        (0..threads as u8).map(|thread| partner(shape, target, threads, ThreadId(thread))).collect()
    }

    fn of_four(shape: Shape) -> Vec<Partner> {
        partners(shape, 4, HotTarget::Memory)
    }

    fn with(threads: [u8; 4]) -> Vec<Partner> {
        threads.map(|thread| Partner::Thread(ThreadId(thread))).to_vec()
    }

    #[test]
    fn every_pattern_has_the_partners_of_its_paper() {
        assert_eq!(of_four(Shape::Complement), with([3, 2, 1, 0]));
        assert_eq!(of_four(Shape::Pairwise), with([1, 0, 3, 2]));
        assert_eq!(of_four(Shape::Cycle), with([1, 2, 3, 0]));
        assert_eq!(of_four(Shape::Couples)[1], Partner::Nobody);
        assert_eq!(of_four(Shape::Couples)[2], Partner::Thread(ThreadId(3)));
        assert_eq!(of_four(Shape::HotSpot), [Partner::Memory; 4]);
    }

    #[test]
    fn the_hot_spe_itself_transfers_nothing() {
        let hot = Partner::Thread(ThreadId(1));
        assert_eq!(partners(Shape::HotSpot, 3, HotTarget::Thread(1)), [hot, Partner::Nobody, hot]);
    }
}
