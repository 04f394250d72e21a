//! FUNCTIONs `mailbox` and `signal`: round trips of a message between the PPE and an SPE, or, with `spe_to_spe`,
//! between two SPEs (abellan2008ps3, 3.2.2 and 3.2.3).

mod facility;
mod ppe;
mod spe;

use crate::control_block::{ControlBlock, Role};
use crate::director;
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, MEASURED_TAG, Setup, Task, Ticks};
use cell::coroutine::Spu;
use cell::door::PpeProgram;
use cell::ea::register_ea;
use cell::machine::Machine;
use cell::trace::Trigger;
use cell::units::ThreadId;
use facility::Facility;

/// Synchronisation of two partners.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sync {
    facility: Facility,
    spe_to_spe: bool,
}

impl Family for Sync {
    const FUNCTIONS: &'static [&'static str] = &["mailbox", "signal"];
    const TITLE: &'static str = "Messages";
    const HELP: &'static [(&'static str, &'static str)] =
        &[("mailbox, signal", "PPE-SPE round trip; with -s, between SPEs")];
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::SpeToSpe, Parameter::SpeProgram, Parameter::Ppe, Parameter::SignalMode];

    fn lacks(nth: usize, parameter: Parameter, _: Computer) -> Option<&'static str> {
        let mode_of_mailbox = parameter == Parameter::SignalMode && Facility::ALL[nth] == Facility::Mailbox;
        mode_of_mailbox.then(|| parameter.why_not())
    }

    fn read(nth: usize, given: &Parameters) -> Result<Sync, Refusal> {
        Ok(Sync { facility: Facility::ALL[nth], spe_to_spe: given.spe_to_spe })
    }

    async fn run(spu: &Spu, block: &ControlBlock, nth: usize, iterations: u64, tag: u32) {
        match block.role {
            Role::PpeResponder => spe::answer_ppe(spu, Facility::ALL[nth], iterations).await,
            _ => spe::synchronise(spu, block, Facility::ALL[nth], iterations, tag).await,
        }
    }
}

impl Workload for Sync {
    fn name(&self) -> &'static str {
        Sync::FUNCTIONS[self.facility as usize]
    }

    fn columns(&self, _: &Settings) -> Columns {
        Columns { spe_to_spe: self.spe_to_spe, ..Columns::default() }
    }

    fn default_spes(&self, _: u32, listed: Option<u32>) -> u32 {
        listed.unwrap_or(1 + u32::from(self.spe_to_spe))
    }

    fn uses_memory(&self) -> bool {
        false
    }

    fn between_spes(&self) -> bool {
        self.spe_to_spe
    }

    fn check(&self, settings: &Settings, _: &Machine) -> Result<(), Refusal> {
        if self.spe_to_spe && settings.spes % 2 == 1 {
            let refusal = settings.spes_refused("SPEs synchronise in pairs, give an even number");
            return Err(refusal.with("{spe_to_spe}"));
        }
        Ok(())
    }

    fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
        let task = |thread: ThreadId| {
            let partner = ThreadId(thread.0 ^ 1);
            let (role, ea) = match self.spe_to_spe {
                false => (Role::PpeResponder, 0),
                true => {
                    let ea = register_ea(setup.spe(partner), self.facility.register());
                    (if thread.0 % 2 == 1 { Role::Responder } else { Role::Active }, ea)
                }
            };
            Task::new(thread, ControlBlock { role, ea, ..setup.block() })
        };
        Ok(setup.threads().map(task).collect())
    }

    fn ppe_programs(
        &self,
        tasks: Vec<Task>,
        setup: &Setup,
        ticks: &Ticks,
    ) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
        let ticks = ticks.clone();
        let initiator = (!self.spe_to_spe).then(|| ppe::Initiator::new(self.facility, setup));
        let main = move |director: director::Director| async move {
            let measure = async |director: &director::Director, thread| match &initiator {
                Some(initiator) => Some(initiator.synchronise(director, thread).await),
                None => None,
            };
            director.direct(&tasks, &ticks, measure).await;
        };
        Ok(vec![director::program(setup, main)])
    }

    fn trigger(&self) -> Trigger {
        if self.spe_to_spe { Trigger::TagGroup(MEASURED_TAG) } else { Trigger::Decrementer }
    }
}
