//! An SPU's decrementer.

/// Number of ticks after which the decrementer has the same value again.
const PERIOD_TICKS: u64 = 1 << 32;

/// A counter of 32 bits that counts down with the time base. Times are readings of the time base, in ticks.
#[derive(Clone, Debug, Default)]
pub struct Decrementer {
    /// The value that was written at `since_ticks`, or the value at which the decrementer stopped.
    value: u32,
    since_ticks: u64,
    /// When the decrementer turns negative next. `None` before the first write and while the decrementer is stopped.
    turns_negative_at: Option<u64>,
    stopped: bool,
}

impl Decrementer {
    /// Loads and starts the decrementer.
    pub fn write(&mut self, value: u32, ticks: u64) {
        let turns_negative_at = Some(ticks + u64::from(value) + 1);
        *self = Decrementer { value, since_ticks: ticks, turns_negative_at, stopped: false };
    }

    /// Stops the decrementer, which keeps its value until it is written.
    pub fn stop(&mut self, ticks: u64) {
        let value = self.read(ticks);
        *self = Decrementer { value, since_ticks: ticks, turns_negative_at: None, stopped: true };
    }

    /// The current value.
    pub fn read(&self, ticks: u64) -> u32 {
        if self.stopped { self.value } else { self.value.wrapping_sub(ticks.wrapping_sub(self.since_ticks) as u32) }
    }

    /// Whether the decrementer was written and has not been stopped since.
    pub fn is_running(&self) -> bool {
        self.turns_negative_at.is_some()
    }

    /// When the decrementer turns negative next. The change of sign raises the event, not the sign itself: a
    /// decrementer that is loaded with a negative value first has to count down to the positive values and then through
    /// all of them.
    ///
    /// MODEL: a decrementer that was never written raises no event. No document gives its value at reset.
    pub fn turns_negative_at(&self) -> Option<u64> {
        self.turns_negative_at
    }

    /// Whether the decrementer has turned negative since the last call.
    pub fn take_expiry(&mut self, ticks: u64) -> bool {
        let Some(at) = self.turns_negative_at.filter(|at| *at <= ticks) else { return false };
        self.turns_negative_at = Some(at + ((ticks - at) / PERIOD_TICKS + 1) * PERIOD_TICKS);
        true
    }
}
