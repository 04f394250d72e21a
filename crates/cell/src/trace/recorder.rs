//! The recorder turns the events of a running machine into rows.
//!
//! A row is kept while it is live. An ended row is kept only if it overlaps the window.

use super::labels::{issuer_of, kind_of, ppe_name, target_of};
use super::memory_queues::MemoryQueues;
use super::positions::Positions;
use super::rows::Rows;
use super::tables::{AccessRow, CallRow, CommandRow, ProgramRow, RequestRow, Round, StallRow, WaitRow};
use super::window::{TRACE_ROWS_MAX, Trigger, Window};
use crate::channel::Channel;
use crate::command::Command;
use crate::eib::{Grant, HeadWait};
use crate::request::{Issuer, Request, RequestId};
use crate::units::{BusCycle, EntryId, NEVER, RampIndex, SpeId, SpuCycles, THREADS_PER_PPE};

/// The position of a command: a queue entry, or the atomic unit for a command that enters no queue.
type Position = (SpeId, Option<EntryId>);

/// The rows of a trace while the machine runs.
pub(crate) struct Recorder {
    pub(super) window: Window,
    pub(super) triggered_at: Option<BusCycle>,
    pub(super) from: BusCycle,
    pub(super) to: BusCycle,
    /// The number most recently assigned to a command or a request.
    pub(super) rows: u32,
    pub(super) programs: Rows<SpeId, ProgramRow>,
    pub(super) commands: Rows<Position, CommandRow>,
    pub(super) requests: Rows<RequestId, RequestRow>,
    /// Requests whose data have crossed to another chip.
    pub(super) onward: Rows<RequestId, RequestRow>,
    pub(super) stalls: Rows<SpeId, StallRow>,
    /// The system call of each hardware thread, by the thread's number among those of all PPEs.
    pub(super) calls: Rows<usize, CallRow>,
    pub(super) accesses: Vec<AccessRow>,
    pub(super) memory_queues: MemoryQueues,
    /// For each on-ramp, the waits of the line at the head of its queue.
    pub(super) waits: Rows<RampIndex, WaitRow>,
    /// The queue entry of the lock-line command in each SPE's atomic unit, if the command came from a queue.
    pub(super) lock_lines: Vec<Option<EntryId>>,
    /// The SPU cycle in which each SPU began to write the parameters of its next command.
    pub(super) begun: Vec<Option<SpuCycles>>,
    /// Ended commands whose status the SPU has not read yet, as indices of ended rows.
    pub(super) unread: Vec<usize>,
    pub(super) spu_cycles_per_bus_cycle: u64,
    /// The positions of programs of instructions.
    pub positions: Positions,
}

impl Recorder {
    /// A recorder without rows.
    pub fn new(window: Window, spes: usize, memory_channels: usize, spu_cycles_per_bus_cycle: u64) -> Recorder {
        Recorder {
            window,
            triggered_at: None,
            from: NEVER,
            to: NEVER,
            rows: 0,
            programs: Rows::new(),
            commands: Rows::new(),
            requests: Rows::new(),
            onward: Rows::new(),
            stalls: Rows::new(),
            calls: Rows::new(),
            accesses: Vec::new(),
            memory_queues: MemoryQueues::new(memory_channels),
            waits: Rows::new(),
            lock_lines: vec![None; spes],
            begun: vec![None; spes],
            unread: Vec::new(),
            spu_cycles_per_bus_cycle,
            positions: Positions::new(spes, spu_cycles_per_bus_cycle),
        }
    }

    /// Opens the window if it is still closed and `what` is its trigger. Returns whether this call opened the window.
    pub fn trigger(&mut self, what: Trigger, now: BusCycle) -> bool {
        let opens = self.triggered_at.is_none() && what == self.window.trigger;
        if opens {
            self.triggered_at = Some(now);
            self.from = now.saturating_add(self.window.skip_bus_cycles);
            self.to = self.from.saturating_add(self.window.bus_cycles);
            self.positions.opens(self.from, self.to);
        }
        opens
    }

    /// The end of the window; [`NEVER`] until the end is known.
    pub fn to(&self) -> BusCycle {
        self.to
    }

    /// Whether the window has more than [`TRACE_ROWS_MAX`] rows.
    pub fn is_full(&self) -> bool {
        let requests = self.requests.ended.len() + self.onward.ended.len();
        let others =
            self.commands.ended.len() + self.stalls.ended.len() + self.calls.ended.len() + self.waits.ended.len();
        requests + others + self.accesses.len() + self.memory_queues.kept() > TRACE_ROWS_MAX
    }

    /// Whether a row that ends at `end` overlaps the window.
    fn keeps(&self, end: BusCycle) -> bool {
        end > self.from
    }

    fn number(&mut self) -> u32 {
        self.rows += 1;
        self.rows
    }

    /// A program starts.
    pub fn started(&mut self, spe: SpeId, thread: u8, now: BusCycle) {
        self.programs.begin(spe, ProgramRow { spe: spe.0, thread, started_at: now, stopped_at: None });
    }

    /// A program stops.
    pub fn stopped(&mut self, spe: SpeId, now: BusCycle) {
        let keep = self.keeps(now);
        self.programs.end(&spe, keep, |row| row.stopped_at = Some(now));
        self.begun[usize::from(spe.0)] = None;
    }

    /// An SPU begins to wait for a channel.
    #[cold]
    pub fn stalled(&mut self, spe: SpeId, channel: Channel, now: BusCycle) {
        self.stalls.begin(spe, StallRow { spe: spe.0, channel: channel.to_string(), from: now, to: None });
    }

    /// The SPU's wait is over.
    #[cold]
    pub fn resumed(&mut self, spe: SpeId, now: BusCycle) {
        let keep = self.keeps(now);
        self.stalls.end(&spe, keep, |row| row.to = Some(now));
    }

    /// A PPE's program begins a system call. `number` is the hardware thread's number among those of all PPEs.
    pub fn called(&mut self, number: usize, name: &'static str, now: BusCycle) {
        let (ppe, thread) = (ppe_name((number / THREADS_PER_PPE) as u8), (number % THREADS_PER_PPE) as u8);
        self.calls.begin(number, CallRow { ppe, thread, name, from: now, to: None });
    }

    /// The system call returns.
    pub fn returned(&mut self, number: usize, now: BusCycle) {
        let keep = self.keeps(now);
        self.calls.end(&number, keep, |row| row.to = Some(now));
    }

    /// An SPU begins to write a parameter of its next command.
    pub fn parameter(&mut self, spe: SpeId, from: SpuCycles) {
        self.begun[usize::from(spe.0)].get_or_insert(from);
    }

    /// A command enters a queue of an MFC, or goes to the atomic unit directly. A list command will fetch its
    /// first element at `list_fetch_at`.
    #[cold]
    pub fn given(
        &mut self,
        spe: SpeId,
        entry: Option<EntryId>,
        command: &Command,
        list_fetch_at: Option<BusCycle>,
        now: BusCycle,
    ) {
        let by_spu = entry.is_none_or(|entry| !entry.proxy);
        let begun = if by_spu { self.begun[usize::from(spe.0)].take() } else { None };
        let row = CommandRow {
            id: self.number(),
            spe: spe.0,
            queue: entry.map_or("atomic", |entry| if entry.proxy { "proxy" } else { "spu" }),
            name: command.code().name(),
            lsa: command.lsa,
            ea: command.ea,
            size_bytes: command.size,
            tag: command.tag,
            issue_spu_cycles: begun.map(|begun| (now * self.spu_cycles_per_bus_cycle).wrapping_sub(begun)),
            enqueued_at: now,
            list_fetch_at,
            first_request_at: None,
            done_at: None,
            status_spu_cycles: None,
        };
        self.commands.begin((spe, entry), row);
    }

    /// The atomic unit begins the command of this queue entry, or a command from the channel.
    pub fn lock_line(&mut self, spe: SpeId, entry: Option<EntryId>) {
        self.lock_lines[usize::from(spe.0)] = entry;
    }

    /// A command has ended.
    #[cold]
    pub fn command_done(&mut self, spe: SpeId, entry: Option<EntryId>, now: BusCycle) {
        let (keep, ended) = (self.keeps(now), self.commands.ended.len());
        self.commands.end(&(spe, entry), keep, |row| row.done_at = Some(now));
        self.unread.extend(ended..self.commands.ended.len());
    }

    /// An SPU has read a status that reports these tag groups as complete.
    #[cold]
    pub fn status_read(&mut self, spe: SpeId, tags: u32, at: SpuCycles) {
        let (commands, per_bus_cycle) = (&mut self.commands.ended, self.spu_cycles_per_bus_cycle);
        self.unread.retain(|index| {
            let row = &mut commands[*index];
            let read = row.spe == spe.0 && row.queue == "spu" && tags >> (row.tag & 31) & 1 == 1;
            if read {
                row.status_spu_cycles = row.done_at.map(|done| at.saturating_sub(done * per_bus_cycle));
            }
            !read
        });
    }

    /// A unit makes a bus request.
    #[cold]
    pub fn requested(&mut self, id: RequestId, request: &Request, now: BusCycle) {
        let (unit, position) = match request.issuer {
            Issuer::Mfc(spe, entry) => ("MFC", Some((spe, Some(entry)))),
            Issuer::Atomic(spe) => ("atomic unit", Some((spe, self.lock_lines[usize::from(spe.0)]))),
            Issuer::Castout(_) => ("castout", None),
            Issuer::Ppe(_) => ("PPE", None),
            Issuer::Bif => ("BIF", None),
        };
        let command = position.and_then(|position| {
            let command = self.commands.find(&position)?;
            command.first_request_at.get_or_insert(now);
            Some(command.id)
        });
        let row = RequestRow {
            id: self.number(),
            issuer: issuer_of(request),
            unit,
            kind: kind_of(request.kind),
            target: target_of(request),
            bytes: request.bytes,
            command,
            rounds: Vec::new(),
            from: None,
            to: None,
            queued_at: None,
            crossing_at: None,
            crossed_at: None,
            ready_at: None,
            ring: None,
            granted_at: None,
            arrived_at: None,
            done_at: None,
            onward_of: None,
        };
        self.requests.begin(id, row);
    }

    /// The interface between the chips issues a second request, which forwards the data of a write.
    #[cold]
    pub fn forwarded(&mut self, written: RequestId, id: RequestId, request: &Request, now: BusCycle) {
        self.requested(id, request, now);
        let onward_of = self.requests.find(&written).map(|row| row.id);
        if let Some(row) = self.requests.find(&id) {
            row.onward_of = onward_of;
        }
    }

    /// A request's command is sent, either for the first time or after a Retry.
    #[cold]
    pub fn issued(&mut self, id: RequestId, request: &Request, now: BusCycle) {
        if self.requests.find(&id).is_none() {
            self.requested(id, request, now);
        }
        if let Some(row) = self.requests.find(&id) {
            row.rounds.push(Round { issued_at: now, ordered_at: None, responded_at: None, response: None });
        }
    }

    /// A request's command is ordered.
    #[cold]
    pub fn ordered(&mut self, id: RequestId, now: BusCycle) {
        if let Some(round) = self.round(id) {
            round.ordered_at = Some(now);
        }
    }

    /// The combined response of a request comes back.
    #[cold]
    pub fn responded(&mut self, id: RequestId, response: &'static str, now: BusCycle) {
        if let Some(round) = self.round(id) {
            round.responded_at = Some(now);
            round.response = Some(response);
        }
    }

    fn round(&mut self, id: RequestId) -> Option<&mut Round> {
        self.requests.find(&id)?.rounds.last_mut()
    }

    /// A request's data will be ready at an on-ramp.
    #[cold]
    pub fn ready(&mut self, id: RequestId, from: RampIndex, to: RampIndex, ready_at: BusCycle) {
        let Some(row) = self.requests.find(&id) else { return };
        if row.granted_at.is_none() {
            (row.from, row.to, row.ready_at) = (Some(from), Some(to), Some(ready_at));
            return;
        }
        // The line has crossed to the other chip, where its transfer has a separate row.
        let (from, to, ready_at) = (Some(from), Some(to), Some(ready_at));
        let rest = RequestRow {
            rounds: Vec::new(),
            queued_at: None,
            crossing_at: None,
            crossed_at: None,
            ring: None,
            granted_at: None,
            arrived_at: None,
            ..row.clone()
        };
        let onward_of = Some(row.id);
        let number = self.number();
        self.onward.begin(id, RequestRow { id: number, unit: "BIF", from, to, ready_at, onward_of, ..rest });
    }

    /// The arbiter grants a ring to a request's data.
    #[cold]
    pub fn granted(&mut self, grant: &Grant, now: BusCycle) {
        if let Some(row) = self.line(grant.request) {
            (row.ring, row.granted_at, row.arrived_at) = (Some(grant.ring), Some(now), Some(grant.arrives_at));
        }
    }

    /// The row of a request's transfer. For a line that has crossed to the other chip, returns the row of the transfer
    /// on that chip.
    fn line(&mut self, id: RequestId) -> Option<&mut RequestRow> {
        self.onward.find(&id).or(self.requests.find(&id))
    }

    /// Reports why the line at the head of an on-ramp's queue waits, and the request (if any) whose line goes first.
    /// `None` ends the wait.
    #[cold]
    pub fn waits(&mut self, ramp: RampIndex, wait: Option<(HeadWait, Option<RequestId>)>, now: BusCycle) {
        let row = wait.and_then(|(wait, by)| {
            let (request, reason) = (self.line(wait.request)?.id, wait.obstacle.name());
            let by = by.and_then(|by| self.line(by)).map(|row| row.id);
            Some(WaitRow { request, from: wait.from, to: None, reason, by })
        });
        let about = |row: &WaitRow| (row.request, row.reason, row.by);
        if self.waits.find(&ramp).map(|row| about(row)) == row.as_ref().map(about) {
            return;
        }
        let keep = self.keeps(now);
        self.waits.end(&ramp, keep, |row| row.to = Some(now.max(row.from)));
        if let Some(row) = row {
            self.waits.begin(ramp, row);
        }
    }

    /// A request enters a memory queue, or reserves an entry in one.
    #[cold]
    pub fn queued(&mut self, id: RequestId, now: BusCycle) {
        if let Some(row) = self.requests.find(&id) {
            row.queued_at = Some(now);
        }
    }

    /// A queue of a memory channel has a new length.
    #[cold]
    pub fn memory_queue(&mut self, channel: u8, write: bool, entries: u64, now: BusCycle) {
        let keep = self.keeps(now);
        self.memory_queues.change(channel, write, entries, now, keep);
    }

    /// A request's data cross to the other chip from `now` to `until`.
    #[cold]
    pub fn crosses(&mut self, id: RequestId, now: BusCycle, until: BusCycle) {
        if let Some(row) = self.requests.find(&id) {
            (row.crossing_at, row.crossed_at) = (Some(now), Some(until));
        }
    }

    /// A request is complete.
    #[cold]
    pub fn request_done(&mut self, id: RequestId, now: BusCycle) {
        let keep = self.keeps(now);
        self.requests.end(&id, keep, |row| row.done_at = Some(now));
        self.onward.end(&id, keep, |row| row.done_at = Some(now));
    }

    /// A memory channel begins an access, which occupies the channel until `until`.
    #[cold]
    pub fn accessed(&mut self, channel: u8, read: Option<(RequestId, BusCycle)>, now: BusCycle, until: BusCycle) {
        if !self.keeps(now) {
            // Only a channel's last access, or a read with data in flight, can still overlap the window.
            self.accesses.retain(|row| row.ends_at() > now);
        }
        let request = read.and_then(|(id, _)| self.requests.find(&id)).map(|row| row.id);
        let data_at = read.map(|(_, data_at)| data_at);
        self.accesses.push(AccessRow { channel, write: read.is_none(), from: now, to: until, data_at, request });
    }
}
