//! The end of a run's start-up: from where on a run is steady.
//!
//! A run is steady from the first window from which on [`StartUp::WINDOWS`] consecutive windows of
//! [`StartUp::WINDOW_BUS_CYCLES`] each move data within [`StartUp::PERCENT`] per cent of the bandwidth of the whole
//! measurement, and lines of the same SPEs: while threads start, others may use all of the bandwidth. A
//! measurement without a bandwidth is compared with the mean of those windows instead.

use super::prepared::MeasureError;
use super::session::Session;
use super::span::TraceSpan;
use crate::request::Request;
use cell::machine::Machine;
use cell::trace::{RequestRow, Trace};
use cell::units::BusCycle;
use serde::Serialize;
use std::collections::BTreeSet;

/// Where the start-up of a measurement ends. Bus cycles count from the first measured DMA.
#[derive(Serialize, PartialEq, Debug)]
pub struct StartUp {
    /// The bus cycle in which the first steady window begins; none if no window that was searched is steady.
    pub ended_at: Option<BusCycle>,
    /// The end of the last window that was searched.
    pub searched_bus_cycles: BusCycle,
    /// Whether the programs on SPEs ended before the search did.
    pub run_ended: bool,
}

impl StartUp {
    /// Length of a window: longer than a DMA of 16 KB on a busy bus, so that single DMAs do not show.
    pub const WINDOW_BUS_CYCLES: BusCycle = 4000;
    /// Number of consecutive windows that must agree.
    pub const WINDOWS: usize = 8;
    /// Permitted deviation of each window.
    pub const PERCENT: f64 = 10.0;
    /// Number of windows that are searched.
    const SEARCHED_MAX: usize = 32;
}

/// Searches the end of a measurement's start-up. `whole_gb_s` is the bandwidth of the whole measurement, if it has one.
///
/// # Errors
/// Invalid parameters, or a run that failed.
pub fn start_up(
    machine: &Machine,
    request: &Request,
    whole_gb_s: Option<f64>,
    mut check: impl FnMut() -> bool,
) -> Result<StartUp, MeasureError> {
    let mut session = Session::new(machine, request)?;
    let mut moved = Vec::new();
    let span = |windows: usize| windows as BusCycle * StartUp::WINDOW_BUS_CYCLES;
    let found = |ended_at, windows, run_ended| StartUp { ended_at, searched_bus_cycles: span(windows), run_ended };
    for nth in 0..StartUp::SEARCHED_MAX {
        let window = TraceSpan { skip_bus_cycles: span(nth), bus_cycles: StartUp::WINDOW_BUS_CYCLES };
        let Some(trace) = session.traced(window, &mut check)? else { return Ok(found(None, nth, true)) };
        moved.push(Moved::of(&trace));
        if let Some(first) = moved.len().checked_sub(StartUp::WINDOWS)
            && steady(&moved[first..], whole_gb_s)
        {
            return Ok(found(Some(span(first)), nth + 1, false));
        }
        // The PPE may go on long after the last program on an SPE.
        if trace.programs.iter().all(|program| program.stopped_at.is_some()) {
            return Ok(found(None, nth + 1, true));
        }
    }
    Ok(found(None, StartUp::SEARCHED_MAX, false))
}

/// What moved in a window.
struct Moved {
    /// Bandwidth of the lines that left a ring. A line that crosses to the other chip counts once.
    gb_s: f64,
    /// The SPEs whose lines these are.
    spes: BTreeSet<String>,
}

fn steady(moved: &[Moved], whole_gb_s: Option<f64>) -> bool {
    let whole = whole_gb_s.unwrap_or(moved.iter().map(|window| window.gb_s).sum::<f64>() / moved.len() as f64);
    let near = |window: &Moved| (window.gb_s - whole).abs() <= whole * StartUp::PERCENT / 100.0;
    moved.iter().all(|window| near(window) && window.spes == moved[0].spes)
}

impl Moved {
    fn of(trace: &Trace) -> Moved {
        let arrived = |at: Option<BusCycle>| at.is_some_and(|at| trace.from < at && at <= trace.to);
        let first = |row: &&RequestRow| row.ring.is_some() && row.onward_of.is_none() && arrived(row.arrived_at);
        let lines = || trace.requests.iter().filter(first);
        let bytes: u64 = lines().map(|row| u64::from(row.bytes)).sum();
        let gb_s = bytes as f64 * trace.bus_hz as f64 / StartUp::WINDOW_BUS_CYCLES as f64 / 1e9;
        let spes = lines().filter(|row| row.issuer.starts_with("SPE")).map(|row| row.issuer.clone());
        Moved { gb_s, spes: spes.collect() }
    }
}
