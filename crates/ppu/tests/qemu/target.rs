//! Processors that qemu simulates, and the parts of their results that apply to the mode.

use super::Cases;
use super::block::{BYTES, Block};
use super::{elf, exceptions};
use ppu::table::Row;
use std::path::PathBuf;
use std::process::Command;

/// One of qemu's commands.
pub struct Target {
    pub command: &'static str,
    is_64_bit: bool,
    /// Whether this crate executes the instructions in 64-bit mode.
    pub wide: bool,
}

/// Instructions that need a 64-bit processor or cache lines of 128 bytes.
const ONLY_64_BIT: [&str; 35] = [
    "cmpdi", "cmpldi", "cmpd", "cmpld", "tdi", "td", "extsw", "cntlzd", "sld", "srd", "srad", "sradi", "rldicl",
    "rldicr", "rldic", "rldimi", "rldcl", "rldcr", "mulld", "divd", "divdu", "mulhd", "mulhdu", "lwa", "lwax", "lwaux",
    "ld", "ldu", "ldx", "ldux", "std", "stdu", "stdx", "stdux", "dcbz",
];
const ALSO_ONLY_64_BIT: [&str; 13] = [
    "ldarx", "stdcx", "ldbrx", "stdbrx", "popcntb", "mfocrf", "mtocrf", "fcfid", "fctid", "fctidz", "fsqrt", "fsqrts",
    "lwsync",
];
/// Loads and stores of parts of unaligned quadwords. No processor in qemu supports these instructions.
const ONLY_CELL: [&str; 8] = ["lvlx", "lvlxl", "lvrx", "lvrxl", "stvlx", "stvlxl", "stvrx", "stvrxl"];
/// Instructions that qemu's 970 processor lacks, or supports only with cache lines of 32 bytes.
const POWER7: [&str; 4] = ["ldbrx", "stdbrx", "popcntb", "dcbz"];

impl Target {
    /// The 32-bit processor, and the 64-bit processor for both modes of this crate.
    pub fn all() -> [Target; 3] {
        [("qemu-ppc", false, false), ("qemu-ppc64", true, false), ("qemu-ppc64", true, true)]
            .map(|(command, is_64_bit, wide)| Target { command, is_64_bit, wide })
    }

    /// Whether the instruction is compared with the processor. In 32-bit mode, the 64-bit processor is asked only for
    /// instructions that the 32-bit processor lacks.
    pub fn has(&self, mnemonic: &str) -> bool {
        !ONLY_CELL.contains(&mnemonic) && (self.wide || self.is_64_bit == is_only_64_bit(mnemonic))
    }

    /// Runs blocks on the processor. Returns the resulting blocks.
    pub fn run(&self, blocks: &[Block]) -> Vec<Block> {
        // Tests run in parallel, so each thread has its own file.
        let file = format!("{}-{}-{}", self.command, self.wide, std::thread::current().name().unwrap_or_default());
        let path: PathBuf = [env!("CARGO_TARGET_TMPDIR"), &file].iter().collect();
        std::fs::write(&path, elf::executable(blocks, self.is_64_bit)).expect("a file for qemu");
        let _ = Command::new("chmod").arg("+x").arg(&path).status();
        let output = Command::new(self.command).args(["-cpu", self.processor(blocks)]).arg(&path).output();
        let output = output.expect("qemu starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}: {:08x}: {said}",
            self.command,
            blocks.first().map_or(0, |block| block.word)
        );
        output.stdout.chunks_exact(BYTES).map(Block::from_bytes).collect()
    }

    /// The name of a qemu processor that supports the instruction of the blocks.
    fn processor(&self, blocks: &[Block]) -> &'static str {
        let row = blocks.first().map_or(0, |block| ppu::decode::row(block.word));
        match self.is_64_bit {
            false => "7457",
            true if POWER7.contains(&ppu::table::ROWS[usize::from(row)].mnemonic) => "power7",
            true => "970fx",
        }
    }

    /// The first test case in which qemu and this crate differ, as text.
    pub fn first_difference(&self, row: &Row, cases: &Cases, theirs: &[Block]) -> Option<String> {
        let pairs = cases.before.iter().zip(&cases.after).zip(theirs);
        for ((before, ours), theirs) in pairs {
            let (mut ours, mut theirs) = (ours.clone(), theirs.clone());
            self.comparable(row.mnemonic, before, &mut ours);
            self.comparable(row.mnemonic, before, &mut theirs);
            if ours != theirs {
                let text = ppu::disassemble(before.word, elf::SLOT);
                return Some(format!(
                    "{}: {text} ({:08x})\n  {}",
                    self.command,
                    before.word,
                    ours.beside(&theirs, before)
                ));
            }
        }
        None
    }

    /// Keeps only the parts of a result that are defined and, if the modes differ, do not depend on the mode.
    fn comparable(&self, mnemonic: &str, before: &Block, block: &mut Block) {
        exceptions::defined(mnemonic, self.wide, before, block);
        if !self.is_64_bit {
            block.cpu.gpr.iter_mut().for_each(|register| *register &= 0xffff_ffff);
        }
        if !self.is_64_bit || self.wide {
            return;
        }
        let is_vector_or_float = mnemonic.starts_with(['v', 'f']) || mnemonic.starts_with("mtfs");
        if mnemonic.ends_with('.') && !is_vector_or_float && !mnemonic.starts_with("st") {
            block.cpu.cr &= 0x0fff_ffff;
        }
    }
}

/// Whether only qemu-ppc64 supports the instruction.
fn is_only_64_bit(mnemonic: &str) -> bool {
    let undotted = mnemonic.trim_end_matches('.');
    let root = undotted.trim_end_matches('o');
    [root, undotted].iter().any(|name| ONLY_64_BIT.contains(name) || ALSO_ONLY_64_BIT.contains(name))
}
