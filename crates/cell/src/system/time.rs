//! Time: scheduled events, scheduled wakes of units, and the number of bus cycles that fast-forward has skipped.

use super::event::Event;
use super::requests::Requests;
use super::stage::{Due, LANES, Unit};
use crate::bits::bits;
use crate::calendar::{Calendar, Stage};
use crate::machine::Machine;
use crate::request::RequestId;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, CHIPS_MAX, SpeId, SpuCycles, THREADS_PER_PPE};

/// The caller's check of a run comes after this many bus cycles in which something was due.
pub(crate) const CYCLES_BETWEEN_CHECKS: u32 = 1 << 16;

/// The clock and the calendar.
pub(crate) struct Time {
    /// SPU cycles per bus cycle.
    pub ratio: u64,
    /// The maximum length of a run in bus cycles. A longer run fails.
    pub limit_bus_cycles: BusCycle,
    /// Number of bus cycles in which something was due since the caller's last check of the run.
    pub unchecked: u32,
    /// Before this bus cycle of the calendar, units may advance the clock through idle bus cycles.
    pub idle_until: BusCycle,
    calendar: Calendar<Event, LANES>,
    /// Mask of the lookahead SPUs that have a turn at the end of this bus cycle.
    lookahead: u32,
    /// Bus cycles that fast-forward has skipped.
    skipped: BusCycle,
    /// Whether fast-forward has ended: the machine depends on absolute time, or a trace has begun.
    is_fixed: bool,
    /// Mask of the PPE threads that sleep until an interrupt.
    listening: u32,
    /// Mask of the PPE threads with a pending interrupt.
    interrupts: u32,
    bus_hz: u64,
    timebase_hz: u64,
}

impl Time {
    /// The start of a run, at bus cycle 0 with all units asleep.
    pub fn new(machine: &Machine) -> Time {
        Time {
            ratio: machine.chip.processor_cycles_per_bus_cycle,
            limit_bus_cycles: BusCycle::MAX,
            unchecked: 0,
            idle_until: 0,
            calendar: Calendar::new(),
            lookahead: 0,
            skipped: 0,
            is_fixed: false,
            listening: 0,
            interrupts: 0,
            bus_hz: machine.bus_hz(),
            timebase_hz: machine.chip.timebase_hz,
        }
    }

    /// The current bus cycle of the calendar, not counting skipped bus cycles.
    #[inline]
    pub fn now(&self) -> BusCycle {
        self.calendar.now()
    }

    /// The calendar's time [`Time::now`] in SPU cycles.
    #[inline]
    pub fn now_in_spu_cycles(&self) -> SpuCycles {
        self.now() * self.ratio
    }

    /// Bus cycles since the start, including skipped bus cycles.
    #[inline]
    pub fn bus_cycles(&self) -> BusCycle {
        self.now() + self.skipped
    }

    /// Number of bus cycles left before the limit.
    pub fn bus_cycles_left(&self) -> BusCycle {
        self.limit_bus_cycles.saturating_sub(self.bus_cycles())
    }

    /// Bus cycles that fast-forward has skipped.
    #[inline]
    pub fn skipped(&self) -> BusCycle {
        self.skipped
    }

    /// Skips bus cycles.
    pub fn skip(&mut self, bus_cycles: BusCycle) {
        self.skipped += bus_cycles;
    }

    /// Ends fast-forward: from now on every bus cycle is simulated.
    pub fn fix(&mut self) {
        self.is_fixed = true;
    }

    /// Whether fast-forward has ended.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// The reading of the time base at a bus cycle of the calendar.
    pub fn ticks_at(&self, bus_cycle: BusCycle) -> u64 {
        let cycles = u128::from(bus_cycle + self.skipped);
        (cycles * u128::from(self.timebase_hz) / u128::from(self.bus_hz)) as u64
    }

    /// The reading of the time base at an SPU cycle of the calendar.
    pub fn ticks_at_spu_cycle(&self, at: SpuCycles) -> u64 {
        self.ticks_at(at / self.ratio)
    }

    /// The first bus cycle of the calendar, not before now, in which the time base is at least `ticks`.
    pub fn bus_cycle_of(&self, ticks: u64) -> BusCycle {
        let cycles = (u128::from(ticks) * u128::from(self.bus_hz)).div_ceil(u128::from(self.timebase_hz));
        (cycles as u64).saturating_sub(self.skipped).max(self.now())
    }

    /// Adds an event at `at`, which must not be in the past.
    #[inline(always)]
    pub fn push(&mut self, at: BusCycle, event: Event) {
        self.calendar.push(at, event.stage(), event);
    }

    /// Advances to the next bus cycle in which something is due. Returns false if the calendar is empty.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        self.calendar.advance()
    }

    /// Advances to `at` if nothing is due before or at `at`, so that a unit that waits for `at` can go on with its turn.
    /// Otherwise returns false, and the unit must sleep.
    #[inline(never)]
    pub fn advance_idle(&mut self, at: BusCycle) -> bool {
        let may = at < self.idle_until && self.unchecked < CYCLES_BETWEEN_CHECKS;
        let advances = may && at + self.skipped <= self.limit_bus_cycles && self.calendar.advance_idle(at);
        self.unchecked += u32::from(advances);
        advances
    }

    /// Takes the next event or wake of this bus cycle.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Due> {
        let stage = self.calendar.stage()?;
        if stage < LANES as Stage {
            return self.calendar.pop(stage).map(Due::Event);
        }
        self.calendar.take_wake(stage);
        Some(Due::Wake(Unit::of_stage(stage)))
    }

    /// The bus cycle of the next event or wake.
    pub fn next_at(&self) -> Option<BusCycle> {
        self.calendar.next_at()
    }

    /// The requests whose data have been granted a ring, with their arrival times.
    pub fn arrivals(&self) -> Vec<(RequestId, BusCycle)> {
        let mut arrivals = Vec::new();
        self.calendar.for_each(|distance, _, event| {
            if let Some(Event::Deliver(id) | Event::AtLink(id)) = event {
                arrivals.push((*id, self.now() + distance));
            }
        });
        arrivals
    }

    /// Wakes a unit at `at`, unless the unit already wakes earlier.
    #[inline(always)]
    pub fn wake(&mut self, unit: Unit, at: BusCycle) {
        self.calendar.wake(at, unit.stage());
    }

    /// The bus cycle in which a unit wakes.
    pub fn wakes_at(&self, unit: Unit) -> BusCycle {
        self.calendar.wakes_at(unit.stage())
    }

    /// Schedules the turn of a lookahead SPU after all other events and units of this bus cycle.
    pub fn defer(&mut self, spe: SpeId) {
        self.lookahead |= 1 << spe.0;
        self.wake(Unit::LookaheadSpus, self.now());
    }

    /// Takes the lookahead SPUs that are due for a turn, in the order of their numbers.
    pub fn take_lookahead(&mut self) -> impl Iterator<Item = SpeId> + use<> {
        bits(std::mem::take(&mut self.lookahead)).map(SpeId)
    }

    /// Interrupts the thread with this number among the threads of all PPEs. If the thread is awake, the interrupt
    /// stays pending.
    pub fn interrupt(&mut self, thread: usize) {
        self.interrupts |= 1 << thread;
        if self.listening >> thread & 1 == 1 {
            self.wake(Unit::ppe_of(thread), self.now());
        }
    }

    /// Interrupts all threads of all PPEs.
    pub fn interrupt_all(&mut self) {
        (0..CHIPS_MAX * THREADS_PER_PPE).for_each(|thread| self.interrupt(thread));
    }

    /// Takes a PPE thread's pending interrupt. Returns false if there is none.
    pub fn take_interrupt(&mut self, thread: usize) -> bool {
        let pending = self.interrupts >> thread & 1 == 1;
        self.interrupts &= !(1 << thread);
        pending
    }

    /// Puts a PPE thread to sleep until an interrupt. If an interrupt is already pending, takes it and returns false.
    pub fn listen(&mut self, thread: usize) -> bool {
        let pending = self.take_interrupt(thread);
        self.listening = self.listening & !(1 << thread) | u32::from(!pending) << thread;
        !pending
    }

    /// A PPE thread has woken up.
    pub fn awake(&mut self, thread: usize) {
        self.listening &= !(1 << thread);
    }

    /// Adds all scheduled events and wakes to a snapshot.
    pub fn capture(&self, requests: &Requests, out: &mut Snapshot) {
        let Time {
            calendar,
            lookahead,
            listening,
            interrupts,
            // Values of the machine.
            ratio: _,
            bus_hz: _,
            timebase_hz: _,
            // Absolute times, which do not affect the machine while fast-forward searches for a period.
            skipped: _,
            limit_bus_cycles: _,
            is_fixed: _,
            // Only decide when the run is checked.
            unchecked: _,
            idle_until: _,
        } = self;
        out.word(u64::from(*lookahead));
        out.word(u64::from(*listening) << 32 | u64::from(*interrupts));
        calendar.for_each(|distance, stage, event| {
            out.word(distance << 8 | u64::from(stage));
            if let Some(event) = event {
                event.capture(requests, out);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::event::Outcome;

    fn time() -> Time {
        Time::new(&Machine::builtin("ps3").expect("a machine that comes with the simulator"))
    }

    /// All events and wakes, with their bus cycles.
    fn all(time: &mut Time) -> Vec<(BusCycle, Due)> {
        let mut seen = Vec::new();
        while time.advance() {
            while let Some(due) = time.take() {
                seen.push((time.now(), due));
            }
        }
        seen
    }

    #[test]
    fn a_unit_wakes_at_the_earliest_of_its_deadlines_and_not_at_the_others() {
        let (mut time, unit) = (time(), Unit::Mic(1));
        [20, 1000, 10, 30].into_iter().for_each(|at| time.wake(unit, at));
        assert_eq!(all(&mut time), [(10, Due::Wake(unit))]);
    }

    #[test]
    fn a_bus_cycle_goes_by_stages_and_not_by_what_was_known_first() {
        let mut time = time();
        let units = [
            Unit::Commands(0),
            Unit::Commands(2),
            Unit::Mic(0),
            Unit::Mic(7),
            Unit::Arbiter(0),
            Unit::Arbiter(1),
            Unit::Dmac(SpeId(0)),
            Unit::Dmac(SpeId(31)),
            Unit::Ppe(0),
            Unit::Spu(SpeId(0)),
            Unit::Spu(SpeId(31)),
        ];
        let events = [
            Event::Deliver(RequestId(3)),
            Event::AtLink(RequestId(1)),
            Event::MsSyncDone(SpeId(2)),
            Event::Response(RequestId(2), Outcome::Done),
            Event::Send(RequestId(5)),
        ];
        units.iter().rev().for_each(|unit| time.wake(*unit, 5));
        [4, 3, 2, 0, 1].into_iter().for_each(|nth| time.push(5, events[nth]));
        let expected: Vec<_> = events.map(Due::Event).into_iter().chain(units.map(Due::Wake)).collect();
        assert_eq!(all(&mut time), expected.into_iter().map(|due| (5, due)).collect::<Vec<_>>());
    }

    #[test]
    fn what_becomes_due_in_a_stage_that_is_over_comes_before_all_else() {
        let mut time = time();
        time.wake(Unit::Dmac(SpeId(1)), 5);
        time.wake(Unit::Ppe(0), 5);
        assert!(time.advance());
        assert_eq!(time.take(), Some(Due::Wake(Unit::Dmac(SpeId(1)))));
        time.wake(Unit::Spu(SpeId(0)), 5);
        time.push(5, Event::MsSyncDone(SpeId(0)));
        assert_eq!(time.next_at(), Some(5));
        let rest: Vec<Due> = std::iter::from_fn(|| time.take()).collect();
        let expected =
            [Due::Event(Event::MsSyncDone(SpeId(0))), Due::Wake(Unit::Ppe(0)), Due::Wake(Unit::Spu(SpeId(0)))];
        assert_eq!(rest, expected);
    }

    #[test]
    fn lookahead_spus_have_their_turns_by_number_when_all_else_is_done() {
        let mut time = time();
        time.wake(Unit::Ppe(0), 5);
        time.wake(Unit::Spu(SpeId(9)), 5);
        assert!(time.advance());
        [3, 0, 7].into_iter().for_each(|spe| time.defer(SpeId(spe)));
        assert_eq!(time.take(), Some(Due::Wake(Unit::Ppe(0))));
        assert_eq!(time.take(), Some(Due::Wake(Unit::Spu(SpeId(9)))));
        assert_eq!(time.take(), Some(Due::Wake(Unit::LookaheadSpus)));
        assert_eq!(time.take_lookahead().collect::<Vec<_>>(), [SpeId(0), SpeId(3), SpeId(7)]);
        assert_eq!((time.take(), time.take_lookahead().next()), (None, None));
    }
}
