//! Hints of a hardware thread: `dcbt` and `dcbtst`.
//!
//! Fields of streams: Power ISA 2.02, Book II, `dcbt`; their bits are counted from the left of 64.

use super::storage::LINE_SHIFT;
use super::view::View;
use cell::door::{PpeOp, Prefetch};
use ppu::memory::Stop;

/// Number of lines of a stream without a limit.
const UNLIMITED: u64 = u64::MAX;
/// Bit of an address or of a control word: bit 58, the stream has no limit.
const WITHOUT_LIMIT: u32 = 1 << 5;
/// Bit 32: the stream starts.
const GO: u32 = 1 << 31;
/// Bits 33 and 34: the stream, or all streams, stop.
const STOPS: u32 = 3 << 29;
/// All streams.
const ALL: u32 = STOPS;
/// Bits 47 to 56, the number of lines.
const LINES: u32 = 0x3ff;

fn number(word: u32) -> u8 {
    (word & 15) as u8
}

impl<const WIDE: bool> View<'_, WIDE> {
    /// Touches a line, unless it hits or its page is not in use.
    pub(super) fn touch_line(&mut self, ea: u32, store: bool) -> Result<(), Stop> {
        let Some(real) = self.machine.pages().frame(ea) else { return Ok(()) };
        let line = real >> LINE_SHIFT;
        let hits = if store { self.machine.store_hits(line) } else { self.machine.load_hits(line) };
        if hits { Ok(()) } else { self.hint(Prefetch::Line { real, store }) }
    }

    /// Records a stream's address, and starts the stream if it has no limit.
    ///
    /// MODEL: all streams advance towards higher addresses (bit 57 is ignored).
    pub(super) fn describe(&mut self, word: u32) -> Result<(), Stop> {
        let stream = &mut self.storage.streams[usize::from(number(word))];
        stream.0 = word >> LINE_SHIFT << LINE_SHIFT;
        if word & WITHOUT_LIMIT == 0 {
            return Ok(());
        }
        stream.1 = UNLIMITED;
        self.start(number(word))
    }

    /// Stops streams, or sets a stream's length, and starts the stream.
    pub(super) fn control(&mut self, word: u32) -> Result<(), Stop> {
        let stops = word & STOPS;
        if stops & 2 << 29 != 0 {
            let numbers = if stops == ALL { u16::MAX } else { 1 << number(word) };
            return self.hint(Prefetch::Stop { numbers });
        }
        let lines = if word & WITHOUT_LIMIT != 0 { UNLIMITED } else { u64::from(word >> LINE_SHIFT & LINES) };
        if lines > 0 {
            self.storage.streams[usize::from(number(word))].1 = lines;
        }
        if word & GO == 0 { Ok(()) } else { self.start(number(word)) }
    }

    fn start(&mut self, number: u8) -> Result<(), Stop> {
        let (ea, lines) = self.storage.streams[usize::from(number)];
        let Some(real) = self.machine.pages().frame(ea).filter(|_| lines > 0) else { return Ok(()) };
        self.hint(Prefetch::Stream { number, real, lines })
    }

    fn hint(&mut self, hint: Prefetch) -> Result<(), Stop> {
        self.storage.replay.answer(PpeOp::Prefetch(hint)).map(drop).ok_or(Stop::Wait)
    }
}
