//! Loads and stores of the PPE's threads in one level of its memory hierarchy.
//!
//! ```text
//!   l1      buffers of half the L1                       every element, over and over
//!   l2      buffers of half the L2, more than the L1     every element
//!   l1l2    the same                                     one element of each line; the whole line counts
//!   memory  buffers of many times the L2                 every element
//! ```
//! The buffers are divided between the threads; a copy reads one half of its thread's part and writes the other half.

use super::element_access::{ElementAccess, Kind, VALUE};
use crate::choices::Level;
use crate::refusal::Refusal;
use crate::setup::{Setup, Ticked, Ticks};
use cell::coroutine::{Ppe, ppe_program};
use cell::door::{Access, PpeProgram, Walk};
use cell::units::LINE_BYTES;

/// Size of the buffers in memory, in multiples of the L2.
const MEMORY_IN_L2S: u64 = 16;

/// The work of one PPE thread.
#[derive(Clone, Copy, Debug)]
pub struct OwnWalk {
    /// One pass over the thread's buffers.
    lap: Walk,
    /// Number of bytes from the start of the first element of a buffer to the end of the last element.
    buffer_bytes: u64,
    warm_up: bool,
    iterations: u64,
}

/// The work of each PPE thread.
///
/// # Errors
/// The buffers do not fit main memory.
pub fn walks(each: ElementAccess, threads: u32, setup: &Setup) -> Result<Vec<OwnWalk>, Refusal> {
    let (threads, values) = (u64::from(threads), &setup.machine.ppe_memory);
    let all = match each.level {
        Level::L1 => u64::from(values.l1_bytes) / 2,
        Level::Memory => u64::from(values.l2_bytes) * MEMORY_IN_L2S,
        _ => u64::from(values.l2_bytes) / 2,
    };
    let room = setup.data_bytes();
    if all > room {
        return Err(Refusal::new(format!("buffers of {all} bytes do not fit main memory: {room} bytes are free")));
    }
    let own = all / threads;
    let buffer_bytes = if each.kind == Kind::Copy { own / 2 } else { own };
    let bytes = each.size_bytes as u8;
    let stride_bytes = if each.level == Level::L1L2 { LINE_BYTES as u32 } else { u32::from(bytes) };
    let walk = |nth: u64| {
        let from = setup.data_ea() + nth * own;
        let access = match each.kind {
            Kind::Load => Access::Load { from },
            Kind::Store => Access::Store { to: from, value: VALUE },
            Kind::Copy => Access::Copy { from, to: from + buffer_bytes },
        };
        let lap = Walk { access, bytes, stride_bytes, count: (buffer_bytes / u64::from(stride_bytes)).max(1) };
        // The first pass fills the cache, so it would differ from later passes.
        OwnWalk { lap, buffer_bytes, warm_up: each.level != Level::Memory, iterations: setup.settings.iterations }
    };
    Ok((0..threads).map(walk).collect())
}

/// The program of the `nth` PPE thread, which writes its ticks into `ticks`.
pub fn program(own: OwnWalk, nth: usize, ticks: Ticks) -> Box<dyn PpeProgram> {
    ppe_program(move |ppe| async move {
        touch(&ppe, &own).await;
        let from = ppe.time_base().await;
        walk(&ppe, own.lap, own.iterations).await;
        ticks.borrow_mut()[nth] = Some(Ticked { ticks: ppe.time_base().await - from, from });
        0
    })
}

/// Reads all memory that the loop will access (jimenez2007, section 3).
async fn touch(ppe: &Ppe, own: &OwnWalk) {
    let buffers = match own.lap.access {
        Access::Load { from } | Access::Touch { from, .. } => vec![from],
        Access::Store { to, .. } | Access::Own { to } => vec![to],
        Access::Copy { from, to } => vec![from, to],
    };
    for from in buffers {
        let lines = own.buffer_bytes / LINE_BYTES;
        ppe.walk(Walk { access: Access::Load { from }, bytes: 8, stride_bytes: LINE_BYTES as u32, count: lines }).await;
    }
    if own.warm_up {
        ppe.walk(own.lap).await;
    }
}

/// Accesses `n` elements in repeated passes over the buffers.
async fn walk(ppe: &Ppe, lap: Walk, n: u64) {
    let mut laps = ppe.iterations(n / lap.count);
    while laps.next().await {
        ppe.walk(lap).await;
    }
    ppe.walk(Walk { count: n % lap.count, ..lap }).await;
}
