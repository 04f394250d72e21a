//! Machines that were never built: the evaluation board with random values.

use super::board;
use cell::machine::Machine;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::ops::RangeInclusive;

/// One value of a machine file: its key, and the value's text.
pub type Override = (&'static str, String);

/// The evaluation board with some values changed.
pub fn board_with(overrides: &[Override]) -> Machine {
    let known = board();
    let mut text = "base = \"eval-board\"\n".to_string();
    let mut section = "";
    let mut sorted = overrides.to_vec();
    sorted.sort();
    for (key, value) in &sorted {
        let unit = known.values().iter().find(|known| known.key == *key).expect("a key of a machine file").unit;
        let (of, name) = key.split_once('.').expect("a section and a name");
        if of != section {
            section = of;
            text += &format!("[{of}]\n");
        }
        text +=
            &format!("{name} = {{ value = {value}, unit = \"{unit}\", basis = \"measured\", source = \"a test\" }}\n");
    }
    Machine::parse(&text, "random.toml").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A value between two bounds, inclusive.
fn number(key: &'static str, low: u64, high: u64) -> BoxedStrategy<Override> {
    (low..=high).prop_map(move |value| (key, value.to_string())).boxed()
}

/// A power of two whose exponent is between two bounds, inclusive.
fn power(key: &'static str, low: u32, high: u32) -> BoxedStrategy<Override> {
    (low..=high).prop_map(move |exponent| (key, (1u64 << exponent).to_string())).boxed()
}

/// A usual value or, in a quarter of all cases, any value that a machine file may have.
fn number_or_any(
    key: &'static str,
    usual: RangeInclusive<u64>,
    allowed: RangeInclusive<u64>,
) -> BoxedStrategy<Override> {
    prop_oneof![3 => usual, 1 => allowed].prop_map(move |value| (key, value.to_string())).boxed()
}

/// Numbers of clockwise and counterclockwise rings: at least one in total, and at most `in_direction_max` in
/// each direction.
fn ring_counts(in_direction_max: u32) -> impl Strategy<Value = (u32, u32)> {
    let choices = in_direction_max + 1;
    (1..choices * choices).prop_map(move |both| (both / choices, both % choices))
}

/// Rings of 1 to 16 SPEs and the other elements in any order. All SPEs are usable, in the order of their numbers.
/// `counts` produces the numbers of clockwise and counterclockwise rings.
fn rings(counts: impl Strategy<Value = (u32, u32)>) -> impl Strategy<Value = Vec<Override>> {
    let elements = (1..=16usize, 0..=2usize).prop_map(|(spes, interfaces)| {
        let mut names: Vec<String> = (0..spes).map(|spe| format!("SPE{spe}")).collect();
        names.extend(["PPE", "MIC", "IOIF0", "IOIF1"].map(String::from).into_iter().take(2 + interfaces));
        names
    });
    (elements.prop_shuffle(), counts, 1..=2usize).prop_map(|(names, (clockwise, counter), chips)| {
        let has_link = names.iter().any(|name| name == "IOIF0");
        let spes = names.iter().filter(|name| name.starts_with("SPE")).count();
        let chips = if has_link && spes <= 8 { chips } else { 1 };
        vec![
            ("eib.ring", format!("{names:?}")),
            ("chip.spes", format!("{:?}", (0..spes * chips).collect::<Vec<_>>())),
            ("bif.chips", chips.to_string()),
            ("eib.clockwise_rings", clockwise.to_string()),
            ("eib.counterclockwise_rings", counter.to_string()),
        ]
    })
}

/// Values of the data arbiter: the usual ones, and all that a machine file may have.
const ARBITER: [(&str, RangeInclusive<u64>, RangeInclusive<u64>); 7] = [
    ("eib.hop_bus_cycles", 1..=4, 1..=16),
    ("eib.ring_start_gap_bus_cycles", 0..=9, 0..=64),
    ("eib.grants_per_bus_cycle", 1..=4, 1..=16),
    ("eib.home_ring_wait_bus_cycles", 0..=64, 0..=1000),
    ("eib.start_gap_wait_bus_cycles", 0..=16, 0..=1000),
    ("eib.direction_start_gap_bus_cycles", 0..=4, 0..=64),
    ("eib.halfway_clockwise_only", 0..=1, 0..=1),
];

/// Values of the bus.
fn bus() -> Vec<BoxedStrategy<Override>> {
    let mut values = vec![power("eib.beat_bytes", 2, 7)];
    values.extend(ARBITER.map(|(key, usual, _)| number(key, *usual.start(), *usual.end())));
    values.extend([
        number("eib.data_request_bus_cycles", 0, 10),
        number("eib.command_issue_bus_cycles", 0, 30),
        number("eib.command_response_bus_cycles", 1, 40),
        number("eib.commands_per_bus_cycle", 1, 4),
        number("eib.command_credits", 1, 32),
        number("eib.line_read_bus_cycles", 0, 100),
        number("eib.line_write_bus_cycles", 0, 100),
        number("eib.retry_bus_cycles", 1, 60),
        number("eib.most_retries", 1, 20),
        number("bif.lanes_from_chip_0", 1, 8),
        number("bif.lanes_from_chip_1", 1, 8),
        number("bif.latency_bus_cycles", 0, 100),
        number("bif.outstanding_lines", 1, 64),
        number("bif.reflection_bus_cycles", 0, 400),
        number("bif.global_command_bus_cycles", 1, 8),
    ]);
    values
}

/// Random values for all other units.
fn units() -> Vec<BoxedStrategy<Override>> {
    vec![
        number("chip.processor_cycles_per_bus_cycle", 1, 16),
        number("mfc.spu_queue_entries", 1, 32),
        number("mfc.proxy_queue_entries", 1, 32),
        number("mfc.outstanding_reads", 1, 64),
        number("mfc.outstanding_writes", 1, 64),
        number("mfc.issue_bus_cycles", 0, 30),
        number("mfc.unroll_bus_cycles", 1, 10),
        number("mfc.command_bus_cycles", 0, 60),
        number("mfc.list_element_bus_cycles", 0, 20),
        number("mfc.completion_bus_cycles", 0, 20),
        number("mfc.local_store_read_bus_cycles", 0, 20),
        number("mfc.local_store_write_bus_cycles", 0, 20),
        number("mfc.register_access_bus_cycles", 0, 20),
        number("mfc.inbound_mailbox_entries", 1, 16),
        power("translation.function_page_bytes", 12, 24),
        number("translation.segment_entries", 1, 8),
        number("translation.segment_fault_ns", 0, 300),
        power("translation.mfc_tlb_entries", 4, 8),
        power("translation.mfc_tlb_ways", 0, 4),
        number("translation.mfc_walk_bus_cycles", 0, 100),
        number("atomic.cache_lines", 1, 8),
        number("atomic.keep_bus_cycles", 0, 100),
        number("atomic.getllar_hit_bus_cycles", 1, 60),
        number("atomic.putllc_hit_bus_cycles", 1, 60),
        number("atomic.intervention_bus_cycles", 0, 60),
        number("spu.channel_write_spu_cycles", 1, 10),
        number("spu.channel_read_spu_cycles", 1, 10),
        power("mic.channels", 0, 2),
        power("mic.banks_per_channel", 0, 6),
        power("mic.channel_bytes_per_bus_cycle", 0, 7),
        number("mic.read_latency_bus_cycles", 1, 200),
        number("mic.bank_busy_bus_cycles", 1, 100),
        number("mic.turnaround_bus_cycles", 0, 30),
        number("mic.read_queue_entries", 1, 64),
        number("mic.write_queue_entries", 16, 64),
        number("mic.write_high_water_entries", 1, 16),
        power("mic.minimum_burst_bytes", 0, 7),
        number("mic.write_gap_bus_cycles", 0, 5),
        number("mic.write_complete_bus_cycles", 0, 120),
        number("mic.refresh_interval_bus_cycles", 400, 2000),
        number("mic.refresh_bus_cycles", 0, 200),
    ]
}

/// A random machine, whose debug output shows only the changed values.
#[derive(Clone)]
pub struct AnyMachine(Machine, Vec<Override>);

impl std::ops::Deref for AnyMachine {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.0
    }
}

impl std::fmt::Debug for AnyMachine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.1.iter().try_for_each(|(key, value)| writeln!(f, "{key} = {value}"))
    }
}

fn assembled(overrides: Vec<Override>) -> AnyMachine {
    AnyMachine(board_with(&overrides), overrides)
}

/// Any machine.
pub fn any_machine() -> impl Strategy<Value = AnyMachine> {
    let clock = Just(vec![("chip.processor_clock_hz", (720_720 * 2000).to_string())]);
    (rings(ring_counts(3)), bus(), units(), clock)
        .prop_map(|parts| assembled([parts.0, parts.1, parts.2, parts.3].concat()))
}

/// The evaluation board with a random bus.
pub fn any_bus() -> impl Strategy<Value = AnyMachine> {
    (rings(ring_counts(3)), bus()).prop_map(|parts| assembled([parts.0, parts.1].concat()))
}

/// The evaluation board with a random data arbiter: random values for everything that affects the grants of rings.
pub fn any_arbiter() -> impl Strategy<Value = AnyMachine> {
    let mut values = vec![prop_oneof![3 => power("eib.beat_bytes", 2, 7), 1 => power("eib.beat_bytes", 0, 7)].boxed()];
    values.extend(ARBITER.map(|(key, usual, allowed)| number_or_any(key, usual, allowed)));
    let counts = prop_oneof![3 => ring_counts(3), 1 => ring_counts(8)];
    (rings(counts), values).prop_map(|parts| assembled([parts.0, parts.1].concat()))
}

/// Sections and values that random machines have from the board: other units, and values that programs rely on.
const AS_ON_THE_BOARD: [&str; 32] = [
    "chip.timebase_hz",
    "chip.main_memory_bytes",
    "eib.cached_match_bus_cycles",
    "mfc.local_store_bytes",
    "mfc.max_transfer_bytes",
    "mfc.max_list_elements",
    "mfc.outbound_mailbox_entries",
    "mfc.outbound_interrupt_mailbox_entries",
    "atomic.l2_claim_retries",
    "spu.local_store_access_spu_cycles",
    "spu.extract_spu_cycles",
    "spu.merge_spu_cycles",
    "spu_pipeline",
    "mic.masked_write_minimum_bytes",
    "bif.lane_bytes_per_second",
    "bif.interleave_pages",
    "bif.interleave_page_bytes",
    "ppe",
    "ppe_core",
    "ppe_memory",
    "translation.page_bytes",
    "translation.huge_page_bytes",
    "translation.storage_fault_ns",
    "translation.erat_entries",
    "translation.erat_ways",
    "translation.erat_miss_spu_cycles",
    "translation.ppe_tlb_entries",
    "translation.ppe_tlb_ways",
    "translation.ppe_walk_spu_cycles",
    "os",
    "linux",
    "software",
];

#[test]
fn random_machines_vary_every_other_value() {
    let tree = any_machine().new_tree(&mut TestRunner::deterministic()).expect("a machine");
    let random: Vec<&str> = tree.current().1.iter().map(|(key, _)| *key).collect();
    let section = |key: &'static str| key.split_once('.').expect("a section and a name").0;
    let machine = board();
    let fixed = machine.values().iter().map(|value| value.key).filter(|key| !random.contains(key));
    let varied = |of: &str| random.iter().any(|key| section(key) == of);
    let mut fixed: Vec<&str> = fixed.map(|key| if varied(section(key)) { key } else { section(key) }).collect();
    fixed.dedup();
    assert_eq!(fixed, AS_ON_THE_BOARD);
}
