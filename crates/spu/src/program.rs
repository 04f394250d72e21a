//! An SPU executable that runs as a program on the machine.
//!
//! The program runs ahead as far as its lookahead allows, reports the duration of the run with [`Op::Compute`], and
//! then requests the operation of the next channel instruction. [`Calls`] carries out the calls that newlib leaves to
//! the PPE. A halt or a word that is not an instruction ends the run. Any other stop, apart from exits and calls, also
//! ends the run, unless the PPE waits for such stops ([`SpuProgram::returning`]).
//!
//! The initial registers are set as `spe_context_run` sets them: $3 to $5 hold three 64-bit numbers, $6 holds the
//! effective address of the SPE's local store, and all other registers are zero. Start-up code creates the stack.
//!
//! Sources: SPU Application Binary Interface 1.9, program entry; SPE Runtime Management Library 2.3,
//! `spe_context_run` and reserved stop codes; newlib's `crt1.S` and `crt2.S`.

use crate::calls::{Calls, is_call};
use crate::core::{Exit, Fault, FaultKind, Spu};
use crate::elf::{Image, StartUp};
use crate::profile::Probe;
use crate::registers::Quadword;
use crate::report::Report;
use crate::runner::{Runner, Turned};
use crate::stack;
use cell::door::{Op, Position, Program, Step, Turn};
use cell::ea::local_store_ea;
use cell::machine::Machine;
use cell::store::LocalStore;
use cell::units::{SpeId, SpuCycles};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The stop codes with which a program exits. The low byte of the code is the exit status.
const EXIT: std::ops::RangeInclusive<u32> = 0x2000..=0x20ff;

/// An explanation of the supported stop codes, for error messages.
const MEANINGS: &str = "only exits (0x2000 to 0x20ff) and calls of the PPE (0x2100, 0x2101) are supported";

/// The exit status in a stop code; `None` if the program does not exit with this code.
pub fn exit_status(stop_code: u32) -> Option<u8> {
    EXIT.contains(&stop_code).then_some(stop_code as u8)
}

/// The arguments with which a program is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The SPE that the program runs on.
    pub spe: SpeId,
    /// The program's argument `argp`.
    pub argp: u64,
    /// The program's argument `envp`.
    pub envp: u64,
    /// The argument vector, for programs that take one.
    pub arguments: Vec<Vec<u8>>,
}

/// The first action of the next turn.
enum Next {
    /// Load the local store.
    Load(Start),
    Run,
    /// Carry out the call with this stop code.
    Call(u32),
}

/// An executable that runs on an SPE.
pub struct SpuProgram<'h, P: Probe> {
    image: Arc<Image>,
    runner: Runner<P>,
    next: Next,
    calls: Rc<RefCell<Calls<'h>>>,
    call_spu_cycles: SpuCycles,
    processor_clock_hz: u64,
    /// Whether the PPE waits for user-defined stop codes and may let the program continue.
    returns: bool,
    /// Whether the program has stopped with a user-defined code.
    goes_on: bool,
}

impl<'h, P: Probe> SpuProgram<'h, P> {
    /// A program that writes its results to `report`. The local store is loaded in the program's first turn.
    pub fn new(
        machine: &Machine,
        image: Arc<Image>,
        start: Start,
        calls: Rc<RefCell<Calls<'h>>>,
        report: Rc<RefCell<Report<P>>>,
    ) -> SpuProgram<'h, P> {
        SpuProgram {
            runner: Runner::new(machine, image.entry, report),
            next: Next::Load(start),
            image,
            calls,
            call_spu_cycles: machine.software.ppe_call_spu_cycles,
            processor_clock_hz: machine.chip.processor_clock_hz,
            returns: false,
            goes_on: false,
        }
    }

    /// Sets whether the PPE waits for stops with a user-defined code. If the PPE waits, it may let the program continue
    /// after such a stop.
    #[must_use]
    pub fn returning(self, returns: bool) -> SpuProgram<'h, P> {
        SpuProgram { returns, ..self }
    }

    /// Interprets a stop that is not a call.
    fn stopped(&mut self, code: u32, ls: &LocalStore) -> Result<Step, String> {
        if EXIT.contains(&code) {
            return Ok(Step::Stop(code));
        }
        let what = format!("stop of type {code:#x}");
        match self.reason(ls, false) {
            Some(why) => Err(format!("{what}: {why}")),
            None if self.returns => {
                self.goes_on = true;
                Ok(Step::Stop(code))
            }
            None => Err(format!("{what}; {MEANINGS}")),
        }
    }

    fn complaint(&self, fault: &Fault, ls: &LocalStore) -> String {
        let what = match fault.kind {
            FaultKind::NoInstruction => format!("{:#010x} is no instruction", fault.word),
            FaultKind::Halt => "its condition holds: the program halts".to_string(),
        };
        explained(what, self.reason(ls, fault.kind == FaultKind::Halt))
    }

    /// Why the current instruction stopped the program, if its stack or its overwritten code is the reason.
    fn reason(&self, ls: &LocalStore, halts: bool) -> Option<String> {
        stack::reason(&self.image, self.runner.spu().registers(), ls, self.runner.at(), halts, None)
    }

    /// Carries out a call. The word after the stop instruction selects the call, and the program continues after that
    /// word.
    fn call(&mut self, code: u32, time: SpuCycles, ls: &mut LocalStore) -> Result<(), String> {
        let at = self.runner.spu().pc();
        let nanos = u128::from(time) * 1_000_000_000 / u128::from(self.processor_clock_hz);
        let called = self.calls.borrow_mut().call(code, ls, at, nanos as u64);
        called.map_err(|what| explained(what, self.reason(ls, false)))?;
        self.runner.spu_mut().set_pc(at.wrapping_add(4));
        Ok(())
    }
}

impl<P: Probe> Program for SpuProgram<'_, P> {
    fn resume(&mut self, turn: Turn, ls: &mut LocalStore) -> Result<Step, String> {
        self.goes_on = false;
        match std::mem::replace(&mut self.next, Next::Run) {
            // Loading a program and carrying out a call access the local store, so both need a lookahead.
            next @ (Next::Load(_) | Next::Call(_)) if turn.lookahead == 0 => {
                self.next = next;
                return Ok(Step::Ask(Op::Compute(0)));
            }
            Next::Load(start) => load(self.runner.spu_mut(), ls, &self.image, &start),
            Next::Call(code) => {
                self.call(code, turn.time, ls)?;
                return Ok(Step::Ask(Op::Compute(self.call_spu_cycles)));
            }
            Next::Run => (),
        }
        match self.runner.turn(&turn, ls) {
            Turned::Ask(op) => Ok(Step::Ask(op)),
            Turned::Ended(Exit::Stop { code }) if is_call(code) => {
                self.next = Next::Call(code);
                self.resume(turn, ls)
            }
            Turned::Ended(Exit::Stop { code }) => self.stopped(code, ls),
            Turned::Ended(Exit::Fault(fault)) => Err(self.complaint(&fault, ls)),
            Turned::Ended(_) => Err("it neither stopped nor failed".to_string()),
        }
    }

    fn runs_ahead(&self) -> bool {
        true
    }

    fn goes_on(&self) -> bool {
        self.goes_on
    }

    fn place(&self) -> Option<String> {
        Some(self.runner.place())
    }

    fn take_positions(&mut self) -> Vec<Position> {
        self.runner.take_positions()
    }
}

fn explained(what: String, why: Option<String>) -> String {
    why.map_or_else(|| what.clone(), |why| format!("{what}: {why}"))
}

/// Checks that the texts of an argument vector, with their ends and pointers, fit into the DMA that fetches the vector.
///
/// # Errors
/// They are too long.
pub fn check_arguments(arguments: &[Vec<u8>]) -> Result<(), String> {
    const BYTES_MAX: usize = 16_384 - 16;
    let bytes: usize = arguments.iter().map(|text| text.len() + 5).sum();
    if bytes > BYTES_MAX {
        return Err(format!("{bytes} bytes of arguments; a program takes up to {BYTES_MAX}"));
    }
    Ok(())
}

/// Loads a program into the local store, and its arguments into registers.
fn load(spu: &mut Spu, ls: &mut LocalStore, image: &Image, start: &Start) {
    for (address, bytes) in &image.segments {
        ls.write((*address).into(), bytes);
    }
    let own_ea = local_store_ea(start.spe, 0);
    let number = |value: u64| Quadword::from_doublewords([value, 0]);
    let arguments = match image.start_up {
        StartUp::Numbers => [number(start.spe.0.into()), number(start.argp), number(start.envp)],
        StartUp::Vector => vector(ls, own_ea, &start.arguments),
    };
    let registers = spu.registers_mut();
    for (register, value) in (3..).zip(arguments) {
        registers.set(register, value);
    }
    registers.set(6, number(own_ea));
}

/// Writes the argument vector to the end of the local store. Returns the values of the first three argument registers.
///
/// MODEL: on hardware, start-up code copies the arguments from the PPE's memory. Here the arguments are already at
/// their destination, so the start-up code's DMA transfer copies them onto themselves.
fn vector(ls: &mut LocalStore, own_ea: u64, arguments: &[Vec<u8>]) -> [Quadword; 3] {
    let texts: Vec<u8> = arguments.iter().flat_map(|text| text.iter().copied().chain([0])).collect();
    let pointers = 4 * (arguments.len() + 1);
    let size = (pointers + texts.len()).next_multiple_of(16) as u32;
    let at = ls.size_bytes() as u32 - size;
    let mut text_at = at + pointers as u32;
    for (pointer, text) in (at..).step_by(4).zip(arguments) {
        ls.write_u32(pointer.into(), text_at);
        text_at += text.len() as u32 + 1;
    }
    ls.write(u64::from(at) + pointers as u64, &texts);
    let ea = own_ea + u64::from(at);
    let place = [at, (ea >> 32) as u32, ea as u32, size];
    [Quadword::scalar(arguments.len() as u32), Quadword::from_words(place), Quadword::default()]
}
