//! The loop in which an SPE issues DMAs that cycle through its buffers.

use crate::addresses::{CONTROL_LSA, LIST_LSA};
use crate::choices::TransferOp;
use crate::control_block::{Buffers, ControlBlock, Role};
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::placement::splitmix64;
use cell::units::LINE_BYTES;

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

/// The block of the same transfers with the longest list elements that give the same run.
///
/// The MFC sends a list's lines one by one, and fetches the next element from the moment at which it sends an element's
/// first line. If an element's lines take at least as long to send as the fetch takes, the MFC never waits for an element.
/// If moreover each element is made of whole lines, the same lines are sent at the same times however long the elements
/// are. The MMU alone sees where an element begins, because the MFC then looks up its page; this has no effect if the
/// TLB has room for all pages.
pub fn with_longest_elements(block: ControlBlock, machine: &Machine) -> ControlBlock {
    let ControlBlock { size_bytes, list_elements, buffers: Buffers { ea: (gets, puts), ea_step, .. }, .. } = block;
    let of_lines = |bytes: u64| bytes.is_multiple_of(LINE_BYTES);
    let lines = [u64::from(size_bytes), u64::from(ea_step), gets, puts].into_iter().all(of_lines);
    let send_bus_cycles = u64::from(size_bytes) / LINE_BYTES * machine.mfc.unroll_bus_cycles;
    let is_fetched = send_bus_cycles >= machine.mfc.list_element_bus_cycles;
    if list_elements == 0 || !lines || !is_fetched || !tlb_has_room(&block, machine) {
        return block;
    }
    let bytes = size_bytes * list_elements;
    let fits = |size: u32| of_lines(size.into()) && size <= machine.mfc.max_transfer_bytes;
    let fewest = (1..list_elements).find(|fewer| bytes.is_multiple_of(*fewer) && fits(bytes / fewer));
    let list_elements = fewest.unwrap_or(list_elements);
    ControlBlock { size_bytes: bytes / list_elements, list_elements, ..block }
}

/// Whether the TLB of an MFC never replaces a page of this block or of its buffers.
fn tlb_has_room(block: &ControlBlock, machine: &Machine) -> bool {
    let (values, buffers) = (&machine.translation, &block.buffers);
    let ways = values.mfc_tlb_ways.min(values.mfc_tlb_entries);
    let bytes = buffers.places * buffers.ea_step + block.size_bytes * block.list_elements;
    // Consecutive pages are in consecutive sets.
    let pages_of_set = (bytes / values.function_page_bytes + 2).div_ceil(values.mfc_tlb_entries / ways);
    let (control_block, gets_and_puts) = (1, 2 * pages_of_set);
    control_block + gets_and_puts <= ways
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

/// Bytes that a program moves between two fast-forward marks, at least. The work at a mark costs as much of the host's
/// time as a few lines.
const BYTES_BETWEEN_MARKS: u64 = 4096;

/// Runs `n` iterations and waits after every batch.
///
/// Sets a fast-forward mark at each iteration that begins both a batch and a cycle through the buffers. If all buffers
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
    // Lists of the same lines have the same marks, however the lines are divided into elements.
    let bytes = cycle * u64::from(block.size_bytes) * u64::from(block.list_elements.max(1));
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
pub async fn iteration(spu: &Spu, block: &ControlBlock, place: u32, window: u64, tag: u32) {
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
