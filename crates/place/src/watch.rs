//! Asks the caller at intervals whether to go on.

/// Number of inner-loop steps, about a millisecond of work, between two questions to the caller.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 20;

/// Counts steps, and asks the caller at intervals whether to go on.
pub(crate) struct Watch<'a> {
    steps: u64,
    go_on: &'a mut dyn FnMut() -> bool,
    stopped: bool,
}

impl<'a> Watch<'a> {
    pub fn new(go_on: &'a mut dyn FnMut() -> bool) -> Watch<'a> {
        Watch { steps: 0, go_on, stopped: false }
    }

    /// Counts `steps` that the search is about to make. Returns false after the caller's function has
    /// returned false.
    pub fn goes_on(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_add(steps);
        if !self.stopped && self.steps >= STEPS_BETWEEN_QUESTIONS {
            self.steps = 0;
            self.stopped = !(self.go_on)();
        }
        !self.stopped
    }
}
