//! Stack frames of signal handlers of a 32-bit process, and the return from handlers. A 64-bit process has frames of
//! its own ([`super::wide_frame`]).
//!
//! The area above the handler's own frame depends on the handler. With `SA_SIGINFO`, the area contains a `siginfo_t`
//! and a `ucontext_t` with the machine context. Without `SA_SIGINFO`, it contains a `sigcontext` and a machine
//! context. A gap above this area protects the red zone, which consists of the bytes below the stack pointer that the
//! interrupted code may use. The handler returns to code in the vDSO that calls `sigreturn`.
//!
//! Source: Linux, `asm/sigcontext.h`, `asm/ucontext.h`; GCC, `config/rs6000/linux-unwind.h`, which unwinds through
//! these frames.

use super::action::{Action, ThreadSignals, flag};
use super::context;
use super::number::SignalSet;
use super::pending::{INFO_BYTES, Info};
use super::stack::AlternateStack;
use super::wide_frame;
use crate::errno::Errno;
use crate::hardware::{BadAddress, Hardware};
use crate::layout::vdso::{RETURN_AT, RT_RETURN_AT};
use crate::width::Width;
use ppu::float::fpscr::Fpscr;
use ppu::registers::Cpu;

/// Size of the handler's own frame.
const FRAME_BYTES: u32 = 64;
/// Size of the gap between the handler's own frame and a `siginfo_t`.
const INFO_GAP_BYTES: u32 = 16;
/// Size of the red zone.
const RED_ZONE_BYTES: u32 = 224;
const SIGCONTEXT_BYTES: u32 = 32;
/// Offsets in a `ucontext_t`.
const UC_STACK: u32 = 8;
const UC_REGS: u32 = 48;
const UC_SIGMASK: u32 = 52;
const UC_MCONTEXT: u32 = 192;
const CONTEXT_BYTES: u32 = 992;
/// Size of a `ucontext_t` of a 32-bit process.
const UCONTEXT_BYTES: u32 = UC_MCONTEXT + CONTEXT_BYTES;
/// Offsets in a `sigcontext`.
const SC_MASK_HIGH: u32 = 12;
const SC_SIGNAL: u32 = 16;
const SC_HANDLER: u32 = 20;
const SC_MASK: u32 = 24;
const SC_REGS: u32 = 28;

/// Offset of the machine context from the initial stack pointer of a handler without `SA_SIGINFO`.
pub const REGISTERS_AT: u32 = FRAME_BYTES + SIGCONTEXT_BYTES;
/// Offset of the machine context from the initial stack pointer of a handler with `SA_SIGINFO`.
pub const RT_REGISTERS_AT: u32 = FRAME_BYTES + INFO_GAP_BYTES + INFO_BYTES as u32 + UC_MCONTEXT;

/// Size of a `ucontext_t`.
pub fn ucontext_bytes(width: Width) -> u32 {
    width.pick(UCONTEXT_BYTES, wide_frame::UCONTEXT_BYTES)
}

/// Pushes a handler's frame on the stack, and moves the thread to the handler's first instruction.
///
/// # Errors
/// The stack cannot be written.
pub fn push(
    hardware: &mut dyn Hardware,
    (cpu, stack): (&mut Cpu, AlternateStack),
    action: &Action,
    info: &Info,
    mask: SignalSet,
) -> Result<(), BadAddress> {
    if hardware.width() == Width::Wide {
        return wide_frame::push(hardware, (cpu, stack), action, info, mask);
    }
    let whole = action.flags & flag::SIGINFO != 0;
    let bytes = if whole { INFO_BYTES as u32 + UCONTEXT_BYTES } else { SIGCONTEXT_BYTES + CONTEXT_BYTES };
    let old = cpu.word(1);
    let top = stack.top(action.flags & flag::ONSTACK != 0, old);
    let frame = top.wrapping_sub(bytes + RED_ZONE_BYTES) & !15;
    let stack_pointer = frame.wrapping_sub(FRAME_BYTES + if whole { INFO_GAP_BYTES } else { 0 });
    hardware.put_word(stack_pointer, old)?;
    if whole {
        let context = frame.wrapping_add(INFO_BYTES as u32);
        hardware.write(frame, &info.to_bytes(Width::Narrow))?;
        save_ucontext(hardware, context, (cpu, stack), mask)?;
        for (register, value) in [(4, frame), (5, context), (6, frame)] {
            cpu.set_word(register, value);
        }
    } else {
        save_sigcontext(hardware, frame, cpu, (action, info), mask)?;
        cpu.set_word(4, frame);
    }
    // Signal handlers begin with floating-point exceptions disabled.
    cpu.fpscr = Fpscr::new(0);
    cpu.set_word(1, stack_pointer);
    cpu.set_word(3, info.signal.0.into());
    cpu.lr = u64::from(if whole { RT_RETURN_AT } else { RETURN_AT });
    cpu.pc = u64::from(action.handler & !3);
    Ok(())
}

fn save_sigcontext(
    hardware: &mut dyn Hardware,
    at: u32,
    cpu: &Cpu,
    (action, info): (&Action, &Info),
    mask: SignalSet,
) -> Result<(), BadAddress> {
    let registers = at.wrapping_add(SIGCONTEXT_BYTES);
    let words = [
        (SC_MASK_HIGH, (mask.0 >> 32) as u32),
        (SC_SIGNAL, info.signal.0.into()),
        (SC_HANDLER, action.handler),
        (SC_MASK, mask.0 as u32),
        (SC_REGS, registers),
    ];
    hardware.write(at, &[0; SIGCONTEXT_BYTES as usize])?;
    for (offset, word) in words {
        hardware.put_word(at.wrapping_add(offset), word)?;
    }
    context::save(hardware, registers, cpu)
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
    if hardware.width() == Width::Wide {
        return wide_frame::save_ucontext(hardware, at, (cpu, stack), mask);
    }
    hardware.write(at, &[0; UC_MCONTEXT as usize])?;
    let stack = stack.to_bytes(hardware, cpu.word(1));
    hardware.write(at.wrapping_add(UC_STACK), &stack)?;
    let registers = at.wrapping_add(UC_MCONTEXT);
    hardware.put_word(at.wrapping_add(UC_REGS), registers)?;
    hardware.write(at.wrapping_add(UC_SIGMASK), &mask.to_bytes(Width::Narrow))?;
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
    if hardware.width() == Width::Wide {
        return wide_frame::restore_ucontext(hardware, at, cpu, signals);
    }
    let registers = hardware.word(at.wrapping_add(UC_REGS))?;
    let mut mask = [0; 8];
    hardware.read(at.wrapping_add(UC_SIGMASK), &mut mask)?;
    context::restore(hardware, registers, cpu)?;
    signals.mask = SignalSet::from_bytes(mask, Width::Narrow).blockable();
    Ok(())
}

/// Returns from a handler with `SA_SIGINFO`.
///
/// # Errors
/// The stack pointer does not lead to a frame.
pub fn pop_info(hardware: &mut dyn Hardware, cpu: &mut Cpu, signals: &mut ThreadSignals) -> Result<(), Errno> {
    if hardware.width() == Width::Wide {
        return wide_frame::pop(hardware, cpu, signals);
    }
    let frame = cpu.word(1).wrapping_add(FRAME_BYTES + INFO_GAP_BYTES);
    let context = frame.wrapping_add(INFO_BYTES as u32);
    let stack = context.wrapping_add(UC_STACK);
    let words = [hardware.word(stack)?, hardware.word(stack.wrapping_add(8))?];
    restore_ucontext(hardware, context, cpu, signals)?;
    (signals.stack.at, signals.stack.bytes) = (words[0], words[1]);
    Ok(())
}

/// Returns from a handler without `SA_SIGINFO`.
///
/// # Errors
/// The stack pointer does not lead to a frame.
pub fn pop(hardware: &mut dyn Hardware, cpu: &mut Cpu, signals: &mut ThreadSignals) -> Result<(), Errno> {
    let frame = cpu.word(1).wrapping_add(FRAME_BYTES);
    let mut at = |offset: u32| hardware.word(frame.wrapping_add(offset));
    let (high, low, registers) = (at(SC_MASK_HIGH)?, at(SC_MASK)?, at(SC_REGS)?);
    context::restore(hardware, registers, cpu)?;
    signals.mask = SignalSet(u64::from(high) << 32 | u64::from(low)).blockable();
    Ok(())
}
