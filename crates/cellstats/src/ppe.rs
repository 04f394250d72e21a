//! The PPE side of CellStats.

use super::control_block::ControlBlock;
use super::function::Function;
use super::layout::Layout;
use super::params::{Params, PpePath, TransferOp};
use super::script::Script;
use super::traffic::{Part, Role, part, role};
use cell::coroutine::{Ppe, ppe_program};
use cell::door::PpeProgram;
use cell::ea::{local_store_ea, register, register_ea};
use cell::units::ThreadId;
use std::cell::RefCell;
use std::rc::Rc;

/// Ticks of each thread's measured loop; `None` for one that measured nothing.
pub type Ticks = Rc<RefCell<Vec<Option<u64>>>>;

const GO: u32 = 1;

/// No two threads, whatever their seeds, begin in the same place.
const SEEDS_APART: u64 = 1 << 16;

/// The PPE's program.
pub fn program(params: Params, layout: Layout, ticks: Ticks) -> Box<dyn PpeProgram> {
    ppe_program(move |ppe| async move {
        let director = Director { ppe, params, layout };
        match director.params.function {
            Function::Mkthread => director.make_threads(&ticks).await,
            _ => director.direct(&ticks).await,
        }
        0
    })
}

struct Director {
    ppe: Ppe,
    params: Params,
    layout: Layout,
}

impl Director {
    /// The threads, in the order of their SPEs: equal traffic then starts equally, whichever thread is
    /// called what.
    fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        let mut threads: Vec<ThreadId> = (0..self.params.spes as u8).map(ThreadId).collect();
        threads.sort_by_key(|thread| self.layout.placement.spe(*thread));
        threads.into_iter()
    }

    /// Creates empty threads and waits for their end, over and over.
    async fn make_threads(&self, ticks: &Ticks) {
        self.create_and_join(self.params.warm_up_iterations()).await;
        let before = self.ppe.time_base().await;
        self.create_and_join(self.params.iterations).await;
        let elapsed = self.ppe.time_base().await - before;
        ticks.borrow_mut().fill(Some(elapsed / u64::from(self.params.spes)));
    }

    async fn create_and_join(&self, n: u64) {
        let mut iterations = self.ppe.iterations(n);
        while iterations.next().await {
            for thread in self.threads() {
                self.ppe.thread_create(thread, 0).await;
            }
            for thread in self.threads() {
                self.ppe.thread_join(thread).await;
            }
        }
    }

    /// Everything else: control blocks, threads, go-ahead, ticks.
    async fn direct(&self, ticks: &Ticks) {
        for thread in self.threads() {
            self.marshal(thread).await;
            self.ppe.thread_create(thread, self.layout.control_ea(thread)).await;
        }
        for thread in self.threads() {
            self.receive(thread).await;
        }
        let before = self.ppe.time_base().await;
        for thread in self.threads() {
            self.send(thread, GO).await;
        }
        let by_ppe = self.params.function.is_synchronisation() && !self.params.spe_to_spe;
        for thread in self.threads() {
            let measured = if by_ppe { Some(self.synchronise(thread).await) } else { None };
            // Joining sleeps until the SPE has ended; its ticks wait in the mailbox.  Polling for them
            // instead would put the PPE's traffic into what is measured.
            self.ppe.thread_join(thread).await;
            let elapsed = self.ppe.time_base().await - before;
            let mailed = self.receive(thread).await;
            if role(&self.params, thread) != Role::Holder {
                ticks.borrow_mut()[usize::from(thread.0)] = Some(measured.unwrap_or(unwrap_ticks(mailed, elapsed)));
            }
        }
    }

    /// The PPE as initiator: its message, the SPE's reply.
    async fn synchronise(&self, thread: ThreadId) -> u64 {
        self.exchange(thread, self.params.warm_up_iterations()).await;
        let before = self.ppe.time_base().await;
        self.exchange(thread, self.params.iterations).await;
        self.ppe.time_base().await - before
    }

    async fn exchange(&self, thread: ThreadId, n: u64) {
        let spe = self.layout.placement.spe(thread);
        let mut iterations = self.ppe.iterations(n);
        while iterations.next().await {
            match (self.params.function, self.params.ppe) {
                (Function::Mailbox, _) => self.send(thread, GO).await,
                (_, PpePath::Library) => self.ppe.spe_signal_write(thread, 1, GO).await,
                (_, PpePath::Mmio) => self.ppe.mmio_signal_write(spe, GO).await,
            }
            self.receive(thread).await;
            self.ppe.compute(self.layout.exchange_cycles).await;
        }
    }

    async fn send(&self, thread: ThreadId, value: u32) {
        match self.params.ppe {
            PpePath::Library => self.ppe.spe_in_mbox_write(thread, value).await,
            PpePath::Mmio => self.ppe.mmio_in_mbox_write(self.layout.placement.spe(thread), value).await,
        }
    }

    async fn receive(&self, thread: ThreadId) -> u32 {
        match self.params.ppe {
            PpePath::Library => {
                while self.ppe.spe_out_mbox_status(thread).await == 0 {}
                self.ppe.spe_out_mbox_read(thread).await.unwrap_or(0)
            }
            PpePath::Mmio => self.ppe.mmio_out_mbox_read(self.layout.placement.spe(thread)).await,
        }
    }

    async fn marshal(&self, thread: ThreadId) {
        let at = self.layout.control_ea(thread);
        let block = self.control_block(thread);
        for (i, word) in (0..).zip(block.encode()) {
            self.ppe.store(at + 8 * i, 8, word).await;
        }
        if block.targets > 0 {
            for (nth, spe) in (0..).zip(self.layout.others(&self.params, thread)) {
                self.ppe.store(ControlBlock::target_ea(at, nth), 8, local_store_ea(spe, 0)).await;
            }
        }
        if let Some(script) = self.layout.script(thread) {
            for (nth, word) in (0..).zip(&script.words) {
                self.ppe.store(Script::ea(script.spe) + 8 * nth, 8, *word).await;
            }
            // Signals of several SPEs in a barrier must not replace each other.
            self.ppe.spe_signal_type(thread, 1, true).await;
        }
    }

    fn control_block(&self, thread: ThreadId) -> ControlBlock {
        let partner = ThreadId(thread.0 ^ 1);
        let partner_register = |offset| register_ea(self.layout.placement.spe(partner), offset);
        let ea = match (self.params.function, self.params.spe_to_spe) {
            (Function::Mailbox, true) => partner_register(register::SPU_IN_MBOX),
            (Function::Signal, true) => partner_register(register::SPU_SIG_NOTIFY_1),
            _ => self.layout.data_ea(thread),
        };
        let params = &self.params;
        let script = self.layout.script(thread);
        let put = matches!(params.function, Function::DmaPut | Function::DmaListPut);
        let chooses = params.function.is_pattern() && part(params, thread) == Part::WithAny;
        ControlBlock {
            function: params.function,
            role: role(params, thread),
            iterations: params.iterations,
            warm_up: params.warm_up_iterations(),
            size_bytes: script.map_or(params.size_bytes(), Script::bytes),
            list_elements: if params.uses_lists() { params.list_elements() } else { 0 },
            batch: params.batch,
            op: params.op.unwrap_or(if put { TransferOp::Put } else { TransferOp::Get }),
            buffers: self.layout.buffers(params, thread),
            ea: script.map_or(ea, |script| Script::ea(script.spe)),
            seed: params.seed.wrapping_mul(SEEDS_APART).wrapping_add(u64::from(thread.0)),
            targets: if chooses { params.spes - 1 } else { 0 },
            iteration_cycles: self.layout.iteration_cycles,
            atomic_cycles: self.layout.atomic_cycles,
        }
    }
}

/// The SPE's 32-bit count of ticks may have wrapped; the PPE's 64-bit time base, which saw a little
/// more, says how often.
fn unwrap_ticks(mailed: u32, elapsed: u64) -> u64 {
    let wraps = elapsed.saturating_sub(u64::from(mailed)) >> 32;
    (wraps << 32) + u64::from(mailed)
}

#[cfg(test)]
mod tests {
    use super::unwrap_ticks;

    #[test]
    fn wrapped_ticks_are_the_most_that_the_ppe_can_have_seen() {
        assert_eq!(unwrap_ticks(7, 9), 7);
        assert_eq!(unwrap_ticks(7, (1 << 32) + 6), 7);
        assert_eq!(unwrap_ticks(7, (1 << 32) + 7), (1 << 32) + 7);
    }
}
