//! The SPE side of CellStats.

use super::accesses;
use super::control_block::ControlBlock;
use super::exchange;
use super::function::Function;
use super::layout::{CONTROL_LSA, LOCK_LINE_LSA, WORD_LSA};
use super::traffic::Role;
use super::transfers::{self, wait};
use cell::coroutine::{Spu, spu_program};
use cell::door::Program;

/// Tag group of the control block, the warm-up and whatever else is not measured.
const TAG: u32 = 0;
/// Tag group of the measured DMAs: what wants to look at them alone knows them by it.
pub const MEASURED_TAG: u32 = 1;
/// What is mailed when the control block has come, and to let the loop begin.
const READY: u32 = 1;

/// The program of one SPE; for thread creation it does nothing at all.
pub fn program(empty: bool, control_ea: u64) -> Box<dyn Program> {
    if empty { spu_program(|_| async { 0 }) } else { spu_program(move |spu| main(spu, control_ea)) }
}

async fn main(spu: Spu, control_ea: u64) -> u32 {
    spu.mfc_get(CONTROL_LSA, control_ea, ControlBlock::BYTES, TAG).await;
    wait(&spu, TAG).await;
    let block = ControlBlock::decode(&spu.ls(), CONTROL_LSA);
    if block.function == Function::Exchange {
        exchange::prepare(&spu, &block, TAG).await;
    } else {
        transfers::build_lists(&spu, &block);
    }
    spu.spu_write_out_mbox(READY).await;
    spu.spu_read_in_mbox().await;
    if block.role == Role::Holder {
        spu.spu_write_out_mbox(0).await;
        return 0;
    }
    task(&spu, &block, block.warm_up, TAG).await;
    spu.spu_write_decrementer(u32::MAX).await;
    task(&spu, &block, block.iterations, MEASURED_TAG).await;
    let ticks = u32::MAX - spu.spu_read_decrementer().await;
    spu.spu_write_out_mbox(ticks).await;
    0
}

async fn task(spu: &Spu, block: &ControlBlock, iterations: u64, tag: u32) {
    match (block.role, block.function) {
        (Role::PpeResponder, function) => answer_ppe(spu, function, iterations).await,
        (_, Function::Mailbox | Function::Signal) => synchronise(spu, block, iterations, tag).await,
        (_, Function::Exchange) => exchange::exchange(spu, block, iterations, tag).await,
        (_, function) if function.is_dma() => transfers::transfer(spu, block, iterations, tag).await,
        (_, function) if function.is_access() => accesses::in_local_store(spu, block, iterations).await,
        _ => modify(spu, block, iterations).await,
    }
}

/// Waits for the PPE's message and replies by mailbox.
async fn answer_ppe(spu: &Spu, function: Function, n: u64) {
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        let message = match function {
            Function::Mailbox => spu.spu_read_in_mbox().await,
            _ => spu.spu_read_signal1().await,
        };
        spu.spu_write_out_mbox(message).await;
    }
}

/// Writes to the partner and waits for its reply, or the other way round.
async fn synchronise(spu: &Spu, block: &ControlBlock, n: u64, tag: u32) {
    spu.ls().write_u32(u64::from(WORD_LSA), READY);
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        if block.role == Role::Responder {
            receive(spu, block.function).await;
        }
        match block.function {
            Function::Mailbox => spu.mfc_put(WORD_LSA, block.ea, 4, tag).await,
            _ => spu.mfc_sndsig(WORD_LSA, block.ea, tag).await,
        }
        if block.role == Role::Active {
            receive(spu, block.function).await;
        }
        // The word may be reused once it has gone.
        wait(spu, tag).await;
        spu.compute(block.iteration_cycles).await;
    }
}

async fn receive(spu: &Spu, function: Function) {
    match function {
        Function::Mailbox => spu.spu_read_in_mbox().await,
        _ => spu.spu_read_signal1().await,
    };
}

/// One atomic operation after the other.
async fn modify(spu: &Spu, block: &ControlBlock, n: u64) {
    let change: fn(u32) -> u32 = match block.function {
        Function::FetchAdd | Function::FetchInc => |old| old.wrapping_add(1),
        Function::FetchSub | Function::FetchDec => |old| old.wrapping_sub(1),
        _ => |_| READY,
    };
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        spu.atomic_update(LOCK_LINE_LSA, block.ea, block.atomic_cycles, change).await;
        spu.compute(block.iteration_cycles).await;
    }
}
