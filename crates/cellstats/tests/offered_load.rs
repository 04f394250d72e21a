//! Tests of DMAs that are offered at a rate: the queues that they form, and what the machine accepts.

use cell::machine::Machine;
use cellstats::{Measurement, Request, measure};
use serde_json::{Value, json};

const PEAK_GB_S: f64 = 25.6;

/// A measurement on the evaluation board, whose SPEs are not disturbed.
fn measured(function: &str, rate: f64, more: Value) -> Measurement {
    let machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    let mut request = json!({"function": function, "rate": rate});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let request = Request::parse(&request.to_string(), &machine).expect("parameters that can be");
    measure(&machine, &request, || true).expect("a run that ends")
}

fn mean_ns(result: &Measurement) -> f64 {
    result.dma_latency.as_ref().expect("latencies are always kept").mean_ns
}

/// Asserts that two numbers differ by at most this share.
#[track_caller]
fn assert_near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected, "{found}, not {expected}");
}

#[test]
fn what_is_offered_is_accepted_until_the_machine_is_saturated() {
    for function in ["hotspot", "complement", "uniform", "couples", "neighbour", "tornado", "permutation"] {
        for injection in ["periodic", "bernoulli", "bursts"] {
            let more = json!({"injection": injection, "iterations": 1000, "op": "get"});
            let result = measured(function, 0.08, more);
            let load = result.offered_load.as_ref().expect("a load was offered");
            let active = result.per_spe.len() as f64;
            assert!(!load.saturated, "{function} {injection}");
            assert_near(load.offered_gb_s, 0.08 * PEAK_GB_S * active, 0.12);
            assert_near(result.bandwidth_gb_s.unwrap(), load.offered_gb_s, 0.05);
        }
    }
}

#[test]
fn in_equal_intervals_every_dma_of_the_window_is_measured_once() {
    for rate in [0.1, 1.0] {
        let more = json!({"injection": "periodic", "iterations": 500, "spes": 2, "op": "get"});
        let result = measured("couples", rate, more);
        assert_eq!(result.dma_latency.unwrap().count, 500, "at {rate}");
    }
}

#[test]
fn a_dma_that_meets_no_other_takes_as_long_as_alone() {
    let machine = Machine::builtin("eval-board").unwrap();
    let alone = r#"{"function": "dmaget", "spe_to_spe": true, "size": 128, "iterations": 100, "histogram": true}"#;
    let alone = measure(&machine, &Request::parse(alone, &machine).unwrap(), || true).unwrap();
    let more = json!({"injection": "periodic", "size": 128, "spes": 2, "op": "get", "iterations": 200});
    let offered = measured("couples", 0.001, more).dma_latency.unwrap();
    // The writes of the command's parameters come after the offer, and at most a bus cycle is lost to rounding.
    let parameters_ns = 5.0 * machine.spu.channel_write_spu_cycles as f64 / 3.2;
    let least = alone.dma_latency.unwrap().min_ns;
    assert!((least..=least + parameters_ns + 2.0).contains(&offered.median_ns), "{} after {least}", offered.median_ns);
}

/// One SPE that reads another's local store is a queue with random arrivals and a constant time of service: M/D/1. Its
/// waiting time follows from the rate alone (Pollaczek and Khinchine).
#[test]
fn the_queue_in_front_of_one_port_is_as_long_as_theory_says() {
    let service_ns = 16_384.0 / PEAK_GB_S;
    let of = |rate: f64| {
        let more = json!({"spes": 2, "op": "get", "iterations": 20_000});
        mean_ns(&measured("couples", rate, more))
    };
    let alone = of(0.001);
    for rate in [0.3, 0.5, 0.7] {
        let wait_ns = rate * service_ns / (2.0 * (1.0 - rate));
        assert_near(of(rate), alone + wait_ns, 0.03);
    }
}

#[test]
fn a_saturated_machine_accepts_its_peak_and_its_queues_grow() {
    let of = |iterations: u64| measured("hotspot", 0.5, json!({"iterations": iterations}));
    let (short, long) = (of(300), of(600));
    for result in [&short, &long] {
        assert!(result.offered_load.as_ref().unwrap().saturated);
        assert!(result.bandwidth_gb_s.unwrap() <= PEAK_GB_S, "memory gives no more");
    }
    assert_near(mean_ns(&long) / mean_ns(&short), 2.0, 0.2);
}

#[test]
fn bursts_wait_longer_than_single_dmas_and_equal_intervals_least() {
    let [periodic, bernoulli, bursts] = ["periodic", "bernoulli", "bursts"]
        .map(|injection| mean_ns(&measured("uniform", 0.2, json!({"injection": injection, "iterations": 1000}))));
    assert!(periodic < bernoulli && bernoulli < bursts, "{periodic}, {bernoulli}, {bursts}");
}

#[test]
fn the_seed_decides_when_dmas_are_offered() {
    let of = |seed: u64| measured("cycle", 0.2, json!({"seed": seed, "iterations": 100}));
    assert_eq!(of(7).to_json(), of(7).to_json());
    assert_ne!(mean_ns(&of(7)), mean_ns(&of(8)));
}

#[test]
fn a_permutation_that_is_a_pattern_gives_that_patterns_run() {
    let of = |function: &str, more: Value| {
        let result = measured(function, 0.3, more);
        (mean_ns(&result), result.bandwidth_gb_s)
    };
    let reversed = json!({"target": "7,6,5,4,3,2,1,0", "iterations": 50});
    assert_eq!(of("permutation", reversed), of("complement", json!({"iterations": 50})));
}
