//! Random executables for the SPU on a machine: nothing may panic or hang, and every error is one line.

use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use cell::units::{SpeId, ThreadId};
use spu::calls::Calls;
use spu::calls::host::{Host, Refusal, Stat};
use spu::elf::{Image, StartUp};
use spu::program::{SpuProgram, Start};
use spu::report::Report;
use spu::source::Source;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

const LIMIT_BUS_CYCLES: u64 = 20_000;

/// A host that takes all output and has no input.
struct Nothing;

impl Host for Nothing {
    fn read(&mut self, _: u32, _: usize) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }
    fn write(&mut self, _: u32, _: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }
    fn stat(&mut self, _: u32) -> Result<Stat, Refusal> {
        Ok(Stat::default())
    }
}

/// Reads any bytes as an executable, which runs or is refused.
pub fn run_file(bytes: &[u8]) {
    _ = Source::read(bytes).map(|source| source.line(0));
    match Image::parse(bytes) {
        Ok(image) => run_image(image),
        Err(why) => one_line(&why),
    }
}

/// Runs any bytes as instructions.
pub fn run_words(bytes: &[u8]) {
    let mut code = bytes.to_vec();
    code.resize(code.len().next_multiple_of(4).max(4), 0);
    let segments = vec![(0, code)];
    run_image(Image { entry: 0, segments, symbols: BTreeMap::new(), start_up: StartUp::Vector });
}

fn run_image(image: Image) {
    let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
    if let Err(why) = image.check(machine.mfc.local_store_bytes) {
        return one_line(&why);
    }
    let image = Arc::new(image);
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(Nothing))));
    let mut system = System::new(&machine, Placement::default_of(&machine));
    for thread in 0..2 {
        let (machine, image, calls) = (machine.clone(), Arc::clone(&image), Rc::clone(&calls));
        let factory = move |argp| {
            let arguments = vec![b"random".to_vec(), b"words".to_vec()];
            let start = Start { spe: SpeId(thread), argp, envp: 2, arguments };
            let report = Rc::new(RefCell::new(Report::<()>::default()));
            let program = SpuProgram::new(&machine, Arc::clone(&image), start, Rc::clone(&calls), report);
            Box::new(program) as Box<dyn cell::door::Program>
        };
        system.load(ThreadId(thread), Box::new(factory));
    }
    if let Err(error) = system.run(LIMIT_BUS_CYCLES, || true) {
        one_line(&error.to_string());
    }
}

fn one_line(text: &str) {
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
}
