//! Tests of the breakdown of one DMA: the components add up to the latency, and each component measures what its name
//! says.

use crate::common::machines::{any_bus, any_machine};
use crate::common::{board, ps3};
use cell::machine::Machine;
use cellstats::{Breakdown, MeasureError, Parameters, PlacementChoice, Request, breakdown, measure};
use proptest::prelude::*;

const SIXTEEN_SPES: &str = include_str!("../../../machines/examples/sixteen-spes.toml");
const GOLDEN: &str = include_str!("../../cell/tests/machines/golden.toml");

const DMAS: [&str; 4] = ["dmaget", "dmaput", "dmalistget", "dmalistput"];

/// A FUNCTION and its parameters.
type Asked = (&'static str, Parameters);

fn machines() -> [Machine; 4] {
    let parse = |text, origin| Machine::parse(text, origin).expect("a machine");
    [ps3(), board(), parse(SIXTEEN_SPES, "sixteen-spes.toml"), parse(GOLDEN, "golden.toml")]
}

fn is_list(function: &str) -> bool {
    function.starts_with("dmalist")
}

fn dma(function: &'static str, spe_to_spe: bool, size: u32, elements: u32) -> Asked {
    let list_elements = is_list(function).then_some(elements);
    (function, Parameters { spe_to_spe, size: Some(size), list_elements, ..Parameters::default() })
}

fn request(machine: &Machine, (function, given): &Asked) -> Request {
    Request::new(function, given, machine).expect("parameters that can be")
}

fn apart(machine: &Machine, asked: &Asked) -> Breakdown {
    breakdown(machine, &request(machine, asked), || true).expect("a breakdown")
}

/// Names of the components and their lengths in bus cycles, rounded down.
fn bus_cycles(breakdown: &Breakdown) -> Vec<(&'static str, u64)> {
    let ratio = breakdown.spu_cycles_per_bus_cycle;
    breakdown.components.iter().map(|part| (part.component, part.spu_cycles / ratio)).collect()
}

#[test]
fn the_put_of_table_1_of_kistler2006() {
    let parts = bus_cycles(&apart(&board(), &dma("dmaput", true, 128, 1)));
    let expected =
        [("dma_issue", 6), ("dma_to_eib", 15), ("coherence_protocol", 50), ("data_transfer", 43), ("completion", 37)];
    assert_eq!(parts, expected);
}

/// The latency that the machine's counters record for the same DMA, from `MFC_Cmd` until the tag status shows its end.
/// As in a breakdown, the list is built beforehand and no refresh intervenes.
fn noted_bus_cycles(machine: &Machine, (function, given): &Asked) -> u64 {
    let mut machine = machine.clone();
    machine.software.list_spu_cycles = 0;
    machine.mic.refresh_bus_cycles = 0;
    let machine = &machine;
    let given = Parameters { iterations: Some(1), histogram: true, ..given.clone() };
    let measured = measure(machine, &request(machine, &(function, given)), || true).expect("a result");
    let latencies: Vec<_> = measured.counters.latencies.iter().flatten().collect();
    let [(latency, 1)] = latencies[..] else { panic!("one DMA: {latencies:?}") };
    *latency
}

#[test]
fn all_but_the_issue_is_the_latency_that_the_machine_notes_and_one_channel_read() {
    for machine in machines() {
        let ratio = machine.chip.processor_cycles_per_bus_cycle;
        for function in DMAS {
            for (spe_to_spe, size, elements) in [(true, 128, 1), (false, 128, 3), (true, 2048, 2), (false, 16, 1)] {
                let params = dma(function, spe_to_spe, size, elements);
                let breakdown = apart(&machine, &params);
                let after_issue = breakdown.total_spu_cycles() - breakdown.components[0].spu_cycles;
                let noted = noted_bus_cycles(&machine, &params) * ratio + machine.spu.channel_read_spu_cycles;
                assert_eq!(after_issue, noted, "{} {params:?}", machine.name);
            }
        }
    }
}

#[test]
fn a_loop_that_waits_for_every_dma_takes_as_long_as_the_components() {
    for mut machine in machines() {
        // In a breakdown, the list is built beforehand.
        machine.software.list_spu_cycles = 0;
        for (function, size) in [("dmaput", 128), ("dmaget", 1024), ("dmalistput", 512)] {
            let params = dma(function, true, size, 1);
            let breakdown = apart(&machine, &params);
            let looped = measure(&machine, &request(&machine, &params), || true).expect("a result");
            let total_ns = breakdown.total_spu_cycles() as f64 * 1e9 / breakdown.spu_hz as f64;
            assert!((looped.latency_ns - total_ns).abs() < 0.01, "{}: {} {total_ns}", machine.name, looped.latency_ns);
        }
    }
}

#[test]
fn only_lists_fetch_elements_and_only_what_is_longer_than_a_line_has_further_lines() {
    for function in DMAS {
        for (size, elements) in [(16, 1), (128, 1), (144, 1), (128, 2), (16384, 1)] {
            let parts = bus_cycles(&apart(&ps3(), &dma(function, false, size, elements)));
            let has = |name| parts.iter().any(|(component, _)| *component == name);
            let lines = if is_list(function) { size.div_ceil(128) * elements } else { size.div_ceil(128) };
            assert_eq!(has("list_element_fetch"), is_list(function));
            assert_eq!(has("further_lines"), lines > 1, "{function:?} {size} {elements}");
            let ends = (parts[0].0, parts[parts.len() - 1].0);
            assert_eq!(ends, ("dma_issue", "completion"));
        }
    }
}

/// The name of a machine value, a function that increases the value by a number of bus cycles, and the component that
/// grows.
type Change = (&'static str, fn(&mut Machine, u64), &'static str);

fn of_all_dmas() -> Vec<Change> {
    vec![
        ("issue", |machine, by| machine.mfc.issue_bus_cycles += by, "dma_to_eib"),
        ("command_issue", |machine, by| machine.eib.command_issue_bus_cycles += by, "coherence_protocol"),
        ("command_response", |machine, by| machine.eib.command_response_bus_cycles += by, "coherence_protocol"),
        ("data_request", |machine, by| machine.eib.data_request_bus_cycles += by, "data_transfer"),
        ("local_store_read", |machine, by| machine.mfc.local_store_read_bus_cycles += by, "data_transfer"),
        ("local_store_write", |machine, by| machine.mfc.local_store_write_bus_cycles += by, "data_transfer"),
        ("completion", |machine, by| machine.mfc.completion_bus_cycles += by, "completion"),
        (
            "channel_read",
            |machine, by| machine.spu.channel_read_spu_cycles += by * machine.chip.processor_cycles_per_bus_cycle,
            "completion",
        ),
    ]
}

fn of_lists() -> Vec<Change> {
    vec![("list_element", |machine, by| machine.mfc.list_element_bus_cycles += by, "list_element_fetch")]
}

/// The components that `change` lengthens or shortens, with the difference in SPU cycles.
fn moved(machine: &Machine, params: &Asked, change: impl Fn(&mut Machine)) -> Vec<(&'static str, i64)> {
    let mut changed = machine.clone();
    change(&mut changed);
    let (before, after) = (apart(machine, params), apart(&changed, params));
    let pairs = before.components.iter().zip(&after.components);
    let differences = pairs.map(|(before, after)| {
        assert_eq!(before.component, after.component);
        (before.component, after.spu_cycles as i64 - before.spu_cycles as i64)
    });
    differences.filter(|(_, difference)| *difference != 0).collect()
}

fn moves_only(machine: &Machine, params: &Asked, (name, change, component): Change, by: u64) {
    let spu_cycles = (by * machine.chip.processor_cycles_per_bus_cycle) as i64;
    let crosses = apart(machine, params).components.iter().any(|part| part.component == "onward_transfer");
    let components = match name {
        // A line that crosses the interface requests a ring on the other chip and is written to a local store there.
        "local_store_write" if crosses => vec!["onward_transfer"],
        "data_request" if crosses => vec!["data_transfer", "chip_to_chip_interface"],
        _ => vec![component],
    };
    let expected: Vec<_> = components.into_iter().map(|component| (component, spu_cycles)).collect();
    let moved = moved(machine, params, |machine| change(machine, by));
    assert_eq!(moved, expected, "{name} + {by} on {}: {params:?}", machine.name);
}

#[test]
fn a_value_of_the_machine_moves_its_component_and_no_other() {
    for machine in machines() {
        for function in DMAS {
            for by in [1, 6, 25] {
                let params = dma(function, true, 128, 1);
                let more = if is_list(function) { of_lists() } else { vec![] };
                of_all_dmas().into_iter().chain(more).for_each(|change| moves_only(&machine, &params, change, by));
            }
        }
    }
}

#[test]
fn further_lines_move_nothing_but_themselves() {
    let slow: Change = ("unroll", |machine, by| machine.mfc.unroll_bus_cycles += 8 + by, "further_lines");
    for machine in machines() {
        for function in DMAS {
            let moved = moved(&machine, &dma(function, true, 2048, 1), |machine| slow.1(machine, 1));
            let [(component, spu_cycles)] = moved[..] else { panic!("one component: {moved:?}") };
            assert_eq!((component, spu_cycles > 0), (slow.2, true), "{}", machine.name);
        }
    }
}

#[test]
fn memory_is_part_of_the_data_transfer_of_gets_and_no_part_of_puts() {
    let change: Change = ("read_latency", |machine, by| machine.mic.read_latency_bus_cycles += by, "data_transfer");
    for machine in machines() {
        moves_only(&machine, &dma("dmaget", false, 128, 1), change, 10);
        assert_eq!(moved(&machine, &dma("dmaput", false, 128, 1), |machine| change.1(machine, 10)), []);
    }
}

/// A DMA of one line between SPEs of different chips.
fn across(function: &'static str) -> Asked {
    let placement = PlacementChoice::Explicit(vec![0, 8]);
    (function, Parameters { placement, ..dma(function, true, 128, 1).1 })
}

#[test]
fn what_crosses_has_an_interface_of_its_own_between_its_two_rings() {
    let blade = Machine::builtin("qs20").expect("a machine that comes with the simulator");
    let longer: Change = ("latency", |machine, by| machine.bif.latency_bus_cycles += by, "chip_to_chip_interface");
    let reflection: Change =
        ("reflection", |machine, by| machine.bif.reflection_bus_cycles += by, "coherence_protocol");
    for function in DMAS {
        let parts = bus_cycles(&apart(&blade, &across(function)));
        let place = parts.iter().position(|(name, _)| *name == "data_transfer").expect("its first ring");
        assert_eq!([parts[place + 1].0, parts[place + 2].0], ["chip_to_chip_interface", "onward_transfer"]);
        moves_only(&blade, &across(function), longer, 25);
        moves_only(&blade, &across(function), reflection, 25);
        of_all_dmas().into_iter().for_each(|change| moves_only(&blade, &across(function), change, 25));
        assert_eq!(moved(&blade, &dma(function, true, 128, 1), |machine| longer.1(machine, 25)), []);
    }
}

#[test]
fn what_crosses_while_its_response_is_awaited_costs_nothing_more() {
    let blade = Machine::builtin("qs20").expect("a machine that comes with the simulator");
    let far = |function| {
        let cells = Some("1".to_string());
        (function, Parameters { cells, ..dma(function, false, 128, 1).1 })
    };
    for function in DMAS {
        assert_eq!(moved(&blade, &far(function), |machine| machine.bif.latency_bus_cycles += 25), []);
    }
}

#[test]
fn channel_writes_are_the_issue() {
    for machine in machines() {
        let ratio = machine.chip.processor_cycles_per_bus_cycle;
        let slower = |machine: &mut Machine| machine.spu.channel_write_spu_cycles += ratio;
        let moved = moved(&machine, &dma("dmaput", true, 128, 1), slower);
        // The six channel writes: local-store address, both halves of the effective address, size, tag, and command.
        assert_eq!(moved, [("dma_issue", 6 * ratio as i64)], "{}", machine.name);
    }
}

#[test]
fn nothing_disturbs_the_dma() {
    // These values matter only if other SPEs are active, or if the SPE does not wait for the previous DMA.
    for machine in machines() {
        for function in DMAS {
            let busier = |machine: &mut Machine| {
                machine.eib.line_read_bus_cycles += 500;
                machine.eib.line_write_bus_cycles += 500;
                machine.eib.command_credits = 1;
                machine.mfc.command_bus_cycles += 3;
                machine.software.iteration_spu_cycles += 6;
            };
            assert_eq!(moved(&machine, &dma(function, false, 128, 1), busier), [], "{} {function:?}", machine.name);
        }
    }
}

#[test]
fn what_is_not_one_dma_is_refused() {
    for function in ["hotspot", "fetchadd", "mailbox", "mkthread"] {
        let asked = (function, Parameters::default());
        let error = breakdown(&ps3(), &request(&ps3(), &asked), || true).expect_err("no DMA");
        let refused = matches!(error, MeasureError::Refused(_));
        assert!(refused && error.to_string().starts_with(&format!("{function} is not a single DMA")), "{error}");
    }
    let error = breakdown(&ps3(), &request(&ps3(), &dma("dmaget", false, 24, 1)), || true).expect_err("a bad size");
    assert!(error.to_string().starts_with("size 24: "), "{error}");
}

#[test]
fn what_else_could_be_measured_is_left_out() {
    let params = dma("dmaget", true, 256, 1);
    let many = Parameters { spes: Some(5), iterations: Some(7), batch: Some(16), ..params.1.clone() };
    let many = Parameters { private: true, stride: Some(512), histogram: true, fast_forward: Some(false), ..many };
    assert_eq!(apart(&ps3(), &("dmaget", many)), apart(&ps3(), &params));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On any machine, the components add up to the whole latency.
    #[test]
    fn components_are_the_whole_on_any_machine(
        machine in any_machine(),
        which in 0..DMAS.len(),
        spe_to_spe in any::<bool>(),
        size in prop_oneof![Just(16u32), Just(128), Just(1024)],
    ) {
        let params = dma(DMAS[which], spe_to_spe && machine.chip.spes.len() > 1, size, 2);
        let breakdown = apart(&machine, &params);
        let noted = noted_bus_cycles(&machine, &params) * machine.chip.processor_cycles_per_bus_cycle;
        let after_issue = breakdown.total_spu_cycles() - breakdown.components[0].spu_cycles;
        prop_assert!(after_issue + machine.chip.processor_cycles_per_bus_cycle > noted);
        let listed = breakdown.components.iter().any(|part| part.component == "list_element_fetch");
        prop_assert_eq!(listed, is_list(DMAS[which]));
    }

    /// At any bus frequency, a machine value changes its own component and no other component.
    #[test]
    fn a_value_moves_its_component_on_any_bus(machine in any_bus(), which in 0..DMAS.len(), nth in 0usize..8, by in 1u64..40) {
        if machine.chip.spes.len() > 1 {
            moves_only(&machine, &dma(DMAS[which], true, 128, 1), of_all_dmas()[nth], by);
        }
    }
}
