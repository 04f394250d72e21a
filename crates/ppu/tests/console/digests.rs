//! Executes instructions with all operands of ps3autotests, and compares a digest of the results.

use super::operands::{INTEGERS, WORDS, numbers};
use super::run::Program;
use ppu::Cpu;
use ppu::table::{ROWS, Row};
use spu::Quadword;
use std::fmt::Write;

/// The registers of the operands, and of the result.
const OPERANDS: [usize; 3] = [4, 5, 6];
const RESULT: u32 = 3;
/// The condition field of a comparison.
const FIELD: u32 = 1;

/// How a suite runs its instructions, and what it prints.
struct Suite {
    name: &'static str,
    operands: fn(bool) -> Vec<u64>,
    prepare: fn(&mut Cpu, usize, u64),
    print: fn(&Cpu) -> String,
}

const SUITES: [Suite; 7] = [
    floating("ppu_float_arithmetic", |cpu| format!("{:016X} {}", cpu.fpr[RESULT as usize], status(cpu))),
    floating("ppu_float_compare", status),
    floating("ppu_float_conversion", |cpu| format!("{:016X} {}", cpu.fpr[RESULT as usize], status(cpu))),
    integer("ppu_integer_arithmetic", |cpu| {
        format!("{:016X} [{:016X} : {:08X}]", cpu.gpr[RESULT as usize], cpu.xer, cpu.cr)
    }),
    integer("ppu_integer_logical", |cpu| format!("{:016X} [{:08X}]", cpu.gpr[RESULT as usize], cpu.cr)),
    integer("ppu_integer_shift", |cpu| format!("{:016X} [{:08X}]", cpu.gpr[RESULT as usize], cpu.cr)),
    Suite {
        name: "ppu_vector_integer_arithmetic",
        operands: |_| WORDS.map(u64::from).into(),
        prepare: |cpu, index, word| {
            // All elements of the first operand are equal. The last two of the second are zero.
            let word = u128::from(word);
            let pair = word << 96 | word << 64;
            cpu.vr[OPERANDS[index]] = Quadword::from_bits(if index == 0 { pair | pair >> 64 } else { pair });
        },
        print: |cpu| {
            let result = cpu.vr[RESULT as usize].bits();
            let words = [96, 64, 32, 0].map(|shift| format!("{:08X}", (result >> shift) as u32));
            format!("{} [{:08X}]", words.join(" "), cpu.vscr)
        },
    },
];

const fn floating(name: &'static str, print: fn(&Cpu) -> String) -> Suite {
    Suite { name, operands: numbers, prepare: |cpu, index, bits| cpu.fpr[OPERANDS[index]] = bits, print }
}

const fn integer(name: &'static str, print: fn(&Cpu) -> String) -> Suite {
    let prepare: fn(&mut Cpu, usize, u64) = |cpu, index, number| cpu.gpr[OPERANDS[index]] = number;
    Suite { name, operands: |_| INTEGERS.into(), prepare, print }
}

/// FPSCR and condition register.
fn status(cpu: &Cpu) -> String {
    format!("[{:08X} : {:08X}]", cpu.fpscr.read(), cpu.cr)
}

/// All triples of numbers below `count`.
pub fn triples(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..count.pow(3)).map(move |n| [n / count.pow(2), n / count % count, n % count])
}

/// The words of a row: one, or one for each immediate operand.
fn words(row: &Row) -> Vec<u32> {
    let mut registers = OPERANDS.into_iter().map(|register| register as u32);
    let mut word = row.encoding.bits;
    for (n, letter) in row.operands.split(',').enumerate() {
        let shift = match letter {
            "t" | "s" | "T" | "V" => 21,
            // The suite's compiler chose register 0 here, which stands for the number 0.
            "a" if matches!(row.mnemonic, "addi" | "addis") => continue,
            "a" | "A" | "X" => 16,
            "b" | "B" | "Y" => 11,
            "C" => 6,
            "f" => 23,
            // Shift counts; that of a doubleword has its first bit elsewhere.
            "h" => return vec![word, word | 1 << 11, word | 31 << 11],
            "H" => return vec![word, word | 1 << 11, word | 31 << 11 | 2],
            "i" | "u" | "g" => return vec![word, word | 1, word | 0xffff],
            letter => unreachable!("{} {letter}", row.mnemonic),
        };
        let number = match (n, letter) {
            (0, "f") => FIELD,
            (0, _) => RESULT,
            _ => registers.next().expect("at most three"),
        };
        word |= number << shift;
    }
    vec![word]
}

/// What a suite prints for an instruction: the results of all operands.
fn printed(suite: &Suite, row: &Row, are_singles: bool) -> String {
    let operands = (suite.operands)(are_singles);
    let inputs = row.operands.split(',').skip(1).filter(|letter| !"iughH".contains(letter)).count();
    let count = operands.len();
    let mut text = String::new();
    for word in words(row) {
        let mut program = Program::new(word, are_singles);
        for n in 0..count.pow(inputs.min(2) as u32) {
            // The third operand depends on the others.
            let (first, second) = if inputs == 1 { (n, 0) } else { (n / count, n % count) };
            let chosen = [first, second, (first + second) % count].map(|index| operands[index]);
            let (cpu, single) = program.run(|cpu| {
                chosen.iter().take(inputs).enumerate().for_each(|(n, bits)| (suite.prepare)(cpu, n, *bits));
            });
            let line = (suite.print)(&cpu);
            match line.split_once(' ') {
                Some((_, rest)) if are_singles && !line.starts_with('[') => writeln!(text, "{single:08X} {rest}"),
                _ => writeln!(text, "{line}"),
            }
            .expect("a string");
        }
    }
    text
}

/// The FNV-1a hash of a text.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn results_are_those_of_consoles() {
    let mut different = Vec::new();
    for line in include_str!("digests.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, mnemonic, group, expected] = fields[..] else { panic!("{line}") };
        let suite = SUITES.iter().find(|suite| suite.name == name).expect("a suite");
        let row = ROWS.iter().find(|row| row.mnemonic == mnemonic).expect("an instruction");
        let root = mnemonic.trim_end_matches('.');
        // In two suites, each instruction runs on doubles first, and then on singles.
        let are_singles = group == "1" || name == "ppu_float_arithmetic" && (root.ends_with('s') || root == "fres");
        if format!("{:016x}", digest(&printed(suite, row, are_singles))) != expected {
            different.push(line);
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
