//! Tests of teams on this computer's CPUs: the form of answers, pinning and termination, but never speed.

use super::*;
use crate::linux::{measure_request, os::allowed_cpus};

/// Helpers for these tests and for the tests of each primitive.
pub mod run {
    use super::*;

    /// A request with these JSON fields on the first `threads` usable CPUs, or `None` if fewer CPUs are usable.
    pub fn request(fields: &str, threads: usize) -> Option<Request> {
        let allowed = allowed_cpus().unwrap();
        let cpus = allowed.get(..threads)?;
        let request = Request::parse(&format!("{{{fields}, \"cpus\": {cpus:?}}}")).unwrap();
        request.check(&allowed).unwrap();
        Some(request)
    }

    /// Runs a measurement to its end.
    pub fn team(primitive: &dyn Primitive, request: &Request) -> Result<Answer, Error> {
        measure(primitive, request, &mut || true)
    }
}

/// Every FUNCTION with the JSON fields that it needs, and with its number of threads.
const FUNCTIONS: [(&str, usize); 36] = [
    (r#""function": "mkthread""#, 1),
    (r#""function": "mkthread""#, 2),
    (r#""function": "mailbox", "path": "memory""#, 2),
    (r#""function": "mailbox", "path": "lines""#, 2),
    (r#""function": "mailbox", "path": "futex""#, 2),
    (r#""function": "mailbox", "path": "eventfd""#, 2),
    (r#""function": "mailbox", "path": "pipe""#, 2),
    (r#""function": "signal", "path": "memory""#, 2),
    (r#""function": "signal", "path": "futex", "signal_mode": "or""#, 2),
    (r#""function": "signal", "path": "eventfd""#, 2),
    (r#""function": "signal", "path": "pipe", "signal_mode": "or""#, 2),
    (r#""function": "fetchadd""#, 2),
    (r#""function": "fetchset", "private": true"#, 1),
    (r#""function": "dmaget", "size_bytes": 128, "level_bytes": 100000, "batch": 1"#, 2),
    (r#""function": "dmaput", "size_bytes": 1000, "level_bytes": 100000, "private": true"#, 2),
    (r#""function": "dmaput", "size_bytes": 64, "level_bytes": 100000, "non_temporal": true"#, 1),
    (r#""function": "dmaget", "size_bytes": 128, "core_to_core": true"#, 2),
    (r#""function": "dmaput", "size_bytes": 128, "core_to_core": true, "private": true"#, 2),
    (r#""function": "dmaget", "size_bytes": 128, "core_to_core": true"#, 1),
    (r#""function": "dmalistget", "size_bytes": 64, "list_elements": 9, "level_bytes": 100000"#, 2),
    (r#""function": "dmalistput", "size_bytes": 64, "list_elements": 9, "core_to_core": true"#, 2),
    (r#""function": "hotspot", "size_bytes": 64, "level_bytes": 100000, "target": "memory", "op": "copy""#, 2),
    (r#""function": "hotspot", "size_bytes": 64, "target": 1, "op": "put""#, 2),
    (r#""function": "complement", "size_bytes": 16384, "op": "copy""#, 2),
    (r#""function": "pairwise", "size_bytes": 200000, "op": "get""#, 2),
    (r#""function": "uniform", "size_bytes": 64, "op": "copy", "list_elements": 4, "seed": 3"#, 2),
    (r#""function": "couples", "size_bytes": 64, "op": "put""#, 2),
    (r#""function": "cycle", "size_bytes": 64, "op": "get""#, 2),
    (r#""function": "exchange", "pattern": ["ring", 2, [[[0, 1, 64, 1], [1, 0, 64, 1]]]]"#, 2),
    (r#""function": "load", "size_bytes": 8, "level": "l1", "level_bytes": 16384"#, 2),
    (r#""function": "store", "size_bytes": 16, "level_bytes": 16384, "non_temporal": true"#, 1),
    (r#""function": "copy", "size_bytes": 1, "level": "memory", "level_bytes": 3000000"#, 1),
    (r#""function": "copy", "size_bytes": 16, "reads_per_write": 3, "level_bytes": 3000000"#, 1),
    (r#""function": "load", "chase": "lines", "level_bytes": 65536, "background": "dirty""#, 2),
    (r#""function": "load", "chase": "pages", "level_bytes": 3000000"#, 2),
    (
        r#""function": "load", "chase": "lines", "level_bytes": 3000000, "background": "store", "background_bytes": 9000"#,
        2,
    ),
];

#[test]
fn every_function_takes_its_samples_on_its_cpus() {
    for (fields, threads) in FUNCTIONS {
        let Some(request) = run::request(&format!(r#"{fields}, "samples": 3"#), threads) else { continue };
        let json = measure_request(&request, &mut || true).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
        let rows = answer["threads"].as_array().unwrap();
        assert!(answer["what"]["iterations_per_sample"].as_u64().unwrap() > 0, "{fields}");
        let mut measuring = 0;
        for (thread, row) in rows.iter().enumerate() {
            assert_eq!(
                (row["thread"].as_u64(), row["cpu"].as_u64()),
                (Some(thread as u64), Some(request.cpus[thread] as u64))
            );
            assert_eq!((&row["cpu_after"], row["migrations"].as_u64()), (&row["cpu"], Some(0)), "{fields}");
            let samples = row["samples_ns"].as_array().unwrap();
            assert!(samples.is_empty() || samples.len() == 3, "{fields}");
            assert!(samples.iter().all(|sample| sample.as_f64().is_some_and(|ns| ns > 0.0)), "{fields}");
            let operations = row["operations"].as_u64().unwrap();
            if !samples.is_empty() && probe().any() {
                assert!(row["counts"]["cycles"].as_u64().is_some_and(|count| count > 0), "{fields}: {row}");
                assert_eq!(row["counts"]["operations"].as_u64(), Some(operations / 3), "{fields}");
            } else {
                assert!(row["counts"].is_null(), "{fields}");
            }
            measuring += usize::from(!samples.is_empty());
        }
        assert!(measuring > 0, "{fields}");
    }
}

#[test]
fn given_iterations_are_those_of_a_sample() {
    let request = run::request(r#""function": "fetchinc", "iterations": 123, "samples": 2"#, 1).unwrap();
    let json = measure_request(&request, &mut || true).unwrap();
    assert!(json.contains(r#""iterations_per_sample":123"#), "{json}");
}

#[test]
fn every_function_can_be_stopped_at_any_time() {
    for (fields, threads) in FUNCTIONS {
        let endless = r#""iterations": 1000000000000, "warm_up_ns": 1000000000000"#;
        let Some(request) = run::request(&format!("{fields}, {endless}"), threads) else { continue };
        let stopped = measure_request(&request, &mut || false);
        assert_eq!(stopped, Err(Error::Stopped), "{fields}");
    }
}

/// A primitive whose second thread fails in the way that `how` names, while the first thread waits forever.
struct Failing {
    how: &'static str,
}

struct FailingPart<'a>(&'a str, usize, &'a Abort);

impl Primitive for Failing {
    fn what(&self) -> crate::answer::What {
        unreachable!("it never comes so far")
    }

    fn threads(&self) -> usize {
        2
    }

    fn part<'a>(&'a self, thread: usize, abort: &'a Abort) -> Result<Box<dyn Part + 'a>, Error> {
        if (self.how, thread) == ("part", 1) {
            return Err(Error::Run("no part".to_string()));
        }
        Ok(Box::new(FailingPart(self.how, thread, abort)))
    }
}

impl Part for FailingPart<'_> {
    fn run(&mut self, _iterations: u64) -> Result<(), Error> {
        match (self.0, self.1) {
            (_, 0) => self.2.spin_until(|| false),
            ("panic", _) => std::panic::resume_unwind(Box::new("as a panic, but quiet")),
            _ => Err(Error::Run("no run".to_string())),
        }
    }
}

#[test]
fn one_that_fails_ends_it_for_all() {
    let Some(request) = run::request(r#""function": "fetchadd""#, 2) else { return };
    for (how, said) in [("part", "no part"), ("run", "no run"), ("panic", "thread 1 on CPU")] {
        let error = run::team(&Failing { how }, &request).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
