//! Stand-in until `crate::registers::Cpu` is there.

/// The registers of user mode.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cpu {
    pub gpr: [u64; 32],
    pub fpr: [u64; 32],
    pub vr: [u128; 32],
    pub cr: u32,
    pub lr: u32,
    pub ctr: u32,
    pub xer: u32,
    pub fpscr: u32,
    pub vscr: u32,
    pub vrsave: u32,
    pub pc: u32,
}

impl Cpu {
    /// General register `n`, as a 32-bit program sees it.
    pub fn word(&self, n: u8) -> u32 {
        self.gpr[usize::from(n & 31)] as u32
    }

    /// Puts a word into general register `n`, with zeros in its left half.
    pub fn set_word(&mut self, n: u8, value: u32) {
        self.gpr[usize::from(n & 31)] = u64::from(value);
    }
}
