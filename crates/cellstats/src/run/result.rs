//! The result of a measurement, with the recipe that reproduces it.

use super::columns::{Measurement, PerSpe, PerThread, Recipe};
use super::histogram::{Distribution, bin_width};
use super::offered::{Offered, accepted_gb_s};
use super::settling::Settling;
use crate::chips::Cells;
use crate::choices::{Injection, PpePath, SpeProgram, word};
use crate::parameters::Parameters;
use crate::request::Request;
use crate::setup::Ticked;
use crate::value::PlacementChoice;
use cell::counters::Latencies;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::record::{Record, SCHEMA_VERSION};
use cell::units::ThreadId;

impl Measurement {
    /// Makes a result from the ticks that the SPEs mailed and the record of the run.
    pub fn new(
        machine: &Machine,
        request: &Request,
        placement: &Placement,
        ticks: &[Option<Ticked>],
        record: Record,
    ) -> Measurement {
        let Request { experiment, settings, .. } = request;
        let ns_per_tick = 1e9 / machine.chip.timebase_hz as f64;
        let ns_per_cycle = 1e9 / machine.bus_hz() as f64;
        let mut latencies = Latencies::new();
        for (latency, count) in record.counters.latencies.iter().flatten() {
            *latencies.entry(*latency).or_default() += count;
        }
        let longest = latencies.keys().next_back().copied().unwrap_or(0);
        let width_ns = bin_width(longest as f64 * ns_per_cycle);
        let latency = |ticks: u64| ticks as f64 * ns_per_tick / settings.iterations as f64;
        // 1 byte/ns is 10^9 bytes/s.
        let rate = |thread: u8, ticks| {
            let bytes = experiment.bytes_of_thread(ThreadId(thread)).filter(|_| ticks > 0);
            bytes.map(|bytes| bytes as f64 / latency(ticks))
        };
        let load = experiment.offered_load(machine);
        let (of_spes, of_ppe) = if experiment.ppe_threads() > 0 { (&[][..], ticks) } else { (ticks, &[][..]) };
        let rows = placement.threads().zip(of_spes).filter_map(|((thread, spe), ticks)| {
            let ticks = (*ticks)?.ticks;
            let (latency_ns, bandwidth) = match load {
                Some(_) => (latency(ticks), Some(accepted_gb_s(machine, &record.counters, spe))),
                None => (latency(ticks), rate(thread.0, ticks)),
            };
            let latencies = record.counters.latencies.get(usize::from(spe.0));
            let dma_latency = latencies.and_then(|latencies| Distribution::new(latencies, ns_per_cycle, width_ns));
            Some(PerSpe { thread: thread.0, spe: spe.0, ticks, latency_ns, bandwidth_gb_s: bandwidth, dma_latency })
        });
        let per_spe: Vec<PerSpe> = rows.collect();
        let rows = (0..).zip(of_ppe).filter_map(|(thread, ticks)| {
            let ticks = (*ticks)?.ticks;
            Some(PerThread { thread, ticks, latency_ns: latency(ticks), bandwidth_gb_s: rate(thread, ticks) })
        });
        let per_thread: Vec<PerThread> = rows.collect();
        let averages = per_spe.iter().map(|row| row.latency_ns).chain(per_thread.iter().map(|row| row.latency_ns));
        // The record counts SPU cycles, which are finer than ticks.
        let span_ns = match loops_of_ppe(of_ppe) {
            Some(ticks) => ticks as f64 * ns_per_tick,
            None => record.measured_span_spu_cycles as f64 * 1e9 / machine.chip.processor_clock_hz as f64,
        };
        let ns_per_spu_cycle = 1e9 / machine.chip.processor_clock_hz as f64;
        let settling = record.settling.as_ref().map(|found| {
            let times = (span_ns, ns_per_spu_cycle);
            Settling::new(found, &**experiment, settings.iterations, placement, times)
        });
        let threads = per_spe.iter().map(|row| row.thread).chain(per_thread.iter().map(|row| row.thread));
        let bytes: u64 = threads.filter_map(|thread| experiment.bytes_of_thread(ThreadId(thread))).sum();
        let moves = experiment.bytes_of_thread(ThreadId(0)).is_some();
        let bandwidth_gb_s = match load {
            Some(_) => per_spe.iter().filter_map(|row| row.bandwidth_gb_s).sum(),
            None if span_ns > 0.0 => bytes as f64 * settings.iterations as f64 / span_ns,
            None => 0.0,
        };
        let dmas = latencies.values().sum();
        Measurement {
            schema: SCHEMA_VERSION,
            function: experiment.name().to_string(),
            machine: machine.name.clone(),
            spes: settings.spes,
            columns: experiment.columns(settings),
            ppe: word(&PpePath::ALL, settings.ppe),
            spe_program: word(&SpeProgram::ALL, settings.spe_program),
            iterations: settings.iterations,
            cells: settings.cells.map(Cells::name),
            memory: experiment.uses_memory().then(|| settings.memory.name()),
            placement: settings.spes_of(placement).iter().map(|spe| spe.0).collect(),
            latency_ns: averages.clone().sum::<f64>() / (per_spe.len() + per_thread.len()).max(1) as f64,
            latency_ns_min: averages.clone().fold(f64::INFINITY, f64::min),
            latency_ns_max: averages.fold(0.0, f64::max),
            bandwidth_gb_s: moves.then_some(bandwidth_gb_s),
            dma_latency: Distribution::new(&latencies, ns_per_cycle, width_ns),
            start_up_share: None,
            offered_load: load.map(|load| Offered::new(load, machine, settings.iterations, dmas, bandwidth_gb_s)),
            settling,
            simulated_ns: record.bus_cycles as f64 * 1e9 / machine.bus_hz() as f64,
            per_spe,
            per_thread,
            counters: record.counters,
            recipe: recipe(machine, request, placement),
        }
    }

    /// The result as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Ticks from the earliest start to the latest end of the PPE threads' loops, or `None` if SPEs measure.
fn loops_of_ppe(loops: &[Option<Ticked>]) -> Option<u64> {
    let loops = || loops.iter().flatten();
    let first = loops().map(|own| own.from).min()?;
    let last = loops().map(|own| own.from + own.ticks).max()?;
    Some(last - first)
}

/// The recipe of a result.
pub(crate) fn recipe(machine: &Machine, request: &Request, placement: &Placement) -> Recipe {
    let Request { experiment, settings, given } = request;
    let columns = experiment.columns(settings);
    let own = Parameters {
        spes: Some(settings.spes),
        private: settings.private,
        iterations: Some(settings.iterations),
        spe_to_spe: columns.spe_to_spe,
        ppe: Some(word(&PpePath::ALL, settings.ppe).to_string()),
        spe_program: Some(word(&SpeProgram::ALL, settings.spe_program).to_string()),
        batch: Some(columns.batch.unwrap_or(1)),
        op: columns.op.map(str::to_string),
        target: columns.target,
        level: columns.level.map(str::to_string),
        memory: Some(settings.memory.name().to_string()),
        placement: PlacementChoice::Explicit(placement.threads().map(|(_, spe)| spe.0.into()).collect()),
        injection: experiment.offered_load(machine).map(|load| word(&Injection::ALL, load.injection).to_string()),
        // The placement is explicit in the recipe, so only random targets still need the seed.
        seed: Some(given.seed.filter(|_| experiment.uses_seed()).unwrap_or(0)),
        ..given.clone()
    };
    Recipe {
        version: env!("CARGO_PKG_VERSION"),
        machine: machine.name.clone(),
        machine_hash: machine.hash(),
        function: experiment.name().to_string(),
        parameters: own.recipe(),
    }
}
