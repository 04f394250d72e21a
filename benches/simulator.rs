//! How fast the simulator is, and how much memory it takes: `make bench`.
//!
//! Loads without fast-forward show what a simulated bus cycle costs; the tool's own measurements show
//! what a user waits for.  Times are the median of three.  Where valgrind is installed, callgrind
//! counts the instructions for a line of 128 bytes: that number does not depend on how busy this
//! computer is, and is the one to compare between versions.  Nothing here passes or fails.

#[path = "callgrind.rs"]
mod callgrind;
#[path = "simulator/examples.rs"]
mod examples;
#[path = "simulator/loads.rs"]
mod loads;

use loads::Load;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 3;

/// Transfers of each SPE when this program runs under callgrind.
const CALLGRIND_TRANSFERS: u64 = 4;

fn main() {
    if let Some(arguments) = callgrind::asked() {
        Load::exchange().run(arguments[0].parse().expect("a number of transfers"));
        return;
    }
    println!("{:<52} {:>12} {:>12} {:>14}", "without fast-forward", "bus cycles", "wall", "bus cycles/s");
    for load in [Load::exchange(), Load::one_from_memory(), Load::six_from_memory()] {
        let (time, bus_cycles) = median(|| load.run(load.transfers));
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
    println!();
    println!("{:<52} {:>12}", "peak memory", peak_memory());
    println!("{:<52} {:>12}", "instructions for a line (callgrind)", instructions_per_line());
}

/// The median time of a few repetitions, and what each of them answered.
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

/// The most memory that this process ever had, as Linux tells it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("not known here".to_string(), |line| line.trim().to_string())
}

/// Instructions that one more line costs, from two runs of different length.
fn instructions_per_line() -> String {
    let instructions = |transfers: u64| callgrind::instructions(&[transfers.to_string()]);
    let (short, long) = (instructions(CALLGRIND_TRANSFERS), instructions(2 * CALLGRIND_TRANSFERS));
    match (short, long) {
        (Some(short), Some(long)) => {
            let lines = Load::exchange().lines(CALLGRIND_TRANSFERS);
            format!("{:.0}", long.saturating_sub(short) as f64 / lines as f64)
        }
        _ => "callgrind: not found".to_string(),
    }
}
