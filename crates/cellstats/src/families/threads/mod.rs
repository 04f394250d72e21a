//! FUNCTION `mkthread`: the PPE creates threads and waits for their end (abellan2008ps3, 3.2.1).

use crate::control_block::ControlBlock;
use crate::director::{self, Director};
use crate::family::{Computer, Family, Workload};
use crate::parameters::{Parameter, Parameters};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::setup::{Columns, Setup, Task, Ticks};
use cell::coroutine::Spu;
use cell::door::PpeProgram;
use cell::machine::Machine;
use cell::trace::Trigger;
use cell::units::ThreadId;

/// Creation of SPE threads that do nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Threads;

impl Family for Threads {
    const FUNCTIONS: &'static [&'static str] = &["mkthread"];
    const TITLE: &'static str = "Threads";
    const HELP: &'static [(&'static str, &'static str)] = &[("mkthread", "create a thread and wait for its end")];
    const PARAMETERS: &'static [Parameter] = &[Parameter::SpeProgram];

    fn lacks(_: usize, parameter: Parameter, computer: Computer) -> Option<&'static str> {
        match (parameter, computer) {
            (Parameter::SpeToSpe, Computer::Cell) => Some("the PPE creates threads, leave {spe_to_spe} out"),
            _ => None,
        }
    }

    fn read(_: usize, _: &Parameters) -> Result<Threads, Refusal> {
        Ok(Threads)
    }

    async fn run(_: &Spu, _: &ControlBlock, _: usize, _: u64, _: u32) {}
}

impl Workload for Threads {
    fn name(&self) -> &'static str {
        Threads::FUNCTIONS[0]
    }

    fn columns(&self, _: &Settings) -> Columns {
        Columns::default()
    }

    fn uses_memory(&self) -> bool {
        false
    }

    fn check(&self, _: &Settings, _: &Machine) -> Result<(), Refusal> {
        Ok(())
    }

    fn tasks(&self, _: &Setup) -> Result<Vec<Task>, Refusal> {
        Ok(Vec::new())
    }

    fn ppe_programs(&self, _: Vec<Task>, setup: &Setup, ticks: &Ticks) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
        let (threads, ticks): (Vec<ThreadId>, _) = (setup.threads().collect(), ticks.clone());
        let (warm_up, iterations) = (setup.warm_up, setup.settings.iterations);
        let main = move |director: Director| async move {
            let threads = director.in_order(threads);
            create_and_join(&director, &threads, warm_up).await;
            let before = director.ppe.time_base().await;
            create_and_join(&director, &threads, iterations).await;
            let elapsed = director.ppe.time_base().await - before;
            ticks.borrow_mut().fill(Some((elapsed / threads.len() as u64).into()));
        };
        Ok(vec![director::program(setup, main)])
    }

    fn trigger(&self) -> Trigger {
        Trigger::TimeBase
    }
}

/// Creates empty threads and waits for their end, `n` times.
async fn create_and_join(director: &Director, threads: &[ThreadId], n: u64) {
    let mut iterations = director.ppe.iterations(n);
    while iterations.next().await {
        for thread in threads {
            director.ppe.thread_create(*thread, 0).await;
        }
        for thread in threads {
            director.ppe.thread_join(*thread).await;
        }
    }
}
