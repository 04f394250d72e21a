//! The initial stack of the first thread: arguments, environment, and the auxiliary vector.
//!
//! Sources: System V ABI, PowerPC supplement, process initialization; Linux, `asm/auxvec.h` and `asm/cputable.h`.

use super::given::Start;
use super::load::Loaded;
use crate::linux::hardware::{Hardware, PAGE_BYTES};
use crate::linux::identity::USER;
use crate::linux::layout::{STACK_END, vdso};

/// Hardware capabilities of a Cell: 32 and 64 bits, VMX, floating point, MMU, Cell, SMT.
const HWCAP: u32 = 0x8000_0000 | 0x4000_0000 | 0x1000_0000 | 0x0800_0000 | 0x0400_0000 | 0x0001_0000 | 0x0000_4000;
const PLATFORM: &[u8] = b"ppc-cell-be";
/// Sixteen bytes from which a C library derives its stack guards.
///
/// MODEL: these bytes are the same in every run.
const RANDOM: [u8; 16] = *b"\x3f\x84\xd5\xb5\xb5\x47\x09\x17\xc9\x0f\xda\xa2\x21\x68\xc2\x34";
const TICKS_PER_SECOND: u32 = 100;

/// Keys of the auxiliary vector.
mod key {
    pub const NULL: u32 = 0;
    pub const PHDR: u32 = 3;
    pub const PHENT: u32 = 4;
    pub const PHNUM: u32 = 5;
    pub const PAGESZ: u32 = 6;
    pub const BASE: u32 = 7;
    pub const FLAGS: u32 = 8;
    pub const ENTRY: u32 = 9;
    pub const UID: u32 = 11;
    pub const EUID: u32 = 12;
    pub const GID: u32 = 13;
    pub const EGID: u32 = 14;
    pub const PLATFORM: u32 = 15;
    pub const HWCAP: u32 = 16;
    pub const CLKTCK: u32 = 17;
    pub const DCACHEBSIZE: u32 = 19;
    pub const ICACHEBSIZE: u32 = 20;
    pub const UCACHEBSIZE: u32 = 21;
    pub const SECURE: u32 = 23;
    pub const RANDOM: u32 = 25;
    pub const EXECFN: u32 = 31;
    pub const SYSINFO_EHDR: u32 = 33;
}

/// Writes the stack.  Returns the initial stack pointer.
pub fn write(hardware: &mut dyn Hardware, start: &Start, program: &Loaded, linker: Option<&Loaded>) -> u32 {
    let own = [start.image.path.as_bytes(), PLATFORM, RANDOM.as_slice()];
    let all = || own.into_iter().chain(start.environment.iter().chain(&start.arguments).map(Vec::as_slice));
    let bytes: usize = all().map(|text| text.len() + 1).sum();
    let mut texts = Texts { at: STACK_END - (bytes as u32).next_multiple_of(16) - 16, bytes: Vec::new() };
    let at = texts.at;
    let own = own.map(|text| texts.push(text));
    let environment: Vec<u32> = start.environment.iter().map(|text| texts.push(text)).collect();
    let arguments: Vec<u32> = start.arguments.iter().map(|text| texts.push(text)).collect();
    let mut words = vec![arguments.len() as u32];
    words.extend(arguments);
    words.push(0);
    words.extend(environment);
    words.push(0);
    words.extend(auxiliary(program, linker, own).iter().flatten());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let stack_pointer = (at - bytes.len() as u32) & !15;
    // The write cannot fail: the stack is mapped, and `Start::check` has checked the size.
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
    /// Adds a string and a NUL.  Returns the string's address.
    fn push(&mut self, text: &[u8]) -> u32 {
        let at = self.at;
        self.bytes.extend(text);
        self.bytes.push(0);
        self.at += text.len() as u32 + 1;
        at
    }
}

fn auxiliary(program: &Loaded, linker: Option<&Loaded>, [path, platform, random]: [u32; 3]) -> Vec<[u32; 2]> {
    vec![
        [key::DCACHEBSIZE, 128],
        [key::ICACHEBSIZE, 128],
        [key::UCACHEBSIZE, 0],
        [key::HWCAP, HWCAP],
        [key::PAGESZ, PAGE_BYTES],
        [key::CLKTCK, TICKS_PER_SECOND],
        [key::PHDR, program.headers_at],
        [key::PHENT, 32],
        [key::PHNUM, program.headers.into()],
        [key::BASE, linker.map_or(0, |linker| linker.base)],
        [key::FLAGS, 0],
        [key::ENTRY, program.entry],
        [key::UID, USER],
        [key::EUID, USER],
        [key::GID, USER],
        [key::EGID, USER],
        [key::SECURE, 0],
        [key::RANDOM, random],
        [key::EXECFN, path],
        [key::SYSINFO_EHDR, vdso::AT],
        [key::PLATFORM, platform],
        [key::NULL, 0],
    ]
}
