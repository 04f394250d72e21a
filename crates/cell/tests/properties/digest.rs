//! A digest of many random runs, for changes that must not affect behaviour:
//!
//!     cargo test -p cell --test all digest -- --ignored --nocapture
//!
//! must print the same lines before and after the change. The digest covers records with all counters and transfers,
//! traces, and error messages, on random machines, with and without fast-forward.

use super::generator::run_programs;
use super::transfers::{check, programs};
use crate::common::machines::any_machine;
use cell::trace::{Trigger, Window};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Hashes the results of `n` random cases, and prints the hash.
fn digest<S: Strategy>(name: &str, n: u32, strategy: S, run: impl Fn(S::Value) -> String) {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(n));
    let mut hasher = DefaultHasher::new();
    for _ in 0..n {
        let tree = strategy.new_tree(&mut runner).expect("a strategy that makes values");
        run(tree.current()).hash(&mut hasher);
    }
    println!("{name}: {:016x}", hasher.finish());
}

#[test]
#[ignore = "compares two versions of the simulator"]
fn digest_of_random_runs() {
    let transfers = || (any_machine(), programs(8, 16));
    digest("records", 400, transfers(), |(machine, programs)| {
        check(&machine, &programs).recording_transfers().run().record.to_json()
    });
    digest("fast-forward", 100, transfers(), |(machine, programs)| {
        check(&machine, &programs).fast_forward().run().record.to_json()
    });
    digest("traces", 100, transfers(), |(machine, programs)| {
        let window = Window { trigger: Trigger::TagGroup(0), skip_bus_cycles: 0, bus_cycles: 20_000 };
        format!("{:?}", check(&machine, &programs).window(window))
    });
    digest("any programs", 3000, proptest::collection::vec(any::<u8>(), 0..3000), |bytes| run_programs(&bytes));
}
