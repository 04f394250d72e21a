//! Pinned threads that take samples together.
//!
//! The calling thread does not measure. Meanwhile, the calling thread sleeps, and calls `go_on` at intervals. If one
//! thread fails, all other threads end early.

use super::abort::Abort;
use super::barrier::{Barrier, Next};
use super::counters::{Counters, probe};
use super::os::{Usage, current_cpu, pin};
use super::primitive::{Part, Primitive};
use super::sampler::{Plan, Sampler};
use crate::answer::{Answer, Counted, Counts, ThreadAnswer, WhatAnswer};
use crate::clock::Clock;
use crate::error::Error;
use crate::request::Request;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

/// Interval at which `go_on` is called.
const LOOK: Duration = Duration::from_millis(50);
/// Interval at which sleeping threads are woken once the measurement is aborted.
const WAKE: Duration = Duration::from_millis(5);
/// Number of empty samples before the sample whose hardware events are counted.
const EMPTY_SAMPLES: usize = 3;

/// Runs a primitive with the parameters of a request, as long as `go_on` returns true.
pub fn measure(primitive: &dyn Primitive, request: &Request, go_on: &mut dyn FnMut() -> bool) -> Result<Answer, Error> {
    let began = Instant::now();
    let clock = Clock::get();
    let plan = Plan {
        iterations: request.iterations,
        iteration_ns: request.iteration_ns,
        granule: primitive.granule(),
        most_iterations: primitive.most_iterations(),
        samples: request.samples,
        warm_up_ns: request.warm_up_ns,
        budget_ns: request.budget_ns,
    };
    let abort = Abort::default();
    let barriers = [0, 1].map(|_| Barrier::new(primitive.threads(), &abort));
    let team = Team { primitive, clock, abort: &abort, barriers: &barriers, plan, counted: probe() };
    let members = run(&team, &request.cpus, go_on)?;
    let (iterations_per_sample, least_ns) = (members[0].iterations, members[0].least_ns);
    Ok(Answer {
        clock: *clock,
        what: WhatAnswer { what: primitive.what(), iterations_per_sample },
        least_ns,
        counters: team.counted,
        threads: members.into_iter().map(|member| member.answer).collect(),
        wall_ns: began.elapsed().as_nanos() as u64,
    })
}

struct Team<'a> {
    primitive: &'a dyn Primitive,
    clock: &'a Clock,
    abort: &'a Abort,
    /// The barrier before each sample, and the barrier after the preparation of a sample.
    barriers: &'a [Barrier<'a>; 2],
    plan: Plan,
    /// Where the threads count hardware events, or why they do not.
    counted: Counted,
}

struct Member {
    answer: ThreadAnswer,
    iterations: u64,
    /// Smallest time of an iteration; infinite except for the leader.
    least_ns: f64,
}

/// Starts the threads and waits until they end. Returns the first error other than [`Error::Stopped`], because
/// `Stopped` is only a consequence of that error.
fn run(team: &Team<'_>, cpus: &[usize], go_on: &mut dyn FnMut() -> bool) -> Result<Vec<Member>, Error> {
    let threads = team.primitive.threads();
    let (done, ends) = channel();
    let mut results: Vec<Option<Result<Member, Error>>> = (0..threads).map(|_| None).collect();
    scope(|scope| {
        let mut left = 0;
        for (thread, cpu) in cpus.iter().copied().enumerate().take(threads) {
            let done = done.clone();
            let work = move || {
                let result = guarded(team, thread, cpu);
                // Sending succeeds, because the receiver lives until every thread has sent its result.
                let _ = done.send((thread, result));
            };
            match Builder::new().name(format!("cpu {cpu}")).spawn_scoped(scope, work) {
                Ok(_) => left += 1,
                Err(error) => {
                    team.abort.set();
                    results[thread] = Some(Err(Error::Run(format!("thread {thread} cannot be created: {error}"))));
                    break;
                }
            }
        }
        while left > 0 {
            match ends.recv_timeout(if team.abort.is_set() { WAKE } else { LOOK }) {
                Ok((thread, result)) => {
                    results[thread] = Some(result);
                    left -= 1;
                }
                Err(RecvTimeoutError::Timeout) if team.abort.is_set() => team.primitive.wake(),
                Err(_) if !go_on() => team.abort.set(),
                Err(_) => {}
            }
        }
    });
    if let Some(error) = results.iter().flatten().find_map(|result| match result {
        Err(error) if *error != Error::Stopped => Some(error.clone()),
        _ => None,
    }) {
        return Err(error);
    }
    results.into_iter().map(|result| result.unwrap_or(Err(Error::Stopped))).collect()
}

/// Runs one thread of the team; if it fails or panics, all threads end early.
fn guarded(team: &Team<'_>, thread: usize, cpu: usize) -> Result<Member, Error> {
    let result = catch_unwind(AssertUnwindSafe(|| member(team, thread, cpu)))
        .unwrap_or_else(|_| Err(Error::Run(format!("thread {thread} on CPU {cpu} has an error in its program"))));
    if result.is_err() {
        team.abort.set();
    }
    result
}

fn member(team: &Team<'_>, thread: usize, cpu: usize) -> Result<Member, Error> {
    pin(cpu)?;
    let mut part = team.primitive.part(thread, team.abort)?;
    let mut turns = Turns::new(team, thread);
    // The memory for all samples is touched before the first sample.
    let mut samples_ns = vec![f64::NAN; team.plan.samples as usize];
    let (mut kept, mut last_ticks, mut iterations_done) = (0, 0, 0);
    let (mut usage, mut on, mut migrations) = (Usage::default(), cpu, 0);
    let (mut moved_before, mut kept_ns) = (None, 0.0);
    while let Next::Sample { iterations, keep } = turns.next(last_ticks)? {
        if iterations != iterations_done {
            // The samples so far were too short.
            kept = 0;
        }
        if keep && kept == 0 {
            usage = Usage::now();
            (moved_before, kept_ns) = (part.moved_bytes(), 0.0);
        }
        if team.primitive.prepares() {
            part.prepare();
            turns.meet()?;
        }
        let first = team.clock.now();
        part.run(iterations)?;
        last_ticks = team.clock.now().saturating_sub(first);
        if keep {
            let operations = iterations * team.primitive.operations_per_iteration();
            kept_ns += team.clock.ns(last_ticks);
            let sample_ns = part.own_ns(iterations).unwrap_or_else(|| team.clock.ns(last_ticks));
            samples_ns[kept] = sample_ns / operations as f64;
            kept += 1;
        }
        let is_on = current_cpu();
        migrations += u64::from(is_on != on);
        on = is_on;
        iterations_done = iterations;
    }
    let measures = part.measures();
    samples_ns.truncate(if measures { kept } else { 0 });
    let counted = Usage::now().since(&usage);
    let mut answer = ThreadAnswer {
        thread,
        cpu,
        bytes_per_iteration: team.primitive.bytes_per_iteration(thread).filter(|_| measures),
        background_gb_s: moved_before.and_then(|before| Some((part.moved_bytes()? - before) as f64 / kept_ns)),
        samples_ns,
        operations: kept as u64 * iterations_done * team.primitive.operations_per_iteration(),
        cpu_after: on,
        migrations,
        voluntary_switches: counted.voluntary_switches,
        involuntary_switches: counted.involuntary_switches,
        minor_faults: counted.minor_faults,
        counts: None,
    };
    answer.counts = count(team, &mut *part, &turns, iterations_done)?.filter(|_| measures);
    Ok(Member { answer, iterations: iterations_done, least_ns: turns.least_ns() })
}

/// Counts hardware events in one more sample. This sample is not timed, so counting does not change any time. A few
/// empty samples show how many events are those of counting itself.
fn count(team: &Team<'_>, part: &mut dyn Part, turns: &Turns<'_>, iterations: u64) -> Result<Option<Counts>, Error> {
    if !team.counted.any() {
        return Ok(None);
    }
    // A thread without counters still takes part in the samples, because other threads wait for it.
    let mut counters = Counters::open().ok();
    for _ in 0..EMPTY_SAMPLES {
        part.prepare();
        turns.meet()?;
        if let Some(counters) = &mut counters {
            counters.start();
            counters.stop_empty();
        }
    }
    part.prepare();
    turns.meet()?;
    counters.iter_mut().for_each(Counters::start);
    part.run(iterations)?;
    let operations = iterations * team.primitive.operations_per_iteration();
    Ok(counters.as_mut().and_then(|counters| counters.stop(operations)))
}

/// A thread's role at the barrier. Thread 0 is the leader and owns the sampler.
struct Turns<'a> {
    team: &'a Team<'a>,
    sampler: Option<Sampler>,
    began: u64,
}

impl<'a> Turns<'a> {
    fn new(team: &'a Team<'a>, thread: usize) -> Turns<'a> {
        let sampler = (thread == 0).then(|| Sampler::new(team.plan, team.clock));
        Turns { team, sampler, began: team.clock.now() }
    }

    /// Returns the next sample or the end, after a sample that took `last_ticks`.
    fn next(&mut self, last_ticks: u64) -> Result<Next, Error> {
        let (clock, barrier, began) = (self.team.clock, &self.team.barriers[0], self.began);
        match &mut self.sampler {
            None => barrier.follow(last_ticks),
            Some(sampler) => barrier.lead(last_ticks, |longest_ticks| {
                let now_ns = clock.ns(clock.now().saturating_sub(began));
                sampler.next(now_ns, clock.ns(longest_ticks))
            }),
        }
    }

    /// Smallest time of an iteration, if this is the leader.
    fn least_ns(&self) -> f64 {
        self.sampler.as_ref().map_or(f64::INFINITY, Sampler::least_ns)
    }

    /// Waits until all threads have arrived.
    fn meet(&self) -> Result<(), Error> {
        let barrier = &self.team.barriers[1];
        if self.sampler.is_some() {
            barrier.lead(0, |_| Next::End)?
        } else {
            barrier.follow(0)?
        };
        Ok(())
    }
}

#[cfg(test)]
pub mod tests;
