//! Messages between two threads through two cache lines. Each line is written by one thread only and polled by the
//! other one.
//!
//! A message is a store of a value that has not been there before. With `Path::Lines`, the value is a number, and the
//! asking thread measures round trips. With `Path::OneWay`, the value is the sender's clock, and the receiver subtracts
//! it from its own clock. The answering thread therefore measures the way from the thread that asks. The difference
//! includes one reading of the clock, half of it before the store and half of it after the load, and its cost is
//! subtracted.
//!
//! The clocks of two CPUs can only be compared if their counters agree. The kernel compares them at its start and
//! withdraws the counter as a clock if they differ (`check_tsc_sync_source` in arch/x86/kernel/tsc_sync.c). A message
//! that arrives before it was sent shows a difference that the kernel missed.

use super::abort::Abort;
use super::os::counters_agree;
use super::pair::{Direction, Pair};
use super::primitive::{Part, Primitive};
use crate::answer::{Latency, What};
use crate::clock::{Clock, Source};
use crate::error::{Error, usage};
use crate::request::{Node, Path, Request};
use std::sync::atomic::{AtomicU64, Ordering};

/// Pairs of threads that exchange messages through two lines.
pub struct Lines {
    /// The clock that is sent; `None` for round trips.
    clock: Option<&'static Clock>,
    node: Node,
    pairs: Vec<Pair>,
}

impl Lines {
    /// The primitive for the threads of a request. Returns an error if the request needs clocks that do not agree.
    pub fn new(request: &Request) -> Result<Lines, Error> {
        let one_way = request.path == Path::OneWay;
        let clock = one_way.then(Clock::get);
        if clock.is_some_and(|clock| clock.source == Source::ClockGettime) || one_way && !counters_agree() {
            return usage(
                "one way takes counters that agree on all CPUs, and this kernel does not use them as its clock; measure \
                 the round trip",
            );
        }
        let pairs = Pair::all(request.cpus.len(), request.path)?;
        Ok(Lines { clock, node: request.memory_node, pairs })
    }
}

impl Primitive for Lines {
    fn what(&self) -> What {
        let (operation, latency) = match self.clock {
            Some(_) => (
                "store of the clock, loads by the other thread until it arrives, whose clock is read then, less the \
                 cost of a reading: one way",
                Latency::OneWay,
            ),
            None => (
                "store of a number, loads by the other thread until it arrives, and back: round trip",
                Latency::RoundTrip,
            ),
        };
        What {
            operation: operation.to_string(),
            latency,
            line_home: format!("a line for each direction, {}", self.node.words("the thread that asks")),
            bytes_per_iteration: None,
        }
    }

    fn threads(&self) -> usize {
        2 * self.pairs.len()
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        let (pair, asks) = Pair::of_thread(&self.pairs, thread, self.node, abort)?;
        let way = Way { ticks: 0, least_ticks: i64::MAX };
        Ok(Box::new(Partner { pair, asks, clock: self.clock, abort, sent: 0, received: 0, way }))
    }
}

/// Times of one direction, by the receiver.
struct Way {
    ticks: i64,
    least_ticks: i64,
}

/// One thread of a pair.
struct Partner<'a> {
    pair: &'a Pair,
    asks: bool,
    clock: Option<&'static Clock>,
    abort: &'a Abort,
    sent: u64,
    received: u64,
    way: Way,
}

impl Partner<'_> {
    #[inline(always)]
    fn send(&mut self, line: &AtomicU64) {
        self.sent = self.clock.map_or(self.sent + 1, Clock::now);
        line.store(self.sent, Ordering::Release);
    }

    #[inline(always)]
    fn receive(&mut self, line: &AtomicU64) -> Result<(), Error> {
        let before = self.received;
        let mut value = before;
        self.abort.spin_until(|| {
            value = line.load(Ordering::Acquire);
            value != before
        })?;
        self.received = value;
        if let Some(clock) = self.clock {
            let ticks = clock.now().wrapping_sub(value) as i64;
            self.way.ticks += ticks;
            self.way.least_ticks = self.way.least_ticks.min(ticks);
        }
        Ok(())
    }
}

impl Part for Partner<'_> {
    fn run(&mut self, iterations: u64) -> Result<(), Error> {
        self.way.ticks = 0;
        let asking = self.pair.line(Direction::Asking);
        let answering = self.pair.line(Direction::Answering);
        let (asks, abort) = (self.asks, self.abort);
        abort.repeat(iterations, || {
            if asks {
                self.send(asking);
                self.receive(answering)
            } else {
                self.receive(asking)?;
                self.send(answering);
                Ok(())
            }
        })?;
        match self.clock {
            Some(clock) if self.way.least_ticks <= 0 => Err(Error::Run(format!(
                "a message arrived {:.0} ns before it was sent: the counters of the CPUs differ; measure the round trip",
                clock.ns(self.way.least_ticks.unsigned_abs())
            ))),
            _ => Ok(()),
        }
    }

    fn measures(&self) -> bool {
        // A one-way time is known where the message arrives.
        self.asks != self.clock.is_some()
    }

    fn own_ns(&self, iterations: u64) -> Option<f64> {
        let clock = self.clock?;
        Some((clock.ns(self.way.ticks.max(0) as u64) - iterations as f64 * clock.cost_ns).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> Pair {
        let pair = Pair::all(2, Path::Lines).unwrap().remove(0);
        pair.make_lines(Node::FirstTouch, &Abort::default()).unwrap();
        pair
    }

    fn partner<'a>(pair: &'a Pair, asks: bool, clock: Option<&'static Clock>, abort: &'a Abort) -> Partner<'a> {
        let way = Way { ticks: 0, least_ticks: i64::MAX };
        Partner { pair, asks, clock, abort, sent: 0, received: 0, way }
    }

    #[test]
    fn each_line_has_the_messages_of_one_thread() {
        let (pair, abort) = (pair(), Abort::default());
        std::thread::scope(|scope| {
            for asks in [true, false] {
                let (pair, abort) = (&pair, &abort);
                scope.spawn(move || {
                    let mut part = partner(pair, asks, None, abort);
                    part.run(3).and_then(|()| part.run(4)).unwrap();
                    assert_eq!((part.sent, part.received, part.own_ns(4)), (7, 7, None));
                    assert_eq!(part.measures(), asks);
                });
            }
        });
        for direction in [Direction::Asking, Direction::Answering] {
            assert_eq!(pair.line(direction).load(Ordering::Relaxed), 7);
        }
    }

    #[test]
    fn one_way_is_the_receivers_clock_less_the_message() {
        let (pair, abort, clock) = (pair(), Abort::default(), Clock::get());
        let mut part = partner(&pair, false, Some(clock), &abort);
        assert!(part.measures());
        let past = (clock.hz / 1000.0) as u64;
        pair.line(Direction::Asking).store(clock.now() - past, Ordering::Relaxed);
        part.run(1).unwrap();
        assert!(part.own_ns(1).unwrap() > 0.9e6, "sent a millisecond ago");
        assert!(pair.line(Direction::Answering).load(Ordering::Relaxed) > 0, "the answer is a clock, too");
    }

    #[test]
    fn counters_that_differ_are_noticed() {
        let (pair, abort, clock) = (pair(), Abort::default(), Clock::get());
        let mut part = partner(&pair, false, Some(clock), &abort);
        pair.line(Direction::Asking).store(clock.now() + clock.hz as u64, Ordering::Relaxed);
        let Err(Error::Run(line)) = part.run(1) else { panic!("it is not noticed") };
        assert!(line.contains("before it was sent") && !line.contains('\n'), "{line}");
    }
}
