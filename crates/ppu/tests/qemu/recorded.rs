//! Expected results in a file: for each row, a hash of all results and the first two results as text. For 64-bit mode,
//! whose mnemonics end with `/64`, there is only the hash.

use super::block::Block;
use super::{Cases, elf, exceptions};
use ppu::table::Row;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Hash and results of each mnemonic, as text.
pub type Recorded = BTreeMap<String, String>;

/// The file entry for the results of a row's test cases.
pub fn entry(row: &Row, cases: &Cases, wide: bool) -> (String, String) {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut results = Vec::new();
    for (before, after) in cases.before.iter().zip(&cases.after) {
        let mut after = after.clone();
        exceptions::defined(row.mnemonic, wide, before, &mut after);
        for byte in after.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        if results.len() < 2 && !wide {
            results.push(format!("{}: {}", ppu::disassemble(before.word, elf::SLOT), after.changes(before)));
        }
    }
    match wide {
        true => (format!("{}/64", row.mnemonic), format!("{hash:016x}")),
        false => (row.mnemonic.to_string(), format!("{hash:016x} {}", results.join("; "))),
    }
}

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "qemu", "recorded.txt"].iter().collect()
}

pub fn read() -> Recorded {
    let text = std::fs::read_to_string(path()).expect("recorded answers");
    let entry = |line: &str| {
        let (mnemonic, rest) = line.split_once(' ').expect("a mnemonic and its answers");
        (mnemonic.to_string(), rest.to_string())
    };
    text.lines().map(entry).collect()
}

pub fn write(recorded: &Recorded) {
    let lines: String = recorded.iter().map(|(mnemonic, answers)| format!("{mnemonic} {answers}\n")).collect();
    std::fs::write(path(), lines).expect("recorded answers");
}

impl Block {
    /// The results of a test case in this crate and in qemu, as text.
    pub fn beside(&self, theirs: &Block, before: &Block) -> String {
        format!("here:  {}\n  there: {}", self.changes(before), theirs.changes(before))
    }
}
