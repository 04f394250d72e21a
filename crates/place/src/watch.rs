//! Asks the caller now and then whether to go on.

/// Steps of the inner loops between two questions: a millisecond or so.
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

    /// Counts steps about to be made; false, from then on, once the caller has said no.
    pub fn goes_on(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_add(steps);
        if !self.stopped && self.steps >= STEPS_BETWEEN_QUESTIONS {
            self.steps = 0;
            self.stopped = !(self.go_on)();
        }
        !self.stopped
    }
}
