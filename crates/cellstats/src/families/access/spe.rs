//! Loads and stores of an SPU in its own local store. Each of the two buffers is half of the free space.

use super::element_access::{ElementAccess, Kind, VALUE};
use crate::addresses::FIRST_FREE_LSA;
use crate::control_block::{Buffers, ControlBlock};
use crate::refusal::Refusal;
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::units::{SpuCycles, VECTOR_BYTES};

/// SPU cycles that one element takes in a local store.
///
/// MODEL: an element costs the issue slots of its loads, stores, rotates and shuffles in the odd pipeline. An unrolled
/// loop hides the latencies of these instructions, and the loop's counters and branches use the even pipeline.
pub fn element_cycles(each: ElementAccess, machine: &Machine) -> SpuCycles {
    let spu = &machine.spu;
    // An SPU loads and stores whole vectors, whatever the size of an element.
    let within = each.size_bytes < u32::from(VECTOR_BYTES);
    let access = spu.local_store_access_spu_cycles;
    let load = access + if within { spu.extract_spu_cycles } else { 0 };
    let store = access + if within { access + spu.merge_spu_cycles } else { 0 };
    match each.kind {
        Kind::Load => load,
        Kind::Store => store,
        // A single shuffle instruction both rotates and merges.
        Kind::Copy if within => access + store,
        Kind::Copy => load + store,
    }
}

/// An SPU's two buffers; `places` is the number of elements of one buffer.
///
/// # Errors
/// The local store has no room for the buffers.
pub fn buffers(each: ElementAccess, machine: &Machine) -> Result<Buffers, Refusal> {
    let free = machine.mfc.local_store_bytes.saturating_sub(FIRST_FREE_LSA);
    let vector = u32::from(VECTOR_BYTES);
    let bytes = free / 4 / vector * vector;
    if bytes == 0 {
        return Err(Refusal::new("the local store has no room for buffers"));
    }
    let lsa = (FIRST_FREE_LSA, FIRST_FREE_LSA + bytes);
    Ok(Buffers { places: bytes / each.size_bytes.max(1), lsa_step: each.size_bytes, lsa, ..Buffers::default() })
}

/// Accesses `n` elements of a local store in repeated passes over the buffers.
pub async fn in_local_store(spu: &Spu, block: &ControlBlock, kind: Kind, n: u64) {
    let lap = u64::from(block.buffers.places);
    let mut laps = spu.iterations(n / lap);
    while laps.next().await {
        elements(spu, block, kind, lap).await;
    }
    elements(spu, block, kind, n % lap).await;
}

async fn elements(spu: &Spu, block: &ControlBlock, kind: Kind, n: u64) {
    let (source, target) = (u64::from(block.buffers.lsa.0), u64::from(block.buffers.lsa.1));
    let bytes = (n * u64::from(block.size_bytes)) as usize;
    spu.compute(n * block.iteration_cycles).await;
    match kind {
        Kind::Copy => {
            let copied = spu.ls().bytes(source, bytes);
            spu.ls().write(target, &copied);
        }
        Kind::Store => (0..bytes as u64 / 8).for_each(|nth| spu.ls().write_u64(source + 8 * nth, VALUE)),
        Kind::Load => (),
    }
}
