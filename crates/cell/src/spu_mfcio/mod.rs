//! The functions of `spu_mfcio.h`, implemented with the four operations in [`crate::door::Op`].
//!
//! Each function behaves as in the *C/C++ Language Extensions for Cell BE* and GCC's `spu_mfcio.h`. The functions have
//! no parameters for class ids, because this chip treats all class ids alike by default. The Python package has the
//! same functions, which access the same channels.

mod channels;
mod commands;
mod tags;

pub use tags::{MFC_TAG_INVALID, MFC_TAG_VALID};

use crate::channel::Channel;
use crate::coroutine::Spu;
use crate::door::{Op, Step};
use crate::units::{LINE_BYTES, SpuCycles};
use std::future::Future;

/// `MFC_WrTagUpdate`: request the current tag status.
pub const MFC_TAG_UPDATE_IMMEDIATE: u32 = 0;
/// `MFC_WrTagUpdate`: request the tag status when at least one tag group in the mask is complete.
pub const MFC_TAG_UPDATE_ANY: u32 = 1;
/// `MFC_WrTagUpdate`: request the tag status when every tag group in the mask is complete.
pub const MFC_TAG_UPDATE_ALL: u32 = 2;

/// `MFC_RdAtomicStat`: the conditional put failed.
pub const MFC_PUTLLC_STATUS: u32 = 1;
/// `MFC_RdAtomicStat`: `putlluc` is done.
pub const MFC_PUTLLUC_STATUS: u32 = 2;
/// `MFC_RdAtomicStat`: `getllar` is done.
pub const MFC_GETLLAR_STATUS: u32 = 4;

/// The high 32 bits of an effective address.
pub fn mfc_ea2h(ea: u64) -> u32 {
    (ea >> 32) as u32
}

/// The low 32 bits of an effective address.
pub fn mfc_ea2l(ea: u64) -> u32 {
    ea as u32
}

/// Combines the two halves of an effective address.
pub fn mfc_hl2ea(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Rounds up to a multiple of 128.
pub fn mfc_ceil128(value: u64) -> u64 {
    value.next_multiple_of(LINE_BYTES)
}

impl Spu {
    /// `rdch`.
    pub fn read(&self, channel: Channel) -> impl Future<Output = u32> {
        self.ask_in_turn(move || [Op::Read(channel)])
    }

    /// `wrch`.
    pub async fn write(&self, channel: Channel, value: u32) {
        self.ask_in_turn(move || [Op::Write(channel, value)]).await;
    }

    /// `rchcnt`.
    pub fn count(&self, channel: Channel) -> impl Future<Output = u32> {
        self.ask_in_turn(move || [Op::Count(channel)])
    }

    /// Computes for `cycles` SPU cycles.
    pub async fn compute(&self, cycles: SpuCycles) {
        self.ask_in_turn(move || [Op::Compute(cycles)]).await;
    }

    /// `stop` with a stop code. Returns when the PPE resumes the program.
    pub async fn stop(&self, code: u32) {
        self.step(Step::Stop(code)).await;
    }

    /// Returns a loop of `n` iterations, each of which is marked (see [`crate::door`]).
    pub fn iterations(&self, n: u64) -> Iterations<'_> {
        self.iterations_in_tours(n, 1)
    }

    /// Like [`Spu::iterations`], but for a loop that makes tours of `tour` iterations (see [`crate::door`]).
    pub fn iterations_in_tours(&self, n: u64, tour: u32) -> Iterations<'_> {
        self.tour().set(tour);
        Iterations { spu: self, left: n }
    }

    /// `mfc_write_tag_update_immediate`.
    pub async fn mfc_write_tag_update_immediate(&self) {
        self.mfc_write_tag_update(MFC_TAG_UPDATE_IMMEDIATE).await;
    }

    /// `mfc_write_tag_update_any`.
    pub async fn mfc_write_tag_update_any(&self) {
        self.mfc_write_tag_update(MFC_TAG_UPDATE_ANY).await;
    }

    /// `mfc_write_tag_update_all`.
    pub async fn mfc_write_tag_update_all(&self) {
        self.mfc_write_tag_update(MFC_TAG_UPDATE_ALL).await;
    }

    /// `mfc_read_tag_status_immediate`: returns the tag groups in the mask that are complete now.
    pub fn mfc_read_tag_status_immediate(&self) -> impl Future<Output = u32> {
        self.mfcstat(MFC_TAG_UPDATE_IMMEDIATE)
    }

    /// `mfc_read_tag_status_any`: waits until at least one tag group in the mask is complete.
    pub fn mfc_read_tag_status_any(&self) -> impl Future<Output = u32> {
        self.mfcstat(MFC_TAG_UPDATE_ANY)
    }

    /// `mfc_read_tag_status_all`: waits until every tag group in the mask is complete.
    pub fn mfc_read_tag_status_all(&self) -> impl Future<Output = u32> {
        self.mfcstat(MFC_TAG_UPDATE_ALL)
    }

    /// `spu_mfcstat`: requests a tag status and waits for it.
    pub fn mfcstat(&self, update: u32) -> impl Future<Output = u32> {
        self.ask_in_turn(move || [Op::Write(Channel::WR_TAG_UPDATE, update), Op::Read(Channel::RD_TAG_STAT)])
    }

    /// `mfc_write_tag_mask` and `mfc_read_tag_status_all`: waits until all tag groups in the mask are complete.
    pub fn mfc_wait_for_tags(&self, mask: u32) -> impl Future<Output = u32> {
        self.ask_in_turn(move || {
            [
                Op::Write(Channel::WR_TAG_MASK, mask),
                Op::Write(Channel::WR_TAG_UPDATE, MFC_TAG_UPDATE_ALL),
                Op::Read(Channel::RD_TAG_STAT),
            ]
        })
    }

    /// `mfc_write_multi_src_sync_request`: requests a notification when all data that other units have sent to this SPE
    /// have arrived.
    pub async fn mfc_write_multi_src_sync_request(&self) {
        self.write(Channel::WR_MS_SYNC_REQ, 0).await;
    }

    /// Performs the read-modify-write of the SDK's synchronization library. `modify` computes the new value of the
    /// 32-bit word at `ea` from the old value, and the old value is returned. `buffer` is the address of a line in the
    /// local store. `cycles` is the number of SPU cycles that the library's own instructions take for each attempt.
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

/// A loop whose iterations are marked, so that exact fast-forward can skip iterations.
pub struct Iterations<'s> {
    spu: &'s Spu,
    left: u64,
}

impl Iterations<'_> {
    /// Begins the next iteration; returns false when no iteration is left.
    pub async fn next(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        let skipped = self.spu.step(Step::Mark { remaining: self.left }).await;
        self.left -= u64::from(skipped) + 1;
        true
    }

    /// Number of iterations after the one that has begun.
    pub fn left(&self) -> u64 {
        self.left
    }
}
