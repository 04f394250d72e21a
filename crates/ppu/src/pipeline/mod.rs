//! In which cycle each instruction issues: in order, up to two in a cycle, when operands are ready.
//!
//! [`State`] is the rule. To apply the rule would take the host longer than the instructions themselves, but programs
//! return to few states. [`Pipelines`] therefore numbers the states and remembers their transitions, and each decoded
//! instruction keeps its latest transition. The result is exact.

pub mod operands;
mod state;

pub use state::State;
use state::to_own_cycle;

use crate::class::{Class, Costs};
use crate::instruction::Instruction;
use crate::table::{ROWS, UNDECODED};
use crate::transition::Transition;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of the state in which everything is ready, and the other hardware thread is idle.
const EMPTY: u16 = 0;
/// The greatest number of states, which 16 bits number.
const MOST_STATES: usize = 60_000;
/// The number of transitions that are remembered besides those of decoded instructions.
const PLACES: usize = 1 << 13;
/// A key that no instruction has.
const NO_KEY: u64 = u64::MAX;

/// An odd number without a pattern. Its products spread keys well enough.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The place of a transition in the table of transitions.
fn place(key: u64) -> usize {
    (key.wrapping_mul(SPREAD) >> (64 - PLACES.ilog2())) as usize
}

/// Hashes states, eight bytes at a time: new code leads to many, which nobody chose to collide.
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

/// What an instruction is for the rule of issue: its row, its fields, and its place in a doubleword.
fn key(i: &Instruction, state: u16) -> u64 {
    let fields = u32::from_ne_bytes([i.rt, i.ra, i.rb, i.rc]);
    let row = u32::from(i.row) << 1 | i.pc >> 2 & 1;
    u64::from(fields) << 32 | u64::from(row) << 16 | u64::from(state)
}

/// The states of the pipelines that a program has reached.
pub struct Pipelines {
    costs: Costs,
    states: Vec<State>,
    numbers: HashMap<State, u16, BuildHasherDefault<Products>>,
    /// The latest transitions with their keys, each at the place of its key.
    transitions: Box<[(u64, Transition)]>,
    /// The number of states after which all are discarded: at least four, because a transition has up to three new ones.
    pub most_states: usize,
    /// Counts how often all states were discarded.
    generation: u16,
    /// Whether both hardware threads run, so that each has every second cycle.
    pub alternates: bool,
    /// Cycles without an issue after a taken branch.
    pub after_taken: i64,
    /// Cycles without an issue after a mispredicted branch.
    pub after_miss: i64,
}

impl Pipelines {
    /// Pipelines of which only the empty state is known.
    pub fn new(costs: Costs) -> Pipelines {
        let mut pipelines = Pipelines {
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

    /// The number of a state.
    fn number(&mut self, state: State) -> u16 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            (self.states.len() - 1) as u16
        })
    }

    /// The number of the state in which a thread continues that [`Pipelines::leave`] gave `left`.
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

    /// What a thread keeps of its state between turns.
    pub fn leave(&self, state: u16) -> u32 {
        if state == EMPTY { 0 } else { u32::from(self.generation) << 16 | u32::from(state) }
    }

    /// What a thread keeps between turns so that no instruction issues beside its latest one.
    pub fn close(&mut self, left: u32) -> u32 {
        let state = self.enter(left);
        let closed = self.changed(state, State::close);
        self.leave(closed)
    }

    /// Sets an instruction's transition from a state. Returns whether all states should be discarded first.
    #[inline(never)]
    pub fn learn(&mut self, i: &mut Instruction, state: u16) -> bool {
        let key = key(i, state);
        let (known, transition) = &self.transitions[place(key)];
        if *known != key {
            return self.learn_anew(i, state);
        }
        i.transition = *transition;
        false
    }

    /// The same for a transition that is not remembered.
    #[cold]
    #[inline(never)]
    fn learn_anew(&mut self, i: &mut Instruction, state: u16) -> bool {
        let is_full = self.states.len() > self.most_states;
        if !is_full {
            i.transition = self.issue(i, state);
            let key = key(i, state);
            self.transitions[place(key)] = (key, i.transition);
        }
        is_full
    }

    /// The transition of an instruction.
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

    /// The number of the state that `change` makes of a state.
    fn changed(&mut self, state: u16, change: impl FnOnce(&mut State)) -> u16 {
        let mut after = self.states[usize::from(state)].clone();
        change(&mut after);
        self.number(after)
    }

    /// Discards all states but one. Returns its new number. No instruction may keep a transition from before.
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
