//! Tests of measurements that skip settled loops, and of what short runs say about start-up.

use cell::machine::Machine;
use cellstats::{Measurement, Request, Settling, functions, measure, start_up_share};
use serde_json::{Value, json};

fn machine(name: &str) -> Machine {
    Machine::builtin(name).expect("a machine that comes with the simulator")
}

fn measured(machine: &Machine, request: &Value) -> Measurement {
    let request = Request::parse(&request.to_string(), machine).expect("parameters that can be");
    measure(machine, &request, || true).expect("a run that ends")
}

/// The measurement with and without `settle`.
fn both(machine: &Machine, request: Value) -> (Measurement, Measurement) {
    let mut settle = request.clone();
    settle["settle"] = json!(true);
    (measured(machine, &settle), measured(machine, &request))
}

fn settling(of: &Measurement) -> &Settling {
    of.settling.as_ref().expect("a measurement with settle")
}

fn deviation(one: f64, other: f64) -> f64 {
    (one / other - 1.0).abs()
}

/// Two SPEs that read from both memories, as in jimenez2007, figure 9.
fn gets() -> Value {
    json!({"function": "hotspot", "op": "get", "size": 4096, "memory": "interleave", "placement": [1, 4]})
}

/// Four SPEs in a cycle, as in figure 16, whose pace changes again and again.
fn metastable() -> Value {
    json!({"function": "cycle", "size": 16384, "placement": [3, 6, 5, 1]})
}

#[test]
fn a_settled_measurement_is_an_extrapolation_close_to_the_full_one() {
    let (settled, exact) = both(&machine("blade-2100"), gets());
    let found = settling(&settled);
    assert_eq!((found.outcome, found.first_quarter_gb_s, found.last_quarter_gb_s), ("settled", None, None));
    assert!(deviation(settled.bandwidth_gb_s.unwrap(), exact.bandwidth_gb_s.unwrap()) < 0.002);
    assert!(deviation(settled.latency_ns, exact.latency_ns) < 0.002);
    assert!(deviation(settled.simulated_ns, exact.simulated_ns) < 0.002);
    let bytes = |of: &Measurement| of.counters.spes.iter().map(|spe| spe.get_bytes).sum::<u64>() as f64;
    assert!(deviation(bytes(&settled), bytes(&exact)) < 0.005, "counters grow in proportion");
    let (after, whole) = (found.settled_after_ns.unwrap(), exact.latency_ns * exact.iterations as f64);
    assert!((0.12..0.13).contains(&(after / whole)), "an eighth: {after} of {whole}");
    assert!(found.start_up_ns.is_some_and(|start_up| start_up > 0.0 && start_up < after));
}

#[test]
fn an_unsettled_measurement_is_the_full_one() {
    let (unsettled, exact) = both(&machine("blade-2100"), metastable());
    let found = settling(&unsettled).clone();
    assert_eq!((found.outcome, found.settled_after_ns, found.start_up_ns), ("unsettled", None, None));
    let quarters = (found.first_quarter_gb_s.unwrap(), found.last_quarter_gb_s.unwrap());
    let between = |gb_s| gb_s > 30.0 && gb_s < 70.0;
    assert!(between(quarters.0) && between(quarters.1) && quarters.0 != quarters.1, "{quarters:?}");
    assert_eq!(Measurement { settling: None, recipe: exact.recipe.clone(), ..unsettled }, exact);
}

#[test]
fn a_measurement_that_repeats_is_exact() {
    let (repeats, exact) = both(&machine("eval-board"), json!({"function": "couples", "spes": 2}));
    assert_eq!(settling(&repeats).outcome, "exact");
    assert_eq!(Measurement { settling: None, recipe: exact.recipe.clone(), ..repeats }, exact);
}

#[test]
fn only_a_recipe_with_settle_names_it() {
    let (settled, exact) = both(&machine("ps3"), json!({"function": "dmaget", "iterations": 100}));
    assert_eq!(settled.recipe.parameters.get("settle"), Some(&json!(true)));
    assert_eq!(exact.recipe.parameters.get("settle"), None);
    let json: Value = serde_json::from_str(&exact.to_json()).unwrap();
    assert!(json.get("settling").is_none() && json.get("start_up_share").is_none());
}

#[test]
fn every_function_ends_whether_or_not_it_settles() {
    let machine = machine("qs20");
    let pattern = json!({"name": "both", "threads": 2, "phases": [[
        {"source": 0, "destination": 1, "bytes": 16384, "repetitions": 1},
        {"source": 1, "destination": 0, "bytes": 16384, "repetitions": 1},
    ]]});
    for function in functions() {
        let mut request = json!({"function": function, "iterations": 300, "fast_forward": false});
        if function == "exchange" {
            request["pattern"] = pattern.clone();
        }
        let (settled, exact) = both(&machine, request);
        let deviation = deviation(settled.latency_ns, exact.latency_ns);
        assert!(deviation < 0.02, "{function}: {} and {} ns", settled.latency_ns, exact.latency_ns);
        if settling(&settled).outcome != "settled" {
            assert_eq!(settled.latency_ns, exact.latency_ns, "{function}");
        }
    }
}

fn share(request: Value) -> Option<f64> {
    let machine = machine("eval-board");
    let request = Request::parse(&request.to_string(), &machine).expect("parameters that can be");
    let whole = measure(&machine, &request, || true).expect("a run that ends");
    start_up_share(&machine, &request, &whole, || true).expect("a run that ends")
}

#[test]
fn a_short_run_tells_the_bandwidth_of_a_long_one() {
    let couples = |iterations: u64| json!({"function": "couples", "iterations": iterations});
    let gb_s = |request: Value| measured(&machine("eval-board"), &request).bandwidth_gb_s.expect("bytes move");
    let long = gb_s(json!({"function": "couples"}));
    for iterations in [20, 50, 100] {
        let share = share(couples(iterations)).expect("mostly start-up");
        let told = gb_s(couples(iterations)) / (1.0 - share);
        assert!(share > 0.02 && deviation(told, long) < 0.05, "{iterations}: {share}, {told} of {long}");
    }
    assert_eq!(share(couples(1)), Some(1.0), "nothing is left");
    assert_eq!(share(json!({"function": "couples"})), None, "as long as usual");
    assert_eq!(share(json!({"function": "mailbox", "spes": 2, "spe_to_spe": true, "iterations": 2})), None, "no data");
}
