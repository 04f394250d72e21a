//! The program on a context's SPE, which executes instructions of the context's SPU until the SPU stops.

use cell::door::{Op, Position, Program, Step, Turn};
use cell::machine::Machine;
use cell::store::LocalStore;
use spu::core::{Exit, Spu};
use spu::profile::Profile;
use spu::report::Report;
use spu::runner::{self, Turned};
use std::cell::RefCell;
use std::rc::Rc;

/// A context's SPU.
pub enum Runner {
    /// Without a profile.
    Plain(runner::Runner<()>),
    /// With a profile.
    Profiled(runner::Runner<Profile>),
}

impl Runner {
    /// Creates an SPU whose registers are 0.
    pub fn new(machine: &Machine, profile: bool) -> Runner {
        if profile {
            let report = Report::new(Profile::new(machine.mfc.local_store_bytes));
            return Runner::Profiled(runner::Runner::new(machine, 0, Rc::new(RefCell::new(report))));
        }
        Runner::Plain(runner::Runner::new(machine, 0, Rc::default()))
    }

    pub fn spu(&self) -> &Spu {
        match self {
            Runner::Plain(runner) => runner.spu(),
            Runner::Profiled(runner) => runner.spu(),
        }
    }

    /// Mutable access to the SPU, for changes between two runs.
    pub fn spu_mut(&mut self) -> &mut Spu {
        match self {
            Runner::Plain(runner) => runner.spu_mut(),
            Runner::Profiled(runner) => runner.spu_mut(),
        }
    }

    /// The profile so far.
    pub fn profile(&self) -> Option<Profile> {
        match self {
            Runner::Plain(_) => None,
            Runner::Profiled(runner) => Some(runner.report().borrow().probe.clone()),
        }
    }

    /// Sets the address at which the SPU continues.
    pub fn go_to(&mut self, address: u32) {
        match self {
            Runner::Plain(runner) => runner.go_to(address),
            Runner::Profiled(runner) => runner.go_to(address),
        }
    }

    fn turn(&mut self, turn: &Turn, ls: &mut LocalStore) -> Turned {
        match self {
            Runner::Plain(runner) => runner.turn(turn, ls),
            Runner::Profiled(runner) => runner.turn(turn, ls),
        }
    }

    /// The positions in the last turn.
    fn take_positions(&mut self) -> Vec<Position> {
        match self {
            Runner::Plain(runner) => runner.take_positions(),
            Runner::Profiled(runner) => runner.take_positions(),
        }
    }

    /// The address of the current instruction, or of the instruction that stopped the program.
    pub fn at(&self) -> u32 {
        match self {
            Runner::Plain(runner) => runner.at(),
            Runner::Profiled(runner) => runner.at(),
        }
    }

    /// The operation whose result the program waits for.
    pub fn awaits(&self) -> Option<Op> {
        match self {
            Runner::Plain(runner) => runner.awaits(),
            Runner::Profiled(runner) => runner.awaits(),
        }
    }

    /// Text with the current instruction, for messages.
    pub fn place(&self) -> String {
        match self {
            Runner::Plain(runner) => runner.place(),
            Runner::Profiled(runner) => runner.place(),
        }
    }
}

/// A run of a context, from its start to its stop.
pub struct Running {
    /// The context's SPU.
    pub runner: Rc<RefCell<Runner>>,
    /// Exit of the run, which `spu_run` evaluates.
    pub end: Rc<RefCell<Option<Exit>>>,
}

impl Program for Running {
    fn resume(&mut self, turn: Turn, ls: &mut LocalStore) -> Result<Step, String> {
        Ok(match self.runner.borrow_mut().turn(&turn, ls) {
            Turned::Ask(op) => Step::Ask(op),
            Turned::Ended(exit) => {
                let code = if let Exit::Stop { code } = exit { code } else { 0 };
                *self.end.borrow_mut() = Some(exit);
                Step::Stop(code)
            }
        })
    }

    fn runs_ahead(&self) -> bool {
        true
    }

    fn place(&self) -> Option<String> {
        Some(self.runner.borrow().place())
    }

    fn take_positions(&mut self) -> Vec<Position> {
        self.runner.borrow_mut().take_positions()
    }
}
