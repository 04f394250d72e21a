//! The SPE side of an exchange, which runs the script made from a [`Pattern`](crate::pattern::Pattern).
//!
//! A long message takes several DMAs. Before each phase, including the first, a thread waits for all its own messages,
//! then at the barrier for the other threads. An iteration therefore lasts from the end of a thread's last messages in
//! the previous iteration to the end of its last messages in this iteration.
//!
//! The barrier is centralised: each SPE sends its bit to the first SPE's signal register, which combines the bits by
//! OR. When all bits have arrived, the first SPE signals every other SPE.

use super::script::{FIRST, Header, Message, SEND_LSA, Step};
use crate::addresses::{LIST_LSA, WORD_LSA};
use crate::control_block::ControlBlock;
use crate::transfers::wait;
use cell::coroutine::Spu;
use cell::units::LINE_BYTES;

/// Tag group of the script.
const SCRIPT_TAG: u32 = 0;
/// Tag group of the signals.
const SIGNAL_TAG: u32 = 2;

/// Fetches the script. Fills the area of data to send with words that are unique among all SPEs.
pub async fn prepare(spu: &Spu, block: &ControlBlock) {
    spu.mfc_get(LIST_LSA, block.ea, block.size_bytes, SCRIPT_TAG).await;
    wait(spu, SCRIPT_TAG).await;
    let ls = &mut *spu.ls();
    let Header { bit, send_bytes, .. } = Header::decode(ls);
    let mut line = [0; LINE_BYTES as usize];
    for offset in (0..send_bytes).step_by(line.len()) {
        let words = line.as_chunks_mut().0.iter_mut();
        (offset / 4..).zip(words).for_each(|(nth, word)| *word = (bit << 16 | nth).to_be_bytes());
        ls.write(u64::from(SEND_LSA + offset), &line);
    }
    ls.write_u32(u64::from(WORD_LSA), bit);
}

/// Runs `n` iterations.
pub async fn exchange(spu: &Spu, block: &ControlBlock, n: u64, tag: u32) {
    let script = Header::decode(&spu.ls());
    let mut iterations = spu.iterations(n);
    while iterations.next().await {
        for nth in 0..script.steps {
            let step = script.step(&spu.ls(), nth);
            match step {
                Step::Send(message) => {
                    for _ in 0..message.repetitions {
                        send(spu, block, message, script.dma_bytes, tag).await;
                    }
                }
                Step::Barrier => {
                    wait(spu, tag).await;
                    barrier(spu, script).await;
                }
            }
        }
        wait(spu, tag).await;
    }
}

async fn send(spu: &Spu, block: &ControlBlock, message: Message, dma_bytes: u32, tag: u32) {
    let mut done = 0;
    while done < message.bytes {
        let (lsa, ea) = (message.lsa + done, message.ea + u64::from(done));
        let size = dma_bytes.min(message.bytes - done);
        if message.put {
            spu.mfc_put(lsa, ea, size, tag).await;
        } else {
            spu.mfc_get(lsa, ea, size, tag).await;
        }
        spu.compute(block.iteration_cycles).await;
        done += size;
    }
}

/// Waits until all SPEs have reached the barrier.
async fn barrier(spu: &Spu, script: Header) {
    if script.bit != FIRST {
        signal(spu, 0).await;
    }
    let mut heard = 0;
    while heard != script.awaited {
        heard |= spu.spu_read_signal1().await;
    }
    if script.bit == FIRST {
        for nth in 0..script.partners {
            signal(spu, nth).await;
        }
    }
}

async fn signal(spu: &Spu, partner: u32) {
    let ea = Header::partner_ea(&spu.ls(), partner);
    spu.mfc_sndsig(WORD_LSA, ea, SIGNAL_TAG).await;
}
