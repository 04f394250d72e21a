//! The entry point for running Linux programs: from a program's file to the outcome.
//!
//! [`run`] reads the program and its dynamic linker, builds a kernel and its file systems, runs both hardware threads
//! of a simulated PPE, and collects the results. The caller of [`run`] supplies the standard streams. Apart from the
//! files that the program reads, a run does not depend on the host computer.

mod image;
mod options;
mod outcome;
pub(crate) mod ppe_profile;
pub mod sysroot;

pub use options::Options;
pub use outcome::{Outcome, Ppe, Refusal};

use super::debug::{Debugger, Debugging};
use super::files::answers::{Answers, Recorded};
use super::files::machine::facts::{Facts, Process};
use super::files::state::Files;
use super::files::streams::Streams;
use super::identity::{PARENT, USER};
use super::kernel::{End, Kernel};
use super::layout::Layout;
use super::processor;
use super::start::NewProcess;
use super::tid::PROCESS;
use cell::door::Supervisor;
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::record::Record;
use cell::system::System;
use cell::trace::Trace;
use cell::units::BusCycle;
use ppe_profile::Samples;
use spu::positions::Positions;
use spu::source::Source;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// Number of transfers over the rings that a debugger can show.
const DEBUGGERS_TRANSFERS: usize = 64;

/// Runs a program until it ends, or until the traced window ends.
///
/// The run calls `check` regularly. When `check` returns false, the run ends as interrupted.
///
/// A run that cannot continue has an outcome, too: what was counted until then.
///
/// # Errors
/// The program cannot be run.
pub fn run(
    options: Options<'_>,
    streams: Rc<RefCell<dyn Streams>>,
    check: impl FnMut() -> bool,
) -> Result<Outcome, Refusal> {
    debug(options, streams, None, check)
}

/// Runs a program like [`run`], under a debugger if there is one. The debugger stops the program before its first
/// instruction.
///
/// # Errors
/// As [`run`].
pub fn debug(
    options: Options<'_>,
    streams: Rc<RefCell<dyn Streams>>,
    debugger: Option<Box<dyn Debugger>>,
    mut check: impl FnMut() -> bool,
) -> Result<Outcome, Refusal> {
    let roots: Vec<&Path> = options.system_roots.iter().map(|root| &**root).collect();
    let view = files::Files::new(options.reach, &options.directory, &roots);
    let view = view.map_err(|error| Refusal(error.to_string()))?;
    let image = image::read(&options, &view).map_err(Refusal)?;
    let file = options.window.map(|_| image.file.clone());
    let layout = if options.low_addresses { Layout::Low } else { Layout::High };
    let start = NewProcess { image, arguments: options.arguments, environment: options.environment, layout };
    start.check().map_err(Refusal)?;
    let answers = debugger.as_ref().map_or_else(Rc::default, |_| Answers::recording());
    let streams = match &debugger {
        Some(_) => Rc::new(RefCell::new(Recorded::new(&streams, &answers))),
        None => streams,
    };
    let set_up = SetUp {
        machine: options.machine,
        placement: options.placement,
        limit: options.limit_bus_cycles,
        profile: options.profile,
        facts: facts(options.machine, &start),
        start,
        view,
        streams,
        answers,
    };
    let mut debugging = debugger.map(Debugging::new);
    loop {
        let mut system = System::new(set_up.machine, set_up.placement.clone());
        let process = set_up.load(&mut system, debugging.take());
        let (ran, trace) = match options.window {
            None => (run_with_stops(&mut system, &process, set_up.limit, &mut check), None),
            Some(window) => match system.run_and_trace(set_up.limit, window, &mut check) {
                Ok((record, trace)) => (Ok(record), trace),
                Err(error) => (Err(error), None),
            },
        };
        // The user may have ended a search.
        if ran != Err(RunError::Interrupted) {
            debugging = process.borrow_mut().debugging.next_run();
        }
        if debugging.is_none() {
            return Ok(outcome(&mut system, &mut process.borrow_mut(), ran, trace, file.as_deref()));
        }
    }
}

/// What every run of a program begins with. If a debugger goes back, there are several.
struct SetUp<'m> {
    machine: &'m Machine,
    placement: Placement,
    limit: BusCycle,
    profile: bool,
    facts: Facts,
    start: NewProcess,
    view: ::files::Files,
    streams: Rc<RefCell<dyn Streams>>,
    answers: Rc<Answers>,
}

impl SetUp<'_> {
    /// Loads the program onto a new machine.
    fn load(&self, system: &mut System<'_>, debugging: Option<Debugging>) -> Rc<RefCell<processor::Process>> {
        self.answers.rewind();
        let mut files = Files::answered(self.view.clone(), &self.answers, USER);
        files.open_streams(Rc::clone(&self.streams));
        files.mount_machine(&self.facts);
        let mut kernel = Kernel::new(self.machine, files);
        kernel.samples = self.profile.then(Samples::new);
        kernel.spufs.borrow_mut().profile = self.profile;
        let process = processor::load(system, self.machine, kernel, self.start.clone());
        if let Some(debugging) = debugging {
            system.keep_last_transfers(DEBUGGERS_TRANSFERS);
            process.borrow_mut().debugging = debugging;
        }
        process
    }
}

/// The outcome of a run that has ended.
fn outcome(
    system: &mut System<'_>,
    process: &mut processor::Process,
    ran: Result<Record, RunError>,
    trace: Option<Trace>,
    file: Option<&[u8]>,
) -> Outcome {
    process.debugging.ended(process.kernel.end.as_ref());
    let failure = system.look(|machine| failure(process, ran.as_ref().err(), machine));
    let record = ran.unwrap_or_else(|_| system.record());
    let traced = trace.as_ref().zip(file);
    let positions = traced.and_then(|(trace, file)| Positions::of(trace, &Source::embedded(file)));
    let outcome = system.look(|machine| Outcome::gather(process, record, trace, machine));
    match failure {
        Some(line) => Outcome { status: None, line: Some(line), ..outcome },
        None => Outcome { positions, ..outcome },
    }
}

/// The reason why a run could not continue. The process's own message takes precedence, because the machine would only
/// report a lack of progress.
fn failure(process: &mut processor::Process, error: Option<&RunError>, machine: &mut dyn Supervisor) -> Option<String> {
    if let Some(End::Broken { line }) = &process.kernel.end {
        return Some(line.clone());
    }
    // The process knows more about its threads and contexts than the machine.
    Some(match error?.clone() {
        RunError::Deadlock { bus_cycle, .. } => {
            RunError::Deadlock { bus_cycle, waiting: process.waiting(machine) }.to_string()
        }
        RunError::Limit { limit_bus_cycles, .. } => {
            RunError::Limit { limit_bus_cycles, waiting: process.waiting(machine) }.to_string()
        }
        error => error.to_string(),
    })
}

/// Runs a machine. Stops the process whenever its debugger wants to.
fn run_with_stops(
    system: &mut System<'_>,
    process: &RefCell<processor::Process>,
    limit: BusCycle,
    mut check: impl FnMut() -> bool,
) -> Result<Record, RunError> {
    let mut goes_on = true;
    let mut check = |goes_on: &mut bool| {
        *goes_on = check();
        *goes_on && !process.try_borrow().is_ok_and(|process| process.debugging.wants_stop())
    };
    let mut record = system.run(limit, || check(&mut goes_on));
    while record == Err(RunError::Interrupted) && goes_on {
        system.look(|machine| process.borrow_mut().stop(machine));
        record = system.go_on(|| check(&mut goes_on));
    }
    record
}

/// Facts about the machine and the process, shown in `/proc` and `/sys`.
fn facts(machine: &Machine, start: &NewProcess) -> Facts {
    let process = Process {
        number: PROCESS.0,
        parent: PARENT,
        user: USER,
        program: start.image.place.clone(),
        arguments: start.arguments.clone(),
        environment: start.environment.clone(),
    };
    Facts::new(machine, process)
}
