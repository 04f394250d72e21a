//! Placements: the SPEs of an affinity, and the best placement for the traffic of a window.

use ::place::search::{All, Local, LocalOptions, minimise, placements};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::{RequestRow, Trace};
use cell::units::{SpeId, ThreadId};
use cellstats::communication_model::{CommunicationModel, Cost};
use cellstats::pattern::{End, Pattern, Transfer};
use cellstats::{Request, usable_spes};
use serde_json::json;
use std::collections::BTreeMap;

/// Maximum number of placements for an exhaustive search; 8 threads on 8 SPEs have 40,320 placements.
const ALL_MAX: u64 = 50_000;
/// Maximum number of placements that a search judges if there are more than [`ALL_MAX`].
const EVALUATIONS: u64 = 20_000;

/// The SPEs of an affinity for a number of threads.
pub fn affinity(machine: &Machine, name: &str, threads: usize) -> Result<Vec<u8>, String> {
    let chips: Vec<u8> = (0..machine.bif.chips as u8).collect();
    let spes = cellstats::affinity(machine, name, &chips).ok_or_else(|| format!("unknown affinity {name:?}"))?;
    match spes.get(..threads) {
        Some(spes) => Ok(spes.iter().map(|spe| spe.0).collect()),
        None => Err(format!("{threads} threads: {} has {} SPEs to use", machine.name, spes.len())),
    }
}

/// The placement that the communication model judges best for the traffic of a window, and the current placement's
/// cost.
pub fn best(machine: &Machine, request: &Request, now: &[u8], seen: &Trace) -> Result<String, String> {
    let pattern = traffic(seen, now);
    if pattern.phases.iter().all(Vec::is_empty) {
        return Err("nothing moved between threads or with memory in this window; look at a longer one".to_string());
    }
    let model = CommunicationModel::new(machine, request.settings.memory);
    let usable = usable_spes(machine, request.settings.cells);
    let judged = |spes: Vec<SpeId>| model.cost(&pattern, &Placement::of(spes));
    let on = |cores: &[usize]| cores.iter().map(|core| usable[*core]).collect::<Vec<SpeId>>();
    let cost = |cores: &[usize]| comparable(judged(on(cores)));
    let found = if placements(now.len(), usable.len()) <= ALL_MAX {
        minimise(&mut All::new(now.len(), usable.len())?, cost)
    } else {
        let first = now.iter().map(|spe| usable.iter().position(|usable| usable.0 == *spe).unwrap_or(0)).collect();
        let options = LocalOptions { seed: 0, starts: u64::MAX, evaluations: EVALUATIONS, first: vec![first] };
        minimise(&mut Local::new(now.len(), usable.len(), options)?, cost)
    };
    let (cores, _) = found.ok_or("no placement to judge")?;
    let (spes, before) = (on(&cores), judged(now.iter().map(|spe| SpeId(*spe)).collect()));
    let placement: Vec<u8> = spes.iter().map(|spe| spe.0).collect();
    let after = judged(spes).bus_cycles;
    Ok(json!({ "placement": placement, "bus_cycles": after, "bus_cycles_now": before.bus_cycles }).to_string())
}

/// A cost packed into one number, so that costs sort by bus cycles, then by imbalance.
fn comparable(cost: Cost) -> u64 {
    cost.bus_cycles << 36 | cost.unevenness.min((1 << 36) - 1)
}

/// The traffic of a window as one phase of messages between threads, or with main memory.
fn traffic(seen: &Trace, placement: &[u8]) -> Pattern {
    let thread = |name: &str| {
        let spe: u8 = name.strip_prefix("SPE")?.split(' ').next()?.parse().ok()?;
        let thread = placement.iter().position(|placed| *placed == spe)?;
        Some(End::LocalStore(ThreadId(thread as u8)))
    };
    let end = |name: &str| if name == "memory" { Some(End::Memory) } else { thread(name) };
    let mut moved = BTreeMap::new();
    // A request that crosses to the other chip has a second row in the trace for the rest of its path.
    let first = |row: &&RequestRow| row.onward_of.is_none() && row.from.is_some();
    for row in seen.requests.iter().filter(first) {
        let Some((issuer, target)) = thread(&row.issuer).zip(row.target.as_deref().and_then(end)) else { continue };
        let way = if row.kind == "write" { (issuer, target) } else { (target, issuer) };
        if issuer != target {
            *moved.entry(way).or_insert(0u32) += u32::from(row.bytes);
        }
    }
    let message = |((source, destination), bytes)| Transfer { source, destination, bytes, repetitions: 1 };
    let phase = moved.into_iter().map(message).collect();
    Pattern { name: "seen".to_string(), threads: placement.len() as u32, phases: vec![phase] }
}
