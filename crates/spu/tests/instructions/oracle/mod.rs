//! Tests whether every instruction behaves as the architecture specifies.
//!
//! Each instruction has a model here: one or two lines of code that state the rule of SPU Instruction Set Architecture
//! 1.2 in terms of bytes and bits. The models are slow and share no code with the crate under test. The models even
//! decode the operands themselves. Models and code receive the same random words, registers and memory. The tests in
//! `arithmetic` check the results of floating-point operations. The tests here check to which elements these operations
//! are applied.

mod branch;
mod case;
mod compare;
mod constant;
mod control;
mod floating;
mod integer;
mod logical;
mod memory;
mod operands;
mod shift;

use case::{Case, Model, Outcome};
use cell::store::LocalStore;
use proptest::prelude::*;
use spu::execute::execute;
use spu::table::{DEFINITIONS, Definition};
use spu::{Format, Quadword, Registers, decode};

/// All models, by mnemonic.
fn models() -> impl Iterator<Item = (&'static str, Model)> {
    let families = [
        memory::MODELS,
        constant::MODELS,
        integer::MODELS,
        logical::MODELS,
        shift::MODELS,
        compare::MODELS,
        branch::MODELS,
        floating::MODELS,
        control::MODELS,
    ];
    families.into_iter().flatten().copied()
}

fn definition(mnemonic: &str) -> &'static Definition {
    DEFINITIONS.iter().find(|row| row.mnemonic == mnemonic).unwrap_or_else(|| panic!("no instruction {mnemonic}"))
}

#[test]
fn every_instruction_has_one_model() {
    let mut modelled: Vec<_> = models().map(|(mnemonic, _)| mnemonic).collect();
    let mut all: Vec<_> = DEFINITIONS.iter().map(|row| row.mnemonic).collect();
    modelled.sort_unstable();
    all.sort_unstable();
    assert_eq!(modelled, all);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_instruction_does_what_its_model_says(
        bits in operands::word(),
        pool in operands::registers(),
        pc in operands::address(),
        modes in 0u32..16,
        relation in operands::relation(),
    ) {
        for (mnemonic, model) in models() {
            let word = with_opcode(definition(mnemonic), bits);
            let registers = operands::related(&pool, word, relation);
            let case = Case::new(word, definition(mnemonic).format, &registers, pc, modes);
            prop_assert_eq!(run(&case), model(&case), "{} {:08x} with {:x?}", mnemonic, word, case);
        }
    }
}

/// An instruction word with the opcode of `row`. All other bits are taken from `bits`.
fn with_opcode(row: &Definition, bits: u32) -> u32 {
    let opcode_bits = match row.format {
        Format::Rrr => 4,
        Format::Ri18 | Format::Lbt => 7,
        Format::Ri10 => 8,
        Format::Ri16 => 9,
        Format::Ri8 => 10,
        Format::Rr | Format::Ri7 | Format::Lbti | Format::Stop => 11,
    };
    u32::from(row.bits) << 21 | bits & (u32::MAX >> opcode_bits)
}

/// The outcome of the instruction as computed by the code under test.
fn run(case: &Case) -> Outcome {
    let instruction = decode(case.word).expect("an instruction");
    let mut registers = Registers::default();
    for number in 0..128 {
        registers.set(number, Quadword::from_bytes(case.register(u32::from(number))));
    }
    let mut store = LocalStore::new(case::STORE_BYTES as u64, 1024);
    let touches_memory = case.touches_memory();
    if touches_memory {
        store.write(0, &case::memory());
    }
    let mut fpscr = case.fpscr;
    let effect = execute(&instruction, case.pc, &mut registers, &mut fpscr, &mut store);

    let changed = |number: &u8| registers.get(*number).bytes() != case.register(u32::from(*number));
    let others: Vec<u8> = (0..128).filter(changed).filter(|number| Some(*number) != instruction.writes()).collect();
    assert!(others.is_empty(), "registers {others:?} changed too");
    let memory = if touches_memory { changed_quadword(&store.bytes(0, case::STORE_BYTES)) } else { None };
    let register = instruction.writes().map(|number| registers.get(number).bytes());
    Outcome { register, memory, fpscr, effect }
}

/// The only quadword that has changed; `None` if no quadword has changed.
fn changed_quadword(bytes: &[u8]) -> Option<(u32, [u8; 16])> {
    let before = case::memory();
    let differs = |&at: &usize| bytes[at..at + 16] != before[at..at + 16];
    let changed: Vec<usize> = (0..bytes.len()).step_by(16).filter(differs).collect();
    assert!(changed.len() < 2, "more than one quadword changed: {changed:x?}");
    changed.first().map(|&at| (at as u32, bytes[at..at + 16].try_into().unwrap()))
}
