//! Copies between the buffers of cores, in place of DMAs between local stores. The copies go to or from thread 0's
//! buffer (`-s`), or follow a traffic pattern.
//!
//! If other threads copy to or from a thread, the thread *holds* a buffer of some tens of pages. Before each sample,
//! outside of the measured time, the holding thread stores to the whole buffer, so that the lines are only in the
//! caches of its core. No line is used twice within a sample, because a second copy would find the line in the caches
//! of the copying core. A sample therefore has at most as many iterations as the buffer has blocks. The other end of
//! a copy is the copying thread's own buffer, which stays in the caches of its core.

use super::abort::Abort;
use super::blocks::Blocks;
use super::buffers::Buffer;
use super::order::Order;
use super::partner::{Partner, partner};
use super::primitive::{Part, Primitive};
use super::walk::{Kind, Walk, fence, walk};
use crate::answer::{Latency, What};
use crate::error::Error;
use crate::request::{Function, Node, Op, Request, Target};
use std::sync::OnceLock;

/// Size of a held buffer, unless its blocks need more space. A held buffer must fit the caches of its core.
const HELD_BYTES: u64 = 128 << 10;

/// Threads that copy to and from each other's buffers.
pub struct Traffic {
    function: Function,
    target: Option<Target>,
    blocks: Blocks,
    threads: usize,
    /// Number of windows in a held buffer: one per thread, or one window that all copying threads share.
    windows: u64,
    window_bytes: u64,
    node: Node,
    store: Walk,
    held: Vec<OnceLock<Buffer>>,
}

impl Traffic {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Traffic, Error> {
        let threads = request.cpus.len();
        let dma = !matches!(
            request.function,
            Function::HotSpot
                | Function::Complement
                | Function::Pairwise
                | Function::Uniform
                | Function::Couples
                | Function::Cycle
                | Function::Neighbour
                | Function::Tornado
                | Function::Permutation
        );
        let target = if dma { Some(Target::Thread(0)) } else { request.target.clone() };
        let blocks = Blocks::new(request)?;
        let many = matches!(request.function, Function::HotSpot | Function::Uniform) || dma && request.private;
        let windows = if many { threads as u64 } else { 1 };
        let share_bytes = if request.level_bytes > 0 { request.level_bytes.min(HELD_BYTES) } else { HELD_BYTES };
        let laps = (share_bytes / windows / directions(blocks.op) / blocks.span_bytes()).max(1);
        Ok(Traffic {
            function: request.function,
            target,
            blocks,
            threads,
            windows,
            window_bytes: laps * blocks.span_bytes(),
            node: request.memory_node,
            store: walk(Kind::Store, 16, false)?.0,
            held: (0..threads).map(|_| OnceLock::new()).collect(),
        })
    }

    fn held(&self, thread: usize) -> &Buffer {
        self.held[thread].get().expect("made before the threads first meet")
    }

    fn partner(&self, thread: usize) -> Partner {
        partner(self.function, self.target.as_ref(), thread, self.threads)
    }

    /// Whether a thread holds a buffer to or from which other threads copy.
    fn holds(&self, thread: usize) -> bool {
        (0..self.threads).any(|other| match self.partner(other) {
            Partner::Thread(partner) => partner == thread,
            Partner::Any => other != thread,
            Partner::Nobody => false,
        })
    }

    /// Offset of a thread's window for one direction of copies in a held buffer.
    fn window(&self, thread: usize, direction: Op) -> u64 {
        let behind_gets = direction == Op::Put && self.blocks.op == Op::Copy;
        let window = if self.windows > 1 { thread as u64 } else { 0 };
        (window * directions(self.blocks.op) + u64::from(behind_gets)) * self.window_bytes
    }
}

/// Number of directions in which an operation copies. Each direction uses separate cache lines.
fn directions(op: Op) -> u64 {
    if op == Op::Copy { 2 } else { 1 }
}

impl Primitive for Traffic {
    fn what(&self) -> What {
        let whose = match (self.function, &self.target) {
            (Function::Complement, _) => "thread n - 1 - i".to_string(),
            (Function::Pairwise, _) => "its neighbour in the pair".to_string(),
            (Function::Couples, _) => "the next thread, which is passive".to_string(),
            (Function::Cycle | Function::Neighbour, _) => "the next thread".to_string(),
            (Function::Tornado, _) => "the thread almost half way round".to_string(),
            (Function::Permutation, _) => "its partner".to_string(),
            (Function::Uniform, _) => "a thread by chance".to_string(),
            (_, Some(Target::Thread(hot))) => format!("thread {hot}"),
            _ => "thread 0".to_string(),
        };
        let other = format!("the next place of a buffer in the caches of {whose}, which wrote it");
        What {
            operation: self.blocks.words(&other),
            latency: Latency::PerOperation,
            line_home: format!("caches of the thread that holds it, {}", self.node.words("that thread")),
            bytes_per_iteration: Some(self.blocks.bytes_per_iteration()),
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn most_iterations(&self) -> u64 {
        let elements = self.window_bytes / self.blocks.distance_bytes;
        match self.blocks.list_elements {
            None => elements,
            // In a scattered order, the number of elements is a power of two.
            Some(n) => ((1 << elements.ilog2()) / n).max(1),
        }
    }

    fn prepares(&self) -> bool {
        true
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        Ok(Box::new(self.copying(thread, abort)?))
    }
}

impl Traffic {
    fn copying<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Copying<'a>, Error> {
        let holds = self.holds(thread);
        if holds {
            let bytes = self.windows * directions(self.blocks.op) * self.window_bytes;
            let held = Buffer::new(bytes as usize, self.node, abort)?;
            self.held[thread].get_or_init(|| held);
        }
        Ok(Copying {
            traffic: self,
            thread,
            holds,
            partner: self.partner(thread),
            own: Buffer::new(self.blocks.own_bytes() as usize, Node::FirstTouch, abort)?,
            orders: [0, 1].map(|_| self.blocks.order(self.window_bytes, thread)),
            chance: self.blocks.seed ^ thread as u64,
            abort,
        })
    }
}

struct Copying<'a> {
    traffic: &'a Traffic,
    thread: usize,
    /// Whether the thread holds a buffer to or from which other threads copy.
    holds: bool,
    partner: Partner,
    own: Buffer,
    /// Orders of elements for gets and for puts.
    orders: [Order; 2],
    chance: u64,
    abort: &'a Abort,
}

impl Part for Copying<'_> {
    fn prepare(&mut self) {
        if !self.holds {
            return;
        }
        let held = self.traffic.held(self.thread);
        // SAFETY: the walk stays within the buffer, and all copying threads wait until the walk is done.
        unsafe { (self.traffic.store)(held.at(0), held.at(0), held.bytes(), 1) };
        fence();
    }

    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        if self.partner == Partner::Nobody {
            return Ok(());
        }
        let (traffic, own) = (self.traffic, self.own.at(0));
        for done in 1..=iterations {
            self.abort.check()?;
            let held = match self.partner {
                Partner::Thread(partner) => traffic.held(partner),
                _ => traffic.held(self.any_other()),
            };
            let next = |direction| {
                let order = &mut self.orders[usize::from(direction == Op::Put)];
                held.at((traffic.window(self.thread, direction) + order.next_offset()) as usize)
            };
            // SAFETY: the thread's own buffer holds the bytes of an iteration, and the orders stay within the windows.
            unsafe { traffic.blocks.iteration(own, next) };
            traffic.blocks.end_iteration(done);
        }
        fence();
        Ok(())
    }

    fn measures(&self) -> bool {
        self.partner != Partner::Nobody
    }
}

impl Copying<'_> {
    /// A random thread other than this thread (Marsaglia's xorshift, "Xorshift RNGs", 2003).
    fn any_other(&mut self) -> usize {
        self.chance |= u64::from(self.chance == 0);
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        let other = (self.chance % (self.traffic.threads as u64 - 1)) as usize;
        other + usize::from(other >= self.thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::walk::STORED;

    fn of(fields: &str, cpus: &[usize]) -> Traffic {
        Traffic::new(&Request::parse(&format!(r#"{{"cpus": {cpus:?}, {fields}}}"#)).unwrap()).unwrap()
    }

    fn bytes(buffer: &Buffer) -> Vec<u8> {
        // SAFETY: the address is within the buffer, which only this test's thread uses.
        (0..buffer.bytes()).map(|at| unsafe { buffer.at(at).read_volatile() }).collect()
    }

    #[test]
    fn every_pattern_has_the_partners_that_it_has_on_the_cell() {
        let partners = |function, target| [0, 1, 2, 3].map(|thread| partner(function, target, thread, 4));
        let with = |threads: [usize; 4]| threads.map(Partner::Thread);
        assert_eq!(partners(Function::Complement, None), with([3, 2, 1, 0]));
        assert_eq!(partners(Function::Pairwise, None), with([1, 0, 3, 2]));
        assert_eq!(partners(Function::Cycle, None), with([1, 2, 3, 0]));
        assert_eq!(partners(Function::Neighbour, None), with([1, 2, 3, 0]));
        assert_eq!(partners(Function::Tornado, None), with([1, 2, 3, 0]));
        let turned = Target::Partners(vec![2, 0, 1, 3]);
        let [first, second, third, fourth] = partners(Function::Permutation, Some(&turned));
        assert_eq!([first, second, third], [2, 0, 1].map(Partner::Thread));
        assert_eq!(fourth, Partner::Nobody, "its partner is itself");
        assert_eq!(partners(Function::Uniform, None), [Partner::Any; 4]);
        let (nobody, thread) = (Partner::Nobody, Partner::Thread);
        assert_eq!(partners(Function::Couples, None), [thread(1), nobody, thread(3), nobody]);
        let hot = partners(Function::HotSpot, Some(&Target::Thread(1)));
        assert_eq!(hot, [thread(1), nobody, thread(1), thread(1)]);
        assert_eq!(partner(Function::DmaGet, Some(&Target::Thread(0)), 0, 1), thread(0), "alone, with itself");
    }

    #[test]
    fn a_get_brings_what_its_partner_wrote() {
        let (traffic, abort) = (of(r#""function": "dmaget", "size_bytes": 256"#, &[0, 1]), Abort::default());
        let (mut holder, mut other) = (traffic.copying(0, &abort).unwrap(), traffic.copying(1, &abort).unwrap());
        assert!(!holder.measures() && other.measures());
        holder.prepare();
        holder.run(1).unwrap();
        other.run(1).unwrap();
        assert!(bytes(&other.own)[..256].iter().all(|byte| *byte == STORED));
    }

    #[test]
    fn no_line_is_used_twice_within_a_sample() {
        for fields in [
            r#""function": "uniform", "op": "put", "size_bytes": 64"#,
            r#""function": "cycle", "op": "copy", "size_bytes": 1000"#,
            r#""function": "hotspot", "target": 2, "op": "put", "size_bytes": 64, "list_elements": 3"#,
        ] {
            let (traffic, abort) = (of(fields, &[0, 1, 2]), Abort::default());
            for thread in [2, 1] {
                traffic.copying(thread, &abort).unwrap();
            }
            let mut part = traffic.copying(0, &abort).unwrap();
            // The thread's own buffer is filled with ones and the held buffers with zeros, so that the bytes of puts
            // can be counted.
            for at in 0..part.own.bytes() {
                // SAFETY: the address is within the buffer, which no other thread uses.
                unsafe { part.own.at(at).write_volatile(1) };
            }
            if traffic.blocks.op == Op::Copy {
                // A `Get` overwrites the thread's own buffer with held bytes, so the held bytes must also be ones.
                traffic.held.iter().filter_map(OnceLock::get).for_each(|gets| {
                    // SAFETY: the window for gets is the first window of the buffer.
                    (0..traffic.window_bytes).for_each(|at| unsafe { gets.at(at as usize).write_volatile(1) });
                });
            }
            let before: usize = traffic.held.iter().filter_map(OnceLock::get).map(marked).sum();
            part.run(traffic.most_iterations()).unwrap();
            let after: usize = traffic.held.iter().filter_map(OnceLock::get).map(marked).sum();
            let put = traffic.most_iterations() * traffic.blocks.own_bytes();
            assert_eq!((after - before) as u64, put, "{fields}");
        }
    }

    fn marked(buffer: &Buffer) -> usize {
        bytes(buffer).iter().filter(|byte| **byte == 1).count()
    }

    #[test]
    fn traffic_by_chance_reaches_all_others_and_never_itself() {
        let (traffic, abort) = (of(r#""function": "uniform", "size_bytes": 64"#, &[0, 1, 2, 3]), Abort::default());
        let mut part = traffic.copying(2, &abort).unwrap();
        let mut count = [0; 4];
        (0..3000).for_each(|_| count[part.any_other()] += 1);
        assert!(count[2] == 0 && [0, 1, 3].iter().all(|other| count[*other] > 800), "{count:?}");
    }
}
