//! Does every instruction behave as on qemu's processors?
//!
//! For each row of the instruction table, this crate executes instructions with random operands and random register
//! values, including edge values. If qemu is installed, qemu executes the same instructions. qemu-ppc runs in 32-bit
//! mode, and qemu-ppc64 in 64-bit mode. Instructions that only 64-bit processors have are also compared with qemu-ppc64
//! in 32-bit mode, without the conditions and carries that depend on the mode. `recorded.txt` contains the expected results: a hash for each row, and a few results in
//! full. Every test run compares its results with this file, even without qemu.
//!
//! A new row is tested automatically. Restrictions on operands are in `words.rs` and `operands.rs`. Cases in which qemu
//! differs from the architecture, or in which a result is undefined, are in `exceptions.rs` with their reasons.
//!
//! To record the results again, use the following command, which needs qemu-ppc and qemu-ppc64 (Debian: qemu-user):
//!
//!     UPDATE_RECORDED=1 cargo test -p ppu --test all qemu::

mod block;
mod elf;
mod exceptions;
mod floating;
mod operands;
mod random;
mod recorded;
mod target;
mod words;

use crate::parts;
use block::Block;
use ppu::table::{ROWS, Row};
use proptest::prelude::*;
use proptest::sample::select;
use recorded::Recorded;
use target::Target;

/// Number of test cases for each row.
const CASES: usize = 128;

/// The test cases of a row, before and after execution.
struct Cases {
    before: Vec<Block>,
    after: Vec<Block>,
}

/// The rows that these tests execute: all rows except those that depend on time or end a program.
fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().skip(2).filter(|row| !exceptions::left_out(row.mnemonic))
}

/// The test cases of a row, in 64-bit mode (`wide`) or in 32-bit mode. Different `name` values produce different cases.
fn cases(row: &Row, name: &str, wide: bool) -> Cases {
    let mut random = random::Random::new(name);
    let mut cases = Cases { before: Vec::new(), after: Vec::new() };
    while cases.before.len() < CASES {
        let address = elf::address_of(cases.before.len());
        let before = words::case(row, address, wide, &mut random);
        // Traps whose condition is true are covered by another test.
        let after = if wide { before.executed::<true>(address) } else { before.executed::<false>(address) };
        if let Some(after) = after {
            cases.before.push(before);
            cases.after.push(after);
        }
    }
    cases
}

/// Returns qemu's commands if they are installed. Otherwise, results are compared only with the recorded results.
fn targets() -> Vec<Target> {
    if parts::is_there("powerpc") { Target::all().into() } else { Vec::new() }
}

/// The first test case in which qemu's results differ, as text.
fn difference(target: &Target, row: &Row, name: &str) -> Option<String> {
    let cases = cases(row, name, target.wide);
    let theirs = target.run(&cases.before);
    assert_eq!(theirs.len(), cases.after.len(), "{}: {}", target.command, row.mnemonic);
    target.first_difference(row, &cases, &theirs)
}

#[test]
fn results_are_those_of_qemu() {
    let mut differences = Vec::new();
    for target in targets() {
        let has = rows().filter(|row| target.has(row.mnemonic));
        differences.extend(has.filter_map(|row| difference(&target, row, row.mnemonic)));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn results_of_any_operands_are_those_of_qemu(
        row in select(rows().collect::<Vec<_>>()),
        seed in any::<u64>().no_shrink(),
    ) {
        for target in targets().iter().filter(|target| target.has(row.mnemonic)) {
            prop_assert_eq!(difference(target, row, &format!("{} {seed}", row.mnemonic)), None);
        }
    }
}

#[test]
fn results_are_those_that_were_recorded() {
    let entries = |row| [false, true].map(|wide| recorded::entry(row, &cases(row, row.mnemonic, wide), wide));
    let ours: Recorded = rows().flat_map(entries).collect();
    if std::env::var_os("UPDATE_RECORDED").is_some() {
        recorded::write(&ours);
    }
    let recorded = recorded::read();
    for (mnemonic, entry) in &ours {
        assert_eq!(Some(entry), recorded.get(mnemonic), "{mnemonic}");
    }
    assert_eq!(ours.len(), recorded.len(), "rows that are no more");
}
