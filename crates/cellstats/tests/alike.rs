//! Requests that are known to give the same run: a shared run changes no bit of a result.

use cell::machine::Machine;
use cellstats::{Measurement, Parameters, PlacementChoice, Request, alike, measure, measure_alike};
use proptest::prelude::*;

const LINE: u32 = 128;

fn request(machine: &Machine, function: &str, given: &Parameters) -> Request {
    Request::new(function, given, machine).expect("parameters that can be")
}

fn measured(machine: &Machine, request: &Request) -> Measurement {
    measure(machine, request, || true).expect("a result")
}

/// Whether both requests are known to give the same run. If so, checks that the second result is the same, to the byte,
/// with a run of its own.
fn are_alike(machine: &Machine, one: &Request, other: &Request) -> bool {
    let known = alike(machine, [one, other]) == [0, 0];
    if known {
        let shared = measure_alike(machine, one, std::slice::from_ref(other), || true).expect("results");
        let (one, other) = (measured(machine, one), measured(machine, other));
        assert_eq!([&one, &other].map(Measurement::to_json), [&shared[0], &shared[1]].map(Measurement::to_json));
    }
    known
}

/// A machine with other values of its MFC and of its translations.
fn what_if(name: &str, values: &[(&str, u64)]) -> Machine {
    let settings: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Machine::builtin_with(name, &settings).expect("values that can be")
}

prop_compose! {
    fn machines()(
        name in prop::sample::select(&["eval-board", "ps3", "qs20", "blade-2100"][..]),
        unroll in 1u64..=8,
        fetch in 0u64..=24,
        page in prop::sample::select(&[4_096u64, 65_536][..]),
        (entries, ways) in prop::sample::select(&[(256u64, 4u64), (16, 4), (2, 2)][..]),
    ) -> Machine {
        what_if(name, &[
            ("mfc.unroll_bus_cycles", unroll),
            ("mfc.list_element_bus_cycles", fetch),
            ("translation.function_page_bytes", page),
            ("translation.mfc_tlb_entries", entries),
            ("translation.mfc_tlb_ways", ways),
        ])
    }
}

prop_compose! {
    /// The lines of a list, and the numbers of elements of two lists with these lines.
    fn lists()(lines in 1u32..=4, one in 1u32..=8, other in 1u32..=8) -> (u32, [u32; 2]) {
        (lines * one * other, [one, other])
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn lists_of_the_same_lines_are_one_run_if_they_are_said_to_be(
        machine in machines(),
        function in prop::sample::select(&["dmalistget", "dmalistput", "hotspot", "couples", "cycle", "pairwise"][..]),
        (lines, elements) in lists(),
        pairs in 1u32..=3,
        op in prop::sample::select(&["get", "put", "copy"][..]),
        (batch, iterations, seed) in (0u32..=3, 1u64..=60, any::<u64>()),
        private in any::<bool>(),
    ) {
        let single = function.starts_with("dma");
        let requests = elements.map(|elements| request(&machine, function, &Parameters {
            spes: Some(2 * pairs),
            private: single && private,
            size: Some(lines / elements * LINE),
            list_elements: Some(elements),
            op: (!single).then(|| op.to_string()),
            batch: Some(batch),
            iterations: Some(iterations),
            placement: PlacementChoice::Random,
            seed: Some(seed),
            histogram: true,
            ..Parameters::default()
        }));
        are_alike(&machine, &requests[0], &requests[1]);
    }
}

fn couples(machine: &Machine, size: u32, list_elements: u32) -> Request {
    let given = Parameters {
        spes: Some(4),
        size: Some(size),
        list_elements: Some(list_elements),
        iterations: Some(40),
        ..Parameters::default()
    };
    request(machine, "couples", &given)
}

#[test]
fn elements_are_one_run_once_their_lines_take_as_long_as_the_fetch_of_the_next_element() {
    for (fetch, one_run) in [(8, true), (9, false)] {
        let values = [("mfc.unroll_bus_cycles", 4), ("mfc.list_element_bus_cycles", fetch)];
        let machine = what_if("eval-board", &values);
        let [short, long] = [(256, 64), (16_384, 1)].map(|(size, elements)| couples(&machine, size, elements));
        assert_eq!(are_alike(&machine, &short, &long), one_run, "{fetch}");
        let [short, long] = [&short, &long].map(|request| measured(&machine, request).counters);
        assert_eq!(short == long, one_run, "{fetch}");
    }
}

#[test]
fn elements_are_not_known_to_be_one_run_if_they_begin_within_lines_or_the_tlb_lacks_room() {
    let board = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    let one_run = |machine: &Machine, [one, other]: [(u32, u32); 2]| {
        let [one, other] = [one, other].map(|(size, elements)| couples(machine, size, elements));
        are_alike(machine, &one, &other)
    };
    assert!(one_run(&board, [(512, 32), (1024, 16)]));
    assert!(!one_run(&board, [(512, 32), (1024, 15)]), "other bytes");
    assert!(!one_run(&board, [(1600, 8), (3200, 4)]), "elements that begin within lines");
    let two_ways = what_if("eval-board", &[("translation.mfc_tlb_ways", 2)]);
    assert!(!one_run(&two_ways, [(512, 32), (1024, 16)]), "the TLB might replace a page");
}

#[test]
fn the_way_in_which_something_is_asked_for_makes_no_run() {
    let machine = Machine::builtin("qs20").expect("a machine that comes with the simulator");
    let plain = Parameters { iterations: Some(50), spes: Some(1), ..Parameters::default() };
    let of = |function, given: &Parameters| request(&machine, function, given);
    let cells = Parameters { cells: Some("1".to_string()), ..plain.clone() };
    let listed = Parameters { placement: PlacementChoice::Explicit(vec![8]), ..plain.clone() };
    let private = Parameters { private: true, ..plain.clone() };
    let four = Parameters { spes: Some(4), ..plain.clone() };
    let private_four = Parameters { private: true, ..four.clone() };
    for (one, other, same) in [
        (of("dmaget", &cells), of("dmaget", &listed), true),
        (of("dmaget", &plain), of("dmaget", &listed), false),
        (of("mailbox", &cells), of("mailbox", &listed), true),
        (of("dmaput", &plain), of("dmaput", &private), true),
        (of("dmaput", &four), of("dmaput", &private_four), false),
        (of("fetchadd", &four), of("fetchset", &four), true),
        (of("fetchadd", &four), of("fetchadd", &private_four), false),
        (of("dmaget", &plain), of("dmaput", &plain), false),
        (of("load", &Parameters::default()), of("copy", &Parameters::default()), false),
    ] {
        assert_eq!(are_alike(&machine, &one, &other), same, "{one:?} and {other:?}");
    }
}
