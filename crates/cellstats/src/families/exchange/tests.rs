//! The data that an exchange leaves in memory, and the order of its events.

use super::script::SEND_LSA;
use crate::addresses::DATA_OFFSET;
use crate::parameters::Parameters;
use crate::pattern::{Pattern, Transfer};
use crate::request::Request;
use crate::run::placements::{same_runs, times};
use crate::run::prepared::prepared;
use crate::value::PlacementChoice;
use cell::machine::Machine;
use cell::record::TransferRecord;
use cell::system::System;
use cell::units::ThreadId;

const MEMORY: Option<u8> = None;

/// Phases of messages; each message is its source, destination and bytes.
type Phases<'p> = &'p [&'p [(Option<u8>, Option<u8>, u32)]];

fn board() -> Machine {
    Machine::builtin("eval-board").expect("a machine that comes with the simulator")
}

fn exchange(threads: u32, phases: Phases) -> Parameters {
    let transfer = |message: &(Option<u8>, Option<u8>, u32)| Transfer::new(message.0, message.1, message.2);
    let phases = phases.iter().map(|phase| phase.iter().map(transfer).collect()).collect();
    let pattern = Some(Pattern { name: "test".to_string(), threads, phases });
    // Places each thread i on SPE i.
    let placement = PlacementChoice::Explicit((0..threads).collect());
    Parameters { spes: Some(threads), pattern, iterations: Some(1), placement, ..Parameters::default() }
}

fn ring(threads: u8, bytes: u32) -> Parameters {
    let all: Vec<_> = (0..threads).map(|i| (Some(i), Some((i + 1) % threads), bytes)).collect();
    exchange(threads.into(), &[&all])
}

fn request(given: &Parameters) -> Request {
    Request::new("exchange", given, &board()).expect("parameters that can be")
}

fn loaded(given: &Parameters) -> System<'static> {
    let (machine, request) = (board(), request(given));
    let plan = request.plan(&machine).expect("parameters that can be");
    prepared(&machine, &request, &plan.placement, plan.tasks).expect("parameters that can be").0
}

fn ran(given: &Parameters) -> (System<'static>, Vec<TransferRecord>) {
    let mut system = loaded(given);
    system.record_transfers();
    let record = system.run(1 << 32, || true).expect("a run that ends");
    (system, record.transfers.unwrap_or_default())
}

fn sent(system: &System, thread: u8, bytes: u32) -> Vec<u8> {
    system.local_store(ThreadId(thread)).bytes(SEND_LSA.into(), bytes as usize)
}

#[test]
fn bytes_arrive_each_message_in_a_place_of_its_own() {
    for bytes in [1, 8, 16, 48, 4096, 16 * 1024 + 16, 48 * 1024] {
        let (system, _) = ran(&exchange(4, &[&[(Some(1), Some(0), bytes), (Some(3), Some(0), bytes)]]));
        let sent: Vec<Vec<u8>> = [1, 3].map(|thread| sent(&system, thread, bytes)).into();
        let first = SEND_LSA + bytes.next_multiple_of(128);
        for (place, expected) in [first, first + bytes.next_multiple_of(128)].into_iter().zip(sent) {
            let got = system.local_store(ThreadId(0)).bytes(place.into(), bytes as usize);
            assert!(got == expected, "{bytes} bytes at {place:#x}");
        }
    }
}

#[test]
fn what_is_sent_says_by_whom_and_where_it_was() {
    let (system, _) = ran(&ring(2, 1024));
    let words: Vec<u64> = (0..2).map(|thread| system.local_store(ThreadId(thread)).read_u64(SEND_LSA.into())).collect();
    assert_eq!(words, [0x0001_0000_0001_0001, 0x0002_0000_0002_0001]);
}

#[test]
fn a_pipeline_moves_bytes_from_memory_and_back() {
    let params = exchange(2, &[&[(MEMORY, Some(0), 256), (Some(0), Some(1), 256), (Some(1), MEMORY, 256)]]);
    let mut system = loaded(&params);
    let (picture, gets) = ([0x5a; 256], DATA_OFFSET);
    system.memory_mut().write(gets, &picture);
    system.run(1 << 32, || true).expect("a run that ends");
    let receive = u64::from(SEND_LSA) + 256;
    assert_eq!(system.local_store(ThreadId(0)).bytes(receive, 256), picture);
    // In memory, SPE 1's two buffers follow those of SPE 0; SPE 1 puts its data into its second buffer.
    let puts = gets + 3 * 16 * 1024;
    assert_eq!(system.memory().bytes(puts, 256), sent(&system, 1, 256));
}

#[test]
fn no_line_of_a_phase_sets_out_before_the_last_of_the_one_before_has_arrived() {
    // The three phases move 64, 3 and 17 cache lines.
    let lengths = [64, 3, 17].map(|lines| lines * 128);
    let phase = |nth: usize| [(Some(nth as u8), Some(7), lengths[nth])];
    let phases = [phase(0), phase(1), phase(2)];
    let phases: Vec<&[_]> = phases.iter().map(<[_; 1]>::as_slice).collect();
    let params = Parameters { iterations: Some(3), ..exchange(8, &phases) };
    let (_, transfers) = ran(&params);
    let ramps = [10, 1, 9];
    let lines: Vec<&TransferRecord> =
        transfers.iter().filter(|row| row.bytes == 128 && row.to == 4 && ramps.contains(&row.from)).collect();
    assert_eq!(lines.len() as u64, (64 + 3 + 17) * (3 + super::WARM_UP));
    for (before, after) in lines.iter().zip(&lines[1..]) {
        if before.from != after.from {
            assert!(before.arrived_at < after.granted_at, "{before:?} and then {after:?}");
        }
    }
    let order: Vec<u8> = lines.chunk_by(|a, b| a.from == b.from).map(|same| same[0].from).collect();
    assert_eq!(order[..6], [10, 1, 9, 10, 1, 9]);
}

#[test]
fn a_thread_without_messages_holds_nobody_up_and_is_waited_for() {
    let alone = |threads| {
        times(&board(), &request(&exchange(threads, &[&[(Some(0), Some(1), 16)]])), &[(0..threads).collect()], || true)
    };
    let (two, eight) = (alone(2).expect("a run")[0], alone(8).expect("a run")[0]);
    assert!(two < eight, "a barrier of eight takes longer than one of two: {two}, {eight}");
}

#[test]
fn a_message_of_several_dmas_and_repetitions_are_so_many_lines() {
    let lines = |bytes: u32, repetitions: u32| {
        let mut params = exchange(2, &[&[(Some(0), Some(1), bytes)]]);
        params.pattern.as_mut().expect("a pattern").phases[0][0].repetitions = repetitions;
        ran(&params).1.iter().filter(|row| row.from == 10 && row.to == 1).map(|row| u64::from(row.bytes)).sum::<u64>()
    };
    // The barrier's signals take the same path: one signal of four bytes in each of the two iterations.
    assert_eq!(lines(128, 1), 2 * (128 + 4));
    assert_eq!(lines(40 * 1024, 1), 2 * (40 * 1024 + 4));
    assert_eq!(lines(128, 5), 2 * (5 * 128 + 4));
}

#[test]
fn placements_that_rename_threads_are_the_same_run_and_others_are_not() {
    let machine = board();
    let (one, turned, mirrored) = (vec![0, 2, 4, 6, 1], vec![2, 4, 6, 1, 0], vec![1, 6, 4, 2, 0]);
    let listed = [one, turned, mirrored];
    let params = Parameters { iterations: Some(3), ..ring(5, 4096) };
    assert_eq!(same_runs(&machine, &request(&params), &listed), Ok(vec![0, 0, 2]));
    let record = |spes: &Vec<u32>| {
        let params = Parameters { placement: PlacementChoice::Explicit(spes.clone()), ..params.clone() };
        let record = loaded(&params).run(1 << 32, || true).expect("a run that ends");
        (record.bus_cycles, record.measured_bus_cycles, record.counters)
    };
    assert_eq!(record(&listed[0]), record(&listed[1]));
    let all = times(&machine, &request(&params), &listed, || true).expect("runs that end");
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], record(&listed[0]).1);
}

#[test]
fn iterations_that_are_left_out_change_nothing() {
    let of = |iterations| {
        let given = Parameters { iterations: Some(iterations), ..ring(8, 2048) };
        // Translations that miss would make the first iterations longer.
        let mut machine = board();
        machine.translation.mfc_walk_bus_cycles = 0;
        times(&machine, &request(&given), &[(0..8).collect()], || true)
    };
    let (few, many) = (of(15).expect("a run")[0], of(600).expect("a run")[0]);
    assert!(many.abs_diff(40 * few) < few / 10, "{few} for 15, {many} for 600");
}

#[test]
fn what_cannot_be_is_said_in_one_line() {
    let asked = |function: &str, given: &Parameters| Request::new(function, given, &board())?.check(&board());
    let said = |function: &str, given: &Parameters| asked(function, given).expect_err("it cannot be").to_string();
    let cases = [
        (exchange(2, &[]), "no transfers"),
        (exchange(2, &[&[(Some(0), Some(2), 16)]]), "thread 2 of 2; give 0 to 1"),
        (exchange(2, &[&[(Some(0), Some(0), 16)]]), "two different ends"),
        (exchange(2, &[&[(MEMORY, MEMORY, 16)]]), "two different ends"),
        (exchange(2, &[&[(Some(0), Some(1), 24)]]), "24 bytes; a DMA moves"),
        (exchange(2, &[&[(Some(0), Some(1), 0)]]), "0 bytes; a DMA moves"),
        (exchange(2, &[&[(Some(0), Some(1), 1 << 30)]]), "do not fit a local store"),
        (exchange(2, &[&[(Some(0), Some(1), 128 << 10)]]), "do not fit a local store"),
        (exchange(9, &[&[(Some(0), Some(1), 16)]]), "spes 9: eval-board has 8 SPEs"),
        (Parameters { spes: Some(3), ..ring(2, 16) }, "spes 3: pattern test has 2 threads"),
        (Parameters { pattern: None, ..ring(2, 16) }, "give pattern"),
        (Parameters { batch: Some(2), ..ring(2, 16) }, "batch with exchange"),
        (Parameters { private: true, ..ring(2, 16) }, "private with exchange"),
        (Parameters { spe_to_spe: true, ..ring(2, 16) }, "spe_to_spe with exchange"),
    ];
    for (params, words) in cases {
        let line = said("exchange", &params);
        assert!(line.contains(words) && !line.contains('\n'), "{line:?} has no {words:?}");
    }
    let mut named = ring(2, 16);
    named.pattern.as_mut().expect("a ring").name = "two\nlines\u{96}".to_string();
    let reason = "only an exchange has a pattern, leave it out";
    assert_eq!(said("cycle", &named), format!("pattern two\\nlines\\u{{96}} with cycle: {reason}"));
    let many = vec![(Some(0), MEMORY, 16); 700];
    assert!(said("exchange", &exchange(2, &[&many])).contains("give fewer"));
}
