//! Simulates a pattern with each of many placements, as `cellstats place --by simulation` does.

use cell::machine::Machine;
use cellstats::pattern::{Pattern, Transfer};
use cellstats::{Parameters, Placements, Request, placements, times};

const BYTES: u32 = 16 * 1024;
const THREADS: u8 = 8;

/// A binomial tree of eight threads with messages of 16 KB, all of whose placements are different runs.
fn binomial_tree() -> Pattern {
    let message = |from, to| Transfer::new(Some(from), Some(to), BYTES);
    let phase = |step: u8| (0..step).map(|from| message(from, from + step)).collect();
    Pattern { name: "binomial-tree".to_string(), threads: THREADS.into(), phases: [1, 2, 4].map(phase).to_vec() }
}

/// Simulates the first placements on one processor; returns their total bus cycles.
pub fn run(count: u64) -> u64 {
    let machine = Machine::builtin("eval-board").expect("a machine that comes with the simulator");
    let given = Parameters { pattern: Some(binomial_tree()), iterations: Some(1), ..Parameters::default() };
    let request = Request::new("exchange", &given, &machine).expect("a request that can be");
    let all = placements(&machine, &request, Placements::All).expect("a pattern that can be placed").placements;
    let first = all.iter().take(count as usize).map(|spes| spes.iter().map(|spe| u32::from(*spe)).collect());
    times(&machine, &request, &first.collect::<Vec<_>>(), || true).expect("runs that end").iter().sum()
}
