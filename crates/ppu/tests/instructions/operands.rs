//! Compares the operands that the instruction table lists for each instruction with the registers that the instruction
//! actually reads and writes.

use super::{BYTES, CODE};
use crate::common::Flat;
use ppu::float::Fpscr;
use ppu::pipeline::operands::{self, Set, operands};
use ppu::registers::{XER_BITS, XER_CA};
use ppu::table::ROWS;
use ppu::{Code, Costs, Cpu, Exit, decode};
use proptest::prelude::*;
use spu::Quadword;

/// The registers that differ.
fn changed(before: &Cpu, after: &Cpu) -> Set {
    let mut set = 0;
    for n in 0..32 {
        set |= Set::from(before.gpr[n] != after.gpr[n]) << (operands::GPR as usize + n);
        set |= Set::from(before.fpr[n] != after.fpr[n]) << (operands::FPR as usize + n);
        set |= Set::from(before.vr[n] != after.vr[n]) << (operands::VR as usize + n);
    }
    for n in 0..8 {
        set |= Set::from(before.cr_field(n) != after.cr_field(n)) << (operands::CR + u32::from(n));
    }
    set |= Set::from(before.lr != after.lr) << operands::LR;
    set |= Set::from(before.ctr != after.ctr) << operands::CTR;
    set |= Set::from(before.xer != after.xer) << operands::XER;
    set | Set::from(before.vrsave != after.vrsave) << operands::VRSAVE
}

/// Changes a register.
fn flip(cpu: &mut Cpu, register: u32, by: u128) {
    let n = (register % 32) as usize;
    match register {
        0..32 => cpu.gpr[n] ^= by as u64 | 1,
        32..64 => cpu.fpr[n] ^= by as u64 | 1,
        64..96 => cpu.vr[n] = Quadword::from_bits(cpu.vr[n].bits() ^ (by | 1)),
        96..104 => cpu.cr ^= (by as u32 & 15 | 1) << (4 * (103 - register)),
        operands::LR => cpu.lr ^= u64::from(by as u32 & !3 | 4),
        operands::CTR => cpu.ctr ^= u64::from(by as u32 & !3 | 4),
        operands::XER => cpu.xer ^= XER_CA,
        _ => cpu.vrsave ^= by as u32 | 1,
    }
}

fn execute(word: u32, cpu: &Cpu) -> (Cpu, Exit) {
    let mut memory = Flat::new(CODE, BYTES);
    memory.put_code(CODE, &[word]);
    let mut cpu = cpu.clone();
    let exit = cpu.run(&mut memory, &mut Code::new(Costs::one_each()), 1).1;
    (cpu, exit)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn instructions_read_and_write_what_the_table_says(
        (row, rest) in (2..ROWS.len(), any::<u32>()),
        general in prop::array::uniform32(prop_oneof![4 => 0x1000..0x2f00_u64, 1 => any::<u64>()]),
        (fpr, vr) in (any::<[u64; 32]>(), any::<[u128; 32]>()),
        (cr, xer, register, by) in (any::<u32>(), any::<u32>(), 0..operands::VRSAVE + 1, any::<u128>()),
    ) {
        let encoding = ROWS[row].encoding;
        let word = encoding.bits | rest & !encoding.mask;
        let i = decode(word, CODE);
        let operands = operands(&i);
        let written = operands.targets | operands.update;
        let vr = vr.map(Quadword::from_bits);
        let cpu = Cpu { gpr: general, fpr, vr, cr, xer: xer & XER_BITS, fpscr: Fpscr::new(0), pc: CODE.into(), lr: CODE.into(), ctr: CODE.into(), ..Cpu::default() };
        let (after, exit) = execute(word, &cpu);
        prop_assert_eq!(changed(&cpu, &after) & !written, 0, "writes {:?}", &operands);
        let bit = 1 << register;
        if operands.sources & bit == 0 && exit == Exit::Budget {
            let mut other = cpu.clone();
            flip(&mut other, register, by);
            let (other_after, other_exit) = execute(word, &other);
            // Some target registers may stay unchanged: registers beyond the byte count of `lswx`, the other elements
            // of `lvebx` and similar instructions (which are undefined), and the carry of instructions that only set
            // the overflow bit.
            let left = !(changed(&cpu, &after) | changed(&other, &other_after));
            let in_part = matches!(ROWS[row].mnemonic, "lvebx" | "lvehx" | "lvewx") || register == operands::XER;
            let own = if in_part || written & bit == 0 { bit } else { bit & left };
            prop_assert_eq!(other_exit, Exit::Budget);
            prop_assert_eq!(after.pc, other_after.pc);
            let differs = changed(&after, &other_after);
            prop_assert!(differs & !own == 0, "{} reads {register}: {operands:?}", ROWS[row].mnemonic);
        }
    }
}
