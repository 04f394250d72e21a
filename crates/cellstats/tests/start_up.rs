//! Tests that start-up ends where the stated rule says, by an independent reading of the windows.

use cell::machine::Machine;
use cellstats::{Parameters, Request, Session, StartUp, TraceSpan, measure, start_up};
use std::collections::BTreeSet;

fn asked(text: &str) -> (Machine, Request) {
    let machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    let request = Request::parse(text, &machine).expect("parameters that can be");
    (machine, request)
}

/// GB/s of a run's first windows.
fn windows(machine: &Machine, request: &Request, count: u64) -> Vec<f64> {
    let mut session = Session::new(machine, request).expect("parameters that can be");
    let bus_cycles = StartUp::WINDOW_BUS_CYCLES;
    let mut window = |nth| {
        let span = TraceSpan { skip_bus_cycles: nth * bus_cycles, bus_cycles };
        let trace = session.window(span, || true).expect("a window");
        let arrived = trace.requests.iter().filter(|row| row.ring.is_some() && row.onward_of.is_none());
        let arrived = arrived.filter(|row| row.arrived_at.is_some_and(|at| trace.from < at && at <= trace.to));
        arrived.map(|row| f64::from(row.bytes)).sum::<f64>() * trace.bus_hz as f64 / bus_cycles as f64 / 1e9
    };
    (0..count).map(&mut window).collect()
}

#[test]
fn it_ends_with_the_first_window_from_which_on_all_are_near_the_whole() {
    // The pairs sit on opposite sides of the ring; their order settles only after several DMAs.
    let pairs = r#"{ "function": "pairwise", "spes": 8, "size": 16384, "op": "get",
        "placement": [0, 7, 1, 6, 2, 5, 3, 4], "iterations": 2000 }"#;
    let (machine, request) = asked(pairs);
    let whole = measure(&machine, &request, || true).expect("a result").bandwidth_gb_s.expect("it moves data");
    let found = start_up(&machine, &request, Some(whole), || true).expect("windows");
    let ended_at = found.ended_at.expect("it becomes steady");
    let first = (ended_at / StartUp::WINDOW_BUS_CYCLES) as usize;
    let near = |gb_s: &f64| (gb_s - whole).abs() <= whole * StartUp::PERCENT / 100.0;
    let moved = windows(&machine, &request, (first + StartUp::WINDOWS) as u64);
    assert!(first > 0 && moved[first..].iter().all(near), "{moved:?}");
    // Every earlier start includes a window that is not near.
    assert!(moved.windows(StartUp::WINDOWS).take(first).all(|run| !run.iter().all(near)), "{moved:?}");
}

#[test]
fn a_run_that_repeats_one_dma_is_steady_from_its_first_window() {
    let (machine, request) = asked(r#"{ "function": "dmaget", "spes": 1, "size": 128 }"#);
    let whole = measure(&machine, &request, || true).expect("a result").bandwidth_gb_s;
    let found = start_up(&machine, &request, whole, || true).expect("windows");
    assert_eq!(found, StartUp { ended_at: Some(0), searched_bus_cycles: 32_000, run_ended: false });
    // Compared with twice the bandwidth, no window is near.
    let never = start_up(&machine, &request, whole.map(|gb_s| 2.0 * gb_s), || true).expect("windows");
    assert_eq!((never.ended_at, never.run_ended), (None, false));
}

#[test]
fn a_run_that_ends_first_never_becomes_steady() {
    let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    let given = Parameters { iterations: Some(10), ..Parameters::default() };
    let request = Request::new("dmaget", &given, &machine).expect("parameters that can be");
    let found = start_up(&machine, &request, Some(1.0), || true).expect("windows");
    assert_eq!((found.ended_at, found.run_ended), (None, true));
}

#[test]
fn it_lasts_until_all_threads_move_data() {
    // Three of four couples reach the bandwidth of all four, so the bandwidth alone does not show that one is missing.
    let (machine, request) = asked(r#"{ "function": "couples", "spes": 8, "size": 16384, "iterations": 2000 }"#);
    let whole = measure(&machine, &request, || true).expect("a result").bandwidth_gb_s;
    let found = start_up(&machine, &request, whole, || true).expect("windows");
    let spes = |skip_bus_cycles| {
        let span = TraceSpan { skip_bus_cycles, bus_cycles: StartUp::WINDOW_BUS_CYCLES };
        let trace = cellstats::trace(&machine, &request, span, || true).expect("a window");
        trace.requests.into_iter().map(|row| row.issuer).filter(|name| name.starts_with("SPE")).collect::<BTreeSet<_>>()
    };
    let ended_at = found.ended_at.expect("it becomes steady");
    assert!(ended_at > 0 && spes(0).len() < spes(ended_at).len());
    assert_eq!(spes(ended_at), spes(10 * ended_at));
}
