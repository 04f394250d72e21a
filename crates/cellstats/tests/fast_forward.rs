//! Exact fast-forward: skipping periods that repeat changes no bit of a result.
//!
//! Random FUNCTIONs with random parameters give the same JSON with and without fast-forward, including times, per-SPE
//! ticks and every counter.

use cell::machine::Machine;
use cell::units::ThreadId;
use cellstats::pattern::{End, Pattern, Transfer};
use cellstats::{MeasureError, Parameters, PlacementChoice, Request, TraceSpan, functions, measure, trace};
use proptest::prelude::*;

const SIXTEEN_SPES: &str = include_str!("../../../machines/examples/sixteen-spes.toml");

/// A machine whose program times are not multiples of a bus cycle.
const ODD: &str = r#"
base = "ps3"

[spu]
channel_write_spu_cycles = { value = 3, unit = "SPU cycles", basis = "assumed", range = [2, 3], source = "test" }

[software]
iteration_spu_cycles = { value = 13, unit = "SPU cycles", basis = "assumed", range = [2, 100], source = "test" }
atomic_call_spu_cycles = { value = 41, unit = "SPU cycles", basis = "assumed", range = [10, 200], source = "test" }
atomic_return_spu_cycles = { value = 11, unit = "SPU cycles", basis = "assumed", range = [0, 200], source = "test" }
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

/// A FUNCTION and its parameters.
type Asked = (&'static str, Parameters);

const TRAFFIC: [&str; 9] =
    ["hotspot", "complement", "pairwise", "uniform", "couples", "cycle", "neighbour", "tornado", "permutation"];
const ACCESSES: [&str; 3] = ["load", "store", "copy"];

fn is_dma(function: &str) -> bool {
    function.starts_with("dma") || TRAFFIC.contains(&function)
}

/// The range of iteration counts that take an acceptable time without fast-forward.
fn iterations(function: &str) -> std::ops::Range<u64> {
    match function {
        "mkthread" => 1..300,
        // Warm-up is long even in short runs, and buffers repeat only after many iterations.
        _ if TRAFFIC.contains(&function) => 1..1500,
        _ if ACCESSES.contains(&function) => 1..100_000,
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

fn patterns() -> impl Strategy<Value = (Option<String>, Option<String>, u64)> {
    let words = |words: &'static [&'static str]| prop::sample::select(words).prop_map(str::to_string);
    (words(&["get", "put", "copy"]).prop_map(Some), prop::option::of(words(&["memory", "0", "1"])), 0u64..100)
}

fn accesses() -> impl Strategy<Value = (&'static str, Option<u32>, Option<u32>)> {
    let levels = prop::sample::select(&["l1", "l2", "l1l2", "memory", "ls"][..]);
    (levels, prop::option::of(1u32..=2), prop::option::of((0u32..5).prop_map(|power| 1 << power)))
}

fn placements() -> impl Strategy<Value = (PlacementChoice, Option<u64>)> {
    prop_oneof![
        2 => Just((PlacementChoice::Default, None)),
        2 => (0u64..1000).prop_map(|seed| (PlacementChoice::Random, Some(seed))),
        1 => Just((PlacementChoice::Explicit(vec![5, 3, 0, 1, 4, 2]), None)),
    ]
}

/// All FUNCTIONs except `exchange`, which needs a pattern.
fn decided_by_flags() -> Vec<&'static str> {
    functions().filter(|function| *function != "exchange").collect()
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
        // If source and destination are the same, the message goes to another thread instead.
        let other = if source == destination { Some(source.map_or(0, |thread| (thread + 1) % 6)) } else { destination };
        Transfer { source: end(source), destination: end(other), bytes, repetitions }
    }
}

prop_compose! {
    fn exchanges()(
        phases in prop::collection::vec(prop::collection::vec(message(), 1..6), 1..4),
        iterations in 1u64..300,
        (placement, seed) in placements(),
    ) -> Asked {
        let pattern = Some(Pattern { name: "any".to_string(), threads: 6, phases });
        let iterations = Some(iterations);
        ("exchange", Parameters { pattern, iterations, placement, seed, ..Parameters::default() })
    }
}

prop_compose! {
    fn parameters()(function in prop::sample::select(decided_by_flags()))(
        function in Just(function),
        spes in 1u32..=16,
        private in any::<bool>(),
        iterations in iterations(function),
        (size, list_elements, batch) in transfers(),
        stride in prop::option::of(prop_oneof![Just(4u32), Just(16), Just(128), Just(512), Just(2048), 1u32..=64]),
        spe_to_spe in any::<bool>(),
        mmio in any::<bool>(),
        (placement, of_placement) in placements(),
        (op, target, seed) in patterns(),
        (level, threads, access_bytes) in accesses(),
    ) -> Asked {
        let (traffic, access) = (TRAFFIC.contains(&function), ACCESSES.contains(&function));
        let (single, atomic) = (function.starts_with("dma"), function.starts_with("fetch"));
        let private = private && (single || atomic);
        let by_ppe = access && level != "ls";
        let stride = stride.map(|stride| if atomic { 4 * stride } else { 16 * stride });
        let lists = function.starts_with("dmalist") || traffic && function != "uniform";
        let synchronises = matches!(function, "mailbox" | "signal");
        let asked = Parameters {
            level: access.then(|| level.to_string()),
            threads: threads.filter(|_| by_ppe),
            op: op.filter(|_| traffic),
            target: target.filter(|_| function == "hotspot"),
            seed: if matches!(function, "uniform" | "permutation") { Some(seed) } else { of_placement.filter(|_| !by_ppe) },
            spes: Some(spes).filter(|_| !by_ppe),
            private,
            iterations: Some(iterations),
            size: if access { access_bytes } else { size.filter(|_| is_dma(function)) },
            list_elements: list_elements.filter(|_| lists),
            stride: stride.filter(|_| private),
            spe_to_spe: spe_to_spe && (single || synchronises),
            ppe: mmio.then(|| "mmio".to_string()),
            batch: Some(batch).filter(|_| is_dma(function)),
            placement: if by_ppe { PlacementChoice::Default } else { placement },
            ..Parameters::default()
        };
        (function, asked)
    }
}

/// Makes the number of SPEs fit the machine and the rules about pairs.
fn fitted((function, mut given): Asked, machine: &Machine) -> Asked {
    let room = match &given.placement {
        PlacementChoice::Explicit(spes) => spes.len(),
        _ => machine.chip.spes.len(),
    };
    let Some(spes) = given.spes else { return (function, given) };
    let spes = 1 + (spes - 1) % room as u32;
    let pairs = given.spe_to_spe || TRAFFIC.contains(&function);
    let spes = if pairs { spes.next_multiple_of(2).max(2) } else { spes };
    given.spes = Some(spes);
    if !is_dma(function) {
        return (function, given);
    }
    let mut size = given.size.unwrap_or(if function.starts_with("dma") { 128 } else { 16_384 });
    let transfers = if given.op.as_deref() == Some("copy") { 2 } else { 1 };
    // Number of cache lines that all SPEs together move in one iteration.
    let lines = |size: u32, elements: u32| (transfers * size * elements).div_ceil(128) * spes;
    // Without fast-forward, every line of every iteration is simulated, including up to a thousand warm-up iterations.
    let mut elements = given.list_elements.unwrap_or(1);
    while lines(size, elements) > LINES_MAX && elements > 1 {
        elements /= 2;
        given.list_elements = Some(elements);
    }
    while lines(size, elements) > LINES_MAX {
        size /= 2;
        given.size = Some(size);
    }
    (function, given)
}

/// Maximum number of lines per iteration for an acceptable time without fast-forward.
const LINES_MAX: u32 = 64;

fn request(machine: &Machine, (function, given): &Asked, fast_forward: bool) -> Result<Request, MeasureError> {
    let given = Parameters { fast_forward: Some(fast_forward), ..given.clone() };
    Ok(Request::new(function, &given, machine)?)
}

fn json(machine: &Machine, asked: &Asked, fast_forward: bool) -> Result<String, MeasureError> {
    measure(machine, &request(machine, asked, fast_forward)?, || true).map(|measurement| measurement.to_json())
}

/// As many cases as that, or a third of them in `make test`: without fast-forward, each takes up to a second.
fn cases(all: u32) -> ProptestConfig {
    let short = std::env::var_os("CELLSTATS_TESTS").is_some_and(|tests| tests == "short");
    ProptestConfig { max_shrink_iters: 60, ..ProptestConfig::with_cases(if short { all / 3 } else { all }) }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn leaving_out_what_repeats_changes_nothing(params in parameters(), machine in 0usize..6) {
        let machine = &machines()[machine];
        let params = fitted(params, machine);
        let long = json(machine, &params, false);
        if let Err(MeasureError::Refused(refusal)) = &long {
            let line = refusal.to_string();
            // If private buffers or lists do not fit, there is nothing to compare.
            prop_assert!(line.contains("fit"), "{line}");
        } else {
            prop_assert!(long.is_ok(), "{long:?}");
        }
        prop_assert_eq!(long, json(machine, &params, true));
    }
}

proptest! {
    #![proptest_config(cases(30))]

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
        let of = |fast_forward| trace(machine, &request(machine, &params, fast_forward)?, span, || true);
        prop_assert_eq!(of(false), of(true));
    }
}

#[test]
fn programs_are_told_in_the_order_of_their_starts_however_much_was_left_out_since() {
    // The PPE polls while the second SPE starts. Most of the polling is skipped, and the skipped time is longer than
    // the simulated time before it.
    let machine = &machines()[0];
    let asked = ("mailbox", Parameters { spes: Some(2), iterations: Some(1), ..Parameters::default() });
    let span = TraceSpan { skip_bus_cycles: 3832, bus_cycles: 451 };
    let of = |fast_forward| trace(machine, &request(machine, &asked, fast_forward).unwrap(), span, || true).unwrap();
    assert_eq!(of(false), of(true));
    let starts: Vec<u64> = of(true).programs.iter().map(|row| row.started_at).collect();
    assert_eq!(starts, [2_240_027, 4_480_054]);
}
