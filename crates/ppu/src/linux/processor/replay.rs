//! Accesses that travel over the bus, one after the other, for one instruction.
//!
//! An instruction that loads or stores in a window of an SPE ends its turn, the access is made, and the instruction is
//! executed again, from its beginning; it then finds what the bus has answered.  One that makes several such accesses
//! (a multiple, a vector) ends its turn for each, and each time finds those answers that are there already.

use cell::door::PpeOp;

/// The accesses of the instruction that is being executed.
#[derive(Default, Debug)]
pub struct Replay {
    done: Vec<(PpeOp, u64)>,
    /// How many of them the instruction has used in this execution.
    used: usize,
    /// The one that has to be made next.
    next: Option<PpeOp>,
}

impl Replay {
    /// The instruction begins, again or for the first time.
    pub fn begin(&mut self) {
        self.used = 0;
        self.next = None;
    }

    /// The answer to an access, if it was made; if not, it is the next one to be made.
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

    /// The access that has to be made.  If instructions were executed before the one that wants it, what was done is
    /// theirs.
    pub fn take_next(&mut self, others_before: bool) -> Option<PpeOp> {
        if others_before {
            self.done.clear();
        }
        self.next.take()
    }

    /// An access was made.
    pub fn made(&mut self, op: PpeOp, answer: u64) {
        self.done.push((op, answer));
    }

    /// Everything that was made was used: the instruction is done.
    pub fn end(&mut self) {
        self.done.clear();
    }

    /// Whether an instruction has to be executed again with its answers, before anything else happens.
    pub fn is_under_way(&self) -> bool {
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
        assert!(!replay.is_under_way());
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
        // The loop comes back to the same instruction in the same turn.
        assert_eq!(replay.answer(load(0)), None);
        assert_eq!(replay.take_next(true), Some(load(0)));
        replay.made(load(0), 9);
        replay.begin();
        assert_eq!(replay.answer(load(0)), Some(9));
    }
}
