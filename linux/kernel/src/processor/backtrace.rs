//! Where a thread is: its function, and that function's callers by the back chain of its stack.
//!
//! ```text
//!   r1 ──> frame of the function ──> frame of its caller ──> frame of the caller's caller ──> 0
//!                                    └ saved LR: return     └ saved LR: return address
//!                                      address in the         in the caller's caller
//!                                      caller
//! ```
//!
//! A function saves its return address in its caller's frame, and only if it calls others. The link register is
//! therefore the caller of a leaf, and of a function that has made no call yet. After a call, the link register has the
//! address behind that call, which is in the function itself.
//!
//! A stack may have any contents. The list ends at the first frame that is not above the one before it.
//!
//! Sources: System V ABI, PowerPC supplement, and 64-bit PowerPC ELF ABI, version 1: the stack frame.

use crate::hardware::Hardware;
use crate::kernel::Kernel;
use crate::layout::vdso::{RETURN_AT, RT_RETURN_AT, WIDE_RETURN_AT};
use crate::signals::context::{LINK, NIP};
use crate::signals::frame::{REGISTERS_AT, RT_REGISTERS_AT};
use crate::signals::wide_frame::{self, CALLER_BYTES};
use crate::width::Width;
use ppu::registers::Cpu;
use std::collections::BTreeMap;

/// Maximum number of callers in a list.
const CALLERS_MAX: usize = 8;
/// Alignment of stack frames.
const FRAME_ALIGNMENT: u64 = 16;
/// Maximum number of instructions that are searched for the one that makes a function's frame.
const PROLOGUE_INSTRUCTIONS_MAX: u32 = 1 << 12;

/// A caller in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Caller {
    /// Return address, or the address of an interrupted instruction.
    address: u64,
    /// Whether a signal interrupted the function here.
    interrupted: bool,
}

/// The registers from which a list begins.
#[derive(Clone, Copy)]
struct Registers {
    pc: u64,
    link: u64,
    stack: u64,
}

/// Names of functions, each of which is looked up once.
pub struct Names<'k> {
    kernel: &'k Kernel,
    known: BTreeMap<u32, Option<(String, u32)>>,
}

impl<'k> Names<'k> {
    /// No names yet.
    pub fn new(kernel: &'k Kernel) -> Names<'k> {
        Names { kernel, known: BTreeMap::new() }
    }

    /// The function at an address, and the address's offset in it.
    fn function(&mut self, address: u64, hardware: &dyn Hardware) -> Option<(String, u32)> {
        let low = address as u32;
        if hardware.effective(low) != address {
            return None;
        }
        self.known.entry(low).or_insert_with(|| self.kernel.function_at(low)).clone()
    }

    /// The function of a call, by its return address. The call may be the last instruction of its function.
    fn caller(&mut self, address: u64, hardware: &dyn Hardware) -> Option<(String, u32)> {
        self.function(address.wrapping_sub(4), hardware).map(|(name, offset)| (name, offset + 4))
    }

    /// Text with the place of a thread: its function and the callers.
    pub fn place(&mut self, cpu: &Cpu, hardware: &mut dyn Hardware) -> String {
        let own = match self.function(cpu.pc, hardware) {
            Some((name, offset)) => with_offset(&name, offset),
            None => format!("{:#x}", cpu.pc),
        };
        own + &self.callers(cpu, hardware)
    }

    /// Text with the callers of a thread's function; empty if there are none.
    pub fn callers(&mut self, cpu: &Cpu, hardware: &mut dyn Hardware) -> String {
        let mut from = Some(Registers { pc: cpu.pc, link: cpu.lr, stack: cpu.doubleword(1) });
        let mut list = Vec::new();
        while let Some(registers) = from {
            from = self.walk(registers, hardware, &mut list);
        }
        let text = list.into_iter().map(|caller| self.text(caller, hardware)).collect::<Vec<_>>().join(", ");
        if text.is_empty() { text } else { format!(", called from {text}") }
    }

    fn text(&mut self, caller: Caller, hardware: &dyn Hardware) -> String {
        let Caller { address, interrupted } = caller;
        let named = if interrupted { self.function(address, hardware) } else { self.caller(address, hardware) };
        let place = named.map_or_else(|| format!("{address:#x}"), |(name, offset)| with_offset(&name, offset));
        if interrupted { format!("a signal at {place}") } else { place }
    }

    /// Adds the callers up to the end of the stack. Returns the interrupted registers if a signal's frame comes first.
    fn walk(&mut self, from: Registers, hardware: &mut dyn Hardware, list: &mut Vec<Caller>) -> Option<Registers> {
        let mut stack = from.stack;
        if let Some(link) = self.live_link(from, hardware) {
            if self.has_frame(from.pc, hardware) {
                // The function has not saved its return address, so that place in its caller's frame is another's.
                stack = step(stack, hardware)?.0;
            }
            add(link, stack, hardware, list)?;
            if let Some(interrupted) = interrupted(link, stack, hardware) {
                return enter(interrupted, list);
            }
        }
        loop {
            let (next, address) = step(stack, hardware)?;
            add(address, next, hardware, list)?;
            if let Some(interrupted) = interrupted(address, next, hardware) {
                return enter(interrupted, list);
            }
            stack = next;
        }
    }

    /// The link register, if it is the return address of the function and the function has not saved it.
    fn live_link(&mut self, from: Registers, hardware: &mut dyn Hardware) -> Option<u64> {
        let link = from.link & !3;
        let saved = step(from.stack, hardware).map(|(_, address)| address);
        if link == 0 || saved == Some(link) {
            return None;
        }
        let start = |at: u64, found: Option<(String, u32)>| found.map(|(_, offset)| at.wrapping_sub(offset.into()));
        match start(from.pc, self.function(from.pc, hardware)) {
            Some(own) => (start(link, self.caller(link, hardware)) != Some(own)).then_some(link),
            // Whether code without a symbol has made a call is not known. A jump to what is no code has made none.
            None => (!self.is_code(from.pc, hardware)).then_some(link),
        }
    }

    fn is_code(&self, pc: u64, hardware: &dyn Hardware) -> bool {
        let low = pc as u32;
        hardware.effective(low) == pc && self.kernel.mm.space.at(low).is_some_and(|(_, area)| area.access.execute)
    }

    /// Whether a function has made a frame of its own before the instruction at `pc`.
    fn has_frame(&mut self, pc: u64, hardware: &mut dyn Hardware) -> bool {
        let Some((_, offset)) = self.function(pc, hardware) else { return false };
        let first = (pc as u32).wrapping_sub(offset & !3);
        let words = (offset / 4).min(PROLOGUE_INSTRUCTIONS_MAX);
        (0..words).any(|n| {
            let mut word = [0; 4];
            hardware.look(first.wrapping_add(4 * n), &mut word).is_ok() && makes_frame(u32::from_be_bytes(word))
        })
    }
}

/// Adds a return address, unless the list is full or the stack has none. The vDSO's return from a signal is no caller.
fn add(address: u64, stack: u64, hardware: &mut dyn Hardware, list: &mut Vec<Caller>) -> Option<()> {
    if address == 0 || list.len() >= CALLERS_MAX {
        return None;
    }
    if interrupted(address, stack, hardware).is_none() {
        list.push(Caller { address, interrupted: false });
    }
    Some(())
}

/// Continues the list where a signal interrupted the thread.
fn enter(registers: Registers, list: &mut Vec<Caller>) -> Option<Registers> {
    list.push(Caller { address: registers.pc, interrupted: true });
    (list.len() < CALLERS_MAX).then_some(registers)
}

/// The frame above the one at `stack`, and the return address in that frame.
fn step(stack: u64, hardware: &mut dyn Hardware) -> Option<(u64, u64)> {
    let next = long(stack, hardware)?;
    if next <= stack || !next.is_multiple_of(FRAME_ALIGNMENT) {
        return None;
    }
    let saved = hardware.width().pick(4, 16);
    Some((next, long(next.checked_add(saved)?, hardware)? & !3))
}

/// A number of the process's width at an address.
fn long(address: u64, hardware: &mut dyn Hardware) -> Option<u64> {
    let low = address as u32;
    if hardware.effective(low) != address {
        return None;
    }
    let mut bytes = [0; 8];
    let width = hardware.width().bytes() as usize;
    hardware.look(low, &mut bytes[..width]).ok()?;
    Some(bytes[..width].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The registers that a signal's frame at `stack` has saved, if `address` returns from a signal handler.
fn interrupted(address: u64, stack: u64, hardware: &mut dyn Hardware) -> Option<Registers> {
    let width = hardware.width();
    let at = match (width, u32::try_from(address).ok()?) {
        (Width::Narrow, RETURN_AT) => REGISTERS_AT,
        (Width::Narrow, RT_RETURN_AT) => RT_REGISTERS_AT,
        (Width::Wide, WIDE_RETURN_AT) => CALLER_BYTES + wide_frame::REGISTERS_AT,
        _ => return None,
    };
    let mut register = |n: usize| {
        let offset = at + n as u32 * width.bytes();
        long(stack.checked_add(offset.into())?, hardware)
    };
    Some(Registers { pc: register(NIP)?, link: register(LINK)?, stack: register(1)? })
}

/// Whether an instruction makes a stack frame: `stwu`, `stwux`, `stdu` or `stdux`, of r1 and with r1.
fn makes_frame(word: u32) -> bool {
    let (opcode, of_r1) = (word >> 26, word >> 16 & 0x3ff == 1 << 5 | 1);
    let extended = word >> 1 & 0x3ff;
    of_r1 && (opcode == 37 || opcode == 62 && word & 3 == 1 || opcode == 31 && [183, 181].contains(&extended))
}

/// Text with an offset in a function.
pub fn with_offset(name: &str, offset: u32) -> String {
    if offset == 0 { name.to_string() } else { format!("{name}+{offset:#x}") }
}
