//! Instruction fetch. Code lines are fetched through the single port of the local store. DMA has the highest priority
//! at the port, followed by loads and stores, and then by fetches.
//!
//! While a line executes, the SPU fetches the next line in the first cycle in which the port is free. Two lines are
//! buffered. A third buffer holds the target line of a hint. The time to fill that buffer is part of the hint's
//! latency. A program stalls if it enters a line before the line has arrived. For example, loads and stores in every
//! cycle starve the fetch.
//!
//! MODEL: the number of buffered lines, the replacement of the older line, and the limit of one line of prefetch are
//! assumptions. DMA occupies the port for one cycle for each line of data that it moves.
//!
//! Source: SDK 3.0 tutorial, Local Store, for priorities, transfer sizes and kinds of fetches.

/// The number of a buffered code line, and the earliest cycle in which its instructions can issue.
type Buffered = Option<(u32, u64)>;

/// The instruction line buffers and the pending fetch.
#[derive(Clone, Debug)]
pub struct Fetch {
    line_shift: u32,
    latency_spu_cycles: u64,
    /// The number of the line whose instructions are executing.
    current: u32,
    /// The lines that are buffered or in flight, the older line first.
    buffers: [Buffered; 2],
    /// The line to fetch next.
    wanted: Option<u32>,
    /// The first cycle in which the port is free for the fetch of the wanted line.
    slot: u64,
    /// The cycle of the latest reported DMA access to the port.
    line_at: u64,
}

/// The state of the buffers, the fetch and the port, relative to a cycle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative {
    current: u32,
    buffers: [Buffered; 2],
    /// The line to fetch next, and the first cycle in which the port is free for it. `Fetch::long_ago` is added to the
    /// cycle.
    wanted: Buffered,
    /// The number of cycles until DMA occupies the port.
    line_at: Option<u64>,
}

impl Fetch {
    /// The state before the first instruction, with empty buffers.
    pub fn new(line_bytes: u32, latency_spu_cycles: u64) -> Fetch {
        let line_shift = line_bytes.trailing_zeros();
        Fetch {
            line_shift,
            latency_spu_cycles,
            current: u32::MAX,
            buffers: [None; 2],
            wanted: None,
            slot: 0,
            line_at: u64::MAX,
        }
    }

    /// Marks the port as occupied by a load or store in cycle `now`.
    #[inline(always)]
    pub fn port_taken(&mut self, now: u64) {
        self.slot += u64::from(now == self.slot);
        self.skip_dma_cycle();
    }

    /// Marks the port as occupied by DMA in cycle `now`.
    pub fn line_at(&mut self, now: u64) {
        self.line_at = now;
        self.skip_dma_cycle();
    }

    /// Whether DMA occupies the port in cycle `now`.
    #[inline(always)]
    pub fn has_line_at(&self, now: u64) -> bool {
        self.line_at == now
    }

    #[inline(always)]
    fn skip_dma_cycle(&mut self) {
        self.slot += u64::from(self.slot == self.line_at);
    }

    /// Continues sequential execution at `address`, which may be in a new line, in cycle `now`. Returns the cycle in
    /// which the instruction at `address` can issue.
    #[inline]
    pub fn enter(&mut self, address: u32, now: u64) -> u64 {
        let line = address >> self.line_shift;
        if line == self.current {
            return now;
        }
        self.enter_next(line, now)
    }

    fn enter_next(&mut self, line: u32, now: u64) -> u64 {
        self.settle(now);
        if self.wanted == Some(line) {
            self.settle(u64::MAX);
        }
        let arrival = self.buffered(line).unwrap_or_else(|| self.fetch(line, now));
        let start = now.max(arrival);
        self.execute(line, start);
        start
    }

    /// Follows a correctly predicted branch that issued in cycle `now - 1`. The branch's target line is in the hint's
    /// buffer.
    pub fn enter_hinted(&mut self, address: u32, now: u64) {
        self.settle(now);
        self.execute(address >> self.line_shift, now);
    }

    /// Restarts at another address. The instruction at that address can issue in cycle `now`. Drops all buffered lines.
    pub fn restart(&mut self, address: u32, now: u64) {
        let line = address >> self.line_shift;
        // No load or store competes for the port, so the next line is read right after `line`.
        self.buffers = [Some((line, now)), Some((line.wrapping_add(1), now + 1))];
        self.execute(line, now);
    }

    /// Makes `line` the executing line, and requests the following line from cycle `now` on.
    fn execute(&mut self, line: u32, now: u64) {
        self.current = line;
        self.wanted = Some(line.wrapping_add(1)).filter(|next| self.buffered(*next).is_none());
        self.slot = now;
        self.skip_dma_cycle();
    }

    /// The state relative to `now`, the cycle in which execution continues.
    pub fn relative(&self, now: u64) -> Relative {
        Relative {
            current: self.current,
            buffers: self.buffers.map(|buffer| buffer.map(|(line, arrival)| (line, arrival.saturating_sub(now)))),
            wanted: self.wanted.map(|line| (line, (self.slot + self.long_ago()).saturating_sub(now))),
            line_at: self.line_at.checked_sub(now).filter(|_| self.line_at != u64::MAX),
        }
    }

    /// Restores a state in cycle `now`.
    pub fn resume(&mut self, state: &Relative, now: u64) {
        self.current = state.current;
        self.buffers = state.buffers.map(|buffer| buffer.map(|(line, left)| (line, now + left)));
        self.wanted = state.wanted.map(|(line, _)| line);
        self.slot = state.wanted.map_or(0, |(_, slot)| (now + slot).saturating_sub(self.long_ago()));
        self.line_at = state.line_at.map_or(u64::MAX, |left| now + left);
    }

    /// The number of cycles after which the time of a line's fetch no longer matters, because the line has arrived. The
    /// number is 1 even if the latency is 0.
    fn long_ago(&self) -> u64 {
        self.latency_spu_cycles + 1
    }

    fn buffered(&self, line: u32) -> Option<u64> {
        self.buffers.iter().flatten().find(|(number, _)| *number == line).map(|(_, arrival)| *arrival)
    }

    /// Puts the wanted line into a buffer if the line was fetched before cycle `now`.
    fn settle(&mut self, now: u64) {
        if self.slot < now
            && let Some(line) = self.wanted.take()
        {
            self.buffer(line, self.slot + self.latency_spu_cycles);
        }
    }

    fn fetch(&mut self, line: u32, now: u64) -> u64 {
        let arrival = now + self.latency_spu_cycles;
        self.buffer(line, arrival);
        arrival
    }

    fn buffer(&mut self, line: u32, arrival: u64) {
        self.buffers = [self.buffers[1], Some((line, arrival))];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of 128 bytes, and 8 cycles for each fetch.
    fn fetch() -> Fetch {
        let mut fetch = Fetch::new(128, 8);
        fetch.restart(0, 20);
        fetch
    }

    #[test]
    fn the_next_line_is_read_while_this_one_executes() {
        // The second line is fetched right after the first line, and arrives one cycle later.
        assert_eq!(fetch().enter(128, 21), 21);
        assert_eq!(fetch().enter(128, 20), 21);
        let mut fetch = fetch();
        fetch.enter(128, 36);
        // The third line is requested in cycle 36 and arrives in cycle 44.
        assert_eq!(fetch.clone().enter(256, 43), 44);
        assert_eq!(fetch.enter(256, 44), 44);
    }

    #[test]
    fn loads_and_stores_use_the_port_first() {
        let mut fetch = fetch();
        fetch.enter(128, 36);
        for now in 36..68 {
            fetch.port_taken(now);
        }
        // The port is not free before cycle 68. The line arrives 8 cycles later.
        assert_eq!(fetch.clone().enter(256, 68), 76);
        // A single free cycle (cycle 50) is enough for the fetch.
        let mut relieved = self::fetch();
        relieved.enter(128, 36);
        for now in (36..68).filter(|now| *now != 50) {
            relieved.port_taken(now);
        }
        assert_eq!(relieved.enter(256, 68), 68);
    }

    #[test]
    fn dma_uses_the_port_before_all_others() {
        let mut fetch = fetch();
        fetch.enter(128, 36);
        fetch.line_at(36);
        // The line is fetched in cycle 37 instead of 36.
        assert_eq!(fetch.clone().enter(256, 44), 45);
        // Reporting the same DMA cycle twice changes nothing.
        fetch.line_at(36);
        assert_eq!(fetch.enter(256, 44), 45);
    }

    #[test]
    fn a_loop_over_two_lines_stays_in_the_buffers() {
        let mut fetch = fetch();
        let mut now = 40;
        for _ in 0..3 {
            assert_eq!(fetch.enter(128, now), now);
            fetch.enter_hinted(120, now + 2);
            now += 4;
        }
    }

    #[test]
    fn a_state_goes_on_at_another_time() {
        // Execution is at the end of the second line. The third line, fetched in cycle 36, arrives in cycle 44.
        let mut fetch = fetch();
        fetch.enter(128, 36);
        fetch.enter_hinted(250, 38);
        let mut later = self::fetch();
        later.resume(&fetch.relative(39), 139);
        assert_eq!((fetch.enter(256, 40), later.enter(256, 140)), (44, 144));
        assert_eq!(fetch.relative(44), later.relative(144));
        // After the line has arrived, the cycle in which it was fetched no longer matters.
        assert_eq!(fetch.relative(60), fetch.relative(61));
        assert_ne!(fetch.relative(51), fetch.relative(60));
    }
}
