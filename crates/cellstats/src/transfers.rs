//! The loop in which an SPE issues DMAs that cycle through its buffers.

use crate::addresses::{CONTROL_LSA, LIST_LSA};
use crate::choices::TransferOp;
use crate::control_block::{ControlBlock, Role};
use cell::coroutine::Spu;
use cell::placement::splitmix64;

/// Builds the DMA lists, one for every slot and direction; their elements are consecutive in main storage.
pub fn build_lists(spu: &Spu, block: &ControlBlock) {
    if block.role != Role::Active || block.list_elements == 0 {
        return;
    }
    let (gets, puts) = block.buffers.ea;
    for (put, ea) in directions(block.op).into_iter().map(|put| (put, if put { puts } else { gets })) {
        for place in 0..block.buffers.places {
            let list = u64::from(list_lsa(block, put, place));
            let first = ea as u32 + place * block.buffers.ea_step;
            for i in 0..block.list_elements {
                let element = u64::from(block.size_bytes) << 32 | u64::from(first + i * block.size_bytes);
                spu.ls().write_u64(list + 8 * u64::from(i), element);
            }
        }
    }
}

/// The directions of an operation; `true` means `put`.
fn directions(op: TransferOp) -> Vec<bool> {
    match op {
        TransferOp::Get => vec![false],
        TransferOp::Put => vec![true],
        TransferOp::Copy => vec![false, true],
    }
}

fn list_lsa(block: &ControlBlock, put: bool, place: u32) -> u32 {
    let behind_gets = put && block.op == TransferOp::Copy;
    let nth = if behind_gets { block.buffers.places + place } else { place };
    LIST_LSA + 8 * block.list_elements * nth
}

/// Bytes that a program moves between two fast-forward marks, at least.  The work at a mark costs as much of the host's
/// time as a few lines.
const BYTES_BETWEEN_MARKS: u64 = 4096;

/// Runs `n` iterations and waits after every batch.
///
/// Sets a fast-forward mark at each iteration that begins both a batch and a cycle through the buffers.  If all buffers
/// take the same time, a cycle is a tour, and a mark may begin in the middle of the cycle.
pub async fn transfer(spu: &Spu, block: &ControlBlock, n: u64, tag: u32) {
    if block.targets > 0 {
        return transfer_anywhere(spu, block, n, tag).await;
    }
    let cycle = lcm(u64::from(block.batch.max(1)), u64::from(block.buffers.places));
    let parts = parts_of_tour(block, cycle);
    let part = cycle / u64::from(parts);
    let mut marked = spu.iterations_in_tours(n / part, parts);
    while marked.next().await {
        let done = n / part - marked.left() - 1;
        run(spu, block, done * part, part, tag).await;
    }
    run(spu, block, n - n % part, n % part, tag).await;
    wait(spu, tag).await;
}

/// The number of equal parts, each of whole batches, into which marks divide a cycle of this many iterations.
fn parts_of_tour(block: &ControlBlock, cycle: u64) -> u32 {
    let batches = cycle / u64::from(block.batch.max(1));
    let bytes = cycle * u64::from(block.size_bytes);
    let most = if block.buffers.alike && batches > 2 { bytes / BYTES_BETWEEN_MARKS } else { 1 };
    (1..=batches.min(most)).rev().find(|parts| batches.is_multiple_of(*parts)).unwrap_or(1) as u32
}

/// Runs `n` iterations, the first of which follows `done` iterations.
async fn run(spu: &Spu, block: &ControlBlock, done: u64, n: u64, tag: u32) {
    let batch = u64::from(block.batch);
    let mut left = batch;
    let mut place = (done % u64::from(block.buffers.places)) as u32;
    for _ in 0..n {
        iteration(spu, block, place, 0, tag).await;
        place = if place + 1 == block.buffers.places { 0 } else { place + 1 };
        left = left.wrapping_sub(1);
        if left == 0 {
            wait(spu, tag).await;
            left = batch;
        }
    }
}

/// Like [`transfer`], but with a random target for every DMA. Sets no fast-forward marks, because each choice depends
/// on the number of earlier choices, so no state repeats.
async fn transfer_anywhere(spu: &Spu, block: &ControlBlock, n: u64, tag: u32) {
    let mut state = block.seed ^ u64::from(tag) << 32;
    for i in 1..=n {
        let target = (splitmix64(&mut state) % u64::from(block.targets)) as u32;
        let window = ControlBlock::target(&spu.ls(), CONTROL_LSA, target);
        let place = (i % u64::from(block.buffers.places)) as u32;
        iteration(spu, block, place, window, tag).await;
        if block.batch > 0 && i % u64::from(block.batch) == 0 {
            wait(spu, tag).await;
        }
    }
    wait(spu, tag).await;
}

/// Issues a `get`, a `put`, or a `get` and a `put`.
async fn iteration(spu: &Spu, block: &ControlBlock, place: u32, window: u64, tag: u32) {
    let buffers = &block.buffers;
    if block.op != TransferOp::Put {
        dma(spu, block, false, place, window, tag).await;
    }
    if block.op != TransferOp::Get {
        let behind = place + buffers.put_lag;
        let place = if behind >= buffers.places { behind - buffers.places } else { behind };
        dma(spu, block, true, place, window, tag).await;
    }
}

/// Issues one command, then spends the time that the loop's own code takes.
async fn dma(spu: &Spu, block: &ControlBlock, put: bool, place: u32, window: u64, tag: u32) {
    let (buffers, size) = (&block.buffers, block.size_bytes);
    let (lsa, ea) = if put { (buffers.lsa.1, buffers.ea.1) } else { (buffers.lsa.0, buffers.ea.0) };
    let lsa = lsa + place * buffers.lsa_step;
    let ea = window + ea + u64::from(place * buffers.ea_step);
    match (put, block.list_elements) {
        (false, 0) => spu.mfc_get(lsa, ea, size, tag).await,
        (true, 0) => spu.mfc_put(lsa, ea, size, tag).await,
        (false, n) => spu.mfc_getl(lsa, ea, list_lsa(block, put, place), 8 * n, tag).await,
        (true, n) => spu.mfc_putl(lsa, ea, list_lsa(block, put, place), 8 * n, tag).await,
    }
    spu.compute(block.iteration_cycles).await;
}

/// Waits for every DMA of a tag group.
pub async fn wait(spu: &Spu, tag: u32) {
    spu.mfc_wait_for_tags(1 << tag).await;
}

/// Least common multiple of two numbers that are not 0.
fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
