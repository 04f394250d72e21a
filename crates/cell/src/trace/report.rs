//! Converts rows into the trace of each window.

use super::recorder::Recorder;
use super::rows::move_back;
use super::tables::Trace;
use crate::units::BusCycle;

impl Recorder {
    /// Returns the trace of the window, or `None` if the window has not begun. If the run ended at bus cycle `end`,
    /// the window ends at this cycle, too. The number of `skipped` bus cycles is added to all times.
    pub fn trace(&self, end: BusCycle, skipped: BusCycle) -> Option<Trace> {
        let triggered_at = self.triggered_at?;
        let (from, to) = (self.from, self.to.min(end));
        if from >= to {
            return None;
        }
        let mut trace = Trace {
            triggered_at,
            from,
            to,
            programs: self.programs.all(),
            commands: self.commands.all(),
            requests: self.requests.all().into_iter().chain(self.onward.all()).collect(),
            stalls: self.stalls.all(),
            calls: self.calls.all(),
            accesses: self.accesses.clone(),
            memory_queues: self.memory_queues.rows(from),
            waits: self.waits.all(),
            positions: self.positions.rows(),
            positions_to: self.positions.end(),
            ..Trace::default()
        };
        trace.commands.sort_by_key(|row| row.id);
        trace.requests.sort_by_key(|row| row.id);
        trace.renumber();
        trace.accesses.retain(|row| row.ends_at() > from);
        // Times can be compared only after `move_on`, because a time recorded before a skip may have wrapped below
        // zero.
        trace.move_on(skipped);
        let to = trace.to;
        trace.stalls.retain(|row| row.to != Some(row.from));
        // Drop lines whose wait begins after the window.
        trace.waits.retain(|row| row.to != Some(row.from) && row.from < to);
        trace.programs.sort_by_key(|row| (row.started_at, row.spe));
        trace.stalls.sort_by_key(|row| (row.from, row.spe));
        trace.calls.sort_by_key(|row| row.from);
        trace.waits.sort_by_key(|row| (row.from, row.request));
        Some(trace)
    }

    /// Starts another window at the end of the current one, and drops the rows that ended before the new window.
    pub fn next_window(&mut self, bus_cycles: BusCycle) {
        let from = self.to;
        (self.from, self.to) = (from, from.saturating_add(bus_cycles));
        self.positions.opens(self.from, self.to);
        let ends_later = |end: Option<BusCycle>| end.is_none_or(|end| end > from);
        self.programs.ended.retain(|row| ends_later(row.stopped_at));
        self.requests.ended.retain(|row| ends_later(row.done_at));
        self.onward.ended.retain(|row| ends_later(row.done_at));
        self.stalls.ended.retain(|row| ends_later(row.to));
        self.calls.ended.retain(|row| ends_later(row.to));
        self.waits.ended.retain(|row| ends_later(row.to));
        self.memory_queues.forget();
        // The remaining commands move to the front, so the indices in `unread` change.
        let stays: Vec<bool> = self.commands.ended.iter().map(|row| ends_later(row.done_at)).collect();
        self.unread.retain(|index| stays[*index]);
        for index in &mut self.unread {
            *index = stays[..*index].iter().filter(|stays| **stays).count();
        }
        let mut stays = stays.into_iter();
        self.commands.ended.retain(|_| stays.next() == Some(true));
        self.accesses.retain(|row| row.ends_at() > from);
    }

    /// Records that fast-forward has skipped `by` bus cycles: repetitions of the period that began at `since`. Rows
    /// that were live before `since` are still live, so their times move back by `by`. Commands have the same ages as
    /// one period ago; otherwise fast-forward would not skip.
    pub fn skipped(&mut self, since: BusCycle, by: BusCycle) {
        let Recorder {
            programs,
            requests,
            onward,
            stalls,
            calls,
            waits,
            begun,
            // Commands have the same ages as one period ago.
            commands: _,
            // Live accesses began within the period.
            accesses: _,
            unread: _,
            // No times.
            memory_queues: _,
            lock_lines: _,
            rows: _,
            // Their times include skipped bus cycles, and those before the window are dropped.
            positions: _,
            spu_cycles_per_bus_cycle,
            // There is no fast-forward once the window is known.
            window: _,
            triggered_at: _,
            from: _,
            to: _,
        } = self;
        programs.move_back(since, by);
        requests.move_back(since, by);
        onward.move_back(since, by);
        stalls.move_back(since, by);
        calls.move_back(since, by);
        waits.move_back(since, by);
        let (since, by) = (since * *spu_cycles_per_bus_cycle, by * *spu_cycles_per_bus_cycle);
        for begun in begun.iter_mut().flatten() {
            move_back(begun, since, by);
        }
    }
}
