//! The machine context of 32-bit PowerPC: a thread's registers in memory.
//!
//! The first 48 words hold the general registers and the special registers that the kernel saves with them.  The next
//! 33 doublewords hold the floating-point registers and the status register.  After these doublewords, there are two
//! words of code.  The last 33 quadwords hold the vector registers, and a quadword with `VRSAVE` in its first word and
//! `VSCR` in its last word.
//!
//! Source: Linux, `asm/ucontext.h`, `asm/ptrace.h` and `asm/elf.h` of PowerPC.

use crate::float::fpscr::Fpscr;
use crate::linux::hardware::{BadAddress, Hardware};
use crate::registers::Cpu;
use spu::Quadword;

/// Size of a machine context.
pub const BYTES: u32 = 992;
/// Offset of the floating-point registers.
pub const FLOATING_AT: u32 = 192;
/// Offset of the vector registers.
pub const VECTORS_AT: u32 = 464;
/// Word index of the next instruction's address.
pub const NIP: usize = 32;
const MSR: usize = 33;
const ORIGINAL_R3: usize = 34;
const CTR: usize = 35;
/// Word index of the link register.
pub const LINK: usize = 36;
const XER: usize = 37;
/// Word index of the condition register.
pub const CCR: usize = 38;
/// MSR value of user mode with floating point and vectors enabled.
const MSR_USER: u32 = 0x0200_f932;
const MSR_VECTORS: u32 = 0x0200_0000;

/// Writes a machine context.
///
/// # Errors
/// The memory cannot be written.
pub fn save(hardware: &mut dyn Hardware, at: u32, cpu: &Cpu) -> Result<(), BadAddress> {
    let mut words = [0_u32; 48];
    for (n, word) in words.iter_mut().take(32).enumerate() {
        *word = cpu.word(n as u8);
    }
    let others = [(NIP, cpu.pc), (MSR, MSR_USER), (ORIGINAL_R3, cpu.word(3)), (CTR, cpu.ctr), (LINK, cpu.lr)];
    for (n, word) in others.into_iter().chain([(XER, cpu.xer), (CCR, cpu.cr)]) {
        words[n] = word;
    }
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    bytes.extend(cpu.fpr.iter().flat_map(|register| register.to_be_bytes()));
    bytes.extend(u64::from(cpu.fpscr.read()).to_be_bytes());
    bytes.resize(VECTORS_AT as usize, 0);
    bytes.extend(cpu.vr.iter().flat_map(|register| register.bytes()));
    bytes.extend([cpu.vrsave, 0, 0, cpu.vscr].iter().flat_map(|word| word.to_be_bytes()));
    hardware.write(at, &bytes)
}

/// Reads a machine context.  Vector registers are restored only if the context contains them.
///
/// # Errors
/// The memory cannot be read.
pub fn restore(hardware: &mut dyn Hardware, at: u32, cpu: &mut Cpu) -> Result<(), BadAddress> {
    let mut bytes = [0; BYTES as usize];
    hardware.read(at, &mut bytes)?;
    let (words, rest) = bytes.split_at(FLOATING_AT as usize);
    let (doubles, rest) = rest.split_at((VECTORS_AT - FLOATING_AT) as usize);
    let words: Vec<u32> = words.chunks_exact(4).map(word).collect();
    for (n, value) in words.iter().take(32).enumerate() {
        cpu.set_word(n as u8, *value);
    }
    (cpu.pc, cpu.ctr, cpu.lr) = (words[NIP] & !3, words[CTR], words[LINK]);
    (cpu.xer, cpu.cr) = (words[XER], words[CCR]);
    let mut doubles = doubles.chunks_exact(8).map(|bytes| u64::from(word(bytes)) << 32 | u64::from(word(&bytes[4..])));
    for (register, value) in cpu.fpr.iter_mut().zip(&mut doubles) {
        *register = value;
    }
    cpu.fpscr = Fpscr::new(doubles.next().unwrap_or(0) as u32);
    if words[MSR] & MSR_VECTORS != 0 {
        restore_vectors(rest, cpu);
    }
    Ok(())
}

fn restore_vectors(bytes: &[u8], cpu: &mut Cpu) {
    let mut quadwords = bytes.chunks_exact(16);
    for (register, bytes) in cpu.vr.iter_mut().zip(&mut quadwords) {
        *register = bytes.first_chunk().map_or_else(Quadword::default, |bytes| Quadword::from_bytes(*bytes));
    }
    if let Some(last) = quadwords.next() {
        (cpu.vrsave, cpu.vscr) = (word(last), word(&last[12..]));
    }
}

/// The first word of a slice.
fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}
