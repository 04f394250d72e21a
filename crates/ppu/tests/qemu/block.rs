//! A test case: an instruction, all registers, and some storage. `runner.S` reads and writes the bytes of a case.

use super::elf::{SLOT, TAKEN};
use crate::common::FlatOf;
use ppu::float::Fpscr;
use ppu::{Code, Costs, Cpu, Exit};
use spu::Quadword;

/// The size of a block in bytes.
pub const BYTES: usize = 0x600;
/// Offset and size of the storage in a block.
pub const STORAGE: usize = 0x480;
pub const STORAGE_BYTES: usize = BYTES - STORAGE;

const FPRS: usize = 0x100;
const VRS: usize = 0x200;
const VSCR: usize = 0x40c;
const FPSCR: usize = 0x414;
const CR: usize = 0x418;
const XER: usize = 0x41c;
const LR: usize = 0x420;
const CTR: usize = 0x428;
const VRSAVE: usize = 0x430;
const TAKEN_MARK: usize = 0x434;
const WORD: usize = 0x438;

/// The state of a test case, before or after its instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub word: u32,
    pub cpu: Cpu,
    /// Whether the instruction branched.
    pub taken: bool,
    pub storage: [u8; STORAGE_BYTES],
}

impl Block {
    /// Returns the block after this crate has executed its instruction. Returns `None` unless execution ends at the
    /// next instruction or at a branch's target.
    pub fn executed<const WIDE: bool>(&self, address: u32) -> Option<Block> {
        let mut memory = Slot::<WIDE> { word: self.word, flat: FlatOf::new(address, 0) };
        memory.flat.bytes = self.bytes();
        let mut after = self.clone();
        after.cpu.pc = SLOT.into();
        let (_, exit) = after.cpu.run(&mut memory, &mut Code::new(Costs::one_each()), 1);
        after.taken = after.cpu.pc == u64::from(TAKEN);
        after.storage.copy_from_slice(&memory.flat.bytes[STORAGE..]);
        // qemu terminates a program in which an enabled floating-point exception is set.
        let goes_on = exit == Exit::Budget && !after.cpu.fpscr.enabled_exception();
        let ended = goes_on && (after.taken || after.cpu.pc == u64::from(SLOT + 4));
        after.cpu.pc = 0;
        (after.cpu.left, after.cpu.end, after.cpu.stores) = Default::default();
        ended.then_some(after)
    }

    /// The block as bytes, in the format that the runner reads.
    pub fn bytes(&self) -> Vec<u8> {
        let Block { word, cpu, taken, storage } = self;
        let mut bytes = vec![0; BYTES];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        for n in 0..32 {
            put(8 * n, &cpu.gpr[n].to_be_bytes());
            put(FPRS + 8 * n, &cpu.fpr[n].to_be_bytes());
            put(VRS + 16 * n, &cpu.vr[n].bytes());
        }
        let words = [
            (VSCR, cpu.vscr),
            (FPSCR, cpu.fpscr.read()),
            (CR, cpu.cr),
            (XER, cpu.xer),
            (VRSAVE, cpu.vrsave),
            (TAKEN_MARK, u32::from(*taken)),
            (WORD, *word),
        ];
        words.iter().for_each(|(at, word)| put(*at, &word.to_be_bytes()));
        put(LR, &cpu.lr.to_be_bytes());
        put(CTR, &cpu.ctr.to_be_bytes());
        put(STORAGE, storage);
        bytes
    }

    /// Reads a block from bytes that the runner wrote.
    pub fn from_bytes(bytes: &[u8]) -> Block {
        let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let doubleword = |at: usize| u64::from(word(at)) << 32 | u64::from(word(at + 4));
        let cpu = Cpu {
            gpr: std::array::from_fn(|n| doubleword(8 * n)),
            fpr: std::array::from_fn(|n| doubleword(FPRS + 8 * n)),
            vr: std::array::from_fn(|n| {
                Quadword::from_doublewords([doubleword(VRS + 16 * n), doubleword(VRS + 16 * n + 8)])
            }),
            cr: word(CR),
            lr: doubleword(LR),
            ctr: doubleword(CTR),
            xer: word(XER),
            fpscr: Fpscr::new(word(FPSCR)),
            vscr: word(VSCR),
            vrsave: word(VRSAVE),
            ..Cpu::default()
        };
        let storage = bytes[STORAGE..BYTES].try_into().expect("the storage");
        Block { word: word(WORD), cpu, taken: word(TAKEN_MARK) != 0, storage }
    }

    /// The differences from `before` as text, for example `r3 = 12, cr = 4000_0000`.
    pub fn changes(&self, before: &Block) -> String {
        let (new, old) = (&self.cpu, &before.cpu);
        let mut changes = Vec::new();
        for n in 0..32 {
            if new.gpr[n] != old.gpr[n] {
                changes.push(format!("r{n} = {:x}", new.gpr[n]));
            }
            if new.fpr[n] != old.fpr[n] {
                changes.push(format!("f{n} = {:x}", new.fpr[n]));
            }
            if new.vr[n] != old.vr[n] {
                changes.push(format!("v{n} = {:x}", new.vr[n].bits()));
            }
        }
        let words = [
            ("cr", new.cr.into(), old.cr.into()),
            ("lr", new.lr, old.lr),
            ("ctr", new.ctr, old.ctr),
            ("xer", new.xer.into(), old.xer.into()),
            ("fpscr", u64::from(new.fpscr.read()), u64::from(old.fpscr.read())),
            ("vscr", new.vscr.into(), old.vscr.into()),
            ("vrsave", new.vrsave.into(), old.vrsave.into()),
            ("taken", self.taken.into(), before.taken.into()),
        ];
        changes
            .extend(words.iter().filter(|(_, new, old)| new != old).map(|(name, new, _)| format!("{name} = {new:x}")));
        for at in (0..STORAGE_BYTES).filter(|at| self.storage[*at] != before.storage[*at]) {
            changes.push(format!("[{:x}] = {:x}", STORAGE + at, self.storage[at]));
        }
        changes.join(", ")
    }
}

/// A block's storage, and one word of code.
struct Slot<const WIDE: bool> {
    word: u32,
    flat: FlatOf<WIDE>,
}

impl<const WIDE: bool> ppu::Memory for Slot<WIDE> {
    const WIDE: bool = WIDE;

    fn load<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], ppu::Stop> {
        self.flat.load(ea)
    }

    fn store<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<(), ppu::Stop> {
        self.flat.store(ea, bytes)
    }

    fn fetch(&mut self, _: u64) -> Result<u32, ppu::Stop> {
        Ok(self.word)
    }

    fn reserve<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], ppu::Stop> {
        self.flat.reserve(ea)
    }

    fn store_conditional<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<bool, ppu::Stop> {
        self.flat.store_conditional(ea, bytes)
    }

    fn zero_line(&mut self, ea: u64) -> Result<(), ppu::Stop> {
        self.flat.zero_line(ea)
    }

    fn time_base(&mut self, cycles: u64) -> u64 {
        self.flat.time_base(cycles)
    }
}
