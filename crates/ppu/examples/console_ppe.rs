//! Runs a program for PlayStation 3 consoles on the simulated PPE: `console_ppe PROGRAM`, an ELF file or an
//! unencrypted SELF. What it writes to the console's terminal or to any file goes to standard output. This example is
//! for `workshop/console_instructions.py`.
//!
//! Only what programs need that compute and print: one thread, memory from one heap, locks that nobody else wants.
//! Other system calls return 0, and are named on standard error.

#[path = "../tests/common.rs"]
mod common;

use common::FlatOf;
use ppu::{Code, Costs, Cpu, Exit};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;

/// The program's addresses: its segments begin at 64 KB; the rest is this example's choice.
const MEMORY_BYTES: usize = 0x400_0000;
const FUNCTIONS: u64 = 0x100_0000;
const THREAD: u64 = 0x110_0000;
const STACK: u64 = 0x1f0_0000;
const HEAP: u64 = 0x200_0000;
/// The thread pointer is this far behind the beginning of the thread's variables.
const THREAD_POINTER_OFFSET: u64 = 0x7000;
/// Segment types of the console's programs.
const PT_LOAD: u64 = 1;
const PT_TLS: u64 = 7;
const PT_IMPORTS: u64 = 0x6000_0002;
/// Numbers of system calls that stand for imported functions begin here.
const IMPORTED: u64 = 0x1_0000;
/// The code of an imported function, which adds its number to the second instruction: `lis r11,1`, `ori r11,r11,0`,
/// `sc`, `cmpwi r3,0`, `blr`. The comparison is inferred from the suite ppu_gpr, which prints what the last call of
/// the system left in condition field 0.
const FUNCTION: [u32; 5] = [0x3d60_0001, 0x616b_0000, 0x4400_0002, 0x2c03_0000, 0x4e80_0020];

fn main() -> ExitCode {
    let path = std::env::args().nth(1);
    let result = path.ok_or("console_ppe PROGRAM".to_string()).and_then(|path| {
        let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        Console::load(&file).ok_or_else(|| format!("{path}: no program for the PPE of a console"))?.run()
    });
    match result {
        Ok(status) => ExitCode::from(status as u8),
        Err(line) => {
            eprintln!("console_ppe: {line}");
            ExitCode::FAILURE
        }
    }
}

/// A program on a console.
struct Console {
    cpu: Cpu,
    memory: FlatOf<true>,
    /// The identifiers of imported functions, in the order of their stubs.
    imports: Vec<u32>,
    heap: u64,
    output: Vec<u8>,
    unknown: BTreeSet<u64>,
}

impl Console {
    /// Loads an executable.
    fn load(file: &[u8]) -> Option<Console> {
        // An unencrypted SELF contains the ELF file after its own header.
        let elf = if file.starts_with(b"SCE\0") { file.get(number(file, 16, 8)? as usize..)? } else { file };
        (elf.starts_with(b"\x7fELF\x02\x02") && number(elf, 18, 2)? == 21).then_some(())?;
        let mut memory = FlatOf::new(0, MEMORY_BYTES);
        let mut cpu = Cpu::default();
        let (mut imports, mut thread) = (None, [0; 3]);
        for index in 0..number(elf, 56, 2)? {
            let at = (number(elf, 32, 8)? + 56 * index) as usize;
            let field = |offset: usize| number(elf, at + offset, 8);
            let (offset, address, bytes, size) = (field(8)? as usize, field(16)?, field(32)? as usize, field(40)?);
            match number(elf, at, 4)? {
                PT_LOAD => {
                    let to = memory.bytes.get_mut(address as usize..FUNCTIONS as usize)?.get_mut(..bytes)?;
                    to.copy_from_slice(elf.get(offset..offset + bytes)?);
                }
                PT_TLS => thread = [address, bytes as u64, size],
                PT_IMPORTS => imports = Some((number(elf, offset + 24, 4)?, number(elf, offset + 28, 4)?)),
                _ => (),
            }
        }
        let entry = number(elf, 24, 8)? as usize;
        (cpu.pc, cpu.gpr[2]) = (number(&memory.bytes, entry, 4)?, number(&memory.bytes, entry + 4, 4)?);
        cpu.gpr[1] = STACK;
        cpu.gpr[8..11].copy_from_slice(&thread);
        cpu.gpr[12] = 0x10_0000;
        cpu.vscr = ppu::vector::NJ;
        let mut console =
            Console { cpu, memory, imports: vec![], heap: HEAP, output: vec![], unknown: BTreeSet::new() };
        if let Some((first, end)) = imports {
            console.link(first as usize, end as usize)?;
        }
        Some(console)
    }

    /// Points the stubs of all imported functions to functions that make a system call.
    fn link(&mut self, mut at: usize, end: usize) -> Option<()> {
        while at < end {
            let field = |offset: usize, bytes: usize| number(&self.memory.bytes, at + offset, bytes);
            let (size, functions) = (field(0, 1)?, field(6, 2)?);
            let (identifiers, stubs) = (field(20, 4)?, field(24, 4)?);
            for index in 0..functions as usize {
                let number = self.imports.len() as u64;
                let descriptor = FUNCTIONS + 32 * number;
                let code = descriptor + 8;
                self.imports.push(self::number(&self.memory.bytes, identifiers as usize + 4 * index, 4)? as u32);
                self.put(stubs + 4 * index as u64, descriptor as u32);
                self.put(descriptor, code as u32);
                self.memory.put_code(code as u32, &FUNCTION);
                self.put(code + 4, FUNCTION[1] | number as u32);
            }
            at += size as usize;
        }
        Some(())
    }

    /// Runs the program to its end. Returns its status.
    fn run(mut self) -> Result<u64, String> {
        let mut code = Code::new(Costs::one_each());
        loop {
            match self.cpu.run(&mut self.memory, &mut code, u64::MAX / 4).1 {
                Exit::SystemCall => {
                    if let Some(status) = self.call() {
                        std::io::stdout().write_all(&self.output).map_err(|error| error.to_string())?;
                        return Ok(status);
                    }
                }
                Exit::Budget => (),
                exit => return Err(format!("{exit:x?} at {:#x}", self.cpu.pc)),
            }
        }
    }

    /// Makes a system call. Returns the status if the program ends.
    fn call(&mut self) -> Option<u64> {
        let (number, [a, b, c, d]) = (self.cpu.gpr[11], [3, 4, 5, 6].map(|n| self.cpu.gpr[n]));
        let imported = number.checked_sub(IMPORTED).and_then(|index| self.imports.get(index as usize));
        self.cpu.gpr[3] = 0;
        match (imported, number) {
            // sys_process_exit
            (Some(0xe6f2_c1e7), _) | (None, 3 | 22) => return Some(a),
            // sys_initialize_tls
            (Some(0x7446_80a2), _) => {
                let (to, from, bytes) = (THREAD as usize, b as usize, c as usize);
                self.memory.bytes.copy_within(from..from + bytes, to);
                self.cpu.gpr[13] = THREAD + THREAD_POINTER_OFFSET;
            }
            // sys_ppu_thread_get_id
            (Some(0x350d_454e), _) => self.put(a + 4, 1),
            // sys_memory_allocate
            (None, 348) => {
                self.put(c, self.heap as u32);
                self.heap += a;
            }
            // sys_tty_write and sys_fs_write
            (None, 403 | 803) => {
                let (from, bytes) = (b as usize, c as usize);
                self.output.extend(&self.memory.bytes[from..from + bytes]);
                let done = d + if number == 803 { 4 } else { 0 };
                self.put(done, bytes as u32);
            }
            // sys_fs_open
            (None, 801) => self.put(c, 3),
            (Some(_), _) => (),
            (None, _) => {
                if self.unknown.insert(number) {
                    eprintln!("console_ppe: system call {number}");
                }
            }
        }
        None
    }

    fn put(&mut self, ea: u64, word: u32) {
        self.memory.put_code(ea as u32, &[word]);
    }
}

/// A big-endian number in a file or in memory.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    Some(bytes.get(at..at.checked_add(size)?)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
