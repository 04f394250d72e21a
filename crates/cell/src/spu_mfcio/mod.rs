//! The names of `spu_mfcio.h`, on top of the four questions of [`crate::door`].
//!
//! What each does and takes is as in the *C/C++ Language Extensions for Cell BE* and GCC's
//! `spu_mfcio.h`; class ids are left out because this chip's default treats all alike.  The Python
//! package has the same names, channel for channel.

use crate::channel::Channel;
use crate::coroutine::Spu;
use crate::door::{Op, Step};
use crate::units::SpuCycles;

/// `MFC_WrTagUpdate` codes.
const TAG_UPDATE_IMMEDIATE: u32 = 0;
const TAG_UPDATE_ANY: u32 = 1;
const TAG_UPDATE_ALL: u32 = 2;

/// `MFC_RdAtomicStat`: the conditional put failed.
pub const MFC_PUTLLC_STATUS: u32 = 1;

macro_rules! transfer_commands {
    ($($name:ident $opcode:literal $what:literal;)*) => {
        impl Spu {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $what)]
                pub async fn $name(&self, ls: u32, ea: u64, size: u32, tag: u32) {
                    self.mfcdma64(ls, ea, size, tag, $opcode).await;
                }
            )*
        }
    };
}

transfer_commands! {
    mfc_put 0x20 "local store to main storage.";
    mfc_putb 0x21 "put with tag barrier.";
    mfc_putf 0x22 "put with tag fence.";
    mfc_get 0x40 "main storage to local store.";
    mfc_getb 0x41 "get with tag barrier.";
    mfc_getf 0x42 "get with tag fence.";
}

macro_rules! list_commands {
    ($($name:ident $opcode:literal $what:literal;)*) => {
        impl Spu {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $what)]
                /// `ea` gives the upper half of every element's address; `list` lies in the local store.
                pub async fn $name(&self, ls: u32, ea: u64, list: u32, list_size: u32, tag: u32) {
                    let ea = (ea & !0xffff_ffff) | u64::from(list);
                    self.mfcdma64(ls, ea, list_size, tag, $opcode).await;
                }
            )*
        }
    };
}

list_commands! {
    mfc_putl 0x24 "scatter the local store by a list.";
    mfc_putlb 0x25 "scatter with tag barrier.";
    mfc_putlf 0x26 "scatter with tag fence.";
    mfc_getl 0x44 "gather into the local store by a list.";
    mfc_getlb 0x45 "gather with tag barrier.";
    mfc_getlf 0x46 "gather with tag fence.";
}

macro_rules! lock_line_commands {
    ($($name:ident $opcode:literal $what:literal;)*) => {
        impl Spu {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $what)]
                pub async fn $name(&self, ls: u32, ea: u64) {
                    self.mfcdma64(ls, ea, 128, 0, $opcode).await;
                }
            )*
        }
    };
}

lock_line_commands! {
    mfc_getllar 0xd0 "get a lock line and reserve it.";
    mfc_putllc 0xb4 "put a lock line if the reservation still stands.";
    mfc_putlluc 0xb0 "put a lock line in any case.";
}

impl Spu {
    /// `rdch`.
    pub async fn read(&self, channel: Channel) -> u32 {
        self.step(Step::Ask(Op::Read(channel))).await
    }

    /// `wrch`.
    pub async fn write(&self, channel: Channel, value: u32) {
        self.step(Step::Ask(Op::Write(channel, value))).await;
    }

    /// `rchcnt`.
    pub async fn count(&self, channel: Channel) -> u32 {
        self.step(Step::Ask(Op::Count(channel))).await
    }

    /// Works for `cycles` SPU cycles.
    pub async fn compute(&self, cycles: SpuCycles) {
        self.step(Step::Ask(Op::Compute(cycles))).await;
    }

    /// A loop of `n` marked iterations (see [`crate::door`]).
    pub fn iterations(&self, n: u64) -> Iterations<'_> {
        Iterations { spu: self, left: n }
    }

    /// `spu_mfcdma64`: the six channel writes of a DMA command.
    pub async fn mfcdma64(&self, ls: u32, ea: u64, size: u32, tag: u32, command: u32) {
        self.write(Channel::MFC_LSA, ls).await;
        self.write(Channel::MFC_EAH, (ea >> 32) as u32).await;
        self.write(Channel::MFC_EAL, ea as u32).await;
        self.write(Channel::MFC_SIZE, size).await;
        self.write(Channel::MFC_TAG_ID, tag).await;
        self.write(Channel::MFC_CMD, command).await;
    }

    /// `spu_mfcdma32`: the five channel writes of a command that needs no upper half of an address.
    pub async fn mfcdma32(&self, ls: u32, eal: u32, size: u32, tag: u32, command: u32) {
        self.write(Channel::MFC_LSA, ls).await;
        self.write(Channel::MFC_EAL, eal).await;
        self.write(Channel::MFC_SIZE, size).await;
        self.write(Channel::MFC_TAG_ID, tag).await;
        self.write(Channel::MFC_CMD, command).await;
    }

    /// `mfc_putqlluc`: put a lock line from the queue, behind its tag group.
    pub async fn mfc_putqlluc(&self, ls: u32, ea: u64, tag: u32) {
        self.mfcdma64(ls, ea, 128, tag, 0xb8).await;
    }

    /// `mfc_sndsig`: four bytes to a signal register; `ls` ends in 0xc as the register's address does.
    pub async fn mfc_sndsig(&self, ls: u32, ea: u64, tag: u32) {
        self.mfcdma64(ls, ea, 4, tag, 0xa0).await;
    }

    /// `mfc_barrier`: later commands of any tag wait for all earlier ones.
    pub async fn mfc_barrier(&self, tag: u32) {
        self.mfcdma32(0, 0, 0, tag, 0xc0).await;
    }

    /// `mfc_eieio`.
    pub async fn mfc_eieio(&self, tag: u32) {
        self.mfcdma32(0, 0, 0, tag, 0xc8).await;
    }

    /// `mfc_sync`.
    pub async fn mfc_sync(&self, tag: u32) {
        self.mfcdma32(0, 0, 0, tag, 0xcc).await;
    }

    /// `mfc_stat_cmd_queue`: free entries of the command queue.
    pub async fn mfc_stat_cmd_queue(&self) -> u32 {
        self.count(Channel::MFC_CMD).await
    }

    /// `mfc_write_tag_mask`.
    pub async fn mfc_write_tag_mask(&self, mask: u32) {
        self.write(Channel::WR_TAG_MASK, mask).await;
    }

    /// `mfc_read_tag_status_immediate`: the tag groups of the mask that are complete now.
    pub async fn mfc_read_tag_status_immediate(&self) -> u32 {
        self.tag_status(TAG_UPDATE_IMMEDIATE).await
    }

    /// `mfc_read_tag_status_any`: waits until one tag group of the mask is complete.
    pub async fn mfc_read_tag_status_any(&self) -> u32 {
        self.tag_status(TAG_UPDATE_ANY).await
    }

    /// `mfc_read_tag_status_all`: waits until every tag group of the mask is complete.
    pub async fn mfc_read_tag_status_all(&self) -> u32 {
        self.tag_status(TAG_UPDATE_ALL).await
    }

    async fn tag_status(&self, update: u32) -> u32 {
        self.write(Channel::WR_TAG_UPDATE, update).await;
        self.read(Channel::RD_TAG_STAT).await
    }

    /// `mfc_read_list_stall_status`: waits for a list to stall; the tags of those that have.
    pub async fn mfc_read_list_stall_status(&self) -> u32 {
        self.read(Channel::RD_LIST_STALL_STAT).await
    }

    /// `mfc_write_list_stall_ack`: lets the stalled lists of a tag go on.
    pub async fn mfc_write_list_stall_ack(&self, tag: u32) {
        self.write(Channel::WR_LIST_STALL_ACK, tag).await;
    }

    /// `mfc_read_atomic_status`.
    pub async fn mfc_read_atomic_status(&self) -> u32 {
        self.read(Channel::RD_ATOMIC_STAT).await
    }

    /// `spu_read_in_mbox`.
    pub async fn spu_read_in_mbox(&self) -> u32 {
        self.read(Channel::RD_IN_MBOX).await
    }

    /// `spu_stat_in_mbox`.
    pub async fn spu_stat_in_mbox(&self) -> u32 {
        self.count(Channel::RD_IN_MBOX).await
    }

    /// `spu_write_out_mbox`.
    pub async fn spu_write_out_mbox(&self, value: u32) {
        self.write(Channel::WR_OUT_MBOX, value).await;
    }

    /// `spu_write_out_intr_mbox`.
    pub async fn spu_write_out_intr_mbox(&self, value: u32) {
        self.write(Channel::WR_OUT_INTR_MBOX, value).await;
    }

    /// `spu_read_signal1`.
    pub async fn spu_read_signal1(&self) -> u32 {
        self.read(Channel::RD_SIG_NOTIFY_1).await
    }

    /// `spu_read_signal2`.
    pub async fn spu_read_signal2(&self) -> u32 {
        self.read(Channel::RD_SIG_NOTIFY_2).await
    }

    /// `spu_read_decrementer`.
    pub async fn spu_read_decrementer(&self) -> u32 {
        self.read(Channel::RD_DEC).await
    }

    /// `spu_write_decrementer`.
    pub async fn spu_write_decrementer(&self, value: u32) {
        self.write(Channel::WR_DEC, value).await;
    }

    /// The read-modify-write of the SDK's synchronisation library: `modify` makes the new value of
    /// the 32-bit word at `ea` of the old one, which is returned.  `buffer` is a line of local
    /// store; `cycles` what the library's own instructions take per attempt, in SPU cycles.
    pub async fn atomic_update(&self, buffer: u32, ea: u64, cycles: SpuCycles, modify: impl Fn(u32) -> u32) -> u32 {
        let word = u64::from(buffer) + ea % 128;
        loop {
            self.mfc_getllar(buffer, ea & !127).await;
            self.mfc_read_atomic_status().await;
            let old = self.ls().read_u32(word);
            self.ls().write_u32(word, modify(old));
            self.compute(cycles).await;
            self.mfc_putllc(buffer, ea & !127).await;
            if self.mfc_read_atomic_status().await & MFC_PUTLLC_STATUS == 0 {
                return old;
            }
        }
    }
}

/// A loop whose iterations are marked, so that exact fast-forward can leave some out.
pub struct Iterations<'s> {
    spu: &'s Spu,
    left: u64,
}

impl Iterations<'_> {
    /// Begins the next iteration; false when none is left.
    pub async fn next(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        let skipped = self.spu.step(Step::Mark { remaining: self.left }).await;
        self.left -= u64::from(skipped) + 1;
        true
    }
}
