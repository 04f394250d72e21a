//! Exact fast-forward: leaving out what repeats changes nothing, to the bit.
//!
//! Random FUNCTIONs with random parameters, measured the long way and the short way, give the same
//! JSON: times, per-SPE ticks, every counter.

#[path = "../../cell/tests/common/mod.rs"]
mod common;

use cell::machine::Machine;
use cell::units::ThreadId;
use cellstats::{
    End, Function, HotTarget, Level, MeasureError, Params, Pattern, PlacementChoice, PpePath, TraceSpan, Transfer,
    TransferOp, measure, trace,
};
use common::cases;
use proptest::prelude::*;

const SIXTEEN_SPES: &str = include_str!("../../../machines/examples/sixteen-spes.toml");

/// A machine whose programs leave the grid of bus cycles.
const ODD: &str = r#"
base = "ps3"

[spu]
channel_write_spu_cycles = { value = 3, unit = "SPU cycles", basis = "assumed", range = [2, 3], source = "test" }

[software]
iteration_spu_cycles = { value = 13, unit = "SPU cycles", basis = "assumed", range = [2, 100], source = "test" }
atomic_call_spu_cycles = { value = 41, unit = "SPU cycles", basis = "assumed", range = [10, 200], source = "test" }
"#;

fn machines() -> [Machine; 6] {
    let parse = |text, origin| Machine::parse(text, origin).unwrap();
    let builtin = |name| Machine::builtin(name).unwrap();
    [
        builtin("ps3"),
        builtin("eval-board"),
        builtin("qs20"),
        builtin("blade-2100"),
        parse(SIXTEEN_SPES, "sixteen-spes.toml"),
        parse(ODD, "odd.toml"),
    ]
}

/// The most iterations that are worth the long way, by how long one takes.
fn iterations(function: Function) -> std::ops::Range<u64> {
    match function {
        Function::Mkthread => 1..300,
        // Their warm-up is as long as it is, and their buffers take many iterations to go round.
        function if function.is_pattern() => 1..1500,
        function if function.is_access() => 1..100_000,
        _ => 1..3000,
    }
}

prop_compose! {
    fn transfers()(
        size in prop::option::of(prop_oneof![
            Just(1u32), Just(2), Just(4), Just(8), (1u32..=8).prop_map(|n| 16 * n),
            Just(256), Just(512), Just(1024), Just(2048), Just(4096), Just(16384),
        ]),
        elements in prop::option::of(1u32..=24),
        batch in prop_oneof![4 => Just(1u32), 1 => Just(0), 2 => 2u32..=40],
    ) -> (Option<u32>, Option<u32>, u32) {
        (size, elements, batch)
    }
}

fn patterns() -> impl Strategy<Value = (Option<TransferOp>, Option<HotTarget>, u64)> {
    let ops = prop_oneof![Just(TransferOp::Get), Just(TransferOp::Put), Just(TransferOp::Copy)];
    let targets = prop_oneof![Just(HotTarget::Memory), (0u32..2).prop_map(HotTarget::Thread)];
    (ops.prop_map(Some), prop::option::of(targets), 0u64..100)
}

fn accesses() -> impl Strategy<Value = (Level, Option<u32>, Option<u32>)> {
    let levels = (0..Level::ALL.len()).prop_map(|index| Level::ALL[index].0);
    (levels, prop::option::of(1u32..=2), prop::option::of((0u32..5).prop_map(|power| 1 << power)))
}

fn placements() -> impl Strategy<Value = PlacementChoice> {
    prop_oneof![
        2 => Just(PlacementChoice::Default),
        2 => (0u64..1000).prop_map(PlacementChoice::Random),
        1 => Just(PlacementChoice::Explicit(vec![5, 3, 0, 1, 4, 2])),
    ]
}

/// All but the exchange, which a pattern decides.
fn decided_by_flags() -> Vec<Function> {
    Function::ALL.into_iter().map(|(function, _)| function).filter(|function| *function != Function::Exchange).collect()
}

fn end() -> impl Strategy<Value = Option<u8>> {
    prop::option::weighted(0.9, 0u8..6)
}

prop_compose! {
    fn message()(
        source in end(),
        destination in end(),
        bytes in prop_oneof![Just(1u32), Just(8), (1u32..=40).prop_map(|n| 16 * n), Just(5120), Just(17 * 1024)],
        repetitions in 1u32..=3,
    ) -> Transfer<ThreadId> {
        let end = |thread: Option<u8>| thread.map_or(End::Memory, |thread| End::LocalStore(ThreadId(thread)));
        // What would be a message to itself goes to another thread instead.
        let other = if source == destination { Some(source.map_or(0, |thread| (thread + 1) % 6)) } else { destination };
        Transfer { source: end(source), destination: end(other), bytes, repetitions }
    }
}

prop_compose! {
    fn exchanges()(
        phases in prop::collection::vec(prop::collection::vec(message(), 1..6), 1..4),
        iterations in 1u64..300,
        placement in placements(),
    ) -> Params {
        let pattern = Some(Pattern { name: "any".to_string(), threads: 6, phases });
        Params { spes: 6, pattern, iterations, placement, ..Params::new(Function::Exchange) }
    }
}

prop_compose! {
    fn parameters()(function in prop::sample::select(decided_by_flags()))(
        function in Just(function),
        spes in 1u32..=16,
        private in any::<bool>(),
        iterations in iterations(function),
        (size_bytes, list_elements, batch) in transfers(),
        stride in prop::option::of(prop_oneof![Just(4u64), Just(16), Just(128), Just(512), Just(2048), 1u64..=64]),
        spe_to_spe in any::<bool>(),
        mmio in any::<bool>(),
        placement in placements(),
        (op, target, seed) in patterns(),
        (level, threads, access_bytes) in accesses(),
    ) -> Params {
        let stride_bytes = stride.map(|stride| if function.is_atomic() { 4 * stride } else { 16 * stride });
        let buffers = function.is_dma() || function.is_atomic();
        let pattern = function.is_pattern();
        let private = private && buffers && !pattern;
        let access = function.is_access();
        let by_ppe = access && level != Level::Ls;
        Params {
            level: access.then_some(level),
            threads: threads.filter(|_| by_ppe),
            op: op.filter(|_| pattern),
            target: target.filter(|_| function == Function::HotSpot),
            seed: if function == Function::Uniform { seed } else { 0 },
            spes,
            private,
            iterations,
            size_bytes: if access { access_bytes } else { size_bytes.filter(|_| function.is_dma()) },
            list_elements: list_elements.filter(|_| function.is_list() || pattern && function != Function::Uniform),
            stride_bytes: stride_bytes.filter(|_| private),
            spe_to_spe: spe_to_spe && !pattern && (function.is_dma() || function.is_synchronisation()),
            ppe: if mmio { PpePath::Mmio } else { PpePath::Library },
            batch: if function.is_dma() { batch } else { 1 },
            placement: if by_ppe { PlacementChoice::Default } else { placement },
            ..Params::new(function)
        }
    }
}

/// Makes the number of SPEs fit the machine and the rules about pairs.
fn fitted(mut params: Params, machine: &Machine) -> Params {
    let room = match &params.placement {
        PlacementChoice::Explicit(spes) => spes.len(),
        _ => machine.chip.spes.len(),
    };
    params.spes = 1 + (params.spes - 1) % room as u32;
    if params.ppe_threads() > 0 {
        return Params { spes: 0, ..params };
    }
    if params.spe_to_spe || params.function.is_pattern() {
        params.spes = params.spes.next_multiple_of(2).max(2);
    }
    // The long way goes through every line of every iteration, and of a thousand more to warm up.
    while lines(&params) > LINES_MAX && params.list_elements() > 1 {
        params.list_elements = Some(params.list_elements() / 2);
    }
    while lines(&params) > LINES_MAX {
        params.size_bytes = Some(params.size_bytes() / 2);
    }
    params
}

/// Lines that one iteration of all SPEs moves.
fn lines(params: &Params) -> u64 {
    params.iteration_bytes().unwrap_or(0).div_ceil(128) * u64::from(params.spes)
}

/// The most lines of an iteration that are worth the long way.
const LINES_MAX: u64 = 64;

fn json(machine: &Machine, params: &Params, fast_forward: bool) -> Result<String, MeasureError> {
    let params = Params { fast_forward, ..params.clone() };
    measure(machine, &params, || true).map(|measurement| measurement.to_json())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, ..cases(80) })]

    #[test]
    fn leaving_out_what_repeats_changes_nothing(params in parameters(), machine in 0usize..6) {
        let machine = &machines()[machine];
        let params = fitted(params, machine);
        let long = json(machine, &params, false);
        if let Err(MeasureError::Usage(line)) = &long {
            // Private buffers or lists too large for a local store: nothing to compare.
            prop_assert!(line.contains("fit"), "{line}");
        } else {
            prop_assert!(long.is_ok(), "{long:?}");
        }
        prop_assert_eq!(long, json(machine, &params, true));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 60, ..cases(30) })]

    #[test]
    fn an_exchange_is_the_same_whatever_is_left_out(params in exchanges(), machine in 0usize..6) {
        let machine = &machines()[machine];
        let long = json(machine, &params, false);
        prop_assert!(long.is_ok(), "{long:?}");
        prop_assert_eq!(long, json(machine, &params, true));
    }

    #[test]
    fn a_trace_is_the_same_however_the_run_came_to_it(
        params in parameters(),
        machine in 0usize..6,
        skip_bus_cycles in 0u64..5000,
        bus_cycles in 1u64..2000,
    ) {
        let machine = &machines()[machine];
        let params = fitted(params, machine);
        let span = TraceSpan { skip_bus_cycles, bus_cycles };
        let of = |fast_forward| trace(machine, &Params { fast_forward, ..params.clone() }, span, || true);
        prop_assert_eq!(of(false), of(true));
    }
}
