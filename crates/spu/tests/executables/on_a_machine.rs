//! Runs executables on a machine. Even for programs with races, the result does not depend on the points at which turns
//! end.

use cell::door::{Program, Step, Turn};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::store::LocalStore;
use cell::system::System;
use cell::units::ThreadId;
use spu::calls::Calls;
use spu::calls::host::{Host, Refusal};
use spu::elf::Image;
use spu::program::{SpuProgram, Start, exit_status};
use spu::report::Report;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A host that supports only output.
struct Output(Rc<RefCell<Vec<u8>>>);

impl Host for Output {
    fn write(&mut self, _: u32, bytes: &[u8]) -> Result<(), Refusal> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(())
    }
}

/// A program whose turns use only a part of the lookahead.
struct Cut {
    program: SpuProgram<'static, ()>,
    at_most: u64,
}

impl Program for Cut {
    fn resume(&mut self, turn: Turn, ls: &mut LocalStore) -> Result<Step, String> {
        self.program.resume(Turn { lookahead: turn.lookahead.min(self.at_most), ..turn }, ls)
    }

    fn runs_ahead(&self) -> bool {
        true
    }
}

/// The complete result of a run.
#[derive(PartialEq, Eq, Debug)]
struct Left {
    record: String,
    output: String,
    local_stores: Vec<Vec<u8>>,
    instructions: Vec<u64>,
}

fn run(executable: &[u8], spes: u8, at_most: u64) -> Left {
    let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    let placement = Placement::default_of(&machine);
    let image = Arc::new(Image::parse(executable).expect("an executable"));
    let output = Rc::new(RefCell::new(Vec::new()));
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(Output(Rc::clone(&output))))));
    let mut system = System::new(&machine, placement.clone());
    let reports: Vec<_> = (0..spes).map(|_| Rc::new(RefCell::new(Report::<()>::default()))).collect();
    for (rank, report) in (0..spes).zip(&reports) {
        let spe = placement.spe(ThreadId(rank));
        let start = Start { spe, argp: rank.into(), envp: spes.into(), arguments: Vec::new() };
        let program = SpuProgram::new(&machine, Arc::clone(&image), start, Rc::clone(&calls), Rc::clone(report));
        let mut program = Some(Cut { program, at_most });
        system.load(ThreadId(rank), Box::new(move |_| Box::new(program.take().expect("one start"))));
    }
    let record = system.run(u64::MAX, || true).unwrap_or_else(|error| panic!("{error}"));
    assert!(record.threads.iter().all(|thread| exit_status(thread.stop_code) == Some(0)), "{record:?}");
    let local_store = |rank| {
        let store = system.local_store(ThreadId(rank));
        store.bytes(0, store.size_bytes() as usize)
    };
    Left {
        record: record.to_json(),
        output: String::from_utf8_lossy(&output.borrow()).into_owned(),
        local_stores: (0..spes).map(local_store).collect(),
        instructions: reports.iter().map(|report| report.borrow().instructions).collect(),
    }
}

fn check(executable: &[u8], spes: u8) {
    let whole = run(executable, spes, u64::MAX);
    for at_most in [1, 2, 9, 64] {
        assert_eq!(run(executable, spes, at_most), whole, "turns of {at_most} SPU cycles");
    }
}

#[test]
fn a_copy_through_two_buffers_on_four_spes() {
    check(include_bytes!("../../../../programs/samples/copy.elf"), 4);
}

#[test]
fn two_spes_that_poll_a_line() {
    check(include_bytes!("../../../../programs/samples/pingpong.elf"), 2);
}

#[test]
fn six_spes_at_a_barrier() {
    check(include_bytes!("../../../../programs/samples/barrier.elf"), 6);
}
