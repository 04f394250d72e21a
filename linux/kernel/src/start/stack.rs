//! The initial stack of the first thread: arguments, environment, and the auxiliary vector.
//!
//! Sources: System V ABI, PowerPC supplement, process initialization; Linux, `asm/auxvec.h` and `asm/cputable.h`.

use super::load::Loaded;
use super::new_process::NewProcess;
use crate::hardware::{Hardware, PAGE_BYTES};
use crate::identity::USER;
use crate::layout::vdso;
use crate::width::Width;

/// Hardware capabilities of a Cell: 32 and 64 bits, VMX, floating point, MMU, Cell, SMT.
const HWCAP: u32 = 0x8000_0000 | 0x4000_0000 | 0x1000_0000 | 0x0800_0000 | 0x0400_0000 | 0x0001_0000 | 0x0000_4000;
const PLATFORM: &[u8] = b"ppc-cell-be";
/// Sixteen bytes from which a C library derives its stack guards.
///
/// MODEL: these bytes are the same in every run.
const RANDOM: [u8; 16] = *b"\x3f\x84\xd5\xb5\xb5\x47\x09\x17\xc9\x0f\xda\xa2\x21\x68\xc2\x34";
const TICKS_PER_SECOND: u64 = 100;

/// Keys of the auxiliary vector.
mod key {
    pub const NULL: u64 = 0;
    pub const PHDR: u64 = 3;
    pub const PHENT: u64 = 4;
    pub const PHNUM: u64 = 5;
    pub const PAGESZ: u64 = 6;
    pub const BASE: u64 = 7;
    pub const FLAGS: u64 = 8;
    pub const ENTRY: u64 = 9;
    pub const UID: u64 = 11;
    pub const EUID: u64 = 12;
    pub const GID: u64 = 13;
    pub const EGID: u64 = 14;
    pub const PLATFORM: u64 = 15;
    pub const HWCAP: u64 = 16;
    pub const CLKTCK: u64 = 17;
    pub const DCACHEBSIZE: u64 = 19;
    pub const ICACHEBSIZE: u64 = 20;
    pub const UCACHEBSIZE: u64 = 21;
    pub const SECURE: u64 = 23;
    pub const RANDOM: u64 = 25;
    pub const EXECFN: u64 = 31;
    pub const SYSINFO_EHDR: u64 = 33;
}

/// Writes the stack. Returns the initial stack pointer.
pub fn write(hardware: &mut dyn Hardware, start: &NewProcess, program: &Loaded, linker: Option<&Loaded>) -> u32 {
    // Where a file lies must not move the stack of a program that has another name for itself.
    let path = start.arguments.first().map_or(start.image.path.as_bytes(), Vec::as_slice);
    let own = [path, PLATFORM, RANDOM.as_slice()];
    let all = || own.into_iter().chain(start.environment.iter().chain(&start.arguments).map(Vec::as_slice));
    let bytes: usize = all().map(|text| text.len() + 1).sum();
    let mut texts =
        Texts { at: start.layout.stack_end() - (bytes as u32).next_multiple_of(16) - 16, bytes: Vec::new() };
    let at = texts.at;
    let own = own.map(|text| texts.push(text));
    let environment: Vec<u32> = start.environment.iter().map(|text| texts.push(text)).collect();
    let arguments: Vec<u32> = start.arguments.iter().map(|text| texts.push(text)).collect();
    let width = start.image.program.width;
    let mut numbers = vec![arguments.len() as u64];
    numbers.extend(arguments.iter().map(|low| hardware.effective(*low)));
    numbers.push(0);
    numbers.extend(environment.iter().map(|low| hardware.effective(*low)));
    numbers.push(0);
    numbers.extend(auxiliary(hardware, width, (program, linker), own).iter().flatten());
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| width.encode(*number)).collect();
    let stack_pointer = (at - bytes.len() as u32) & !15;
    // The write cannot fail: the stack is mapped, and `NewProcess::check` has checked the size.
    let _ = hardware.fill(at, &texts.bytes);
    let _ = hardware.fill(stack_pointer, &bytes);
    stack_pointer
}

/// Consecutive strings.
struct Texts {
    /// Address of the next string.
    at: u32,
    bytes: Vec<u8>,
}

impl Texts {
    /// Adds a string and a NUL. Returns the string's address.
    fn push(&mut self, text: &[u8]) -> u32 {
        let at = self.at;
        self.bytes.extend(text);
        self.bytes.push(0);
        self.at += text.len() as u32 + 1;
        at
    }
}

fn auxiliary(
    hardware: &mut dyn Hardware,
    width: Width,
    (program, linker): (&Loaded, Option<&Loaded>),
    [path, platform, random]: [u32; 3],
) -> Vec<[u64; 2]> {
    let base = linker.map_or(0, |linker| linker.base);
    vec![
        [key::DCACHEBSIZE, 128],
        [key::ICACHEBSIZE, 128],
        [key::UCACHEBSIZE, 0],
        [key::HWCAP, HWCAP.into()],
        [key::PAGESZ, PAGE_BYTES.into()],
        [key::CLKTCK, TICKS_PER_SECOND],
        [key::PHDR, hardware.effective(program.headers_at)],
        [key::PHENT, width.pick(32, 56)],
        [key::PHNUM, program.headers.into()],
        [key::BASE, hardware.effective(base)],
        [key::FLAGS, 0],
        [key::ENTRY, hardware.effective(program.entry_point)],
        [key::UID, USER.into()],
        [key::EUID, USER.into()],
        [key::GID, USER.into()],
        [key::EGID, USER.into()],
        [key::SECURE, 0],
        [key::RANDOM, hardware.effective(random)],
        [key::EXECFN, hardware.effective(path)],
        [key::SYSINFO_EHDR, vdso::AT.into()],
        [key::PLATFORM, hardware.effective(platform)],
        [key::NULL, 0],
    ]
}
