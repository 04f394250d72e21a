//! The SPE side of `mailbox` and `signal`: the SPE replies to the PPE, or alternates with another SPE.

use super::facility::Facility;
use crate::addresses::WORD_LSA;
use crate::control_block::{ControlBlock, Role};
use crate::transfers::wait;
use cell::coroutine::Spu;

const MESSAGE: u32 = 1;

/// Waits `n` times for the PPE's message and replies by mailbox.
pub async fn answer_ppe(spu: &Spu, facility: Facility, n: u64) {
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        let message = receive(spu, facility).await;
        spu.spu_write_out_mbox(message).await;
    }
}

/// Writes to the partner and waits for its reply; a responder waits before it writes.
pub async fn synchronise(spu: &Spu, block: &ControlBlock, facility: Facility, n: u64, tag: u32) {
    spu.ls().write_u32(u64::from(WORD_LSA), MESSAGE);
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        if block.role == Role::Responder {
            receive(spu, facility).await;
        }
        match facility {
            Facility::Mailbox => spu.mfc_put(WORD_LSA, block.ea, 4, tag).await,
            Facility::Signal => spu.mfc_sndsig(WORD_LSA, block.ea, tag).await,
        }
        if block.role == Role::Active {
            receive(spu, facility).await;
        }
        // The word to send may be overwritten once the DMA has read it.
        wait(spu, tag).await;
        spu.compute(block.iteration_cycles).await;
    }
}

async fn receive(spu: &Spu, facility: Facility) -> u32 {
    match facility {
        Facility::Mailbox => spu.spu_read_in_mbox().await,
        Facility::Signal => spu.spu_read_signal1().await,
    }
}
