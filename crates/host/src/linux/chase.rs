//! Chases: loads whose addresses are the values of earlier loads, so that each load takes its whole latency.
//!
//! The elements of a working set form one cycle in a random order, which no prefetcher predicts. The cycle is written
//! in the order in which it is visited. If it is larger than a cache, the first loads therefore miss the cache, just as
//! all later ones do: the elements that the cache still holds are those that come last.
//!
//! In the background, other threads may read and write their own memory as fast as they can, or at a given rate. They
//! do so for as long as thread 0 takes for a sample.

use super::abort::Abort;
use super::access::{Access, Walker};
use super::buffers::Buffer;
use super::order::permutation;
use super::primitive::{Part, Primitive};
use super::walk::{LOADS_PER_ROUND, chase};
use crate::answer::{Latency, What};
use crate::clock::Clock;
use crate::error::{Error, usage};
use crate::request::{Chase as Order, Level, Node, Pages, Request};
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};

/// Size of an address.
const ADDRESS_BYTES: u64 = size_of::<usize>() as u64;
/// Size of the groups of pages in an order by pages. Their translations fit the first buffer of translations of every
/// processor that we know (32 entries at least), and random lines of several pages are no pattern for prefetchers, which
/// look at single pages.
const GROUP_BYTES: u64 = 16 * 4096;
/// Largest distance of elements.
const APART_MAX_BYTES: u64 = 4096;
/// Rounds between two checks of the abort flag.
const ROUNDS_PER_CHECK: u64 = 1 << 12;
/// Pieces by which a background thread that fell behind its rate may catch up.
const PIECES_BEHIND_MAX: f64 = 16.0;

/// Threads that chase, or a thread that chases and threads in the background.
pub struct Chase {
    order: Order,
    elements: u64,
    distance_bytes: u64,
    threads: usize,
    background: Option<InBackground>,
    level: Option<Level>,
    node: Node,
    pages: Pages,
    seed: u64,
    /// Number of samples that thread 0 has finished.
    finished: AtomicU64,
}

struct InBackground {
    access: Access,
    /// Bandwidth of all background threads together.
    rate_gb_s: Option<f64>,
}

impl Chase {
    /// The primitive for the threads of a request.
    pub fn new(request: &Request) -> Result<Chase, Error> {
        let Some(order) = request.chase else { return usage("no order of a chase: give lines or pages") };
        let distance_bytes = request.stride_bytes.unwrap_or(64);
        if !(ADDRESS_BYTES..=APART_MAX_BYTES).contains(&distance_bytes) || !distance_bytes.is_power_of_two() {
            return usage(format!(
                "elements {distance_bytes} bytes apart: give a power of two from {ADDRESS_BYTES} to {APART_MAX_BYTES}"
            ));
        }
        let elements = request.level_bytes / distance_bytes;
        if elements < 2 {
            return usage(format!(
                "a working set of {} bytes has no two elements {distance_bytes} bytes apart; give more",
                request.level_bytes
            ));
        }
        if request.rate_gb_s.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
            return usage("a rate must be a positive number of GB/s");
        }
        if request.background.is_some() && request.cpus.len() < 2 {
            return usage("1 thread: traffic in the background takes another one");
        }
        let background = request.background.map(|kind| {
            Ok(InBackground { access: Access::in_background(request, kind)?, rate_gb_s: request.rate_gb_s })
        });
        Ok(Chase {
            order,
            elements,
            distance_bytes,
            threads: request.cpus.len(),
            background: background.transpose()?,
            level: request.level,
            node: request.memory_node,
            pages: request.pages,
            seed: request.seed,
            finished: AtomicU64::new(0),
        })
    }

    /// Number of elements.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    /// Distance from one element to the next in memory.
    pub fn distance_bytes(&self) -> u64 {
        self.distance_bytes
    }

    /// The node of the elements' memory.
    pub fn node(&self) -> Node {
        self.node
    }

    /// Makes memory for the elements.
    pub fn buffer(&self, abort: &Abort) -> Result<Buffer, Error> {
        Buffer::with_pages((self.elements * self.distance_bytes) as usize, self.node, self.pages, abort)
    }

    /// The elements in the order in which they are visited; each appears once.
    fn visited(&self) -> impl Iterator<Item = u64> + '_ {
        let block = match self.order {
            Order::Lines => self.elements,
            Order::Pages => GROUP_BYTES / self.distance_bytes,
        };
        let blocks = permutation(self.elements.div_ceil(block), self.seed);
        let inside =
            move |nth| permutation(block, self.seed.wrapping_add(nth)).map(move |element| nth * block + element);
        blocks.flat_map(inside).filter(|element| *element < self.elements)
    }

    /// One load, in words; `whose` working set it is from.
    pub fn operation(&self, whose: &str) -> String {
        let bytes = self.elements * self.distance_bytes;
        let order = match self.order {
            Order::Lines => "in random order",
            Order::Pages => "in random order, 16 pages after the other",
        };
        let pages = match self.pages {
            Pages::Ordinary => "",
            Pages::Small => " on small pages",
            Pages::Huge => " on huge pages",
        };
        let meant = Level::meant(self.level);
        let background = match &self.background {
            Some(InBackground { access, rate_gb_s }) => {
                let rate = rate_gb_s.map_or("as fast as possible".to_string(), |rate| format!("at {rate} GB/s"));
                format!("; meanwhile, {rate}, {} in other threads", access.words())
            }
            None => String::new(),
        };
        format!(
            "loads, each from the address that the previous one loaded, {order}, {} bytes apart over {bytes} bytes of \
             {whose} own{pages}{meant}{background}",
            self.distance_bytes
        )
    }

    /// Links all elements of a buffer. Returns the address of the first one.
    pub fn link(&self, buffer: &Buffer, abort: &Abort) -> Result<*const u8, Error> {
        let address = |element: u64| buffer.at((element * self.distance_bytes) as usize);
        let mut visited = self.visited();
        let first = visited.next().expect("there are at least two elements");
        let mut last = first;
        for next in visited.by_ref().chain([first]) {
            // SAFETY: each element has room for an address, is aligned, and only this thread uses the buffer.
            unsafe { address(last).cast::<usize>().write_volatile(address(next) as usize) };
            last = next;
        }
        abort.check()?;
        Ok(address(first))
    }
}

impl Primitive for Chase {
    fn what(&self) -> What {
        let whose = if self.background.is_some() { "thread 0's" } else { "each thread's" };
        What {
            operation: self.operation(whose),
            latency: Latency::PerOperation,
            line_home: self.node.words("each thread"),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn granule(&self) -> u64 {
        LOADS_PER_ROUND
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        match &self.background {
            Some(background) if thread > 0 => Ok(Box::new(Neighbour {
                walker: background.access.walker(abort)?,
                piece_iterations: background.access.granule(),
                piece_bytes: background.access.granule() * background.access.iteration_bytes(),
                gb_s: background.rate_gb_s.map(|rate| rate / (self.threads - 1) as f64),
                finished: &self.finished,
                samples: 0,
                due_ns: 0.0,
                moved_bytes: 0,
                abort,
            })),
            _ => {
                let buffer = self.buffer(abort)?;
                let at = self.link(&buffer, abort)?;
                let finished = self.background.is_some().then_some(&self.finished);
                Ok(Box::new(Chaser { _buffer: Some(buffer), at, finished, abort }))
            }
        }
    }
}

/// The thread that chases.
pub struct Chaser<'a> {
    /// Holds the elements, unless threads share them.
    _buffer: Option<Buffer>,
    /// Address of the next element.
    at: *const u8,
    /// Where background threads see that a sample is over.
    finished: Option<&'a AtomicU64>,
    abort: &'a Abort,
}

impl<'a> Chaser<'a> {
    /// A chaser from this element on, whose buffer outlives it.
    pub fn new(at: *const u8, abort: &'a Abort) -> Chaser<'a> {
        Chaser { _buffer: None, at, finished: None, abort }
    }
}

impl Part for Chaser<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        let mut rounds = iterations / LOADS_PER_ROUND;
        while rounds > 0 {
            self.abort.check()?;
            let now = rounds.min(ROUNDS_PER_CHECK);
            // SAFETY: every element holds the address of another one, and the buffer lives as long as this thread.
            self.at = unsafe { chase(self.at, now) };
            rounds -= now;
        }
        if let Some(finished) = self.finished {
            finished.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// A thread in the background.
struct Neighbour<'a> {
    walker: Walker<'a>,
    piece_iterations: u64,
    piece_bytes: u64,
    /// Bandwidth to which this thread limits itself.
    gb_s: Option<f64>,
    finished: &'a AtomicU64,
    /// Number of samples that began.
    samples: u64,
    /// Time at which the next piece is due, from the start of the sample.
    due_ns: f64,
    moved_bytes: u64,
    abort: &'a Abort,
}

impl Part for Neighbour<'_> {
    fn run(&mut self, _iterations: u64) -> Result<(), Error> {
        self.samples += 1;
        let clock = Clock::get();
        let interval_ns = self.gb_s.map_or(0.0, |gb_s| self.piece_bytes as f64 / gb_s);
        let (start, mut now_ns) = (clock.now(), 0.0);
        while self.finished.load(Ordering::Relaxed) < self.samples {
            now_ns = clock.ns(clock.now().saturating_sub(start));
            if now_ns < self.due_ns {
                self.abort.check()?;
                spin_loop();
                continue;
            }
            self.walker.run(self.piece_iterations)?;
            self.moved_bytes += self.piece_bytes;
            self.due_ns = (self.due_ns + interval_ns).max(now_ns - PIECES_BEHIND_MAX * interval_ns);
        }
        // What was moved too early or too late counts in the next sample.
        self.due_ns -= now_ns;
        Ok(())
    }

    fn measures(&self) -> bool {
        false
    }

    fn moved_bytes(&self) -> Option<u64> {
        Some(self.moved_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::team::tests::run;

    fn chase_of(fields: &str) -> Result<Chase, Error> {
        Chase::new(&Request::parse(&format!(r#"{{"function": "load", "cpus": [0], {fields}}}"#)).unwrap())
    }

    #[test]
    fn a_lap_visits_every_element_once() {
        for (order, stride, level_bytes) in [("lines", 64, 4096), ("lines", 8, 100_000), ("pages", 128, 50_000)] {
            let fields = format!(r#""chase": "{order}", "stride_bytes": {stride}, "level_bytes": {level_bytes}"#);
            let (chase, abort) = (chase_of(&fields).unwrap(), Abort::default());
            let buffer = Buffer::new(level_bytes, Node::FirstTouch, &abort).unwrap();
            let first = chase.link(&buffer, &abort).unwrap();
            let (mut at, mut seen) = (first, vec![false; level_bytes / stride]);
            for _ in 0..chase.elements {
                let offset = at as usize - buffer.at(0) as usize;
                assert!(
                    offset.is_multiple_of(stride) && !std::mem::replace(&mut seen[offset / stride], true),
                    "{offset}"
                );
                // SAFETY: the element holds an address within the buffer.
                at = unsafe { at.cast::<*const u8>().read_volatile() };
            }
            assert!(at == first && seen.into_iter().all(|each| each), "{fields}");
        }
    }

    #[test]
    fn pages_in_a_group_are_ended_before_the_next() {
        let chase = chase_of(r#""chase": "pages", "stride_bytes": 64, "level_bytes": 1048576"#).unwrap();
        let groups: Vec<u64> = chase.visited().map(|element| element * 64 / GROUP_BYTES).collect();
        assert_eq!(groups.chunk_by(|a, b| a == b).map(<[u64]>::len).collect::<Vec<_>>(), [1024; 16]);
        assert!(!groups.is_sorted());
    }

    #[test]
    fn huge_pages_are_given_or_refused_in_one_line() {
        let fields = r#""function": "load", "chase": "lines", "level_bytes": 3000000, "pages": "huge", "samples": 1"#;
        let request = run::request(fields, 1).unwrap();
        match run::team(&Chase::new(&request).unwrap(), &request) {
            Ok(answer) => assert!(answer.what.what.operation.contains("on huge pages")),
            Err(error) => assert!(error.to_string().contains("huge pages"), "{error}"),
        }
    }

    #[test]
    fn neighbours_keep_to_their_rate() {
        let load = r#""function": "load", "chase": "lines", "level_bytes": 1000000, "samples": 20"#;
        let slow = r#""background": "copy", "reads_per_write": 2, "background_bytes": 1000000, "rate_gb_s": 0.05"#;
        let Some(request) = run::request(&format!("{load}, {slow}"), 2) else { return };
        let answer = run::team(&Chase::new(&request).unwrap(), &request).unwrap();
        let rates: Vec<Option<f64>> = answer.threads.iter().map(|thread| thread.background_gb_s).collect();
        assert!(rates[0].is_none() && rates[1].is_some_and(|rate| rate < 0.1), "{rates:?}");
        assert!(answer.threads[1].samples_ns.is_empty());
    }

    #[test]
    fn what_cannot_be_is_said_in_one_line() {
        for (fields, said) in [
            (r#""level_bytes": 4096"#, "no order of a chase"),
            (r#""chase": "lines", "level_bytes": 64"#, "no two elements"),
            (r#""chase": "lines", "level_bytes": 4096, "stride_bytes": 96"#, "power of two"),
            (r#""chase": "lines", "level_bytes": 4096, "stride_bytes": 4"#, "power of two"),
            (r#""chase": "lines", "level_bytes": 4096, "rate_gb_s": 0"#, "positive number"),
            (r#""chase": "lines", "level_bytes": 4096, "background": "load""#, "takes another one"),
        ] {
            match chase_of(fields) {
                Err(Error::Usage(line)) => assert!(line.contains(said) && !line.contains('\n'), "{line}"),
                _ => panic!("{fields} is not refused"),
            }
        }
    }
}
