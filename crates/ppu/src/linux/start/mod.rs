//! How a program starts: its files, its segments in memory, the first thread's stack.

pub mod image;
mod load;
mod stack;

use super::hardware::Hardware;
use super::kernel::Kernel;
use super::layout::{MOVABLE_PROGRAM, STACK_BYTES, STACK_END};
use super::memory::mapping;
use super::thread::{Thread, Tid};
use super::vdso;
use crate::registers::Cpu;
use image::Image;
use std::rc::Rc;

/// What a program is started with.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program.
    pub image: Image,
    /// `argv`; the first is how the program is called.
    pub arguments: Vec<Vec<u8>>,
    /// `envp`, as `NAME=value`.
    pub environment: Vec<Vec<u8>>,
}

/// Number of the process, and of its first thread.
///
/// MODEL: every run is process 1000, the child of process 999.
pub const PROCESS: Tid = Tid(1000);

/// `VSCR` as the kernel gives it to a new process: non-Java mode.
const VSCR_NON_JAVA: u32 = 0x1_0000;

impl Start {
    /// Whether it can be started.
    ///
    /// # Errors
    /// The arguments do not fit on the stack.
    pub fn check(&self) -> Result<(), String> {
        let texts = self.arguments.iter().chain(&self.environment);
        let bytes: usize = texts.map(|text| text.len() + 1 + size_of::<u32>()).sum();
        let most = (STACK_BYTES / 4) as usize;
        if bytes > most {
            return Err(format!("arguments and environment of {bytes} bytes; at most {most} fit"));
        }
        Ok(())
    }
}

impl Kernel {
    /// Puts a program into memory and makes its first thread.
    pub fn start(&mut self, hardware: &mut dyn Hardware, start: &Start) {
        let stack = STACK_END - STACK_BYTES..STACK_END;
        let image = &start.image;
        self.space.map_zeros(hardware, &stack, load::stack_access(&image.program));
        let base = if image.program.movable { MOVABLE_PROGRAM } else { 0 };
        let path = Rc::from(image.path.as_bytes());
        let program = load::load(&mut self.space, hardware, (&image.program, &path), base);
        self.program = Some((path, Rc::clone(&image.file)));
        let heap = mapping::page_behind(program.end);
        self.space.heap = heap..heap;
        vdso::map(&mut self.space, hardware);
        let interpreter = image.interpreter.as_ref().map(|linker| {
            let base = load::base_for(&self.space, linker);
            let path = Rc::from(image.program.interpreter.as_deref().unwrap_or_default().as_bytes());
            load::load(&mut self.space, hardware, (linker, &path), base)
        });
        let stack_pointer = stack::write(hardware, start, &program, interpreter.as_ref());
        let mut cpu = Cpu { pc: interpreter.map_or(program.entry, |linker| linker.entry), ..Cpu::default() };
        cpu.set_word(1, stack_pointer);
        cpu.vscr = VSCR_NON_JAVA;
        let own = self.wakes.new_queue();
        let mut thread = Thread::new(PROCESS, cpu, own);
        thread.set_name(
            start
                .arguments
                .first()
                .map_or(b"".as_slice(), |name| name.rsplit(|byte| *byte == b'/').next().unwrap_or_default()),
        );
        self.threads.insert(PROCESS, thread);
    }
}
