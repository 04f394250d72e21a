//! Predecoded code of a process, shared by its threads.
//!
//! A word is decoded when it is first executed, and again after [`Code::forget`]. `forget` must be called after every
//! change of code or mappings. An operating system calls `forget` after its own writes to code and after changes of
//! mappings. A program's own changes take effect when it executes `icbi`. If a program changes code without `icbi`, the
//! old code continues to run, which may also happen on silicon.

use crate::class::Costs;
use crate::decode::decode;
use crate::instruction::Instruction;
use crate::pipeline::Pipelines;
use crate::table::UNDECODED;
use crate::transition::Transition;

/// The number of bytes of code in one page of decoded instructions.
pub const PAGE_BYTES: u32 = 4096;
/// The number of instruction words in a page.
pub const PAGE_WORDS: usize = PAGE_BYTES as usize / 4;
/// The number of instruction words in a line of the instruction cache.
const LINE_WORDS: usize = 32;
/// The number of pages in one entry of the outer table.
const INNER: usize = 1024;

/// The decoded instructions of a page.
pub type Page = [Instruction; PAGE_WORDS];

type Pages = [Option<Box<Page>>; INNER];

/// The decoded instructions of a process.
pub struct Code {
    /// Two-level table of pages, indexed by the leftmost ten bits of an address, then by the next ten bits.
    pages: Vec<Option<Box<Pages>>>,
    /// The pipeline states that the program has reached.
    pub pipelines: Pipelines,
    /// The number of instructions that all threads have executed.
    pub instructions: u64,
    /// The ranges that [`Code::forget`] has dropped and that the code of another processor must still drop.
    forgotten: Option<Vec<(u32, u32)>>,
}

impl Code {
    /// Creates a table in which no instruction is decoded.
    pub fn new(costs: Costs) -> Code {
        Code {
            pages: (0..1 << 10).map(|_| None).collect(),
            pipelines: Pipelines::new(costs),
            instructions: 0,
            forgotten: None,
        }
    }

    /// The same code, which another processor decodes for itself. [`Code::forget_as`] must be called when the other
    /// processor takes its turn.
    pub fn beside_another(self) -> Code {
        Code { forgotten: Some(Vec::new()), ..self }
    }

    /// Drops what another processor's code has dropped since the last call.
    pub fn forget_as(&mut self, other: &mut Code) {
        for (ea, bytes) in other.forgotten.iter_mut().flat_map(|ranges| ranges.drain(..)) {
            self.drop_range(ea, bytes);
        }
    }

    /// Returns the page that contains `ea`, and the pipelines.
    #[inline]
    pub fn page(&mut self, ea: u32) -> (&mut Page, &mut Pipelines) {
        let (outer, inner) = (ea as usize >> 22, ea as usize >> 12 & (INNER - 1));
        let pages = self.pages[outer].get_or_insert_with(|| Box::new([const { None }; INNER]));
        (pages[inner].get_or_insert_with(|| undecoded(ea)), &mut self.pipelines)
    }

    /// Decodes `word` as the instruction at `ea`.
    pub fn set(&mut self, ea: u32, word: u32) {
        self.page(ea).0[index(ea)] = decode(word, ea & !3);
    }

    /// Puts the line of `ea` into the instruction cache. Instructions of the evicted line lose their transitions.
    pub fn insert_line(&mut self, ea: u32) {
        let Some(evicted) = self.pipelines.lines.insert(ea) else { return };
        let Some(Some(pages)) = self.pages.get_mut(evicted as usize >> 22) else { return };
        let Some(page) = &mut pages[evicted as usize >> 12 & (INNER - 1)] else { return };
        let words = page.iter_mut().skip(index(evicted)).take(LINE_WORDS);
        words.for_each(|word| word.transition = Transition::UNKNOWN);
    }

    /// Discards all pipeline states except `kept`. Returns the new state number of `kept`.
    pub fn discard_states(&mut self, kept: u16) -> u16 {
        let words = self.pages.iter_mut().flatten().flat_map(|pages| pages.iter_mut().flatten());
        words.flat_map(|page| page.iter_mut()).for_each(|word| word.transition = Transition::UNKNOWN);
        self.pipelines.discard(kept)
    }

    /// Drops the decoded instructions in the `bytes` bytes that start at `ea`. A range that passes the last address
    /// continues at address 0.
    pub fn forget(&mut self, ea: u32, bytes: u32) {
        if let Some(ranges) = &mut self.forgotten {
            ranges.push((ea, bytes));
        }
        self.drop_range(ea, bytes);
    }

    fn drop_range(&mut self, ea: u32, bytes: u32) {
        let end = u64::from(ea) + u64::from(bytes);
        let mut at = u64::from(ea & !3);
        while at < end {
            let page_end = (at | u64::from(PAGE_BYTES - 1)) + 1;
            self.forget_in_page(at as u32, (page_end.min(end) - at).div_ceil(4) as usize);
            at = page_end;
        }
    }

    /// Drops `words` decoded instructions that start at `ea` and are in one page.
    fn forget_in_page(&mut self, ea: u32, words: usize) {
        let Some(Some(pages)) = self.pages.get_mut(ea as usize >> 22) else { return };
        let slot = &mut pages[ea as usize >> 12 & (INNER - 1)];
        let Some(page) = slot else { return };
        if words >= PAGE_WORDS {
            *slot = None;
            return;
        }
        page.iter_mut().skip(index(ea)).take(words).for_each(|word| word.row = UNDECODED);
    }
}

/// The index of address `ea` in its page of decoded instructions.
#[inline(always)]
pub fn index(ea: u32) -> usize {
    ea as usize / 4 % PAGE_WORDS
}

/// A page of undecoded instructions, in which only the addresses are set.
fn undecoded(ea: u32) -> Box<Page> {
    let first = ea & !(PAGE_BYTES - 1);
    let word = |index: usize| Instruction {
        row: UNDECODED,
        transition: Transition::UNKNOWN,
        history: 0,
        rt: 0,
        ra: 0,
        rb: 0,
        rc: 0,
        immediate: 0,
        pc: first + 4 * index as u32,
    };
    Box::new(std::array::from_fn(word))
}
