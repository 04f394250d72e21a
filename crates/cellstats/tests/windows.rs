//! Tests that windows of a session do not depend on earlier windows, and that the waits, queues and crossings in a
//! trace agree with the lines in the trace.

use crate::common::{board, ps3};
use cell::machine::Machine;
use cell::trace::{RequestRow, Trace};
use cellstats::{Parameters, Request, Session, TraceSpan, trace};

fn builtin(name: &str) -> Machine {
    Machine::builtin(name).expect("a machine that comes with the simulator")
}

/// Table of different measurements: machine, FUNCTION, number of SPEs, and size.
fn measurements() -> Vec<(Machine, Request)> {
    [
        ("ps3", "dmaget", 1, Some(1024)),
        ("ps3", "fetchadd", 3, None),
        ("ps3", "mailbox", 2, None),
        ("eval-board", "couples", 8, Some(16384)),
        ("eval-board", "hotspot", 8, Some(4096)),
        ("eval-board", "uniform", 8, Some(2048)),
        ("eval-board", "dmalistput", 4, Some(512)),
        ("blade-2100", "cycle", 16, Some(4096)),
        ("qs20", "hotspot", 16, Some(4096)),
    ]
    .map(|(machine, function, spes, size)| {
        let machine = builtin(machine);
        let given = Parameters { spes: Some(spes), size, ..Parameters::default() };
        let request = Request::new(function, &given, &machine).expect("parameters that can be");
        (machine, request)
    })
    .into()
}

fn span(skip_bus_cycles: u64, bus_cycles: u64) -> TraceSpan {
    TraceSpan { skip_bus_cycles, bus_cycles }
}

#[test]
fn a_window_is_the_same_however_the_run_came_to_it() {
    for (machine, request) in measurements() {
        let name = request.experiment.name();
        let mut session = Session::new(&machine, &request).expect("parameters that can be");
        // Three adjoining windows, then a later window, and then an earlier window.
        for span in [span(0, 300), span(300, 1), span(301, 700), span(2000, 500), span(100, 50)] {
            let went_on = session.window(span, || true).expect("a window");
            let anew = trace(&machine, &request, span, || true).expect("a window");
            assert_eq!(went_on, anew, "{name}, {span:?}");
        }
    }
}

#[test]
fn a_session_whose_run_is_over_begins_anew() {
    let machine = ps3();
    let given = Parameters { iterations: Some(10), ..Parameters::default() };
    let request = Request::new("dmaget", &given, &machine).expect("parameters that can be");
    let mut session = Session::new(&machine, &request).expect("parameters that can be");
    let first = session.window(span(0, 100), || true).expect("a window");
    let error = session.window(span(1_000_000, 10), || true).expect_err("nothing there");
    assert!(error.to_string().starts_with("skip 1000000: the run ends before that"), "{error}");
    assert_eq!(session.window(span(0, 100), || true), Ok(first));
}

/// Lines that are ready and wait for a ring at an on-ramp, at bus cycle `at`.
fn waiting(trace: &Trace, at: u64) -> impl Iterator<Item = &RequestRow> {
    let waits = move |row: &&RequestRow| {
        row.ready_at.is_some_and(|ready| ready <= at) && row.granted_at.is_none_or(|granted| granted > at)
    };
    trace.requests.iter().filter(waits)
}

#[test]
fn of_the_lines_at_an_on_ramp_one_has_a_reason_to_wait() {
    let mut reasons = std::collections::BTreeSet::new();
    for (machine, request) in measurements() {
        let trace = trace(&machine, &request, span(500, 1500), || true).expect("a window");
        let name = request.experiment.name();
        for at in trace.from..trace.to {
            let mut heads = Vec::new();
            for wait in trace.waits.iter().filter(|row| row.from <= at && row.to.is_none_or(|to| to > at)) {
                let row = &trace.requests[wait.request as usize - 1];
                assert!(waiting(&trace, at).any(|other| other.id == row.id), "{name}: {wait:?} at {at}, {row:?}");
                heads.push(row.from);
                reasons.insert(wait.reason);
                if let Some(by) = wait.by {
                    let first = &trace.requests[by as usize - 1];
                    assert!(waiting(&trace, at).any(|other| other.id == by), "{name}: {wait:?} by {first:?} at {at}");
                    assert!(wait.reason != "turn" || first.to == row.to, "{name}: {wait:?}");
                }
            }
            let mut ramps: Vec<_> = waiting(&trace, at).map(|row| row.from).collect();
            ramps.sort();
            ramps.dedup();
            heads.sort();
            assert_eq!(heads, ramps, "{name}: each on-ramp with waiting lines has a head that waits, at {at}");
        }
    }
    let expected = ["arbiter", "off-ramp", "older", "on-ramp", "start gap", "turn", "way taken"];
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn a_wait_ends_with_the_grant_and_has_no_holes() {
    let (machine, request) = measurements().swap_remove(3);
    let trace = trace(&machine, &request, span(0, 2000), || true).expect("a window");
    let mut granted = 0;
    for row in &trace.requests {
        let parts: Vec<_> = trace.waits.iter().filter(|wait| wait.request == row.id).collect();
        assert!(parts.windows(2).all(|pair| pair[0].to == Some(pair[1].from)), "{parts:?}");
        if let (Some(last), Some(granted_at)) = (parts.last(), row.granted_at) {
            assert_eq!(last.to, Some(granted_at), "{row:?}");
            granted += 1;
        }
    }
    assert!(granted > 500, "{granted} lines waited");
}

#[test]
fn memory_queues_hold_the_reads_that_were_taken_and_not_served() {
    let machine = board();
    let given = Parameters { spes: Some(6), size: Some(4096), ..Parameters::default() };
    let request = Request::new("dmaget", &given, &machine).expect("parameters that can be");
    let trace = trace(&machine, &request, span(1000, 1000), || true).expect("a window");
    let served_at = |id| trace.accesses.iter().find(|access| access.request == Some(id)).map(|access| access.from);
    // If an access ended before the window, the trace contains only the line that it read.
    let served_before = |row: &RequestRow| row.ready_at.map(|_| 0);
    let reads =
        trace.requests.iter().filter_map(|row| Some((row.queued_at?, served_at(row.id).or(served_before(row)))));
    let reads: Vec<_> = reads.collect();
    let mut most = 0;
    for at in trace.from..trace.to {
        let taken = reads.iter().filter(|(from, to)| *from <= at && to.is_none_or(|to| to > at)).count() as u64;
        let said = (0..2u8).map(|channel| {
            let rows = trace.memory_queues.iter().rev();
            rows.filter(|row| row.channel == channel && !row.write)
                .find(|row| row.at <= at)
                .map_or(0, |row| row.entries)
        });
        assert_eq!(said.sum::<u64>(), taken, "at {at}");
        most = most.max(taken);
    }
    assert!(most > 4, "{most} reads at most");
}

#[test]
fn lines_cross_the_link_between_the_rings_of_two_chips() {
    let (machine, request) = measurements().swap_remove(7);
    let trace = trace(&machine, &request, span(500, 1500), || true).expect("a window");
    let mut crossed = 0;
    for onward in trace.requests.iter().filter(|row| row.unit == "BIF" && row.ready_at.is_some()) {
        let Some(first) = onward.onward_of.map(|id| &trace.requests[id as usize - 1]) else { continue };
        let (from, to) = (first.crossing_at.expect("a beginning"), first.crossed_at.expect("an end"));
        assert!(first.arrived_at.is_some_and(|arrived| arrived <= from), "{first:?}");
        assert!(from < to && onward.ready_at.is_some_and(|ready| to <= ready), "{first:?} {onward:?}");
        assert_eq!(onward.crossing_at, None);
        crossed += 1;
    }
    assert!(crossed > 20, "{crossed} lines crossed");
}

#[test]
fn columns_are_the_rows() {
    for (machine, request) in measurements() {
        let trace = trace(&machine, &request, span(200, 400), || true).expect("a window");
        let parse = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
        let (rows, columns) = (parse(trace.to_json()), parse(trace.to_columns_json()));
        let words = &columns["words"];
        for (name, value) in rows.as_object().expect("an object") {
            let is_table = value.as_array().is_some_and(|rows| rows.iter().all(|row| row.is_object()));
            if !is_table {
                assert_eq!(&columns[name], value, "{name}");
                continue;
            }
            for (nth, row) in value.as_array().expect("a table").iter().enumerate() {
                for (column, cell) in row.as_object().expect("a row") {
                    let other = &columns[name][column][nth];
                    match column.as_str() {
                        "id" => assert_eq!(cell, nth + 1),
                        "rounds" => (),
                        _ if cell.is_string() => {
                            assert_eq!(&words[other.as_u64().expect("a word") as usize], cell, "{name}.{column}");
                        }
                        _ => assert_eq!(other, cell, "{name}.{column}"),
                    }
                }
            }
        }
        let rounds: usize = trace.requests.iter().map(|row| row.rounds.len()).sum();
        assert_eq!(columns["rounds"]["request"].as_array().map(Vec::len), Some(rounds));
    }
}
