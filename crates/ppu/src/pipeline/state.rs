//! The issue rules: when an instruction issues, and which results later instructions wait for.
//!
//! An instruction waits for its operands before it issues. An arithmetic instruction of the vector and scalar unit waits
//! behind its issue, in the unit's queue. Until it executes, no other instruction issues to the unit, not even a load or
//! store of a floating-point or vector register, but instructions of other units do.
//!
//! MODEL: one instruction waits in the queue. The number of entries is not public, but an instruction that would issue
//! behind one that waits there stalls its thread. A store waits for its data before it issues, also in this unit.
//!
//! MODEL: while both hardware threads run, each thread issues in every second cycle, and the threads do not compete for
//! execution units. On silicon, a thread that cannot issue leaves its cycle to the other thread, and both threads wait
//! while the divider is in use.
//!
//! Loads that miss the L1 wait in the pipelines like those of a walk ([`cell::ppe`]), and later loads and stores behind
//! them.
//!
//! Sources: GCC's description of the PPE (`cell.md`): the table of pairs, the slots, latencies and bypasses. The lower
//! half of the table of pairs is empty. In this model, two instructions may pair in either order.

use super::operands::{BITS, CR, CTR, FPR, FPU, GENERAL, LR, LSU, Operands, REGISTERS, Set, moved, operands};
use crate::class::{Class, Costs, Flow, unit};
use crate::instruction::Instruction;
use crate::table::ROWS;

/// Bytes of a cache line.
const LINE_BYTES: u8 = 128;

/// Both halves of the vector and scalar unit.
const VECTOR: u8 = unit::ARITHMETIC | unit::PERMUTE;
/// What an instruction of the vector and scalar unit may wait for in the queue: floating-point and vector registers, and
/// the floating-point unit.
const QUEUED: Set = ((1 << CR) - (1 << FPR)) | (1 << FPU);

/// Width in bytes of a load of one register; 0 for a store, which accesses another line.
fn bytes(mnemonic: &str) -> u8 {
    match mnemonic.as_bytes() {
        [b'l', b'b', ..] => 1,
        [b'l', b'h', ..] => 2,
        [b'l', b'w', ..] | [b'l', b'f', b's', ..] => 4,
        [b'l', b'd' | b'f', ..] => 8,
        [b'l', b'v', ..] => 16,
        _ => 0,
    }
}

/// The state of a thread's pipelines, relative to the cycle of its latest issue.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Cycles until each register or unit is ready for instructions that need it early.
    ready: [u8; BITS],
    /// Units to which an instruction may still issue in the same cycle.
    open: u8,
    /// Whether the other hardware thread uses every second cycle.
    pub alternates: bool,
    /// Cycles until the latest load or store that waits for a missing line, or behind such an access, has its value.
    replays: u8,
    /// Bytes of the line that was missed last that may still be accessed behind the miss.
    behind: u8,
    /// Whether the next instruction has issued but needs a service from outside the core.
    held: bool,
    /// Cycles until the next instruction, a load, receives its line.
    delay: u8,
    /// Cycles until another instruction may issue to the vector and scalar unit, if one waits there.
    queue: u8,
}

/// The pipeline resources that an instruction needs, and its effects on the pipelines.
struct Needs {
    operands: Operands,
    class: Class,
    /// Width of a load in bytes.
    bytes: u8,
    /// The units to which the instruction issues.
    units: u8,
    /// Cycles until the target registers are ready.
    latency: u8,
    /// Units that the instruction keeps busy until its target registers are ready.
    busy: Set,
    /// Whether the instruction may wait in the queue of the vector and scalar unit.
    queues: bool,
    /// Whether the instruction is a move to the link or count register.
    moves: bool,
    /// Cycles during which no other instruction issues.
    blocks: u8,
    /// Whether the instruction may be the first of a pair that issues in one cycle.
    leads: bool,
    /// Whether the instruction may be the second of a pair that issues in one cycle.
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
            class,
            bytes: bytes(row.mnemonic),
            units: class.unit() | if operands.update == 0 { 0 } else { unit::FIXED },
            latency: if blocks > 0 { blocks } else { latency },
            busy,
            queues: class.unit() & VECTOR != 0 && !class.accesses() && flow != Flow::Serial,
            moves: class == Class::Special,
            blocks,
            leads: flow == Flow::Pipelined && class != Class::Branch && i.pc & 4 == 0,
            follows: !solo && i.pc & 4 != 0,
        }
    }
}

impl Needs {
    /// Cycles from the issue until instructions that need a register early can use it.
    fn ready(&self, register: usize, costs: &Costs) -> u8 {
        let lead = if GENERAL >> register & 1 != 0 || self.moves { lead(register, costs) } else { 0 };
        self.latency.saturating_add(lead)
    }
}

/// The units to which a second instruction may issue in the same cycle as an instruction on `units`. The units must
/// differ, and the load and store unit does not pair with the vector and scalar unit.
fn beside(units: u8) -> u8 {
    let not_storage = if units & VECTOR == 0 { 0 } else { unit::STORAGE };
    let not_vector = if units & unit::STORAGE == 0 { 0 } else { VECTOR };
    unit::ALL & !(units | not_storage | not_vector)
}

/// Number of cycles by which a register in an address or a branch target is needed earlier than other operands.
fn lead(register: usize, costs: &Costs) -> u8 {
    match 1 << register {
        bit if bit & GENERAL != 0 => costs.address,
        bit if bit == 1 << LR || bit == 1 << CTR => costs.branch_register.saturating_sub(costs.latency(Class::Special)),
        _ => 0,
    }
}

/// Rounds `cycles` up to the thread's next issue cycle.
pub fn to_own_cycle(cycles: u8, alternates: bool) -> u8 {
    cycles.saturating_add(if alternates { cycles & 1 } else { 0 })
}

/// The bit numbers of a set's members.
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
        State { ready: [0; BITS], open: 0, alternates, replays: 0, behind: 0, held: false, delay: 0, queue: 0 }
    }

    /// Cycles from the previous issue to the issue of an instruction.
    fn issues_at(&self, needs: &Needs, costs: &Costs) -> u8 {
        let Operands { sources, early, targets, .. } = needs.operands;
        let accesses = needs.class.accesses();
        // Accesses that wait are performed in order. A store waits for its data there, not before it issues.
        let waits = accesses && self.replays > 0;
        let sources = if waits { sources & (early | 1 << LSU) } else { sources };
        let pairs = needs.follows && needs.units & !self.open == 0;
        let mut at = if pairs || self.held { 0 } else { self.turn() };
        let sources = if needs.queues { sources & !QUEUED } else { sources };
        if needs.queues {
            // Times have 8 bits, so an instruction whose result is ready only after more cycles waits before it issues.
            let ready = u16::from(self.executes_at(needs, costs)) + u16::from(needs.latency);
            at = at.max(ready.saturating_sub(u8::MAX.into()) as u8);
        }
        if needs.units & VECTOR != 0 {
            at = at.max(self.queue);
        }
        for register in members(sources) {
            let lead = if early >> register & 1 == 0 { lead(register, costs) } else { 0 };
            at = at.max(self.ready[register].saturating_sub(lead));
        }
        if accesses {
            at = at.max(self.replays.saturating_sub(costs.replay_lead));
        }
        // Results are written in order.
        for register in members(if waits || needs.queues { 0 } else { targets }) {
            at = at.max(self.ready[register].saturating_sub(needs.ready(register, costs)));
        }
        if accesses { at } else { at.saturating_add(self.delay) }
    }

    /// Cycles until an instruction that may wait in the queue can execute.
    fn executes_at(&self, needs: &Needs, costs: &Costs) -> u8 {
        let Operands { sources, targets, .. } = needs.operands;
        let operands = members(sources & QUEUED).map(|register| self.ready[register]);
        let results =
            members(targets).map(|register| self.ready[register].saturating_sub(needs.ready(register, costs)));
        let at = operands.chain(results).fold(0, u8::max);
        to_own_cycle(at, self.alternates)
    }

    /// Lets a load or store wait if its line is missing, or if earlier accesses wait. Returns the cycles until the
    /// access has its value.
    ///
    /// MODEL: accesses of as many bytes as a line has wait behind a miss, whatever their addresses.
    fn replay(&mut self, needs: &Needs, costs: &Costs) -> u8 {
        if self.delay > 0 {
            self.behind = LINE_BYTES;
        }
        let Operands { sources, early, .. } = needs.operands;
        let has_data = needs.bytes == 0 && members(sources & !early & REGISTERS).all(|data| self.ready[data] == 0);
        if self.replays > 0 && self.behind > 0 && !has_data {
            let step = if self.alternates { costs.replay_beside } else { costs.replay };
            self.replays = self.replays.saturating_add(step);
        }
        self.replays = self.replays.max(self.delay);
        self.behind = if self.replays == 0 { 0 } else { self.behind.saturating_sub(needs.bytes) };
        self.replays
    }

    /// Issues an instruction to the vector and scalar unit. Returns the cycles for which it waits in the queue.
    fn enqueue(&mut self, needs: &Needs, costs: &Costs) -> u8 {
        let waits = self.executes_at(needs, costs);
        if waits > 0 {
            self.queue = waits.saturating_add(self.turn());
        }
        waits
    }

    /// Advances to the issue of an instruction that needs a service from outside the core. Returns the cycles since
    /// the previous instruction's issue.
    pub fn hold(&mut self, i: &Instruction, costs: &Costs) -> u8 {
        let at = self.pass(self.issues_at(&Needs::of(i, costs), costs));
        (self.open, self.held) = (0, true);
        at
    }

    /// Continues after a service that took `cycles`. A load receives its line only after another `delay` cycles.
    pub fn resume(&mut self, cycles: u8, delay: u8) {
        self.pass(cycles);
        self.delay = delay;
    }

    /// Makes an instruction that waits to issue wait for some cycles, rounded up to the thread's next issue cycle. Returns
    /// the rounded number.
    pub fn late(&mut self, cycles: u8) -> u8 {
        let cycles = self.pass(cycles);
        self.delay = self.delay.saturating_sub(cycles);
        cycles
    }

    /// Issues an instruction. Returns the number of cycles since the previous instruction's issue (0 for the second of
    /// a pair), plus the number of following cycles in which no instruction issues.
    pub fn issue(&mut self, i: &Instruction, costs: &Costs) -> u8 {
        let needs = Needs::of(i, costs);
        let Operands { targets, update, .. } = needs.operands;
        let at = self.pass(self.issues_at(&needs, costs));
        let waits = match needs.queues {
            true => self.enqueue(&needs, costs),
            false if needs.class.accesses() => self.replay(&needs, costs),
            false => 0,
        };
        (self.held, self.delay) = (false, 0);
        let ready = |register: usize| needs.ready(register, costs).saturating_add(waits);
        members(targets | needs.busy).for_each(|register| self.ready[register] = ready(register));
        if needs.class == Class::VectorLoad {
            self.ready[LSU as usize] = costs.vector_load;
        }
        let updated = costs.latency(Class::Integer).saturating_add(costs.address);
        members(update).for_each(|register| self.ready[register] = updated);
        self.open = if needs.leads { beside(needs.units) } else { 0 };
        at.saturating_add(self.wait(needs.blocks.saturating_sub(1)))
    }

    /// Prevents any issue for `cycles`, rounded up to the thread's next issue cycle. Returns the rounded number.
    pub fn wait(&mut self, cycles: u8) -> u8 {
        let cycles = self.pass(cycles);
        if cycles > 0 {
            self.open = 0;
        }
        self.forget();
        cycles
    }

    /// Prevents any further instruction from issuing in the same cycle as the latest instruction.
    pub fn close(&mut self) {
        (self.open, self.held) = (0, false);
        self.forget();
    }

    /// Minimum number of cycles between two instructions that do not issue as a pair.
    fn turn(&self) -> u8 {
        if self.alternates { 2 } else { 1 }
    }

    /// Advances time by `cycles`, rounded up to the thread's next issue cycle. Returns the rounded number.
    fn pass(&mut self, cycles: u8) -> u8 {
        let cycles = to_own_cycle(cycles, self.alternates);
        self.times().for_each(|time| *time = time.saturating_sub(cycles));
        cycles
    }

    /// All times that change with every cycle.
    fn times(&mut self) -> impl Iterator<Item = &mut u8> {
        self.ready.iter_mut().chain([&mut self.replays, &mut self.queue])
    }

    /// Clears the times of registers and units that are ready before the next possible issue, so that equivalent states
    /// compare equal.
    fn forget(&mut self) {
        if self.open == 0 && !self.held {
            let turn = self.turn();
            self.times().filter(|time| **time <= turn).for_each(|time| *time = 0);
        }
    }
}
