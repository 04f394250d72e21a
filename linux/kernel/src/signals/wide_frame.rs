//! Stack frames of signal handlers of a 64-bit process, and the return from handlers.
//!
//! ```text
//!   interrupted code's stack pointer
//!     red zone of 288 bytes
//!     siginfo_t
//!     pointers to the siginfo_t and to the ucontext_t
//!     six words of code, which this kernel leaves empty
//!     ucontext_t
//!   frame
//!     frame of the handler's caller, of 128 bytes
//!   handler's stack pointer
//! ```
//!
//! The handler returns to code in the vDSO that drops the frame of the caller and calls `rt_sigreturn`.
//!
//! Source: Linux, `asm/sigcontext.h` and `asm/ucontext.h` of 64-bit PowerPC; GCC, `config/rs6000/linux-unwind.h`, which
//! unwinds through these frames; 64-bit PowerPC ELF ABI, version 1 (function descriptors, red zone).

use super::action::{Action, ThreadSignals, flag};
use super::context;
use super::number::SignalSet;
use super::pending::{INFO_BYTES, Info};
use super::stack::AlternateStack;
use crate::errno::Errno;
use crate::hardware::{BadAddress, Hardware};
use crate::layout::vdso::WIDE_RETURN_AT;
use crate::width::Width;
use ppu::float::fpscr::Fpscr;
use ppu::registers::Cpu;

/// Size of the frame of the handler's caller.
pub const CALLER_BYTES: u32 = 128;
/// Size of the red zone.
const RED_ZONE_BYTES: u32 = 288;
/// Offsets in a `ucontext_t`.
const UC_STACK: u32 = 16;
const UC_SIGMASK: u32 = 40;
const UC_MCONTEXT: u32 = 168;
/// Offsets in a `sigcontext`, which begins at `UC_MCONTEXT`.
const SC_SIGNAL: u32 = 32;
const SC_HANDLER: u32 = 40;
const SC_REGS: u32 = 56;
const SC_REGISTERS: u32 = 64;
/// Size of a `ucontext_t`.
pub const UCONTEXT_BYTES: u32 = UC_MCONTEXT + SC_REGISTERS + 48 * 8 + 33 * 8 + 8 + 69 * 8;
/// Offset of the machine context in a `ucontext_t`.
pub const REGISTERS_AT: u32 = UC_MCONTEXT + SC_REGISTERS;
/// Offsets in the frame, after the `ucontext_t`: two unused doublewords, the code, the pointers, the `siginfo_t`.
const POINTERS_AT: u32 = UCONTEXT_BYTES + 16 + 24;
const INFO_AT: u32 = POINTERS_AT + 16;

/// Pushes a handler's frame on the stack, and moves the thread to the handler's first instruction. The handler's
/// address is that of its descriptor: the address of its code, and its TOC pointer.
///
/// # Errors
/// The stack cannot be written, or the descriptor cannot be read.
pub fn push(
    hardware: &mut dyn Hardware,
    (cpu, stack): (&mut Cpu, AlternateStack),
    action: &Action,
    info: &Info,
    mask: SignalSet,
) -> Result<(), BadAddress> {
    let old = cpu.word(1);
    let top = stack.top(action.flags & flag::ONSTACK != 0, old);
    let frame = top.wrapping_sub(RED_ZONE_BYTES + INFO_AT + INFO_BYTES as u32) & !15;
    let stack_pointer = frame.wrapping_sub(CALLER_BYTES);
    let (code, toc) = (hardware.doubleword(action.handler)?, hardware.doubleword(action.handler.wrapping_add(8))?);
    hardware.put_doubleword(stack_pointer, cpu.doubleword(1))?;
    save_ucontext(hardware, frame, (cpu, stack), mask)?;
    let handler = hardware.effective(action.handler);
    hardware.write(frame.wrapping_add(UC_MCONTEXT + SC_SIGNAL), &u32::from(info.signal.0).to_be_bytes())?;
    hardware.put_doubleword(frame.wrapping_add(UC_MCONTEXT + SC_HANDLER), handler)?;
    let at = frame.wrapping_add(INFO_AT);
    hardware.write(at, &info.to_bytes(Width::Wide))?;
    let [info_at, context, stack_pointer] = [at, frame, stack_pointer].map(|low| hardware.effective(low));
    hardware.put_longs(frame.wrapping_add(POINTERS_AT), &[info_at, context])?;
    // Signal handlers begin with floating-point exceptions disabled.
    cpu.fpscr = Fpscr::new(0);
    for (register, value) in [(1, stack_pointer), (2, toc), (3, info.signal.0.into()), (4, info_at), (5, context)] {
        cpu.set_doubleword(register, value);
    }
    cpu.set_doubleword(6, context);
    cpu.lr = hardware.effective(WIDE_RETURN_AT);
    cpu.pc = code & !3;
    Ok(())
}

/// Writes a `ucontext_t` with a thread's registers, stack and mask.
///
/// # Errors
/// The memory cannot be written.
pub fn save_ucontext(
    hardware: &mut dyn Hardware,
    at: u32,
    (cpu, stack): (&Cpu, AlternateStack),
    mask: SignalSet,
) -> Result<(), BadAddress> {
    hardware.write(at, &[0; REGISTERS_AT as usize])?;
    let stack = stack.to_bytes(hardware, cpu.word(1));
    hardware.write(at.wrapping_add(UC_STACK), &stack)?;
    hardware.write(at.wrapping_add(UC_SIGMASK), &mask.to_bytes(Width::Wide))?;
    let registers = at.wrapping_add(REGISTERS_AT);
    let pointer = hardware.effective(registers);
    hardware.put_doubleword(at.wrapping_add(UC_MCONTEXT + SC_REGS), pointer)?;
    context::save(hardware, registers, cpu)
}

/// Restores a thread's registers and signal mask from a `ucontext_t`.
///
/// # Errors
/// The memory cannot be read.
pub fn restore_ucontext(
    hardware: &mut dyn Hardware,
    at: u32,
    cpu: &mut Cpu,
    signals: &mut ThreadSignals,
) -> Result<(), Errno> {
    let mut mask = [0; 8];
    hardware.read(at.wrapping_add(UC_SIGMASK), &mut mask)?;
    context::restore(hardware, at.wrapping_add(REGISTERS_AT), cpu)?;
    signals.mask = SignalSet::from_bytes(mask, Width::Wide).blockable();
    Ok(())
}

/// Returns from a handler.
///
/// # Errors
/// The stack pointer does not lead to a frame.
pub fn pop(hardware: &mut dyn Hardware, cpu: &mut Cpu, signals: &mut ThreadSignals) -> Result<(), Errno> {
    let frame = hardware.narrow(cpu.doubleword(1));
    let stack = frame.wrapping_add(UC_STACK);
    let (at, bytes) = (hardware.short(stack)?, hardware.short(stack.wrapping_add(16))?);
    restore_ucontext(hardware, frame, cpu, signals)?;
    (signals.stack.at, signals.stack.bytes) = (at, bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_parts_are_where_the_c_library_and_the_unwinder_look() {
        // glibc: sizeof(ucontext_t). GCC: `struct gcc_ucontext` has 28 doublewords, the pointer, and the registers.
        assert_eq!((UCONTEXT_BYTES, UC_MCONTEXT + SC_REGS, REGISTERS_AT), (1440, 28 * 8, 29 * 8));
    }
}
