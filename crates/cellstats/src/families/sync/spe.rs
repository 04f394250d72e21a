//! The SPE side of `mailbox` and `signal`: the SPE replies to the PPE, or alternates with another SPE.

use super::means::Means;
use crate::addresses::WORD_LSA;
use crate::control_block::{ControlBlock, Role};
use crate::transfers::wait;
use cell::coroutine::Spu;

const MESSAGE: u32 = 1;

/// Waits `n` times for the PPE's message and replies by mailbox.
pub async fn answer_ppe(spu: &Spu, means: Means, n: u64) {
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        let message = receive(spu, means).await;
        spu.spu_write_out_mbox(message).await;
    }
}

/// Writes to the partner and waits for its reply; a responder waits before it writes.
pub async fn synchronise(spu: &Spu, block: &ControlBlock, means: Means, n: u64, tag: u32) {
    spu.ls().write_u32(u64::from(WORD_LSA), MESSAGE);
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        if block.role == Role::Responder {
            receive(spu, means).await;
        }
        match means {
            Means::Mailbox => spu.mfc_put(WORD_LSA, block.ea, 4, tag).await,
            Means::Signal => spu.mfc_sndsig(WORD_LSA, block.ea, tag).await,
        }
        if block.role == Role::Active {
            receive(spu, means).await;
        }
        // The word to send may be overwritten once the DMA has read it.
        wait(spu, tag).await;
        spu.compute(block.iteration_cycles).await;
    }
}

async fn receive(spu: &Spu, means: Means) -> u32 {
    match means {
        Means::Mailbox => spu.spu_read_in_mbox().await,
        Means::Signal => spu.spu_read_signal1().await,
    }
}
