//! The PPE side of `mailbox` and `signal`: the PPE sends a message and waits for the SPE's reply.

use super::facility::Facility;
use crate::choices::PpePath;
use crate::director::Director;
use crate::setup::Setup;
use cell::units::ThreadId;

const GO: u32 = 1;

/// Parameters of the PPE side.
#[derive(Clone, Copy)]
pub struct Initiator {
    facility: Facility,
    warm_up: u64,
    iterations: u64,
    /// Processor cycles of the library's code for one round trip.
    code_cycles: u64,
}

impl Initiator {
    /// The initiator of a measurement.
    pub fn new(facility: Facility, setup: &Setup) -> Initiator {
        // For direct register access, the library's code is only a few instructions.
        let code_cycles = match setup.settings.ppe {
            PpePath::Library => setup.machine.software.ppe_exchange_spu_cycles,
            PpePath::Mmio => 0,
        };
        Initiator { facility, warm_up: setup.warm_up, iterations: setup.settings.iterations, code_cycles }
    }

    /// Runs the measured loop with one thread and returns its ticks.
    pub async fn synchronise(&self, director: &Director, thread: ThreadId) -> u64 {
        self.messages(director, thread, self.warm_up).await;
        let before = director.ppe.time_base().await;
        self.messages(director, thread, self.iterations).await;
        director.ppe.time_base().await - before
    }

    async fn messages(&self, director: &Director, thread: ThreadId, n: u64) {
        let mut iterations = director.ppe.iterations(n);
        while iterations.next().await {
            match self.facility {
                Facility::Mailbox => director.send(thread, GO).await,
                Facility::Signal => director.signal(thread, GO).await,
            }
            director.receive(thread).await;
            director.ppe.compute(self.code_cycles).await;
        }
    }
}
