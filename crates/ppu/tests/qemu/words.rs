//! Generates instruction words with random operands, and register values that suit these operands.

use super::block::{Block, STORAGE, STORAGE_BYTES};
use super::elf::{SLOT, TAKEN};
use super::operands::{self, Fields};
use super::random::Random;
use ppu::Cpu;
use ppu::float::Fpscr;
use ppu::registers::XER_BITS;
use ppu::table::Row;
use spu::Quadword;

/// A test case of `row` in the block at `address`, for 64-bit mode (`wide`) or for 32-bit mode.
pub fn case(row: &Row, address: u32, wide: bool, random: &mut Random) -> Block {
    let fields = operands::fields(row, random);
    let mut cpu = Cpu {
        gpr: std::array::from_fn(|_| random.general()),
        fpr: std::array::from_fn(|_| random.double()),
        vr: std::array::from_fn(|_| Quadword::from_bits(random.vector())),
        cr: random.bits() as u32,
        lr: TAKEN.into(),
        ctr: random.one_of(&[0, 1, 2, 0xffff_ffff]),
        xer: random.bits() as u32 & XER_BITS,
        fpscr: status(random),
        vscr: random.one_of(&[0, 1, 0x1_0000, 0x1_0001]),
        vrsave: random.bits() as u32,
        ..Cpu::default()
    };
    if wide {
        // Another random number would make all other operands differ from those of 32-bit mode.
        let counts = [0, 1, 2, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, u64::MAX];
        cpu.ctr = counts[cpu.cr as usize % counts.len()];
    }
    if row.mnemonic.starts_with("bcctr") || row.mnemonic.starts_with("bctr") {
        cpu.ctr = TAKEN.into();
    }
    if row.mnemonic == "lswx" {
        cpu.xer = cpu.xer & !0x7f | random.below(4 * u64::from(operands::LSWX_WORDS) + 1) as u32;
    }
    address_storage(row, &fields, address, &mut cpu, random);
    let mut storage = [0; STORAGE_BYTES];
    for slot in storage.chunks_mut(8) {
        slot.copy_from_slice(&if random.below(2) == 0 { random.bits() } else { random.double() }.to_be_bytes());
    }
    Block { word: fields.word, cpu, taken: false, storage }
}

/// An FPSCR with a random rounding mode and possibly with exceptions that are already set. No exception is enabled,
/// because an enabled exception would terminate qemu.
fn status(random: &mut Random) -> Fpscr {
    let mode = random.one_of(&[0, 1, 2, 3]);
    let exceptions = if random.below(2) == 0 { 0 } else { random.bits() as u32 & 0xffff_f700 };
    Fpscr::new(mode | exceptions)
}

/// Sets the address registers of a load, store or cache instruction to addresses in the block's storage.
fn address_storage(row: &Row, fields: &Fields, address: u32, cpu: &mut Cpu, random: &mut Random) {
    if !operands::uses_storage(row) {
        return;
    }
    // String instructions access at most 127 bytes, and load and store multiple instructions at most 128 bytes.
    let room = STORAGE_BYTES as u64 - 128;
    let aligned = if row.mnemonic.contains("arx") || row.mnemonic.contains("cx.") { !7 } else { !0 };
    let ea = u64::from(address) + STORAGE as u64 + (random.below(room) & aligned);
    match (operands::is_indexed(row), fields.ra != 0) {
        (true, true) if fields.ra == fields.rb => {
            // RA and RB are the same register, so their sum is even.
            cpu.gpr[fields.rb] = (ea & !15) / 2;
        }
        (true, true) => {
            let index = random.below(1000).wrapping_sub(500);
            cpu.gpr[fields.rb] = index;
            cpu.gpr[fields.ra] = ea.wrapping_sub(index);
        }
        (true, false) => cpu.gpr[fields.rb] = ea,
        (false, _) => cpu.gpr[fields.ra] = ea.wrapping_sub(fields.displacement as u64),
    }
}

/// The displacement from a relative branch to its target.
pub const BRANCH: u32 = TAKEN - SLOT;
