//! The placement that is best for what a trace has seen to move.

use crate::chips::usable_spes;
use crate::communication_model::{CommunicationModel, ModelSearch};
use crate::pattern::{End, Pattern, Transfer};
use crate::request::Request;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::trace::{RequestRow, Trace};
use cell::units::{SpeId, ThreadId};
use serde::Serialize;
use std::collections::BTreeMap;

/// A better placement, and the time of the traffic on both placements according to the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BetterPlacement {
    /// The SPE of each thread.
    pub placement: Vec<u8>,
    /// Time with this placement.
    pub bus_cycles: u64,
    /// Time with the current placement.
    pub bus_cycles_now: u64,
}

/// The placement that the communication model judges best for the traffic of a window.
///
/// # Errors
/// A one-line message if nothing moved in the window.
pub fn better_placement(
    machine: &Machine,
    request: &Request,
    now: &[u8],
    seen: &Trace,
) -> Result<BetterPlacement, String> {
    let pattern = traffic(seen, now);
    if pattern.phases.iter().all(Vec::is_empty) {
        return Err("nothing moved between threads or with memory in this window; look at a longer one".to_string());
    }
    let model = CommunicationModel::new(machine, request.settings.memory);
    let usable = usable_spes(machine, request.settings.cells);
    let first = now.iter().map(|spe| usable.iter().position(|usable| usable.0 == *spe).unwrap_or(0)).collect();
    let search = ModelSearch { evaluations: None, seed: 0, starts: u64::MAX, batch: 1, first: vec![first] };
    let found = search.best(&model, &pattern, &usable, || true)?.ok_or("no placement to judge")?;
    let placement: Vec<SpeId> = found.placement.iter().map(|nth| usable[*nth]).collect();
    let bus_cycles = |spes| model.cost(&pattern, &Placement::of(spes)).bus_cycles;
    Ok(BetterPlacement {
        placement: placement.iter().map(|spe| spe.0).collect(),
        bus_cycles: bus_cycles(placement),
        bus_cycles_now: bus_cycles(now.iter().map(|spe| SpeId(*spe)).collect()),
    })
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
