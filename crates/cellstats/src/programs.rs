//! Two small programs that match the programs in Python (`cellstats.programs`) operation by operation.
//!
//! A *ping* and a *pong* exchange a word through each other's mailbox; a *double-buffered copy* moves main memory
//! through two buffers. The programs do not compute: all their time is communication. Equal runs in Rust and Python
//! must produce byte-identical records.

use cell::coroutine::Spu;
use cell::ea::{register, register_ea};
use cell::units::SpeId;
use std::error::Error;
use std::fmt::{self, Display, Formatter};

/// Local-store address of the message. A 4-byte put needs the same low four bits in both addresses, and the address of
/// the inbound mailbox ends in 0xc.
const MESSAGE_LSA: u32 = 0x100c;
const MESSAGE_TAG: u32 = 0;
const MESSAGE: u32 = 0x5049_4e47;

/// Local-store addresses of the buffers, one buffer for each tag.
const BUFFER_LSA: [u32; 2] = [0x1_0000, 0x2_0000];
/// Maximum size of one DMA command in bytes (CBEA).
const CHUNK_BYTES_MAX: u64 = 16384;

/// Writes into the mailbox of the physical SPE `partner` and waits for the reply, repeatedly.
///
/// ```text
/// once            local store: MESSAGE at MESSAGE_LSA
/// each iteration  mark; mfc_put of 4 bytes, tag 0; read SPU_RdInMbox
/// at the end      write MFC_WrTagMask 1; write MFC_WrTagUpdate 2; read MFC_RdTagStat; stop 0
/// ```
pub async fn ping(spu: Spu, iterations: u64, partner: SpeId) -> u32 {
    let mailbox_ea = prepare_message(&spu, partner);
    let mut iterations = spu.iterations(iterations);
    while iterations.next().await {
        spu.mfc_put(MESSAGE_LSA, mailbox_ea, 4, MESSAGE_TAG).await;
        spu.spu_read_in_mbox().await;
    }
    finish(&spu, 1 << MESSAGE_TAG).await
}

/// Repeatedly waits for a message and replies into the mailbox of `partner`. Unlike [`ping`], reads before the put.
pub async fn pong(spu: Spu, iterations: u64, partner: SpeId) -> u32 {
    let mailbox_ea = prepare_message(&spu, partner);
    let mut iterations = spu.iterations(iterations);
    while iterations.next().await {
        spu.spu_read_in_mbox().await;
        spu.mfc_put(MESSAGE_LSA, mailbox_ea, 4, MESSAGE_TAG).await;
    }
    finish(&spu, 1 << MESSAGE_TAG).await
}

/// A copy within main memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockCopy {
    source_ea: u64,
    target_ea: u64,
    total_bytes: u64,
    chunk_bytes: u64,
}

/// Chunks that DMA cannot move, or that do not add up to the total.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadChunks {
    total_bytes: u64,
    chunk_bytes: u64,
}

impl Display for BadChunks {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let BadChunks { total_bytes, chunk_bytes } = self;
        write!(
            f,
            "cannot copy {total_bytes} bytes in chunks of {chunk_bytes}; the chunk must be a multiple of 16 \
             up to {CHUNK_BYTES_MAX}, and the total a multiple of the chunk"
        )
    }
}

impl Error for BadChunks {}

impl BlockCopy {
    /// A copy of `total_bytes` in chunks of `chunk_bytes`.
    ///
    /// # Errors
    /// Chunks that DMA cannot move, or that do not add up to the total.
    pub fn new(source_ea: u64, target_ea: u64, total_bytes: u64, chunk_bytes: u64) -> Result<BlockCopy, BadChunks> {
        let possible = chunk_bytes > 0 && chunk_bytes <= CHUNK_BYTES_MAX && chunk_bytes.is_multiple_of(16);
        if !possible || !total_bytes.is_multiple_of(chunk_bytes) {
            return Err(BadChunks { total_bytes, chunk_bytes });
        }
        Ok(BlockCopy { source_ea, target_ea, total_bytes, chunk_bytes })
    }
}

/// Copies main memory through two buffers; only fences protect the data of each buffer.
///
/// All commands of a buffer are in one tag group, so a `putf` waits for the `getf` that filled the buffer, and the next
/// `getf` waits for this `putf`. The two groups are independent, so one buffer fills while the other drains. The
/// program sets no fast-forward marks, because each chunk has different addresses, so no state repeats.
///
/// ```text
/// chunk i = 0, 1, ...  mfc_getf of chunk i, tag i % 2; mfc_putf of chunk i, tag i % 2
/// at the end           write MFC_WrTagMask 3; write MFC_WrTagUpdate 2; read MFC_RdTagStat; stop 0
/// ```
pub async fn double_buffered_copy(spu: Spu, copy: BlockCopy) -> u32 {
    let size = copy.chunk_bytes as u32;
    for chunk in 0..copy.total_bytes / copy.chunk_bytes {
        let (tag, offset) = ((chunk % 2) as u32, chunk * copy.chunk_bytes);
        let lsa = BUFFER_LSA[tag as usize];
        spu.mfc_getf(lsa, copy.source_ea.wrapping_add(offset), size, tag).await;
        spu.mfc_putf(lsa, copy.target_ea.wrapping_add(offset), size, tag).await;
    }
    finish(&spu, 0b11).await
}

/// Stores the message in the local store and returns the address of the partner's mailbox.
fn prepare_message(spu: &Spu, partner: SpeId) -> u64 {
    spu.ls().write_u32(u64::from(MESSAGE_LSA), MESSAGE);
    register_ea(partner, register::SPU_IN_MBOX)
}

/// Waits for the tag groups of `mask` and returns the stop code.
async fn finish(spu: &Spu, mask: u32) -> u32 {
    spu.mfc_write_tag_mask(mask).await;
    spu.mfc_read_tag_status_all().await;
    0
}
