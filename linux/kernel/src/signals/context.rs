//! The machine context of PowerPC: a thread's registers in memory.
//!
//! The first 48 numbers hold the general registers and the special registers that the kernel saves with them. The next
//! 33 doublewords hold the floating-point registers and the status register. The last 33 quadwords hold the vector
//! registers, and a quadword for `VSCR` and `VRSAVE`.
//!
//! In a 32-bit process, the numbers are words, two words of code precede the vector registers, and `VRSAVE` is the first
//! word of the last quadword. In a 64-bit process, the numbers are doublewords, a pointer to the vector registers
//! precedes them, and `VRSAVE` is a word after them.
//!
//! Source: Linux, `asm/ucontext.h`, `asm/sigcontext.h`, `asm/ptrace.h` and `asm/elf.h` of PowerPC.

use crate::hardware::{BadAddress, Hardware};
use crate::width::Width;
use ppu::float::fpscr::Fpscr;
use ppu::registers::Cpu;
use spu::Quadword;

/// Numbers before the floating-point registers.
const NUMBERS: u32 = 48;
/// Doublewords of floating-point registers and their status.
const DOUBLES_BYTES: u32 = 33 * 8;
/// Offset of the pointer to the vector registers, in a 64-bit process.
const POINTER_AT: u32 = 8 * NUMBERS + DOUBLES_BYTES;
/// Index of the next instruction's address.
pub const NIP: usize = 32;
const MSR: usize = 33;
const ORIGINAL_R3: usize = 34;
const CTR: usize = 35;
/// Index of the link register.
pub const LINK: usize = 36;
const XER: usize = 37;
/// Index of the condition register.
pub const CCR: usize = 38;
/// MSR value of user mode with floating point and vectors enabled.
const MSR_USER: u64 = 0x0200_f932;
/// The same in 64-bit mode.
const MSR_WIDE: u64 = 1 << 63 | MSR_USER;
const MSR_VECTORS: u64 = 0x0200_0000;

/// Offset of the floating-point registers.
pub fn floating_at(width: Width) -> u32 {
    NUMBERS * width.bytes()
}

/// Offset of the vector registers of a 32-bit process.
const VECTORS_AT: u32 = 464;

/// Offset of the vector registers of the context at `at`.
pub fn vectors_at(at: u32, width: Width) -> u32 {
    width.pick(VECTORS_AT, (at.wrapping_add(POINTER_AT + 8 + 15) & !15).wrapping_sub(at))
}

/// Writes a machine context.
///
/// # Errors
/// The memory cannot be written.
pub fn save(hardware: &mut dyn Hardware, at: u32, cpu: &Cpu) -> Result<(), BadAddress> {
    let width = hardware.width();
    let mut numbers = [0_u64; NUMBERS as usize];
    numbers[..32].copy_from_slice(&cpu.gpr);
    let others = [(NIP, cpu.pc), (ORIGINAL_R3, cpu.gpr[3]), (CTR, cpu.ctr), (LINK, cpu.lr), (XER, cpu.xer.into())];
    for (n, number) in others.into_iter().chain([(CCR, cpu.cr.into()), (MSR, width.pick(MSR_USER, MSR_WIDE))]) {
        numbers[n] = number;
    }
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| width.encode(*number)).collect();
    bytes.extend(cpu.fpr.iter().flat_map(|register| register.to_be_bytes()));
    bytes.extend(u64::from(cpu.fpscr.read()).to_be_bytes());
    let vectors = vectors_at(at, width);
    if width == Width::Wide {
        bytes.extend(hardware.effective(at.wrapping_add(vectors)).to_be_bytes());
    }
    bytes.resize(vectors as usize, 0);
    bytes.extend(cpu.vr.iter().flat_map(|register| register.bytes()));
    let last = width.pick([cpu.vrsave, 0, 0, cpu.vscr], [0, 0, 0, cpu.vscr]);
    bytes.extend(last.iter().flat_map(|word| word.to_be_bytes()));
    if width == Width::Wide {
        bytes.extend(cpu.vrsave.to_be_bytes());
    }
    hardware.write(at, &bytes)
}

/// Reads a machine context. Vector registers are restored only if the context contains them.
///
/// # Errors
/// The memory cannot be read.
pub fn restore(hardware: &mut dyn Hardware, at: u32, cpu: &mut Cpu) -> Result<(), BadAddress> {
    let width = hardware.width();
    let mut bytes = vec![0; (floating_at(width) + DOUBLES_BYTES) as usize];
    hardware.read(at, &mut bytes)?;
    let (numbers, doubles) = bytes.split_at(floating_at(width) as usize);
    let numbers: Vec<u64> = numbers.chunks_exact(width.bytes() as usize).map(number).collect();
    cpu.gpr.copy_from_slice(&numbers[..32]);
    (cpu.pc, cpu.ctr, cpu.lr) = (numbers[NIP] & !3, numbers[CTR], numbers[LINK]);
    (cpu.xer, cpu.cr) = (numbers[XER] as u32, numbers[CCR] as u32);
    let mut doubles = doubles.chunks_exact(8).map(number);
    for (register, value) in cpu.fpr.iter_mut().zip(&mut doubles) {
        *register = value;
    }
    cpu.fpscr = Fpscr::new(doubles.next().unwrap_or(0) as u32);
    if numbers[MSR] & MSR_VECTORS != 0 {
        restore_vectors(hardware, at, cpu)?;
    }
    Ok(())
}

fn restore_vectors(hardware: &mut dyn Hardware, at: u32, cpu: &mut Cpu) -> Result<(), BadAddress> {
    let width = hardware.width();
    let vectors = match width {
        Width::Narrow => at.wrapping_add(VECTORS_AT),
        Width::Wide => hardware.short(at.wrapping_add(POINTER_AT))?,
    };
    // A context without vector registers has no pointer to them.
    if vectors == 0 {
        return Ok(());
    }
    let bytes = hardware.bytes(vectors, 33 * 16 + 4)?;
    let mut quadwords = bytes.chunks_exact(16);
    for (register, bytes) in cpu.vr.iter_mut().zip(&mut quadwords) {
        *register = bytes.first_chunk().map_or_else(Quadword::default, |bytes| Quadword::from_bytes(*bytes));
    }
    let last: Vec<u32> = bytes[32 * 16..].chunks_exact(4).map(|word| number(word) as u32).collect();
    (cpu.vrsave, cpu.vscr) = (last[width.pick(0, 4)], last[3]);
    Ok(())
}

/// The big-endian number that consists of these bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
