//! `monitor spe`: an SPE, and the context on it.
//!
//! Source: SPU Application Binary Interface 1.9: register 1 is the stack pointer, register 0 the return address. The
//! quadword at the stack pointer begins with the caller's stack pointer, and the quadword after that one, in the
//! caller's frame, begins with the caller's return address.

use cell::channels::{Channels, Mailbox};
use cell::door::{QueuedCommand, Supervisor};
use cell::units::SpeId;
use linux::debug::Stopped;
use linux::spufs::context::Context;
use linux::spufs::faults::status;
use spu::disassembly::disassemble;
use spu::source::{Source, loaded};
use std::fmt::Write;
use std::rc::Rc;

/// Number of instructions that are shown from the next one on.
const INSTRUCTIONS: u32 = 4;
/// Largest number of callers that are shown.
const FRAMES_MAX: usize = 64;
const REGISTERS: u8 = 128;

/// One line for each SPE.
pub fn list(stopped: &mut Stopped<'_>) -> String {
    let spufs = Rc::clone(&stopped.kernel.spufs);
    let spufs = spufs.borrow();
    let Some(machine) = stopped.hardware.spes() else { return String::new() };
    let mut text = String::new();
    for number in 0..machine.spe_count() {
        let context = spufs.contexts.values().find(|context| context.residency.spe() == Some(SpeId(number)));
        let what = context.map_or("no context".to_string(), |context| summary(context, SpeId(number), machine));
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "SPE {number}: {what}");
    }
    for context in spufs.contexts.values().filter(|context| context.residency.spe().is_none()) {
        let _ = writeln!(text, "on no SPE: {}, next instruction {:#x}", path(context), context.npc);
    }
    text
}

/// Everything about one SPE.
pub fn one(number: u8, stopped: &mut Stopped<'_>) -> String {
    let spufs = Rc::clone(&stopped.kernel.spufs);
    let spufs = spufs.borrow();
    let sources = stopped.kernel.program.as_ref().map(|program| Source::embedded(&program.file)).unwrap_or_default();
    let Some(machine) = stopped.hardware.spes() else { return String::new() };
    if number >= machine.spe_count() {
        return format!("there is no SPE {number}; the SPEs are 0 to {}\n", machine.spe_count() - 1);
    }
    let spe = SpeId(number);
    let Some(context) = spufs.contexts.values().find(|context| context.residency.spe() == Some(spe)) else {
        return format!("SPE {number}: no context\n");
    };
    let mut text = format!("SPE {number}: {}\n", summary(context, spe, machine));
    if let Some(fault) = context.account.faults.kept.last() {
        let _ = writeln!(text, "last fault at {}: {}; {}", fault.place, fault.cause, fault.told);
    }
    let callers = callers(context, spe, machine);
    let source = loaded(sources.iter().map(Source::code), machine.local_store(spe)).map(|nth| &sources[nth]);
    text.push_str(&instructions(callers[0], source, spe, machine));
    text.push_str(&registers(context));
    text.push_str(&queues(&machine.commands(spe)));
    text.push_str(&mailboxes(machine.channels(spe)));
    for (nth, address) in callers.iter().enumerate() {
        // A call may be the last instruction of its function, so a caller is found by the call itself.
        let call = if nth == 0 { *address } else { address.saturating_sub(4) };
        let _ = writeln!(text, "#{nth:<2} {address:#07x}{}", in_function(call, source));
    }
    text
}

fn path(context: &Context) -> String {
    format!("context {}", context.account.path)
}

/// The context, what it does, and why it stopped.
fn summary(context: &Context, spe: SpeId, machine: &mut dyn Supervisor) -> String {
    let by = context.run_by.map_or(String::new(), |tid| format!(", run by thread {}", tid.0));
    let does = match context.run_by {
        Some(_) => machine.doing(spe),
        None => why_stopped(context.status),
    };
    format!("{}{by}, {does}, next instruction {:#x}", path(context), context.runner.borrow().spu().pc())
}

/// Why a context has stopped, by its status.
fn why_stopped(bits: u32) -> String {
    let reasons = [
        (status::STOPPED_BY_HALT, "stopped by halt"),
        (status::INVALID_INSTRUCTION, "stopped by an invalid instruction"),
        (status::INVALID_CHANNEL, "stopped by an invalid channel operation"),
    ];
    if bits & status::STOPPED_BY_STOP != 0 {
        return format!("stopped by stop {:#x}", bits >> status::CODE_SHIFT);
    }
    let reason = reasons.into_iter().find(|(bit, _)| bits & bit != 0).map(|(_, text)| text.to_string());
    reason.unwrap_or_else(|| if bits == 0 { "not running".to_string() } else { format!("stopped, status {bits:#x}") })
}

/// The address of the next instruction, and those to which the function and its callers return.
fn callers(context: &Context, spe: SpeId, machine: &mut dyn Supervisor) -> Vec<u32> {
    let runner = context.runner.borrow();
    let (spu, local_store) = (runner.spu(), machine.local_store(spe));
    let [mut pointer, link] = [1, 0].map(|n| spu.registers().get(n).preferred());
    let size = local_store.size_bytes();
    let holds = |pointer: u32| pointer != 0 && pointer.is_multiple_of(16) && u64::from(pointer) + 32 <= size;
    let mut callers = vec![spu.pc()];
    // A function that calls no other one keeps its return address in the register only. Later, the register may hold
    // anything, so it counts only if it points behind a call.
    if link.is_multiple_of(4) && link >= 4 && u64::from(link) < size && is_call(local_store.read_u32((link - 4).into()))
    {
        callers.push(link);
    }
    while holds(pointer) && callers.len() < FRAMES_MAX {
        let caller = local_store.read_u32(pointer.into());
        // The stack grows downwards, so a chain that does not go up is none.
        if caller <= pointer || !holds(caller) {
            break;
        }
        let back = local_store.read_u32(u64::from(caller) + 16);
        if back == 0 {
            break;
        }
        if callers.last() != Some(&back) {
            callers.push(back);
        }
        pointer = caller;
    }
    callers
}

/// Whether an instruction is a branch that sets the return address.
fn is_call(word: u32) -> bool {
    ["brsl", "brasl", "bisl"].iter().any(|call| disassemble(word, 0).starts_with(call))
}

/// The function of an instruction, if the program has the SPE's executable in it.
fn in_function(address: u32, source: Option<&Source>) -> String {
    let Some(source) = source else { return String::new() };
    let function =
        source.code().function(address).map_or(String::new(), |(name, offset)| format!(" {name}+{offset:#x}"));
    let line =
        source.line(address).map_or(String::new(), |line| format!(" {}:{}", source.file(line.file), line.number));
    function + &line
}

fn word_at(address: u32, spe: SpeId, machine: &mut dyn Supervisor) -> u32 {
    let local_store = machine.local_store(spe);
    match u64::from(address) + 4 <= local_store.size_bytes() {
        true => local_store.read_u32(address.into()),
        false => 0,
    }
}

fn instructions(next: u32, source: Option<&Source>, spe: SpeId, machine: &mut dyn Supervisor) -> String {
    let mut text = String::new();
    for nth in 0..INSTRUCTIONS {
        let address = next.wrapping_add(4 * nth);
        let word = word_at(address, spe, machine);
        let place = in_function(address, source);
        let mark = if nth == 0 { "=>" } else { "  " };
        let _ = writeln!(text, "{mark} {address:#07x}  {word:08x}  {:<30}{place}", disassemble(word, address));
    }
    text
}

fn registers(context: &Context) -> String {
    let runner = context.runner.borrow();
    let values = (0..REGISTERS).map(|number| (number, runner.spu().registers().get(number).words()));
    let mut text = "registers other than 0:\n".to_string();
    for (nth, (number, words)) in values.filter(|(_, words)| *words != [0; 4]).enumerate() {
        let words = words.map(|word| format!("{word:08x}")).join(" ");
        let begin = if nth > 0 && nth % 2 == 0 { "\n" } else { "" };
        let _ = write!(text, "{begin}{:<5}{words}  ", format!("r{number}"));
    }
    text + "\n"
}

fn queues(commands: &[QueuedCommand]) -> String {
    if commands.is_empty() {
        return "MFC queues: empty\n".to_string();
    }
    let mut text = String::new();
    for QueuedCommand { proxy, command, stage } in commands {
        let queue = if *proxy { "proxy" } else { "SPU" };
        let _ = writeln!(text, "MFC {queue} queue: {command}, {stage:?}");
    }
    text.to_string()
}

fn mailboxes(channels: &Channels) -> String {
    let mut text = String::new();
    let boxes: [(&str, &Mailbox); 3] = [
        ("inbound mailbox", &channels.in_mbox),
        ("outbound mailbox", &channels.out_mbox),
        ("outbound interrupt mailbox", &channels.out_intr_mbox),
    ];
    for (name, mailbox) in boxes {
        let entries: Vec<String> = mailbox.entries().map(|entry| format!("{entry:#x}")).collect();
        let entries = if entries.is_empty() { "empty".to_string() } else { entries.join(" ") };
        let _ = writeln!(text, "{name}: {entries}");
    }
    for (nth, signal) in channels.signals.iter().enumerate() {
        let value = signal.pending().map_or("none".to_string(), |value| format!("{value:#x}"));
        let _ = writeln!(text, "signal {}: {value}", nth + 1);
    }
    text
}
