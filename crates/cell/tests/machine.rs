//! Machine files: values of the built-in files, merging of a user's file with a built-in file, and the error message
//! for each mistake.

use cell::machine::{Basis, Eib, Machine};
use proptest::prelude::*;

const SIXTEEN_SPES: &str = include_str!("../../../machines/examples/sixteen-spes.toml");

/// A user's file with the PS3 as its base.
fn on_ps3(rest: &str) -> String {
    format!("base = \"ps3\"\n{rest}")
}

fn parse(text: &str) -> Machine {
    Machine::parse(text, "mine.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Checks that a file with the PS3 as its base is refused with this message. (The first text line names the base.)
fn refused(rest: &str, message: &str) {
    assert_eq!(error_of(&on_ps3(rest)), message);
}

fn error_of(text: &str) -> String {
    let error = Machine::parse(text, "mine.toml").expect_err("a mistake").to_string();
    assert!(!error.contains('\n') && error.starts_with("mine.toml:"), "{error}");
    error
}

/// A file's text for one value of the section [mfc].
fn mfc(entry: &str) -> String {
    format!("[mfc]\nspu_queue_entries = {entry}")
}

#[test]
fn every_shipped_machine_is_complete_and_says_where_each_value_comes_from() {
    for name in Machine::builtin_names() {
        let machine = Machine::builtin(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(machine.name, *name);
        assert!(!machine.description.is_empty());
        for value in machine.values() {
            assert!(!value.source.trim().is_empty(), "{name}: {}", value.key);
            assert!(!value.doc.is_empty() && !value.text().is_empty(), "{name}: {}", value.key);
            let guessed = matches!(value.basis, Basis::Fitted | Basis::Assumed);
            let array = value.text().starts_with('[');
            assert!(!guessed || array || value.range.is_some(), "{name}: {}", value.key);
        }
    }
}

#[test]
fn a_name_is_text_on_one_line() {
    let said = "mine.toml:2: name: has the control character U+001B; must be one line of text";
    refused("name = \"a\\u001b[31mb\"\n", said);
    refused("name = \"\"\"a\nb\"\"\"\n", &said.replace("1B", "0A"));
}

#[test]
fn the_shipped_machines_differ_where_the_papers_say() {
    let ps3 = Machine::builtin("ps3").unwrap();
    let board = Machine::builtin("eval-board").unwrap();
    assert_eq!(ps3.chip.timebase_hz, 79_800_000);
    assert_eq!(ps3.chip.main_memory_bytes, 200 << 20);
    assert_eq!(ps3.chip.spes, [0, 1, 2, 3, 4, 5]);
    assert_eq!(board.chip.timebase_hz, 25_000_000);
    assert_eq!(board.chip.spes, [0, 2, 4, 6, 7, 5, 3, 1]);
    assert_eq!((ps3.eib.halfway_clockwise_only, board.eib.halfway_clockwise_only), (0, 1));
    assert_eq!(ps3.eib, Eib { halfway_clockwise_only: 0, ..board.eib });
    assert_eq!(ps3.spes_on_chip(), 8);
    assert_eq!(
        ps3.eib.command_issue_bus_cycles + ps3.eib.command_response_bus_cycles,
        50,
        "kistler2006: the command phase takes some 50 bus cycles"
    );
}

#[test]
fn the_papers_library_calls_are_sums_of_the_ps3s_system_calls() {
    // The times in the papers also include the kernel's register accesses, which the simulator adds by itself.
    let os = Machine::builtin("ps3").unwrap().os;
    let answer_ns = 2 * os.spufs_read_ns;
    assert!((5_400..=6_000).contains(&(os.spufs_write_ns + answer_ns)));
    assert!((27_400..=28_000).contains(&(os.file_open_ns + os.spufs_write_ns + os.file_close_ns + answer_ns)));
    assert_eq!(os.thread_create_ns + os.thread_join_ns, 1_680_000);
}

#[test]
fn a_file_overrides_single_values_of_its_base() {
    let entry = r#"{ value = 4, unit = "entries", basis = "assumed", range = [2, 8], source = "what if" }"#;
    let machine = parse(&on_ps3(&mfc(entry)));
    let ps3 = Machine::builtin("ps3").unwrap();
    assert_eq!(machine.mfc.spu_queue_entries, 4);
    assert_eq!(machine.mfc.proxy_queue_entries, ps3.mfc.proxy_queue_entries);
    assert_eq!((machine.name.as_str(), machine.description.as_str()), ("mine", ""));

    let value = machine.values().iter().find(|value| value.key == "mfc.spu_queue_entries").unwrap();
    assert_eq!(value.text(), "4");
    assert_eq!(value.unit, "entries");
    assert_eq!(value.basis, Basis::Assumed);
    assert_eq!(value.range, Some((2, 8)));
    assert_eq!(value.source, "what if");
    assert_eq!(value.doc, "Entries of the queue for the SPU's own commands.");
    assert_eq!(value.base, None);
    // All other values come from the base, or from the base of the base.
    let base = |key| machine.values().iter().find(|value| value.key == key).unwrap().base;
    assert_eq!((base("chip.spes"), base("mfc.proxy_queue_entries")), (Some("ps3"), Some("cell-be")));
    assert_eq!(machine.values().len(), ps3.values().len());
}

#[test]
fn values_are_listed_section_by_section() {
    let listed = Machine::builtin("ps3").unwrap();
    let mut sections: Vec<_> = listed.values().iter().map(|value| value.key.split_once('.').unwrap().0).collect();
    sections.dedup();
    assert_eq!(sections, Machine::sections().map(|(name, _)| name).collect::<Vec<_>>());
    assert!(Machine::sections().all(|(_, doc)| doc.ends_with('.')));
}

#[test]
fn a_file_may_name_itself() {
    let machine = parse("base = \"ps3\"\nname = \"console\"\ndescription = \"Mine.\"");
    assert_eq!((machine.name.as_str(), machine.description.as_str()), ("console", "Mine."));
}

#[test]
fn chips_from_one_to_sixteen_spes() {
    let sixteen = Machine::parse(SIXTEEN_SPES, "machines/examples/sixteen-spes.toml").unwrap();
    assert_eq!(sixteen.name, "sixteen-spes");
    assert_eq!((sixteen.spes_on_chip(), sixteen.chip.spes.len()), (16, 16));
    assert_eq!(sixteen.eib.clockwise_rings, 3);

    let one = parse(&on_ps3(
        "[chip]\nspes = { value = [0], unit = 'SPEs', basis = 'assumed', source = 'what if' }\n\
         [eib]\nring = { value = ['PPE', 'SPE0', 'MIC'], unit = 'elements', basis = 'assumed', source = 'what if' }",
    ));
    assert_eq!((one.spes_on_chip(), one.eib.ring.len()), (1, 3));
}

#[test]
fn the_blades_are_two_of_the_same_chip() {
    let [ps3, qs20, blade] = ["ps3", "qs20", "blade-2100"].map(|name| Machine::builtin(name).unwrap());
    assert_eq!((qs20.bus_hz(), blade.bus_hz()), (1_600_000_000, 1_050_000_000));
    assert_eq!([0, 1, 20, 1_000].map(|ns| blade.bus_cycles_in_ns(ns)), [0, 1, 21, 1_050]);
    assert_eq!((qs20.chip.main_memory_bytes, blade.chip.main_memory_bytes), (1 << 30, 512 << 20));
    for two in [&qs20, &blade] {
        assert_eq!((two.bif.chips, two.spes_on_chip(), two.spe_count(), two.chip.spes.len()), (2, 8, 16, 16));
        assert_eq!(two.mfc, ps3.mfc);
        // The DRAM's times do not depend on the chip's clock.
        let ns = |machine: &Machine| machine.mic.bank_busy_bus_cycles as f64 * 1e9 / machine.bus_hz() as f64;
        assert!((ns(two) - ns(&ps3)).abs() <= 0.5e9 / two.bus_hz() as f64);
    }
    assert_eq!((ps3.bif.chips, ps3.spe_count()), (1, 8));
    assert!((1e9 / qs20.chip.timebase_hz as f64 - 70.0).abs() < 1e-5);
}

#[test]
fn a_second_chip_takes_an_interface_and_whole_pages_of_memory() {
    let ring = "[eib]\nring = { value = ['PPE', 'SPE0', 'MIC'], unit = 'elements', basis = 'assumed', source = 's' }";
    let chip = "[chip]\nspes = { value = [0], unit = 'SPEs', basis = 'assumed', source = 's' }";
    let two = "[bif]\nchips = { value = 2, unit = 'chips', basis = 'measured', source = 's' }";
    refused(&format!("{chip}\n{ring}\n{two}"), "mine.toml: bif.chips: value is 2; must be 1 without IOIF0 on eib.ring");
    let memory = "main_memory_bytes = { value = 209780736, unit = 'bytes', basis = 'measured', source = 's' }";
    refused(
        &format!("[chip]\n{memory}\n{two}"),
        "mine.toml: chip.main_memory_bytes: value is 209780736; must be a multiple of 131072 (64 KiB pages at each chip)",
    );
}

#[test]
fn the_hash_follows_values_and_nothing_else() {
    let hash = |value: u32, source: &str| {
        let entry = format!("{{ value = {value}, unit = 'entries', basis = 'documented', source = '{source}' }}");
        parse(&on_ps3(&mfc(&entry))).hash()
    };
    let ps3 = Machine::builtin("ps3").unwrap().hash();
    assert_eq!(ps3.len(), 16);
    assert!(ps3.bytes().all(|digit| digit.is_ascii_hexdigit()));
    assert_eq!(hash(16, "one"), ps3);
    assert_eq!(hash(16, "another"), ps3);
    assert_ne!(hash(15, "one"), ps3);
    assert_ne!(Machine::builtin("eval-board").unwrap().hash(), ps3);
}

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
    refused(&mfc("16"), &format!("{key}: is an integer; must be {template}"));
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
        &format!("{key}: basis is \"guessed\"; must be one of documented, measured, derived, fitted, assumed"),
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
