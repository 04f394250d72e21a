//! Loads, stores and copies: by the PPE's threads in a level of its memory, by SPUs in their local stores
//! (jimenez2007 4.1 and 4.2.2).
//!
//! ```text
//!   l1      buffers of half the L1                       every element, over and over
//!   l2      buffers of half the L2, more than the L1     every element
//!   l1l2    the same                                     one element of each line; the whole line counts
//!   memory  buffers of many times the L2                 every element
//!   ls      half of what is free of a local store        every element
//! ```
//! The threads share what there is; who copies has half of it to read and half to write.

use super::control_block::ControlBlock;
use super::function::Function;
use super::layout::{Buffers, DATA_OFFSET, FIRST_FREE_LSA};
use super::params::{Level, Params};
use cell::coroutine::{Ppe, Spu, ppe_program};
use cell::door::{Access, PpeProgram, Walk};
use cell::machine::Machine;
use cell::units::{LINE_BYTES, SpuCycles, VECTOR_BYTES};
use std::cell::RefCell;
use std::rc::Rc;

/// How many times the L2 the buffers in memory are.
const MEMORY_IN_L2S: u64 = 16;
/// What is stored, and what there is to load.
const VALUE: u64 = 0x0123_4567_89ab_cdef;

/// One thread's part of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// One lap over its buffers.
    lap: Walk,
    /// Bytes from the first element of a buffer to behind the last.
    buffer_bytes: u64,
    iterations: u64,
    /// Whether the first lap would not be like the others.
    settles: bool,
}

/// What each thread of the PPE has to do; nothing if it is not the PPE that loads and stores.
///
/// # Errors
/// One line: the buffers do not fit main memory.
pub fn parts(machine: &Machine, params: &Params) -> Result<Vec<Part>, String> {
    if !params.is_by_ppe() {
        return Ok(Vec::new());
    }
    let (threads, values) = (u64::from(params.ppe_threads()), &machine.ppe_memory);
    let all = match params.level {
        Some(Level::L1) => u64::from(values.l1_bytes) / 2,
        Some(Level::Memory) => u64::from(values.l2_bytes) * MEMORY_IN_L2S,
        _ => u64::from(values.l2_bytes) / 2,
    };
    let (base, bytes) = params.memory.region(machine);
    let room = bytes.saturating_sub(DATA_OFFSET);
    if all > room {
        return Err(format!("buffers of {all} bytes do not fit main memory: {room} bytes are free"));
    }
    let copies = params.function == Function::Copy;
    let own = all / threads;
    let buffer_bytes = if copies { own / 2 } else { own };
    let bytes = params.size_bytes() as u8;
    let stride_bytes = if params.level == Some(Level::L1L2) { LINE_BYTES as u32 } else { u32::from(bytes) };
    let part = |nth: u64| {
        let from = base + DATA_OFFSET + nth * own;
        let access = match params.function {
            Function::Load => Access::Load { from },
            Function::Store => Access::Store { to: from, value: VALUE },
            _ => Access::Copy { from, to: from + buffer_bytes },
        };
        let lap = Walk { access, bytes, stride_bytes, count: (buffer_bytes / u64::from(stride_bytes)).max(1) };
        Part { lap, buffer_bytes, iterations: params.iterations, settles: params.level != Some(Level::Memory) }
    };
    Ok((0..threads).map(part).collect())
}

/// The program of one of the PPE's threads; it leaves its ticks at its place.
pub fn program(part: Part, place: usize, ticks: Rc<RefCell<Vec<Option<u64>>>>) -> Box<dyn PpeProgram> {
    ppe_program(move |ppe| async move {
        warm_up(&ppe, &part).await;
        let before = ppe.time_base().await;
        walk(&ppe, part.lap, part.iterations).await;
        let elapsed = ppe.time_base().await - before;
        ticks.borrow_mut()[place] = Some(elapsed);
        0
    })
}

/// Reads all that will be touched (jimenez2007, section 3).
async fn warm_up(ppe: &Ppe, part: &Part) {
    let buffers = match part.lap.access {
        Access::Load { from } => vec![from],
        Access::Store { to, .. } => vec![to],
        Access::Copy { from, to } => vec![from, to],
    };
    for from in buffers {
        let lines = part.buffer_bytes / LINE_BYTES;
        ppe.walk(Walk { access: Access::Load { from }, bytes: 8, stride_bytes: LINE_BYTES as u32, count: lines }).await;
    }
    if part.settles {
        ppe.walk(part.lap).await;
    }
}

/// So many elements, lap after lap.
async fn walk(ppe: &Ppe, lap: Walk, n: u64) {
    let mut laps = ppe.iterations(n / lap.count);
    while laps.next().await {
        ppe.walk(lap).await;
    }
    ppe.walk(Walk { count: n % lap.count, ..lap }).await;
}

/// SPU cycles that an element takes in a local store.
///
/// MODEL: what counts is how often the pipeline of loads, stores, rotates and shuffles is used: an unrolled
/// loop hides their latencies, and the other pipeline has its counters and branches.
pub fn element_cycles(machine: &Machine, params: &Params) -> SpuCycles {
    let spu = &machine.spu;
    // What an SPU loads and stores is a vector, whatever the size of an element.
    let part = params.size_bytes() < u32::from(VECTOR_BYTES);
    let access = spu.local_store_access_spu_cycles;
    let load = access + if part { spu.extract_spu_cycles } else { 0 };
    let store = access + if part { access + spu.merge_spu_cycles } else { 0 };
    match params.function {
        Function::Load => load,
        Function::Store => store,
        // What is merged need not be rotated first: the shuffle does both.
        _ if part => access + store,
        _ => load + store,
    }
}

/// An SPU's two buffers; `places` is the elements of one.
///
/// # Errors
/// One line: there is no room for them.
pub fn local_buffers(machine: &Machine, params: &Params) -> Result<Buffers, String> {
    let free = machine.mfc.local_store_bytes.saturating_sub(FIRST_FREE_LSA);
    let vector = u32::from(VECTOR_BYTES);
    let bytes = free / 4 / vector * vector;
    if bytes == 0 {
        return Err("the local store has no room for buffers".to_string());
    }
    let lsa = (FIRST_FREE_LSA, FIRST_FREE_LSA + bytes);
    Ok(Buffers { places: bytes / params.size_bytes().max(1), lsa_step: params.size_bytes(), lsa, ..Buffers::default() })
}

/// So many elements of a local store, lap after lap.
pub async fn in_local_store(spu: &Spu, block: &ControlBlock, n: u64) {
    let lap = u64::from(block.buffers.places);
    let mut laps = spu.iterations(n / lap);
    while laps.next().await {
        elements(spu, block, lap).await;
    }
    elements(spu, block, n % lap).await;
}

async fn elements(spu: &Spu, block: &ControlBlock, n: u64) {
    let (source, target) = (u64::from(block.buffers.lsa.0), u64::from(block.buffers.lsa.1));
    let bytes = (n * u64::from(block.size_bytes)) as usize;
    spu.compute(n * block.iteration_cycles).await;
    match block.function {
        Function::Copy => {
            let copied = spu.ls().bytes(source, bytes);
            spu.ls().write(target, &copied);
        }
        Function::Store => (0..bytes as u64 / 8).for_each(|nth| spu.ls().write_u64(source + 8 * nth, VALUE)),
        _ => (),
    }
}
