//! Asks the caller whether to go on, and not more often than it matters.

/// Steps of the inner loops, a millisecond or so, between two questions.
const STEPS_BETWEEN_QUESTIONS: u64 = 1 << 20;

/// Counts steps.
pub(crate) struct Watch<'a> {
    steps: u64,
    go_on: &'a mut dyn FnMut() -> bool,
    stopped: bool,
}

impl<'a> Watch<'a> {
    pub fn new(go_on: &'a mut dyn FnMut() -> bool) -> Watch<'a> {
        Watch { steps: 0, go_on, stopped: false }
    }

    /// So many steps are to come; false, from then on, once the caller does not want them.
    pub fn goes_on(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_add(steps);
        if !self.stopped && self.steps >= STEPS_BETWEEN_QUESTIONS {
            self.steps = 0;
            self.stopped = !(self.go_on)();
        }
        !self.stopped
    }
}
