//! NewProcess of a program: image, segments in memory, and the stack of the first thread.

pub mod image;
mod load;
mod new_process;
mod stack;

use super::hardware::{Access, Hardware};
use super::kernel::{Kernel, Program};
use super::layout::{GUARD, MOVABLE_PROGRAM, STACK_BYTES};
use super::memory::mapping;
use super::threads::thread::Thread;
use super::tid::PROCESS;
use super::vdso;
use super::width::Width;
use ppu::registers::Cpu;
use std::rc::Rc;

pub use new_process::NewProcess;

/// Initial `VSCR` of a process, which selects non-Java mode.
const VSCR_NON_JAVA: u32 = 0x1_0000;

/// Loads a program and creates its first thread.
pub fn start(kernel: &mut Kernel, hardware: &mut dyn Hardware, start: &NewProcess) {
    let stack_end = start.layout.stack_end();
    let stack = stack_end - STACK_BYTES..stack_end;
    kernel.mm.space.layout = start.layout;
    let image = &start.image;
    kernel.mm.space.map_zeros(hardware, &stack, load::stack_access(&image.program));
    let base = if image.program.movable { MOVABLE_PROGRAM } else { 0 };
    let path: Rc<[u8]> = Rc::from(image.place.as_slice());
    let program = load::load(&mut kernel.mm.space, hardware, (&image.program, &path), base);
    kernel.spufs.borrow_mut().learn(&image.file);
    kernel.program = Some(Program { path, file: Rc::clone(&image.file) });
    let heap = mapping::next_page(program.end);
    kernel.mm.space.heap = heap..heap;
    vdso::map(&mut kernel.mm.space, hardware);
    if image.program.width == Width::Wide {
        kernel.mm.space.map_zeros(hardware, &GUARD, Access::NONE);
    }
    let interpreter = image.interpreter.as_ref().map(|linker| {
        let base = load::base_for(&kernel.mm.space, linker);
        let path = Rc::from(image.program.interpreter.as_deref().unwrap_or_default().as_bytes());
        load::load(&mut kernel.mm.space, hardware, (linker, &path), base)
    });
    let stack_pointer = stack::write(hardware, start, &program, interpreter.as_ref());
    let first = interpreter.unwrap_or(program);
    let mut cpu = Cpu { pc: hardware.effective(first.entry), ..Cpu::default() };
    cpu.set_doubleword(1, hardware.effective(stack_pointer));
    cpu.set_doubleword(2, hardware.effective(first.toc));
    cpu.vscr = VSCR_NON_JAVA;
    let own = kernel.wakes.new_queue();
    let mut thread = Thread::new(PROCESS, cpu, own);
    thread.set_name(
        start
            .arguments
            .first()
            .map_or(b"".as_slice(), |name| name.rsplit(|byte| *byte == b'/').next().unwrap_or_default()),
    );
    kernel.scheduler.threads.insert(PROCESS, thread);
}
