//! Issue timing of instructions: in order, up to two in a cycle, when operands are ready.
//!
//! [`State`] implements the issue rules. Applying the rules to each instruction would take the host longer than
//! executing the instruction itself, but programs reach only a few states. [`Pipelines`] therefore numbers the states
//! and remembers their transitions, and each decoded instruction keeps its latest transition. The timing is the same as
//! if the rules were applied each time.

pub mod operands;
mod state;

pub use state::State;
use state::to_own_cycle;

use crate::class::{Class, Costs};
use crate::code_lines::CodeLines;
use crate::instruction::Instruction;
use crate::table::{ROWS, UNDECODED};
use crate::transition::Transition;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of the state in which everything is ready, and the other hardware thread is idle.
const EMPTY: u16 = 0;
/// Maximum number of states, limited by the 16 bits of a state number.
const MOST_STATES: usize = 60_000;
/// Size of the transition table, which supplements the transitions in decoded instructions.
const PLACES: usize = 1 << 13;
/// A key that no instruction has.
const NO_KEY: u64 = u64::MAX;

/// An odd multiplier without a regular bit pattern, which spreads keys well enough.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The index of a key in the transition table.
fn place(key: u64) -> usize {
    (key.wrapping_mul(SPREAD) >> (64 - PLACES.ilog2())) as usize
}

/// Hashes states, eight bytes at a time. Speed matters because new code creates many states. Deliberate collisions are
/// not a concern.
#[derive(Default)]
struct Products(u64);

impl Hasher for Products {
    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(SPREAD);
        }
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// Bits of a key, above those of a row: the instruction only waits for a service, or the service ends, or the instruction
/// is late.
const HOLDS: u64 = 1 << 30;
const RESUMES: u64 = 1 << 31;
const IS_LATE: u64 = HOLDS | RESUMES;

/// The key of a transition: all inputs of the issue rules, namely the instruction's row, its fields, its position in a
/// doubleword, and the state.
fn key(i: &Instruction, state: u16) -> u64 {
    let fields = u32::from_ne_bytes([i.rt, i.ra, i.rb, i.rc]);
    let row = u32::from(i.row) << 1 | i.pc >> 2 & 1;
    u64::from(fields) << 32 | u64::from(row) << 16 | u64::from(state)
}

/// Outcome of [`Pipelines::learn`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// The instruction has its transition.
    Transition,
    /// All states must be discarded first.
    Full,
    /// The instruction's line must be fetched first.
    Missing,
}

/// The pipeline states that a program has reached.
pub struct Pipelines {
    costs: Costs,
    states: Vec<State>,
    numbers: HashMap<State, u16, BuildHasherDefault<Products>>,
    /// The instruction cache. Only instructions in its lines have transitions.
    pub lines: CodeLines,
    /// The latest transitions with their keys, indexed by [`place`]: those of instructions that issue, and of services
    /// from outside the core that begin ([`HOLDS`]) and end ([`RESUMES`]).
    transitions: Box<[(u64, Transition)]>,
    /// All states are discarded when their number exceeds this limit. The limit is at least four, because a transition
    /// adds up to three states.
    pub most_states: usize,
    /// The number of times that all states were discarded.
    generation: u16,
    /// Whether both hardware threads run, so that each thread uses every second cycle.
    pub alternates: bool,
    /// Cycles without an issue after a taken branch.
    pub after_taken: i64,
    /// Cycles without an issue after a mispredicted branch.
    pub after_miss: i64,
}

impl Pipelines {
    /// Creates pipelines with only the empty state.
    pub fn new(costs: Costs) -> Pipelines {
        let mut pipelines = Pipelines {
            lines: CodeLines::new(costs.code_cache.0, costs.code_cache.1),
            costs,
            states: Vec::new(),
            numbers: HashMap::default(),
            transitions: vec![(NO_KEY, Transition::UNKNOWN); PLACES].into_boxed_slice(),
            most_states: MOST_STATES,
            generation: 0,
            alternates: false,
            after_taken: 0,
            after_miss: 0,
        };
        pipelines.number(State::empty(false));
        pipelines
    }

    /// Cycles from a store to a load that hits it.
    pub fn load_hit_store(&self) -> u64 {
        self.costs.load_hit_store.into()
    }

    /// Returns the number of a state, and adds the state if it is new.
    fn number(&mut self, state: State) -> u16 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            (self.states.len() - 1) as u16
        })
    }

    /// Returns the number of the state in which a thread continues. `left` is the value that [`Pipelines::leave`]
    /// returned for the thread.
    pub fn enter(&mut self, left: u32) -> u16 {
        self.after_taken = to_own_cycle(self.costs.branch_taken, self.alternates).into();
        self.after_miss = to_own_cycle(self.costs.branch_mispredicted, self.alternates).into();
        let number = left as u16;
        let state = if (left >> 16) as u16 == self.generation { number } else { EMPTY };
        if self.states[usize::from(state)].alternates == self.alternates {
            return state;
        }
        self.changed(state, |state| state.alternates = !state.alternates)
    }

    /// Returns the value that a thread stores between turns to keep its state.
    pub fn leave(&self, state: u16) -> u32 {
        if state == EMPTY { 0 } else { u32::from(self.generation) << 16 | u32::from(state) }
    }

    /// Changes a value from [`Pipelines::leave`] so that no instruction issues in the same cycle as the thread's latest
    /// instruction.
    pub fn close(&mut self, left: u32) -> u32 {
        let state = self.enter(left);
        let closed = self.changed(state, State::close);
        self.leave(closed)
    }

    /// Issues an instruction that needs a service from outside the core. Returns the new state and the cycles since the
    /// previous issue.
    pub fn hold(&mut self, i: &Instruction, state: u16) -> (u16, u8) {
        if self.costs.one_each {
            return (state, 0);
        }
        let held = self.remembered(key(i, state) | HOLDS, state, |after, costs| after.hold(i, costs));
        (held.next, held.cycles)
    }

    /// Changes a value from [`Pipelines::leave`] after a service that took `cycles`. If the instruction is a load, it
    /// receives its line only after another `delay` cycles.
    pub fn resume(&mut self, left: u32, cycles: u64, delay: u64) -> u32 {
        let narrow = |cycles: u64| u8::try_from(cycles).unwrap_or(u8::MAX);
        let (cycles, delay) = (narrow(cycles), narrow(delay));
        let state = self.enter(left);
        let times = u64::from(u16::from_be_bytes([cycles, delay])) << 32;
        let resumed = self.remembered(times | RESUMES | u64::from(state), state, |after, _| {
            after.resume(cycles, delay);
            cycles
        });
        self.leave(resumed.next)
    }

    /// Issues an instruction `cycles` later than its registers allow. Returns the new state and the cycles since the
    /// previous issue. The instruction is no branch.
    pub fn late(&mut self, i: &Instruction, state: u16, cycles: u8) -> (u16, i64) {
        if self.costs.one_each {
            return (state, 1);
        }
        let (held, before) = self.hold(i, state);
        let times = u64::from(cycles) << 32;
        let late = self.remembered(times | IS_LATE | u64::from(held), held, |after, _| after.late(cycles));
        let issued = self.remembered(key(i, late.next), late.next, |after, costs| after.issue(i, costs));
        (issued.next, [before, late.cycles, issued.cycles].into_iter().map(i64::from).sum())
    }

    /// Returns the transition with this key. If it is not in the table, `change` is applied to a copy of a state, and
    /// returns the transition's cycles.
    fn remembered(&mut self, key: u64, state: u16, change: impl FnOnce(&mut State, &Costs) -> u8) -> Transition {
        let (known, transition) = self.transitions[place(key)];
        if known == key {
            return transition;
        }
        let mut after = self.states[usize::from(state)].clone();
        let cycles = change(&mut after, &self.costs);
        let next = self.number(after);
        let transition = Transition { state, next, taken: next, missed: next, cycles };
        self.transitions[place(key)] = (key, transition);
        transition
    }

    /// Sets an instruction's transition from a state, if it can.
    #[inline(never)]
    pub fn learn(&mut self, i: &mut Instruction, state: u16) -> Learned {
        if !self.lines.touch(i.pc) {
            return Learned::Missing;
        }
        let key = key(i, state);
        let (known, transition) = &self.transitions[place(key)];
        if *known != key {
            return self.learn_anew(i, state);
        }
        i.transition = *transition;
        Learned::Transition
    }

    /// Does the work of [`Pipelines::learn`] for a transition that is not in the table.
    #[cold]
    #[inline(never)]
    fn learn_anew(&mut self, i: &mut Instruction, state: u16) -> Learned {
        if self.states.len() > self.most_states {
            return Learned::Full;
        }
        i.transition = self.issue(i, state);
        let key = key(i, state);
        self.transitions[place(key)] = (key, i.transition);
        Learned::Transition
    }

    /// Computes the transition of an instruction that issues in `state`.
    fn issue(&mut self, i: &Instruction, state: u16) -> Transition {
        if self.costs.one_each || i.row == UNDECODED {
            return Transition { state, next: state, taken: state, missed: state, cycles: 1 };
        }
        let mut after = self.states[usize::from(state)].clone();
        let cycles = after.issue(i, &self.costs);
        let next = self.number(after);
        if ROWS[usize::from(i.row)].class != Class::Branch {
            return Transition { state, next, taken: next, missed: next, cycles };
        }
        let (taken, missed) = (self.costs.branch_taken, self.costs.branch_mispredicted);
        let taken = self.changed(next, |state| _ = state.wait(taken));
        let missed = self.changed(next, |state| _ = state.wait(missed));
        Transition { state, next, taken, missed, cycles }
    }

    /// Applies `change` to a copy of a state. Returns the number of the result.
    fn changed(&mut self, state: u16, change: impl FnOnce(&mut State)) -> u16 {
        let mut after = self.states[usize::from(state)].clone();
        change(&mut after);
        self.number(after)
    }

    /// Discards all states except `kept` and the empty state. Returns the new number of `kept`. The caller must reset
    /// the transitions of all decoded instructions.
    pub fn discard(&mut self, kept: u16) -> u16 {
        let kept = self.states[usize::from(kept)].clone();
        self.states.clear();
        self.numbers.clear();
        self.transitions.fill((NO_KEY, Transition::UNKNOWN));
        self.generation = self.generation.wrapping_add(1);
        self.number(State::empty(false));
        self.number(kept)
    }
}
