//! The PPE's library: libspe2's names for operations that go through the operating system, and direct accesses to the
//! problem-state registers for the other operations.
//!
//! The library functions make the same system calls as libspe2 2.1, the version used in the CellStats papers. Each
//! signal write opens, writes and closes a file, which fully explains the high cost of signal writes.
//!
//! Code that accesses registers directly needs a `sync` between two accesses that must not be reordered. Examples are
//! reading a mailbox's status and then writing to the mailbox, or writing to a register and then polling for the effect
//! of the write.

use crate::command::Command;
use crate::coroutine::Ppe;
use crate::door::{NO_ENTRY, PpeOp, PpeStep, SpeEvents, Syscall, TagUpdate, Walk};
use crate::ea::mbox_stat::{IN_FREE, OUT_COUNT};
use crate::ea::{register, register_ea};
use crate::units::{SpeId, SpuCycles, ThreadId};

impl Ppe {
    async fn ask(&self, op: PpeOp) -> u64 {
        self.step(PpeStep::Ask(op)).await
    }

    async fn syscall(&self, call: Syscall) -> u64 {
        self.ask(PpeOp::Syscall(call)).await
    }

    /// Loads 1, 2, 4 or 8 bytes.
    pub async fn load(&self, ea: u64, bytes: u8) -> u64 {
        self.ask(PpeOp::Load { ea, bytes }).await
    }

    /// Stores 1, 2, 4 or 8 bytes.
    pub async fn store(&self, ea: u64, bytes: u8, value: u64) {
        self.ask(PpeOp::Store { ea, bytes, value }).await;
    }

    /// `sync`: waits until all earlier accesses have been performed.
    pub async fn sync(&self) {
        self.ask(PpeOp::Sync).await;
    }

    /// Executes a loop that loads, stores or copies elements of main memory.
    pub async fn walk(&self, walk: Walk) {
        self.ask(PpeOp::Walk(walk)).await;
    }

    /// Computes for `cycles` processor cycles.
    pub async fn compute(&self, cycles: SpuCycles) {
        self.ask(PpeOp::Compute(cycles)).await;
    }

    /// `mftb`: the time base, in ticks.
    pub async fn time_base(&self) -> u64 {
        self.ask(PpeOp::TimeBase).await
    }

    /// Returns a loop of `n` iterations, each of which is marked (see [`crate::door`]).
    pub fn iterations(&self, n: u64) -> PpeIterations<'_> {
        PpeIterations { ppe: self, left: n }
    }

    /// Creates a thread and starts its SPE with an argument.
    pub async fn thread_create(&self, thread: ThreadId, argument: u64) {
        self.syscall(Syscall::ThreadCreate(thread, argument)).await;
    }

    /// Waits until a thread has stopped. Returns its stop code.
    pub async fn thread_join(&self, thread: ThreadId) -> u32 {
        self.syscall(Syscall::ThreadJoin(thread)).await as u32
    }

    /// Resumes a stopped thread, like another call of `spe_context_run`.
    pub async fn thread_continue(&self, thread: ThreadId) {
        self.syscall(Syscall::ThreadContinue(thread)).await;
    }

    /// `spe_in_mbox_write`: writes one entry; waits while the mailbox is full.
    pub async fn spe_in_mbox_write(&self, thread: ThreadId, value: u32) {
        while self.syscall(Syscall::InMboxWrite(thread, value)).await == 0 {}
    }

    /// `spe_out_mbox_status`: returns the number of entries in the outbound mailbox.
    pub async fn spe_out_mbox_status(&self, thread: ThreadId) -> u32 {
        self.syscall(Syscall::OutMboxStatus(thread)).await as u32
    }

    /// `spe_out_mbox_read`: reads the oldest entry; returns `None` if the mailbox is empty.
    pub async fn spe_out_mbox_read(&self, thread: ThreadId) -> Option<u32> {
        let entry = self.syscall(Syscall::OutMboxRead(thread)).await;
        (entry != NO_ENTRY).then_some(entry as u32)
    }

    /// `spe_out_intr_mbox_read`: reads the entry of the outbound interrupt mailbox; returns `None` if the mailbox is
    /// empty.
    pub async fn spe_out_intr_mbox_read(&self, thread: ThreadId) -> Option<u32> {
        let entry = self.syscall(Syscall::OutIntrMboxRead(thread)).await;
        (entry != NO_ENTRY).then_some(entry as u32)
    }

    /// `spe_signal_write`: opens, writes and closes the signal's file.
    pub async fn spe_signal_write(&self, thread: ThreadId, number: u8, value: u32) {
        self.syscall(Syscall::SignalOpen(thread)).await;
        self.syscall(Syscall::SignalWrite(thread, number, value)).await;
        self.syscall(Syscall::SignalClose(thread)).await;
    }

    /// Sets whether signal register 1 or 2 accumulates writes by OR (`SPE_CFG_SIGNOTIFY1_OR`, `2_OR`) or keeps only the
    /// last write.
    pub async fn spe_signal_type(&self, thread: ThreadId, number: u8, or_mode: bool) {
        self.syscall(Syscall::SignalType(thread, number, or_mode)).await;
    }

    /// `spe_mfcio_get`, `spe_mfcio_put` and similar functions: issues a command to a thread's proxy queue. Tries again
    /// while the queue is full.
    pub async fn spe_mfcio(&self, thread: ThreadId, command: Command) {
        while self.syscall(Syscall::MfcCommand(thread, command)).await != 0 {}
    }

    /// `spe_mfcio_tag_status_read`: waits until `update` is satisfied, and returns the tag groups in the mask that have
    /// no proxy commands. A mask of 0 selects all groups that have received commands since they were last reported.
    pub async fn spe_mfcio_tag_status_read(&self, thread: ThreadId, mask: u32, update: TagUpdate) -> u32 {
        self.syscall(Syscall::MfcTagStatus(thread, mask, update)).await as u32
    }

    /// `spe_event_wait`: waits for an event in `wanted`, for at most `timeout_ns` nanoseconds. Returns all pending
    /// events.
    pub async fn spe_event_wait(&self, wanted: SpeEvents, timeout_ns: Option<u64>) -> SpeEvents {
        SpeEvents::from_word(self.syscall(Syscall::EventWait(wanted, timeout_ns)).await)
    }

    /// Waits until the status register shows free space in the inbound mailbox, and then writes to the mailbox
    /// register.
    pub async fn mmio_in_mbox_write(&self, spe: SpeId, value: u32) {
        while self.load(register_ea(spe, register::SPU_MBOX_STAT), 4).await & IN_FREE == 0 {}
        self.sync().await;
        self.store(register_ea(spe, register::SPU_IN_MBOX), 4, u64::from(value)).await;
        self.sync().await;
    }

    /// Polls the status register until the outbound mailbox has an entry, and then reads the entry.
    pub async fn mmio_out_mbox_read(&self, spe: SpeId) -> u32 {
        while self.load(register_ea(spe, register::SPU_MBOX_STAT), 4).await & OUT_COUNT == 0 {}
        self.load(register_ea(spe, register::SPU_OUT_MBOX), 4).await as u32
    }

    /// Writes signal register 1 directly.
    pub async fn mmio_signal_write(&self, spe: SpeId, value: u32) {
        self.store(register_ea(spe, register::SPU_SIG_NOTIFY_1), 4, u64::from(value)).await;
        self.sync().await;
    }
}

/// A loop whose iterations are marked, like [`crate::spu_mfcio::Iterations`].
pub struct PpeIterations<'p> {
    ppe: &'p Ppe,
    left: u64,
}

impl PpeIterations<'_> {
    /// Begins the next iteration; returns false when no iteration is left.
    pub async fn next(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        let skipped = self.ppe.step(PpeStep::Mark { remaining: self.left }).await;
        self.left -= skipped + 1;
        true
    }
}
