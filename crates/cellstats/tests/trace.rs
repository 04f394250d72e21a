//! Tests of traces: a window contains exactly the events that are in progress within it, and agrees with the record of
//! the run.

use crate::common::{Check, board, ls_ea, ps3, wait};
use cell::record::TransferRecord;
use cell::trace::{RequestRow, Trace, Trigger, Window};
use cell::units::ThreadId;
use cellstats::{MeasureError, Parameters, Request, TraceSpan, trace};

const TAG: u32 = 5;

/// Four SPEs that first issue `get` commands from memory in another tag group, then `get` commands from each other and
/// `put` commands to memory.
fn traffic() -> Check {
    let machine = board();
    let mut check = Check::on(&machine);
    for thread in 0..4u8 {
        let other = ls_ea(&machine, (thread + 1) % 4, 0x1_0000);
        check = check.spu(move |spu| async move {
            spu.mfc_get(0x8000, 0x1_0000, 2048, 0).await;
            spu.compute(100).await;
            for _ in 0..6 {
                spu.mfc_get(0x8000, other, 1024, TAG).await;
                spu.mfc_put(0xc000, 0x10_0000 + 0x1000 * u64::from(thread), 640, TAG).await;
            }
            wait(&spu, TAG).await;
            0
        });
    }
    check
}

fn window(skip_bus_cycles: u64, bus_cycles: u64) -> Window {
    Window { trigger: Trigger::TagGroup(TAG), skip_bus_cycles, bus_cycles }
}

fn traced(skip: u64, cycles: u64) -> Trace {
    traffic().window(window(skip, cycles)).expect("a window that begins before the run ends")
}

/// The transfers of a trace that were on a ring during the window, converted to transfer records.
fn transfers(trace: &Trace) -> Vec<TransferRecord> {
    let row = |row: &RequestRow| {
        Some(TransferRecord {
            granted_at: row.granted_at?,
            arrived_at: row.arrived_at?,
            ring: row.ring?,
            from: row.from?,
            to: row.to?,
            bytes: row.bytes,
        })
    };
    let mut rows: Vec<_> = trace.requests.iter().filter_map(row).filter(|row| on_a_ring(row, trace)).collect();
    rows.sort_by_key(order);
    rows
}

fn on_a_ring(row: &TransferRecord, trace: &Trace) -> bool {
    row.granted_at < trace.to && row.arrived_at > trace.from
}

fn order(row: &TransferRecord) -> (u64, u8) {
    (row.granted_at, row.from)
}

#[test]
fn transfers_are_those_of_the_record() {
    let recorded = traffic().recording_transfers().run().record.transfers.unwrap_or_default();
    for (skip, cycles) in [(0, 1), (0, 100), (37, 100), (100, 1), (200, 500), (0, 100_000)] {
        let trace = traced(skip, cycles);
        let mut expected: Vec<_> = recorded.iter().filter(|row| on_a_ring(row, &trace)).cloned().collect();
        expected.sort_by_key(order);
        assert_eq!(transfers(&trace), expected, "{cycles} bus cycles after {skip}");
    }
    assert!(transfers(&traced(0, 100_000)).len() > 200);
}

#[test]
fn a_transfer_is_in_the_window_until_its_last_beat() {
    let first = transfers(&traced(0, 1000))[20].clone();
    let begin = traced(0, 1).from;
    let has = |from: u64, cycles| transfers(&traced(from - begin, cycles)).contains(&first);
    // The transfer began before the window, but the trace has the transfer's true start.
    assert!(has(first.granted_at + 1, 1));
    assert!(has(first.arrived_at - 1, 1));
    assert!(!has(first.arrived_at, 1));
    assert!(has(first.granted_at, 1));
    assert!(!has(first.granted_at - 1, 1));
    assert!(has(first.granted_at - 1, 2));
}

#[test]
fn the_window_begins_with_the_first_command_of_the_tag_group_or_later() {
    let trace = traced(0, 50);
    let ours = |row: &&cell::trace::CommandRow| row.tag == TAG;
    let first = trace.commands.iter().find(ours).expect("a command");
    assert_eq!(
        (first.enqueued_at, trace.triggered_at, trace.from, trace.to - trace.from),
        (trace.from, trace.from, trace.from, 50)
    );
    // Earlier `get` commands are still in flight; the trace includes their times before the window.
    let before = trace.commands.iter().find(|row| row.tag == 0).expect("a command before");
    assert!(before.enqueued_at < trace.from && before.done_at.is_none_or(|at| at > trace.from));
    let later = traced(30, 20);
    assert_eq!((later.triggered_at, later.from, later.to), (trace.from, trace.from + 30, trace.to));
}

#[test]
fn what_comes_after_the_window_is_not_there() {
    for skip in (0..400).step_by(3) {
        nothing_is_outside(&traced(skip, 60));
    }
    let trace = traced(100, 60);
    assert!(trace.requests.iter().any(|row| row.done_at.is_none()));
}

fn nothing_is_outside(trace: &Trace) {
    for row in &trace.commands {
        assert!(row.enqueued_at < trace.to && row.done_at.is_none_or(|at| trace.from < at && at < trace.to), "{row:?}");
    }
    for row in &trace.requests {
        assert!(row.rounds[0].issued_at < trace.to, "{row:?}");
        assert!(row.done_at.is_none_or(|at| trace.from < at && at < trace.to), "{row:?}");
        assert!(row.granted_at.is_none_or(|at| at < trace.to), "{row:?}");
    }
    assert!(trace.stalls.iter().all(|row| row.from < trace.to && row.to.is_none_or(|at| at > trace.from)));
    assert!(trace.accesses.iter().all(|row| row.from < trace.to));
}

#[test]
fn requests_belong_to_their_commands() {
    let trace = traced(0, 100_000);
    for command in trace.commands.iter().filter(|row| row.tag == TAG) {
        let own = trace.requests.iter().filter(|row| row.command == Some(command.id));
        let (bytes, last) = own.fold((0, 0), |(bytes, last), row| {
            assert!(row.rounds[0].issued_at >= command.first_request_at.expect("a request"));
            (bytes + u32::from(row.bytes), last.max(row.done_at.expect("an end")))
        });
        assert_eq!(bytes, command.size_bytes);
        assert!(command.enqueued_at < command.first_request_at.unwrap_or(0));
        assert!(last <= command.done_at.expect("an end"));
    }
    let reads = trace.accesses.iter().filter(|row| !row.write).count();
    let from_memory = |row: &&RequestRow| row.kind == "read" && row.target.as_deref() == Some("memory");
    assert_eq!(reads, trace.requests.iter().filter(from_memory).count());
}

#[test]
fn a_refused_command_has_one_round_more_for_each_refusal() {
    // Lock-line reads of a cache line that an atomic unit holds.
    let check = || {
        let mut check = Check::on(&ps3()).spu(|spu| async move {
            spu.mfc_get(0x8000, 0x2_0000, 128, TAG).await;
            spu.mfc_putlluc(0x1000, 0x1_0000).await;
            spu.mfc_read_atomic_status().await;
            0
        });
        for _ in 0..4 {
            check = check.spu(|spu| async move {
                spu.compute(10_000).await;
                spu.mfc_getllar(0x1000, 0x1_0000).await;
                spu.mfc_read_atomic_status().await;
                0
            });
        }
        check
    };
    let retries = check().run().record.counters.command.retries_address_match;
    assert!(retries > 0);
    let trace = check().window(window(0, 10_000)).expect("a window");
    let eib = ps3().eib;
    let refused = |row: &RequestRow| row.rounds.iter().filter(|round| round.response == Some("retry")).count();
    assert_eq!(trace.requests.iter().map(refused).sum::<usize>() as u64, retries);
    for row in &trace.requests {
        let last = row.rounds.last().expect("a round");
        let answered = matches!(last.response, Some("memory" | "data" | "done"));
        assert!(answered && refused(row) + 1 == row.rounds.len(), "{:?}", row.rounds);
        for round in &row.rounds {
            assert!(round.ordered_at >= Some(round.issued_at + eib.command_issue_bus_cycles));
            let ordered_at = round.ordered_at.expect("an order");
            assert_eq!(round.responded_at, Some(ordered_at + eib.command_response_bus_cycles));
        }
        for pair in row.rounds.windows(2) {
            assert_eq!(Some(pair[1].issued_at - eib.retry_bus_cycles), pair[0].responded_at);
        }
    }
}

#[test]
fn an_spu_waits_from_when_it_asks_until_it_is_answered() {
    let trace = Check::on(&ps3())
        .spu(|spu| async move {
            spu.mfc_get(0x8000, 0x1_0000, 128, TAG).await;
            wait(&spu, TAG).await;
            0
        })
        .window(window(0, 10_000))
        .expect("a window");
    let [stall] = &trace.stalls[..] else { panic!("one stall: {:?}", trace.stalls) };
    assert_eq!((stall.spe, stall.channel.as_str(), stall.to), (0, "MFC_RdTagStat", trace.commands[0].done_at));
    assert_eq!(trace.programs[0].stopped_at, Some(trace.to));
}

#[test]
fn a_system_call_lasts_its_time_in_the_operating_system_and_that_of_its_requests() {
    let machine = ps3();
    let trace = Check::on(&machine)
        .ppe(|ppe| async move {
            ppe.time_base().await;
            ppe.spe_in_mbox_write(ThreadId(0), 7).await;
            ppe.sync().await;
            0
        })
        .window(Window { trigger: Trigger::TimeBase, skip_bus_cycles: 0, bus_cycles: 100_000 })
        .expect("a window");
    let [call] = &trace.calls[..] else { panic!("one call: {:?}", trace.calls) };
    let (from, to) = (call.from, call.to.expect("an end"));
    assert_eq!((call.ppe.as_str(), call.thread, call.name), ("PPE", 0, "write wbox"));
    let [status, entry, _] = &trace.requests[..] else { panic!("status, entry and sync: {:?}", trace.requests) };
    let half = machine.bus_cycles_in_ns(machine.os.spufs_write_ns) / 2;
    let issue = machine.ppe.mmio_issue_bus_cycles;
    assert_eq!(status.rounds[0].issued_at, from + half + issue);
    let loaded_at = status.done_at.expect("a value");
    assert_eq!(entry.rounds[0].issued_at, loaded_at + issue);
    // The call does not wait for its store.
    assert_eq!(to, loaded_at + half);
}

#[test]
fn a_command_knows_how_long_its_spu_took_to_give_it_and_to_see_its_end() {
    let machine = ps3();
    let trace = Check::on(&machine)
        .spu(|spu| async move {
            spu.mfc_get(0x8000, 0x1_0000, 128, TAG).await;
            // The `get` ends long before the SPU checks; the wait for tag group 7 does not report the end of this
            // `get`.
            spu.compute(5000).await;
            wait(&spu, 7).await;
            wait(&spu, TAG).await;
            spu.mfc_put(0x8000, 0x1_0000, 128, TAG).await;
            wait(&spu, TAG).await;
            spu.ls().write_u64(0x100, 128 << 32 | 0x1_0000);
            spu.mfc_getl(0x8000, 0x1_0000, 0x100, 8, TAG).await;
            spu.compute(9000).await;
            0
        })
        .window(window(0, 1_000_000))
        .expect("a window");
    let (writes, read) = (machine.spu.channel_write_spu_cycles, machine.spu.channel_read_spu_cycles);
    let [late, prompt, list] = &trace.commands[..] else { panic!("three commands: {:?}", trace.commands) };
    for row in [late, prompt, list] {
        assert_eq!(row.issue_spu_cycles, Some(6 * writes), "{row:?}");
    }
    assert_eq!((late.list_fetch_at, prompt.list_fetch_at), (None, None));
    assert_eq!(list.list_fetch_at, Some(list.enqueued_at + machine.mfc.issue_bus_cycles));
    // The expected time is 5000 SPU cycles and two waits, minus the duration of the `get`.
    let get = (late.done_at.expect("an end") - late.enqueued_at) * machine.chip.processor_cycles_per_bus_cycle;
    assert_eq!(late.status_spu_cycles, Some(5000 + 2 * (2 * writes + read) - get));
    assert_eq!((prompt.status_spu_cycles, list.status_spu_cycles), (Some(read), None));
}

#[test]
fn a_run_that_ends_before_the_window_leaves_no_trace() {
    assert_eq!(traffic().window(window(1_000_000, 10)), None);
    assert_eq!(traffic().window(Window { trigger: Trigger::TagGroup(31), skip_bus_cycles: 0, bus_cycles: 9 }), None);
    let machine = ps3();
    let given = Parameters { iterations: Some(10), ..Parameters::default() };
    let request = Request::new("dmaget", &given, &machine).expect("parameters that can be");
    let span = TraceSpan { skip_bus_cycles: 1_000_000, bus_cycles: 10 };
    let error = trace(&machine, &request, span, || true).expect_err("nothing to trace");
    let refused = matches!(error, MeasureError::Refused(_));
    assert!(refused && error.to_string().starts_with("skip 1000000: "), "{error}");
}

#[test]
fn fast_forward_before_the_window_changes_nothing_in_it() {
    for (function, spes, spe_to_spe, mmio) in [
        ("dmaget", 1, false, false),
        ("dmaget", 4, true, false),
        ("dmaput", 6, false, false),
        ("dmalistget", 2, false, false),
        ("fetchadd", 3, false, false),
        ("mailbox", 2, true, false),
        ("mailbox", 1, false, true),
        ("mailbox", 1, false, false),
        // The second SPE waits throughout the first SPE's warm-up.
        ("signal", 2, false, true),
        ("mkthread", 1, false, false),
    ] {
        let (spes, size) = (Some(spes), function.starts_with("dma").then_some(1024));
        let ppe = mmio.then(|| "mmio".to_string());
        let given = Parameters { spes, spe_to_spe, size, ppe, ..Parameters::default() };
        for (skip_bus_cycles, bus_cycles) in [(0, 300), (1000, 100)] {
            let span = TraceSpan { skip_bus_cycles, bus_cycles };
            let of = |fast_forward| {
                let given = Parameters { fast_forward: Some(fast_forward), ..given.clone() };
                let request = Request::new(function, &given, &ps3()).expect("parameters that can be");
                trace(&ps3(), &request, span, || true)
            };
            let (short, long) = (of(true), of(false));
            assert!(long.is_ok(), "{function}: {long:?}");
            assert_eq!(short, long, "{function}");
        }
    }
}

#[test]
fn a_window_with_more_than_a_reader_can_hold_is_refused() {
    let machine = board();
    let given = Parameters { spes: Some(8), ..Parameters::default() };
    let request = Request::new("couples", &given, &machine).expect("parameters that can be");
    let of = |bus_cycles| trace(&machine, &request, TraceSpan { skip_bus_cycles: 0, bus_cycles }, || true);
    let error = of(TraceSpan::BUS_CYCLES_MAX).expect_err("too much");
    let words = "window 4294967296: more than 500000 events; give a shorter window";
    assert!(matches!(error, MeasureError::Refused(_)) && error.to_string() == words, "{error}");
    let rows = |trace: Trace| trace.requests.len() + trace.commands.len() + trace.waits.len();
    assert!(rows(of(100_000).expect("less than that")) > 100_000);
}
