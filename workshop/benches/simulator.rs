//! Measures the simulator's speed and memory: `make bench`.
//!
//! Loads without fast-forward show the cost of a simulated bus cycle; the tool's own measurements show
//! the waiting time of users. Times are the median of three. If valgrind is installed, callgrind counts the
//! instructions for a line of 128 bytes, a short DMA, and a pair of lock-line commands. These numbers do not
//! depend on other work of this computer; use them to compare versions. Nothing here passes or fails.

#[path = "callgrind.rs"]
mod callgrind;
#[path = "simulator/examples.rs"]
mod examples;
#[path = "simulator/loads.rs"]
mod loads;
#[path = "simulator/placements.rs"]
mod placements;

use examples::ROUND_TRIPS;
use loads::LOADS;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 3;

/// Number of placements to simulate, in a normal run and under callgrind.
const PLACEMENTS: u64 = 400;
const FEW_PLACEMENTS: u64 = 4;
const FEW_TRIPS: u64 = 500;

fn main() {
    // The index of a load, or of a benchmark after the loads, and the units of each SPE.
    if let Some(arguments) = callgrind::asked() {
        let [load, units] = [0, 1].map(|nth| arguments[nth].parse::<u64>().expect("a number"));
        match LOADS.get(load as usize) {
            Some(load) => load.run(units),
            None if load as usize == LOADS.len() => placements::run(units),
            None => examples::round_trips(ROUND_TRIPS[load as usize - LOADS.len() - 1].1, units),
        };
        return;
    }
    println!("{:<52} {:>12} {:>12} {:>14}", "without fast-forward", "bus cycles", "wall", "bus cycles/s");
    for load in &LOADS {
        let (time, bus_cycles) = median(|| load.run(load.units));
        let speed = bus_cycles as f64 / time.as_secs_f64();
        println!("{:<52} {bus_cycles:>12} {:>12} {:>14}", load.name, seconds(time), format!("{:.2}m", speed / 1e6));
    }
    println!();
    println!("{:<52} {:>12} {:>12}", "with fast-forward", "", "wall");
    for (name, commands) in [
        ("dmaget -n 6 -b 16k -i 1m on ps3", vec!["CellStats -f dmaget -n 6 -b 16k -i 1m".to_string()]),
        ("all examples of abellan2008ps3", examples::commands()),
    ] {
        let (time, _) = median(|| commands.iter().map(|command| examples::run(command)).sum());
        println!("{name:<52} {:>12} {:>12}", "", seconds(time));
    }
    // Read first: the list of all placements, below, takes more memory than any run.
    let peak_memory = peak_memory();
    let (time, _) = median(|| placements::run(PLACEMENTS));
    let name = format!("{PLACEMENTS} placements of a binomial tree, 1 processor");
    println!("{name:<52} {:>12} {:>12}", "", seconds(time));
    println!();
    println!("{:<52} {:>12}", "peak memory of runs", peak_memory);
    println!();
    println!("{:<52} {:>12} {:>12}", "instructions (callgrind)", "", "each");
    for (nth, load) in LOADS.iter().enumerate() {
        let each = instructions_each(nth, load.few_units, load.spes.into());
        println!("{:<52} {:>12} {each:>12}", load.name, load.unit);
    }
    let each = instructions_each(LOADS.len(), FEW_PLACEMENTS, 1);
    println!("{:<52} {:>12} {each:>12}", "8 SPEs, binomial tree, eval-board", "placement");
    for (nth, (name, _)) in ROUND_TRIPS.iter().enumerate() {
        let each = instructions_each(LOADS.len() + 1 + nth, FEW_TRIPS, 1);
        println!("{name:<52} {:>12} {each:>12}", "round trip");
    }
}

/// The median time of a few repetitions, and the result of each repetition.
fn median(work: impl Fn() -> u64) -> (Duration, u64) {
    let mut runs: Vec<(Duration, u64)> = (0..REPETITIONS)
        .map(|_| {
            let start = Instant::now();
            let answer = work();
            (start.elapsed(), answer)
        })
        .collect();
    runs.sort();
    runs[REPETITIONS / 2]
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// The peak memory of this process, as Linux reports it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("not known here".to_string(), |line| line.trim().to_string())
}

/// Instructions for one additional unit, from two runs of different length.
fn instructions_each(load: usize, units: u64, spes: u64) -> String {
    let run = |units: u64| Some((callgrind::instructions(&[load.to_string(), units.to_string()])?, units * spes));
    callgrind::each(run(units), run(2 * units))
}
