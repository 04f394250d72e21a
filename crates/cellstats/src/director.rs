//! The PPE program of most measurements: it stores control blocks, creates threads, starts them and collects ticks.

use crate::addresses::control_ea;
use crate::choices::PpePath;
use crate::control_block::Role;
use crate::setup::{Setup, Task, Ticks};
use cell::coroutine::{Ppe, ppe_program};
use cell::door::PpeProgram;
use cell::placement::Placement;
use cell::units::ThreadId;
use std::future::Future;

const GO: u32 = 1;

/// A PPE thread, with its method of access to the SPEs.
pub struct Director {
    pub ppe: Ppe,
    path: PpePath,
    placement: Placement,
}

/// Builds a PPE program.
pub fn program<F>(setup: &Setup, main: impl FnOnce(Director) -> F + 'static) -> Box<dyn PpeProgram>
where
    F: Future<Output = ()> + 'static,
{
    let (path, placement) = (setup.settings.ppe, setup.placement.clone());
    ppe_program(move |ppe| async move {
        main(Director { ppe, path, placement }).await;
        0
    })
}

/// The PPE program for measurements that the SPEs make alone.
pub fn common(tasks: Vec<Task>, setup: &Setup, ticks: &Ticks) -> Box<dyn PpeProgram> {
    let ticks = ticks.clone();
    program(setup, move |director| async move {
        director.direct(&tasks, &ticks, async |_, _| None).await;
    })
}

impl Director {
    /// Sorts threads by their SPEs, so that equal traffic starts in the same order regardless of thread numbers.
    pub fn in_order(&self, mut threads: Vec<ThreadId>) -> Vec<ThreadId> {
        threads.sort_by_key(|thread| self.placement.spe(*thread));
        threads
    }

    /// Stores the control blocks, creates and starts the threads, and collects their ticks. The PPE runs `measure` with
    /// each thread before it joins the thread. If `measure` returns ticks, they replace the ticks that the SPE mails.
    pub async fn direct(
        &self,
        tasks: &[Task],
        ticks: &Ticks,
        measure: impl AsyncFn(&Director, ThreadId) -> Option<u64>,
    ) {
        let mut tasks: Vec<&Task> = tasks.iter().collect();
        tasks.sort_by_key(|task| self.placement.spe(task.thread));
        for task in &tasks {
            self.marshal(task).await;
            self.ppe.thread_create(task.thread, control_ea(self.placement.spe(task.thread))).await;
        }
        for task in &tasks {
            self.receive(task.thread).await;
        }
        let before = self.ppe.time_base().await;
        for task in &tasks {
            self.send(task.thread, GO).await;
        }
        for task in &tasks {
            let measured = measure(self, task.thread).await;
            // The join blocks until the SPE has ended. The ticks remain in the SPE's mailbox until then. Polling the
            // mailbox would add the PPE's traffic to the measurement.
            self.ppe.thread_join(task.thread).await;
            let elapsed = self.ppe.time_base().await - before;
            let mailed = self.receive(task.thread).await;
            if task.block.role != Role::Holder {
                let ticks = &mut ticks.borrow_mut()[usize::from(task.thread.0)];
                *ticks = Some(measured.unwrap_or(unwrap_ticks(mailed, elapsed)).into());
            }
        }
    }

    async fn marshal(&self, task: &Task) {
        let at = control_ea(self.placement.spe(task.thread));
        self.store(at, &task.block.encode()).await;
        for (at, words) in &task.words {
            self.store(*at, words).await;
        }
        if task.signals_or {
            self.ppe.spe_signal_type(task.thread, 1, true).await;
        }
    }

    async fn store(&self, at: u64, words: &[u64]) {
        for (nth, word) in (0..).zip(words) {
            self.ppe.store(at + 8 * nth, 8, *word).await;
        }
    }

    /// Sends a message to a thread's mailbox.
    pub async fn send(&self, thread: ThreadId, value: u32) {
        match self.path {
            PpePath::Library => self.ppe.spe_in_mbox_write(thread, value).await,
            PpePath::Mmio => self.ppe.mmio_in_mbox_write(self.placement.spe(thread), value).await,
        }
    }

    /// Writes a thread's first signal register.
    pub async fn signal(&self, thread: ThreadId, value: u32) {
        match self.path {
            PpePath::Library => self.ppe.spe_signal_write(thread, 1, value).await,
            PpePath::Mmio => self.ppe.mmio_signal_write(self.placement.spe(thread), value).await,
        }
    }

    /// Waits for the next message of a thread's mailbox.
    pub async fn receive(&self, thread: ThreadId) -> u32 {
        match self.path {
            PpePath::Library => {
                while self.ppe.spe_out_mbox_status(thread).await == 0 {}
                self.ppe.spe_out_mbox_read(thread).await.unwrap_or(0)
            }
            PpePath::Mmio => self.ppe.mmio_out_mbox_read(self.placement.spe(thread)).await,
        }
    }
}

/// Corrects the SPE's 32-bit tick count for wraparound. The PPE's 64-bit time base measured a slightly longer span and
/// shows how often the count wrapped.
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
