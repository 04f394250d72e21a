//! The bytes of main memory and of the local stores.
//!
//! A [`Store`] allocates a page only on the first write to the page, so a machine with hundreds of megabytes of memory
//! occupies no more than its programs touch. A store can keep a *journal*: the old contents of every line written
//! since [`Store::open_journal`]. Exact fast-forward uses the journal to determine the change of each word during one
//! period. A store can also *watch* lines and report a write to any of them. This is useful for data derived from the
//! bytes of a line, such as decoded instructions.
//!
//! The Cell is big-endian: multi-byte words are stored most significant byte first.

use crate::units::LINE_BYTES;
use std::ops::Range;

/// The local store on which an SPU program runs.
pub type LocalStore = Store;

const LINE: usize = LINE_BYTES as usize;
/// A line of a page, as quadwords: in arrays of more than 16 elements, `vec!` does not recognise zeros, and writes them.
type Quadwords = [[u8; 16]; LINE / 16];
static ZEROS: [u8; LINE] = [0; LINE];

/// Byte-addressed storage. Addresses wrap at the store's size, like those of a local store.
#[derive(Clone, Default)]
pub struct Store {
    /// All pages up to the highest page that was ever written.
    pages: Vec<Option<Box<[Quadwords]>>>,
    page_shift: u32,
    size_bytes: u64,
    // Most stores have neither journal nor watch. Keeping both in boxes makes such a store small and cheap to move.
    journal: Option<Box<Journal>>,
    watch: Option<Box<Watch>>,
}

/// The place of a line in a store: the number of its page, and its number in the page.
#[derive(Clone, Copy, Default, Debug)]
pub struct Place {
    page: u32,
    line: u32,
}

/// The `bytes` bytes from `offset`.
#[inline(always)]
fn span(offset: u32, bytes: usize) -> Range<usize> {
    offset as usize..offset as usize + bytes
}

/// The watched lines as a bit mask, and a list of the watched lines that were written.
#[derive(Clone)]
struct Watch {
    lines: Vec<u64>,
    written: Vec<u64>,
}

/// The lines that were written since the journal was opened, with the contents they had at that time.
#[derive(Clone, Default)]
struct Journal {
    written: Vec<u64>,
    lines: Vec<(u64, [u8; LINE])>,
    of_changes: bool,
}

/// Changes to the 32-bit words of one line while a journal was open, modulo 2^32.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineChange {
    line: u64,
    deltas: [u32; LINE / 4],
}

impl Store {
    /// Creates a store that contains `size_bytes` zeros. The page size `page_bytes` is a power of two and at least one
    /// line.
    pub fn new(size_bytes: u64, page_bytes: u64) -> Store {
        debug_assert!(page_bytes.is_power_of_two() && page_bytes >= LINE_BYTES);
        Store { page_shift: page_bytes.trailing_zeros(), size_bytes, ..Store::default() }
    }

    /// Size in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Copies `out.len()` bytes from `address`.
    pub fn read(&self, address: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let at = (address + done as u64) % self.size_bytes;
            let n = (out.len() - done).min(LINE - at as usize % LINE);
            out[done..done + n].copy_from_slice(self.part(at, n));
            done += n;
        }
    }

    /// Writes `bytes` at `address`.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let at = (address + done as u64) % self.size_bytes;
            let n = (bytes.len() - done).min(LINE - at as usize % LINE);
            self.part_mut(at, n).copy_from_slice(&bytes[done..done + n]);
            done += n;
        }
    }

    /// A vector of `n` bytes from `address`.
    pub fn bytes(&self, address: u64, n: usize) -> Vec<u8> {
        let mut out = vec![0; n];
        self.read(address, &mut out);
        out
    }

    /// The 32-bit word at `address`.
    pub fn read_u32(&self, address: u64) -> u32 {
        let at = address % self.size_bytes;
        if at.is_multiple_of(4) {
            return self.chunk(at).map_or(0, |word| u32::from_be_bytes(*word));
        }
        let mut word = [0; 4];
        self.read(address, &mut word);
        u32::from_be_bytes(word)
    }

    /// Stores a 32-bit word.
    pub fn write_u32(&mut self, address: u64, value: u32) {
        self.write(address, &value.to_be_bytes());
    }

    /// The 64-bit word at `address`.
    pub fn read_u64(&self, address: u64) -> u64 {
        let mut word = [0; 8];
        self.read(address, &mut word);
        u64::from_be_bytes(word)
    }

    /// Stores a 64-bit word.
    pub fn write_u64(&mut self, address: u64, value: u64) {
        self.write(address, &value.to_be_bytes());
    }

    /// Returns the 16 bytes at `address`, which must be a multiple of 16 within the store.
    #[inline(always)]
    pub fn quadword(&self, address: u64) -> u128 {
        self.chunk(address).map_or(0, |bytes| u128::from_be_bytes(*bytes))
    }

    /// Stores 16 bytes at `address`, which must be a multiple of 16 within the store.
    #[inline(always)]
    pub fn set_quadword(&mut self, address: u64, value: u128) {
        match self.chunk_mut(address) {
            Some(bytes) => *bytes = value.to_be_bytes(),
            None => self.write_quadword(address, value),
        }
    }

    /// The place of the line of an address.
    #[inline]
    pub fn place(&self, address: u64) -> Place {
        let (page, at) = self.page_and_offset(address);
        Place { page: page as u32, line: (at / LINE) as u32 }
    }

    /// The `N` bytes from `offset` of a line.
    #[inline(always)]
    pub fn array<const N: usize>(&self, place: Place, offset: u32) -> [u8; N] {
        let page = self.pages.get(place.page as usize).and_then(Option::as_ref);
        let line = page.and_then(|page| page.get(place.line as usize));
        line.and_then(|line| line.as_flattened().get(span(offset, N))?.first_chunk()).copied().unwrap_or([0; N])
    }

    /// The same bytes for writing. Returns `None` if their page was never written, or if there is a journal or a
    /// watch.
    #[inline(always)]
    pub fn array_mut<const N: usize>(&mut self, place: Place, offset: u32) -> Option<&mut [u8; N]> {
        if self.journal.is_some() || self.watch.is_some() {
            return None;
        }
        let page = self.pages.get_mut(place.page as usize)?.as_mut()?;
        page.get_mut(place.line as usize)?.as_flattened_mut().get_mut(span(offset, N))?.first_chunk_mut()
    }

    /// Not inlined, so that the fast path stays small.
    #[inline(never)]
    fn write_quadword(&mut self, address: u64, value: u128) {
        if let Some(bytes) = self.part_mut(address, 16).first_chunk_mut() {
            *bytes = value.to_be_bytes();
        }
    }

    /// Watches a line until the next write to it; `line` is the line number, counted from the start of the store.
    pub fn watch(&mut self, line: u64) {
        let words = self.words_of_lines();
        let watch = self.watch.get_or_insert_with(|| Box::new(Watch { lines: vec![0; words], written: Vec::new() }));
        watch.lines[(line / 64) as usize] |= 1 << (line % 64);
    }

    /// Whether [`Store::take_written`] has a line to report.
    #[inline]
    pub fn watched_was_written(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| !watch.written.is_empty())
    }

    /// Returns a watched line that was written. The line is reported only once, and is no longer watched afterwards.
    pub fn take_written(&mut self) -> Option<u64> {
        self.watch.as_mut()?.written.pop()
    }

    /// Number of 64-bit words in a mask that has one bit for each line.
    fn words_of_lines(&self) -> usize {
        self.size_bytes.div_ceil(64 * LINE_BYTES) as usize
    }

    /// The page of `address`, and the offset in it.
    #[inline(always)]
    fn page_and_offset(&self, address: u64) -> (usize, usize) {
        ((address >> self.page_shift) as usize, (address & ((1 << self.page_shift) - 1)) as usize)
    }

    /// Returns `N` bytes in one line, or `None` if their page was never written.
    #[inline(always)]
    pub fn chunk<const N: usize>(&self, address: u64) -> Option<&[u8; N]> {
        let (page, at) = self.page_and_offset(address);
        self.pages.get(page)?.as_ref()?.as_flattened().as_flattened().get(at..)?.first_chunk()
    }

    /// Returns `N` bytes in one line for writing. Returns `None` if their page was never written, or if a journal or a
    /// watch has to record the write.
    #[inline(always)]
    pub fn chunk_mut<const N: usize>(&mut self, address: u64) -> Option<&mut [u8; N]> {
        let line = address / LINE_BYTES;
        let to_record = self.journal.as_ref().is_some_and(|journal| !has(&journal.written, line));
        if to_record || self.watch.as_ref().is_some_and(|watch| watch.includes(line)) {
            return None;
        }
        let (page, at) = self.page_and_offset(address);
        self.pages.get_mut(page)?.as_mut()?.as_flattened_mut().as_flattened_mut().get_mut(at..)?.first_chunk_mut()
    }

    /// `n` bytes in one line.
    #[inline(always)]
    fn part(&self, address: u64, n: usize) -> &[u8] {
        let (page, at) = self.page_and_offset(address);
        match self.pages.get(page) {
            Some(Some(page)) => &page.as_flattened().as_flattened()[at..at + n],
            _ => &ZEROS[..n],
        }
    }

    #[inline(always)]
    fn part_mut(&mut self, address: u64, n: usize) -> &mut [u8] {
        let (number, at) = self.page_and_offset(address);
        let page = page(&mut self.pages, number, 1 << self.page_shift);
        if let Some(journal) = &mut self.journal {
            journal.record(address / LINE_BYTES, &page[at / LINE * LINE..][..LINE]);
        }
        if let Some(watch) = &mut self.watch {
            watch.record(address / LINE_BYTES);
        }
        &mut page[at..at + n]
    }

    /// Whether a write of `bytes` within one line changes nothing and need not be recorded.
    #[inline(always)]
    fn is_unchanged(&self, address: u64, bytes: &[u8]) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.of_changes) && self.part(address, bytes.len()) == bytes
    }

    /// Opens a journal, or restarts it: the current contents of the store become the old contents. A journal
    /// `of_changes` leaves out DMAs that write the bytes which are already there.
    pub fn open_journal(&mut self, of_changes: bool) {
        let words = self.words_of_lines();
        let journal = self.journal.get_or_insert_with(Box::default);
        journal.written.resize(words, 0);
        journal.of_changes = of_changes;
        for (line, _) in journal.lines.drain(..) {
            journal.written[(line / 64) as usize] = 0;
        }
    }

    /// Whether the journal has any line. If it is a journal of changes and has none, no byte has changed since the journal
    /// was opened; not even for a while.
    pub fn has_recorded(&self) -> bool {
        self.journal.as_ref().is_some_and(|journal| !journal.lines.is_empty())
    }

    /// Returns the lines whose contents have changed since the journal was opened, in order of address. Omits lines
    /// that were rewritten with the same contents.
    pub fn changes(&self) -> Vec<LineChange> {
        let Some(journal) = &self.journal else { return Vec::new() };
        let changed = journal.lines.iter().filter_map(|(line, old)| {
            let new = self.part(line * LINE_BYTES, LINE);
            (new != old).then(|| LineChange {
                line: *line,
                deltas: std::array::from_fn(|i| word(new, i).wrapping_sub(word(old, i))),
            })
        });
        let mut changes: Vec<LineChange> = changed.collect();
        changes.sort_by_key(|change| change.line);
        changes
    }

    /// Adds each word's delta in `changes` to that word `times` times, modulo 2^32.
    pub fn repeat(&mut self, changes: &[LineChange], times: u64) {
        for change in changes {
            let part = self.part_mut(change.line * LINE_BYTES, LINE);
            for (i, delta) in change.deltas.iter().enumerate() {
                let moved = word(part, i).wrapping_add(delta.wrapping_mul(times as u32));
                part[4 * i..4 * i + 4].copy_from_slice(&moved.to_be_bytes());
            }
        }
    }
}

impl Watch {
    #[inline(always)]
    fn record(&mut self, line: u64) {
        let (index, bit) = ((line / 64) as usize, 1 << (line % 64));
        if let Some(lines) = self.lines.get_mut(index)
            && *lines & bit != 0
        {
            *lines &= !bit;
            self.written.push(line);
        }
    }

    #[inline(always)]
    fn includes(&self, line: u64) -> bool {
        has(&self.lines, line)
    }
}

impl Journal {
    fn record(&mut self, line: u64, old: &[u8]) {
        let (index, bit) = ((line / 64) as usize, 1 << (line % 64));
        if self.written[index] & bit == 0 {
            self.written[index] |= bit;
            let mut copy = [0; LINE];
            copy.copy_from_slice(old);
            self.lines.push((line, copy));
        }
    }
}

/// Whether a mask with one bit for each line has a line's bit.
#[inline(always)]
fn has(lines: &[u64], line: u64) -> bool {
    lines.get((line / 64) as usize).is_some_and(|lines| lines >> (line % 64) & 1 != 0)
}

/// Returns a page for writing, and allocates it (filled with zeros) on first use.
#[inline(always)]
fn page(pages: &mut Vec<Option<Box<[Quadwords]>>>, number: usize, bytes: usize) -> &mut [u8] {
    if pages.len() <= number {
        pages.resize(number + 1, None);
    }
    pages[number]
        .get_or_insert_with(|| vec![[[0; 16]; LINE / 16]; bytes / LINE].into_boxed_slice())
        .as_flattened_mut()
        .as_flattened_mut()
}

fn word(line: &[u8], i: usize) -> u32 {
    u32::from_be_bytes([line[4 * i], line[4 * i + 1], line[4 * i + 2], line[4 * i + 3]])
}

/// Copies `n` bytes, at most one line, from one store to another.
#[inline(always)]
pub fn copy(from: &Store, source: u64, to: &mut Store, target: u64, n: usize) {
    let is_line = |store: &Store, at: u64| at.is_multiple_of(LINE_BYTES) && at + LINE_BYTES <= store.size_bytes;
    if n == LINE
        && is_line(from, source)
        && is_line(to, target)
        && let Some(line) = to.chunk_mut(target)
    {
        *line = *from.chunk(source).unwrap_or(&ZEROS);
    } else {
        copy_part(from, source, to, target, n);
    }
}

/// Like [`copy`], but also copies parts of a line, and supports a target that has a journal or a watch.
#[inline(never)]
fn copy_part(from: &Store, source: u64, to: &mut Store, target: u64, n: usize) {
    let whole = |store: &Store, at: u64| at < store.size_bytes && at as usize % LINE + n <= LINE;
    if whole(from, source) && whole(to, target) {
        let bytes = from.part(source, n);
        if !to.is_unchanged(target, bytes) {
            to.part_mut(target, n).copy_from_slice(bytes);
        }
        return;
    }
    let mut line = [0; LINE];
    from.read(source, &mut line[..n]);
    to.write(target, &line[..n]);
}

#[cfg(test)]
mod tests;
