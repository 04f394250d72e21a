//! What a measurement says, with the recipe that makes it again.

use super::histogram::{Distribution, bin_width};
use crate::chips::Cells;
use crate::choices::{PpePath, SpeProgram, word};
use crate::parameters::Parameters;
use crate::request::Request;
use crate::settings::Settings;
use crate::setup::{Columns, Ticked};
use cell::counters::{Counters, Latencies};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::record::{Record, SCHEMA_VERSION};
use cell::units::ThreadId;
use serde::Serialize;

/// One result: the columns of the tool's JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// Version of these columns.
    pub schema: u32,
    /// FUNCTION.
    pub function: String,
    /// Machine name.
    pub machine: String,
    /// SPEs involved.
    pub spes: u32,
    /// What its family has to say.
    #[serde(flatten)]
    pub columns: Columns,
    /// `library` or `mmio`.
    pub ppe: &'static str,
    /// What the SPEs ran: `builtin` or `c`.
    pub spe_program: &'static str,
    /// Measured iterations.
    pub iterations: u64,
    /// Which chips' SPEs were used, if that was asked for: `0`, `1`, `01` or `10`.
    pub cells: Option<&'static str>,
    /// Where buffers and variables in main memory lay, if there were any: `0`, `1` or `interleave`.
    pub memory: Option<&'static str>,
    /// Physical SPE of each thread.
    pub placement: Vec<u8>,
    /// Average time of an iteration, over all measuring SPEs.
    pub latency_ns: f64,
    /// The fastest SPE's average.
    pub latency_ns_min: f64,
    /// The slowest SPE's average.
    pub latency_ns_max: f64,
    /// All bytes over the time in which they moved, from the first beginning of a measured loop to the last end;
    /// 10^9 bytes a second; none where no data moves.
    pub bandwidth_gb_s: Option<f64>,
    /// How long single DMAs took, if asked for.
    pub dma_latency: Option<Distribution>,
    /// Simulated time of the whole run.
    pub simulated_ns: f64,
    /// One row for each SPE that measured.
    pub per_spe: Vec<PerSpe>,
    /// One row for each thread of the PPE that measured.
    pub per_thread: Vec<PerThread>,
    /// What the machine counted while all SPEs measured.
    pub counters: Counters,
    /// How to make this result again.
    pub recipe: Recipe,
}

/// One SPE's share of a result.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PerSpe {
    /// Thread number.
    pub thread: u8,
    /// Physical SPE.
    pub spe: u8,
    /// Ticks of the measured loop.
    pub ticks: u64,
    /// Average time of an iteration.
    pub latency_ns: f64,
    /// Its bandwidth.
    pub bandwidth_gb_s: Option<f64>,
    /// How long its single DMAs took, if asked for.
    pub dma_latency: Option<Distribution>,
}

/// The share of one of the PPE's threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PerThread {
    /// Which of them.
    pub thread: u8,
    /// Ticks of the measured loop.
    pub ticks: u64,
    /// Average time of an access.
    pub latency_ns: f64,
    /// Its bandwidth.
    pub bandwidth_gb_s: Option<f64>,
}

/// All that determines a result.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Recipe {
    /// Version of the simulator.
    pub version: &'static str,
    /// Machine name.
    pub machine: String,
    /// Hash of the machine's values.
    pub machine_hash: String,
    /// FUNCTION.
    pub function: String,
    /// Its parameters, by their flags.
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

impl Measurement {
    /// Makes a result of the ticks that the SPEs mailed and the record of the run.
    pub fn new(
        machine: &Machine,
        request: &Request,
        placement: &Placement,
        ticks: &[Option<Ticked>],
        record: Record,
    ) -> Measurement {
        let Request { experiment, settings } = request;
        let ns_per_tick = 1e9 / machine.chip.timebase_hz as f64;
        let ns_per_cycle = 1e9 / machine.bus_hz() as f64;
        let mut latencies = Latencies::new();
        for (latency, count) in record.counters.latencies.iter().flatten() {
            *latencies.entry(*latency).or_default() += count;
        }
        let longest = latencies.keys().next_back().copied().unwrap_or(0);
        let width_ns = bin_width(longest as f64 * ns_per_cycle);
        let latency = |ticks: u64| ticks as f64 * ns_per_tick / settings.iterations as f64;
        // Bytes in a nanosecond are 10^9 bytes in a second.
        let rate = |thread: u8, ticks| {
            let bytes = experiment.bytes_of_thread(ThreadId(thread)).filter(|_| ticks > 0);
            bytes.map(|bytes| bytes as f64 / latency(ticks))
        };
        let (of_spes, of_ppe) = if experiment.ppe_threads() > 0 { (&[][..], ticks) } else { (ticks, &[][..]) };
        let rows = placement.threads().zip(of_spes).filter_map(|((thread, spe), ticks)| {
            let ticks = (*ticks)?.ticks;
            let (latency_ns, bandwidth) = (latency(ticks), rate(thread.0, ticks));
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
        // The SPEs' own time is finer than ticks.
        let span_ns = match loops_of_ppe(of_ppe) {
            Some(ticks) => ticks as f64 * ns_per_tick,
            None => record.measured_span_spu_cycles as f64 * 1e9 / machine.chip.processor_clock_hz as f64,
        };
        let threads = per_spe.iter().map(|row| row.thread).chain(per_thread.iter().map(|row| row.thread));
        let bytes: u64 = threads.filter_map(|thread| experiment.bytes_of_thread(ThreadId(thread))).sum();
        let moves = experiment.bytes_of_thread(ThreadId(0)).is_some();
        let bandwidth_gb_s = if span_ns > 0.0 { bytes as f64 * settings.iterations as f64 / span_ns } else { 0.0 };
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
            simulated_ns: record.bus_cycles as f64 * 1e9 / machine.bus_hz() as f64,
            per_spe,
            per_thread,
            counters: record.counters,
            recipe: recipe(machine, request, placement),
        }
    }

    /// The result as JSON, one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Ticks from the first beginning to the last end of the loops of the PPE's threads, if these measure.
fn loops_of_ppe(loops: &[Option<Ticked>]) -> Option<u64> {
    let loops = || loops.iter().flatten();
    let first = loops().map(|own| own.from).min()?;
    let last = loops().map(|own| own.from + own.ticks).max()?;
    Some(last - first)
}

/// How to make a result again.
pub(super) fn recipe(machine: &Machine, request: &Request, placement: &Placement) -> Recipe {
    let Request { experiment, settings } = request;
    let placement: Vec<u8> = placement.threads().map(|(_, spe)| spe.0).collect();
    let mut own = Parameters::default();
    experiment.recipe(&mut own);
    let Settings { spes, private, iterations, ppe, spe_program, histogram, memory, .. } = settings;
    let parameters = serde_json::json!({
        "spes": spes,
        "private": private,
        "iterations": iterations,
        "size_bytes": own.size,
        "list_elements": own.list_elements,
        "stride_bytes": own.stride,
        "spe_to_spe": own.spe_to_spe,
        "ppe": word(&PpePath::ALL, *ppe),
        "spe_program": word(&SpeProgram::ALL, *spe_program),
        "batch": own.batch.unwrap_or(1),
        "op": own.op,
        "target": own.target,
        "level": own.level,
        "threads": own.threads,
        "pattern": own.pattern,
        "seed": own.seed.unwrap_or(0),
        "histogram": histogram,
        "memory": memory.name(),
        "placement": placement,
    });
    Recipe {
        version: env!("CARGO_PKG_VERSION"),
        machine: machine.name.clone(),
        machine_hash: machine.hash(),
        function: experiment.name().to_string(),
        parameters: parameters.as_object().cloned().unwrap_or_default(),
    }
}
