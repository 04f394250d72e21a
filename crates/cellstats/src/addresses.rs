//! Memory layout that all families share.
//!
//! ```text
//!   local store   0x00000  program          main memory  0x010000  control blocks, two lines each
//!                 0x03d00  lock line                     0x020000  scripts of an exchange
//!                 0x03e00  control block                 0x100000  buffers and variables
//!                 0x03f00  words to send
//!                 0x03f40  state of the source of an offered load
//!                 0x04000  DMA lists, or the script of an exchange
//!                 0x04000 or 0x08000  buffers
//! ```

use cell::units::{LINE_BYTES, SpeId};

/// Local-store address of the cache line that atomic operations work on.
pub const LOCK_LINE_LSA: u32 = 0x3d00;
/// Local-store address of the control block.
pub const CONTROL_LSA: u32 = 0x3e00;
/// Local-store address of the word for mailboxes and signals. The low four bits of this
/// address equal those of the mailbox and signal registers.
pub const WORD_LSA: u32 = 0x3f0c;
/// Local-store address of the state of the source of an offered load.
pub const SOURCE_LSA: u32 = 0x3f40;
/// Local-store address of the DMA list, or of the script of an exchange.
pub const LIST_LSA: u32 = 0x4000;
/// First local-store address after the control block and the word for mailboxes.
pub const FIRST_FREE_LSA: u32 = 0x4000;
/// First local-store address after the DMA lists.
pub const AFTER_LIST_LSA: u32 = 0x8000;

/// Size of the area for DMA lists in bytes.
pub const LISTS_BYTES: u32 = AFTER_LIST_LSA - LIST_LSA;

const CONTROL_EA: u64 = 0x1_0000;
/// Offset of the data in the memory of either chip, or in interleaved memory.
pub const DATA_OFFSET: u64 = 0x10_0000;

/// Effective address of the control block of an SPE's thread.
///
/// Addresses in memory belong to an SPE, not to a thread. Therefore, two placements with the same traffic between the
/// same SPEs give the same run.
pub fn control_ea(spe: SpeId) -> u64 {
    CONTROL_EA + u64::from(spe.0) * 2 * LINE_BYTES
}
