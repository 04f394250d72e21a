//! Accesses over the bus that one instruction makes.
//!
//! A load or store in an SPE's window ends the turn. The machine makes the access. The instruction is then executed
//! again from its beginning, with the answer from the bus. An instruction with several such accesses, for example a
//! vector load, ends its turn at each access. Each replay of an instruction reuses the earlier answers.

use cell::door::PpeOp;

/// Bus accesses of the current instruction.
#[derive(Default, Debug)]
pub struct Replay {
    done: Vec<(PpeOp, u64)>,
    /// Number of answers used in this execution of the instruction.
    used: usize,
    /// The bus access to be made next.
    next: Option<PpeOp>,
}

impl Replay {
    /// Begins an execution of the instruction.
    pub fn begin(&mut self) {
        self.used = 0;
        self.next = None;
    }

    /// Returns the answer to a bus access. If there is no answer yet, records the access as the next one to be made.
    pub fn answer(&mut self, op: PpeOp) -> Option<u64> {
        match self.done.get(self.used) {
            Some((done, answer)) if *done == op => {
                self.used += 1;
                Some(*answer)
            }
            _ => {
                self.done.truncate(self.used);
                self.next = Some(op);
                None
            }
        }
    }

    /// Takes the next bus access to be made. Drops the recorded answers if this turn has executed other instructions
    /// before.
    pub fn take_next(&mut self, others_before: bool) -> Option<PpeOp> {
        if others_before {
            self.done.clear();
        }
        self.next.take()
    }

    /// Records the answer to a bus access.
    pub fn made(&mut self, op: PpeOp, answer: u64) {
        self.done.push((op, answer));
    }

    /// Ends the instruction, and drops its answers.
    pub fn end(&mut self) {
        self.done.clear();
    }

    /// Whether an instruction has received answers and must be replayed before anything else happens.
    pub fn is_replaying(&self) -> bool {
        !self.done.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(ea: u64) -> PpeOp {
        PpeOp::Load { ea, bytes: 4 }
    }

    #[test]
    fn an_instruction_with_two_accesses_is_executed_three_times() {
        let mut replay = Replay::default();
        replay.begin();
        assert_eq!(replay.answer(load(0)), None);
        assert_eq!(replay.take_next(true), Some(load(0)));
        replay.made(load(0), 7);
        replay.begin();
        assert_eq!((replay.answer(load(0)), replay.answer(load(4))), (Some(7), None));
        assert_eq!(replay.take_next(false), Some(load(4)));
        replay.made(load(4), 8);
        replay.begin();
        assert_eq!((replay.answer(load(0)), replay.answer(load(4))), (Some(7), Some(8)));
        replay.end();
        assert!(!replay.is_replaying());
    }

    #[test]
    fn a_loop_that_polls_gets_each_answer_once() {
        let mut replay = Replay::default();
        replay.begin();
        assert_eq!(replay.answer(load(0)), None);
        replay.take_next(true);
        replay.made(load(0), 7);
        replay.begin();
        assert_eq!(replay.answer(load(0)), Some(7));
        // A loop executes the same instruction again in the same turn.
        assert_eq!(replay.answer(load(0)), None);
        assert_eq!(replay.take_next(true), Some(load(0)));
        replay.made(load(0), 9);
        replay.begin();
        assert_eq!(replay.answer(load(0)), Some(9));
    }
}
