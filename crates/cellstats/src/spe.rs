//! The SPE program that all measurements share; each family supplies the loop.

use crate::addresses::CONTROL_LSA;
use crate::control_block::{ControlBlock, Role};
use crate::families;
use crate::setup::{MEASURED_TAG, OTHER_TAG};
use crate::transfers::wait;
use cell::coroutine::{Spu, spu_program};
use cell::door::Program;

/// Message from an SPE that its control block has arrived.
const READY: u32 = 1;

/// The program of one SPE; without a control block the program ends at once.
pub fn program(control_ea: u64) -> Box<dyn Program> {
    if control_ea == 0 { spu_program(|_| async { 0 }) } else { spu_program(move |spu| main(spu, control_ea)) }
}

async fn main(spu: Spu, control_ea: u64) -> u32 {
    spu.mfc_get(CONTROL_LSA, control_ea, ControlBlock::BYTES, OTHER_TAG).await;
    wait(&spu, OTHER_TAG).await;
    let block = ControlBlock::decode(&spu.ls(), CONTROL_LSA);
    families::prepare(&spu, &block).await;
    spu.spu_write_out_mbox(READY).await;
    spu.spu_read_in_mbox().await;
    if block.role == Role::Holder {
        spu.spu_write_out_mbox(0).await;
        return 0;
    }
    families::run(&spu, &block, block.warm_up, OTHER_TAG).await;
    spu.spu_write_decrementer(u32::MAX).await;
    families::run(&spu, &block, block.iterations, MEASURED_TAG).await;
    let ticks = u32::MAX - spu.spu_read_decrementer().await;
    families::finish(&spu, &block).await;
    spu.spu_write_out_mbox(ticks).await;
    0
}
