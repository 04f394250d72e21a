//! Tests of each family's refusals, as the command line prints them, and of each family's defaults.

use cell::machine::Machine;
use cellstats::{Refusal, Request, measure};
use serde_json::{Value, json};

fn parsed(function: &str, mut parameters: Value, machine: &str) -> Result<(Request, Machine), Refusal> {
    parameters["function"] = json!(function);
    let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
    Ok((Request::parse(&parameters.to_string(), &machine)?, machine))
}

/// The text of a request's refusal, with command-line flags as parameter names.
fn refused(function: &str, parameters: Value, machine: &str) -> String {
    let checked = parsed(function, parameters.clone(), machine).and_then(|(request, machine)| request.check(&machine));
    let refusal = checked.expect_err(&format!("{function} {parameters} on {machine}"));
    refusal.worded(|name| match name {
        "spes" | "shared" => "-n".to_string(),
        "private" | "private_spes" => "-N".to_string(),
        "any_spes" => "-n or -N".to_string(),
        "iterations" => "-i".to_string(),
        "size" => "-b".to_string(),
        "list_elements" => "-l".to_string(),
        "stride" => "-t".to_string(),
        "spe_to_spe" => "-s".to_string(),
        "function" => "-f".to_string(),
        name => format!("--{}", name.replace('_', "-")),
    })
}

/// Table of FUNCTIONs, with a parameter that each FUNCTION lacks and the reason.
#[test]
fn a_parameter_of_other_functions_is_refused() {
    let private = "-N with {}: private buffers are for DMA and atomic functions, give -n";
    let size = "-b with {}: only DMA functions, loads and stores have a size";
    let list = "-l with {}: only dmalistget, dmalistput and patterns use lists";
    let stride = "-t with {}: only DMA and atomic functions have a stride";
    let pattern_says = "-s with {}: the pattern says who communicates, leave -s out";
    let remote = "-s with {}: atomic operations on a remote local store are not possible";
    let no_c = "--spe-program c with {}: only mkthread to fetchset have C programs, leave it out";
    let latencies = "--histogram with {}: only latencies of DMAs can be kept";
    let batch = "--batch with {}: only DMA functions are batched";
    let level = "--level with {}: only load, store and copy have a level";
    let threads = "--threads with {}: only loads and stores by the PPE have a choice of threads";
    let target = "--target with {}: only a hotspot or a permutation has a target to choose";
    let op = "--op with {}: only patterns of traffic have a choice of direction";
    let own = "-N with {}: in a pattern every SPE has buffers of its own anyhow, give -n";
    let cases: &[(&[&str], Value, &str)] = &[
        (&["mkthread", "mailbox", "signal", "exchange", "load", "store", "copy"], json!({"private": true}), private),
        (&["hotspot", "complement", "pairwise", "uniform", "couples", "cycle"], json!({"private": true}), own),
        (&["mkthread"], json!({"spe_to_spe": true}), "-s with {}: the PPE creates threads, leave -s out"),
        (&["fetchadd", "fetchset"], json!({"spe_to_spe": true}), remote),
        (&["hotspot", "cycle", "exchange"], json!({"spe_to_spe": true}), pattern_says),
        (
            &["load", "copy"],
            json!({"spe_to_spe": true}),
            "-s with {}: load, store and copy do not communicate, leave -s out",
        ),
        (&["mkthread", "mailbox", "fetchadd"], json!({"size": 128}), size),
        (
            &["mkthread", "signal", "dmaget", "dmaput", "fetchadd", "exchange", "load"],
            json!({"list_elements": 2}),
            list,
        ),
        (&["uniform"], json!({"list_elements": 2}), "-l with {}: every DMA has a target of its own, leave -l out"),
        (&["mkthread", "mailbox", "hotspot", "exchange", "load"], json!({"stride": 16}), stride),
        (&["dmaget", "fetchadd"], json!({"stride": 16}), "-t with {}: a stride is between private buffers, give -N"),
        (&["mkthread", "mailbox", "fetchadd", "exchange", "load"], json!({"batch": 2}), batch),
        (&["mkthread", "mailbox", "dmaget", "fetchadd", "exchange", "load"], json!({"op": "get"}), op),
        (&["mailbox", "dmaget", "complement", "cycle", "exchange", "load"], json!({"target": "memory"}), target),
        (&["mailbox", "dmaget", "fetchadd", "hotspot", "exchange"], json!({"level": "l1"}), level),
        (&["mailbox", "dmaget", "fetchadd", "hotspot", "exchange"], json!({"threads": 1}), threads),
        (&["load"], json!({"threads": 1, "level": "ls"}), threads),
        (&["hotspot", "cycle", "exchange", "load"], json!({"spe_program": "c"}), no_c),
        (&["mkthread", "mailbox", "fetchadd", "load"], json!({"histogram": true}), latencies),
    ];
    for (functions, parameters, said) in cases {
        for function in *functions {
            assert_eq!(refused(function, parameters.clone(), "ps3"), said.replace("{}", function));
        }
    }
}

/// Checks the refusal of each FUNCTION with its parameters on ps3.
fn assert_refused(cases: &[(&str, Value, &str)]) {
    for (function, parameters, said) in cases {
        assert_eq!(refused(function, parameters.clone(), "ps3"), *said);
    }
}

#[test]
fn between_spes_who_takes_part_has_to_fit() {
    assert_refused(&[
        (
            "mailbox",
            json!({"spes": 3, "spe_to_spe": true}),
            "-n 3 with -s: SPEs synchronise in pairs, give an even number",
        ),
        ("couples", json!({"spes": 3}), "-n 3 with couples: every SPE has a partner, give an even number"),
        ("cycle", json!({"spes": 1}), "-n 1 with cycle: communication between SPEs takes at least 2"),
        ("hotspot", json!({"spes": 1, "target": 0}), "-n 1 with --target: the hot SPE counts too, give at least 2"),
        ("hotspot", json!({"spes": 3, "target": 3}), "--target 3: there are SPEs 0 to 2, or memory"),
    ]);
}

#[test]
fn where_the_ppe_loads_and_stores_no_spe_takes_part() {
    assert_refused(&[
        ("load", json!({"spes": 2, "level": "l2"}), "-n 2 with load: SPEs only have level ls; at l2 give --threads"),
        ("load", json!({"placement": [0]}), "--placement with load: at level l1 no SPE takes part"),
        ("load", json!({"cells": "1"}), "--cells 1 with load: no SPE takes part, leave --cells out"),
        ("load", json!({"threads": 3}), "--threads 3: the PPE has 2 threads, give 1 to 2"),
        (
            "copy",
            json!({"threads": u32::MAX, "size": u32::MAX}),
            "--threads 4294967295: the PPE has 2 threads, give 1 to 2",
        ),
    ]);
}

#[test]
fn sizes_and_strides_have_to_be_possible() {
    assert_refused(&[
        (
            "cycle",
            json!({"size": u32::MAX, "list_elements": u32::MAX}),
            "-b 4294967295: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k",
        ),
        ("load", json!({"size": 3}), "-b 3: a load or store has 1, 2, 4, 8 or 16 bytes"),
        ("dmaget", json!({"size": 24}), "-b 24: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k"),
        ("dmaget", json!({"size": 0}), "-b 0: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k"),
        ("cycle", json!({"size": 16400}), "-b 16400: a DMA moves 1, 2, 4, 8 or a multiple of 16 bytes, at most 16k"),
        ("dmalistget", json!({"list_elements": 2049}), "-l 2049: a DMA list has 1 to 2048 elements"),
        (
            "dmaget",
            json!({"private": true, "stride": 24}),
            "-t 24: the stride of DMA buffers is a multiple of 16 bytes",
        ),
        (
            "fetchadd",
            json!({"private": true, "stride": 6}),
            "-t 6: the stride of 32-bit variables is a multiple of 4 bytes",
        ),
    ]);
}

#[test]
fn what_every_measurement_has_has_to_be_there() {
    let seed =
        "--seed 3 is for random placements or traffic, and for rates; give --placement random, -f uniform or --rate";
    assert_refused(&[
        ("mailbox", json!({"iterations": 0}), "-i 0: give 1 to 1000m iterations"),
        ("mailbox", json!({"iterations": u64::MAX}), "-i 18446744073709551615: give 1 to 1000m iterations"),
        ("dmaget", json!({"spes": 7}), "-n 7: ps3 has 6 SPEs to use, give 1 to 6"),
        ("dmaget", json!({"spes": 7, "private": true}), "-N 7: ps3 has 6 SPEs to use, give 1 to 6"),
        ("dmaget", json!({"cells": "1"}), "--cells 1: ps3 has one Cell, give 0"),
        (
            "dmaget",
            json!({"cells": 0, "placement": [0]}),
            "--cells 0: the list of SPEs says which Cells they are on, leave --cells out",
        ),
        ("dmaget", json!({"memory": 1}), "--memory 1: ps3 has one Cell with one memory, give 0"),
        ("dmaget", json!({"seed": 3}), seed),
        (
            "dmaget",
            json!({"spes": 3, "placement": [0, 1]}),
            "--placement names 2 SPEs for 3 threads; name at least as many as -n or -N says",
        ),
        ("dmaget", json!({"placement": [0, 0]}), "placement: SPE 0 appears twice; each thread needs its own"),
    ]);
}

#[test]
fn words_are_known() {
    assert_refused(&[
        ("hotspot", json!({"target": ""}), "--target \"\": give memory or the number of an SPE's thread"),
        ("dmaget", json!({"cells": ""}), "--cells \"\": give 0, 1, 01 or 10"),
        ("dmaget", json!({"memory": "two\nlines"}), "--memory \"two\\nlines\": give 0, 1 or interleave"),
        ("dmaget", json!({"op": "sing"}), "--op with dmaget: only patterns of traffic have a choice of direction"),
        ("cycle", json!({"op": "sing"}), "--op \"sing\": give one of get, put, copy"),
        ("load", json!({"level": "l9"}), "--level \"l9\": give one of l1, l2, l1l2, memory, ls"),
        ("mailbox", json!({"ppe": "tea"}), "--ppe \"tea\": the ways from the PPE to an SPE are library and mmio"),
        ("mailbox", json!({"spe_program": "pascal"}), "--spe-program \"pascal\": give one of builtin, c"),
    ]);
}

#[test]
fn buffers_have_to_fit() {
    assert_refused(&[
        (
            "dmaget",
            json!({"spe_to_spe": true, "private": true, "spes": 6, "stride": 65536}),
            "buffers of 327808 bytes do not fit SPE 0's local store: 245760 bytes are free, give a smaller -b, -l, -t or -N",
        ),
        (
            "dmalistget",
            json!({"size": 16384, "list_elements": 15}),
            "buffers of 245760 bytes do not fit a local store: 229376 bytes are free, give a smaller -b, -l, -t or -N",
        ),
        (
            "fetchadd",
            json!({"private": true, "spes": 6, "stride": 1 << 30}),
            "-t: 6 private buffers 1073741824 bytes apart do not fit main memory: 208666624 bytes are free",
        ),
        (
            "hotspot",
            json!({"list_elements": 9, "size": 16384}),
            "a DMA of 147456 bytes does not fit the buffers of 131072 bytes, give a smaller -b or -l",
        ),
        (
            "hotspot",
            json!({"list_elements": 2000, "size": 16, "op": "copy"}),
            "-l 2000: there is room for lists of 1024 elements",
        ),
    ]);
}

#[test]
fn a_pattern_is_for_an_exchange_and_has_to_be_possible() {
    let which = "exchange: no messages; give --pattern, such as --pattern ring, or a file";
    let message = |source: u32, bytes: u32| json!({"source": source, "destination": 1, "bytes": bytes});
    let pattern = |source, bytes| json!({"name": "p{size}", "threads": 2, "phases": [[message(source, bytes)]]});
    assert_refused(&[
        (
            "exchange",
            json!({"pattern": pattern(0, 16), "size": 16}),
            "-b with exchange: only DMA functions, loads and stores have a size",
        ),
        ("exchange", json!({"size": 16}), which),
        ("exchange", json!({}), which),
        (
            "exchange",
            json!({"pattern": pattern(0, 16), "spes": 3}),
            "-n 3: pattern p{size} has 2 threads, leave -n out",
        ),
        ("exchange", json!({"pattern": pattern(2, 16)}), "pattern p{size}: thread 2 of 2; give 0 to 1"),
        (
            "exchange",
            json!({"pattern": pattern(1, 16)}),
            "pattern p{size}: a message to where it comes from; give two different ends",
        ),
        (
            "exchange",
            json!({"pattern": pattern(0, 24)}),
            "pattern p{size}: 24 bytes; a DMA moves 1, 2, 4, 8 or a multiple of 16",
        ),
        (
            "exchange",
            json!({"pattern": pattern(0, 1 << 20)}),
            "pattern p{size}: 1048576 bytes do not fit a local store of 262144; give fewer",
        ),
        (
            "exchange",
            json!({"pattern": {"name": "p", "threads": 2, "phases": [[]]}}),
            "pattern p: no transfers, give at least one",
        ),
        (
            "exchange",
            json!({"pattern": {"name": "p", "threads": 0, "phases": []}}),
            "-n 0: ps3 has 6 SPEs to use, give 1 to 6",
        ),
        (
            "dmaget",
            json!({"pattern": pattern(0, 16)}),
            "--pattern p{size} with dmaget: only an exchange has a pattern, leave it out",
        ),
    ]);
}

#[test]
fn an_unknown_function_is_told_those_that_there_are() {
    let line = refused("sing", json!({}), "ps3");
    assert!(line.starts_with("unknown function \"sing\"; known are mkthread, mailbox, signal"), "{line}");
}

#[test]
fn the_memory_of_a_chip_has_to_hold_something() {
    for (function, parameters, said) in [
        ("mailbox", json!({"memory": 1}), "--memory 1 with mailbox: no buffer is in main memory, leave --memory out"),
        (
            "dmaget",
            json!({"memory": 1, "spe_to_spe": true}),
            "--memory 1 with -s: no buffer is in main memory, leave --memory out",
        ),
        (
            "hotspot",
            json!({"memory": 1, "target": 0}),
            "--memory 1 with hotspot: no buffer is in main memory, leave --memory out",
        ),
        (
            "load",
            json!({"memory": "interleave"}),
            "--memory interleave with load: the PPE walks through one chip's memory, give 0 or 1",
        ),
        ("dmaget", json!({"cells": 1, "spes": 9}), "-n 9: qs20 has 8 SPEs on Cell 1 to use, give 1 to 8"),
    ] {
        assert_eq!(refused(function, parameters, "qs20"), said);
    }
}

#[test]
fn what_is_not_given_is_filled_in() {
    let spes_and_iterations = |function: &str, parameters: Value| {
        let (request, _) = parsed(function, parameters, "eval-board").unwrap();
        (request.settings.spes, request.settings.iterations)
    };
    for (function, parameters, expected) in [
        ("mkthread", json!({}), (1, 1_000_000)),
        ("mailbox", json!({"spe_to_spe": true}), (2, 1_000_000)),
        ("dmaget", json!({"spe_program": "c"}), (1, 10_000)),
        ("dmaput", json!({"spe_to_spe": true}), (2, 1_000_000)),
        ("dmaput", json!({"placement": [0, 1, 2]}), (3, 1_000_000)),
        ("fetchadd", json!({"placement": [0, 1, 2]}), (3, 1_000_000)),
        ("hotspot", json!({}), (8, 2048)),
        ("cycle", json!({}), (8, 1024)),
        ("couples", json!({"placement": [0, 1]}), (2, 1024)),
        ("uniform", json!({"size": 1024, "op": "copy"}), (8, 16_384)),
        ("load", json!({}), (0, 8 << 20)),
        ("copy", json!({"level": "l1l2", "threads": 2}), (0, 1 << 18)),
        ("store", json!({"level": "ls", "size": 4}), (1, 32 << 20)),
    ] {
        assert_eq!(spes_and_iterations(function, parameters), expected, "{function}");
    }
    let paired = |machine: &str| parsed("pairwise", json!({}), machine).unwrap().0.settings.spes;
    assert_eq!((paired("ps3"), paired("qs20")), (6, 16));
}

#[test]
fn a_result_says_the_sizes_that_nobody_gave() {
    for (function, parameters, size, op) in [
        ("dmaget", json!({}), Some(128), None),
        ("cycle", json!({}), Some(16_384), Some("copy")),
        ("hotspot", json!({"target": 1, "op": "put"}), Some(16_384), Some("put")),
        ("load", json!({"level": "ls"}), Some(16), None),
        ("fetchadd", json!({}), None, None),
    ] {
        let mut parameters = parameters;
        parameters["iterations"] = json!(2);
        let (request, machine) = parsed(function, parameters, "ps3").unwrap();
        let columns = measure(&machine, &request, || true).unwrap().columns;
        assert_eq!((columns.size_bytes, columns.op), (size, op), "{function}");
    }
}
