//! Numbers and times of rows.

use super::{AccessRow, CommandRow, ProgramRow, RequestRow, StallRow, Trace};
use crate::units::BusCycle;

/// A row with times in it.
pub(super) trait Times {
    /// Visits all that are known.
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle));
}

impl Times for ProgramRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        visit(&mut self.started_at);
        self.stopped_at.iter_mut().for_each(visit);
    }
}

impl Times for CommandRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        visit(&mut self.enqueued_at);
        let known = [&mut self.list_fetch_at, &mut self.first_request_at, &mut self.done_at];
        known.into_iter().flatten().for_each(visit);
    }
}

impl Times for RequestRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        for round in &mut self.rounds {
            visit(&mut round.issued_at);
            [&mut round.ordered_at, &mut round.responded_at].into_iter().flatten().for_each(&mut *visit);
        }
        let data = [&mut self.ready_at, &mut self.granted_at, &mut self.arrived_at, &mut self.done_at];
        data.into_iter().flatten().for_each(visit);
    }
}

impl Times for StallRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        visit(&mut self.from);
        self.to.iter_mut().for_each(visit);
    }
}

impl Times for AccessRow {
    fn for_each_time(&mut self, visit: &mut dyn FnMut(&mut BusCycle)) {
        visit(&mut self.from);
        visit(&mut self.to);
        self.data_at.iter_mut().for_each(visit);
    }
}

impl Trace {
    /// Numbers commands and requests from 1 on, so that they do not depend on what was before the window.
    pub(super) fn number_anew(&mut self) {
        let place = |ids: &[u32], id: u32| ids.binary_search(&id).ok().map(|place| place as u32 + 1);
        let commands: Vec<u32> = self.commands.iter().map(|row| row.id).collect();
        let requests: Vec<u32> = self.requests.iter().map(|row| row.id).collect();
        for (row, id) in self.commands.iter_mut().zip(1..) {
            row.id = id;
        }
        for (row, id) in self.requests.iter_mut().zip(1..) {
            row.id = id;
            row.command = row.command.and_then(|command| place(&commands, command));
            row.onward_of = row.onward_of.and_then(|request| place(&requests, request));
        }
        for row in &mut self.accesses {
            row.request = row.request.and_then(|request| place(&requests, request));
        }
    }

    /// Moves all times on by what fast-forward left out.
    pub(super) fn move_on(&mut self, by: BusCycle) {
        let mut visit = |at: &mut BusCycle| *at = at.wrapping_add(by);
        [&mut self.triggered_at, &mut self.from, &mut self.to].into_iter().for_each(&mut visit);
        self.programs.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        self.commands.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        self.requests.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        self.stalls.iter_mut().for_each(|row| row.for_each_time(&mut visit));
        self.accesses.iter_mut().for_each(|row| row.for_each_time(&mut visit));
    }
}
