//! Tests that executing arbitrary words with arbitrary register values always ends in an exit.

use super::{BYTES, CODE};
use crate::common::Flat;
use ppu::float::Fpscr;
use ppu::registers::XER_BITS;
use ppu::table::ROWS;
use ppu::{Code, Costs, Cpu, Exit};
use proptest::prelude::*;
use spu::Quadword;

/// Addresses within storage or near its ends, and edge values.
fn register() -> impl Strategy<Value = u64> {
    let near = (CODE - 256..CODE + BYTES as u32 + 256).prop_map(u64::from);
    prop_oneof![3 => near, 1 => any::<u64>(), 1 => Just(u64::MAX), 1 => Just(1 << 31), 1 => 0..256_u64]
}

/// A word that is usually a valid instruction and sometimes arbitrary.
fn word() -> impl Strategy<Value = u32> {
    let row = (0..ROWS.len(), any::<u32>()).prop_map(|(row, rest)| {
        let encoding = ROWS[row].encoding;
        encoding.bits | rest & !encoding.mask
    });
    prop_oneof![8 => row, 1 => any::<u32>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_words_end(
        words in prop::collection::vec(word(), 1..32),
        general in prop::array::uniform32(register()),
        (fpr, vr) in (any::<[u64; 32]>(), any::<[u128; 32]>()),
        (cr, xer, fpscr) in any::<(u32, u32, u32)>(),
    ) {
        let mut memory = Flat::new(CODE, BYTES);
        memory.put_code(CODE, &words);
        let xer = xer & XER_BITS;
        let mut cpu = Cpu { gpr: general, fpr, vr: vr.map(Quadword::from_bits), cr, xer, fpscr: Fpscr::new(fpscr), pc: CODE.into(), ctr: 3, ..Cpu::default() };
        let mut code = Code::new(Costs::one_each());
        let (cycles, exit) = cpu.run(&mut memory, &mut code, 200);
        prop_assert!(cycles <= 200);
        prop_assert!(cpu.pc.is_multiple_of(4));
        prop_assert!(exit != Exit::Budget || cycles == 200);
        prop_assert_eq!(cpu.xer & !XER_BITS, 0);
    }
}
