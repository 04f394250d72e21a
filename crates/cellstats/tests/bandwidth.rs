//! Tests of the total bandwidth of all SPEs: all bytes divided by the time in which they moved.

use cell::machine::Machine;
use cellstats::{Measurement, Request, measure};

fn measured(machine: &str, request: &str) -> Measurement {
    let machine = Machine::builtin(machine).expect("a machine that comes with the simulator");
    let request = Request::parse(request, &machine).expect("parameters that can be");
    measure(&machine, &request, || true).expect("a run that ends")
}

fn sum(result: &Measurement) -> f64 {
    result.per_spe.iter().filter_map(|row| row.bandwidth_gb_s).sum()
}

#[test]
fn no_run_is_so_short_that_it_beats_the_memory() {
    // The peak is 16 bytes in each bus cycle of 0.625 ns.
    const PEAK_GB_S: f64 = 25.6;
    for iterations in [1, 10, 100, 1000] {
        let request = format!(r#"{{"function": "dmaget", "spes": 8, "size": 16384, "iterations": {iterations}}}"#);
        let result = measured("eval-board", &request);
        let all = result.bandwidth_gb_s.expect("bytes move");
        assert!(all > 0.0 && all <= PEAK_GB_S, "{all} GB/s, {iterations} iterations");
        // If SPEs begin and end at different times, each SPE's bandwidth exceeds its share of the total bandwidth.
        assert!(all <= sum(&result) * 1.001, "{all} of {} GB/s, {iterations} iterations", sum(&result));
    }
}

#[test]
fn of_one_spe_it_is_its_own() {
    let result = measured("ps3", r#"{"function": "dmaput", "size": 4096, "iterations": 2000}"#);
    let (all, own) = (result.bandwidth_gb_s.expect("bytes move"), sum(&result));
    // An SPE measures its time in ticks, which are coarser than bus cycles.
    assert!((all / own - 1.0).abs() < 0.001, "{all} and {own} GB/s");
}

#[test]
fn of_many_that_move_alike_for_long_it_is_their_sum() {
    let result = measured("eval-board", r#"{"function": "couples", "spes": 8, "size": 16384, "iterations": 20000}"#);
    let (all, own) = (result.bandwidth_gb_s.expect("bytes move"), sum(&result));
    assert!((all / own - 1.0).abs() < 0.005, "{all} and {own} GB/s");
}

#[test]
fn of_the_ppes_threads_it_is_over_the_time_of_both() {
    for threads in [1, 2] {
        let request = format!(r#"{{"function": "load", "level": "l2", "threads": {threads}, "iterations": 200000}}"#);
        let result = measured("ps3", &request);
        let own: f64 = result.per_thread.iter().filter_map(|row| row.bandwidth_gb_s).sum();
        let all = result.bandwidth_gb_s.expect("bytes move");
        assert!((all / own - 1.0).abs() < 0.01, "{all} and {own} GB/s of {threads}");
    }
}
