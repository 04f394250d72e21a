//! Programs that run ahead of the bus clock. The boundaries of program turns must not affect results.
//!
//! Each program works like an instruction interpreter: it performs loads and stores of one cycle each, and channel
//! operations. The programs race: they load from addresses to which other programs put, and store to addresses from
//! which other programs get. If a lookahead were too long, a program would see a change too early or too late.

use crate::common::machines::any_machine;
use crate::common::{Check, ls_ea, ps3};
use cell::channel::Channel;
use cell::door::{Op, Program, Step, Turn};
use cell::machine::Machine;
use cell::placement::Placement;
use cell::store::LocalStore;
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// The shared areas that programs race to access: one in each local store (with its size in words), and one in main
/// memory.
const SHARED: u64 = 0x4000;
const SHARED_WORDS: u64 = 64;
const LIST: u64 = 0x3000;
const MEMORY: u64 = 0x10_0000;

/// One action of a program.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Loads a word and adds it to the digest.
    Load(u64),
    /// Stores the digest.
    Store(u64),
    /// Loads a word until the word changes or a limit is reached.
    Poll(u64),
    Work(u64),
    Ask(Op),
    /// Waits for an answer and adds it to the digest.
    Wait(Op),
}

#[derive(Clone, Copy, Debug)]
struct Transfer {
    opcode: u32,
    thread: Option<u8>,
    near: u64,
    far: u64,
    quadwords: u64,
}

fn word() -> impl Strategy<Value = u64> {
    (0..SHARED_WORDS).prop_map(|n| SHARED + 4 * n)
}

fn transfer() -> impl Strategy<Value = Transfer> {
    let opcode = prop_oneof![4 => Just(0x20), 4 => Just(0x40), 1 => Just(0x22), 1 => Just(0x41), 2 => Just(0x44)];
    let place = || 0..SHARED_WORDS / 4 - 4;
    let thread = proptest::option::weighted(0.7, 0..8u8);
    (opcode, thread, place(), place(), 1..5u64).prop_map(|(opcode, thread, near, far, quadwords)| Transfer {
        opcode,
        thread,
        near: 16 * near,
        far: 16 * far,
        quadwords,
    })
}

/// The channel writes that issue a command.
fn command(opcode: u32, lsa: u64, ea: u64, size: u64) -> Vec<Act> {
    let values = [lsa, ea >> 32, ea & 0xffff_ffff, size, 0, u64::from(opcode)];
    let channels = (Channel::MFC_LSA.0..=Channel::MFC_CMD.0).map(Channel);
    channels.zip(values).map(|(channel, value)| Act::Ask(Op::Write(channel, value as u32))).collect()
}

fn tag_status() -> Vec<Act> {
    vec![
        Act::Ask(Op::Write(Channel::WR_TAG_MASK, 1)),
        Act::Ask(Op::Write(Channel::WR_TAG_UPDATE, 2)),
        Act::Wait(Op::Read(Channel::RD_TAG_STAT)),
    ]
}

fn acts(machine: Machine, threads: u8) -> impl Strategy<Value = Vec<Act>> {
    let lock_line = |opcode| {
        let mut acts = command(opcode, SHARED, MEMORY, 128);
        acts.push(Act::Wait(Op::Read(Channel::RD_ATOMIC_STAT)));
        acts
    };
    let piece = prop_oneof![
        4 => word().prop_map(|at| vec![Act::Load(at)]),
        4 => word().prop_map(|at| vec![Act::Store(at)]),
        2 => word().prop_map(|at| vec![Act::Poll(at)]),
        2 => (1..300u64).prop_map(|cycles| vec![Act::Work(cycles)]),
        5 => transfer().prop_map(move |transfer| {
            let ea = match transfer.thread {
                Some(thread) => ls_ea(&machine, thread % threads, (SHARED + transfer.far) as u32),
                None => MEMORY + transfer.far,
            };
            match transfer.opcode {
                0x44 => command(0x44, SHARED + transfer.near, LIST, 8),
                opcode => command(opcode, SHARED + transfer.near, ea, 16 * transfer.quadwords),
            }
        }),
        1 => Just(tag_status()),
        1 => Just(lock_line(0xd0)),
        1 => Just(lock_line(0xb4)),
        1 => Just(vec![Act::Ask(Op::Count(Channel::MFC_CMD)), Act::Wait(Op::Read(Channel::RD_DEC))]),
    ];
    proptest::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

/// The outcome of a run: the times and digests of all programs at each action, and the record.
type Outcome = (Vec<(u64, u32)>, String);

struct Ahead {
    acts: Vec<Act>,
    next: usize,
    polled: u32,
    digest: u32,
    /// Whether to add the next answer to the digest.
    waits: bool,
    /// The longest lookahead that the program uses.
    at_most: u64,
    steps: Rc<RefCell<Vec<(u64, u32)>>>,
}

impl Ahead {
    fn take_in(&mut self, value: u32) {
        self.digest = (self.digest.rotate_left(7) ^ value).wrapping_mul(0x9e37_79b1);
    }

    /// Performs one action. Returns the duration of the action, or the operation that the action requests.
    fn act(&mut self, ls: &mut LocalStore) -> Result<u64, Op> {
        let mut cycles = 1;
        match self.acts[self.next] {
            Act::Load(at) => self.take_in(ls.read_u32(at)),
            Act::Store(at) => {
                let digest = self.digest;
                self.take_in(1);
                ls.write_u32(at, digest);
                // The programs also race for the contents of the list element.
                ls.write_u64(LIST, (16 << 32) | (MEMORY + u64::from(digest) % 8 * 16));
            }
            Act::Poll(at) => {
                self.polled += 1;
                if ls.read_u32(at) == 0 && !self.polled.is_multiple_of(200) {
                    return Ok(2);
                }
                self.take_in(self.polled);
            }
            Act::Work(n) => cycles = n,
            Act::Ask(op) | Act::Wait(op) => {
                self.waits = matches!(self.acts[self.next], Act::Wait(_));
                self.next += 1;
                return Err(op);
            }
        }
        self.next += 1;
        Ok(cycles)
    }
}

impl Program for Ahead {
    fn resume(&mut self, turn: Turn, ls: &mut LocalStore) -> Result<Step, String> {
        if std::mem::take(&mut self.waits) {
            self.take_in(turn.answer);
        }
        let lookahead = turn.lookahead.min(self.at_most);
        let mut elapsed = 0;
        while self.next < self.acts.len() {
            let asks = matches!(self.acts[self.next], Act::Ask(_) | Act::Wait(_));
            if if asks { elapsed > 0 } else { elapsed >= lookahead } {
                return Ok(Step::Ask(Op::Compute(elapsed)));
            }
            self.steps.borrow_mut().push((turn.time + elapsed, self.digest));
            match self.act(ls) {
                Ok(cycles) => elapsed += cycles,
                Err(op) => return Ok(Step::Ask(op)),
            }
        }
        if elapsed > 0 {
            return Ok(Step::Ask(Op::Compute(elapsed)));
        }
        Ok(Step::Stop(self.digest))
    }

    fn runs_ahead(&self) -> bool {
        true
    }
}

fn two_chips() -> Machine {
    Machine::builtin("qs20").expect("a machine that comes with the simulator")
}

fn outcome_of(machine: &Machine, programs: &[Vec<Act>], at_most: u64) -> Outcome {
    let steps = Rc::new(RefCell::new(Vec::new()));
    let check = programs.iter().fold(Check::on(machine), |check, acts| {
        let steps = Rc::clone(&steps);
        let acts = acts.clone();
        check.program(Box::new(Ahead { acts, next: 0, polled: 0, digest: 0, waits: false, at_most, steps }))
    });
    let outcome = match check.result() {
        Ok(ran) => ran.record.to_json(),
        Err(error) => error.to_string(),
    };
    let mut steps = steps.take();
    steps.sort();
    (steps, outcome)
}

/// Programs for some SPEs of a machine.
fn programs_on(machine: Machine) -> impl Strategy<Value = (Machine, Vec<Vec<Act>>)> {
    (1..=Placement::default_of(&machine).len().min(6) as u8).prop_flat_map(move |threads| {
        let programs = proptest::collection::vec(acts(machine.clone(), threads), usize::from(threads));
        (Just(machine.clone()), programs)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_turns_of_a_program_that_runs_ahead_may_end_anywhere(
        (machine, programs) in prop_oneof![Just(ps3()), Just(two_chips()), any_machine().prop_map(|any| Machine::clone(&any))].prop_flat_map(programs_on),
        at_most in 1..100u64,
    ) {
        let step_by_step = outcome_of(&machine, &programs, 1);
        prop_assert_eq!(&outcome_of(&machine, &programs, u64::MAX), &step_by_step);
        prop_assert_eq!(&outcome_of(&machine, &programs, at_most), &step_by_step);
    }
}
