//! Predecoded code of a process, shared by its threads.
//!
//! A word is decoded when it is first executed, and again after [`Code::forget`].  Who changes code, or what lies at an
//! address, has to call that: an operating system for its own writes and for changes of mappings; for the program
//! itself `icbi` does.  Code that a program changes without `icbi` goes on as it was, as silicon may have it.

use crate::class::Costs;
use crate::decode::decode;
use crate::instruction::Instruction;
use crate::table::{ROWS, UNDECODED};

/// Bytes of a page of decoded code.
pub const PAGE_BYTES: u32 = 4096;
/// Words of a page.
pub const PAGE_WORDS: usize = PAGE_BYTES as usize / 4;
/// Pages below one entry of the outer table.
const INNER: usize = 1024;

/// The words of a page.
pub type Page = [Instruction; PAGE_WORDS];

type Pages = [Option<Box<Page>>; INNER];

/// The decoded words of a process.
pub struct Code {
    /// By the left ten bits of an address; within, by the next ten.
    pages: Vec<Option<Box<Pages>>>,
    costs: Costs,
    /// Instructions executed so far, by all threads.
    pub instructions: u64,
}

impl Code {
    /// Nothing decoded yet.
    pub fn new(costs: Costs) -> Code {
        Code { pages: (0..1 << 10).map(|_| None).collect(), costs, instructions: 0 }
    }

    /// The page that holds `ea`, and what instructions cost.
    #[inline]
    pub fn page(&mut self, ea: u32) -> (&mut Page, &Costs) {
        let (outer, inner) = (ea as usize >> 22, ea as usize >> 12 & (INNER - 1));
        let pages = self.pages[outer].get_or_insert_with(|| Box::new([const { None }; INNER]));
        (pages[inner].get_or_insert_with(|| undecoded(ea)), &self.costs)
    }

    /// Decodes `word`, which lies at `ea`.
    pub fn set(&mut self, ea: u32, word: u32) {
        let instruction = decode(word, ea & !3);
        let cycles = self.costs.of(ROWS[usize::from(instruction.row)].class, registers(&instruction));
        self.page(ea).0[index(ea)] = Instruction { cycles, ..instruction };
    }

    /// Drops what was decoded of `bytes` from `ea` on; an end beyond the last address means that.
    pub fn forget(&mut self, ea: u32, bytes: u32) {
        let end = u64::from(ea) + u64::from(bytes);
        let mut at = u64::from(ea & !3);
        while at < end {
            let page_end = (at | u64::from(PAGE_BYTES - 1)) + 1;
            self.forget_in_page(at as u32, (page_end.min(end) - at).div_ceil(4) as usize);
            at = page_end;
        }
    }

    /// Drops `words` from `ea` on, which lie in one page.
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

/// Number of the word at `ea` in its page.
#[inline(always)]
pub fn index(ea: u32) -> usize {
    ea as usize / 4 % PAGE_WORDS
}

/// A page of words that were not looked at, but for their addresses.
fn undecoded(ea: u32) -> Box<Page> {
    let first = ea & !(PAGE_BYTES - 1);
    let word = |index: usize| Instruction {
        row: UNDECODED,
        cycles: 0,
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

/// Registers that a multiple or string form moves, as far as the word says it; 0 of all others.
fn registers(i: &Instruction) -> u8 {
    match ROWS[usize::from(i.row)].mnemonic {
        "lmw" | "stmw" => 32 - i.rt,
        "lswi" | "stswi" if i.rb == 0 => 8,
        "lswi" | "stswi" => i.rb.div_ceil(4),
        "lswx" | "stswx" => 4,
        _ => 0,
    }
}
