//! The map of effective addresses: what a load, a store or a DMA command touches.
//!
//! Main memory starts at 0; where there are two chips, its first half lies at chip 0 and its second at
//! chip 1.  From [`INTERLEAVED_BASE`] on it is mapped a second time, with pages that lie at the two chips
//! in turn: what `numactl --interleave` gives a program.  Physical SPE *p* has a window of 512 KB at
//! [`SPE_WINDOW_BASE`] + *p* x [`SPE_WINDOW_BYTES`]: its local store at the start, its problem-state
//! registers behind it, as on the blade's real-address map.
//!
//! MODEL: translation always hits.  Silicon walks page tables on a TLB miss, which the papers avoid
//! by warming up and large pages.

use crate::machine::Machine;
use crate::units::SpeId;

/// First effective address of interleaved memory.
pub const INTERLEAVED_BASE: u64 = 0x100_0000_0000;
/// First effective address of SPE 0's window.
pub const SPE_WINDOW_BASE: u64 = 0x200_0000_0000;
/// Distance between the windows of two SPEs.
pub const SPE_WINDOW_BYTES: u64 = 0x8_0000;
/// Where the problem-state area starts in a window.
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
    /// In the privileged area; the kernel reads it on behalf of a program.
    pub const SPU_OUT_INTR_MBOX: u32 = 0x1_ff00;
}

/// Fields of `SPU_Mbox_Stat`.
pub mod mbox_stat {
    /// Entries that wait in the outbound mailbox.
    pub const OUT_COUNT: u64 = 0xff;
    /// Free entries of the inbound mailbox.
    pub const IN_FREE: u64 = 0xff00;
    /// Entries that wait in the outbound interrupt mailbox.
    pub const OUT_INTR_COUNT: u64 = 0xff_0000;
}

/// What lies behind an effective address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// Main memory, at this offset.
    Memory(u64),
    /// The local store of an SPE, at this offset.
    LocalStore(SpeId, u32),
    /// A problem-state register, by its offset.
    Register(SpeId, u32),
}

/// The effective address of `offset` in a physical SPE's local store.
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

/// Size of interleaved memory in bytes: it ends where the memory of one of the chips ends.
pub fn interleaved_bytes(machine: &Machine) -> u64 {
    let (pages, page) = (u64::from(machine.bif.interleave_pages), u64::from(machine.bif.interleave_page_bytes));
    match machine.bif.chips {
        2 => memory_base(machine, 1) / page / (pages - 1) * pages * page,
        _ => 0,
    }
}

/// The address in main memory of a place in interleaved memory, and how many bytes there are up to the end of its page.
/// Of every round of pages the last is at chip 1.
fn interleaved(machine: &Machine, place: u64) -> Option<(u64, u64)> {
    let (pages, of_page) = (u64::from(machine.bif.interleave_pages), u64::from(machine.bif.interleave_page_bytes));
    if place >= interleaved_bytes(machine) {
        return None;
    }
    let (page, offset) = (place / of_page, place % of_page);
    let (round, nth) = (page / pages, page % pages);
    let address = if nth == pages - 1 {
        memory_base(machine, 1) + round * of_page + offset
    } else {
        (round * (pages - 1) + nth) * of_page + offset
    };
    Some((address, of_page - offset))
}

/// The target of an access to `bytes` bytes at `ea`; `None` if they are unmapped or have no single target.
pub fn decode(machine: &Machine, ea: u64, bytes: u64) -> Option<Target> {
    region(machine, ea).filter(|(_, left)| bytes <= *left).map(|(target, _)| target)
}

/// What lies at `ea`, and for how many bytes it goes on without a gap.
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
    /// Moves so many bytes on, in the same region.
    #[inline(always)]
    pub fn move_on(&mut self, bytes: u32) {
        match self {
            Target::Memory(address) => *address += u64::from(bytes),
            Target::LocalStore(_, offset) | Target::Register(_, offset) => *offset += bytes,
        }
    }
}
