//! Tests the time that the loops of `dmalistget` and `dmalistput` take to build their lists.

use crate::common::ps3;
use cell::machine::Machine;
use cellstats::{Parameters, Request, breakdown, measure};

/// A machine whose loops take `list_spu_cycles` to build a list.
fn making(list_spu_cycles: u64) -> Machine {
    let mut machine = ps3();
    machine.software.list_spu_cycles = list_spu_cycles;
    machine
}

/// SPU cycles of one iteration, with lists of `elements` elements and one cache line per element.
fn iteration_spu_cycles(machine: &Machine, function: &str, elements: u32) -> f64 {
    let given = Parameters {
        spes: Some(if function == "couples" { 2 } else { 1 }),
        size: Some(128),
        list_elements: Some(elements),
        iterations: Some(400),
        ..Parameters::default()
    };
    let request = Request::new(function, &given, machine).expect("parameters that can be");
    measure(machine, &request, || true).expect("a result").latency_ns * 3.2
}

#[test]
fn a_list_is_made_while_a_dma_is_under_way_and_shows_only_when_it_takes_longer() {
    for function in ["dmalistget", "dmalistput"] {
        let cycles = |list_spu_cycles| iteration_spu_cycles(&making(list_spu_cycles), function, 4);
        let hidden = cycles(0);
        // The loop has idle time while a command is in flight; `spare` is this idle time.
        let spare = (0..1000).find(|time| cycles(2 * time) > hidden + 0.5).expect("a time that shows") * 2 - 2;
        assert!((cycles(spare) - hidden).abs() < 0.5, "{function}: {spare} are hidden");
        let shows = cycles(spare + 2000) - cycles(spare + 1000);
        assert!((shows - 1000.0).abs() < 5.0, "{function}: {shows}");
    }
}

#[test]
fn lists_of_one_and_of_sixteen_elements_take_the_same_as_making_them_takes_longest() {
    let cycles = |elements| iteration_spu_cycles(&making(5000), "dmalistget", elements);
    assert!((cycles(1) - cycles(16)).abs() < 5.0, "{} and {}", cycles(1), cycles(16));
}

#[test]
fn lists_of_patterns_are_made_beforehand() {
    let cycles = |time| iteration_spu_cycles(&making(time), "couples", 4);
    assert_eq!(cycles(0), cycles(5000));
}

#[test]
fn a_list_that_is_taken_apart_is_there_already() {
    let total = |time| {
        let given = Parameters { size: Some(128), list_elements: Some(2), ..Parameters::default() };
        let request = Request::new("dmalistput", &given, &ps3()).expect("parameters that can be");
        breakdown(&making(time), &request, || true).expect("a breakdown").total_spu_cycles()
    };
    assert_eq!(total(0), total(5000));
}
