//! Faults of instructions: the signal for the process, and a human-readable message.

use super::backtrace::{Names, with_offset};
use super::floating::{self, Ended};
use crate::hardware::Hardware;
use crate::kernel::{End, Kernel};
use crate::layout::STACK_BYTES;
use crate::signals::number::Signal;
use crate::signals::pending::{Info, code};
use crate::tid::Tid;
use cell::page_table::BadAddress;
use ppu::core::Exit;
use ppu::disassembly::disassemble;
use ppu::memory::Stop;

/// Range below the stack, in bytes, in which a bad access is reported as a stack overflow.
const NEAR_STACK_BYTES: u32 = 1 << 20;

/// Sends a thread the signal for a fault of its instruction. `outside` is the address of the access if the process has
/// no such address.
pub fn fault(kernel: &mut Kernel, hardware: &mut dyn Hardware, (tid, outside): (Tid, Option<u64>), ended: Ended) {
    let Some(thread) = kernel.scheduler.threads.get(&tid) else { return };
    let (pc, fpscr) = (thread.cpu.pc, thread.cpu.fpscr.read());
    let location = locate(kernel, hardware, pc);
    let Ended::By(exit) = ended else {
        let (code, what) = floating::kind(fpscr);
        let line = format!("{:?}: {what}, at {location}", Signal::SIGFPE);
        return kernel.force(tid, Info::fault(Signal::SIGFPE, code, pc), line);
    };
    let (signal, code, address, what) = match exit {
        Exit::Trap => (Signal::SIGTRAP, code::TRAP_BRKPT, pc, "a trap".to_string()),
        Exit::Illegal { word } => {
            (Signal::SIGILL, code::ILL_ILLOPC, pc, format!("{word:#010x} is no instruction of the PPE's user mode"))
        }
        Exit::Stop(Stop::Alignment { ea }) => {
            let ea = hardware.effective(ea);
            (Signal::SIGBUS, code::BUS_ADRALN, ea, format!("an unaligned access to {ea:#x}, which must be aligned"))
        }
        Exit::Stop(Stop::Fault { store, .. }) if outside.is_some() => {
            let ea = outside.unwrap_or_default();
            let what = format!("{} {ea:#x}, where nothing is mapped", doing(ea, pc, store));
            (Signal::SIGSEGV, code::SEGV_MAPERR, ea, what)
        }
        Exit::Stop(Stop::Fault { ea, store }) => match bad_access(kernel, hardware, ea, pc, store) {
            Ok((code, what)) => (Signal::SIGSEGV, code, hardware.effective(ea), what),
            Err(what) => {
                let callers = Names::new(kernel).callers(&thread.cpu, hardware);
                let line = format!("{what}, at {location}{callers}");
                kernel.end(hardware, End::Killed { signal: Signal::SIGKILL, line });
                return;
            }
        },
        Exit::Budget | Exit::SystemCall | Exit::Stop(Stop::Wait) => return,
    };
    let line = format!("{signal:?}: {what}, at {location}");
    kernel.force(tid, Info::fault(signal, code, address), line);
}

/// Signal code and description of a bad access.
///
/// # Errors
/// Main memory is full.
fn bad_access(
    kernel: &Kernel,
    hardware: &mut dyn Hardware,
    low: u32,
    pc: u64,
    store: bool,
) -> Result<(i32, String), String> {
    let ea = hardware.effective(low);
    let doing = doing(ea, pc, store);
    let Some((_, area)) = kernel.mm.space.at(low) else {
        return Ok((
            code::SEGV_MAPERR,
            format!("{doing} {ea:#x}, {}", what_is_missing(low, kernel.mm.space.layout.stack_end())),
        ));
    };
    if let Err(BadAddress::NoMemory(_)) = hardware.look(low, &mut [0]) {
        let total = kernel.mm.main_memory_bytes;
        return Err(format!("out of memory: all {} MB of the machine are in use", total >> 20));
    }
    let access = area.access;
    let what = match (access.read, access.write, access.execute) {
        (false, ..) => "nothing may be done",
        (_, false, _) if store => "nothing may be written",
        (_, _, false) if ea == pc => "nothing may be executed",
        _ => "this cannot be done",
    };
    Ok((code::SEGV_ACCERR, format!("{doing} {ea:#x}, where {what}")))
}

fn doing(ea: u64, pc: u64, store: bool) -> &'static str {
    match (store, ea == pc) {
        (true, _) => "a store to",
        (false, true) => "a jump to",
        (false, false) => "a load from",
    }
}

/// Description of an unmapped address.
fn what_is_missing(ea: u32, stack_end: u32) -> String {
    let below_stack = (stack_end - STACK_BYTES).checked_sub(ea);
    match below_stack {
        Some(1..NEAR_STACK_BYTES) => format!("below the stack, which ends at {} MB", STACK_BYTES >> 20),
        _ => "where nothing is mapped".to_string(),
    }
}

/// Description of an instruction and its address.
pub fn locate(kernel: &Kernel, hardware: &mut dyn Hardware, pc: u64) -> String {
    let low = pc as u32;
    if hardware.effective(low) != pc {
        return format!("{pc:#x}");
    }
    let mut word = [0; 4];
    let text = match hardware.look(low, &mut word) {
        Ok(()) => {
            format!(
                " ({})",
                disassemble(u32::from_be_bytes(word), low).split_whitespace().collect::<Vec<_>>().join(" ")
            )
        }
        Err(_) => String::new(),
    };
    let function = kernel.function_at(low).map(|(name, offset)| with_offset(&name, offset));
    function.map_or_else(|| format!("{pc:#x}{text}"), |function| format!("{pc:#x}{text}, {function}"))
}
