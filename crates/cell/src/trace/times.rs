//! Adjusts the times and the numbers in rows.

use super::tables::{
    AccessRow, CallRow, CommandRow, MemoryQueueRow, ProgramRow, RequestRow, Round, StallRow, Trace, WaitRow,
};
use crate::units::BusCycle;

/// A row that contains times.
pub(super) trait Times {
    /// Visits all known times.
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle));
}

impl Times for ProgramRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let ProgramRow { spe: _, thread: _, started_at, stopped_at } = self;
        visit(started_at);
        stopped_at.iter_mut().for_each(visit);
    }
}

impl Times for CommandRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let CommandRow {
            // No times.
            id: _,
            spe: _,
            queue: _,
            name: _,
            lsa: _,
            ea: _,
            size_bytes: _,
            tag: _,
            // Durations.
            issue_spu_cycles: _,
            status_spu_cycles: _,
            enqueued_at,
            list_fetch_at,
            first_request_at,
            done_at,
        } = self;
        visit(enqueued_at);
        [list_fetch_at, first_request_at, done_at].into_iter().flatten().for_each(visit);
    }
}

impl Times for RequestRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let RequestRow {
            // No times.
            id: _,
            issuer: _,
            unit: _,
            kind: _,
            target: _,
            bytes: _,
            command: _,
            from: _,
            to: _,
            ring: _,
            onward_of: _,
            rounds,
            queued_at,
            crossing_at,
            crossed_at,
            ready_at,
            granted_at,
            arrived_at,
            done_at,
        } = self;
        for Round { issued_at, ordered_at, responded_at, response: _ } in rounds {
            visit(issued_at);
            [ordered_at, responded_at].into_iter().flatten().for_each(&mut *visit);
        }
        let of_data = [queued_at, crossing_at, crossed_at, ready_at, granted_at, arrived_at, done_at];
        of_data.into_iter().flatten().for_each(visit);
    }
}

impl Times for StallRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let StallRow { spe: _, channel: _, from, to } = self;
        visit(from);
        to.iter_mut().for_each(visit);
    }
}

impl Times for CallRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let CallRow { ppe: _, thread: _, name: _, from, to } = self;
        visit(from);
        to.iter_mut().for_each(visit);
    }
}

impl Times for AccessRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let AccessRow { channel: _, write: _, from, to, data_at, request: _ } = self;
        visit(from);
        visit(to);
        data_at.iter_mut().for_each(visit);
    }
}

impl Times for MemoryQueueRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let MemoryQueueRow { channel: _, write: _, at, entries: _ } = self;
        visit(at);
    }
}

impl Times for WaitRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        let WaitRow { request: _, from, to, reason: _, by: _ } = self;
        visit(from);
        to.iter_mut().for_each(visit);
    }
}

impl Trace {
    /// Renumbers commands and requests, starting at 1, so that the numbers do not depend on activity before the window.
    pub(super) fn renumber(&mut self) {
        let number = |ids: &[u32], id: u32| ids.binary_search(&id).ok().map(|index| index as u32 + 1);
        let commands: Vec<u32> = self.commands.iter().map(|row| row.id).collect();
        let requests: Vec<u32> = self.requests.iter().map(|row| row.id).collect();
        for (row, id) in self.commands.iter_mut().zip(1..) {
            row.id = id;
        }
        for (row, id) in self.requests.iter_mut().zip(1..) {
            row.id = id;
            row.command = row.command.and_then(|command| number(&commands, command));
            row.onward_of = row.onward_of.and_then(|request| number(&requests, request));
        }
        for row in &mut self.accesses {
            row.request = row.request.and_then(|request| number(&requests, request));
        }
        for row in &mut self.waits {
            // If a line waits in the window, its request also has a row in the window.
            row.request = number(&requests, row.request).unwrap_or_default();
            row.by = row.by.and_then(|request| number(&requests, request));
        }
    }

    /// Moves all times forward by `by`, the number of bus cycles that fast-forward has skipped.
    pub(super) fn move_on(&mut self, by: BusCycle) {
        let Trace {
            // No times.
            schema: _,
            machine: _,
            machine_hash: _,
            bus_hz: _,
            beats: _,
            hop_bus_cycles: _,
            spu_cycles_per_bus_cycle: _,
            chips: _,
            memory_channels: _,
            elements: _,
            rings: _,
            triggered_at,
            from,
            to,
            programs,
            commands,
            requests,
            stalls,
            calls,
            accesses,
            memory_queues,
            waits,
            // Times since the start of the run already.
            positions: _,
            positions_to,
        } = self;
        let mut visit = |at: &mut BusCycle| *at = at.wrapping_add(by);
        [triggered_at, from, to].into_iter().chain(positions_to).for_each(&mut visit);
        programs.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        commands.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        requests.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        stalls.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        calls.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        accesses.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        memory_queues.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        waits.iter_mut().for_each(|row| row.for_each_time(&mut visit));
    }
}
