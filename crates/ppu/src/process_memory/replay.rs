//! What one instruction has asked of the machine.
//!
//! An instruction that makes several accesses over the bus is executed again after each answer: those that were made are
//! not made again, and what they answered is given once more.

use crate::memory::Stop;
use cell::door::PpeOp;

/// Questions of the instruction that is being executed.
#[derive(Default)]
pub struct Replay {
    /// What was asked, and the answers.
    done: Vec<(PpeOp, u64)>,
    /// How many of them were given in this turn.
    given: usize,
    asked: Option<PpeOp>,
}

impl Replay {
    /// Begins a turn with the answer to what was asked.
    pub fn answered(&mut self, answer: u64) {
        self.given = 0;
        match self.asked.take() {
            // A line is in the caches now, or was: whoever needs it looks again.
            None | Some(PpeOp::Touch { store: false, .. }) => {}
            Some(op) => self.done.push((op, answer)),
        }
    }

    /// The answer to a question, which has to be asked if it was not.
    pub fn perform(&mut self, op: PpeOp) -> Result<u64, Stop> {
        match self.done.get(self.given) {
            Some((asked, answer)) if *asked == op => {
                self.given += 1;
                Ok(*answer)
            }
            _ => self.ask(op),
        }
    }

    /// Asks, and waits for the answer.
    pub fn ask<T>(&mut self, op: PpeOp) -> Result<T, Stop> {
        self.asked = Some(op);
        Err(Stop::Wait)
    }

    /// Ends a turn, at the same instruction with which it began or at a later one; what is asked.
    pub fn end(&mut self, same_instruction: bool) -> Option<PpeOp> {
        if !same_instruction {
            self.done.clear();
        }
        self.asked
    }
}
