//! The data prefetch engine, which detects load misses of the L1 on consecutive lines and makes the L2 fetch the next
//! lines.
//!
//! MODEL: two misses on neighbouring lines start a stream, which then stays `prefetch_lines` ahead of its thread. The
//! stream ends when a new stream needs the slot. Streams only advance towards higher addresses. A program may also start
//! streams of a given length, and stop them, by numbers of each thread.

use crate::snapshot::Snapshot;

/// A stream of consecutive lines.
#[derive(Clone, Copy, Debug)]
struct Stream {
    /// The line on which the stream expects the next miss.
    expected: u64,
    /// The next line to fetch (`next`), and the line before which to stop (`end`).
    next: u64,
    end: u64,
    /// The line before which the stream ends.
    until: u64,
    /// The program's name of the stream, if a program started the stream.
    name: Option<u8>,
}

/// The prefetch engine.
#[derive(Clone, Debug)]
pub struct Streams {
    /// Least recently used first.
    streams: Vec<Stream>,
    /// Misses that belong to no stream, oldest first.
    misses: Vec<u64>,
    streams_max: usize,
    ahead: u64,
    /// Number of lines of main memory.
    lines: u64,
}

impl Streams {
    /// Creates an engine with at most `streams_max` streams, each of which stays `ahead` lines ahead of its thread.
    pub fn new(streams_max: u32, ahead: u32, lines: u64) -> Streams {
        let streams_max = streams_max as usize;
        Streams { streams: Vec::new(), misses: Vec::new(), streams_max, ahead: u64::from(ahead), lines }
    }

    /// Records a load that missed the L1.
    pub fn missed(&mut self, line: u64) {
        if let Some(index) = self.streams.iter().position(|stream| stream.expected == line) {
            let mut stream = self.streams.remove(index);
            stream.expected = line + 1;
            stream.next = stream.next.max(line + 1);
            stream.end = (line + 1 + self.ahead).min(stream.until);
            return self.streams.push(stream);
        }
        if let Some(index) = self.misses.iter().position(|miss| miss + 1 == line) {
            self.misses.remove(index);
            self.begin(line + 1, self.lines, None);
        } else if !self.misses.contains(&line) {
            push_within(&mut self.misses, line, self.streams_max);
        }
    }

    /// Starts a stream of a program, in place of a stream with the same name.
    pub fn start(&mut self, name: u8, line: u64, lines: u64) {
        self.stop(|other| other == name);
        self.begin(line, line.saturating_add(lines).min(self.lines), Some(name));
    }

    /// Ends streams that programs have started.
    pub fn stop(&mut self, ends: impl Fn(u8) -> bool) {
        self.streams.retain(|stream| !stream.name.is_some_and(&ends));
    }

    fn begin(&mut self, line: u64, until: u64, name: Option<u8>) {
        let stream = Stream { expected: line, next: line, end: (line + self.ahead).min(until), until, name };
        push_within(&mut self.streams, stream, self.streams_max);
    }

    /// Returns the next line to fetch for the stream that is least far ahead of its thread, or `None` if every stream
    /// is far enough ahead. `there` returns whether a line is already present or being fetched.
    pub fn next(&mut self, there: impl Fn(u64) -> bool) -> Option<u64> {
        for stream in &mut self.streams {
            while stream.next < stream.end && there(stream.next) {
                stream.next += 1;
            }
        }
        let wanting = self.streams.iter().filter(|stream| stream.next < stream.end);
        wanting.min_by_key(|stream| stream.next - stream.expected.min(stream.next)).map(|stream| stream.next)
    }

    /// Adds the engine's state to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        // Constants of the machine: `streams_max`, `ahead` and `lines`.
        let Streams { streams, misses, streams_max: _, ahead: _, lines: _ } = self;
        out.word((streams.len() as u64) << 32 | misses.len() as u64);
        for Stream { expected, next, end, until, name } in streams {
            let name = name.map_or(0, |name| u64::from(name) + 1);
            [*expected, *next, *end, *until, name].into_iter().for_each(|word| out.word(word));
        }
        misses.iter().for_each(|line| out.word(*line));
    }
}

/// Adds an item to a list, and drops the oldest item if the list is full.
fn push_within<T>(items: &mut Vec<T>, item: T, capacity: usize) {
    if items.len() == capacity && capacity > 0 {
        items.remove(0);
    }
    if items.len() < capacity {
        items.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_neighbouring_misses_start_a_stream_that_stays_ahead() {
        let mut streams = Streams::new(2, 3, 1000);
        streams.missed(10);
        assert_eq!(streams.next(|_| false), None, "one miss is no stream");
        streams.missed(11);
        assert_eq!(streams.next(|_| false), Some(12));
        assert_eq!(streams.next(|line| line < 14), Some(14));
        assert_eq!(streams.next(|line| line < 15), None, "three lines ahead");
        streams.missed(12);
        assert_eq!(streams.next(|_| false), Some(15));
    }

    #[test]
    fn an_additional_stream_replaces_the_oldest() {
        let mut streams = Streams::new(2, 1, 1000);
        for first in [100, 200, 300] {
            streams.missed(first);
            streams.missed(first + 1);
        }
        assert_eq!(streams.next(|_| false), Some(202));
        streams.missed(102);
        assert_eq!(streams.next(|line| line >= 200), None, "its next miss belongs to no stream");
    }

    #[test]
    fn a_program_starts_a_stream_of_its_length_and_stops_it() {
        let mut streams = Streams::new(2, 3, 1000);
        streams.start(5, 10, 4);
        assert_eq!(streams.next(|_| false), Some(10));
        assert_eq!(streams.next(|line| line < 13), None, "three lines ahead");
        streams.missed(10);
        assert_eq!(streams.next(|line| line < 13), Some(13));
        assert_eq!(streams.next(|line| line < 14), None, "four lines");
        streams.start(6, 20, 4);
        streams.stop(|name| name == 5);
        assert_eq!(streams.next(|_| false), Some(20));
        streams.stop(|_| true);
        assert_eq!(streams.next(|_| false), None);
    }

    #[test]
    fn a_stream_ends_with_the_memory() {
        let mut streams = Streams::new(1, 8, 14);
        streams.missed(11);
        streams.missed(12);
        assert_eq!(streams.next(|line| line < 13), Some(13));
        assert_eq!(streams.next(|line| line < 14), None);
    }
}
