//! The map of effective addresses: the target of a load, a store or a DMA command.
//!
//! Main memory starts at 0. On a machine with two chips, the first half belongs to chip 0 and the second to chip 1.
//! There is a second mapping of main memory at [`INTERLEAVED_BASE`], in which the pages alternate between the two
//! chips, as under `numactl --interleave`. Physical SPE *p* has a window of 512 KB at [`SPE_WINDOW_BASE`] + *p* x
//! [`SPE_WINDOW_BYTES`]: the local store first, then the problem-state registers, as in the blade's real-address map.

use crate::machine::Machine;
use crate::units::SpeId;

/// First effective address of interleaved memory.
pub const INTERLEAVED_BASE: u64 = 0x100_0000_0000;
/// First effective address of SPE 0's window.
pub const SPE_WINDOW_BASE: u64 = 0x200_0000_0000;
/// Distance between the windows of two SPEs.
pub const SPE_WINDOW_BYTES: u64 = 0x8_0000;
/// Offset of the problem-state area in an SPE's window.
pub const PROBLEM_STATE: u64 = 0x4_0000;
const PROBLEM_STATE_BYTES: u64 = 0x2_0000;

/// Offsets of the problem-state registers (Linux `spu.h`, libspe2 `cbea_map.h`).
#[allow(missing_docs)]
pub mod register {
    pub const MFC_MS_SYNC: u32 = 0x0000;
    pub const MFC_LSA: u32 = 0x3004;
    pub const MFC_EAH: u32 = 0x3008;
    pub const MFC_EAL: u32 = 0x300c;
    pub const MFC_SIZE_TAG: u32 = 0x3010;
    pub const MFC_CLASS_CMD: u32 = 0x3014;
    pub const MFC_Q_STATUS: u32 = 0x3104;
    pub const PRXY_QUERY_TYPE: u32 = 0x3204;
    pub const PRXY_QUERY_MASK: u32 = 0x321c;
    pub const PRXY_TAG_STATUS: u32 = 0x322c;
    pub const SPU_OUT_MBOX: u32 = 0x4004;
    pub const SPU_IN_MBOX: u32 = 0x400c;
    pub const SPU_MBOX_STAT: u32 = 0x4014;
    pub const SPU_RUN_CNTL: u32 = 0x401c;
    pub const SPU_STATUS: u32 = 0x4024;
    pub const SPU_NPC: u32 = 0x4034;
    pub const SPU_SIG_NOTIFY_1: u32 = 0x1400c;
    pub const SPU_SIG_NOTIFY_2: u32 = 0x1c00c;
    /// This register is in the privileged area; the kernel reads it on behalf of a program.
    pub const SPU_OUT_INTR_MBOX: u32 = 0x1_ff00;
}

/// Fields of `SPU_Mbox_Stat`.
pub mod mbox_stat {
    /// Number of entries in the outbound mailbox.
    pub const OUT_COUNT: u64 = 0xff;
    /// Number of free entries of the inbound mailbox.
    pub const IN_FREE: u64 = 0xff00;
    /// Number of entries in the outbound interrupt mailbox.
    pub const OUT_INTR_COUNT: u64 = 0xff_0000;
}

/// What an effective address refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// An offset in main memory.
    Memory(u64),
    /// An offset in the local store of an SPE.
    LocalStore(SpeId, u32),
    /// A problem-state register of an SPE, by its offset.
    Register(SpeId, u32),
}

/// Returns the effective address of an offset in a physical SPE's local store.
pub fn local_store_ea(spe: SpeId, offset: u32) -> u64 {
    SPE_WINDOW_BASE + u64::from(spe.0) * SPE_WINDOW_BYTES + u64::from(offset)
}

/// The effective address of a problem-state register of a physical SPE.
pub fn register_ea(spe: SpeId, offset: u32) -> u64 {
    local_store_ea(spe, 0) + PROBLEM_STATE + u64::from(offset)
}

/// The address at which a chip's main memory begins.
pub fn memory_base(machine: &Machine, chip: u8) -> u64 {
    machine.chip.main_memory_bytes / u64::from(machine.bif.chips) * u64::from(chip)
}

/// Size of interleaved memory in bytes. Interleaved memory ends when the memory of one chip is used up.
pub fn interleaved_bytes(machine: &Machine) -> u64 {
    let (pages, page) = (u64::from(machine.bif.interleave_pages), u64::from(machine.bif.interleave_page_bytes));
    match machine.bif.chips {
        2 => memory_base(machine, 1) / page / (pages - 1) * pages * page,
        _ => 0,
    }
}

/// Converts an offset in interleaved memory to an address in main memory. Also returns the number of bytes up to the
/// end of the page. The last page of each interleave period belongs to chip 1.
fn interleaved(machine: &Machine, offset: u64) -> Option<(u64, u64)> {
    let (pages, of_page) = (u64::from(machine.bif.interleave_pages), u64::from(machine.bif.interleave_page_bytes));
    if offset >= interleaved_bytes(machine) {
        return None;
    }
    let (page, in_page) = (offset / of_page, offset % of_page);
    let (round, nth) = (page / pages, page % pages);
    let address = if nth == pages - 1 {
        memory_base(machine, 1) + round * of_page + in_page
    } else {
        (round * (pages - 1) + nth) * of_page + in_page
    };
    Some((address, of_page - in_page))
}

/// Returns the target of an access to `bytes` bytes at `ea`, or `None` if the bytes are not mapped or cross the end of
/// a region.
pub fn decode(machine: &Machine, ea: u64, bytes: u64) -> Option<Target> {
    region(machine, ea).filter(|(_, left)| bytes <= *left).map(|(target, _)| target)
}

/// Returns the target at `ea` and the number of bytes from `ea` to the end of the region.
pub fn region(machine: &Machine, ea: u64) -> Option<(Target, u64)> {
    if ea < SPE_WINDOW_BASE {
        let (address, left) =
            if ea < INTERLEAVED_BASE { (ea, u64::MAX) } else { interleaved(machine, ea - INTERLEAVED_BASE)? };
        let left = left.min(machine.chip.main_memory_bytes.checked_sub(address)?);
        return Some((Target::Memory(address), left));
    }
    let window = (ea - SPE_WINDOW_BASE) / SPE_WINDOW_BYTES;
    let offset = (ea - SPE_WINDOW_BASE) % SPE_WINDOW_BYTES;
    if window >= u64::from(machine.spe_count()) {
        return None;
    }
    let spe = SpeId(window as u8);
    let local_store_end = u64::from(machine.mfc.local_store_bytes).min(PROBLEM_STATE);
    if offset < local_store_end {
        return Some((Target::LocalStore(spe, offset as u32), local_store_end - offset));
    }
    let register = offset.checked_sub(PROBLEM_STATE)?;
    Some((Target::Register(spe, register as u32), PROBLEM_STATE_BYTES.checked_sub(register)?))
}

impl Target {
    /// Advances by a number of bytes within the same region.
    #[inline(always)]
    pub fn move_on(&mut self, bytes: u32) {
        match self {
            Target::Memory(address) => *address += u64::from(bytes),
            Target::LocalStore(_, offset) | Target::Register(_, offset) => *offset += bytes,
        }
    }
}
