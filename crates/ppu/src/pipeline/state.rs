//! The rule of issue: when an instruction issues, and what later ones wait for.
//!
//! MODEL: an instruction waits at its issue for its operands. Silicon puts instructions of the vector and scalar unit
//! into a queue, from which they start later, so that fixed-point instructions behind them go on for a while.
//!
//! MODEL: while both hardware threads run, each issues in every second cycle, and their units do not disturb each
//! other. On silicon, a thread that cannot issue leaves its cycle to the other, and both wait for a divider in use.
//!
//! Sources: GCC's description of the PPE (`cell.md`): the table of pairs, the slots, latencies and bypasses. The lower
//! half of that table is empty; here the order of a pair does not matter.

use super::operands::{BITS, CTR, FPU, GENERAL, LR, LSU, Operands, REGISTERS, Set, moved, operands};
use crate::class::{Class, Costs, Flow, unit};
use crate::instruction::Instruction;
use crate::table::ROWS;

/// What the pipelines of a thread are doing, seen from the cycle of its latest issue.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Cycles until each register or unit is ready for those that need it early.
    ready: [u8; BITS],
    /// Units whose instructions may still issue in the same cycle.
    open: u8,
    /// Whether the other hardware thread has every second cycle.
    pub alternates: bool,
}

/// What an instruction needs from the pipelines, and what it does to them.
struct Needs {
    operands: Operands,
    /// The units to which the instruction issues.
    units: u8,
    /// Cycles until the targets are ready.
    latency: u8,
    /// Units that the instruction keeps busy until its targets are ready.
    busy: Set,
    /// Whether the instruction moves to the link or count register.
    moves: bool,
    /// Cycles until any other instruction issues.
    blocks: u8,
    /// Whether another instruction may issue in the same cycle, as the second of a pair.
    leads: bool,
    /// Whether the instruction itself may be the second of a pair.
    follows: bool,
}

impl Needs {
    fn of(i: &Instruction, costs: &Costs) -> Needs {
        let row = &ROWS[usize::from(i.row)];
        let class = row.class;
        let latency = costs.latency(class);
        let records = row.mnemonic.ends_with('.');
        let recoded = matches!(class, Class::Rotate | Class::Multiply | Class::MultiplyDouble);
        let flow = if records && recoded { Flow::Microcoded } else { class.flow() };
        let mut operands = operands(i);
        if matches!(flow, Flow::Serial) {
            operands.sources |= REGISTERS;
        }
        if class.unit() == unit::ARITHMETIC && row.operands.contains(['A', 'B']) {
            operands.sources |= 1 << FPU;
        }
        if operands.early & GENERAL != 0 || class.unit() == unit::STORAGE {
            operands.sources |= 1 << LSU;
        }
        let blocks = match flow {
            Flow::Pipelined | Flow::BlockingFloat | Flow::BlockingStorage => 0,
            Flow::Blocking | Flow::Serial => latency,
            Flow::Microcoded => {
                costs.microcode.saturating_add(latency).saturating_add(costs.register.saturating_mul(moved(i)))
            }
        };
        let busy = match flow {
            Flow::BlockingFloat => 1 << FPU,
            Flow::BlockingStorage => 1 << LSU,
            _ => 0,
        };
        let solo = matches!(flow, Flow::Microcoded | Flow::Serial);
        Needs {
            operands,
            units: class.unit() | if operands.update == 0 { 0 } else { unit::FIXED },
            latency: if blocks > 0 { blocks } else { latency },
            busy,
            moves: class == Class::Special,
            blocks,
            leads: flow == Flow::Pipelined && class != Class::Branch && i.pc & 4 == 0,
            follows: !solo && i.pc & 4 != 0,
        }
    }
}

/// The units whose instructions may issue beside one on `units`: others, and not general loads and stores beside the
/// vector and scalar unit.
fn beside(units: u8) -> u8 {
    let vector = unit::ARITHMETIC | unit::PERMUTE;
    let not_storage = if units & vector == 0 { 0 } else { unit::STORAGE };
    let not_vector = if units & unit::STORAGE == 0 { 0 } else { vector };
    unit::ALL & !(units | not_storage | not_vector)
}

/// Cycles by which a register is needed earlier in an address, or as the target of a branch, than elsewhere.
fn lead(register: usize, costs: &Costs) -> u8 {
    match 1 << register {
        bit if bit & GENERAL != 0 => costs.address,
        bit if bit == 1 << LR || bit == 1 << CTR => costs.branch_register.saturating_sub(costs.latency(Class::Special)),
        _ => 0,
    }
}

/// Rounds `cycles` up to a cycle of the same thread.
pub fn to_own_cycle(cycles: u8, alternates: bool) -> u8 {
    cycles.saturating_add(if alternates { cycles & 1 } else { 0 })
}

/// The numbers of a set's members.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < Set::BITS as usize).then_some(first)
    })
}

impl State {
    /// Pipelines in which everything is ready.
    pub fn empty(alternates: bool) -> State {
        State { ready: [0; BITS], open: 0, alternates }
    }

    /// Issues an instruction. Returns the number of cycles from the issue of the previous instruction (0 for the second
    /// of a pair), plus the number of following cycles in which nothing else issues.
    pub fn issue(&mut self, i: &Instruction, costs: &Costs) -> u8 {
        let needs = Needs::of(i, costs);
        let Operands { sources, early, targets, update } = needs.operands;
        let pairs = needs.follows && needs.units & !self.open == 0;
        let mut at = if pairs { 0 } else { self.turn() };
        for register in members(sources) {
            let lead = if early >> register & 1 == 0 { lead(register, costs) } else { 0 };
            at = at.max(self.ready[register].saturating_sub(lead));
        }
        let ready = |register: usize| {
            let lead = if GENERAL >> register & 1 != 0 || needs.moves { lead(register, costs) } else { 0 };
            needs.latency.saturating_add(lead)
        };
        // Results are written in order.
        for register in members(targets) {
            at = at.max(self.ready[register].saturating_sub(ready(register)));
        }
        at = self.pass(at);
        members(targets | needs.busy).for_each(|register| self.ready[register] = ready(register));
        let updated = costs.latency(Class::Integer).saturating_add(costs.address);
        members(update).for_each(|register| self.ready[register] = updated);
        self.open = if needs.leads { beside(needs.units) } else { 0 };
        at.saturating_add(self.wait(needs.blocks.saturating_sub(1)))
    }

    /// Lets nothing issue for `cycles`, rounded up to a cycle of this thread. Returns the rounded number.
    pub fn wait(&mut self, cycles: u8) -> u8 {
        let cycles = self.pass(cycles);
        if cycles > 0 {
            self.open = 0;
        }
        self.forget();
        cycles
    }

    /// Lets nothing issue in the same cycle as the latest instruction.
    pub fn close(&mut self) {
        self.open = 0;
        self.forget();
    }

    /// Cycles from one issue to the next, if that is not in the same cycle.
    fn turn(&self) -> u8 {
        if self.alternates { 2 } else { 1 }
    }

    /// Lets time pass, up to a cycle of this thread. Returns the cycles.
    fn pass(&mut self, cycles: u8) -> u8 {
        let cycles = to_own_cycle(cycles, self.alternates);
        self.ready.iter_mut().for_each(|ready| *ready = ready.saturating_sub(cycles));
        cycles
    }

    /// Forgets what is ready before another instruction can issue, so that states that act alike are equal.
    fn forget(&mut self) {
        if self.open == 0 {
            let turn = self.turn();
            self.ready.iter_mut().filter(|ready| **ready <= turn).for_each(|ready| *ready = 0);
        }
    }
}
