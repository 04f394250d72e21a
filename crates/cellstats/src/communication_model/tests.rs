use super::*;

fn pattern(messages: &[(Option<u8>, Option<u8>, u32)], threads: u32) -> Pattern {
    let transfer = |message: &(Option<u8>, Option<u8>, u32)| Transfer::new(message.0, message.1, message.2);
    Pattern { name: "test".into(), threads, phases: vec![messages.iter().map(transfer).collect()] }
}

fn busiest(machine: &str, pattern: &Pattern, spes: &[u32]) -> Vec<(String, u64, u64)> {
    let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
    let placement = Placement::new(spes, &machine).expect("SPEs that it has");
    let model = CommunicationModel::new(&machine, MemoryChoice::At(0));
    let mut phases = model.explanation(pattern, &placement);
    phases.swap_remove(0).into_iter().map(|load| (shown(&load.part), load.bytes, load.bus_cycles)).collect()
}

fn shown(Part { kind, elements, chips, clockwise }: &Part) -> String {
    let chips: Vec<String> = chips.iter().map(|chip| format!("Cell {chip}")).collect();
    let turning = clockwise.map(|clockwise| if clockwise { " clockwise" } else { " counterclockwise" });
    format!("{} {}{}{}", kind.name(), elements.join(" to "), chips.join(" to "), turning.unwrap_or_default())
}

fn cycles(machine: &str, pattern: &Pattern, spes: &[u32]) -> u64 {
    let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
    let placement = Placement::new(spes, &machine).expect("SPEs that it has");
    CommunicationModel::new(&machine, MemoryChoice::At(0)).cost(pattern, &placement).bus_cycles
}

/// Bus cycles that messages spend in each sending SPE's queue, and bus cycles for starting their transfers.
fn queues_and_starts(pairs: &[(u8, u8)]) -> (Vec<(String, u64)>, u64) {
    let messages: Vec<_> = pairs.iter().map(|(from, to)| (Some(*from), Some(*to), 12_800)).collect();
    let parts = busiest("eval-board", &pattern(&messages, 8), &[0, 1, 2, 3, 4, 5, 6, 7]);
    let of = |kind: &'static str| parts.iter().filter(move |(part, ..)| part.starts_with(kind));
    let mut queues: Vec<(String, u64)> = of("queue").map(|(part, _, cycles)| (part.clone(), *cycles)).collect();
    queues.sort();
    (queues, of("rings").map(|(.., cycles)| *cycles).max().unwrap_or(0))
}

fn waits(pairs: &[(u8, u8)]) -> Vec<u64> {
    queues_and_starts(pairs).0.into_iter().map(|(_, cycles)| cycles).collect()
}

// The order on the rings is PPE SPE1 SPE3 SPE5 SPE7 IOIF1 IOIF0 SPE6 SPE4 SPE2 SPE0 MIC. SPEs 1, 5, 6 and 2 share one
// home ring, and SPEs 3, 7, 4 and 0 share the other home ring. A hundred lines take 800 bus cycles.

#[test]
fn a_message_loads_the_shorter_way_and_both_ramps() {
    let one = pattern(&[(Some(0), Some(1), 1600)], 2);
    let parts = busiest("eval-board", &one, &[0, 4]);
    // The message goes counterclockwise; two rings run in that direction.
    let expected = [
        ("on-ramp SPE0", 100),
        ("off-ramp SPE4", 100),
        ("queue SPE0", 100),
        ("segment SPE2 to SPE4", 50),
        ("segment SPE0 to SPE2", 50),
        // Thirteen cache lines start, one every three bus cycles.
        ("rings Cell 0 counterclockwise", 39),
    ];
    assert_eq!(parts, expected.map(|(part, cycles)| (part.to_string(), 1600, cycles)));
}

#[test]
fn half_way_round_it_goes_clockwise_where_the_machine_says_so() {
    let loads = |halfway_clockwise_only| {
        let mut machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
        machine.eib.halfway_clockwise_only = halfway_clockwise_only;
        let one = pattern(&[(Some(0), Some(1), 1600)], 2);
        // SPE0 and SPE7 are six hops apart on a ring of twelve.
        let placement = Placement::new(&[0, 7], &machine).expect("SPEs that it has");
        let phases = CommunicationModel::new(&machine, MemoryChoice::At(0)).explanation(&one, &placement);
        let rings = |load: &&Load| load.part.kind == PartKind::Rings;
        let segments = phases[0].iter().filter(|load| load.part.kind == PartKind::Segment);
        let clockwise = phases[0].iter().filter(rings).map(|load| load.part.clockwise == Some(true));
        (segments.map(|load| load.bytes).collect::<Vec<u64>>(), clockwise.collect::<Vec<bool>>())
    };
    assert_eq!(loads(1), (vec![1600; 6], vec![true]));
    assert_eq!(loads(0).0, [800; 12]);
}

#[test]
fn messages_that_meet_on_one_home_ring_wait_for_each_other() {
    // 1 -> 6 and 5 -> 2 have the same home ring and share the path from 5 to 6; 3 -> 4 has the other home ring.
    assert_eq!(waits(&[(1, 6), (5, 2)]), [1600, 1600]);
    assert_eq!(waits(&[(1, 6), (3, 4)]), [800, 800]);
    // The two messages have the same home ring, but paths that do not overlap.
    assert_eq!(waits(&[(1, 5), (5, 6)]), [800, 800]);
}

#[test]
fn who_would_wait_long_leaves_the_home_ring() {
    // 7 -> 0 conflicts with both 3 -> 4 and 4 -> 1 on their common home ring. SPE7 would wait 16 bus cycles for each
    // line; instead, it takes the other ring after 10 bus cycles.
    assert_eq!(waits(&[(3, 4), (4, 1), (7, 0)]), [1600, 1600, 1800]);
    // On the other ring, 7 -> 0 conflicts with 5 -> 6 and 6 -> 1: for each line from SPE7, the two rings together carry
    // five lines.
    assert_eq!(waits(&[(3, 4), (4, 1), (7, 0), (5, 6), (6, 1)])[4], 2000);
}

#[test]
fn only_messages_of_the_same_turn_meet() {
    let pairs = [(Some(0), Some(1)), (Some(2), Some(3))];
    let of = |[(a, b), (c, d)]: [(Option<u8>, Option<u8>); 2]| [(a, b, 12_800), (c, d, 12_800)];
    let together = pattern(&of(pairs), 4);
    assert_eq!(busiest("eval-board", &together, &[1, 6, 5, 2])[0].2, 1600);
    // Thread 2 first sends to its neighbour, counterclockwise.
    let apart = pattern(&[&of(pairs)[..1], &[(Some(2), Some(4), 12_800)], &of(pairs)[1..]].concat(), 5);
    let parts = busiest("eval-board", &apart, &[1, 6, 5, 2, 3]);
    let queue = |name: &str| parts.iter().find(|(part, ..)| part == name).map(|(.., cycles)| *cycles);
    assert_eq!(queue("queue SPE1"), Some(800));
    assert_eq!(queue("queue SPE5"), Some(1600));
}

#[test]
fn a_ring_starts_every_three_cycles_and_a_direction_every_two() {
    // Messages of a hundred lines between neighbours: one message, two with the same home ring, and two with different
    // home rings.
    let starts = |pairs: &[(u8, u8)]| queues_and_starts(pairs).1;
    assert_eq!(starts(&[(1, 3)]), 300);
    assert_eq!(starts(&[(1, 3), (5, 7)]), 600);
    assert_eq!(starts(&[(1, 3), (7, 6)]), 400);
    // A transfer start on the other ring lengthens the gap between two starts from three bus cycles to four.
    assert_eq!(starts(&[(1, 3), (5, 7), (4, 2)]), 700);
}

#[test]
fn a_second_message_starts_when_the_first_ones_have() {
    // Four SPEs send to their neighbours on one home ring, and the other four SPEs on the other home ring.
    let [odd, even] = [[(1, 3), (5, 7), (6, 4), (2, 0)], [(3, 5), (4, 2), (0, 3), (7, 6)]];
    assert_eq!(queues_and_starts(&odd).1, 1200);
    let (queues, starts) = queues_and_starts(&[&odd[..], &even[..], &odd[..]].concat());
    // Both rings together start a line every two bus cycles. An SPE with a second message also waits until all second
    // messages have started.
    assert_eq!(starts, 1600 + 1200);
    let of = |name: &str| queues.iter().find(|(part, _)| part == name).map(|(_, cycles)| *cycles);
    assert_eq!((of("queue SPE1"), of("queue SPE3")), (Some(1600 + 1200), Some(1600)));
}

#[test]
fn what_comes_from_memory_starts_on_any_ring() {
    // MIC and SPE1 have the same home ring. If lines from MIC had to use this ring, every pair of lines would take six
    // bus cycles.
    let two = pattern(&[(None, Some(0), 12_800), (Some(1), Some(2), 12_800)], 3);
    let starts = |pattern: &Pattern, spes: &[u32]| {
        let parts = busiest("eval-board", pattern, spes);
        parts.into_iter().find(|(part, ..)| part.starts_with("rings")).map(|(.., cycles)| cycles)
    };
    assert_eq!(starts(&two, &[1, 5, 7]), Some(400));
}

#[test]
fn a_phase_takes_as_long_as_its_beginning_and_end_besides() {
    // Three commands follow each other: each takes 15 + 20 + 30 bus cycles for the command, 12 + 10 + 12 for the data,
    // and 34 for the completion.
    let one = |threads| pattern(&[(Some(0), Some(1), 1600)], threads);
    assert_eq!(cycles("eval-board", &one(2), &[0, 2]), 100 + 3 * 133);
}

#[test]
fn memory_and_the_interface_are_parts_too() {
    let gets = pattern(&[(None, Some(0), 1600), (None, Some(1), 1600)], 2);
    assert_eq!(busiest("eval-board", &gets, &[0, 2])[0], ("on-ramp MIC".into(), 3200, 200));
    // The message of 16000 bytes crosses between the chips. Six lanes of 5 GB/s lead from chip 0, and four from chip 1.
    let across = pattern(&[(Some(0), Some(1), 16_000)], 2);
    let crossing = |spes: &[u32]| {
        let parts = busiest("qs20", &across, spes);
        parts.into_iter().find(|(part, ..)| part.starts_with("crossing")).expect("it crosses")
    };
    assert_eq!(crossing(&[0, 8]), ("crossing Cell 0 to Cell 1".into(), 16_000, 854));
    assert_eq!(crossing(&[8, 0]), ("crossing Cell 1 to Cell 0".into(), 16_000, 1280));
}

// A line from an SPE to an SPE of the other chip takes 30 + 320 bus cycles until the response to its command, 12 + 10 +
// 8 to IOIF0, 7 + 10 to cross, and 8 + 12 to the local store: 417 bus cycles.

#[test]
fn an_spe_has_so_many_lines_under_way_to_the_other_chip() {
    let across = pattern(&[(Some(0), Some(1), 12_800)], 2);
    let outstanding = |spes: &[u32]| {
        let parts = busiest("qs20", &across, spes);
        parts.into_iter().find(|(part, ..)| part.starts_with("outstanding")).map(|(part, _, cycles)| (part, cycles))
    };
    // An SPE may have sixteen outstanding writes.
    assert_eq!(outstanding(&[0, 8]), Some(("outstanding writes SPE0".into(), (100 * 417u64).div_ceil(16))));
    assert_eq!(outstanding(&[0, 2]), None);
}

#[test]
fn requests_of_a_chip_share_the_places_of_the_interface() {
    let places = |pairs: &[(u8, u8)], spes: &[u32]| {
        let messages: Vec<_> = pairs.iter().map(|(from, to)| (Some(*from), Some(*to), 12_800)).collect();
        let parts = busiest("qs20", &pattern(&messages, 4), spes);
        let places = parts.into_iter().filter(|(part, ..)| part.starts_with("places"));
        places.map(|(part, _, cycles)| (part, cycles)).collect::<Vec<_>>()
    };
    // Both senders share the twenty-five entries of the interface.
    let both = (200 * 417u64).div_ceil(25);
    assert_eq!(places(&[(0, 2), (1, 3)], &[0, 2, 8, 10]), [("places Cell 0".into(), both)]);
    // Each chip has its own entries of the interface. Fewer lanes lead from chip 1, so its lines take 4 bus cycles
    // longer.
    let each = [("places Cell 1".into(), 100 * 421 / 25), ("places Cell 0".into(), 100 * 417 / 25)];
    assert_eq!(places(&[(0, 2), (3, 1)], &[0, 2, 8, 10]), each);
    assert_eq!(places(&[(0, 2), (1, 3)], &[0, 8, 2, 10]), []);
}

#[test]
fn reads_of_the_other_memory_take_the_places_of_who_asks() {
    let get = pattern(&[(None, Some(0), 12_800)], 1);
    let parts = busiest("qs20", &get, &[8]);
    let of = |name: &str| parts.iter().find(|(part, ..)| part == name).map(|(.., cycles)| *cycles);
    // The memory read overlaps the 30 + 320 bus cycles in which both chips see the command; 8 + 12 bus cycles follow.
    assert_eq!(of("places Cell 1"), Some(100 * 370 / 25));
    assert_eq!(of("outstanding reads SPE8"), Some((100 * 370u64).div_ceil(16)));
    assert_eq!(of("crossing Cell 0 to Cell 1"), Some(683));
}

#[test]
fn of_equal_times_the_more_even_load_is_better() {
    let machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    let model = CommunicationModel::new(&machine, MemoryChoice::At(0));
    let two = pattern(&[(Some(0), Some(1), 1600), (Some(2), Some(3), 1600)], 4);
    let cost = |spes: &[u32]| model.cost(&two, &Placement::new(spes, &machine).expect("SPEs that it has"));
    // The first placement has overlapping paths, the second has disjoint paths.
    let (over, beside) = (cost(&[1, 5, 3, 7]), cost(&[1, 3, 5, 7]));
    assert_eq!(over.bus_cycles, beside.bus_cycles);
    assert!(beside < over);
}
