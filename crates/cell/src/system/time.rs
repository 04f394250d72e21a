//! Time: what will happen, when each unit wakes, and what fast-forward has left out.

use super::event::{Event, Unit};
use super::requests::Requests;
use crate::calendar::Calendar;
use crate::machine::Machine;
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, SpeId, SpuCycles};

/// Index of the first arbiter among the deadlines, behind the PPE and three address concentrators; and of the
/// first SPU, behind two arbiters.
const FIRST_ARBITER: usize = 4;
const FIRST_SPU: usize = FIRST_ARBITER + 2;

/// The clock, and all that it has yet to bring.
pub(crate) struct Time {
    /// SPU cycles of a bus cycle.
    pub ratio: u64,
    /// The bus cycle, since the start, at which a run is given up.
    pub limit_bus_cycles: BusCycle,
    calendar: Calendar<Event>,
    /// By unit: the next bus cycle in which it has something to do.
    wakes: Vec<BusCycle>,
    /// Index of the first memory channel among the deadlines.
    first_mic: usize,
    /// Lookahead SPUs, as a mask, that have a turn at the end of this bus cycle.
    lookahead: u32,
    /// Bus cycles that fast-forward has left out.
    skipped: BusCycle,
    /// Whether nothing may be left out any more: something depends on absolute time, or a trace has begun.
    is_fixed: bool,
    bus_hz: u64,
    timebase_hz: u64,
}

impl Time {
    /// Bus cycle 0; all units sleep.
    pub fn new(machine: &Machine, spes: usize, mic_channels: usize) -> Time {
        let first_mic = FIRST_SPU + 2 * spes;
        Time {
            ratio: machine.chip.processor_cycles_per_bus_cycle,
            limit_bus_cycles: BusCycle::MAX,
            calendar: Calendar::new(),
            wakes: vec![NEVER; first_mic + mic_channels],
            first_mic,
            lookahead: 0,
            skipped: 0,
            is_fixed: false,
            bus_hz: machine.bus_hz(),
            timebase_hz: machine.chip.timebase_hz,
        }
    }

    /// Bus cycle of the calendar, without those left out.
    #[inline]
    pub fn now(&self) -> BusCycle {
        self.calendar.now()
    }

    /// As [`Time::now`], in SPU cycles.
    #[inline]
    pub fn now_in_spu_cycles(&self) -> SpuCycles {
        self.now() * self.ratio
    }

    /// Bus cycles since the start, those left out included.
    #[inline]
    pub fn bus_cycles(&self) -> BusCycle {
        self.now() + self.skipped
    }

    /// Bus cycles that may still pass before the limit.
    pub fn bus_cycles_left(&self) -> BusCycle {
        self.limit_bus_cycles.saturating_sub(self.bus_cycles())
    }

    /// Bus cycles that fast-forward has left out.
    #[inline]
    pub fn skipped(&self) -> BusCycle {
        self.skipped
    }

    /// Leaves bus cycles out.
    pub fn skip(&mut self, bus_cycles: BusCycle) {
        self.skipped += bus_cycles;
    }

    /// From now on nothing may be left out.
    pub fn fix(&mut self) {
        self.is_fixed = true;
    }

    /// Whether nothing may be left out any more.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// The reading of the time base at a bus cycle of the calendar.
    pub fn ticks_at(&self, bus_cycle: BusCycle) -> u64 {
        let cycles = u128::from(bus_cycle + self.skipped);
        (cycles * u128::from(self.timebase_hz) / u128::from(self.bus_hz)) as u64
    }

    /// The bus cycle of the calendar, not before now, in which the time base reaches `ticks`.
    pub fn bus_cycle_of(&self, ticks: u64) -> BusCycle {
        let cycles = (u128::from(ticks) * u128::from(self.bus_hz)).div_ceil(u128::from(self.timebase_hz));
        (cycles as u64).saturating_sub(self.skipped).max(self.now())
    }

    /// Adds an event at `at`, which must not lie in the past.
    #[inline(always)]
    pub fn push(&mut self, at: BusCycle, event: Event) {
        self.calendar.push(at, event);
    }

    /// Takes the next event, and moves on to it.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Event> {
        self.calendar.pop()
    }

    /// The bus cycle of the next event.
    pub fn next_at(&self) -> Option<BusCycle> {
        self.calendar.next_at()
    }

    /// Wakes a unit at `at`, unless it wakes earlier anyhow.
    #[inline(always)]
    pub fn wake(&mut self, unit: Unit, at: BusCycle) {
        let deadline = &mut self.wakes[index_of(unit, self.first_mic)];
        if at < *deadline {
            *deadline = at;
            self.push(at, Event::Wake(unit));
        }
    }

    /// When a unit wakes.
    pub fn wakes_at(&self, unit: Unit) -> BusCycle {
        self.wakes[index_of(unit, self.first_mic)]
    }

    /// Whether a unit's deadline is now, and not one that another has superseded; it has none from then on.
    #[inline(always)]
    pub fn take_wake(&mut self, unit: Unit) -> bool {
        let index = index_of(unit, self.first_mic);
        let is_due = self.wakes[index] == self.now();
        if is_due {
            self.wakes[index] = NEVER;
        }
        is_due
    }

    /// Gives a lookahead SPU its turn when all other events of this bus cycle are done.
    pub fn defer(&mut self, spe: SpeId) {
        self.lookahead |= 1 << spe.0;
        self.calendar.defer(Event::Lookahead);
    }

    /// The lookahead SPUs with a turn, in the order of their numbers: what they do must not depend on when it
    /// became known that they would do it.
    pub fn take_lookahead(&mut self) -> impl Iterator<Item = SpeId> + use<> {
        let mut spus = std::mem::take(&mut self.lookahead);
        std::iter::from_fn(move || {
            let next = (spus != 0).then(|| SpeId(spus.trailing_zeros() as u8));
            spus &= spus.wrapping_sub(1);
            next
        })
    }

    /// Adds all that will happen.
    pub fn capture(&self, requests: &Requests, out: &mut Snapshot) {
        let Time {
            calendar,
            wakes,
            lookahead,
            // Values of the machine.
            ratio: _,
            first_mic,
            bus_hz: _,
            timebase_hz: _,
            // Absolute time: nothing depends on it while periods are looked for.
            skipped: _,
            limit_bus_cycles: _,
            is_fixed: _,
        } = self;
        calendar.for_each(|distance, event| match event {
            Event::Wake(unit) => {
                let index = index_of(*unit, *first_mic);
                if wakes[index] == calendar.now() + distance {
                    event.capture(distance, index as u64, requests, out);
                }
            }
            _ => event.capture(distance, u64::from(*lookahead), requests, out),
        });
    }
}

/// Where a unit's deadline is.
#[inline(always)]
fn index_of(unit: Unit, first_mic: usize) -> usize {
    match unit {
        Unit::Ppe => 0,
        Unit::Commands(level) => 1 + usize::from(level),
        Unit::Arbiter(chip) => FIRST_ARBITER + usize::from(chip),
        Unit::Spu(spe) => FIRST_SPU + 2 * usize::from(spe.0),
        Unit::Dmac(spe) => FIRST_SPU + 1 + 2 * usize::from(spe.0),
        Unit::Mic(channel) => first_mic + usize::from(channel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time() -> Time {
        let machine = Machine::builtin("ps3").expect("a machine that comes with the simulator");
        Time::new(&machine, 8, 2)
    }

    #[test]
    fn a_unit_wakes_at_the_earliest_of_its_deadlines_and_not_at_the_others() {
        let (mut time, unit) = (time(), Unit::Mic(1));
        [20, 10, 30].into_iter().for_each(|at| time.wake(unit, at));
        let mut seen = Vec::new();
        while time.pop().is_some() {
            seen.push((time.now(), time.take_wake(unit)));
        }
        assert_eq!(seen, [(10, true), (20, false)]);
    }

    #[test]
    fn deadlines_of_different_units_do_not_touch() {
        let mut time = time();
        let ids = || (0..8).map(SpeId);
        let units: Vec<Unit> = [Unit::Ppe, Unit::Mic(0), Unit::Mic(1), Unit::Arbiter(0), Unit::Arbiter(1)]
            .into_iter()
            .chain((0..3).map(Unit::Commands))
            .chain(ids().map(Unit::Spu))
            .chain(ids().map(Unit::Dmac))
            .collect();
        (1..).zip(&units).for_each(|(at, unit)| time.wake(*unit, at));
        let woken: Vec<BusCycle> = units.iter().map(|unit| time.wakes_at(*unit)).collect();
        assert_eq!(woken, (1..=units.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn lookahead_spus_have_their_turns_by_number_when_all_else_is_done() {
        let mut time = time();
        time.push(5, Event::Wake(Unit::Ppe));
        time.push(5, Event::MsSyncDone(SpeId(0)));
        time.pop();
        [3, 0, 7].into_iter().for_each(|spe| time.defer(SpeId(spe)));
        assert_eq!([time.pop(), time.pop()], [Some(Event::MsSyncDone(SpeId(0))), Some(Event::Lookahead)]);
        assert_eq!(time.take_lookahead().collect::<Vec<_>>(), [SpeId(0), SpeId(3), SpeId(7)]);
        assert_eq!(time.take_lookahead().next(), None);
    }
}
