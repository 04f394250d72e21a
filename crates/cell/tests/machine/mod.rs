//! Machine files: values of the built-in files, and merging of a user's file with a built-in file.

mod mistakes;

use cell::machine::{Basis, Eib, Machine};

const SIXTEEN_SPES: &str = include_str!("../../../../machines/examples/sixteen-spes.toml");

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
            assert!(!value.source.trim().is_empty() && value.basis != Basis::Mine, "{name}: {}", value.key);
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
fn a_value_of_an_experiment_is_only_a_number() {
    let machine = parse(&on_ps3(&mfc("32")));
    let value = machine.values().iter().find(|value| value.key == "mfc.spu_queue_entries").expect("the value");
    assert_eq!((value.text(), value.basis, value.range, value.base), ("32".to_string(), Basis::Mine, None, None));
    let key = "mine.toml:3: mfc.spu_queue_entries";
    refused(&mfc("'32'"), &format!("{key}: value is a string; must be an integer"));
    refused(&mfc("33"), &format!("{key}: value is 33; must be 1 to 32 (entries)"));
}
