//! Mistakes in machine files, each with its error message.

use super::{SIXTEEN_SPES, error_of, mfc, refused};
use cell::machine::Machine;
use proptest::prelude::*;

#[test]
fn unknown_names_get_a_suggestion() {
    refused(
        "[mfc]\nspu_que_entries = 1",
        "mine.toml:3: mfc.spu_que_entries: unknown key; did you mean mfc.spu_queue_entries?",
    );
    refused(
        "[mfc]\nread_latency_bus_cycles = 1",
        "mine.toml:3: mfc.read_latency_bus_cycles: unknown key; did you mean mic.read_latency_bus_cycles?",
    );
    refused(
        "[spu]\nzzz = 1",
        "mine.toml:3: spu.zzz: unknown key; the keys of [spu] are channel_write_spu_cycles, channel_read_spu_cycles, \
         local_store_access_spu_cycles, extract_spu_cycles, merge_spu_cycles",
    );
    refused("\n[atomics]", "mine.toml:3: atomics: unknown section; did you mean atomic?");
    refused(
        "[cache]",
        "mine.toml:2: cache: unknown section; the sections are chip, eib, mfc, atomic, spu, spu_pipeline, mic, bif, ppe, ppe_core, ppe_memory, translation, os, linux, software",
    );
    refused(&mfc("{ valeu = 1 }"), "mine.toml:3: mfc.spu_queue_entries: unknown key valeu; did you mean value?");
}

#[test]
fn every_part_of_a_value_is_required() {
    let template = "{ value = ..., unit = \"entries\", basis = ..., source = ... }";
    let key = "mine.toml:3: mfc.spu_queue_entries";
    refused(&mfc("{ unit = 'entries' }"), &format!("{key}: has no value; must be {template}"));
    refused(&mfc("{ value = 16 }"), &format!("{key}: has no unit; must be {template}"));
    refused(&mfc("{ value = 16, unit = 'entries' }"), &format!("{key}: has no basis; must be {template}"));
    refused(
        &mfc("{ value = 16, unit = 'entries', basis = 'measured' }"),
        &format!("{key}: has no source; must be {template}"),
    );
    refused(
        &mfc("{ value = 16, unit = 'entries', basis = 'measured', source = ' ' }"),
        &format!("{key}: source: is empty; must say something"),
    );
    refused(
        &mfc("{ value = 16, unit = 'entries', basis = 'fitted', source = 's' }"),
        &format!("{key}: is fitted and has no range; add range = [lowest, highest]"),
    );
}

#[test]
fn wrong_units_bases_and_types_get_a_correction() {
    let key = "mine.toml:3: mfc.spu_queue_entries";
    refused(
        &mfc("{ value = 16, unit = 'lines', basis = 'measured', source = 's' }"),
        &format!("{key}: unit is \"lines\"; must be \"entries\""),
    );
    refused(
        &mfc("{ value = 16, unit = 16, basis = 'measured', source = 's' }"),
        &format!("{key}: unit: is an integer; must be a string"),
    );
    refused(
        &mfc("{ value = 16, unit = 'entries', basis = 'guessed', source = 's' }"),
        &format!("{key}: basis is \"guessed\"; must be one of documented, measured, derived, fitted, assumed, mine"),
    );
    refused(&mfc("{ value = 16.0 }"), &format!("{key}: value is a float; must be an integer"));
    refused(
        "[chip]\nspes = { value = 6 }",
        "mine.toml:3: chip.spes: value is an integer; must be an array of integers",
    );
    refused(
        "[eib]\nring = { value = [1] }",
        "mine.toml:3: eib.ring: value is an array that holds an integer; must be an array of strings",
    );
    refused("mfc = 3", "mine.toml:2: mfc: is an integer; must be a section, [mfc]");
    refused("name = 3", "mine.toml:2: name: is an integer; must be a string");
}

#[test]
fn limits_and_ranges_are_stated() {
    let key = "mine.toml:3: mfc.spu_queue_entries";
    for value in ["0", "33", "-1", "99999999999999999999999"] {
        refused(
            &mfc(&format!("{{ value = {value} }}")),
            &format!("{key}: value is {value}; must be 1 to 32 (entries)"),
        );
    }
    refused(
        "[eib]\nbeat_bytes = { value = 24 }",
        "mine.toml:3: eib.beat_bytes: value is 24; must be a power of two from 1 to 128 (bytes)",
    );
    let with_range = |range: &str| {
        mfc(&format!("{{ value = 16, unit = 'entries', basis = 'fitted', range = {range}, source = 's' }}"))
    };
    refused(&with_range("[20, 30]"), &format!("{key}: value is 16; must be in its range [20, 30]"));
    refused(&with_range("[8, 64]"), &format!("{key}: range is [8, 64]; must lie in 1 to 32 (entries)"));
    refused(&with_range("[8]"), &format!("{key}: range must be [lowest, highest], two integers from 0"));
    refused(
        "[chip]\nspes = { value = [0], unit = 'SPEs', basis = 'assumed', range = [0, 1], source = 's' }",
        "mine.toml:3: chip.spes: has a range; an array cannot have one",
    );
}

#[test]
fn bases_that_are_unknown_or_incomplete() {
    assert_eq!(
        error_of("base = 'ps4'"),
        "mine.toml: base: unknown machine \"ps4\"; the known ones are ps3, ps3-devkit, eval-board, qs20, blade-2100, cell-be; did you mean ps3?"
    );
    assert_eq!(
        error_of("base = 'cell-be'"),
        "mine.toml: no value for chip.timebase_hz, chip.main_memory_bytes, chip.spes, \
         os.spufs_read_ns, os.spufs_write_ns and 4 more; add what is missing, or take the rest \
         from a known machine with base = \"ps3\""
    );
    let error = Machine::builtin("cell-be").expect_err("a base is no machine").to_string();
    assert_eq!(
        error,
        "cell-be: the bare chip, without memory and operating system; give ps3, ps3-devkit, eval-board, qs20, blade-2100, \
         or a file of your own that has the rest, with base = \"cell-be\""
    );
    assert_eq!(Machine::base_names().collect::<Vec<_>>(), ["cell-be"]);
}

#[test]
fn unknown_shipped_machines_get_a_suggestion() {
    let error = Machine::builtin("ps33").expect_err("a typo").to_string();
    let known = "the known ones are ps3, ps3-devkit, eval-board, qs20, blade-2100";
    assert_eq!(error, format!("ps33: unknown machine; {known}; did you mean ps3?"));
}

#[test]
fn broken_toml_is_one_line_with_line_and_column() {
    refused("[mfc\n", "mine.toml:2:5: not valid TOML: unclosed table, expected `]`");
    refused("[mfc]\na = 1\na = 2", "mine.toml:4:1: not valid TOML: duplicate key");
    // The message has one text line, even for a quoted key that contains a line break.
    refused(
        "\"a\\nb\" = 1",
        "mine.toml:2: a\\nb: unknown section; the sections are chip, eib, mfc, atomic, spu, spu_pipeline, mic, bif, ppe, ppe_core, ppe_memory, translation, os, linux, software",
    );
}

/// Text of a section with `key = value`, where unit, basis and source are correct.
fn number(section: &str, key: &str, value: u64, unit: &str) -> String {
    format!("[{section}]\n{key} = {{ value = {value}, unit = '{unit}', basis = 'measured', source = 's' }}\n")
}

#[test]
fn clocks_memory_and_queues_must_fit_together() {
    refused(
        &number("chip", "processor_clock_hz", 3_200_000_001, "Hz"),
        "mine.toml: chip.processor_clock_hz: value is 3200000001; must be a multiple of chip.processor_cycles_per_bus_cycle, 2",
    );
    refused(
        &number("chip", "processor_clock_hz", 100_000_000, "Hz"),
        "mine.toml: chip.timebase_hz: value is 79800000; must not be above the bus clock, 50000000 Hz",
    );
    refused(
        &number("chip", "main_memory_bytes", 16_777_217, "bytes"),
        "mine.toml: chip.main_memory_bytes: value is 16777217; must be a multiple of 65536 (64 KiB pages at each chip)",
    );
    refused(
        &number("mic", "write_queue_entries", 32, "entries"),
        "mine.toml: mic.write_high_water_entries: value is 48; must not be above mic.write_queue_entries, 32",
    );
    refused(
        &number("mic", "refresh_bus_cycles", 768, "bus cycles"),
        "mine.toml: mic.refresh_bus_cycles: value is 768; must be below mic.refresh_interval_bus_cycles, 768",
    );
    let no_rings = "[eib]\n\
        clockwise_rings = { value = 0, unit = 'rings', basis = 'measured', source = 's' }\n\
        counterclockwise_rings = { value = 0, unit = 'rings', basis = 'measured', source = 's' }";
    refused(
        no_rings,
        "mine.toml: eib.clockwise_rings: value is 0 and so is eib.counterclockwise_rings; must be one ring at least",
    );
}

#[test]
fn the_ring_holds_each_element_once_and_the_usable_spes() {
    let ring = |names: &[&str]| {
        format!("[eib]\nring = {{ value = {names:?}, unit = 'elements', basis = 'measured', source = 's' }}")
    };
    let wrong = |names: &[&str], message: &str| {
        refused(&ring(names), &format!("mine.toml: eib.ring: {message}"));
    };
    wrong(&["PPE", "MIC"], "has 0 SPEs; must be 1 to 16");
    wrong(&["SPE0", "MIC"], "PPE is missing; must appear once");
    wrong(&["PPE", "SPE0", "MIC", "MIC"], "MIC appears 2 times; must appear once");
    wrong(&["PPE", "SPE0", "SPE0", "MIC"], "SPE0 appears 2 times; must appear once");
    wrong(
        &["PPE", "SPE0", "SPE2", "MIC"],
        "\"SPE2\" is no element of this ring; must be PPE, MIC, IOIF0, IOIF1 or, with 2 SPEs, SPE0 to SPE1",
    );
    wrong(
        &["PPE", "SPE0", "GPU", "MIC"],
        "\"GPU\" is no element of this ring; must be PPE, MIC, IOIF0, IOIF1 or, with 1 SPEs, SPE0 to SPE0",
    );
    refused(&ring(&["PPE", "SPE0", "SPE1", "MIC"]), "mine.toml: chip.spes: SPE 2 is not on eib.ring; must be 0 to 1");
    let spes = |numbers: &str| {
        format!("[chip]\nspes = {{ value = {numbers}, unit = 'SPEs', basis = 'measured', source = 's' }}")
    };
    refused(&spes("[]"), "mine.toml: chip.spes: is empty; must name one SPE at least");
    refused(&spes("[3, 3]"), "mine.toml: chip.spes: SPE 3 appears twice; must appear once");
}

proptest! {
    /// A damaged built-in file is either accepted or refused with a message of one line. The file never causes a
    /// panic.
    #[test]
    fn damaged_files_are_refused_in_one_line(
        start in 0..SIXTEEN_SPES.len(),
        length in 0..40_usize,
        patch in "[-0-9a-z={}\\[\\]\"'#.,\n ]{0,12}",
    ) {
        let end = (start + length).min(SIXTEEN_SPES.len());
        let text = [&SIXTEEN_SPES[..start], &patch, &SIXTEEN_SPES[end..]].concat();
        if let Err(error) = Machine::parse(&text, "mine.toml") {
            let line = error.to_string();
            prop_assert!(line.starts_with("mine.toml:") && !line.contains('\n'), "{line}");
        }
    }
}
