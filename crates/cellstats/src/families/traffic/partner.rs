//! Traffic patterns: the partner of each thread.

use cell::placement::splitmix64;
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
    /// Like [`Shape::Cycle`]; a name of the literature, with traffic in one direction by default.
    Neighbour,
    /// Thread `i` transfers with the thread that is almost half of all threads further on (Dally and Towles 2004, 3.2).
    Tornado,
    /// Thread `i` transfers with the thread that is named for it, or that was drawn for it.
    Permutation,
}

impl Shape {
    /// All patterns, in the order of their FUNCTIONs.
    pub const ALL: [Shape; 9] = [
        Shape::HotSpot,
        Shape::Complement,
        Shape::Pairwise,
        Shape::Uniform,
        Shape::Couples,
        Shape::Cycle,
        Shape::Neighbour,
        Shape::Tornado,
        Shape::Permutation,
    ];
}

/// Maximum number of threads of a permutation.
pub const THREADS_MAX: usize = 16;

/// The target of a hot spot, or the targets of a permutation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Main memory.
    Memory,
    /// The local store of a thread that is otherwise idle.
    Thread(u32),
    /// The partner of each thread, and the number of threads.
    Partners([u8; THREADS_MAX], u8),
    /// A permutation that this seed chooses.
    Random(u64),
}

impl Target {
    /// Reads a list of partners, such as `1,0,2`; `None` unless it names each of up to 16 threads once.
    pub fn partners(text: &str) -> Option<Target> {
        let listed: Vec<u8> = text.split(',').map(|each| each.trim().parse().ok()).collect::<Option<_>>()?;
        let is_permutation = (0..listed.len()).all(|thread| listed.contains(&(thread as u8)));
        if listed.len() > THREADS_MAX || !is_permutation {
            return None;
        }
        let mut partners = [0; THREADS_MAX];
        partners[..listed.len()].copy_from_slice(&listed);
        Some(Target::Partners(partners, listed.len() as u8))
    }
}

/// A random partner of each thread; all threads form one cycle, so none is its own partner (Sattolo 1986).
fn random_partners(mut seed: u64, threads: u8) -> Vec<u8> {
    let mut partners: Vec<u8> = (0..threads).collect();
    for last in (1..partners.len()).rev() {
        partners.swap(last, (splitmix64(&mut seed) % last as u64) as usize);
    }
    partners
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
pub fn partner(shape: Shape, target: Target, threads: u32, thread: ThreadId) -> Partner {
    let (i, n) = (thread.0, threads as u8);
    match (shape, target) {
        (Shape::HotSpot, Target::Thread(hot)) if u32::from(i) == hot => Partner::Nobody,
        (Shape::HotSpot, Target::Thread(hot)) => Partner::Thread(ThreadId(hot as u8)),
        (Shape::HotSpot, _) => Partner::Memory,
        (Shape::Complement, _) => Partner::Thread(ThreadId(n - 1 - i)),
        (Shape::Pairwise, _) => Partner::Thread(ThreadId(i ^ 1)),
        (Shape::Uniform, _) => Partner::Any,
        (Shape::Couples, _) if i % 2 == 1 => Partner::Nobody,
        (Shape::Couples, _) => Partner::Thread(ThreadId(i + 1)),
        (Shape::Cycle | Shape::Neighbour, _) => Partner::Thread(ThreadId((i + 1) % n)),
        (Shape::Tornado, _) => Partner::Thread(ThreadId((i + (n.div_ceil(2) - 1).max(1)) % n)),
        (Shape::Permutation, Target::Partners(partners, _)) if partners[usize::from(i)] != i => {
            Partner::Thread(ThreadId(partners[usize::from(i)]))
        }
        (Shape::Permutation, Target::Random(seed)) => {
            Partner::Thread(ThreadId(random_partners(seed, n)[usize::from(i)]))
        }
        (Shape::Permutation, _) => Partner::Nobody,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partners(shape: Shape, threads: u32, target: Target) -> Vec<Partner> {
        (0..threads as u8).map(|thread| partner(shape, target, threads, ThreadId(thread))).collect()
    }

    fn of_four(shape: Shape) -> Vec<Partner> {
        partners(shape, 4, Target::Memory)
    }

    fn with<const N: usize>(threads: [u8; N]) -> Vec<Partner> {
        threads.map(|thread| Partner::Thread(ThreadId(thread))).to_vec()
    }

    #[test]
    fn every_pattern_has_the_partners_of_its_paper() {
        assert_eq!(of_four(Shape::Complement), with([3, 2, 1, 0]));
        assert_eq!(of_four(Shape::Pairwise), with([1, 0, 3, 2]));
        assert_eq!(of_four(Shape::Cycle), with([1, 2, 3, 0]));
        assert_eq!(of_four(Shape::Neighbour), of_four(Shape::Cycle));
        assert_eq!(partners(Shape::Tornado, 6, Target::Memory), with([2, 3, 4, 5, 0, 1]));
        assert_eq!(partners(Shape::Tornado, 5, Target::Memory), with([2, 3, 4, 0, 1]));
        assert_eq!(of_four(Shape::Couples)[1], Partner::Nobody);
        assert_eq!(of_four(Shape::Couples)[2], Partner::Thread(ThreadId(3)));
        assert_eq!(of_four(Shape::HotSpot), [Partner::Memory; 4]);
    }

    #[test]
    fn a_permutation_names_each_thread_once() {
        let turned = Target::partners("1, 2,0,3").unwrap();
        let partners = partners(Shape::Permutation, 4, turned);
        assert_eq!(partners[..3], with([1, 2, 0]));
        assert_eq!(partners[3], Partner::Nobody, "its partner is itself");
        for seed in 0..50 {
            let drawn = random_partners(seed, 8);
            assert!((0..8).all(|thread| drawn.contains(&thread) && drawn[usize::from(thread)] != thread), "{drawn:?}");
        }
        for wrong in ["", "0,0", "1,2", "0,1,x", "0,,1", "256,0", "16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0"] {
            assert_eq!(Target::partners(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_hot_spe_itself_transfers_nothing() {
        let hot = Partner::Thread(ThreadId(1));
        assert_eq!(partners(Shape::HotSpot, 3, Target::Thread(1)), [hot, Partner::Nobody, hot]);
    }
}
